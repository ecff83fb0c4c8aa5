"""The function `check`, for other tools: what it takes, and what it raises."""

from pathlib import Path

import pytest

from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sites import UnreachableError, check
from smindex_plugins.urls import UnknownAddressError
from tests.support.command import PAGE, SITE
from tests.support.dated import publish_as_given
from tests.support.planted import index, urlset, write
from tests.support.servers import Server


def names(target: str | Path, site_url: str = "") -> list[str]:
    return [finding.check for finding in check(str(target), site_url=site_url)]


def test_a_directory_or_a_file_is_checked(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap_index.xml": index(SITE + "s.xml"), "s.xml": urlset(SITE + "a", SITE + "a")})
    for target in (tmp_path, tmp_path / "sitemap_index.xml"):
        assert names(target) == names(target, "https://E.org") == ["duplicate-url"]
    elsewhere = ["sitemap-outside-index", "outside-scope", "outside-scope", "duplicate-url"]
    assert names(tmp_path, "https://f.org/") == elsewhere


def test_a_live_site_is_checked(server: Server) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a", server.base + "a"))
    assert names(server.base) == names(server.base + "sitemap.xml") == ["duplicate-url"]


def test_what_cannot_be_checked_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        names(tmp_path)
    write(tmp_path, {"sitemap_index.xml": index(SITE + "s.xml")})
    with pytest.raises(UnknownAddressError):
        names(tmp_path)
    with pytest.raises(ValueError, match="does not begin with https://"):
        names(tmp_path, "e.org")
    with pytest.raises(UnreachableError):
        names("http://127.0.0.1:1/")


def test_what_is_found_names_the_url_that_it_is_about(tmp_path: Path) -> None:
    pages = (
        SITE + "b",
        SITE + "b/",
        SITE + "b",
        "ftp://e.org/",
        "https://f.org/c",
        f"<loc>{SITE}d.html</loc><lastmod>soon</lastmod>",
    )
    write(tmp_path, {"sitemap_index.xml": index(SITE + "s.xml", SITE + "t.xml"), "s.xml": urlset(*pages)})
    write(tmp_path, {"d.html": PAGE, "e/index.html": PAGE, "robots.txt": "User-agent: *\n"})
    found = {finding.check: finding.url for finding in check(str(tmp_path), site_url=SITE)}
    assert found == {
        "robots-without-sitemap": SITE + "robots.txt",
        "missing-sitemap": SITE + "t.xml",
        "invalid-url": "",
        "outside-scope": "https://f.org/c",
        "invalid-date": SITE + "d.html",
        "missing-page": SITE + "b/",
        "duplicate-url": SITE + "b",
        "twin-url": SITE + "b/",
        "unlisted-page": SITE + "e/",
    }


def test_pages_that_no_sitemap_lists_are_found_with_the_settings_that_leave_out_others(tmp_path: Path) -> None:
    write(tmp_path, {"index.html": PAGE, "drafts/a.html": PAGE})
    settings = Settings(exclude=("drafts/",))
    pages = [Page(url=SITE, file=str(tmp_path / "index.html"))]
    publish_as_given(pages, Site(url=SITE, directory=str(tmp_path), settings=settings))
    assert list(check(str(tmp_path), settings=settings)) == []
    write(tmp_path, {"new.html": PAGE})
    assert names(tmp_path) == []
    (finding,) = check(str(tmp_path), settings=settings)
    assert str(finding).startswith("new.html: it is in no sitemap, and the page does not say why, nor does Settings.")
