"""Patterns of URL paths and of files."""

import os
from pathlib import Path

import pytest

from smindex_plugins.base import patterns
from tests.support.planted import write


@pytest.mark.parametrize(
    ("pattern", "matched", "unmatched"),
    [
        ("drafts/", ["drafts/", "drafts/a/b.html"], ["drafts", "drafts-old/a", "old/drafts/a"]),
        ("/drafts/", ["drafts/a"], ["old/drafts/a"]),
        ("tags/*.html", ["tags/a.html"], ["tags/a/b.html", "tags/aXhtml"]),
        ("*/private/", ["a/private/b"], ["a/b/private/c"]),
        ("**/private/", ["private/c", "a/b/private/c"], ["a/unprivate/c"]),
        ("a**/b", ["ac/d/b"], ["ab"]),
        ("a/**/b", ["a/b", "a/c/d/b"], ["ab", "a/cb"]),
        ("page?/", ["page1/"], ["page/", "page10/"]),
        ("gr%C3%B6%C3%9Fe/", ["gr%C3%B6%C3%9Fe/a"], []),
        ("[ab]/", ["%5Bab%5D/"], ["a/"]),
        ("api/index.html", ["api/", "api/index.html"], ["api/a/"]),
        ("/index.html", ["", "index.html"], ["a/"]),
        ("**/index.html", ["a/index.html"], ["a/"]),
    ],
)
def test_a_pattern_matches_the_whole_decoded_path(
    pattern: str, matched: list[str], unmatched: list[str]
) -> None:
    assert [
        path for path in matched + unmatched if patterns.matches(path, (pattern,)) == pattern
    ] == matched


@pytest.mark.parametrize("path", ["", "blog/", "about", "team.html", "gr%C3%B6%C3%9Fe/"])
def test_an_exact_pattern_matches_one_page_and_none_below(path: str) -> None:
    pattern = patterns.exact(path)
    assert patterns.matches(path, (pattern,))
    assert not patterns.matches(f"{path}a/", (pattern,))


def test_the_first_of_several_patterns_that_matches_is_named() -> None:
    assert patterns.matches("b/", ("a/", "?/", "b/")) == "?/"
    assert patterns.matches("b/", ()) is None


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.md", ["a.md"]),
        ("[ab]*", ["[ab]"]),
        ("d/", ["d/b.md", "d/e/c.md", "d/x.txt"]),
        ("*/*.md", ["d/b.md", "link/b.md"]),
        ("*/e/*", ["d/e/c.md", "link/e/c.md"]),
        (".h/*", [".h/x.md"]),
        *((pattern, []) for pattern in ("d", "d*", "none/*", "**/none", "*/*/*/none")),
    ],
)
def test_a_pattern_finds_files_and_two_asterisks_follow_no_links(
    tmp_path: Path, pattern: str, found: list[str]
) -> None:
    write(
        tmp_path, dict.fromkeys(("a.md", "[ab]", "d/b.md", "d/x.txt", "d/e/c.md", ".h/x.md"), "x")
    )
    for name, target in {"link": "d", "loop": "loop", "d/up": ".."}.items():
        (tmp_path / name).symlink_to(target)
    assert [
        os.path.relpath(path, tmp_path) for path in patterns.find_files(str(tmp_path), pattern)
    ] == found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((value, True) for value in ("a.md", "data/*.yml", "b/..c", "d e.md")),
        *(
            (value, False)
            for value in ("", " ", "/b", "../c", "d/../e", "C:/f", "g\\h", "a\0", 5, ["a"])
        ),
    ],
)
def test_a_pattern_of_files_stays_in_the_repository(value: object, *, expected: bool) -> None:
    assert patterns.is_file_pattern(value) is expected
