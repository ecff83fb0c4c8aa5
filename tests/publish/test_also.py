"""Sitemaps of other builds in the index: which are listed, with which dates, and that their files stay."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.announcing import diff
from smindex_plugins.cli.main import main
from smindex_plugins.model import Page
from smindex_plugins.pipeline import publish
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps.rendering import ALSO, JOINED
from smindex_plugins.sites import Audit, Directory
from tests.support.listed import read_entries
from tests.support.planted import index, urlset, write

BASE = "https://e.org/docs/"
NOW = datetime(2026, 5, 10, tzinfo=UTC)
PAGE = "<!doctype html><title>A</title><p>Text"
OWN = [f"{BASE}guide/sitemap.xml", f"{BASE}sitemap-root.xml"]
OTHER = "https://other.example/sitemap.xml"
DATED = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    f"<url><loc>{BASE}blog/a/</loc><lastmod>2026-03-01</lastmod></url>"
    f"<url><loc>{BASE}blog/b/</loc><lastmod>2026-04-01T02:00:00+02:00</lastmod></url>"
    f"<url><loc>{BASE}blog/c/</loc><lastmod>2099-01-01</lastmod></url></urlset>\n"
)


def run(directory: Path, *paths: str, flat: str = "", **settings: Any) -> Report:  # noqa: ANN401 - any option
    paths = paths or ("", "guide/a/", "guide/b/")
    write(directory, {f"{path}index.html": PAGE for path in paths})
    pages = [Page(url=BASE + path, file=str(directory / path / "index.html")) for path in paths]
    return publish(
        pages,
        site_url=BASE,
        directory=str(directory),
        settings=Settings.load(settings),
        flat=flat,
        beside=str(directory),
        now=NOW,
    )


def entries(directory: Path, name: str = "sitemap_index.xml") -> dict[str, str | None]:
    return {entry.url: entry.lastmod for entry in read_entries((directory / name).read_bytes())}


def checks(report: Report) -> list[tuple[str, str]]:
    return [(each.check, each.where) for each in report.findings if not each.check.startswith("undated")]


def test_a_sitemap_that_is_not_at_hand_is_listed_last_without_a_date(tmp_path: Path) -> None:
    report = run(tmp_path, also=f"{BASE}blog/sitemap.xml")
    assert list(entries(tmp_path).items()) == [*((url, None) for url in OWN), (f"{BASE}blog/sitemap.xml", None)]
    assert checks(report) == []
    assert (report.sitemaps, report.also) == (2, 1)
    assert "2 sitemaps and 1 of other builds listed in" in report.summary(1)
    assert (tmp_path / "sitemap_index.xml").read_bytes().count(ALSO) == 1


@pytest.mark.parametrize(
    ("options", "date"),
    [({}, "2026-04-01T00:00:00Z"), ({"lastmod_format": "date"}, "2026-04-01"), ({"lastmod": "off"}, None)],
)
def test_a_file_that_is_at_hand_tells_its_newest_date_that_is_not_in_the_future(
    tmp_path: Path, options: dict[str, Any], date: str | None
) -> None:
    write(tmp_path, {"blog/sitemap.xml": DATED})
    run(tmp_path, also=f"{BASE}blog/sitemap.xml", **options)
    assert entries(tmp_path)[f"{BASE}blog/sitemap.xml"] == date


@pytest.mark.parametrize("url", ["https://e.org/sitemap.xml", "http://e.org/docs/blog/sitemap.xml", OTHER])
def test_a_sitemap_out_of_scope_is_not_listed_and_both_urls_are_named(tmp_path: Path, url: str) -> None:
    report = run(tmp_path, also=[f"{BASE}blog/sitemap.xml", url])
    assert url not in entries(tmp_path)
    (finding,) = [each for each in report.findings if each.check == "sitemap-outside-index"]
    assert (finding.level, finding.where) == ("error", "also[1]")
    assert finding.problem == f"{url} is outside {BASE}, where the index is, so it is not listed."


def test_a_sitemap_of_a_site_whose_robots_txt_names_the_index_is_listed(tmp_path: Path) -> None:
    write(tmp_path, {"other.txt": f"Sitemap: {BASE}sitemap_index.xml\n"})
    report = run(tmp_path, also=OTHER, cross_site={"https://other.example": "other.txt"})
    assert list(entries(tmp_path)) == [*OWN, OTHER]
    assert checks(report) == []


def test_an_index_is_not_listed_by_its_content_or_by_its_name(tmp_path: Path) -> None:
    write(tmp_path, {"blog/sitemap.xml": index(f"{BASE}blog/a.xml")})
    also = [f"{BASE}blog/sitemap.xml", f"{BASE}wiki/sitemap_index.xml", f"{BASE}sitemap_index.xml"]
    report = run(tmp_path, also=also)
    assert list(entries(tmp_path)) == OWN
    assert checks(report) == [("nested-index", f"also[{at}]") for at in range(3)]
    assert all("smindex join" in each.fix for each in report.findings if each.check == "nested-index")


def test_a_sitemap_of_this_build_is_not_listed_twice(tmp_path: Path) -> None:
    for _ in range(2):  # the second time, it is at hand
        report = run(tmp_path, also=OWN[:1])
        assert list(entries(tmp_path)) == OWN
        assert checks(report) == [("redundant-sitemap", "also")]
    write(tmp_path, {"sitemap.xml": urlset(BASE)})
    assert checks(run(tmp_path, also=f"{BASE}sitemap.xml", flat="sitemap.xml")) == [("redundant-sitemap", "also")]


@pytest.mark.parametrize("content", [DATED, DATED.replace("\n", "\n<!-- Written by smindex-plugins -->\n", 1)])
def test_a_file_of_another_build_is_never_replaced_or_removed(tmp_path: Path, content: str) -> None:
    """Neither where a section of this build would have its name, nor when it is listed no more."""
    write(tmp_path, {"guide/sitemap.xml": content})
    paths = ("", "guide/a/", "guide/b/")
    report = run(tmp_path, *paths, also=f"{BASE}guide/sitemap.xml")
    assert (report.pages, report.sitemaps) == (3, 2)
    renamed = next(url for url in entries(tmp_path) if url.startswith(f"{BASE}guide/sitemap-"))
    before = (tmp_path / "sitemap_index.xml").read_bytes()
    run(tmp_path, *paths, also=f"{BASE}guide/sitemap.xml")
    assert (tmp_path / "sitemap_index.xml").read_bytes() == before
    run(tmp_path, "")
    assert list(entries(tmp_path)) == [f"{BASE}sitemap-root.xml"]
    assert (tmp_path / "guide/sitemap.xml").read_text(encoding="utf-8") == content
    assert not (tmp_path / renamed.removeprefix(BASE)).exists()


def test_without_a_page_there_is_no_index_of_the_sitemaps_of_others(tmp_path: Path) -> None:
    report = run(tmp_path, also=f"{BASE}blog/sitemap.xml", exclude="**")
    assert (report.index_urls, report.also) == ([], 0)


def test_too_many_for_one_index_are_listed_in_several(tmp_path: Path) -> None:
    also = [f"{BASE}{number}.xml" for number in range(5)]
    report = run(tmp_path, also=also, max_urls=3)
    assert len(report.index_urls) == 3
    names = [f"sitemap_index-{number}.xml" for number in (1, 2, 3)]
    assert {url for name in names for url in entries(tmp_path, name)} >= set(also)


def test_a_check_a_comparison_and_show_read_the_rest_and_say_what_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "site", {"blog/sitemap.xml": DATED.replace("2099", "2019"), "blog/a/index.html": PAGE})
    run(tmp_path / "site", also=[f"{BASE}blog/sitemap.xml", f"{BASE}wiki/sitemap.xml"])
    audit = Audit()
    found = list(Directory(path=str(tmp_path / "site"), site_url=BASE).findings(audit))
    assert "missing-sitemap" not in {each.check for each in found}
    assert "1 sitemap of another build (not in this directory)" in audit.totals.unseen
    assert audit.totals.sitemaps == 3
    assert list(diff(str(tmp_path / "site"), str(tmp_path / "site")).changed) == []
    assert main(["show", str(tmp_path / "site"), "--site-url", BASE]) == 0
    assert "blog" in capsys.readouterr().out


def test_a_join_keeps_them_and_its_own_entries_come_after(tmp_path: Path) -> None:
    run(tmp_path, also=[f"{BASE}blog/sitemap.xml", f"{BASE}wiki/sitemap.xml"])
    write(tmp_path, {"blog/sitemap.xml": DATED, "api/sitemap_index.xml": index(f"{BASE}api/sitemap.xml")})
    write(tmp_path, {"api/sitemap.xml": urlset(f"{BASE}api/a/")})
    for _ in range(2):
        assert main(["join", str(tmp_path), "--site-url", BASE]) == 0
        content = (tmp_path / "sitemap_index.xml").read_bytes()
        assert list(entries(tmp_path)) == [
            *OWN,
            f"{BASE}blog/sitemap.xml",
            f"{BASE}wiki/sitemap.xml",
            f"{BASE}api/sitemap.xml",
        ]
        assert content.index(OWN[1].encode()) < content.index(ALSO) < content.index(JOINED)
    run(tmp_path, also=f"{BASE}wiki/sitemap.xml")
    assert list(entries(tmp_path)) == [*OWN, f"{BASE}wiki/sitemap.xml"]
    assert (tmp_path / "blog/sitemap.xml").exists()


NAMES = st.sampled_from(
    [
        *(
            f"{BASE}{path}"
            for path in ("blog/sitemap.xml", "guide/sitemap.xml", "sitemap-root.xml", "sitemap_index.xml")
        ),
        *(OTHER, "https://e.org/sitemap.xml", f"{BASE}big.xml.gz", f"{BASE}a.txt"),
    ]
)


@given(also=st.lists(NAMES, unique=True), at_hand=st.booleans(), placement=st.sampled_from(["root", "section"]))
def test_whatever_is_named_the_index_lists_each_sitemap_once_and_in_scope(
    tmp_path_factory: pytest.TempPathFactory, *, also: list[str], at_hand: bool, placement: str
) -> None:
    directory = tmp_path_factory.mktemp("site")
    if at_hand:
        write(directory, {"guide/sitemap.xml": DATED, "blog/sitemap.xml": DATED})
    report = run(directory, also=also, sitemap_placement=placement)
    if (
        not report.index_urls
    ):  # a file of others has the name of a section's sitemap, and nothing says that it is listed
        assert "file-not-ours" in {each.check for each in report.findings}
        return
    found = [entry.url for entry in read_entries((directory / "sitemap_index.xml").read_bytes())]
    assert len(found) == len(set(found)) == report.sitemaps + report.also
    assert all(urls.is_within(url, BASE) for url in found)
    assert report.pages == 3
    first = (directory / "sitemap_index.xml").read_bytes()
    run(directory, also=also, sitemap_placement=placement)
    assert (directory / "sitemap_index.xml").read_bytes() == first
