"""What became of the URLs that are no longer listed: by files, by rules of hosts, and by the answers of a server."""

import json
from pathlib import Path

import pytest

from smindex_plugins import diff
from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import urlset, write
from tests.support.servers import serving

HEAD = "<!doctype html><title>A</title>{}<body>Text</body>"
FATES = {
    "gone": ("lost", ""),
    "moved": ("redirected", ""),
    "chain": ("redirected", ""),
    "to-slashless": ("redirected", "guide/"),
    "to-missing": ("lost", "missing"),
    "loop": ("lost", "loop"),
    "self/": ("lost", "self/"),
    "removed": ("unlisted", ""),
    "old/a%20b": ("redirected", "new/a%20b"),
    "refresh/": ("redirected", ""),
    "refresh-to-itself/": ("unlisted", ""),
    "noindex/": ("unlisted", ""),
    "by-header/": ("unlisted", ""),
    "canonical/": ("unlisted", ""),
    "error/": ("lost", ""),
    "there/": ("unlisted", ""),
    "Guide/": ("lost", ""),
    "guide/index.html": ("unlisted", "guide/"),
    "elsewhere": ("redirected", "https://other.org/"),
}
RULES = """/moved / 301
/chain /moved
/to-missing /missing
/loop /loop-2
/loop-2 /loop
/removed / 410
/old/* /new/:splat 308
/elsewhere https://other.org/
/to-slashless /guide
"""
NEW = {
    "sitemap.xml": urlset(SITE, SITE + "guide/"),
    "index.html": PAGE,
    "guide/index.html": PAGE,
    "new/a b.html": PAGE,
    "_redirects": RULES,
    "_headers": "/by-header/*\n  X-Robots-Tag: noindex\n",
    "self/index.html": HEAD.format('<meta http-equiv="refresh" content="0; url=loop/">'),
    "self/loop/index.html": HEAD.format('<meta http-equiv="refresh" content="0; url=../">'),
    "refresh/index.html": HEAD.format(f'<meta http-equiv="refresh" content="0; url={SITE}">'),
    "refresh-to-itself/index.html": HEAD.format('<meta http-equiv="refresh" content="9; url=./">'),
    "noindex/index.html": HEAD.format('<meta name="robots" content="noindex">'),
    "by-header/index.html": PAGE,
    "canonical/index.html": HEAD.format(f'<link rel="canonical" href="{SITE}">'),
    "error/index.html": PAGE.replace("<title>A", "<title>404 Not Found"),
    "there/index.html": PAGE,
}


@pytest.fixture
def sites(tmp_path: Path) -> tuple[str, str]:
    """Write an old and a new version of a site."""
    old = urlset(SITE, SITE + "guide/", *(SITE + path for path in FATES))
    write(tmp_path / "old", {"sitemap.xml": old, "index.html": PAGE})
    return str(tmp_path / "old"), str(write(tmp_path / "new", NEW))


def test_each_removed_url_of_a_directory_has_its_fate(sites: tuple[str, str]) -> None:
    found = diff(*sites, site_url=SITE)
    gone = {each.url.removeprefix(SITE): each for each in found.gone}
    assert {path: each.fate for path, each in gone.items()} == {path: fate for path, (fate, _) in FATES.items()}
    for path, (_, to) in FATES.items():
        if to:
            assert gone[path].to.removeprefix(SITE) == to, path
    assert "a chain of 2 redirects" in gone["chain"].why
    assert "in a loop" in gone["loop"].why
    assert "unlisted page" in gone["old/a%20b"].why
    assert gone["removed"].why == "removed on purpose (_redirects, line 6)"


def test_a_rule_that_hosts_cannot_read_is_a_note(sites: tuple[str, str]) -> None:
    write(Path(sites[1]), {"_redirects": f"{RULES}/there / 999\n"})
    (note,) = diff(*sites, site_url=SITE).not_compared
    assert note.startswith("a rule that hosts skip (_redirects, line 10: its status is '999'; accepted: 200, ")


def test_a_script_can_stop_where_a_page_is_lost(sites: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *sites, "--site-url", SITE, "--fail-on", "lost"]) == 1
    assert capsys.readouterr().out.startswith("lost (6)\n  - https://e.org/Guide/ (there is no such page)\n")
    assert main(["diff", sites[1], sites[1], "--site-url", SITE, "--fail-on", "lost"]) == 0


def test_nobody_knows_what_became_of_pages_without_the_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"old/sitemap.xml": urlset(SITE, SITE + "a"), "new/sitemap.xml": urlset(SITE)})
    assert main(["diff", f"{tmp_path}/old", f"{tmp_path}/new", "--format", "json", "--fail-on", "lost"]) == 2
    printed = json.loads(capsys.readouterr().out)
    assert printed["gone"] == []
    assert "what became of removed pages" in printed["summary"]["not_compared"][0]


def test_a_live_site_answers_for_its_removed_urls(tmp_path: Path) -> None:
    with serving() as site:
        paths = ("moved", "fails", "removed", "there", "hidden", "error", "away", "forbidden", "to-missing")
        write(tmp_path, {"sitemap.xml": urlset(site.base, *(site.base + path for path in paths)), "index.html": PAGE})
        site.serve("/robots.txt", f"Sitemap: {site.base}sitemap.xml\nUser-agent: *\nDisallow: /forbidden\n")
        site.serve("/sitemap.xml", urlset(site.base), Content_Type="text/xml")
        site.page("/")
        site.page("/moved", status=301, Location="/")
        site.page("/to-missing", status=302, Location="/missing")
        site.page("/fails", status=500)
        site.page("/removed", status=410)
        site.page("/there")
        site.page("/hidden", X_Robots_Tag="noindex")
        site.page("/error", PAGE.replace("<title>A", "<title>Page not found"))
        found = diff(str(tmp_path), site.base, site_url=site.base)
        fates = {each.url.removeprefix(site.base): each.fate for each in found.gone}
        assert fates == {
            **dict.fromkeys(("fails", "error", "away", "forbidden", "to-missing"), "lost"),
            **dict.fromkeys(("removed", "there", "hidden"), "unlisted"),
            "moved": "redirected",
        }
        assert "/forbidden" not in site.paths
        assert site.paths.count("/moved") == 1
