"""What became of the URLs that are no longer listed: by files, by rules of hosts, and by the
answers of a server.
"""

import json
import threading
from pathlib import Path

import pytest

from smindex_plugins import diff
from smindex_plugins.cli.main import main
from smindex_plugins.reading.web import Fetcher
from tests.support.command import PAGE, SITE
from tests.support.planted import urlset, write
from tests.support.project import BASE, Project
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
    "refresh-to-missing/": ("lost", "missing/"),
    "canonical/": ("unlisted", ""),
    "canonical-to-missing/": ("lost", "missing/"),
    "to-canonical-to-missing": ("lost", "missing/"),
    "canonical-elsewhere/": ("unlisted", "https://f.org/"),
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
/to-canonical-to-missing /canonical-to-missing/
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
    "refresh-to-missing/index.html": HEAD.format(
        '<meta http-equiv="refresh" content="0; url=../missing/">'
    ),
    "canonical-to-missing/index.html": HEAD.format(f'<link rel="canonical" href="{SITE}missing/">'),
    "canonical-elsewhere/index.html": HEAD.format('<link rel="canonical" href="https://f.org/">'),
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
    assert {path: each.fate for path, each in gone.items()} == {
        path: fate for path, (fate, _) in FATES.items()
    }
    for path, (_, to) in FATES.items():
        if to:
            assert str(gone[path].to).removeprefix(SITE) == to, path
    assert "a chain of 2 redirects" in gone["chain"].why
    assert "in a loop" in gone["loop"].why
    assert "unlisted page" in gone["old/a%20b"].why
    assert "to a missing page" in gone["refresh-to-missing/"].why
    for path in ("canonical-to-missing/", "to-canonical-to-missing"):
        assert (
            f"the canonical URL of {SITE}canonical-to-missing/ is missing: there is no such page"
            in gone[path].why
        )
    assert gone["removed"].why == "removed on purpose (_redirects, line 6)"


def test_only_rules_with_its_domain_are_for_a_url_elsewhere(tmp_path: Path) -> None:
    hosts = {
        "https://old.e.org/": "redirected",
        "https://p.pages.dev/": "redirected",
        "https://f.org/": "lost",
    }
    write(tmp_path / "old", {"sitemap.xml": urlset(SITE, *hosts), "index.html": PAGE})
    rules = (
        f"https://old.e.org/* {SITE}:splat\nhttps://:p.pages.dev/* {SITE}:splat\n/* {SITE} 301!\n"
    )
    write(tmp_path / "new", {"sitemap.xml": urlset(SITE), "index.html": PAGE, "_redirects": rules})
    found = diff(f"{tmp_path}/old", f"{tmp_path}/new", site_url=SITE)
    assert {each.url: each.fate for each in found.gone} == hosts


def test_the_options_and_rules_of_the_project_decide_fates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path)
    project.config()
    project.pages(
        "index.md", "guide/a.md", "private/a.md", "quiet.md", "by-netlify.md", "by-vercel.md"
    )
    project.build(site="site.before")
    project.config("sitemap-index:\n      exclude: private/")
    project.write("docs/quiet.md", "---\nsitemap: false\n---\n# Quiet\n")
    project.write("netlify.toml", '[[redirects]]\nfrom = "/docs/by-netlify"\nto = "/docs/"\n')
    project.write(
        "vercel.json",
        '{"redirects": [{"source": "/docs/by-vercel", "destination": "/docs/guide/a/"}]}',
    )
    for name in ("netlify", "vercel"):
        (tmp_path / f"docs/by-{name}.md").unlink()
    project.build()
    assert (
        main(
            [
                "diff",
                f"{tmp_path}/site.before",
                f"{tmp_path}/site",
                "--fail-on",
                "lost",
                "--format",
                "json",
            ]
        )
        == 0
    )
    gone = json.loads(capsys.readouterr().out)["gone"]
    assert [
        (each["url"].removeprefix(BASE), each["fate"], each["to"], each["why"]) for each in gone
    ] == [
        ("by-netlify/", "redirected", BASE, "netlify.toml"),
        ("by-vercel/", "redirected", f"{BASE}guide/a/", "vercel.json"),
        ("private/a/", "unlisted", None, "excluded by `private/`"),
        ("quiet/", "unlisted", None, "excluded by its front matter (`sitemap: false`)"),
    ]


def test_a_rule_that_hosts_cannot_read_is_a_note(sites: tuple[str, str]) -> None:
    write(Path(sites[1]), {"_redirects": f"{RULES}/there / 999\n"})
    found = diff(*sites, site_url=SITE)
    (note,) = found.not_compared
    assert note.startswith(
        "a rule that hosts skip (_redirects, line 11: its status is '999'; accepted: 200, "
    )
    lost = {each.why for each in found.lost if not each.to}
    assert "there is no such page, and _redirects, line 11 can't be applied" in lost


def test_a_redirect_that_multiplies_what_it_matches_ends_and_is_told(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"old/sitemap.xml": urlset(SITE, SITE + "x" * 50), "new/sitemap.xml": urlset(SITE)},
    )
    write(
        tmp_path,
        {"new/index.html": PAGE, "new/_redirects": "/* /:splat/:splat/:splat/:splat 301\n"},
    )
    found = diff(str(tmp_path / "old"), str(tmp_path / "new"), site_url=SITE)
    assert [each.fate for each in found.gone] == ["lost"]
    (note,) = found.not_compared
    assert note.startswith("a rule that hosts skip (_redirects, line 1: its target for ")


def test_a_script_can_stop_where_a_page_is_lost(
    sites: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *sites, "--site-url", SITE, "--fail-on", "lost"]) == 1
    assert capsys.readouterr().out.startswith(
        "lost (9)\n  - https://e.org/Guide/ (there is no such page)\n"
    )
    assert main(["diff", sites[1], sites[1], "--site-url", SITE, "--fail-on", "lost"]) == 0


def test_nobody_knows_what_became_of_pages_without_the_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"old/sitemap.xml": urlset(SITE, SITE + "a"), "new/sitemap.xml": urlset(SITE)})
    assert (
        main(
            ["diff", f"{tmp_path}/old", f"{tmp_path}/new", "--format", "json", "--fail-on", "lost"]
        )
        == 2
    )
    printed = json.loads(capsys.readouterr().out)
    assert printed["gone"] == []
    assert "what happened to removed pages" in printed["summary"]["not_compared"][0]


def test_a_live_site_answers_for_its_removed_urls(tmp_path: Path) -> None:
    with serving() as site:
        paths = (
            "moved",
            "fails",
            "removed",
            "there",
            "hidden",
            "error",
            "away",
            "forbidden",
            "to-missing",
        )
        write(
            tmp_path,
            {
                "sitemap.xml": urlset(site.base, *(site.base + path for path in paths)),
                "index.html": PAGE,
            },
        )
        site.serve(
            "/robots.txt", f"Sitemap: {site.base}sitemap.xml\nUser-agent: *\nDisallow: /forbidden\n"
        )
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


REDIRECTS = {
    "self": "self",
    "loop": "loop-2",
    "loop-2": "loop",
    "%C3%BC/": "%c3%bc%7E",
    "long": "1",
}
REDIRECTS |= {f"{number}": f"{number + 1}" for number in range(1, 11)}
REDIRECTS |= {"away": "OTHER/there", "to-forbidden": "OTHER/forbidden"}
LIVE = {
    "%C3%BC/": "redirected %C3%BC~ to an unlisted page: in no sitemap; status 301",
    "Case": "lost the server answers with 404",
    "a/index.html": "unlisted a/ with another canonical URL",
    "away": "redirected OTHER/there to another site; status 301",
    "canonical": (
        "lost missing the canonical URL of canonical is missing: the server answers with 404"
    ),
    "long": "lost 11 it redirects more than 10 times (status 301)",
    "loop": "lost loop it redirects in a loop: loop → loop-2 → loop (status 301)",
    "self": "lost self it redirects to itself (status 301)",
    "slow": "lost the server does not answer within 2 seconds",
    "to-forbidden": (
        "redirected OTHER/forbidden not requested, because robots.txt forbids it; status 301"
    ),
    "OTHER/missing": "lost the server answers with 404",
    "OTHER/there": "unlisted case with another canonical URL",
    "DEAD/": (
        "lost not requested, because robots.txt can't be fetched: it refuses connections on port"
        " PORT"
    ),
}


def test_a_live_site_may_answer_late_in_circles_or_elsewhere(tmp_path: Path) -> None:
    finished = threading.Event()
    with serving() as dead:
        pass
    with serving() as site, serving() as other:
        names = {
            "OTHER/": other.base,
            "DEAD/": dead.base,
            "PORT": dead.base.split(":")[-1].strip("/"),
        }

        def url(path: str) -> str:
            host = path[: path.find("/") + 1]
            return names[host] + path.removeprefix(host) if host in names else site.base + path

        def named(text: str) -> str:
            for name, value in {"": site.base, **names}.items():
                text = text.replace(value, name)
            return text

        write(tmp_path, {"sitemap.xml": urlset(site.base, *map(url, LIVE)), "index.html": PAGE})
        site.serve("/robots.txt", f"Sitemap: {site.base}sitemap.xml\n")
        site.serve(
            "/sitemap.xml", urlset(site.base, url("a/"), url("case")), Content_Type="text/xml"
        )
        for path, to in REDIRECTS.items():
            site.page(f"/{path}", status=301, Location=url(to))
        site.page("/%C3%BC~")
        site.page("/a/index.html", HEAD.format('<link rel="canonical" href="/a/">'))
        site.page("/canonical", HEAD.format('<link rel="canonical" href="/missing">'))
        site.before = lambda path: path == "/slow" and finished.wait(20)
        other.serve("/robots.txt", "User-agent: *\nDisallow: /forbidden\n")
        other.page("/there", HEAD.format(f'<link rel="canonical" href="{url("case")}">'))
        fetcher = Fetcher(timeout=2)
        for server in (other, dead):
            fetcher.allow(server.base)
        gone = diff(str(tmp_path), site.base, fetcher=fetcher).gone
        finished.set()
    fates = {each.url: [each.fate, each.to, each.why] for each in gone}
    assert {named(url): named(" ".join(filter(None, fate))) for url, fate in fates.items()} == LIVE
