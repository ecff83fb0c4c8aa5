"""A built directory: where it is served, which of its sitemaps are read, and what the function
`check` says of it.
"""

from pathlib import Path

import pytest

from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.base.urls import UnknownAddressError
from smindex_plugins.checks.checking import check
from smindex_plugins.reading.entry_points import INDEX_NAMES
from tests.support.command import PAGE, SITE
from tests.support.history import publish_as_given
from tests.support.planted import index, urlset, write

BASE = "https://e.org/docs/"


def kinds(target: Path, site_url: str = "") -> list[str]:
    return [finding.check for finding in check(str(target), site_url=site_url)]


# Where it is served


def test_the_address_is_found_from_the_files_that_are_there(tmp_path: Path) -> None:
    """A missing sitemap whose name another file has does not mislead."""
    files = {f"{name}/sitemap.xml": urlset(f"{BASE}{name}/") for name in ("b", "ü")}
    listed = (BASE + path for path in ("a/sitemap.xml", "b/sitemap.xml", "%C3%BC/sitemap.xml"))
    write(
        tmp_path, {"sitemap_index.xml": index(*listed), "sitemap.xml": urlset(BASE + "b/"), **files}
    )
    assert [(each.check, each.url) for each in check(str(tmp_path))][:1] == [
        ("missing-sitemap", BASE + "a/sitemap.xml")
    ]


def test_what_cannot_be_checked_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        kinds(tmp_path)
    write(tmp_path, {"sitemap_index.xml": index(SITE + "a/s.xml")})
    with pytest.raises(UnknownAddressError, match="--site-url"):
        kinds(tmp_path)
    with pytest.raises(ValueError, match="doesn't start with https://"):
        kinds(tmp_path, "e.org")


# Where it begins


def test_a_directory_or_a_file_is_checked(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"sitemap_index.xml": index(SITE + "s.xml"), "s.xml": urlset(SITE + "a", SITE + "a")},
    )
    for target in (tmp_path, tmp_path / "sitemap_index.xml"):
        assert kinds(target) == kinds(target, "https://E.org") == ["duplicate-url"]
    elsewhere = ["sitemap-outside-index", "outside-scope", "duplicate-url"]
    assert kinds(tmp_path, "https://f.org/") == elsewhere


@pytest.mark.parametrize(
    "name", [name for name in INDEX_NAMES if name.endswith((".xml", ".xml.gz"))]
)
def test_an_index_of_a_usual_name_comes_first(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: index(SITE + "missing.xml")})
    assert kinds(tmp_path, SITE) == ["missing-sitemap"]


def test_a_sitemap_is_found_through_robots_txt_or_because_it_is_there(tmp_path: Path) -> None:
    """The second is as after an upload that forgot the index."""
    write(
        tmp_path, {"robots.txt": f"Sitemap: {SITE}all.xml\n", "all.xml": urlset("https://f.org/a")}
    )
    assert kinds(tmp_path, SITE) == ["outside-scope"]
    (tmp_path / "all.xml").rename(tmp_path / "sitemap-0.xml")
    assert sorted(kinds(tmp_path, SITE)) == ["outside-scope", "robots-names-missing-sitemap"]


# What is found


def test_a_finding_has_the_url_that_it_is_about(tmp_path: Path) -> None:
    pages = (SITE + "b", SITE + "b/", SITE + "b", "ftp://e.org/", "https://f.org/c")
    dated = f"<loc>{SITE}d.html</loc><lastmod>soon</lastmod>"
    write(
        tmp_path,
        {
            "sitemap_index.xml": index(SITE + "s.xml", SITE + "t.xml"),
            "s.xml": urlset(*pages, dated),
        },
    )
    write(tmp_path, {"d.html": PAGE, "e/index.html": PAGE, "robots.txt": "User-agent: *\n"})
    assert {finding.check: finding.url for finding in check(str(tmp_path), site_url=SITE)} == {
        "robots-without-sitemap": SITE + "robots.txt",
        "missing-sitemap": SITE + "t.xml",
        "invalid-url": None,
        "outside-scope": "https://f.org/c",
        "invalid-date": SITE + "d.html",
        "missing-page": SITE + "b/",
        "duplicate-url": SITE + "b",
        "twin-url": SITE + "b/",
        "unlisted-page": SITE + "e/",
    }


def test_with_a_record_pages_are_found_that_the_build_has_not_seen(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"index.html": PAGE, "drafts/a.html": PAGE})
    settings = Settings(exclude=("drafts/",))
    files = {"": "index.html", "drafts/a.html": "drafts/a.html"}
    pages = [Page(url=SITE + path, file=str(site / file)) for path, file in files.items()]
    publish_as_given(
        pages, Site(url=SITE, directory=str(site), settings=settings, project=str(tmp_path))
    )
    assert list(check(str(site))) == []
    write(site, {"new.html": PAGE})
    (finding,) = check(str(site))
    assert str(finding).startswith(
        "new.html: it is in no sitemap, and it was not there when they were built."
    )
    for record in (tmp_path / ".smindex_cache").glob("*.gz"):
        record.unlink()
    assert kinds(site) == []
