"""From URLs to the files that servers answer with, and from files to the URLs at which they are shown."""

from pathlib import Path

import pytest

from smindex_plugins import urls

BASE = "https://e.org/docs/"


@pytest.fixture
def site(tmp_path: Path) -> str:
    for name in ("index.html", "a.html", "b/index.html", "c/index.htm", "d.xml", "größe 1.html", "deep/er/e.xml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return str(tmp_path)


@pytest.mark.parametrize(
    ("path", "files"),
    [
        ("", ("index.html", "index.htm", ".html")),
        ("a/", ("a/index.html", "a/index.htm", "a.html")),
        ("X/", ("X/index.html", "X/index.htm", "X.html")),
        ("a", ("a", "a.html", "a/index.html", "a/index.htm")),
        ("a/b.html", ("a/b.html", "a/b.html.html", "a/b.html/index.html", "a/b.html/index.htm")),
    ],
)
def test_servers_answer_for_a_path_with_the_first_of_these_files(path: str, files: tuple[str, ...]) -> None:
    assert urls.answering_files(path) == files


@pytest.mark.parametrize(
    ("url", "file"),
    [
        (BASE, "index.html"),
        (f"{BASE}a", "a.html"),
        (f"{BASE}a.html?q=/b/", "a.html"),
        (f"{BASE}b/", "b/index.html"),
        (f"{BASE}b", "b/index.html"),
        (f"{BASE}c", "c/index.htm"),
        (f"{BASE}c/", "c/index.htm"),
        (f"{BASE}gr%C3%B6%C3%9Fe%201", "größe 1.html"),
        (f"{BASE}none", None),
        (f"{BASE}x/d.xml", None),  # what is here is looked for where it is
        (f"{BASE}b%2Findex.html", None),
        (f"{BASE}x/../d.xml", None),
    ],
)
def test_a_page_of_the_site_has_the_file_that_a_server_answers_with(site: str, url: str, file: str | None) -> None:
    assert urls.find_file(site, BASE, url, urls.answering_files) == file


@pytest.mark.parametrize("base", ["", BASE])
@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("https://f.org/d.xml", "d.xml"),
        ("https://f.org/docs/v1/d.xml", "d.xml"),
        ("https://f.org/d.xml?v=2", "d.xml"),
        ("https://f.org/x?to=https://g.org/d.xml", None),
        ("https://f.org/a://d.xml", "d.xml"),
        ("https://f.org/x/deep/er/e.xml", "deep/er/e.xml"),
        ("https://f.org/gr%C3%B6%C3%9Fe%201.html", "größe 1.html"),
        ("https://f.org/a%2Fb/deep/er/e.xml", "deep/er/e.xml"),
        ("https://f.org/x//deep/er/e.xml", "deep/er/e.xml"),
        ("https://f.org/deep//er/e.xml", None),
        ("https://f.org/deep/%2E%2E/er/e.xml", None),
        ("https://f.org/a%2Fb/d.xml?https://g.org/", "d.xml"),
        ("https://f.org/d.xml/", None),
        ("https://f.org/e.xml", None),
        ("https://f.org/", None),
        ("https://f.org/x%2Fy", None),
    ],
)
def test_of_a_url_elsewhere_any_end_of_its_path_may_be_the_file(
    site: str, base: str, url: str, file: str | None
) -> None:
    assert urls.find_file(site, base, url) == file


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://f.org/a/b", ["a/b", "b", ""]),
        ("https://f.org/a/b/", ["a/b/", "b/", ""]),
        ("https://f.org/a//b", ["b", ""]),
        ("https://f.org//", [""]),
        ("https://f.org/%2F", [""]),
        ("https://f.org/", [""]),
        ("https://f.org/a%2Fb/c/d", ["c/d", "d", ""]),
    ],
)
def test_the_longest_end_is_looked_for_first_and_the_empty_one_last(tmp_path: Path, url: str, asked: list[str]) -> None:
    looked_for: list[str] = []

    def names(path: str) -> tuple[str, ...]:
        looked_for.append(path)
        return ()

    assert urls.find_file(str(tmp_path), BASE, url, names) is None
    assert looked_for == asked


def test_no_end_is_looked_for_that_is_longer_than_a_url_may_be(tmp_path: Path) -> None:
    assert urls.find_file(str(tmp_path), BASE, "https://f.org/" + "a/" * 1_000_000 + "b") is None


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("index.html", ""),
        ("a/index.html", "a/"),
        ("a/b/index.html", "a/b/"),
        ("a/b.html", "a/b.html"),
        ("a/myindex.html", "a/myindex.html"),
        ("größe/100%.html", "gr%C3%B6%C3%9Fe/100%25.html"),
        ("a'(b)&c,d;e=f@g:h!$*+~.html", "a'(b)&c,d;e=f@g:h!$*+~.html"),
    ],
)
def test_a_file_is_shown_at_its_path_and_an_index_at_its_directory(file: str, path: str) -> None:
    assert urls.page_path(file) == path
