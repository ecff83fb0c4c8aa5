"""Which files that are no pages are listed."""

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.model import Page
from smindex_plugins.pipeline import publish
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site
from tests.support.listed import sitemaps
from tests.support.planted import urlset, write

BASE = "https://e.org/"
PAGE = "<!doctype html><title>A</title><p>Text"
NOINDEX = '<meta name="robots" content="noindex">'


def run(directory: Path, files: dict[str, str | bytes], **settings: object) -> Report:
    write(directory, {"index.html": PAGE, **files})
    home = Page(url=BASE, file=str(directory / "index.html"))
    options = Settings.load({"lastmod": "off", **settings})
    return publish([home], Site(url=BASE, directory=str(directory), settings=options))


def listed(directory: Path) -> list[str]:
    found = sitemaps(directory, BASE, ["sitemap_index.xml"])
    return sorted(page.url.removeprefix(BASE) for sitemap in found for page in sitemap.pages)


def test_nothing_but_what_a_pattern_names_is_listed_and_no_html_twice(tmp_path: Path) -> None:
    files = dict.fromkeys(["a.pdf", "b/c d.pdf", "b/e.txt", "f.html", "b/G.HTM"], PAGE)
    run(tmp_path, {**files}, include=["**/*.pdf", "**/*.html", "**/*.HTM"])
    assert listed(tmp_path) == ["", "a.pdf", "b/c%20d.pdf"]


def test_what_crawlers_are_to_read_hidden_files_and_other_sites_are_never_listed(tmp_path: Path) -> None:
    sitemap = urlset(BASE)
    files: dict[str, str | bytes] = {
        "sitemap.xml": sitemap,
        "sitemap.xml.gz": gzip.compress(sitemap.encode()),
        "old/pages.xml": sitemap,
        "robots.txt": "User-agent: *\n",
        ".well-known/security.txt": "text",
        ".hidden": "text",
        "other/sitemap_index.xml": sitemap,
        "other/a.pdf": "text",
        "feed.xml": "<feed/>",
        "damaged.xml.gz": b"no gzip",
    }
    for _ in range(2):  # the second time, there are our own sitemaps too
        run(tmp_path, files, include=["**"])
        assert listed(tmp_path) == ["", "damaged.xml.gz", "feed.xml"]


def test_the_content_of_such_a_file_says_nothing_about_sitemaps(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.txt": NOINDEX, "b.txt": "", "c.csv": "<img src=a.png>"}
    run(tmp_path, {**files}, include=["*.txt", "*.csv"], images=True)
    assert listed(tmp_path) == ["", "a.txt", "b.txt", "c.csv"]
    assert b"image:loc" not in (tmp_path / "sitemap-root.xml").read_bytes()


def test_exclude_and_a_function_of_the_users_keep_such_files_out_too(tmp_path: Path) -> None:
    def keep(page: Page) -> Page | None:
        return None if page.url.endswith("b.pdf") else page

    files: dict[str, str | bytes] = dict.fromkeys(["a.pdf", "b.pdf", "c.pdf"], "text")
    report = run(tmp_path, files, include=["*.pdf"], exclude=["a.pdf"], filter=keep)
    assert listed(tmp_path) == ["", "c.pdf"]
    assert [each.reason for each in report.omitted] == ["excluded by the settings", "left out by filter"]
    assert report.findings == []


@pytest.mark.parametrize(
    ("pattern", "fix"),
    [
        ("*.html", "Pages are listed without it. Remove it."),
        ("guide/*.PDF", "Patterns are paths below "),
        ("guides/", "Did you mean `guide/`?"),
        ("*.epub", "Patterns are paths below https://e.org/, such as `guide/`, "),
    ],
)
def test_a_pattern_that_matches_no_such_file_is_a_warning(tmp_path: Path, pattern: str, fix: str) -> None:
    report = run(tmp_path, {"guide/a.pdf": "text"}, include=[pattern, "guide/*.pdf"])
    (finding,) = report.findings
    assert (finding.check, finding.where) == ("unmatched-pattern", "include[0]")
    assert fix in finding.fix


def test_a_link_to_a_file_is_listed_and_a_broken_one_and_a_directory_are_not(tmp_path: Path) -> None:
    (tmp_path / "b.pdf").symlink_to("a.pdf")
    (tmp_path / "c.pdf").symlink_to("missing.pdf")
    (tmp_path / "d.pdf").mkdir()
    run(tmp_path, {"a.pdf": "text"}, include=["**/*.pdf"])
    assert listed(tmp_path) == ["", "a.pdf", "b.pdf"]


NAMES = st.sampled_from(
    ["a.pdf", "b/a.pdf", "b/c/ü.pdf", "b.txt", "index.html", "b/index.html", ".x.pdf", "sitemap.pdf"]
)
PATTERNS = st.sampled_from(["**", "*.pdf", "**/*.pdf", "b/", "b/*", "sitemap*", "*.html"])


@given(names=st.sets(NAMES), include=st.lists(PATTERNS, unique=True), exclude=st.lists(PATTERNS, unique=True))
def test_every_file_is_listed_once_or_counted_and_another_run_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, names: set[str], include: list[str], exclude: list[str]
) -> None:
    directory = tmp_path_factory.mktemp("site")
    first = run(directory, dict.fromkeys(names, PAGE), include=include, exclude=exclude)
    found = listed(directory) if first.index_urls else []
    assert len(found) == len(set(found)) == first.pages
    assert not any(path.endswith((".html", ".xml", ".x.pdf")) for path in found)
    again = run(directory, {}, include=include, exclude=exclude)
    assert (again.pages, len(again.omitted)) == (first.pages, len(first.omitted))
    assert again.changes.written == []


def test_a_directory_that_cannot_be_read_is_an_error_and_the_other_files_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)  # root may read everything
    report = run(tmp_path, {"a.pdf": "text", "closed/b.pdf": "text"}, include=["**/*.pdf"])
    assert listed(tmp_path) == ["", "a.pdf"]
    (finding,) = report.findings
    assert (finding.check, finding.level, finding.where) == ("unreadable-directory", "error", "closed/")
