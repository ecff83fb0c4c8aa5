"""A file as a page, at the URL that Pelican declares: a server maps one to the other, or finds the file by itself."""

import pytest

from smindex_plugins.hosts.pelican_pages import Run
from smindex_plugins.settings import Site

BASE = "https://e.org/docs/"


def run() -> Run:
    return Run(None, {}, Site(url=BASE, directory="/site"), [])


@pytest.mark.parametrize(
    ("name", "declared", "url", "mapped"),
    [
        ("index.html", None, BASE, False),
        ("a/index.html", None, f"{BASE}a/", False),
        ("a.html", None, f"{BASE}a.html", False),
        ("myindex.html", None, f"{BASE}myindex.html", False),
        ("größe 1.html", None, f"{BASE}gr%C3%B6%C3%9Fe%201.html", False),
        ("a.html", "", f"{BASE}a.html", False),
        ("a.html", "a.html", f"{BASE}a.html", False),
        ("a.html", "//a.html", f"{BASE}a.html", False),
        ("a.html", "a", f"{BASE}a", False),
        ("a.html", "a/", f"{BASE}a/", False),
        ("a/index.html", "a/index.html", f"{BASE}a/", False),
        ("a/index.html", "a", f"{BASE}a", False),
        ("v1.2/b.html", "v1.2/b", f"{BASE}v1.2/b", False),
        ("X/index.html", "X", f"{BASE}X", False),
        ("X.html", "/X.html", f"{BASE}X.html", False),
        ("a.html", "b/", f"{BASE}b/", True),
        ("a.html", "../a.html", "https://e.org/a.html", True),
        ("feed.xml", "feed", f"{BASE}feed", True),
        ("feed.xml", "feed.xml", f"{BASE}feed.xml", False),
    ],
)
def test_a_page_is_at_its_declared_url_and_mapped_if_no_server_finds_its_file_there(
    name: str,
    declared: str | None,
    url: str,
    mapped: bool,  # noqa: FBT001 - a table's column
) -> None:
    page = run().page(name, declared, sources=("/src/a.md",), source_name="a.md")
    assert (page.url, page.mapped) == (url, mapped)
    assert (page.file, page.sources, page.source_name) == (f"/site/{name}", ("/src/a.md",), "a.md")


def test_a_url_that_is_too_long_is_kept_for_the_finding_about_its_length() -> None:
    declared = "a" * 40_000
    assert run().page("a.html", declared).url == BASE + declared
