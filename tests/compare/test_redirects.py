"""Redirects for renamed pages are added to a file that can be the author's work."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base import urls
from smindex_plugins.base.host_rules import HostRules, is_same
from smindex_plugins.base.model import Spot
from smindex_plugins.base.rule_files import parse_rules
from smindex_plugins.base.text import WrongOptionsError
from smindex_plugins.compare.redirects import Additions, RedirectFile, add_redirects, read_redirects

SITE = "https://e.org/"


def add(content: bytes, *renamed: tuple[str, str]) -> Additions:
    rules = HostRules()
    parse_rules(rules, content, "_redirects", Spot("_redirects", "_redirects"))
    return add_redirects(
        RedirectFile("_redirects", content, rules),
        [(SITE + old, SITE + new) for old, new in renamed],
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"/a/ /b/ 301\n"),
        (b"# mine\n\n  /x  /y # kept\n", b"# mine\n\n  /x  /y # kept\n/a/ /b/ 301\n"),
        (b"/x /y", b"/x /y\n/a/ /b/ 301"),
        (b"/x /y\r\n", b"/x /y\r\n/a/ /b/ 301\r\n"),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbf/a/ /b/ 301\n"),
        (b"# gr\xf6\xdfe\n", b"# gr\xf6\xdfe\n/a/ /b/ 301\n"),
        (b"/a/ /x/ 302 Country=de\n", b"/a/ /x/ 302 Country=de\n/a/ /b/ 301\n"),
        (b"/a/ /a 301\n", b"/a/ /a 301\n/a/ /b/ 301\n"),
    ],
)
def test_a_redirect_is_added_and_the_lines_before_it_stay(before: bytes, after: bytes) -> None:
    assert add(before, ("a/", "b/")) == (after, ["/a/ /b/ 301"], [])


@pytest.mark.parametrize(
    "line",
    [
        "/a /b",
        "/a/ /b/ 302",
        "/a/index.html https://e.org/b/ 301!",
        "/:name/ /b/",
        "/* /b 200",
        "%2Fx /y\n/a /b",
    ],
)
def test_a_redirect_that_the_file_has_is_not_added(line: str) -> None:
    content = f"{line}\n".encode()
    assert add(content, ("a/", "b/")) == (content, [], [])


@pytest.mark.parametrize(
    "line", ["/a /x", "/* /index.html 200", "/* /404.html 404", "/:x /", "/a/ /b/ 410", "/a 404"]
)
def test_a_redirect_that_an_earlier_rule_shadows_is_not_added_but_said(line: str) -> None:
    content = f"# mine\n{line}\n".encode()
    added = add(content, ("a/", "b/"))
    assert added[:2] == (content, [])
    problem = "_redirects, line 2: it applies to /a/ first, so no redirect to /b/ is added."
    assert added.obstacles == [f"{problem} Add `/a/ /b/ 301` above it, or remove it."]


def test_a_redirect_into_a_loop_is_not_added_but_said() -> None:
    content = b"/b/ /c/\n/c/ /a/\n"
    problem = "_redirects, line 2: it leads from /b/ back to /a/, so no redirect is added."
    assert add(content, ("a/", "b/")) == (
        content,
        [],
        [f"{problem} Remove it, and run the command again."],
    )


def test_names_with_the_signs_of_placeholders_are_taken_literally() -> None:
    old, new = f"{SITE}a/:name/*/100%25/%253A/", f"{SITE}b/:name/*/"
    added = add(b"", (old.removeprefix(SITE), new.removeprefix(SITE)))
    assert added.lines == ["/a/%3Aname/%2A/100%25/%253A/ /b/%3Aname/%2A/ 301"]
    rules = HostRules()
    parse_rules(rules, added.content, "_redirects", Spot("_redirects"))
    found = rules.redirect(old, has_file=False)
    assert found
    assert found.to == new
    assert rules.redirect(f"{SITE}a/x/y/100%25/%253A/", has_file=False) is None


@pytest.mark.parametrize(
    "content",
    [
        b"[[redirects]]\nfrom = '/a'\n",
        b'{"redirects": []}\n',
        b"User-agent: *\nDisallow: /a\n",
        b"/*\n  X-Robots-Tag: noindex\n",
        b"<html>\n",
        b"\0\xff\n",
        b"# Title\n\nText.\n",
    ],
)
def test_a_file_in_another_format_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(WrongOptionsError, match="file: it is not in the format of _redirects"):
        read_redirects(str(path))
    assert path.read_bytes() == content


def normal(name: str) -> str:
    return urls.normalise(f"{SITE}x{name}").removeprefix(SITE)


PATHS = st.text("abc:*%!é /.", min_size=1, max_size=4).map(normal)
RULES = st.tuples(
    st.one_of(
        PATHS.map(lambda path: f"/{path}"), st.sampled_from(["/*", "/:a", "/xa/*", "/x:b/*"])
    ),
    st.one_of(
        PATHS.map(lambda path: f"/{path}"),
        st.sampled_from(["/", "/:splat", "/x:a", "http://other.example/"]),
    ),
    st.sampled_from(["", "301", "302!", "200", "404", "410", "999"]),
).map(" ".join)
LINES = st.one_of(RULES, st.sampled_from(["", "# mine", "gr\udcf6\udcdfe", "  ", "/only"]))


@given(
    lines=st.lists(LINES, max_size=5),
    end=st.sampled_from(["\n", "\r\n", ""]),
    renamed=st.lists(st.tuples(PATHS, PATHS), max_size=4, unique_by=lambda pair: pair[0]),
)
def test_no_byte_of_the_author_changes_and_each_redirect_works_or_is_explained(
    lines: list[str], end: str, renamed: list[tuple[str, str]]
) -> None:
    before = ((end or "\n").join(lines) + end).encode(errors="surrogateescape")
    added = add(before, *renamed)
    assert added.content.startswith(before)
    again = add(added.content, *renamed)
    assert (again.content, again.lines) == (added.content, [])
    rules = HostRules()
    parse_rules(rules, added.content, "_redirects", Spot("_redirects"))
    explained = " ".join(added.obstacles)
    for old, new in renamed:
        first = rules.first(SITE + old)
        works = first is not None and is_same(first.to, SITE + new)
        assert works or is_same(SITE + old, SITE + new) or f"/{old}" in explained
