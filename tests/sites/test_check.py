"""The function `check`, for other tools: what it takes, and what it raises."""

from pathlib import Path

import pytest

from smindex_plugins.sites import UnreachableError, check
from smindex_plugins.urls import UnknownAddressError
from tests.support.command import SITE
from tests.support.planted import index, urlset, write
from tests.support.server import Server


def names(target: str | Path, site_url: str = "") -> list[str]:
    return [finding.check for finding in check(str(target), site_url=site_url)]


def test_a_directory_or_a_file_is_checked_without_advice(tmp_path: Path) -> None:
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
    with pytest.raises(ValueError, match="not an absolute http"):
        names(tmp_path, "e.org")
    with pytest.raises(UnreachableError):
        names("http://127.0.0.1:1/")
