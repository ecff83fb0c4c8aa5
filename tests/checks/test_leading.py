"""Listed pages that lead elsewhere: the advice names a URL only if that shows a page."""

from pathlib import Path

import pytest

from smindex_plugins.checks.checking import check
from tests.support.command import PAGE, SITE, findings
from tests.support.planted import urlset, write
from tests.support.servers import Server


def named(canonical: str) -> str:
    return f'<!doctype html><title>A</title><link rel="canonical" href="{canonical}"><p>Text'


@pytest.mark.parametrize(
    ("canonical", "fix"),
    [
        (f"{SITE}b/", f"List {SITE}b/."),
        (f"{SITE}c", f"List {SITE}c."),
        (f"{SITE}gone/", f"Correct the canonical link, because {SITE}gone/ doesn't exist."),
        (f"{SITE}b//c/", f"Correct the canonical link, which has // in its path: {SITE}b//c/."),
        (f"{SITE}old/", f"Correct the canonical link, because {SITE}old/ redirects to {SITE}b/."),
        (f"{SITE}old-2/", f"Correct the canonical link, because {SITE}b/gone/ doesn't exist."),
        (
            f"{SITE}back/",
            f"Correct the canonical link, because {SITE}back/ redirects to the listed URL.",
        ),
        (
            "https://f.org/a/",
            (
                "If this page should appear in search results, correct its canonical link."
                " Otherwise, remove the entry."
            ),
        ),
    ],
)
def test_the_advice_about_a_canonical_link_looks_at_its_target(
    tmp_path: Path, canonical: str, fix: str
) -> None:
    rules = "/old/ /b/\n/old-2/ /b/gone/\n/back/ /a/\n"
    files = {
        "a/index.html": named(canonical),
        "b/index.html": PAGE,
        "c.html": PAGE,
        "index.html": PAGE,
    }
    write(tmp_path, {"sitemap.xml": urlset(SITE, f"{SITE}a/"), **files, "_redirects": rules})
    (finding,) = [
        each for each in check(str(tmp_path), site_url=SITE) if each.check == "canonical-elsewhere"
    ]
    assert finding.fix == fix


def test_a_target_outside_the_sitemap_is_for_another_sitemap(tmp_path: Path) -> None:
    files = {
        "blog/a/index.html": named(f"{SITE}b/"),
        "b/index.html": PAGE,
        "blog/c/index.html": PAGE,
    }
    write(
        tmp_path,
        {
            "blog/sitemap.xml": urlset(f"{SITE}blog/a/", f"{SITE}blog/c/"),
            **files,
            "_redirects": "/blog/c/ /b/",
        },
    )
    fixes = {each.check: each.fix for each in check(str(tmp_path), site_url=SITE)}
    wanted = "list https://e.org/b/ in a sitemap in its own directory or above."
    assert fixes["page-redirects"] == f"Remove the entry, and {wanted}"
    assert fixes["canonical-elsewhere"].endswith(f"Otherwise, remove the entry, and {wanted}")


@pytest.mark.parametrize(
    ("target", "fix"),
    [
        ("/b/", f"List {SITE}b/."),
        (
            "/gone/",
            (
                f"Correct the redirect, because {SITE}gone/ doesn't exist. Or remove the entry from"
                " the sitemap."
            ),
        ),
        ("/b//c/", f"Correct the redirect, whose target {SITE}b//c/ has // in its path."),
        (
            "/loop/",
            (
                "Correct the redirects, which never end at a page. Or remove the entry from the"
                " sitemap."
            ),
        ),
        (
            "https://f.org/",
            "Remove the entry. Only a sitemap at https://f.org can list https://f.org/.",
        ),
    ],
)
def test_the_advice_about_a_redirect_looks_at_its_target(
    tmp_path: Path, target: str, fix: str
) -> None:
    rules = f"/a/ {target}\n/loop/ /loop-2/\n/loop-2/ /loop/\n"
    files = {"index.html": PAGE, "b/index.html": PAGE, "_redirects": rules}
    write(tmp_path, {"sitemap.xml": urlset(SITE, f"{SITE}a/"), **files})
    (finding,) = [
        each for each in check(str(tmp_path), site_url=SITE) if each.check == "page-redirects"
    ]
    assert finding.fix == fix


@pytest.mark.parametrize(
    ("rule", "problems"),
    [
        ("/old /b/", []),
        ("/old /gone/", [f"/old leads to {SITE}gone/, which doesn't exist."]),
        ("/old /gone.pdf 302", [f"/old leads to {SITE}gone.pdf, which doesn't exist."]),
        (
            "/old /older\n/older /gone/",
            [f"/old leads to {SITE}gone/ by way of {SITE}older, which doesn't exist."],
        ),
        (
            "/old /older\n/older /old",
            [f"/old leads to {SITE}older, whose redirects never end at a page."],
        ),
        ("/old https://f.org/gone/", []),
        ("/old /away/\n/away/* https://f.org/:splat", []),
        ("/old /api/?q=1", []),
        ("/old /gone/ 410", []),
        ("/old /gone/ Country=de", []),
        ("/old /b", []),
        (
            "https://f.org/old https://e.org/gone/",
            [f"https://f.org/old leads to {SITE}gone/, which doesn't exist."],
        ),
    ],
)
def test_a_rule_that_leads_nowhere_is_found(tmp_path: Path, rule: str, problems: list[str]) -> None:
    write(
        tmp_path,
        {"sitemap.xml": urlset(SITE, f"{SITE}b/"), "index.html": PAGE, "b/index.html": PAGE},
    )
    write(tmp_path, {"_redirects": rule})
    found = [
        each.problem
        for each in check(str(tmp_path), site_url=SITE)
        if each.check == "dead-redirect"
    ]
    assert found[:1] == problems


# Live sites


def github(server: Server, *names: str, canonical: str = "") -> None:
    """Serve pages in directories as GitHub Pages does, and a sitemap that lists them without a
    slash.
    """
    for name in names:
        server.serve(f"/{name}", "", 301, Location=f"/{name}/")
        server.page(
            f"/{name}/", named(f"{server.base}{canonical.format(name)}") if canonical else PAGE
        )
    server.serve("/sitemap.xml", urlset(*(server.base + name for name in names)))


def live(server: Server, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str, str]]:
    found = findings(capsys, server.base, "--pages")
    return [
        (each["check"], each["problem"], each["fix"])
        for each in found
        if each["check"] != "robots-unread-line"
    ]


def test_a_server_that_adds_slashes_is_one_finding(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    github(server, "a", "b", canonical="{}")
    ((kind, problem, _),) = live(server, capsys)
    expected = f"the server redirects 2 listed URLs, such as {server.base}a to {server.base}a/."
    assert (kind, problem) == ("host-redirects", expected)


def test_advice_about_a_live_site_requests_the_target(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    github(server, "a", canonical="{}")
    server.serve("/sitemap.xml", urlset(f"{server.base}a/"))
    ((kind, _, fix),) = live(server, capsys)
    assert kind == "canonical-elsewhere"
    assert fix == f"Correct the canonical link, because {server.base}a redirects to the listed URL."


def test_a_redirect_to_a_page_that_names_the_listed_url_is_wrong_itself(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/a/", "", 301, Location="/b/")
    server.page("/b/", named(f"{server.base}a/"))
    server.serve("/sitemap.xml", urlset(f"{server.base}a/"))
    ((kind, _, fix),) = live(server, capsys)
    assert kind == "page-redirects"
    assert fix.startswith(
        f"Remove the redirect, because the canonical link at {server.base}b/ names {server.base}a/."
    )


def test_an_unlisted_page_with_a_missing_canonical_url_is_found_as_in_a_build(
    tmp_path: Path,
) -> None:
    files = {
        "index.html": PAGE,
        "api/index.html": named(f"{SITE}api/index/"),
        "b/index.html": named(f"{SITE}"),
    }
    write(tmp_path, {"sitemap.xml": urlset(SITE), **files})
    found = [(each.check, each.where) for each in check(str(tmp_path), site_url=SITE)]
    assert ("canonical-missing", "api/index.html") in found
    assert ("canonical-missing", "b/index.html") not in found


def test_canonical_links_with_another_ending_are_one_finding(tmp_path: Path) -> None:
    pages = {f"{name}/index.html": named(f"{SITE}{name}") for name in "abc"}
    write(tmp_path, {"sitemap.xml": urlset(*(f"{SITE}{name}/" for name in "abc")), **pages})
    (finding,) = check(str(tmp_path), site_url=SITE)
    assert finding.problem.endswith(" The canonical links of 2 other pages differ alike.")


def test_a_redirect_to_the_canonical_url_is_one_finding(tmp_path: Path) -> None:
    pages = {f"{name}/index.html": named(f"{SITE}{name}/") for name in "abc"}
    write(
        tmp_path,
        {"sitemap.xml": urlset(*(f"{SITE}{name}" for name in "abc")), **pages, "CNAME": "e.org"},
    )
    assert [each.check for each in check(str(tmp_path), site_url=SITE)] == ["host-redirects"]
