"""Law 7, no false passes: a clean result covers only what was actually checked.

The output counts what was checked, and names what was not. A setting that matches nothing is
reported.
"""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given

from smindex_plugins import Page, Settings, check
from smindex_plugins import publish as publish_with_dates
from smindex_plugins.base.site import Site
from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.checks.audit import Audit
from smindex_plugins.reading.directory import Directory, NoSitemapError
from smindex_plugins.reading.live import UnreachableError
from tests.support.history import Repo, publish_as_given
from tests.support.listed import BASE, INDEX, OPTIONS, SITES, pages_of, publish, read_back
from tests.support.planted import index, urlset, write

ROOT = "https://e.org/"
PATHS = ("", "guide/a/", "guide/b/", "blog/a/", "blog/b/")
HTML = "<!doctype html><title>A</title>{}<body><p>Text</body>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Give a site with pages, sitemaps and a robots.txt, in which nothing is wrong."""
    write(tmp_path, {f"{path}index.html": HTML for path in PATHS})
    pages = [
        Page(url=ROOT + path, file=str(tmp_path / path / "index.html"), lastmod="2024-01-01")
        for path in PATHS
    ]
    settings = Settings(robots_txt="write")
    (tmp_path / ".git").mkdir()  # so that the record may be in the output
    site = Site(url=ROOT, directory=str(tmp_path), settings=settings, project=str(tmp_path))
    assert publish_as_given(pages, site).findings == []
    assert found(tmp_path) == set()
    return tmp_path


def found(site: Path) -> set[str]:
    return {finding.check for finding in check(str(site), site_url=ROOT)}


def change(path: str, old: str, new: str) -> Callable[[Path], object]:
    def changed(site: Path) -> None:
        text = (site / path).read_text()
        assert old in text
        (site / path).write_text(text.replace(old, new, 1))

    return changed


FAULTS: dict[str, Callable[[Path], object]] = {
    "missing-sitemap": lambda site: os.remove(site / "guide/sitemap.xml"),
    "missing-page": lambda site: os.remove(site / "guide/a/index.html"),
    "unreadable-sitemap": lambda site: os.truncate(site / "blog/sitemap.xml", 200),
    "empty-sitemap": lambda site: write(site, {"guide/sitemap.xml": urlset()}),
    "nested-index": lambda site: write(
        site, {"guide/sitemap.xml": index(f"{ROOT}blog/sitemap.xml")}
    ),
    "compression-error": lambda site: write(
        site, {"guide/sitemap.xml": gzip.compress(b"<urlset/>")}
    ),
    "outside-scope": change("guide/sitemap.xml", "/guide/a/", "/blog/a/"),
    "sitemap-outside-index": change(INDEX, f"{ROOT}guide/", "https://f.org/guide/"),
    "duplicate-url": change("guide/sitemap.xml", "/guide/a/", "/guide/b/"),
    "invalid-url": change("guide/sitemap.xml", ROOT, "/"),
    "invalid-date": change("blog/sitemap.xml", "2024-01-01", "2024-13-01"),
    "future-date": change("blog/sitemap.xml", "2024-01-01", "2999-01-01"),
    "unlisted-page": lambda site: write(site, {"guide/c/index.html": HTML}),
    "noindex-page": change("guide/a/index.html", "{}", '<meta name="robots" content="noindex">'),
    "canonical-elsewhere": change(
        "guide/a/index.html", "{}", f'<link rel="canonical" href="{ROOT}blog/a/">'
    ),
    "robots-blocks-page": change(
        "robots.txt", "Sitemap", "User-agent: *\nDisallow: /blog/a/\nSitemap"
    ),
    "robots-without-sitemap": change("robots.txt", "Sitemap", "# Sitemap"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_clean_site_is_not_clean_with_any_one_fault(site: Path, fault: str) -> None:
    FAULTS[fault](site)
    assert fault in found(site)


@given(site=SITES, options=OPTIONS)
def test_the_totals_are_what_there_was_to_check(
    tmp_path_factory: pytest.TempPathFactory,
    site: dict[str, str | None],
    options: dict[str, object],
) -> None:
    directory = tmp_path_factory.mktemp("site")
    options["index_filename"] = INDEX
    report = publish(directory, pages_of(site), **options)
    sitemaps, audit = read_back(directory, report.index_urls), Audit()
    list(DirectoryCheck(directory=Directory(path=str(directory), site_url=BASE)).findings(audit))
    totals = audit.totals
    assert (totals.indexes, totals.sitemaps, totals.urls) == (
        len(report.index_urls),
        len(sitemaps),
        len(site),
    )
    assert totals.pages == 0
    assert totals.unseen == [
        "https://e.org/robots.txt (not in this directory)",
        "the pages (there is no HTML in this directory)",
    ]


def test_where_there_is_nothing_to_check_nothing_is_clean(tmp_path: Path) -> None:
    with pytest.raises(NoSitemapError):
        [*check(str(tmp_path), site_url=ROOT)]
    with pytest.raises(FileNotFoundError):
        [*check(str(tmp_path / "nowhere"), site_url=ROOT)]
    with pytest.raises(UnreachableError):
        [*check("http://127.0.0.1:9/sitemap.xml")]


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"exclude": "drafts/"}, "exclude"),
        ({"exclude": ["guide/a/", "drafts/"]}, "exclude[1]"),
        ({"include": "drafts/"}, "include"),
        ({"sections": [{"name": "x", "urls": ["guide/", "drafts/"]}]}, "sections[0].urls[1]"),
        ({"depends": {"drafts/": "a.yml"}}, "depends['drafts/']"),
        ({"cross_site": {"https://f.org": "f"}}, "cross_site['https://f.org']"),
    ],
)
def test_a_setting_that_matches_nothing_is_reported_where_it_is_written(
    site: Path, options: dict[str, object], where: str
) -> None:
    write(site.parent, {"f/robots.txt": f"Sitemap: {ROOT}{INDEX}\n"})
    report = publish(site, [Page(url=ROOT + path) for path in PATHS], ROOT, **options)
    wrong = [each for each in report.findings if each.check == "unmatched-pattern"]
    assert [(each.level, each.where) for each in wrong] == [("warning", where)]


def test_a_list_of_ignored_commits_that_is_not_there_is_reported(repo: Repo) -> None:
    repo.commit(1, {"docs/a.md": "a", "docs/.revs": "# none yet\n"})
    page = Page(url=f"{ROOT}a/", sources=(repo.file("docs/a.md"),))
    for name, count in (("docs/.revs", 0), (".revs", 1), ("docs", 1)):  # the last is no file
        settings = Settings.load({"ignore_revs_file": name})
        report = publish_with_dates(
            [page], Site(url=ROOT, directory=str(repo / "site"), settings=settings)
        )
        wrong = [each for each in report.findings if each.check == "unmatched-pattern"]
        assert [each.where for each in wrong] == ["ignore_revs_file"] * count


@pytest.mark.parametrize(
    "pattern", ["guide", "/guide", "docs/guide/", "^guide/.*$", f"{BASE}guide/", "GUIDE/"]
)
def test_what_would_match_is_named(tmp_path: Path, pattern: str) -> None:
    (finding,) = publish(tmp_path, pages_of(PATHS), exclude=pattern).findings
    assert "`guide/`" in finding.fix
