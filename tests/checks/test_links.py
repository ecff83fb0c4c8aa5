"""Orphans, and linked pages that are not listed: what the links of a built site show."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base.model import Finding
from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.checks.audit import Audit
from smindex_plugins.cli.main import main
from smindex_plugins.reading.directory import Directory
from tests.support.command import findings
from tests.support.planted import urlset, write
from tests.support.project import Project

BASE = "https://e.org/docs/"


def page(*links: str, head: str = "") -> str:
    return f"<!doctype html><title>A</title>{head}<p>Text" + "".join(
        f'<a href="{link}">a</a>' for link in links
    )


def check(directory: Path, *listed: str, **pages: str) -> tuple[list[Finding], Audit]:
    """Check a site whose pages are given by the names of their files, with _ for a slash."""
    write(directory, {f"{name.replace('_', '/')}.html": html for name, html in pages.items()})
    write(directory, {"sitemap.xml": urlset(*(BASE + path for path in listed))})
    audit = Audit()
    site = DirectoryCheck(directory=Directory(path=str(directory), site_url=BASE), with_links=True)
    return list(site.findings(audit)), audit


def orphans(directory: Path, *listed: str, **pages: str) -> list[str]:
    found, _ = check(directory, *listed, **pages)
    return sorted(each.url.removeprefix(BASE) for each in found if each.check == "orphan-page")


def test_a_page_is_an_orphan_if_no_other_listed_page_links_to_it_except_the_home_page(
    tmp_path: Path,
) -> None:
    pages = {
        "a_index": page("../c/"),
        "b_index": page("../b/", "#x"),
        "c_index": page(),
        "d_index": page("../b/"),
    }
    found, _ = check(tmp_path, "", "a/", "b/", "c/", index=page("a/"), **pages)
    (orphan,) = [each for each in found if each.check == "orphan-page"]
    assert orphan.problem == f"lists {BASE}b/, but no other listed page links to it."
    assert (orphan.level, orphan.url, orphan.where, orphan.line) == (
        "notice",
        f"{BASE}b/",
        "sitemap.xml",
        5,
    )


@pytest.mark.parametrize(
    "link", ["a/", "a/index.html", "/docs/a/#b", f"{BASE}a/?from=b", "a/./x/..", "A/../a/", "%61/"]
)
def test_a_link_counts_in_any_form_that_leads_to_the_file(tmp_path: Path, link: str) -> None:
    assert (
        orphans(tmp_path, "", "a/", "b.html", index=page(link, "b"), a_index=page(), b=page()) == []
    )


def test_a_link_through_redirects_and_to_a_copy_with_a_canonical_url_counts(tmp_path: Path) -> None:
    refresh = '<meta http-equiv="refresh" content="0; url=../{}/">'
    canonical = f'<link rel="canonical" href="{BASE}b/">'
    ways = {"old": refresh.format("older"), "older": refresh.format("a"), "copy": canonical}
    pages = {f"{name}_index": page(head=head) for name, head in {**ways, "a": "", "b": ""}.items()}
    assert orphans(tmp_path, "", "a/", "b/", index=page("old/", "copy/"), **pages) == []


@pytest.mark.parametrize(
    "html",
    [
        page(head='<base href="https://other.example/">') + '<a href="a/">',
        page() + '<a rel="nofollow" href="a/">',
        page() + '<!-- <a href="a/"> -->',
        page("https://other.example/docs/a/", "http://e.org/docs/a/", "/a/"),
        page(head='<meta name="robots" content="nofollow">') + '<a href="a/">',
    ],
)
def test_what_does_not_lead_there_is_no_link_to_a_page(tmp_path: Path, html: str) -> None:
    assert orphans(tmp_path, "", "a/", "b/", index=html, a_index=page("../b/"), b_index=page()) == [
        "a/"
    ]


def test_a_site_whose_links_scripts_make_has_no_orphans_and_says_so(tmp_path: Path) -> None:
    found, audit = check(
        tmp_path, "", "a/", index=page() + "<script src=app.js></script>", a_index=page()
    )
    assert [each for each in found if each.check == "orphan-page"] == []
    assert "orphans (no listed page links to another one)" in audit.totals.unseen


def test_a_linked_page_that_could_be_listed_is_named_with_a_page_that_links_to_it(
    tmp_path: Path,
) -> None:
    """But none that declares why it is not listed, nor one to which only such a page links."""
    head = {
        "c": '<meta name="robots" content="noindex">',
        "d": f'<link rel="canonical" href="{BASE}a/">',
    }
    pages = {f"{name}_index": page("../e/", head=head.get(name, "")) for name in "bcde"}
    links = page("a/", "b/", "c/", "d/", "404.html")
    found, _ = check(
        tmp_path, "", "a/", index=links, a_index=page("../b/"), **{**pages, "404": page()}
    )
    unlisted = [(each.where, each.problem) for each in found if each.check == "unlisted-but-linked"]
    assert unlisted == [("b/index.html", f"it is in no sitemap, but {BASE} links to it.")]


def test_only_so_much_of_a_page_is_read_as_search_engines_read(tmp_path: Path) -> None:
    long = page("b/") + " " * (1 << 21) + '<a href="a/">'
    found, audit = check(tmp_path, "", "a/", "b/", index=long, a_index=page(), b_index=page())
    assert [each.url for each in found if each.check == "orphan-page"] == [f"{BASE}a/"]
    assert "links after the first 2 MiB of a page (1)" in audit.totals.unseen


def test_the_command_reads_links_only_if_it_is_asked_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page that the settings leave out is not one that could be listed: this is a real build."""
    project = Project(tmp_path)
    project.small("sitemap-index: {exclude: ['guide/b/']}", nav="[index.md, guide/b.md]")
    assert project.build().code == 0
    for arguments, expected in (
        ([], {}),
        (
            ["--links"],
            {"orphan-page": "https://example.org/docs/guide/a/"},
        ),
    ):
        found = {
            each["check"]: each["url"] for each in findings(capsys, str(project.root), *arguments)
        }
        assert {
            kind: found[kind] for kind in ("orphan-page", "unlisted-but-linked") if kind in found
        } == expected
    assert main(["check", str(project.root), "--links"]) == 0
    assert ", 2 pages, " in capsys.readouterr().out


NAMES = ["", "a/", "b/", "c/", "d/"]


@given(
    edges=st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))),
    listed=st.sets(st.sampled_from(NAMES), min_size=1),
)
def test_what_links_show_of_any_site_is_what_its_graph_says(
    tmp_path_factory: pytest.TempPathFactory, edges: set[tuple[str, str]], listed: set[str]
) -> None:
    files = {
        f"{name.replace('/', '_')}index": page(
            *(f"/docs/{to}" for start, to in sorted(edges) if start == name)
        )
        for name in NAMES
    }
    found, audit = check(tmp_path_factory.mktemp("site"), *sorted(listed), **files)
    counted = [(start, to) for start, to in edges if start in listed and start != to]
    reached = {to for _, to in counted}
    assert audit.totals.links == len(counted)
    alone = {each.url.removeprefix(BASE) for each in found if each.check == "orphan-page"}
    assert alone == (listed - reached - {""} if counted else set())
    unlisted = {
        each.url.removeprefix(BASE) for each in found if each.check == "unlisted-but-linked"
    }
    assert unlisted == reached - listed
