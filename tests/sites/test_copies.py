"""A flat sitemap or a second index beside the index: one notice where it repeats, and named where it lists more."""

from pathlib import Path

import pytest

from tests.support.command import SITE, findings
from tests.support.planted import index, urlset, write
from tests.support.server import Server

PAGES = [SITE, *(f"{SITE}{name}/" for name in "abcdefgh")]
OURS = "<!-- Written by smindex-plugins -->\n<"


def ours(text: str) -> str:
    return text.replace("<urlset", OURS + "urlset").replace("<sitemapindex", OURS + "sitemapindex")


def site(root: Path, *flat: str, robots: str = "", **more: str) -> Path:
    named = "".join(f"Sitemap: {SITE}{name}\n" for name in robots.split())
    files = {"sitemap_index.xml": ours(index(SITE + "s.xml")), "s.xml": ours(urlset(*PAGES))}
    flats = {"sitemap.xml": urlset(*flat)} if flat else {}
    return write(root, {**files, **flats, **({"robots.txt": named} if named else {}), **more})


def found(capsys: pytest.CaptureFixture[str], root: Path | str, *arguments: str) -> list[tuple[str, str, str]]:
    told = findings(capsys, str(root), *arguments)
    return [(each["check"], each["where"], each["problem"]) for each in told]


def test_a_flat_sitemap_that_robots_txt_names_too_is_one_notice_with_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site(tmp_path, *PAGES, robots="sitemap.xml sitemap_index.xml")
    problem = "it names sitemap.xml, which lists 9 pages that sitemap_index.xml lists too."
    assert found(capsys, tmp_path) == [("redundant-sitemap", "robots.txt, line 1", problem)]


def test_what_it_lists_beyond_the_index_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = [f"{SITE}drafts/{name}/" for name in "abcd"]
    site(tmp_path, *PAGES, *more, robots="sitemap.xml sitemap_index.xml")
    problem = (
        f"lists 4 pages that sitemap_index.xml leaves out: {SITE}drafts/a/, {SITE}drafts/b/, {SITE}drafts/c/ "
        "and 1 more."
    )
    redundant, beyond = found(capsys, tmp_path)
    assert redundant[0] == "redundant-sitemap"
    assert beyond == ("listed-beside-index", "sitemap.xml, line 12", problem)


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz"])
def test_the_flat_sitemap_of_mkdocs_is_quiet_as_long_as_it_tells_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    site(tmp_path, **{name: urlset(*PAGES[2:])})
    assert found(capsys, tmp_path) == []
    site(tmp_path, **{name: urlset(*PAGES, SITE + "secret/")})
    (told,) = found(capsys, tmp_path)
    problem = f"lists 1 page that sitemap_index.xml leaves out: {SITE}secret/."
    assert told == ("listed-beside-index", f"{name}, line 12", problem)


def test_one_in_a_directory_that_was_joined_is_compared_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = site(tmp_path)
    write(root, {"sitemap_index.xml": ours(index(SITE + "s.xml", SITE + "de/s.xml")), "de/s.xml": urlset(SITE + "de/")})
    write(root, {"de/sitemap_index.xml": ours(index(SITE + "de/s.xml")), "de/sitemap.xml": urlset(SITE + "de/x/")})
    assert [check for check, _, _ in found(capsys, root)] == ["listed-beside-index"]


def test_a_second_index_of_the_same_pages_is_one_notice_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As where `smindex build` is run on a site whose generator wrote an index already."""
    theirs = {"sitemap-index.xml": index(SITE + "sitemap-0.xml"), "sitemap-0.xml": urlset(*PAGES)}
    site(tmp_path, robots="sitemap-index.xml sitemap_index.xml", **theirs)
    problem = "it names sitemap-index.xml, which lists 9 pages that sitemap_index.xml lists too."
    assert found(capsys, tmp_path) == [("redundant-sitemap", "robots.txt, line 1", problem)]


def test_one_that_no_search_engine_is_told_of_is_quiet_under_whatever_name_the_index_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"all.xml": ours(index(SITE + "s.xml")), "s.xml": ours(urlset(*PAGES)), "sitemap.xml": urlset(*PAGES)}
    write(tmp_path, {**files, "robots.txt": f"Sitemap: {SITE}all.xml\n"})
    assert found(capsys, tmp_path) == []


def test_a_real_duplicate_stays_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site(tmp_path, *PAGES, robots="sitemap.xml sitemap_index.xml")
    write(tmp_path, {"s.xml": ours(urlset(*PAGES, PAGES[3])), "sitemap.xml": urlset(*PAGES, PAGES[4])})
    told = [(check, where.partition(",")[0]) for check, where, _ in found(capsys, tmp_path)]
    assert sorted(told) == [
        ("duplicate-url", "s.xml"),
        ("duplicate-url", "sitemap.xml"),
        ("redundant-sitemap", "robots.txt"),
    ]


def test_a_sitemap_of_other_pages_that_repeats_one_is_no_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site(tmp_path, PAGES[1], SITE + "y", SITE + "z", robots="sitemap.xml sitemap_index.xml")
    assert [check for check, _, _ in found(capsys, tmp_path)] == ["duplicate-url"]
    site(tmp_path, SITE + "y", SITE + "z", robots="sitemap.xml sitemap_index.xml")
    assert found(capsys, tmp_path) == []


def test_two_flat_sitemaps_without_an_index_repeat_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = f"Sitemap: {SITE}a.xml\nSitemap: {SITE}b.xml\n"
    write(tmp_path, {"robots.txt": lines, "a.xml": urlset(SITE + "x"), "b.xml": urlset(SITE + "x")})
    assert [check for check, _, _ in found(capsys, tmp_path)] == ["duplicate-url"]


def test_a_live_site_is_told_the_same(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [f"{server.base}{name}/" for name in "abc"]
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\nSitemap: {server.base}sitemap.xml\n")
    server.serve("/sitemap_index.xml", ours(index(server.base + "s.xml")))
    server.serve("/s.xml", ours(urlset(*pages)))
    server.serve("/sitemap.xml", urlset(*pages))
    told = [(check, where) for check, where, _ in found(capsys, server.base)]
    assert told == [("redundant-sitemap", f"{server.base}robots.txt, line 2")]


@pytest.mark.parametrize(
    ("flat", "check"), [("", "unreadable-sitemap"), ("no XML", "unreadable-sitemap"), (urlset(), "empty-sitemap")]
)
def test_one_with_nothing_for_anybody_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flat: str, check: str
) -> None:
    site(tmp_path, robots="sitemap_index.xml", **{"sitemap.xml": flat})
    assert [(each["check"], each["file"]) for each in findings(capsys, str(tmp_path), code=1)] == [
        (check, str(tmp_path / "sitemap.xml"))
    ]
