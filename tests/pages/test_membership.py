import random
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from smindex_plugins.limits import MAX_PART
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages.membership import Omission, choose, left_out, nothing_listed
from smindex_plugins.settings import Settings, Site

SITE_URL = "https://e.org/docs/"


def target(**settings: object) -> Site:
    return Site(url=SITE_URL, directory="site", settings=Settings.load(settings))


@dataclass
class Chosen:
    """What there is to say of a choice."""

    pages: list[Page]
    omitted: list[Omission]
    findings: list[Finding]


def chosen(pages: list[Page], among: Site) -> Chosen:
    findings: list[Finding] = []
    return Chosen(*choose(pages, among, frozenset(), findings), findings)


def reasons(members: Chosen) -> Counter[str]:
    return Counter(omission.reason for omission in members.omitted)


@pytest.fixture(autouse=True)
def _in_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def page(path: str, url: str | None = None, content: str = "<title>a</title>text") -> Page:
    """Make the page that is rendered to a path, at its own URL or at another."""
    file = Path("site", path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    own = path.removesuffix("index.html") if file.name == "index.html" else path
    return Page(url=SITE_URL + own if url is None else url, file=str(file), source_name=f"{path}.md")


@pytest.mark.parametrize(
    "path", ["index.html", "a.html", "a/index.html", "a/b/c/index.html", "404/a.html", "myindex.html"]
)
def test_a_page_at_its_own_url_is_listed(path: str) -> None:
    members = chosen([page(path)], target())
    assert (members.pages, members.omitted, members.findings) == ([page(path)], [], [])


@pytest.mark.parametrize("path", ["404.html", "404.htm", "404/index.html", "de/404.html"])
def test_the_error_page_is_not_listed(path: str) -> None:
    assert reasons(chosen([page(path)], target())) == {"shown for errors": 1}


def test_excluded_pages_are_counted_and_nothing_is_wrong_with_them() -> None:
    members = chosen([page("drafts/a.html"), page("drafts/b.html"), page("a.html")], target(exclude=["drafts/"]))
    assert members.pages == [page("a.html")]
    assert reasons(members) == {"excluded by the settings": 2}
    assert not members.findings


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("a.html", "https://f.org/docs/a.html"),
        ("a.html", "http://e.org/docs/a.html"),
        ("a.html", "https://e.org:8443/docs/a.html"),
        ("a.html", "https://www.e.org/docs/a.html"),
        ("a.html", "https://e.org/a.html"),
        ("a.html", "https://e.org/docs"),
        ("a.html", "https://e.org/docsearch/a.html"),
        ("guide/a.html", "https://e.org/docs/a.html"),
        ("guide/a.html", "https://e.org/docs/guides/a.html"),
        ("guide/a/index.html", "https://e.org/docs/guide"),
    ],
)
def test_a_canonical_url_outside_the_section_is_reported_with_both_urls(path: str, url: str) -> None:
    members = chosen([page(path, url)], target())
    assert not members.pages
    assert reasons(members) == {"outside the directory scope": 1}
    (finding,) = members.findings
    assert (finding.check, finding.where) == ("canonical-outside", f"{path}.md")
    assert url in finding.problem
    assert SITE_URL + path.removesuffix("index.html") in finding.problem
    assert members.omitted[0].by == (f"{SITE_URL}guide/" if path.startswith("guide") else SITE_URL)


@pytest.mark.parametrize(
    ("path", "url", "depth"),
    [
        ("guide/a/index.html", "https://e.org/docs/guide/a", 1),
        ("about/index.html", "https://e.org/docs/about", 1),
        ("guide/a.html", "https://e.org/docs/guide/b/c/", 1),
        ("guide/a.html", "https://e.org/docs/b.html", 0),
        ("a/b/c.html", "https://e.org/docs/a/c.html", 1),
        ("a/b/c.html", "https://e.org/docs/a/b/d.html", 2),
        ("größe/a.html", "https://e.org/docs/gr%C3%B6%C3%9Fe/b.html", 1),
    ],
)
def test_a_canonical_url_inside_the_section_is_listed(path: str, url: str, depth: int) -> None:
    assert chosen([page(path, url)], target(section_depth=depth)).pages == [page(path, url)]


def test_the_address_in_a_finding_is_the_one_at_which_the_page_is() -> None:
    (finding,) = chosen([page("a/myindex.html", "https://f.org/")], target()).findings
    assert "published at https://e.org/docs/a/myindex.html," in finding.problem


@pytest.mark.parametrize(("length", "listed"), [(2_047, 1), (2_048, 0)])
def test_a_url_that_is_too_long_is_reported(length: int, listed: int) -> None:
    path = "a" * (length - len(SITE_URL))
    members = chosen([Page(url=SITE_URL + path)], target())
    assert len(members.pages) == listed
    found = [("unlistable-url", (SITE_URL + path)[:80])] * (1 - listed)
    assert [(finding.check, finding.where) for finding in members.findings] == found
    assert reasons(members) == ({} if listed else {"with a URL that is too long": 1})


def test_of_two_pages_with_one_url_the_one_that_is_published_there_is_listed() -> None:
    at_home, guest = page("b/index.html"), page("a.html", SITE_URL + "b/")
    for pages in ([at_home, guest], [guest, at_home]):
        members = chosen(pages, target())
        assert members.pages == [at_home]
        assert reasons(members) == {"at the URL of another page": 1}
        (finding,) = members.findings
        assert (finding.check, finding.level, finding.where) == ("shared-url", "notice", "a.html.md")
        assert "b/index.html.md" in finding.problem
        assert [(omission.where, omission.by) for omission in members.omitted] == [("a.html.md", "b/index.html.md")]


def test_of_guests_at_a_url_where_no_page_is_published_the_first_file_is_listed() -> None:
    first, second = page("a.html", SITE_URL + "b/"), page("c.html", SITE_URL + "b/")
    for pages in ([first, second], [second, first]):
        members = chosen(pages, target())
        assert (members.pages, [omission.where for omission in members.omitted]) == ([first], ["c.html.md"])


def test_a_duplicate_that_is_excluded_is_counted_once() -> None:
    members = chosen([page("drafts/a.html")] * 2, target(exclude=["drafts/"]))
    assert reasons(members) == {"excluded by the settings": 2}


def test_the_order_of_the_pages_does_not_matter_and_the_counts_add_up() -> None:
    pages = [page(path) for path in ("index.html", "a.html", "b/index.html", "404.html", "drafts/a.html")]
    pages += [page(path, SITE_URL + "a.html") for path in ("c.html", "d.html", "e.html")]
    pages += [page("f.html", "https://f.org/")]
    expected = chosen(pages, target(exclude=["drafts/"]))
    assert len(expected.pages) + len(expected.omitted) == len(pages)
    for seed in range(10):
        shuffled = random.Random(seed).sample(pages, len(pages))  # noqa: S311 - a shuffle, not a secret
        assert chosen(shuffled, target(exclude=["drafts/"])) == expected


ELSEWHERE = "https://e.org/docs/b.html"


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ('<meta name="robots" content="noindex">', "marked noindex"),
        ('<meta name="googlebot" content="none">', "marked noindex"),
        (f'<meta http-equiv="refresh" content="0; url={ELSEWHERE}">', "redirecting elsewhere"),
        (f'<link rel="canonical" href="{ELSEWHERE}">', "with another canonical URL"),
        (f'<meta name=robots content=noindex><link rel="canonical" href="{ELSEWHERE}">', "marked noindex"),
        (
            f'<meta http-equiv=refresh content="0;{ELSEWHERE}"><link rel=canonical href={ELSEWHERE}>',
            "redirecting elsewhere",
        ),
    ],
)
def test_a_page_that_renounces_itself_is_left_out_for_one_reason(head: str, reason: str) -> None:
    kept = page("b.html")
    members = chosen([page("a.html", content=f"<!doctype html><head>{head}</head><body>text</body>"), kept], target())
    assert (members.pages, members.findings) == ([kept], [])
    assert reasons(members) == {reason: 1}


@pytest.mark.parametrize("head", ['<meta http-equiv="refresh" content="60">', '<link rel="canonical" href="">', ""])
def test_a_page_that_only_names_itself_is_listed(head: str) -> None:
    given = page("a.html", content=f"<!doctype html><head>{head}</head><body>text</body>")
    assert chosen([given], target()).pages == [given]


def test_a_page_that_reloads_itself_is_no_redirect() -> None:
    given = page("a.html", content='<!doctype html><meta http-equiv=refresh content="5; url=a.html#b"><p>text')
    assert chosen([given], target()).pages == [given]


def test_a_page_may_call_itself_by_the_name_of_its_file_and_is_listed_so() -> None:
    own = f"{SITE_URL}a/index.html"
    members = chosen([page("a/index.html", content=f'<!doctype html><link rel=canonical href="{own}"><p>a')], target())
    assert [listed.url for listed in members.pages] == [own]


def test_a_canonical_url_on_another_site_is_reported_with_both_urls() -> None:
    content = '<!doctype html><link rel="canonical" href="https://f.org/a"><p>text'
    members = chosen([page("a.html", content=content), page("b.html")], target())
    (finding,) = members.findings
    assert (finding.check, finding.where) == ("canonical-outside", "a.html.md")
    assert finding.problem == (
        f"it is published at {SITE_URL}a.html, but its canonical URL is https://f.org/a, outside {SITE_URL}."
    )


@pytest.mark.parametrize("content", ["", " ", "<!doctype html><title>a</title><body></body>"])
def test_a_page_without_content_is_left_out(content: str) -> None:
    members = chosen([page("a.html", content=content), page("b.html")], target())
    assert [str(omission) for omission in members.omitted] == [
        "a.html.md is in no sitemap, because it is without content."
    ]


def test_a_page_whose_file_cannot_be_read_is_left_out() -> None:
    missing = replace(page("b.html"), file="site/none.html")
    (omission,) = chosen([page("a.html"), missing], target()).omitted
    assert (omission.reason, omission.by) == ("without a readable file", "No such file or directory")


def test_a_fragment_is_no_page_where_the_host_copied_it_and_one_where_the_host_made_it() -> None:
    fragment = page("a.html", content="{% block content %}<p>text</p>{% endblock %}")
    assert chosen([fragment], target()).pages == [fragment]
    members = chosen([replace(fragment, kind="copied"), page("b.html")], target())
    assert reasons(members) == {"without an HTML document": 1}


@pytest.mark.parametrize(
    ("content", "meta", "by"),
    [
        ('<meta name="robots" content="noindex">', {}, '<meta name="robots" content="noindex">'),
        ("<meta content='NONE, x' name=GoogleBot>", {}, '<meta name="GoogleBot" content="NONE, x">'),
        (f'<meta http-equiv="refresh" content="0; url={ELSEWHERE}">', {}, ELSEWHERE),
        (f'<link rel="canonical" href="{ELSEWHERE}">', {}, ELSEWHERE),
        ("", {"sitemap": False}, "`sitemap: false`"),
        ("", {"sitemap": {"exclude": "yes"}}, "`sitemap: {exclude: true}`"),
        ("", {"sitemap": {"disable": True}}, "`sitemap: {disable: true}`"),
        ("", {"noindex": True}, "`noindex: true`"),
        ("", {"private": "True"}, "`private: true`"),
        ("", {"robots": "noindex, nofollow"}, "`robots: noindex, nofollow`"),
        ("", {"external_canonical": "https://f.org/"}, "`external_canonical: https://f.org/`"),
    ],
)
def test_what_left_a_page_out_is_named(content: str, meta: dict[str, object], by: str) -> None:
    given = page("a.html", content=f"<!doctype html><head>{content}</head><body>text</body>")
    (omission,) = chosen([replace(given, meta=meta, source_name="a.md")], target()).omitted
    assert omission.by == by
    assert str(omission) == f"a.md is in no sitemap, because it is {omission.reason} ({by})."


def test_each_pattern_that_excludes_pages_is_named_with_their_count() -> None:
    most = {"a": 4, "b": 3, "c": 2, "d": 2, "e": 1}
    pages = [page(f"{name}/{number}.html") for name, count in most.items() for number in range(count)]
    later = replace(page("list/2.html"), number=2)
    patterns = ["a/", "b/*.html", "c/", "d/", "e/"]
    members = chosen([*pages, later], target(exclude=patterns, pagination=False))
    assert left_out(members.omitted) == (
        "1 beyond the first page of a list (`pagination: false`), 4 excluded by `a/`, 3 excluded by `b/*.html`, "
        "2 excluded by `c/`, 2 excluded by `d/`, 1 excluded by `e/`"
    )
    assert str(members.omitted[0]) == "a/0.html.md is in no sitemap, because it is excluded by `a/`."


@pytest.mark.parametrize(
    ("meta", "reason"),
    [
        ({"sitemap": False}, "excluded by its front matter"),
        ({"sitemap": {"exclude": True}}, "excluded by its front matter"),
        ({"robots": "noindex, nofollow"}, "private or noindex in its front matter"),
        ({"noindex": True}, "private or noindex in its front matter"),
        ({"private": "true"}, "private or noindex in its front matter"),
        ({"external_canonical": "https://f.org/"}, "with another canonical URL"),
    ],
)
def test_the_authors_word_comes_before_the_page(meta: dict[str, object], reason: str) -> None:
    noindex = '<!doctype html><meta name="robots" content="noindex"><p>text'
    given = replace(page("a.html", content=noindex), meta=meta)
    assert reasons(chosen([given, page("b.html")], target())) == {reason: 1}


@pytest.mark.parametrize("written", ["", " ", f"{SITE_URL}a.html", f" {SITE_URL}a.html ", None, 5, True])
def test_an_external_canonical_that_names_no_other_page_leaves_none_out(written: object) -> None:
    given = replace(page("a.html"), meta={"external_canonical": written})
    assert chosen([given], target()).pages == [given]


def test_variants_that_the_host_knows_come_before_those_that_the_page_names() -> None:
    content = f'<!doctype html><link rel="alternate" hreflang="de" href="{ELSEWHERE}"><p>text'
    given = page("a.html", content=content)
    known = (("en", given.url),)
    assert chosen([given], target()).pages[0].alternates == (("de", ELSEWHERE),)
    given = replace(given, alternates=known)
    assert chosen([given], target()).pages[0].alternates == known


def test_of_pages_that_are_written_to_one_file_the_last_is_the_one_that_readers_find() -> None:
    lost = replace(page("a.html"), source_name="lost.md", meta={"lastmod": "2020-01-01"})
    shown = replace(page("a.html"), source_name="shown.md")
    for first, second in [(lost, shown), (shown, lost)]:
        members = chosen([page("index.html"), first, second], target())
        assert [member.source_name for member in members.pages] == ["index.html.md", second.name]
        (finding,) = members.findings
        assert (finding.check, finding.level, finding.where) == ("shared-url", "notice", first.name)
        assert finding.problem.startswith(f"{second.name} is written to the same file")
        assert [(omission.where, omission.by) for omission in members.omitted] == [(first.name, second.name)]


def test_a_page_that_is_private_hides_what_it_is_written_over() -> None:
    private = replace(page("a.html"), source_name="shown.md", meta={"noindex": True})
    members = chosen([page("a.html"), private], target())
    assert (members.pages, reasons(members).total()) == ([], 2)


def test_a_page_without_a_file_is_where_its_url_is() -> None:
    members = chosen([Page(url="https://f.org/a"), Page(url=SITE_URL + "b")], target())
    assert [listed.url for listed in members.pages] == [SITE_URL + "b"]
    (finding,) = members.findings
    assert finding.problem.startswith(f"it is published at {SITE_URL}, but its canonical URL is https://f.org/a,")


def test_a_page_without_a_file_is_never_one_that_is_written_over() -> None:
    twice = [replace(page("a.html"), source_name=name) for name in ("lost.md", "shown.md")]
    without = Page(url=SITE_URL + "b")
    assert [listed.url for listed in chosen([without, *twice], target()).pages] == [SITE_URL + "a.html", without.url]


def test_a_directory_may_be_named_in_other_words() -> None:
    among = Site(url=SITE_URL, directory="./site", settings=Settings.load({"exclude": ["drafts/"]}))
    members = chosen([page("a.html"), page("drafts/b.html", "https://f.org/b")], among)
    assert [listed.url for listed in members.pages] == [SITE_URL + "a.html"]
    assert reasons(members) == {"excluded by the settings": 1}


def test_patterns_are_about_urls_and_only_of_pages_elsewhere_about_files() -> None:
    here, elsewhere = page("a.html", SITE_URL + "drafts/a"), page("drafts/b.html", "https://f.org/b")
    moved = page("drafts/c.html", SITE_URL + "c")
    members = chosen([here, elsewhere, moved], target(exclude=["drafts/"], section_depth=0))
    assert members.pages == [moved]
    assert reasons(members) == {"excluded by the settings": 2}


def test_what_its_host_does_not_publish_is_left_out_in_the_words_of_the_host() -> None:
    draft = replace(page("a.html"), source_name="a.md", unlisted="marked draft")
    (omission,) = chosen([draft], target(exclude=["a.html"])).omitted
    assert str(omission) == "a.md is in no sitemap, because it is marked draft."
    assert omission.url == draft.url


def test_pages_are_sorted_by_what_they_call_themselves() -> None:
    own = f"{SITE_URL}a/index.html"
    renamed = page("a/index.html", content=f'<!doctype html><link rel=canonical href="{own}"><p>a')
    between = replace(page("a/b.html"), source_name="b.md")
    members = chosen([renamed, between], target())
    assert [listed.url for listed in members.pages] == [f"{SITE_URL}a/b.html", own]


def test_a_page_may_call_itself_by_the_directory_of_its_file_and_is_listed_so() -> None:
    content = f'<!doctype html><link rel=canonical href="{SITE_URL}a/"><p>a'
    members = chosen([page("a/index.html", f"{SITE_URL}a/index.html", content)], target())
    assert [listed.url for listed in members.pages] == [f"{SITE_URL}a/"]


def private(path: str, content: str = "<!doctype html><p>text") -> Page:
    return replace(page(path, content=content), source_name=f"{path}.md", meta={"noindex": True})


def test_private_pages_that_search_engines_may_still_index_are_one_finding() -> None:
    closed = [
        private("b.html", '<!doctype html><meta name="robots" content="noindex"><p>text'),
        replace(private("c.html", "{% block content %}text{% endblock %}"), kind="copied"),
        replace(private("d.html"), file="site/none.html"),
        replace(private("e.html"), file=""),
        replace(private("f.html"), source_name="f.md", meta={"sitemap": False}),
    ]
    assert not chosen(closed, target()).findings
    reloads = private("g.html", '<!doctype html><meta http-equiv=refresh content="5; url=g.html#b"><p>text')
    (finding,) = chosen([*closed, private("a.html")], target()).findings
    assert (finding.check, finding.where) == ("noindex-not-rendered", "a.html.md")
    assert finding.problem.endswith("search engines may still index it.")
    (finding,) = chosen([reloads, private("a.html"), *closed, private("h.html")], target()).findings
    assert finding.where == "a.html.md"
    assert finding.problem.endswith("search engines may still index it. The same is true of 2 other pages.")


def test_a_mistake_in_front_matter_is_found_also_of_pages_that_are_left_out() -> None:
    mistaken = replace(page("drafts/a.html"), source_name="a.md", meta={"sitemap": "soon"})
    (finding,) = chosen([mistaken], target(exclude=["drafts/"])).findings
    assert (finding.check, finding.where) == ("invalid-front-matter", "a.md")


def test_a_site_without_a_listed_page_says_why() -> None:
    assert nothing_listed([]).problem == "the build made no page."
    finding = nothing_listed(chosen([page("404.html"), page("de/404.html")], target()).omitted)
    assert (finding.where, finding.problem) == ("2 pages", "every page was left out: 2 shown for errors.")


def test_what_is_said_of_a_page_fits_on_a_line() -> None:
    said = str(Omission(SITE_URL, "a" * MAX_PART, "marked draft"))
    assert (len(said), said[-30:]) == (MAX_PART, "y sitemap, because it is marked draft."[-30:])
