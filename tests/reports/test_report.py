"""A report says what the XML holds, in each of its forms, and nothing that a site holds becomes more than text."""

import io
import json
import re
from collections import Counter
from datetime import date
from importlib.resources import files
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from lxml import etree, html
from markdown import markdown

from smindex_plugins.cli.main import main
from smindex_plugins.pictures import AGES, UNDATED, age_of, grow, squarify
from smindex_plugins.reports import write_report
from smindex_plugins.reports.overview import Overview
from smindex_plugins.reports.page_map import MOST_TILES, draw_map
from smindex_plugins.reports.seen import Seen, describe_bulks
from tests.support.command import PAGE, SITE
from tests.support.gitrepo import Repo
from tests.support.planted import NAMESPACE, index, urlset, write
from tests.support.schema import mistakes

TODAY = date(2024, 6, 1)
SCHEMA = json.loads((files("smindex_plugins") / "schemas/overview.json").read_text(encoding="utf-8"))
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><script>alert(2)</script>",
    "javascript:alert(1)",
    "a`b|c*d_e[f](http://x/)@you #1",
    "::error::x",
    "\u202edlrow",
)


def entries(*dated: tuple[str, str]) -> str:
    return urlset(*(f"<loc>{SITE}{url}</loc>" + (f"<lastmod>{day}</lastmod>" if day else "") for url, day in dated))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site of two sections, one page of which has no date and 30 of which have one moment."""
    bulk = [(f"a/{number:02}.html", "2024-03-03T10:00:00Z") for number in range(30)]
    files: dict[str, str | bytes] = {
        "sitemap_index.xml": index(SITE + "sitemap-root.xml", SITE + "a/sitemap.xml"),
        "sitemap-root.xml": entries(("", "2024-05-30"), ("b/c/d.html", "2019-01-01"), ("e.html", "")),
        "a/sitemap.xml": entries(*bulk),
        **dict.fromkeys(("index.html", "b/c/d.html", "e.html", *(name for name, _ in bulk)), PAGE),
        "no.html": PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>'),
    }
    return write(tmp_path / "site", files)


def report(site: Path, name: str, *options: str) -> str:
    path = site.parent / name
    assert main(["report", str(site), "-o", str(path), *options]) == 0
    return path.read_text(encoding="utf-8")


def in_xml(site: Path) -> dict[str, str | None]:
    found = {}
    for path in site.rglob("*sitemap*.xml"):
        for entry in etree.parse(path).getroot().iterfind(f"{{{NAMESPACE}}}url"):
            found[entry.findtext(f"{{{NAMESPACE}}}loc") or ""] = entry.findtext(f"{{{NAMESPACE}}}lastmod")
    return found


def test_json_has_every_page_of_the_xml_with_its_date(site: Path) -> None:
    result = json.loads(report(site, "r.json"))
    assert mistakes(result, SCHEMA) == []
    assert {page["url"]: page["lastmod"] for page in result["pages"]} == in_xml(site)
    assert result["summary"]["pages"] == len(in_xml(site))


def test_the_page_has_the_numbers_of_the_xml(site: Path) -> None:
    page = html.document_fromstring(report(site, "r.html"))
    cards = {card.findtext("dt"): card.findtext("dd") for card in page.xpath("//dl/div")}
    dates = in_xml(site)
    assert cards["pages"] == str(len(dates))
    assert cards["without a date"] == str(sum(date is None for date in dates.values()))
    assert cards["left out"] == "1"
    days = {title.text.split(":")[0]: title.text.split(": ")[1] for title in page.xpath("//rect/title")}
    assert days == {day: str(count) for day, count in Counter(date[:10] for date in dates.values() if date).items()}
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in page.xpath("//section[@id='map']//tbody/tr")}
    assert rows["b/c/"] == ["1", "2019-01-01", "2019-01-01", "0"]
    assert rows["the whole site"][0] == str(len(dates))
    (bulk,) = page.xpath("//p[@class='bulk']")
    assert bulk.text.startswith("2024-03-03T10:00:00Z: 30 pages (93.8 % of all dates) have this one moment")


def test_the_page_asks_for_nothing_runs_nothing_and_is_not_indexed(site: Path) -> None:
    text = report(site, "r.html")
    page = html.document_fromstring(text)
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex, nofollow"]
    assert not page.xpath("//script | //img | //iframe | //link | //object | //@src | //@style | //form")
    assert not page.xpath("//@*[starts-with(name(), 'on')]")
    assert "url(" not in text
    assert "@import" not in text


def hostile_site(root: Path) -> Path:
    locations = [f"<loc>{escape(SITE)}{escape(name)}</loc>" for name in HOSTILE]
    others = [f"<loc>{escape(name)}</loc>" for name in HOSTILE]
    write(root, {"sitemap.xml": urlset(*locations, *others), "index.html": PAGE})
    for name in HOSTILE:
        write(root, {f"{name.replace('/', '')}.html": PAGE.replace("Text", name)})
    return root


def test_a_hostile_name_is_text_in_the_page(tmp_path: Path) -> None:
    page = html.document_fromstring(report(hostile_site(tmp_path / "site"), "r.html"))
    assert not page.xpath("//script | //img")
    assert {link.split(":")[0] for link in page.xpath("//@href")} <= {"http", "https", ""} | {
        link for link in page.xpath("//@href") if link.startswith("#")
    }
    assert not re.search("[\u202a-\u202e]", page.text_content())


def test_a_hostile_name_is_code_in_markdown(tmp_path: Path) -> None:
    text = report(hostile_site(tmp_path / "site"), "r.md")
    rendered = html.fragment_fromstring(markdown(text, extensions=["tables"]), create_parent=True)
    assert not rendered.xpath(".//script | .//img")
    assert all("/checks/" in link for link in rendered.xpath(".//@href"))
    outside = "".join(rendered.xpath(".//text()[not(ancestor::code)]"))
    assert "@you" not in outside
    assert "alert" not in outside


def test_markdown_has_the_sections_and_what_was_left_out(site: Path) -> None:
    rendered = html.fragment_fromstring(markdown(report(site, "r.md"), extensions=["tables"]), create_parent=True)
    sections, left_out = rendered.xpath(".//table")
    cells = [[cell.text_content() for cell in row] for row in sections.xpath("./tbody/tr")]
    assert [row[:2] for row in cells] == [["root", "3"], ["a/", "30"], ["all", "33"]]
    assert [cell.text_content() for cell in left_out.xpath("./tbody/tr[1]/td")][:2] == ["marked noindex", "1"]


@pytest.mark.parametrize("earlier", ["r.json", "before"])
def test_what_changed_since_an_earlier_report_or_build_is_said(site: Path, earlier: str) -> None:
    report(site, "r.json")
    write(
        site.parent / "before", {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*.xml")}
    )
    write(site, {"sitemap-root.xml": entries(("", "2024-05-31"), ("e.html", ""), ("new.html", ""))})
    page = html.document_fromstring(report(site, "r.html", "--since", str(site.parent / earlier)))
    rows = page.xpath("//section[@id='changes']//tbody/tr[1]/td")
    assert [cell.text for cell in rows] == ["pages", "1", "1", "1"]
    assert page.xpath("//section[@id='changes']//li/a/@href") == [f"{SITE}new.html", f"{SITE}b/c/d.html"]
    result = json.loads(report(site, "now.json", "--since", str(site.parent / earlier)))
    assert mistakes(result, SCHEMA) == []
    changes = result["changes"]
    assert (changes["old"], changes["new"]) == (str(site.parent / earlier), str(site))
    assert (changes["added"], changes["removed"]) == ([f"{SITE}new.html"], [f"{SITE}b/c/d.html"])
    assert changes["changed"] == [{"url": SITE, "from": "2024-05-30", "to": "2024-05-31", "variants": []}]
    numbers = [changes["summary"][name] for name in ("added", "removed", "changed", "urls_before", "urls_after")]
    assert numbers == [1, 1, 1, 33, 33]
    assert any("sitemaps" in each for each in changes["summary"]["not_compared"]) == (earlier == "r.json")


def test_json_has_no_changes_where_nothing_is_compared_and_empty_ones_where_nothing_changed(site: Path) -> None:
    assert "changes" not in json.loads(report(site, "r.json"))
    result = json.loads(report(site, "now.json", "--since", str(site.parent / "r.json")))
    assert mistakes(result, SCHEMA) == []
    assert [result["changes"][name] for name in ("added", "removed", "changed")] == [[], [], []]


def test_an_earlier_report_that_is_none_is_refused(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("{}", "[1]", "nonsense", '{"pages": [1]}'):
        write(site.parent, {"r.json": text})
        assert (
            main(["report", str(site), "-o", str(site.parent / "r.html"), "--since", str(site.parent / "r.json")]) == 2
        )
        assert "it is no report. Write one with `smindex report" in capsys.readouterr().err


def test_the_commit_that_many_pages_share_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = Repo.create(tmp_path / "project")
    repo.put(
        "pyproject.toml", f'[tool.smindex]\ndirectory = "site"\nsite_url = "{SITE}"\nsources = ["docs/{{path}}.md"]\n'
    )
    for number in range(30):
        repo.put(f"docs/{number}.md")
        repo.put(f"site/{number}.html", PAGE)
    repo.commit(0, {".gitignore": "site/\n"}, message="Reformat everything")
    monkeypatch.chdir(repo.path)
    assert main(["build", "-q"]) == 0
    assert main(["report", "-o", "r.html"]) == 0
    (bulk,) = html.document_fromstring((repo / "r.html").read_text(encoding="utf-8")).xpath("//p[@class='bulk']")
    assert bulk.text.endswith(f"that of the commit {repo.git('rev-parse', 'HEAD')[:12]} “Reformat everything”.")
    assert "r.html: 30 pages in 1 section" in capsys.readouterr().out


def test_a_form_is_printed_where_no_file_is_named_and_a_file_of_another_name_is_refused(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(site), "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("<!-- smindex report -->\n## Sitemaps of")
    assert main(["report", str(site), "-o", "r.pdf"]) == 2
    assert "r.pdf ends in none of .html, .md, .json" in capsys.readouterr().err


def test_tiles_fill_the_whole_and_their_areas_are_as_their_weights() -> None:
    weights = [50.0, 20, 20, 5, 3, 1, 1]
    tiles = squarify(weights)
    assert [round(tile.width * tile.height * 100, 6) for tile in tiles] == weights
    assert all(0 <= tile.left <= tile.left + tile.width <= 1 + 1e-9 for tile in tiles)
    assert all(0 <= tile.top <= tile.top + tile.height <= 1 + 1e-9 for tile in tiles)
    assert squarify([]) == []


def test_a_date_has_the_class_of_its_age() -> None:
    age = age_of(TODAY)
    assert [AGES[age(day)][0] for day in ("2024-06-01T10:00:00Z", "2024-04-20", "2020-01-01", "0001-01-01")] == [
        *("up to 1 month", "up to 3 months", "up to 5 years", "more than 5 years")
    ]
    assert [age(text) for text in ("", "2024")] == [UNDATED, UNDATED]
    assert age("2031-01-01") == 0, "a date in the future is no older than today"


def test_every_page_of_thousands_of_directories_is_in_a_bounded_number_of_tiles() -> None:
    paths = [f"{number % 60}/{number // 60 % 60}/{number}/{name}" for number in range(20_000) for name in "ab"]
    paths += [f"small-{number}/a" for number in range(100)]
    pages = [(SITE + path, "2024-01-01") for path in paths]
    root = grow(pages, SITE, age_of(TODAY))
    drawn = draw_map(root)
    assert root.pages == len(pages)
    assert len(drawn.rules) <= MOST_TILES
    assert drawn.summed
    top = drawn.levels[0]
    shown = sum(int(tile.findtext("i").replace(",", "")) for tile in top.xpath(".//*[@class and i]"))
    assert shown == len(pages), "what is small is summed, and not left out"


def test_a_report_of_nothing_is_one(tmp_path: Path) -> None:
    out = io.StringIO()
    empty = Overview(given=str(tmp_path))
    write_report(Seen(overview=empty, today=TODAY, bulk=describe_bulks(empty, lambda _: "")), "html", out)
    assert html.document_fromstring(out.getvalue()).xpath("//h1")


def test_a_page_that_is_a_directory_is_in_it_if_other_pages_are() -> None:
    root = grow([(SITE + path, "") for path in ("", "guide/", "guide/a/", "about/")], SITE, age_of(TODAY))
    assert [leaf.name for leaf in root.leaves] == ["/", "about/"]
    assert [leaf.name for leaf in root.below["guide"].leaves] == ["/", "a/"]
    assert (root.pages, root.below["guide"].pages) == (4, 2)
