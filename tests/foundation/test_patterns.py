"""Patterns of URL paths: what each meets."""

import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smindex_plugins import patterns
from tests.support.planted import write


@pytest.mark.parametrize(
    ("pattern", "path", "met"),
    [
        ("drafts/", "drafts/", True),
        ("drafts/", "drafts/a/b.html", True),
        ("drafts/", "drafts", False),
        ("drafts/", "drafts-old/a", False),
        ("drafts/", "old/drafts/a", False),
        ("/drafts/", "drafts/a", True),
        ("drafts", "drafts", True),
        ("drafts", "drafts/", False),
        ("tags/*.html", "tags/a.html", True),
        ("tags/*.html", "tags/a/b.html", False),
        ("tags/*.html", "tags/aXhtml", False),
        ("*/private/", "a/private/b", True),
        ("*/private/", "a/b/private/c", False),
        ("**/private/", "private/c", True),
        ("**/private/", "a/b/private/c", True),
        ("**/private/", "a/unprivate/c", False),
        ("a**/b", "ac/d/b", True),
        ("a**/b", "ab", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/c/d/b", True),
        ("a/**", "a/", True),
        ("a/**", "a/b/c", True),
        ("page?/", "page1/", True),
        ("page?/", "page/", False),
        ("page?/", "page10/", False),
        ("a?b", "a/b", False),
        ("größe/", "gr%C3%B6%C3%9Fe/a", True),
        ("gr%C3%B6%C3%9Fe/", "gr%C3%B6%C3%9Fe/a", True),
        ("a b/", "a%20b/", True),
        ("[ab]/", "a/", False),
        ("[ab]/", "%5Bab%5D/", True),
        ("api/index.html", "api/", True),
        ("api/index.html", "api/index.html", True),
        ("api/index.html", "api/a/", False),
        ("index.html", "", True),
        ("/index.html", "", True),
        ("index.html", "a/", False),
        ("my-index.html", "my-", False),
        ("**/index.html", "a/", False),
        ("**", "", True),
        ("*", "a/b", False),
    ],
)
def test_a_pattern_meets_the_whole_decoded_path(pattern: str, path: str, met: bool) -> None:  # noqa: FBT001 - a table's column
    assert bool(patterns.matches(path, (pattern,))) is met


def test_one_pattern_of_several_is_enough_and_none_meets_nothing() -> None:
    assert patterns.matches("b/", ("a/", "b/"))
    assert not patterns.matches("b/", ())
    assert patterns.matches("b/", ("a/", "?/", "b/")) == "?/"


def _plainly(pattern: str) -> re.Pattern[str]:
    """Return what the signs of a pattern say, however long it takes."""
    pattern += "**" * pattern.endswith("/")
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"((?<![^/])\*\*/|\*\*|\*|\?)", pattern)
    return re.compile("".join(wild.get(piece, re.escape(piece)) for piece in pieces), re.DOTALL)


@settings(max_examples=1_000, deadline=None)
@given(st.text("ab/*?", min_size=1, max_size=9), st.text("ab/", max_size=9))
def test_signs_mean_what_they_say_wherever_they_stand(pattern: str, path: str) -> None:
    pattern = pattern.lstrip("/")
    assert bool(patterns.expression(pattern).fullmatch(path)) == bool(_plainly(pattern).fullmatch(path))


def find(root: Path, pattern: str) -> list[str]:
    """Return what a pattern finds, relative to the directory."""
    return [os.path.relpath(name, root) for name in patterns.find_files(str(root), pattern)]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.md", ["a.md"]),
        ("?.md", ["a.md"]),
        ("[ab]", ["[ab]"]),
        ("[ab]*", ["[ab]"]),
        ("**/*.md", ["a.md", "d/b.md", "d/e/c.md"]),
        ("**", ["[ab]", "a.md", "d/b.md", "d/e/c.md", "d/x.txt"]),
        ("d/", ["d/b.md", "d/e/c.md", "d/x.txt"]),
        ("d/**/c.md", ["d/e/c.md"]),
        ("d/**/*.md", ["d/b.md", "d/e/c.md"]),
        ("*/*.md", ["d/b.md"]),
        ("*/e/*", ["d/e/c.md"]),
        ("d", []),
        ("none/*", []),
        (".*/x.md", [".h/x.md"]),
        (".h/*", [".h/x.md"]),
        ("d*", []),
        ("*/", ["d/b.md", "d/e/c.md", "d/x.txt"]),
    ],
)
def test_a_pattern_finds_the_files_that_it_names(tmp_path: Path, pattern: str, found: list[str]) -> None:
    write(tmp_path, dict.fromkeys(("a.md", "[ab]", "d/b.md", "d/x.txt", "d/e/c.md", ".h/x.md"), "x"))
    assert find(tmp_path, pattern) == found


@pytest.mark.parametrize("pattern", ["**/x", "**/*/**/*/x", "*/*/*/x"])
def test_links_that_lead_back_multiply_no_work(tmp_path: Path, pattern: str) -> None:
    for name in "abc":
        (tmp_path / name).symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    started = time.process_time()
    assert find(tmp_path, pattern) == []
    assert time.process_time() - started < 3


def test_two_asterisks_follow_no_links_to_directories(tmp_path: Path) -> None:
    write(tmp_path, {"site/a/d/x.md": "x", "out/y.md": "y"})
    (tmp_path / "site/0").symlink_to("a")
    (tmp_path / "site/b").symlink_to(tmp_path / "out")
    assert find(tmp_path / "site", "**/*.md") == ["a/d/x.md"]
    assert find(tmp_path / "site", "*/*.md") == ["b/y.md"]
    assert find(tmp_path / "site", "0/*/*.md") == ["0/d/x.md"]
