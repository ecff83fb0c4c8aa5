"""URLs: one normal form, scope, and the way between URLs and files."""

import string
import time
import traceback
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smindex_plugins.base import urls
from tests.support.planted import write

ODD = "/.%~?#:@&'\"<>[]{}|\\^` \t\n\x00\x7f*+;,=$!()-_aZ09é中\u202e\U0001f600\udc80\ufffe"
WILD_URLS = st.builds(
    "{}://{}{}/{}".format,
    st.sampled_from(["http", "https", "HTTP", "Https"]),
    st.sampled_from(
        ["e.org", "E.ORG", "bücher.example", "127.0.0.1", "[::1]", "xn--bcher-kva.example"]
    ),
    st.sampled_from(["", ":80", ":443", ":8080", ":"]),
    st.text(st.sampled_from(ODD) | st.characters(), max_size=30),
)
FILE_NAMES = st.text(
    st.characters(exclude_characters="/\\\0", codec="utf-8"), min_size=1, max_size=12
).filter(lambda name: name not in {".", ".."})
BASE = "https://e.org/docs/"


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("https://e.org", "https://e.org/"),
        ("HTTPS://E.Org/Path", "https://e.org/Path"),
        ("  https://e.org/a \n", "https://e.org/a"),
        ("https://e.org/a/./b/../c", "https://e.org/a/c"),
        ("https://e.org/../../a", "https://e.org/a"),
        ("https://e.org/a/..", "https://e.org/"),
        ("https://e.org/a/%2E%2e/b", "https://e.org/b"),
        ("https://e.org/a//b/../c", "https://e.org/a//c"),
        ("https://e.org/%7Euser/%41%2d%5F", "https://e.org/~user/A-_"),
        ("https://e.org/%c3%bc%2f%25%2541", "https://e.org/%C3%BC%2F%25%2541"),
        ("https://e.org/100%", "https://e.org/100%25"),
        ("https://e.org/%zz%%41", "https://e.org/%25zz%25A"),
        ("https://e.org/größe/地图", "https://e.org/gr%C3%B6%C3%9Fe/%E5%9C%B0%E5%9B%BE"),
        ('https://e.org/<"[]|^`{}>', "https://e.org/%3C%22%5B%5D%7C%5E%60%7B%7D%3E"),
        ("https://e.org/a?#fragment", "https://e.org/a"),
        ("https://e.org?q=ü&b=%7e/../?", "https://e.org/?q=%C3%BC&b=~/../?"),
        ("http://e.org:80/", "http://e.org/"),
        ("https://e.org:/", "https://e.org/"),
        ("https://e.org:80/", "https://e.org:80/"),
        ("https://Bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://straße.example:8080/", "https://xn--strae-oqa.example:8080/"),
        ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"),
        ("https://e.org/\udcff", "https://e.org/%FF"),
    ],
)
def test_a_url_has_one_normal_form(url: str, normal: str) -> None:
    assert urls.normalise(url) == urls.normalise(normal) == normal


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        *(
            (url, "absolute http or https")
            for url in ("", "/a/b", "//e.org/a", "e.org/a", "?q=1", "file:///etc")
        ),
        *((url, "absolute http or https") for url in ("mailto:a@e.org", "javascript:alert(1)")),
        *(
            (url, "host or port")
            for url in ("https:", "https:///a", "https://:443/", "https:e.org", "https://[::1/")
        ),
        *((f"https://e.org:{port}/", "host or port") for port in ("port", "99999", "-1")),
        *(
            (f"https://{host}/", "host or port")
            for host in ("e org", "e.org\\a", "e%2Eorg", "<e>.org", "e\u2100")
        ),
        *((f"https://{host}.example/", "host or port") for host in ("\u2603\u200d", "é" * 254)),
        ("https://e.org/\ud800", "contains half of a character"),
        *(
            (f"https://{user}@e.org/", "a user name or password")
            for user in ("", "user", "user:secret")
        ),
    ],
)
def test_a_url_that_a_sitemap_cannot_list_is_refused(url: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        urls.normalise(url)
    assert urls.normal(url) == ""


@pytest.mark.parametrize(
    "url",
    [
        *(
            "https://user:secret@e.org/",
            "https://user:se/secret@e.org/",
            "https://user:sec#secret@e.org/",
        ),
        *(
            "https://user:secret@e\u2100.org/",
            "https://user:secret@[e.org/",
            "https://user:secret@e.org:99999/",
        ),
        *(
            "ftp://user:secret@e.org/",
            f"ftp://user:{'secret' * 50}@e.org/",
            f"https://user:secret{'/' * 9_999}@e.org/",
        ),
    ],
)
def test_no_message_repeats_a_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"\*\*\*@") as refused:
        urls.normalise(url)
    assert "secret" not in "".join(traceback.format_exception(refused.value)[1:])
    assert len(str(refused.value)) < 400


@given(WILD_URLS)
@example("https://e.org/%2%35")
@example("https://e.org/a/%2E%2E/.%2e//..")
def test_a_normal_form_is_its_own_and_has_only_characters_of_uris(url: str) -> None:
    try:
        normal = urls.normalise(url)
    except ValueError:
        return
    assert urls.normalise(normal) == normal
    assert set(normal) <= set(string.ascii_letters + string.digits + "-._~:/?[]@!$&'()*+,;=%")


@pytest.mark.parametrize("filling", ["a", "../", "%41", "%", "é", "@", "//:x", "["])
def test_a_long_url_takes_no_time(filling: str) -> None:
    started = time.process_time()
    for form in (
        "https://{}/",
        "https://u:{}@e.org/",
        "https://e.org/{}",
        "https://e.org/?{}",
        "{}",
    ):
        urls.normal(form.format(filling * (200_000 // len(filling))), "https://e.org/")
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    ("base", "reference", "resolved"),
    [
        (BASE, "guide/", f"{BASE}guide/"),
        (BASE, "", BASE),
        (BASE, "//f.org/b/", "https://f.org/b/"),
        (f"{BASE}x", "y#part", f"{BASE}y"),
        (BASE, "%2e%2e/x", "https://e.org/x"),
        (BASE, "?q=1", f"{BASE}?q=1"),
        (BASE, "mailto:a@e.org", ""),
        (BASE, "https://u@e.org/", ""),
        (BASE, "https://e.org/a;", "https://e.org/a;"),
        ("", "a", ""),
    ],
)
def test_a_reference_is_resolved_and_normalised(base: str, reference: str, resolved: str) -> None:
    assert urls.normal(reference, base) == resolved


def test_the_parts_of_a_url() -> None:
    url, origin = "http://[::1]:80/a/b?to=https://f.org/c", "http://[::1]:80"
    assert (urls.origin(url), urls.directory(url)) == (origin, f"{origin}/a/")
    assert urls.path(url) == "/a/b?to=https://f.org/c"


@pytest.mark.parametrize(
    ("url", "below"),
    [
        ("https://e.org/catalog/", ""),
        ("https://e.org/catalog/a%20b.html?c/d", "a%20b.html"),
        ("https://E.org:443/a/../%63atalog/%61", "a"),
        ("https://e.org/catalogue/", None),
        ("https://e.org/catalog", None),
        ("https://e.org/Catalog/", None),
        ("https://e.org//catalog/a", None),
        ("https://e.org/catalog%2Fa", None),
        ("http://e.org/catalog/a", None),
        ("https://e.org.evil.example/catalog/a", None),
    ],
)
def test_a_url_is_within_a_directory_only_below_its_slash(url: str, below: str | None) -> None:
    url, scope = urls.normalise(url), "https://e.org/catalog/"
    assert (urls.relative_path(url, scope) if urls.is_within(url, scope) else None) == below


@pytest.mark.parametrize(
    ("encoded", "path"),
    [
        ("", ""),
        ("guide/sitemap.xml", "guide/sitemap.xml"),
        ("gr%C3%B6%C3%9Fe/a%20b/", "größe/a b/"),
        ("100%25", "100%"),
        ("%FF", "\udcff"),
        (".../.hidden", ".../.hidden"),
        *(
            (path, None)
            for path in (
                "a%2Fb",
                "a%5Cb",
                "a%00b",
                ".",
                "..",
                "a/../b",
                "a/%2E%2E/b",
                "/etc",
                "a//b",
            )
        ),
    ],
)
def test_a_path_has_a_file_only_if_it_means_one_place(encoded: str, path: str | None) -> None:
    assert urls.file_path(encoded) == path


@given(st.lists(FILE_NAMES, min_size=1, max_size=4).map("/".join))
@example("caf\udce9.html")
def test_a_file_comes_back_from_its_url_which_is_normal(path: str) -> None:
    encoded = urls.from_file_path(path)
    assert urls.file_path(encoded) == path
    assert urls.normalise(f"https://e.org/{encoded}") == f"https://e.org/{encoded}"


@given(st.from_regex(r"/([A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2}|[%é])*", fullmatch=True))
@example("/caf%C3%A9%20%2F/")
@example("/a%2Db")
@example("/%2E%2E/a")
@example("/%2e%41%aF")
def test_a_url_that_is_not_changed_is_normal(path: str) -> None:
    url = f"https://e.org{path}"
    # no short way for one with a fragment
    assert urls.normalise(url) == urls.normalise(f"{url}#")


def test_a_page_is_at_the_path_of_its_file_and_an_index_at_its_directory() -> None:
    files = [
        "index.html",
        "a/b/index.html",
        "a/myindex.html",
        "größe/100%.html",
        "a'(b)&c,d;e=f@g:h!$*+~.html",
    ]
    paths = [
        "",
        "a/b/",
        "a/myindex.html",
        "gr%C3%B6%C3%9Fe/100%25.html",
        "a'(b)&c,d;e=f@g:h!$*+~.html",
    ]
    assert [urls.page_path(file) for file in files] == paths


@pytest.mark.parametrize(
    ("url", "file"),
    [
        (BASE, "index.html"),
        (f"{BASE}a", "a.html"),
        (f"{BASE}a/", "a.html"),
        (f"{BASE}a.html?q=/b/", "a.html"),
        (f"{BASE}b/", "b/index.html"),
        (f"{BASE}c/", "c/index.htm"),
        (f"{BASE}gr%C3%B6%C3%9Fe%201", "größe 1.html"),
        *((BASE + path, None) for path in ("none", "x/d.xml", "b%2Findex.html", "x/../d.xml")),
    ],
)
def test_a_page_has_the_file_that_a_server_sends(
    tmp_path: Path, url: str, file: str | None
) -> None:
    names = ("index.html", "a.html", "b/index.html", "c/index.htm", "d.xml", "größe 1.html")
    write(tmp_path, dict.fromkeys(names, "x"))
    assert urls.find_file(str(tmp_path), BASE, url, urls.answering_files) == file


@pytest.mark.parametrize("base", ["", BASE])
@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("d.xml?v=2", "d.xml"),
        ("x/deep/er/e.xml", "deep/er/e.xml"),
        ("x/er/d.xml", "er/d.xml"),  # the longest end
        ("a%2Fb/deep/er/e.xml", "deep/er/e.xml"),
        ("gr%C3%B6%C3%9Fe%201.html", "größe 1.html"),
        *(
            (path, None)
            for path in (
                "",
                "e.xml",
                "d.xml/",
                "x%2Fy",
                "x?to=https://g.org/d.xml",
                "deep//er/e.xml",
            )
        ),
        ("deep/%2E%2E/er/e.xml", None),
    ],
)
def test_the_end_of_a_path_elsewhere_may_be_the_file(
    tmp_path: Path, base: str, path: str, file: str | None
) -> None:
    write(tmp_path, dict.fromkeys(("d.xml", "er/d.xml", "größe 1.html", "deep/er/e.xml"), "x"))
    assert urls.find_file(str(tmp_path), base, f"https://f.org/{path}") == file
    assert urls.find_file(str(tmp_path), base, f"https://f.org/{'a/' * 50_000}{path}") is None, (
        "too long for a URL"
    )


@pytest.mark.parametrize(
    ("url", "escape"),
    [
        *(
            (f"{BASE}a{escape}b", escape)
            for escape in ("%00", "%0A", "%1F", "%7F", "%C2%85", "%E2%80%A9")
        ),
        *(
            (f"{BASE}a%20b%C3%A9%E4%B8%80{escape}", "")
            for escape in ("%25", "%C2%A0", "%E2%80%94", "?q=%0A")
        ),
    ],
)
def test_a_control_character_in_a_path_is_recognised(url: str, escape: str) -> None:
    assert urls.control_character(urls.normalise(url)) == escape


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *(
            (path, True)
            for path in ("404", "404/", "404.html", "404.htm", "404/index.html", "a/b/404.html")
        ),
        *((path, True) for path in ("de/404/", "pt-br/404/index.html", "zh_CN/404", "200.html")),
        *(
            (path, False)
            for path in (
                "",
                "a404.html",
                "a404/index.html",
                "404/a.html",
                "errors/404/",
                "errors/404",
            )
        ),
        *((path, False) for path in ("200/", "http/200.html", "api/404/")),
    ],
)
def test_an_error_page_is_recognised_by_its_path(path: str, *, expected: bool) -> None:
    assert urls.is_error_page(path) is expected
