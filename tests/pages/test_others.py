"""Files of the output that are not pages of the build: included ones are listed, and stray HTML is
counted.
"""

import os
from pathlib import Path

import pytest

from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.build import Host, publish
from smindex_plugins.report import Report
from tests.support.listed import listed
from tests.support.planted import urlset, write

BASE = "https://e.org/docs/"
PAGE = "<!doctype html><html><head><title>A</title>{}</head><body>Text</body></html>"


def build(
    directory: Path, *paths: str, others: list[str] | None = None, **settings: object
) -> Report:
    """Publish a site whose only page is its home page, with other files in its directory."""
    write(directory, dict.fromkeys(["index.html", *paths], PAGE))
    return publish(
        [Page(url=BASE, file=str(directory / "index.html"))],
        Site(
            url=BASE,
            directory=str(directory),
            settings=Settings.load({"lastmod": "off", **settings}),
        ),
        Host(others=None if others is None else [str(directory / path) for path in others]),
    )


def reasons(report: Report) -> dict[str, str]:
    return {omission.where: str(omission.reason) for omission in report.omitted}


@pytest.mark.parametrize(
    ("include", "files"),
    [
        (["**/*.pdf"], ["a.pdf", "b/c%20d.pdf"]),
        (["**/*.html", "b/*.txt"], ["b/e.txt"]),
        (["**"], ["a.pdf", "b/c%20d.pdf", "b/e.txt", "damaged.xml.gz", "feed.xml", "link.txt"]),
    ],
)
def test_included_files_are_listed_but_no_html_sitemaps_hidden_files_or_other_sites(
    tmp_path: Path, include: list[str], files: list[str]
) -> None:
    sitemap = urlset(BASE)
    never = [
        "f.html",
        "b/G.HTM",
        ".well-known/security.txt",
        ".hidden",
        "other/a.pdf",
        "robots.txt",
    ]
    write(
        tmp_path,
        {"sitemap.xml": sitemap, "sitemap.xml.gz": sitemap, "other/sitemap_index.xml": sitemap},
    )
    write(
        tmp_path, {"feed.xml": "<feed/>", "damaged.xml.gz": b"not gzip", "old/pages.xml": sitemap}
    )
    for name, target in {
        "link.txt": "a.pdf",
        "broken.pdf": "none.pdf",
        "directory.pdf": "b",
    }.items():
        (tmp_path / name).symlink_to(target)
    for _ in range(2):  # the second time, there are our own sitemaps too
        build(tmp_path, *never, "a.pdf", "b/c d.pdf", "b/e.txt", include=include)
        assert sorted(listed(tmp_path, BASE)) == ["", *files]


def test_the_content_of_an_included_file_declares_nothing(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.txt": '<meta name="robots" content="noindex">',
            "b.txt": "",
            "c.csv": "<img src=a.png>",
        },
    )
    build(tmp_path, include=["*.txt", "*.csv"], images=True)
    assert list(listed(tmp_path, BASE)) == ["", "a.txt", "b.txt", "c.csv"]
    assert b"image:loc" not in (tmp_path / "sitemap-root.xml").read_bytes()


def test_exclude_keeps_included_files_out_too(tmp_path: Path) -> None:
    report = build(tmp_path, "a.pdf", "c.pdf", include=["*.pdf"], exclude=["a.pdf"])
    assert list(listed(tmp_path, BASE)) == ["", "c.pdf"]
    assert reasons(report) == {"a.pdf": "excluded by the settings"}


@pytest.mark.parametrize(
    ("pattern", "fix"),
    [
        ("*.html", "Pages are listed anyway. Remove it."),
        ("guide/*.PDF", f"Patterns are paths below {BASE}, such as `guide/`, "),
        ("guides/", "Did you mean `guide/`?"),
    ],
)
def test_a_pattern_that_matches_no_such_file_is_a_warning(
    tmp_path: Path, pattern: str, fix: str
) -> None:
    (finding,) = build(tmp_path, "guide/a.pdf", include=[pattern, "guide/*.pdf"]).findings
    assert (finding.check, finding.where) == ("unmatched-pattern", "include[0]")
    assert finding.fix.startswith(fix)


def test_a_directory_that_cannot_be_read_is_an_error_and_the_other_files_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)  # root may read everything
    report = build(tmp_path, "a.pdf", "closed/b.pdf", include=["**/*.pdf"])
    assert list(listed(tmp_path, BASE)) == ["", "a.pdf"]
    (finding,) = report.findings
    assert (finding.check, finding.level, finding.where) == (
        "unreadable-directory",
        "error",
        "closed/",
    )


def test_stray_pages_are_counted_and_one_notice_names_the_largest_directories(
    tmp_path: Path,
) -> None:
    files = [f"d{number}/{page}.html" for number in range(7) for page in range(number + 1)]
    report = build(
        tmp_path, *files, "a.xhtml", "größe & x.HTM", "search.html", others=["d0/0.html"]
    )
    assert report.pages == 1
    stray = [*files[1:], "a.xhtml", "größe & x.HTM", "search.html"]
    assert reasons(report) == dict.fromkeys(stray, "not produced by any page")
    (finding,) = report.findings
    assert (finding.level, finding.where) == ("notice", "29 HTML files in the output")
    places = "7 in d6/, 6 in d5/, 5 in d4/, 4 in d3/, 3 in d2/, 2 other places"
    assert finding.problem == f"this build did not produce them: {places}, for example a.xhtml."


def test_a_stray_page_that_says_why_it_is_not_listed_is_no_notice(tmp_path: Path) -> None:
    heads = {
        "a.html": '<meta name="robots" content="noindex">',
        "d/d.html": '<link rel="canonical" href="https://other.example/a">',
        "404.html": "",
        "drafts/f.html": "",
    }
    write(tmp_path, {name: PAGE.format(head) for name, head in heads.items()})
    write(tmp_path, {"part.html": "<div>part of a page</div>"})
    report = build(tmp_path, others=[], exclude=["drafts/"])
    assert report.findings == []
    assert reasons(report) == {
        "404.html": "an error page",
        "a.html": "marked noindex",
        "d/d.html": "with another canonical URL",
        "part.html": "without an HTML document",
        "drafts/f.html": "excluded by the settings",
    }


def test_hidden_files_links_pipes_and_other_sites_are_not_stray(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = (".git/a.html", ".a.html", "b.xml", "c.js", "d.html.in", "e.html/x")
    write(
        tmp_path,
        dict.fromkeys(("v1/sitemap_index.xml", "v1/a.html", "v2/own.xml", "v2/b/a.html"), "x"),
    )
    for name, target in {"gone.html": "nowhere.html", "again": "."}.items():
        (tmp_path / name).symlink_to(target)
    os.mkfifo(tmp_path / "pipe.html")
    monkeypatch.chdir(tmp_path)
    for directory in (tmp_path, Path()):
        report = build(directory, *never, "mine/index.html", others=[], index_filename="own.xml")
        assert list(reasons(report)) == ["mine/index.html"]
    assert build(tmp_path, index_filename="own.xml").omitted == [], (
        "whoever hands over no others hears nothing of them"
    )
