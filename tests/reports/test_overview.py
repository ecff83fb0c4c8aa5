"""An overview has what the XML holds: sections, pages, dates, what was left out, and what changed."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from smindex_plugins.model import NamedSection
from smindex_plugins.projects import BuiltSite
from smindex_plugins.reports import Overview, look, write_report
from smindex_plugins.reports.overview import describe_bulks
from smindex_plugins.settings import Settings
from smindex_plugins.sites import Directory, Live, PartlyReadError
from tests.support.command import PAGE, SITE
from tests.support.overviews import COMMIT
from tests.support.planted import NAMESPACE, index, urlset, write
from tests.support.servers import Server

MARK = "<!-- Written by smindex-plugins -->"


def entries(*dated: tuple[str, str]) -> str:
    listed = (f"<loc>{SITE}{url}</loc>" + (f"<lastmod>{day}</lastmod>" if day else "") for url, day in dated)
    return urlset(*listed).replace("?>\n", f"?>\n{MARK}\n", 1)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site of three sections, one of which was split into two files."""
    names = ("sitemap-root.xml", "a/sitemap.xml", "a/sitemap-1.xml", "sitemap-api.xml")
    files: dict[str, str | bytes] = {
        "sitemap_index.xml": index(*(SITE + name for name in names)),
        "sitemap-root.xml": entries(("", "2024-05-01"), ("b.html", "")),
        "a/sitemap.xml": entries(("a/1.html", "2020-01-01T00:00:01Z")),
        "a/sitemap-1.xml": entries(("a/2.html", "2022-01-01T01:00:00+01:00"), ("a/3.html", "nonsense")),
        "sitemap-api.xml": entries(("c.html", "2021-01-01")),
        **dict.fromkeys(("index.html", "b.html", "c.html", *(f"a/{number}.html" for number in (1, 2, 3))), PAGE),
        "no.html": PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>'),
    }
    return write(tmp_path / "site", files)


def of(site: Path, since: Path | str = "") -> Overview:
    return look(Directory(path=str(site)), since=str(since))


def in_json(overview: Overview) -> Any:  # noqa: ANN401 - what JSON holds
    out = io.StringIO()
    write_report(overview, "json", out)
    return json.loads(out.getvalue())


def test_it_has_every_page_of_the_xml_with_its_date(site: Path) -> None:
    in_xml = {
        entry.findtext(f"{{{NAMESPACE}}}loc"): entry.findtext(f"{{{NAMESPACE}}}lastmod")
        for path in site.rglob("*sitemap*.xml")
        for entry in etree.parse(path).getroot().iterfind(f"{{{NAMESPACE}}}url")
    }
    in_xml |= {f"{SITE}a/2.html": "2022-01-01T00:00:00Z", f"{SITE}a/3.html": None}
    overview = of(site)
    assert {page.url: page.lastmod for page in overview.pages} == in_xml
    assert (overview.site, overview.summary.pages, overview.summary.undated) == (SITE, 6, 2)
    assert overview.files[0].file == "sitemap_index.xml"
    assert (overview.summary.indexes, overview.summary.sitemaps, overview.summary.sections) == (1, 4, 3)


def test_a_section_has_the_numbers_of_its_files(site: Path) -> None:
    sections = {section.name: section for section in of(site).sections}
    assert list(sections) == ["root", "a/", "api"]
    part = sections["a/"]
    paths = [site / name for name in part.files]
    assert [path.name for path in paths] == ["sitemap.xml", "sitemap-1.xml"]
    assert part.pages == sum(len(etree.parse(path).getroot().findall(f"{{{NAMESPACE}}}url")) for path in paths)
    assert part.bytes == sum(path.stat().st_size for path in paths)
    assert (part.newest, part.oldest, part.undated) == ("2022-01-01T00:00:00Z", "2020-01-01T00:00:01Z", 1)
    assert part.share_of_urls == 2 / 50_000
    assert part.share_of_bytes == round(max(path.stat().st_size for path in paths) / 52_428_800, 6)
    total = of(site).total
    assert (total.pages, total.newest, total.oldest) == (6, "2024-05-01", "2020-01-01T00:00:01Z")


def test_a_named_section_is_no_part_of_another_and_neither_are_files_of_other_generators(tmp_path: Path) -> None:
    files = {f"sitemap-api{end}.xml": entries((f"{number}", "")) for number, end in enumerate(("", "-1"))}
    write(tmp_path, {"sitemap_index.xml": index(*(SITE + name for name in files)), **files})
    assert [section.name for section in of(tmp_path).sections] == ["api"]
    settings = Settings(sections=(NamedSection(name="api-1", urls=("1",)),))
    built = BuiltSite(directory=str(tmp_path / "moved"), settings=settings)
    named = look(Directory(path=str(tmp_path)), site=built)
    assert [section.name for section in named.sections] == ["api", "api-1"]
    write(tmp_path, {name: text.replace(MARK, "") for name, text in files.items()})
    assert [section.name for section in of(tmp_path).sections] == ["api", "api-1"]


def test_what_is_left_out_has_its_reason(site: Path) -> None:
    overview = of(site)
    (page,) = overview.left_out
    assert (page.url, page.file, page.reason) == (SITE + "no.html", "no.html", "marked noindex")
    assert overview.left_out_by_reason == {"marked noindex": [page]}
    assert overview.summary.left_out == 1


def test_a_live_site_is_as_its_files_are(server: Server) -> None:
    server.serve("/sitemap_index.xml", index(server.base + "a/sitemap.xml"))
    server.serve("/a/sitemap.xml", urlset(server.base + "a/b", f"<loc>{server.base}a/c</loc><lastmod>2024</lastmod>"))
    overview = look(Live(url=server.base))
    assert [(each.name, each.pages, each.undated) for each in overview.sections] == [("a/", 2, 1)]
    assert overview.summary.left_out is None


@pytest.mark.parametrize("earlier", ["r.json", "before"])
def test_what_changed_since_an_earlier_report_or_build(site: Path, earlier: str) -> None:
    with (site.parent / "r.json").open("w") as out:
        write_report(of(site), "json", out)
    xml = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*.xml")}
    write(site.parent / "before", xml)
    write(site, {"sitemap-root.xml": entries(("", "2024-05-31"), ("new.html", ""))})
    changes = in_json(of(site, site.parent / earlier))["changes"]
    assert (changes["old"], changes["new"]) == (str(site.parent / earlier), str(site))
    assert (changes["added"], changes["removed"]) == ([f"{SITE}new.html"], [f"{SITE}b.html"])
    assert changes["changed"][0] == {"url": SITE, "from": "2024-05-01", "to": "2024-05-31", "variants": []}
    numbers = [changes["summary"][name] for name in ("added", "removed", "urls_before", "urls_after")]
    assert numbers == [1, 1, 6, 6]
    assert any("sitemaps" in each for each in changes["summary"]["not_compared"]) == (earlier == "r.json")
    assert in_json(of(site))["changes"] is None


def test_the_new_site_is_read_once(site: Path, server: Server) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    look(Live(url=server.base + "sitemap.xml"), since=str(site))
    assert server.paths.count("/sitemap.xml") == 1


def test_a_comparison_needs_every_sitemap(site: Path) -> None:
    write(site.parent / "before", {"sitemap.xml": urlset(SITE)})
    (site / "sitemap-api.xml").unlink()
    assert of(site).summary.errors
    with pytest.raises(PartlyReadError):
        of(site, site.parent / "before")


def test_an_earlier_report_that_is_none_is_refused(site: Path) -> None:
    for text in ("{}", "[1]", "nonsense", '{"pages": [1]}'):
        write(site.parent, {"r.json": text})
        with pytest.raises(ValueError, match=r"it is no report\. Write one with `smindex report"):
            of(site, site.parent / "r.json")


def test_a_date_that_many_pages_share_has_its_commit_or_another_reason(tmp_path: Path) -> None:
    pages = [(f"{number:02}.html", "2024-03-03T10:00:00Z") for number in range(30)]
    overview = of(write(tmp_path, {"sitemap.xml": entries(*pages, ("e.html", "2019-01-01"), ("f.html", ""))}))
    (note,) = overview.bulk
    assert note.startswith("2024-03-03T10:00:00Z: 30 pages (96.8 % of all dates) have this date. One commit changed")
    (note,) = describe_bulks(overview.pages, (), lambda *_: COMMIT)
    assert note.endswith("They come from commit 4f2a91c07be1 “Reformat all pages”.")
    (note,) = describe_bulks(overview.pages, ("build-stamp",), lambda *_: None)
    assert note.endswith("It is the time of a build, as the finding build-stamp says.")
