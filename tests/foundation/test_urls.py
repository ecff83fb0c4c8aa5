import string
import time
import traceback

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.text import masked

ODD = "/.%~?#:@&'\"<>[]{}|\\^` \t\n\x00\x7f*+;,=$!()-_aZ09é中\u202e\U0001f600\udc80\ufffe"
WILD_TEXT = st.text(st.sampled_from(ODD) | st.characters(), max_size=30)
WILD_URLS = st.builds(
    "{}://{}{}/{}".format,
    st.sampled_from(["http", "https", "HTTP", "Https"]),
    st.sampled_from(["e.org", "E.ORG", "bücher.example", "127.0.0.1", "[::1]", "xn--bcher-kva.example"]),
    st.sampled_from(["", ":80", ":443", ":8080", ":"]),
    WILD_TEXT,
)
PATH_NAMES = st.text(st.characters(exclude_characters="/\\\0", codec="utf-8"), min_size=1, max_size=12).filter(
    lambda name: name not in {".", ".."}
)


def normal_or_none(url: str) -> str | None:
    try:
        return urls.normalise(url)
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("given_url", "normal"),
    [
        ("https://e.org/a/", "https://e.org/a/"),
        ("https://e.org", "https://e.org/"),
        ("HTTPS://E.Org/Path", "https://e.org/Path"),
        ("  https://e.org/a \n", "https://e.org/a"),
        ("https://e.org/a/./b/../c", "https://e.org/a/c"),
        ("https://e.org/../../a", "https://e.org/a"),
        ("https://e.org/a/..", "https://e.org/"),
        ("https://e.org/a/.", "https://e.org/a/"),
        ("https://e.org/a/b/..", "https://e.org/a/"),
        ("https://e.org/.", "https://e.org/"),
        ("https://e.org/a/%2E%2e/b", "https://e.org/b"),
        ("https://e.org/a/%2e/b", "https://e.org/a/b"),
        ("https://e.org/...", "https://e.org/..."),
        ("https://e.org/.well-known/x", "https://e.org/.well-known/x"),
        ("https://e.org/a//b/../c", "https://e.org/a//c"),
        ("https://e.org//a", "https://e.org//a"),
        ("https://e.org/%7Euser", "https://e.org/~user"),
        ("https://e.org/%41%2d%5F", "https://e.org/A-_"),
        ("https://e.org/%c3%bc", "https://e.org/%C3%BC"),
        ("https://e.org/%2f", "https://e.org/%2F"),
        ("https://e.org/%25", "https://e.org/%25"),
        ("https://e.org/%2541", "https://e.org/%2541"),
        ("https://e.org/100%", "https://e.org/100%25"),
        ("https://e.org/%zz", "https://e.org/%25zz"),
        ("https://e.org/%%41", "https://e.org/%25A"),
        ("https://e.org/größe/", "https://e.org/gr%C3%B6%C3%9Fe/"),
        ("https://e.org/地图", "https://e.org/%E5%9C%B0%E5%9B%BE"),
        ("https://e.org/a b", "https://e.org/a%20b"),
        ("https://e.org/a'(b)&c", "https://e.org/a'(b)&c"),
        ('https://e.org/<"[]|^`{}>', "https://e.org/%3C%22%5B%5D%7C%5E%60%7B%7D%3E"),
        ("https://e.org/a#fragment", "https://e.org/a"),
        ("https://e.org/a?#fragment", "https://e.org/a"),
        ("https://e.org?q=1", "https://e.org/?q=1"),
        ("https://e.org/?q=ü&b=%7e/../", "https://e.org/?q=%C3%BC&b=~/../"),
        ("https://e.org/?a=b?c", "https://e.org/?a=b?c"),
        ("http://e.org:80/", "http://e.org/"),
        ("https://e.org:443/", "https://e.org/"),
        ("https://e.org:0443/", "https://e.org/"),
        ("https://e.org:/", "https://e.org/"),
        ("https://e.org:80/", "https://e.org:80/"),
        ("http://e.org:443/", "http://e.org:443/"),
        ("https://e.org:8443/", "https://e.org:8443/"),
        ("https://Bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://XN--BCHER-KVA.example/", "https://xn--bcher-kva.example/"),
        ("https://straße.example:8080/", "https://xn--strae-oqa.example:8080/"),
        ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"),
        ("http://[::1]:8000/a", "http://[::1]:8000/a"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/"),
        ("http://localhost/", "http://localhost/"),
        ("https://e.org/\udcff", "https://e.org/%FF"),
    ],
)
def test_a_url_has_one_normal_form(given_url: str, normal: str) -> None:
    assert urls.normalise(given_url) == normal


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/",
        "a/b",
        "/a/b",
        "//e.org/a",
        "e.org/a",
        "?q=1",
        "ftp://e.org/",
        "file:///etc/passwd",
        "mailto:a@e.org",
        "javascript:alert(1)",
        "https:",
        "https://",
        "https:///a",
        "https://:443/",
        "https:e.org/a",
        "https://user@e.org/",
        "https://user:secret@e.org/",
        "https://@e.org/",
        "https://e.org:port/",
        "https://e.org:99999/",
        "https://e.org:-1/",
        "https://[::1/",
        "https://e org/",
        "https://e.org\\a/",
        "https://e%2Eorg/",
        "https://<e>.org/",
        "https://ex\u2100mple.org/",
        "https://\u2603\u200d.example/",
        "https://e.org/\ud800",
    ],
)
def test_what_is_no_publishable_http_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        urls.normalise(url)


def test_a_password_in_a_url_is_refused_and_not_repeated() -> None:
    for url in (
        "https://user:secret@e.org/",
        "https://user:se/secret@e.org/",
        "https://user:sec#secret@e.org/",
        "https://user:secret@e\u2100.org/",
        "https://user:secret@[e.org/",
        "https://user:secret@e.org:99999/",
        "ftp://user:secret@e.org/",
    ):
        with pytest.raises(ValueError, match=r"\*\*\*@") as error:
            urls.normalise(url)
        assert "secret" not in "".join(traceback.format_exception(error.value)[1:])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("of https://u:p@e.org/a, and http://u@f.org", "of https://***@e.org/a, and http://***@f.org"),
        ("s3://key:a/b+c@bucket/x", "s3://***@bucket/x"),
        ("//u:p@e.org/", "//***@e.org/"),
        ("https://e.org:8000/@user/a@b", "https://e.org:8000/@user/a@b"),
        ("https://e.org/?mail=a@b.org", "https://e.org/?mail=a@b.org"),
        ("git@e.org and a@b", "git@e.org and a@b"),
    ],
)
def test_users_of_urls_are_masked_in_any_text(text: str, shown: str) -> None:
    assert masked(text) == shown


@given(WILD_URLS)
@example("https://e.org/%2%35")
@example("https://e.org/a/%2E%2E/.%2e//..")
def test_a_normal_url_stays_as_it_is(url: str) -> None:
    normal = normal_or_none(url)
    if normal is not None:
        assert urls.normalise(normal) == normal


@given(WILD_URLS)
def test_a_normal_url_holds_only_characters_that_a_uri_may_hold(url: str) -> None:
    normal = normal_or_none(url)
    if normal is not None:
        assert set(normal) <= set(string.ascii_letters + string.digits + "-._~:/?[]@!$&'()*+,;=%")


@given(st.text(st.sampled_from("aZ0.~/-_!$&'()*+,;=:@"), max_size=20), st.sampled_from(["e.org", "a-b.e.org", "x"]))
def test_the_fast_path_agrees_with_the_slow_one(path: str, host: str) -> None:
    """A default port sends the same URL down the slow path."""
    assert urls.normalise(f"https://{host}/{path}") == urls.normalise(f"https://{host}:443/{path}")


@pytest.mark.parametrize(
    ("base", "reference", "resolved"),
    [
        ("https://e.org/docs/", "guide/", "https://e.org/docs/guide/"),
        ("https://e.org/docs/", "", "https://e.org/docs/"),
        ("https://e.org/docs/", ".", "https://e.org/docs/"),
        ("https://e.org/docs/a/", "../b/", "https://e.org/docs/b/"),
        ("https://e.org/docs/", "/b/", "https://e.org/b/"),
        ("https://e.org/docs/", "//f.org/b/", "https://f.org/b/"),
        ("https://e.org/docs/", "http://e.org/b/", "http://e.org/b/"),
        ("https://e.org/docs/x", "y", "https://e.org/docs/y"),
        ("https://e.org/docs/", "größe/", "https://e.org/docs/gr%C3%B6%C3%9Fe/"),
        ("https://e.org/docs/", "%2e%2e/x", "https://e.org/x"),
        ("https://e.org/docs/", "?q=1", "https://e.org/docs/?q=1"),
        ("https://e.org/docs/", "a#part", "https://e.org/docs/a"),
        ("https://e.org:8443/docs/", "a", "https://e.org:8443/docs/a"),
        ("https://e.org/docs/", " a ", "https://e.org/docs/a"),
    ],
)
def test_a_reference_is_resolved_and_normalised(base: str, reference: str, resolved: str) -> None:
    assert urls.resolve(base, reference) == resolved


@pytest.mark.parametrize("reference", ["mailto:a@e.org", "ftp://e.org/", "https://u@e.org/"])
def test_a_reference_to_something_else_than_a_page_is_refused(reference: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        urls.resolve("https://e.org/", reference)


@pytest.mark.parametrize(
    ("url", "directory"),
    [
        ("https://e.org/", "https://e.org/"),
        ("https://e.org/a", "https://e.org/"),
        ("https://e.org/a/", "https://e.org/a/"),
        ("https://e.org/a/b.html", "https://e.org/a/"),
        ("https://e.org/a/b?c=/d/e", "https://e.org/a/"),
        ("https://e.org:8080/sitemap.xml", "https://e.org:8080/"),
    ],
)
def test_the_directory_of_a_url_ends_at_its_last_slash(url: str, directory: str) -> None:
    assert urls.directory(url) == directory


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://e.org/a/b", "https://e.org"),
        ("http://e.org:8080/", "http://e.org:8080"),
        ("http://[::1]:80/", "http://[::1]:80"),
        ("https://e.org/?to=https://f.org/a", "https://e.org"),
    ],
)
def test_the_origin_is_scheme_host_and_port_and_what_follows_is_the_path(url: str, origin: str) -> None:
    assert urls.origin(url) == origin
    assert urls.origin(url) + urls.path(url) == url


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://e.org/catalog/", True),
        ("https://e.org/catalog/a/b.html", True),
        ("https://e.org/catalog/?q=1", True),
        ("https://E.org:443/a/../catalog/%61", True),
        ("https://e.org/%63atalog/a", True),
        ("https://e.org/catalogue/", False),
        ("https://e.org/catalog", False),
        ("https://e.org/", False),
        ("https://e.org/Catalog/", False),
        ("https://e.org/catalog/../a", False),
        ("https://e.org/catalog/%2e%2e/a", False),
        ("https://e.org//catalog/a", False),
        ("https://e.org/catalog%2Fa", False),
        ("http://e.org/catalog/a", False),
        ("https://e.org:8443/catalog/a", False),
        ("https://www.e.org/catalog/a", False),
        ("https://e.org.evil.example/catalog/a", False),
    ],
)
def test_a_url_is_within_a_directory_only_below_its_slash(url: str, inside: bool) -> None:  # noqa: FBT001 - a table's column
    assert urls.is_within(urls.normalise(url), "https://e.org/catalog/") is inside


def test_one_idn_host_in_two_spellings_is_one_host() -> None:
    scope = urls.normalise("https://xn--bcher-kva.example/")
    assert urls.is_within(urls.normalise("https://BÜCHER.example:443/a"), scope)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://e.org/docs/", ""),
        ("https://e.org/docs/a/b", "a/b"),
        ("https://e.org/docs/a%20b?c/d", "a%20b"),
    ],
)
def test_the_relative_path_has_no_query(url: str, path: str) -> None:
    assert urls.relative_path(url, "https://e.org/docs/") == path


@pytest.mark.parametrize(
    ("encoded", "path"),
    [
        ("", ""),
        ("guide/sitemap.xml", "guide/sitemap.xml"),
        ("guide/", "guide/"),
        ("gr%C3%B6%C3%9Fe/a%20b", "größe/a b"),
        ("100%25", "100%"),
        ("%FF", "\udcff"),
        ("...", "..."),
        (".hidden", ".hidden"),
        ("a%2Fb", None),
        ("a%5Cb", None),
        ("a%00b", None),
        (".", None),
        ("..", None),
        ("a/../b", None),
        ("a/%2E%2E/b", None),
        ("a/%2e/b", None),
        ("/etc/passwd", None),
        ("a//b", None),
        ("/", None),
    ],
)
def test_only_a_url_path_that_names_one_place_has_a_file(encoded: str, path: str | None) -> None:
    assert urls.file_path(encoded) == path


@given(st.lists(PATH_NAMES, min_size=1, max_size=4).map("/".join))
def test_a_file_path_comes_back_from_its_url_and_its_url_is_normal(path: str) -> None:
    encoded = urls.from_file_path(path)
    assert urls.file_path(encoded) == path
    assert urls.normalise(f"https://e.org/{encoded}") == f"https://e.org/{encoded}"


def test_a_file_name_that_is_not_utf8_comes_back_from_its_url() -> None:
    assert urls.file_path(urls.from_file_path("caf\udce9.html")) == "caf\udce9.html"


@pytest.mark.parametrize("path", ["404", "404/", "404.html", "404.htm", "404/index.html", "de/404.html", "a/b/404.htm"])
def test_an_error_page_is_known_by_its_path(path: str) -> None:
    assert urls.is_error_page(path)


@pytest.mark.parametrize("path", ["", "a404.html", "a404/index.html", "404/a.html", "errors/404/", "errors/404"])
def test_a_page_about_an_error_is_none_that_is_shown_for_it(path: str) -> None:
    assert not urls.is_error_page(path)


SIGNS = ["a", "1", "-", ".", "/.", "../", "%41", "%", "é", ":", "@", "//:x", "//a@", " ", "["]
FILLINGS = {
    "host": "https://{}",
    "host with a path": "https://{}/",
    "user": "https://{}@e.org/",
    "password": "https://u:{}@e.org/",
    "port": "https://e.org:{}/",
    "path": "https://e.org/{}",
    "query": "https://e.org/?{}",
    "fragment": "https://e.org/#{}",
    "scheme": "{}://e.org/",
    "address": "https://[{}]/",
    "all": "{}",
}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("form", FILLINGS.values(), ids=FILLINGS)
def test_a_url_of_any_length_is_read_in_no_time(form: str, sign: str) -> None:
    url = form.format(sign * (200_000 // len(sign)))
    start = time.process_time()
    normal = normal_or_none(url)
    assert time.process_time() - start < 2
    assert normal is None or urls.normalise(normal) == normal
    urls.normal(url, "https://e.org/")
    assert time.process_time() - start < 6


def test_a_host_longer_than_a_name_may_be_is_refused() -> None:
    with pytest.raises(ValueError, match="has no valid host"):
        urls.normalise(f"https://{'é' * 254}.example/")


def test_a_password_before_the_cut_is_masked_though_its_end_is_behind_it() -> None:
    for url in (f"ftp://user:{'secret' * 50}@e.org/", f"https://user:secret{'/' * 100_000}@e.org/"):
        with pytest.raises(ValueError, match=r"\*\*\*@") as refused:
            urls.normalise(url)
        assert "secret" not in str(refused.value)
        assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("a", "'a' is not an absolute http or https URL"),
        ("https://", "'https://' has no valid host and port"),
        ("https://[e.org/", "'https://[e.org/' has no valid host and port"),
        ("https://e.org:99999/", "'https://e.org:99999/' has no valid host and port"),
        ("https://u@e.org/", "'https://***@e.org/' has a user name or a password, which a sitemap must not publish"),
    ],
)
def test_what_is_wrong_with_a_url_is_said_of_its_beginning(url: str, problem: str) -> None:
    with pytest.raises(ValueError, match=r".+") as refused:
        urls.normalise(url)
    assert str(refused.value) == problem


@pytest.mark.parametrize(
    ("url", "base", "normal"),
    [
        ("a", "https://e.org/b/", "https://e.org/b/a"),
        ("https://e.org/%41", "", "https://e.org/A"),
        ("a", "", ""),
        ("mailto:a@e.org", "https://e.org/", ""),
    ],
)
def test_what_has_no_normal_form_is_nothing(url: str, base: str, normal: str) -> None:
    assert urls.normal(url, base) == normal
    assert base or urls.normal(url) == normal


@pytest.mark.parametrize(
    ("text", "encoded"),
    [("/a b/../%7e?q=ü&x", "/a%20b/../~?q=%C3%BC&x"), ("/*.pdf$", "/*.pdf$"), ("/100%", "/100%25")],
)
def test_a_part_of_a_path_has_the_form_that_it_has_in_a_url(text: str, encoded: str) -> None:
    assert urls.encoded_path(text) == encoded
