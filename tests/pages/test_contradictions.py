"""Builds of a site that names a different address than its own, which is one finding, and of sites that
are right.
"""

from pathlib import Path

import pytest

from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.build import Host, publish
from tests.support.planted import write

PATHS = ("", "a/", "b/", "guide/c/")
NAMES = ("index.html", "a/index.html", "b/index.html", "guide/c/index.html")


def built(
    directory: Path, site_url: str, *canonicals: str, cname: str = "", is_trial: bool = False
) -> list[Finding]:
    """Build four pages with these canonical URLs, an empty one for none, and return the findings
    but one.
    """
    write(directory, {"CNAME": cname} if cname else {})
    pages: list[Page] = []
    for path, name, canonical in zip(PATHS, NAMES, canonicals or ("",) * 4, strict=True):
        link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
        write(directory, {name: f"<!doctype html><title>A</title>{link}<p>Text"})
        pages.append(Page(url=site_url + path, file=str(directory / name), source_name=name))
    settings = Settings.load({"lastmod": "off"})
    site = Site(
        url=site_url, directory=str(directory), settings=settings, url_from="mkdocs.yml: site_url"
    )
    findings = publish(pages, site, Host(is_trial=is_trial)).findings
    return [finding for finding in findings if finding.check != "nothing-listed"]


def at(address: str) -> list[str]:
    """Return the canonical URLs of all pages at an address."""
    return [address + path for path in PATHS]


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("http://e.org/", "https://e.org/"),
        ("https://e.org/", "http://e.org/"),
        ("https://e.org/docs/", "https://www.e.org/docs/"),
        ("https://www.e.org/", "https://e.org/"),
        ("http://www.e.org/", "https://e.org/"),
        ("https://acme.netlify.app/", "https://docs.acme.dev/manual/"),
    ],
)
def test_canonical_links_to_another_address_are_one_finding_with_the_option_to_set(
    tmp_path: Path, own: str, other: str
) -> None:
    (finding,) = built(tmp_path, own, *at(other))
    assert (finding.check, finding.level, finding.where) == (
        "contradicted-address",
        "warning",
        "index.html",
    )
    named = other[: other.index("/", 8) + 1]
    assert f" 4 of 4 pages name {named}, but the site's address is {own}." in finding.problem
    assert (
        finding.fix
        == f"If visitors use {other}, set that address (mkdocs.yml: site_url). Otherwise, correct"
        " the canonical links. Until then, these pages are not listed."
    )


def test_some_pages_show_another_address_only_if_it_differs_in_scheme_or_www(
    tmp_path: Path,
) -> None:
    (finding,) = built(tmp_path, "https://e.org/", "", "http://e.org/a/", "http://e.org/b/", "")
    assert "2 of 4 pages name http://e.org/" in finding.problem
    outside = built(tmp_path, "https://e.org/", "", "https://f.org/a/", "https://f.org/b/", "")
    assert [each.check for each in outside] == ["canonical-outside"] * 2


def test_the_home_page_shows_another_address(tmp_path: Path) -> None:
    (finding,) = built(tmp_path, "https://e.org/", "https://f.org/", "", "", "")
    assert finding.check == "contradicted-address"
    assert "1 of 4 pages name https://f.org/" in finding.problem


def test_a_theme_that_names_one_page_of_another_site_shows_no_address_to_set(
    tmp_path: Path,
) -> None:
    (finding,) = built(tmp_path, "https://e.org/", *["https://f.org/shop/x.php"] * 4)
    assert finding.fix == "Correct the canonical links. Until then, these pages are not listed."


def test_canonical_links_from_a_template_are_not_the_address_to_set(tmp_path: Path) -> None:
    (finding,) = built(tmp_path, "https://e.org/", *at("https://your-docusaurus-test-site.com/"))
    assert finding.problem.endswith(
        "Your-docusaurus-test-site.com is a placeholder from Docusaurus' template."
    )
    assert finding.fix.startswith("Correct the canonical links.")


@pytest.mark.parametrize(
    "own", ["https://user.github.io/project/", "https://acme.dev/", "https://old.acme.dev/"]
)
def test_cname_and_canonical_links_to_one_host_are_one_finding(tmp_path: Path, own: str) -> None:
    (finding,) = built(tmp_path, own, cname="www.acme.dev\n")
    assert (finding.check, finding.where, finding.file) == (
        "contradicted-address",
        "CNAME",
        str(tmp_path / "CNAME"),
    )
    assert (
        finding.fix
        == "If visitors use https://www.acme.dev/, set that address (mkdocs.yml: site_url). "
        "Otherwise, correct or delete CNAME."
    )
    (finding,) = built(tmp_path, own, *at("https://www.acme.dev/"))
    assert finding.where == "index.html"
    assert "CNAME names www.acme.dev, too. On GitHub Pages, visitors " in finding.problem


def test_two_other_addresses_are_two_findings(tmp_path: Path) -> None:
    found = built(tmp_path, "http://e.org/", *at("https://e.org/"), cname="docs.acme.dev")
    assert [each.where for each in found] == ["index.html", "CNAME"]


def test_a_placeholder_in_cname_is_corrected_there(tmp_path: Path) -> None:
    (finding,) = built(tmp_path, "https://docs.acme.dev/", cname="www.yourdomain.com\n")
    assert finding.fix == "Correct or delete CNAME."


@pytest.mark.parametrize(
    ("own", "kind"),
    [
        ("https://example.org/", "contradicted-address"),
        ("https://yourdomain.com/", "template-address"),
    ],
)
def test_a_placeholder_as_address_is_one_finding_with_the_domain_in_cname(
    tmp_path: Path, own: str, kind: str
) -> None:
    (finding,) = built(tmp_path, own, cname="docs.acme.dev\n")
    assert (finding.check, finding.level) == (kind, "warning")
    assert "https://docs.acme.dev/" in finding.fix


@pytest.mark.parametrize(
    ("own", "canonicals", "cname"),
    [
        ("https://user.github.io/project/", at("https://user.github.io/project/"), ""),
        ("https://docs.acme.dev/", at("https://docs.acme.dev/"), "docs.acme.dev"),
        ("https://docs.acme.dev/v1/", [], "DOCS.acme.dev."),
        ("https://acme.netlify.app/", [], "docs.acme.dev"),
        ("https://acme.dev/", [], "acme.dev\nwww.acme.dev"),
    ],
    ids=["a project page", "the same domain", "below a path", "another host", "no domain"],
)
def test_a_site_without_another_address_is_clean(
    tmp_path: Path, own: str, canonicals: list[str], cname: str
) -> None:
    assert built(tmp_path, own, *canonicals, cname=cname) == []


def test_another_version_of_the_site_is_not_another_address(tmp_path: Path) -> None:
    found = built(tmp_path, "https://docs.acme.dev/1.0/", *at("https://docs.acme.dev/stable/"))
    assert {each.check for each in found} == {"canonical-outside"}


def test_a_site_that_only_its_author_sees_may_have_another_address(tmp_path: Path) -> None:
    assert built(tmp_path, "https://acme.dev/", cname="docs.acme.dev", is_trial=True) == []
