"""HTML in the output that is of no page: counted, judged as a search engine would, and named where it could be one."""

import os
from pathlib import Path

import pytest

from smindex_plugins.model import Page
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site

BASE = "https://e.org/docs/"
WHOLE = "<!doctype html><html><head><title>A</title></head><body>Text</body></html>"


def write(directory: Path, *paths: str, content: str = WHOLE) -> None:
    for path in paths:
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(content, encoding="utf-8")


def build(directory: Path, *others: str, **settings: object) -> Report:
    """Publish a site whose only page is its home page."""
    write(directory, "index.html")
    return publish(
        [Page(url=BASE, file=str(directory / "index.html"))],
        Site(url=BASE, directory=str(directory), settings=Settings.load({"lastmod": "off", **settings})),
        Host(others=[str(directory / path) for path in others]),
    )


def reasons(report: Report) -> dict[str, str]:
    return {omission.where: str(omission.reason) for omission in report.omitted}


def told(report: Report) -> list[str]:
    return [str(finding) for finding in report.findings if finding.check == "stray-pages"]


def test_every_file_that_is_of_no_page_is_counted_and_one_notice_names_the_directories(tmp_path: Path) -> None:
    write(tmp_path, *(f"{language}/{page}/index.html" for language in ("en", "ja") for page in "abc"), "en/index.html")
    write(tmp_path, "swagger.html")
    report = build(tmp_path)
    assert report.pages == 1
    assert set(reasons(report).values()) == {"in the output and of no page"}
    assert len(report.omitted) == 8
    (notice,) = told(report)
    assert notice.startswith("8 HTML files in the output: they belong to no page of the build: en/ (4), ja/ (3), / (1)")
    assert [finding.level for finding in report.findings if finding.check == "stray-pages"] == ["notice"]


def test_of_many_directories_the_largest_are_named(tmp_path: Path) -> None:
    write(tmp_path, *(f"d{number}/{page}.html" for number in range(9) for page in range(number + 1)))
    (notice,) = told(build(tmp_path))
    assert "d8/ (9), d7/ (8), d6/ (7), d5/ (6), d4/ (5), 4 other places, for example d0/0.html." in notice


def test_a_file_is_left_out_as_a_copied_page_would_be_and_then_there_is_nothing_to_say(tmp_path: Path) -> None:
    head = "<!doctype html><html><head>{}</head><body>Text</body></html>"
    write(tmp_path, "a.html", content=head.format('<meta name="robots" content="noindex">'))
    write(tmp_path, "b.html", content=head.format('<meta http-equiv="refresh" content="0; url=/docs/">'))
    write(tmp_path, "c.html", content=head.format(f'<link rel="canonical" href="{BASE}">'))
    write(tmp_path, "d.html", content="<div>part of a page</div>")
    write(tmp_path, "e.html", content="")
    write(tmp_path, "404.html")
    write(tmp_path, "drafts/f.html")
    report = build(tmp_path, exclude=["drafts/"])
    assert reasons(report) == {
        "404.html": "shown for errors",
        "a.html": "marked noindex",
        "b.html": "redirecting elsewhere",
        "c.html": "with another canonical URL",
        "d.html": "without an HTML document",
        "drafts/f.html": "excluded by the settings",
        "e.html": "without content",
    }
    assert report.findings == []


def test_a_canonical_url_elsewhere_is_nothing_that_the_build_could_mend(tmp_path: Path) -> None:
    link = '<link rel="canonical" href="https://other.example/a">'
    write(tmp_path, "api/a.html", content=f"<!doctype html><html><head>{link}</head><body>Text</body></html>")
    assert build(tmp_path).findings == []


@pytest.mark.parametrize("name", ["a.html", "a.htm", "a.xhtml", "A.HTML", "größe & x.html", "b/c/d/index.html"])
def test_files_of_every_name_of_html_count(tmp_path: Path, name: str) -> None:
    write(tmp_path, name)
    assert list(reasons(build(tmp_path))) == [name]


def test_what_servers_hide_and_what_is_no_html_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, ".git/a.html", ".a.html", "b.xml", "c.js", "d.html.in")
    (tmp_path / "e.html").mkdir()
    (tmp_path / "gone.html").symlink_to("nowhere.html")
    assert build(tmp_path).omitted == []


def test_files_that_the_host_knows_do_not_count(tmp_path: Path) -> None:
    write(tmp_path, "de/index.html", "en/index.html")
    assert list(reasons(build(tmp_path, "de/index.html"))) == ["en/index.html"]


@pytest.mark.parametrize("index", ["sitemap_index.xml", "own.xml"])
def test_a_site_with_an_index_of_its_own_lists_its_pages_itself(tmp_path: Path, index: str) -> None:
    write(tmp_path, "other/index.html", "other/a/index.html", f"other/{index}", "mine/index.html")
    assert list(reasons(build(tmp_path, index_filename="own.xml"))) == ["mine/index.html"]


def test_links_make_no_loop_and_a_directory_that_cannot_be_read_is_no_failure(tmp_path: Path) -> None:
    write(tmp_path, "a/b.html")
    (tmp_path / "a/again").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "closed").mkdir(mode=0)
    assert list(reasons(build(tmp_path))) == ["a/b.html"]


def test_whoever_hands_over_some_pages_of_a_directory_hears_nothing_of_the_others(tmp_path: Path) -> None:
    write(tmp_path, "index.html", "a.html")
    report = publish([Page(url=BASE)], Site(url=BASE, directory=str(tmp_path), settings=Settings(lastmod="off")))
    assert (report.omitted, report.findings) == ([], [])


def test_a_relative_directory_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "index.html", "a.html")
    report = publish(
        [Page(url=BASE, file="./index.html")],
        Site(url=BASE, directory=".", settings=Settings(lastmod="off")),
        Host(others=()),
    )
    assert list(reasons(report)) == ["a.html"]
