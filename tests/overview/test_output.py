"""The forms of a report say what the overview has, and nothing that a site contains becomes more
than text.
"""

import base64
import hashlib
import io
import re
from collections import Counter
from dataclasses import replace

import pytest
from lxml import html
from markdown import markdown

from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.base.difference import FATES, Change, Difference, Gone, Sitemaps
from smindex_plugins.base.formats import REPORT_FORMS, ReportForm
from smindex_plugins.compare.output import write_difference
from smindex_plugins.overview.output import write_report
from smindex_plugins.overview.overview import Overview
from tests.overview.reports import BASE, garden, overview_of

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><script>alert(2)</script>",
    "javascript:alert(1)",
    "a`b|c*d_e[f](http://x/)@you #1",
    "::error::x",
    "\u202edlrow",
)
FOUND = [
    *(CATALOGUE["invalid-url"].at("s.xml", f"'/{number}' is not a URL.") for number in range(12)),
    CATALOGUE["ignored-hints"].at("s.xml", "it has 3 `<priority>`."),
]
CHANGES = Difference(
    old="before",
    new="after",
    added=[f"{BASE}new/{number}" for number in range(120)],
    removed=[f"{BASE}old"],
    changed=[Change(BASE, "2024-01-01", "2025-01-01")],
    undated=2,
    urls_after=420,
)


def report(overview: Overview, form: ReportForm, sections: tuple[str, ...] = ()) -> str:
    out = io.StringIO()
    write_report(overview, form, out, sections=sections)
    return out.getvalue()


def rendered(text: str) -> html.HtmlElement:
    return html.fragment_fromstring(markdown(text, extensions=["tables"]), create_parent=True)


@pytest.fixture(scope="module")
def page() -> html.HtmlElement:
    overview = overview_of(
        {"a": [("a/1", "2024-03-03")]}, ("no.html",), findings=FOUND, changes=CHANGES
    )
    return html.document_fromstring(report(overview, "html"))


def cells(row: html.HtmlElement) -> list[str]:
    return [cell.text_content() for cell in row]


def test_the_page_has_the_numbers_of_the_overview() -> None:
    overview = garden()
    page = html.document_fromstring(report(overview, "html"))
    cards = {card.findtext("dt"): card.xpath("string(dd)") for card in page.xpath("//dl/div")}
    assert (cards["pages"], cards["sections"], cards["without a date"], cards["omitted"]) == (
        "420",
        "4",
        "15",
        "3",
    )
    squares = dict(title.text.split(": ") for title in page.xpath("//rect/title"))
    days = Counter(each.lastmod[:10] for each in overview.pages if each.lastmod)
    assert squares == {day: str(count) for day, count in days.items()}
    names = page.xpath("//div[@class='year'][1]//text/text()")
    assert " ".join(names) == "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Mon Wed Fri"
    rows = {row[0].text: cells(row)[1:] for row in page.xpath("//section[@id='map']//tbody/tr")}
    assert rows["guide/"] == ["180", "2026-10-22", "2023-11-07", "7"]
    assert rows["the whole site"][0] == "420"
    (bulk,) = page.xpath("//p[@class='bulk']")
    assert bulk.text.startswith(
        "2025-03-18T08:30:00Z: 84 pages (20.7 % of all dates) have this date. They come from"
    )
    ages = {row[0].text: int(row[1].text) for row in page.xpath("//section[@id='ages']//tr")}
    assert (sum(ages.values()), ages["no date"]) == (420, 15)


def test_the_page_lists_every_page_with_its_date_and_reason_those_without_a_date_first() -> None:
    overview = overview_of(
        {"a": [("a/1", "2024-03-03"), ("a/2", ""), ("a/3", "2026-01-01T10:00:00Z")]}
    )
    (table,) = html.document_fromstring(report(overview, "html")).xpath(
        "//section[@id='pages']//table"
    )
    assert [[text.strip() for text in cells(row)] for row in table.xpath("./tbody/tr")] == [
        ["a/2", "a/", "no date"],
        ["a/3", "a/", "2026-01-01"],
        ["a/1", "a/", "2024-03-03"],
    ]
    explained = replace(overview, pages=[replace(page, why="git: a.md") for page in overview.pages])
    page = html.document_fromstring(report(explained, "html"))
    assert [cell.strip() for cell in page.xpath("//section[@id='pages']//td[4]/text()")] == [
        "git: a.md"
    ] * 3


def test_the_counters_lead_to_what_they_count(page: html.HtmlElement) -> None:
    targets = {
        card.findtext("dt"): card.xpath("string(dd/a/@href)") for card in page.xpath("//dl/div")
    }
    assert targets == {
        "errors": "#error",
        "warnings": "",
        "notices": "#notice",
        "pages": "#pages",
        "without a date": "",
        "sections": "#scope",
        "omitted": "#omitted",
    }
    assert all(
        page.get_element_by_id(target[1:]) is not None for target in targets.values() if target
    )
    assert page.xpath("string(//main/section[1]/@id)") == "findings", "what is wrong comes first"


def test_the_page_has_findings_changes_and_what_was_left_out(page: html.HtmlElement) -> None:
    first, second = page.xpath("//details[contains(@class, 'finding')]")
    assert cells(first.find("ul"))[-1] == "… and 9 more; smindex check -v prints them"
    assert second.xpath("string(.//code)") == "<priority>", "backticks are code"
    assert ("open" in first.attrib, "open" in second.attrib) == (True, False)
    rows = page.xpath("//section[@id='changes']//tbody/tr")
    assert [cells(row) for row in rows] == [["pages", "120", "1", "1"], ["sitemaps", "0", "0", "0"]]
    added, removed = page.xpath("//section[@id='changes']//ul")
    assert (len(added), cells(added)[-1], cells(removed)) == (101, "… and 20 more", [f"{BASE}old"])
    assert "can't detect changes to 2 undated pages" in page.xpath(
        "string(//section[@id='changes'])"
    )
    assert page.xpath("//section[@id='omitted']//li/a/@href") == [f"{BASE}no.html"]
    targets = page.xpath("//nav//a/@href")
    assert targets == [f"#{name}" for name in page.xpath("//main/section/@id")]


def test_a_page_that_was_lost_stands_first_and_open_and_nothing_says_that_all_is_well() -> None:
    lost = Gone(f"{BASE}old", "lost", why="there is no such page")
    moved = Gone(f"{BASE}was", "redirected", f"{BASE}is", "in `_redirects`")
    for gone, first in (([moved, lost], "changes"), ([moved], "findings")):
        changes = replace(CHANGES, removed=[each.url for each in gone], gone=gone)
        overview = overview_of({"a": [("a/1", "2024-03-03")]}, changes=changes)
        page = html.document_fromstring(report(overview, "html"))
        sections = page.xpath("//main/section/@id")
        assert sections[0] == first
        assert page.xpath("//nav//a/@href") == [f"#{name}" for name in sections]
        assert bool(page.xpath("//p[@class='good']")) == (first == "findings")
        found = page.xpath("//details[@id='lost'][@open]//a/@href")
        assert found == [each.url for each in gone if each is lost]
        card = page.xpath("//dl/div[dt='lost']//a/@href")
        assert card == ["#lost"] * (first == "changes")
        assert "_redirects" in page.xpath("//section[@id='changes']//code/text()")


def test_names_are_readable_everywhere_and_links_keep_their_escapes() -> None:
    path = "%E6%8C%87/a%20b%2Fc/"
    found = CATALOGUE["missing-page"].at(f"{BASE}s.xml", f"lists {BASE}{path}, not there.")
    changes = replace(CHANGES, old=f"{BASE}%E6%8C%87/", removed=[BASE + path])
    overview = overview_of(
        {"%E6%8C%87": [(path, "2026-03-03"), ("%E6%8C%87/%FF%E2%80%AE/", "")]},
        findings=[found],
        changes=replace(changes, gone=[Gone(BASE + path, "lost", why="as in `指.md`")]),
    )
    overview = replace(
        overview,
        bulk=["all from `指.md`"],
        pages=[replace(page, why="git: `指.md`") for page in overview.pages],
    )
    page = html.document_fromstring(report(overview, "html"))
    words = page.text_content()
    assert "%E6" not in words
    assert "`" not in page.xpath("string(//main)")
    assert "指/%FF%E2%80%AE/" in words, "what is no letter stays as it is"
    assert "指/a b%2Fc/" in page.xpath("//section[@id='pages']//td/a/text()")
    assert BASE + path in page.xpath("//section[@id='pages']//td/a/@href")
    assert f"lists {BASE}指/a b%2Fc/, not there." in page.xpath("string(//section[@id='findings'])")


def test_the_page_requests_nothing_runs_only_its_own_script_and_is_not_indexed(
    page: html.HtmlElement,
) -> None:
    text = html.tostring(page, encoding="unicode")
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert page.xpath("//meta[@name='robots']/@content") == ["noindex, nofollow"]
    (script,) = page.xpath("//script")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert not page.xpath("//img | //iframe | //link | //object | //@src | //@style | //form")
    assert not page.xpath("//@*[starts-with(name(), 'on')]")
    assert "url(" not in text
    assert "@import" not in text


@pytest.fixture
def hostile() -> Overview:
    """Give an overview in which a site, sections, pages, files and notes have hostile names."""
    pages = {name: [(name, "2024-03-03"), (f"{name}/a", "")] for name in HOSTILE}
    overview = overview_of(
        pages, HOSTILE, findings=[CATALOGUE["invalid-url"].at(name, name) for name in HOSTILE]
    )
    return replace(overview, site=HOSTILE[0], bulk=list(HOSTILE))


def test_a_hostile_name_is_text_in_the_page(hostile: Overview) -> None:
    page = html.document_fromstring(report(hostile, "html"))
    assert len(page.xpath("//script")) == 1
    assert not page.xpath("//img")
    links = [link for link in page.xpath("//@href") if not link.startswith("#")]
    assert {link.split(":")[0] for link in links} <= {"http", "https"}
    assert not re.search("[\u202a-\u202e]", page.text_content())
    assert "<script>alert(1)</script>" in page.text_content()


def test_a_hostile_name_is_code_in_markdown(hostile: Overview) -> None:
    page = rendered(report(hostile, "markdown"))
    assert not page.xpath(".//script | .//img")
    assert all("/checks/" in link for link in page.xpath(".//@href"))
    outside = "".join(page.xpath(".//text()[not(ancestor::code)]"))
    assert "@you" not in outside
    assert "alert" not in outside
    rows = page.xpath(".//table[1]/tbody/tr")
    assert {len(row) for row in rows} == {6}


def test_markdown_has_the_tables_and_the_changes() -> None:
    overview = overview_of(
        {"a": [("a/1", "2024-03-03")], "b": [("b/1", "")]}, ("no",), findings=FOUND, changes=CHANGES
    )
    text = report(overview, "markdown")
    assert text.startswith("<!-- smindex report -->\n## Sitemaps of `https://docs.example/`\n")
    assert (
        "\n2 pages, 1 without a date, 2 sections, 1 omitted, 12 errors, 0 warnings, 1 notice, as of"
        " 2026" in text
    )
    sections, omitted, changes = rendered(text).xpath(".//table")
    assert [cells(row)[:2] for row in sections.xpath("./tbody/tr")] == [
        ["a/", "1"],
        ["b/", "1"],
        ["all", "2"],
    ]
    assert [cells(row) for row in omitted.xpath("./tbody/tr")] == [["marked noindex", "1", "no"]]
    assert cells(changes.xpath("./tbody/tr")[0]) == ["pages", "120", "1", "1"]
    assert "`s.xml` and 11 more" in text
    assert "`can't detect changes to 2 undated pages`" in text


def test_text_of_one_section_has_neither_other_pages_nor_findings() -> None:
    overview = overview_of(
        {"a": [("a/1", "2024-03-03")], "b": [("b/1", "")]}, ("no",), findings=FOUND
    )
    title, heads, row = report(overview, "text", ("b/",)).splitlines()
    assert title == f"Sections of {BASE}"
    assert heads.split() == ["section", "pages", "undated", "newest", "oldest", "full"]
    assert row.split() == ["b/", "1", "1", "none", "none", "<", "0.1", "%"]


def test_a_report_of_nothing_is_one() -> None:
    nothing = overview_of({})
    unknown = replace(
        nothing, summary=replace(nothing.summary, omitted=None, not_checked=["the pages"])
    )
    for form in REPORT_FORMS:
        assert report(nothing, form)
        if form != "json":
            assert "the pages themselves were not checked" in report(unknown, form)
            assert "Not checked: " in report(unknown, form)


def test_a_report_of_100_000_pages_is_no_large_file_and_says_which_pages_it_lists() -> None:
    days = [
        f"20{10 + number % 16}-{number % 12 + 1:02}-{number % 28 + 1:02}" for number in range(2_500)
    ]
    pages = {
        f"part-{part}": [
            (f"part-{part}/{number % 37}/page-{number}/", day) for number, day in enumerate(days)
        ]
        for part in range(40)
    }
    text = report(overview_of(pages), "html")
    assert len(text) < 12_000_000
    assert (
        "This table shows 20,000 of 100,000 pages: pages without a date, then the latest changes."
        in text
    )


def test_markdown_of_a_difference_with_many_lines_of_each_kind_fits_a_comment() -> None:
    urls = [f"{BASE}{number}/" for number in range(3_000)]
    sitemaps = Sitemaps(added=urls, removed=urls, changed=urls)
    gone = [Gone(url, fate) for fate in FATES for url in urls]
    found = replace(
        CHANGES, added=urls, removed=urls, changed=[Change(url, None, "2026-01-01") for url in urls]
    )
    out = io.StringIO()
    write_difference(replace(found, gone=gone, sitemaps=sitemaps), "markdown", out)
    assert out.getvalue().count("<details>") == 7
    open_part, _, _ = out.getvalue().partition("<details>")
    assert open_part.index("6,000 URLs break") < open_part.index("Lost (3,000):")
    assert open_part.index("Lost (3,000):") < open_part.index("Renamed (3,000):")
    assert 50_000 < len(out.getvalue()) < 65_536


def test_markdown_of_a_difference_fits_a_comment_and_is_code() -> None:
    urls = [f"{BASE}{number}/{'x' * 1_900}" for number in range(40)]
    found = replace(CHANGES, added=urls, removed=[f"{BASE}{name}" for name in HOSTILE], changed=[])
    found.sitemaps.changed = urls
    out = io.StringIO()
    write_difference(found, "markdown", out)
    text = out.getvalue()
    assert text.startswith("<!-- smindex diff -->\nRemoved (7):\n\n- `- ")
    assert "\n\n**Sitemaps:** pages: 7 removed, 40 added; sitemaps: 40 changed; 420" in text
    assert len(text) < 65_536
    assert "<details><summary>Added (40)</summary>\n\n- `+ https" in text
    assert text.count("- … and 30 more\n") == 2
    outside = "".join(rendered(text).xpath(".//text()[not(ancestor::code)]"))
    assert "alert" not in re.sub(r"`[^`]*`", "", outside), "Markdown in HTML stays as it is here"
