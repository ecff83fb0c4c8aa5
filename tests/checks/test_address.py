"""Checks of a site whose sitemap has a different address than visitors use: one finding each, and none
for right sites.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import PAGE, SITE, findings
from tests.support.planted import Files, urlset, write
from tests.support.servers import Server

TEMPLATE = "https://your-docusaurus-test-site.com/"


def site(address: str, canonical: str = "", **more: str) -> Files:
    """Return a built site of three pages, with canonical links if their address is given."""
    link = '<link rel="canonical" href="{}">' if canonical else ""
    head = "<!doctype html><html><head><title>A</title>{}</head><body>Text</body></html>"
    pages = {
        f"{path}index.html": head.format(link.format(canonical + path)) for path in ("", "a/", "b/")
    }
    return {"sitemap.xml": urlset(address, f"{address}a/", f"{address}b/"), **pages, **more}


Found = list[dict[str, str]]
Check = Callable[..., Found]


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Check:
    """Write a project with a built site, and check it there."""
    monkeypatch.chdir(tmp_path)

    def run(files: Files, *arguments: str, **project: str) -> Found:
        write(tmp_path, {".git/a": "", **project})
        write(tmp_path / "build", files)
        return findings(capsys, *(arguments or ("build",)))

    return run


def kinds(found: Found) -> list[str]:
    return [finding["check"] for finding in found]


def test_a_template_address_is_one_finding_with_the_count_and_the_option(check: Check) -> None:
    project = {
        "docusaurus.config.ts": f"export default {{url: '{TEMPLATE}'}}",
        "package.json": "{}",
    }
    (finding,) = check(site(TEMPLATE, TEMPLATE), **project)
    assert (finding["check"], finding["level"]) == ("template-address", "warning")
    assert finding["problem"].startswith(
        f"lists 3 URLs at {TEMPLATE}, and your-docusaurus-test-site.com is "
    )
    assert finding["fix"] == "Set the address that visitors use (docusaurus.config.ts: url)."


def test_an_example_address_is_a_notice(check: Check) -> None:
    (finding,) = check(site("https://example.com/"))
    assert (finding["check"], finding["level"]) == ("doubtful-address", "notice")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (TEMPLATE, "Your-docusaurus-test-site.com is a placeholder from Docusaurus' template."),
        ("https://user.github.io/project/", f"which are outside {SITE}."),
    ],
)
def test_urls_that_are_all_on_another_host_than_given_are_one_finding(
    check: Check, address: str, why: str
) -> None:
    (finding,) = check(site(address), "build", "--site-url", SITE)
    assert (finding["check"], finding["level"]) == ("outside-scope", "error")
    assert finding["problem"].startswith(
        f"lists {address} and 2 other URLs, which are outside {SITE}."
    )
    assert finding["problem"].endswith(why)


def test_a_live_site_that_lists_a_template_address_or_www_has_one_finding(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/sitemap.xml", urlset(TEMPLATE, f"{TEMPLATE}a", f"{TEMPLATE}b"))
    (finding,) = findings(capsys, server.base)
    assert finding["check"] == "outside-scope"
    assert "and 2 other URLs" in finding["problem"]
    assert "is a placeholder from Docusaurus' template." in finding["problem"]
    assert finding["fix"] == "Set the site's public address, and build the site again."


def test_a_live_site_whose_pages_name_another_address_has_one_finding(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, content in site(server.base, "https://docs.acme.dev/").items():
        server.serve(f"/{path.removesuffix('index.html')}", content)
    (finding,) = findings(capsys, server.base, "--pages")
    assert finding["check"] == "contradicted-address"
    assert "3 of 3 pages name https://docs.acme.dev/" in finding["problem"]


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("http://e.org/", "https://e.org/"),
        ("https://www.e.org/", "https://e.org/"),
        ("https://e.org/docs/", "https://www.e.org/docs/"),
        ("https://acme.netlify.app/", "https://docs.acme.dev/"),
    ],
)
def test_canonical_links_to_another_address_are_one_finding(
    check: Check, own: str, other: str
) -> None:
    (finding,) = check(site(own, other), **{"mkdocs.yml": f"site_url: {own}\nsite_dir: build\n"})
    assert (finding["check"], finding["level"]) == ("contradicted-address", "warning")
    assert "3 of 3 pages name " in finding["problem"]
    expected = (
        f"If visitors use {other}, set that address (mkdocs.yml: site_url). Otherwise, correct the"
        " canonical links."
    )
    assert finding["fix"] == expected


def test_cname_canonical_links_and_robots_txt_that_agree_are_one_finding(check: Check) -> None:
    robots = "Sitemap: https://www.e.org/sitemap.xml\n"
    assert kinds(check(site("https://e.org/", **{"robots.txt": robots}))) == [
        "robots-names-other-address"
    ]
    assert kinds(check(site("https://e.org/", CNAME="www.e.org"))) == ["contradicted-address"]
    (finding,) = check(
        site("https://e.org/", "https://www.e.org/", CNAME="www.e.org", **{"robots.txt": robots})
    )
    assert "CNAME names www.e.org, too." in finding["problem"]


def test_cname_at_the_root_of_the_repository_counts_too(check: Check) -> None:
    (finding,) = check(site("https://user.github.io/project/"), CNAME="docs.acme.dev\n")
    assert (finding["check"], finding["where"]) == ("contradicted-address", "CNAME")
    assert finding["problem"].endswith(
        "On GitHub Pages, visitors of user.github.io are redirected to docs.acme.dev."
    )


def test_cname_does_not_count_where_another_host_may_serve_the_site(check: Check) -> None:
    files = site("https://docs.acme.dev/")
    assert kinds(check(files, CNAME="acme.dev\n")) == ["contradicted-address"]
    assert check(files, **{"netlify.toml": "[build]\n"}) == []


def test_pages_of_another_site_are_reported_one_by_one(check: Check) -> None:
    files = site("https://e.org/", "https://e.org/")
    files["a/index.html"] = str(files["a/index.html"]).replace(
        "https://e.org/a/", "https://f.org/a/"
    )
    (finding,) = check(files)
    assert (finding["check"], finding["url"]) == ("canonical-elsewhere", "https://e.org/a/")
    assert "https://f.org/a/" in finding["problem"]


def test_unlisted_pages_show_another_address_too(check: Check) -> None:
    files = site("https://e.org/", "http://e.org/")
    (finding,) = check(files | {"sitemap.xml": urlset("https://e.org/"), "index.html": PAGE})
    assert finding["check"] == "contradicted-address"
    assert "2 of 3 pages name http://e.org/" in finding["problem"]
    unlisted = {
        "a/index.html": str(files["a/index.html"]).replace("http://e.org/", "https://f.org/")
    }
    assert (
        check(
            {
                "sitemap.xml": urlset("https://e.org/", "https://e.org/b/"),
                "b/index.html": PAGE,
                **unlisted,
            }
        )
        == []
    )


@pytest.mark.parametrize(
    ("address", "cname"),
    [
        ("https://user.github.io/project/", ""),
        ("https://docs.acme.dev/", "docs.acme.dev"),
        ("https://docs.acme.dev/v1/", "docs.acme.dev"),
        ("https://acme.pages.dev/", "docs.acme.dev"),
    ],
)
def test_a_right_site_is_clean(check: Check, address: str, cname: str) -> None:
    assert check(site(address, address, **({"CNAME": cname} if cname else {}))) == []
