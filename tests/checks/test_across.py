"""Rules for several files: a flat sitemap beside the index, repeated URLs, and variants that name each other."""

from pathlib import Path

import pytest

from smindex_plugins.checks import Selection, Site
from smindex_plugins.sitemaps import Document, Entry
from tests.support.command import SITE, findings
from tests.support.listed import document
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

PAGES = [SITE, *(f"{SITE}{name}/" for name in "abcdefgh")]
OURS = "<!-- Written by smindex-plugins -->\n<"


def ours(text: str) -> str:
    return text.replace("<urlset", OURS + "urlset").replace("<sitemapindex", OURS + "sitemapindex")


def site(root: Path, *flat: str, robots: str = "", **more: str) -> Path:
    """Write a site of nine pages by this tool, with a flat sitemap beside the index and what robots.txt names."""
    files = {"sitemap_index.xml": ours(index(SITE + "s.xml")), "s.xml": ours(urlset(*PAGES))}
    if flat:
        files["sitemap.xml"] = urlset(*flat)
    if robots:
        files["robots.txt"] = "".join(f"Sitemap: {SITE}{name}\n" for name in robots.split())
    return write(root, {**files, **more})


def found(capsys: pytest.CaptureFixture[str], root: Path | str) -> list[tuple[str, str, str]]:
    return [(each["check"], each["where"], each["problem"]) for each in findings(capsys, str(root))]


BOTH = "sitemap.xml sitemap_index.xml"
REPEATS = (
    "redundant-sitemap",
    "robots.txt, line 1",
    "it names {}, which lists 9 pages that sitemap_index.xml lists too.",
)


def test_a_flat_sitemap_that_robots_txt_names_too_is_one_notice_with_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site(tmp_path, *PAGES, robots=BOTH)
    assert found(capsys, tmp_path) == [(*REPEATS[:2], REPEATS[2].format("sitemap.xml"))]


def test_a_second_index_of_the_same_pages_is_one_notice_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As where `smindex build` is run on a site whose generator wrote an index already."""
    theirs = {"sitemap-index.xml": index(SITE + "sitemap-0.xml"), "sitemap-0.xml": urlset(*PAGES)}
    site(tmp_path, robots="sitemap-index.xml sitemap_index.xml", **theirs)
    assert found(capsys, tmp_path) == [(*REPEATS[:2], REPEATS[2].format("sitemap-index.xml"))]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz"])
def test_the_flat_sitemap_of_mkdocs_is_quiet_unless_it_lists_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    site(tmp_path, **{name: urlset(*PAGES[2:])})
    assert found(capsys, tmp_path) == []
    site(tmp_path, **{name: urlset(*PAGES, *(f"{SITE}drafts/{each}/" for each in "abcd"))})
    more = f"{SITE}drafts/a/, {SITE}drafts/b/, {SITE}drafts/c/ and 1 more"
    problem = f"lists 4 pages that sitemap_index.xml leaves out: {more}."
    assert found(capsys, tmp_path) == [("listed-beside-index", f"{name}, line 12", problem)]


def test_a_flat_sitemap_in_a_joined_directory_is_compared_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    joined = {"sitemap_index.xml": ours(index(SITE + "s.xml", SITE + "de/s.xml")), "de/s.xml": urlset(SITE + "de/")}
    inner = {"de/sitemap_index.xml": ours(index(SITE + "de/s.xml")), "de/sitemap.xml": urlset(SITE + "de/x/")}
    site(tmp_path, **joined, **inner)
    assert [check for check, _, _ in found(capsys, tmp_path)] == ["listed-beside-index"]


def test_a_flat_sitemap_that_robots_txt_does_not_name_is_quiet_whatever_the_name_of_the_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"all.xml": ours(index(SITE + "s.xml")), "s.xml": ours(urlset(*PAGES)), "sitemap.xml": urlset(*PAGES)}
    write(tmp_path, {**files, "robots.txt": f"Sitemap: {SITE}all.xml\n"})
    assert found(capsys, tmp_path) == []


def test_a_duplicate_in_either_file_stays_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site(tmp_path, *PAGES, PAGES[4], robots=BOTH, **{"s.xml": ours(urlset(*PAGES, PAGES[3]))})
    lines = sorted((check, where.partition(",")[0]) for check, where, _ in found(capsys, tmp_path))
    assert lines == [("duplicate-url", "s.xml"), ("duplicate-url", "sitemap.xml"), ("redundant-sitemap", "robots.txt")]


def test_a_sitemap_of_other_pages_that_repeats_one_is_no_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site(tmp_path, PAGES[1], SITE + "y", SITE + "z", robots=BOTH)
    assert [check for check, _, _ in found(capsys, tmp_path)] == ["duplicate-url"]
    site(tmp_path, SITE + "y", SITE + "z", robots=BOTH)
    assert found(capsys, tmp_path) == []


@pytest.mark.parametrize(("flat", "kind"), [("no XML", "unreadable-sitemap"), (urlset(), "empty-sitemap")])
def test_a_flat_sitemap_that_nobody_can_use_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flat: str, kind: str
) -> None:
    site(tmp_path, robots="sitemap_index.xml", **{"sitemap.xml": flat})
    assert [(check, where.partition(",")[0]) for check, where, _ in found(capsys, tmp_path)] == [(kind, "sitemap.xml")]


def test_a_live_site_has_the_same_findings(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [f"{server.base}{name}/" for name in "abc"]
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\nSitemap: {server.base}sitemap.xml\n")
    server.serve("/sitemap_index.xml", ours(index(server.base + "s.xml")))
    server.serve("/s.xml", ours(urlset(*pages)))
    server.serve("/sitemap.xml", urlset(*pages))
    lines = [(check, where) for check, where, _ in found(capsys, server.base)]
    assert lines == [("redundant-sitemap", f"{server.base}robots.txt, line 2")]


def judged(*documents: Document) -> list[tuple[str, str]]:
    whole = Site()
    for each in documents:
        whole.add(each)
    return [(finding.check, finding.problem) for finding in Selection().judge(whole)]


def test_a_url_that_is_listed_again_after_its_twin_is_a_duplicate() -> None:
    a, b = SITE + "a", SITE + "a/"
    assert judged(document("urlset", SITE + "s.xml", a, b), document("urlset", SITE + "t.xml", b)) == [
        ("twin-url", f"lists {b}, which differs from {a} only in the trailing slash."),
        ("duplicate-url", f"lists {b}, which {SITE}s.xml already lists."),
    ]


def test_language_variants_are_compared_between_files_and_may_be_listed_twice() -> None:
    def page(name: str, *codes: str) -> Document:
        entry = Entry(SITE + name, SITE + name, alternates=tuple((code, SITE + code) for code in codes))
        return Document(url=f"{SITE}{name}.xml", kind="urlset", entries=[entry])

    both = page("en", "en", "de")
    assert not judged(both, page("de", "en", "de"))
    assert [kind for kind, _ in judged(both, page("de", "de"))] == ["hreflang-not-mutual"]
    assert [kind for kind, _ in judged(both, page("de", "de"), page("de", "en"))] == ["duplicate-url"]
