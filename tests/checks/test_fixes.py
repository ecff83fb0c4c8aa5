"""The fix that a message names can be made where the message is printed."""

from pathlib import Path

import pytest

from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Site
from tests.support.command import SITE, findings
from tests.support.dated import publish_as_given
from tests.support.planted import index, urlset, write
from tests.support.server import Server


def fixes(capsys: pytest.CaptureFixture[str], root: Path, *, site_url: str = SITE) -> dict[str, str]:
    return {each["check"]: each["fix"] for each in findings(capsys, str(root), "--site-url", site_url)}


def test_a_page_of_another_directory_belongs_into_a_sitemap_above(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"sitemap_index.xml": index(SITE + "a/s.xml"), "a/s.xml": urlset(SITE + "b/")})
    assert fixes(capsys, tmp_path)["outside-scope"] == "List the page in a sitemap of its own directory or above."


def test_a_page_of_another_host_belongs_there_or_needs_its_consent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"sitemap_index.xml": index(SITE + "s.xml"), "s.xml": urlset("https://other.example/b/")})
    fix = fixes(capsys, tmp_path)["outside-scope"]
    assert fix.startswith("List it in a sitemap at https://other.example, or let https://other.example/robots.txt name")
    assert "--cross-site https://other.example" in fix
    write(tmp_path, {"sitemap_index.xml": index("https://other.example/s.xml", SITE + "s.xml")})
    assert "https://other.example/robots.txt" in fixes(capsys, tmp_path)["sitemap-outside-index"]


@pytest.mark.parametrize("url", ["http://e.org/b/", "https://e.org:8443/b/"])
def test_a_page_of_another_scheme_or_port_is_to_be_written_with_that_of_the_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    write(tmp_path, {"sitemap.xml": urlset(url)})
    assert fixes(capsys, tmp_path)["outside-scope"].startswith(
        "Begin the URL with https://e.org, where the file itself is. "
    )


def test_of_a_live_site_no_option_is_named_that_it_does_not_take(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/sitemap.xml", urlset("http://other.invalid/b/"))
    (finding,) = findings(capsys, server.base)
    assert finding["check"] == "outside-scope"
    assert "--" not in finding["fix"]


def test_an_empty_sitemap_that_no_index_lists_is_not_to_be_removed_from_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"sitemap.xml": urlset()})
    fix = fixes(capsys, tmp_path)["empty-sitemap"]
    assert fix == (
        "Build the site so that this file lists something. Or remove it, and its line in the index or in robots.txt."
    )


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("guide/sitemap.xml", "set sitemap_placement: root, which puts all sitemaps beside the index."),
        ("sitemap_index.xml", "set another index_filename if it is to be the index."),
    ],
)
def test_a_file_in_the_way_is_avoided_by_a_setting_that_names_another(tmp_path: Path, name: str, fix: str) -> None:
    pages = [Page(url=f"{SITE}{path}") for path in ("", "guide/a", "guide/b")]

    def refused(**settings: str) -> list[str]:
        target = Site(url=SITE, directory=str(tmp_path), settings=Settings.load(settings))
        return [finding.fix for finding in publish_as_given(pages, target).findings]

    write(tmp_path, {name: urlset(SITE)})
    assert refused() == [f"Rename or remove it, or {fix}"]
    assert refused(sitemap_placement="root", index_filename="other.xml") == []


def test_an_element_without_its_namespace_is_told_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = f"<loc>{SITE}</loc><image xmlns='http://wrong.example'><loc>{SITE}a.png</loc></image>"
    write(tmp_path, {"sitemap.xml": urlset(image)})
    assert 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"' in fixes(capsys, tmp_path)["wrong-namespace"]
