"""The links of a page that crawlers follow."""

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.html import parse_links
from tests.support import growth

URL = "https://e.org/guide/a/"


def read(html: str, url: str = URL) -> set[str]:
    found = parse_links(html.encode(), url)
    return {each.removeprefix("https://e.org/") if each != "https://e.org/" else "/" for each in found}


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<a href=b/>", {"guide/a/b/"}),
        ("<A HREF='../b/'>", {"guide/b/"}),
        ('<a class="x" href="/c/?d=1#e">', {"c/?d=1"}),
        ('<area shape=rect href="/map/">', {"map/"}),
        ("<a href=https://e.org:443/x/../größe/>", {"gr%C3%B6%C3%9Fe/"}),
        ("<a href='https://other.example/'>", {"https://other.example/"}),
        ('<a href=" /a&amp;b/ ">', {"a&b/"}),
        ("<a href=/a/><a href=/a/#b><a href=/b/>", {"a/", "b/"}),
        ("<a href=/>", {"/"}),
        ("<a href=../../../../b/../c/>", {"c/"}),
        ("<a href=..>", {"guide/"}),
        ("<a href=../>", {"guide/"}),
        ("<a href='?page=2'>", {"guide/a/?page=2"}),
        ("<a href=//other.example/b/>", {"https://other.example/b/"}),
    ],
)
def test_a_link_is_read_in_every_form(html: str, found: set[str]) -> None:
    assert read(html) == found


@pytest.mark.parametrize(
    "html",
    [
        "<a>",
        "<a href>",
        "<a href=''>",
        "<p>text<a href=/a/",
        '<p>text<a href="/a/',
        "<a href=#top>",
        "<a href=../a/>",
        "<a href=mailto:a@e.org>",
        "<a href='javascript:go()'>",
        "<a href='http://[broken/'>",
        "<a name=href data-href=/x/>",
        "<link rel=stylesheet href=/x/><img src=/x/>",
        "<abbr href=/x/>",
        "<a rel=nofollow href=/x/>",
        "<a rel='noopener NoFollow' href=/x/>",
        "<meta name=robots content='noindex, nofollow'><a href=/x/>",
        "<meta name=googlebot content=none><a href=/x/>",
        "<!-- <a href=/x/> -->",
        "<script>'<a href=/x/>'</script>",
        "<textarea><a href=/x/></textarea>",
        "<noscript><a href=/x/></noscript>",
        "<template><template></template><a href=/x/></template>",
        "<plaintext><a href=/x/>",
        "\0\1\2<a href=/x/>",
        "<a title='<a href=/x/>'>",
    ],
)
def test_what_crawlers_do_not_follow_is_no_link(html: str) -> None:
    assert read(html) == set()


def test_links_after_what_is_no_markup_are_read() -> None:
    html = "<script>a</script><!-- b --><template>c</template><style>d</style><a href=/x/>"
    assert read(html) == {"x/"}


def test_the_first_base_of_a_page_is_that_of_all_its_links() -> None:
    assert read("<a href=b/><base target=_top><base href=/docs/><base href=/other/>") == {"docs/b/"}


def test_a_page_in_utf_16_is_read() -> None:
    assert parse_links('\ufeff<a href="/größe/">'.encode("utf-16"), URL) == {"https://e.org/gr%C3%B6%C3%9Fe/"}


@pytest.mark.parametrize(
    "frame", ["{}", "<a {}", '<a href="{}', "<!-- {}", "<script>{}", "<template>{}", "<a href={}>"]
)
def test_the_time_for_a_page_grows_with_its_length_alone(frame: str) -> None:
    pieces = [
        "<",
        "<a ",
        "<a href=",
        "<a href='",
        "<!--",
        "--",
        "<script>",
        "</script",
        "<template>",
        "x",
        "=",
        "'",
        "/",
    ]
    assert growth.slow(lambda text: parse_links(text.encode(), URL), frame, pieces) == {}


STEPS = st.lists(st.sampled_from(["..", ".", "", "a", "b.html", "?c=d", "ü", "x:y"]), min_size=1).map("/".join)


@given(target=STEPS, base=STEPS)
def test_a_link_leads_where_the_standard_says(target: str, base: str) -> None:
    url = urls.normal(f"https://e.org/{base}")
    expected = urls.normal(urljoin(url, target)) if target else ""
    assert parse_links(f'<a href="{target}">'.encode(), url) == {expected} - {"", url}


@given(text=st.text(alphabet=st.sampled_from("<>a href='\"/=#!-.:template")), html=st.text())
def test_whatever_a_page_is_its_links_are_normalised_and_none_is_its_own(text: str, html: str) -> None:
    for content in (text, html, f"<a href='{text}'>"):
        found = parse_links(content.encode("utf-8", "surrogatepass"), URL)
        assert URL not in found
        assert all(urls.normalise(url) == url for url in found)
