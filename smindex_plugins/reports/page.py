"""A report as one page of HTML that needs nothing else: no script, no request, no other file."""

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import IO, Any

from lxml import html

from smindex_plugins import __version__
from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.files import read_text
from smindex_plugins.limits import MAX_LINE
from smindex_plugins.pictures import AGES, MOST_YEARS, UNDATED, Ages, Directory, age_of, draw_year, grow
from smindex_plugins.reports.markup import E, link, table, words
from smindex_plugins.reports.overview import Overview
from smindex_plugins.reports.page_map import directories, draw_map
from smindex_plugins.reports.seen import Seen
from smindex_plugins.reports.tables import (
    Column,
    Table,
    changes_table,
    files_table,
    left_out_table,
    percent,
    sections_table,
)
from smindex_plugins.text import counted

_STYLE = os.path.join(os.path.dirname(__file__), "report.css")
_MOST_DIRECTORIES = 400
_MOST_NAMED = 100
"""Pages that are named for one reason for which pages are left out, or for one change."""
_MOST_PAGES = 50
_PARTS = {
    "map": "Directories",
    "calendar": "Dates",
    "ages": "Ages",
    "scope": "Files",
    "left-out": "Left out",
    "findings": "Findings",
    "changes": "Changes",
    "pages": "Pages",
}


def write_page(seen: Seen, out: IO[str]) -> None:
    """Write the page of what was seen."""
    overview = seen.overview
    root = grow(((url, day) for url, day, _ in overview.dated()), overview.site, age_of(seen.today))
    drawn = draw_map(root)
    most = max(root.ages.values(), default=1)
    bars = [f"#b{age}{{width:{100 * root.ages[age] / most:.2f}%}}" for age in range(UNDATED + 1)]
    style = "\n".join([read_text(_STYLE), *bars, "".join(drawn.rules)])
    note = f" Directories too small to be opened: {drawn.summed:,}." if drawn.summed else ""
    bodies = {
        "map": [E.p({"class": "hint"}, _MAP_HINT + note), _legend(), *drawn.levels, _directories(root)],
        "calendar": list(_calendar(seen)),
        "ages": [_bars(root.ages, seen.today)],
        "scope": [table(sections_table(overview)), table(files_table(overview))],
        "left-out": list(_left_out(overview)),
        "findings": list(_findings(overview)),
        "changes": list(_changes(seen)),
        "pages": list(_pages(seen)),
    }
    parts = {name: elements for name, elements in bodies.items() if elements}
    page = E.html(
        {"lang": "en"},
        _head(overview, style),
        E.body(
            E.header(*_header(seen), _contents(parts)),
            E.main(*(E.section({"id": name}, E.h2(_PARTS[name]), *inside) for name, inside in parts.items())),
            E.footer(E.p(f"Written by smindex-plugins {__version__}. This page asks for nothing from anywhere.")),
        ),
    )
    out.write(html.tostring(page, doctype="<!DOCTYPE html>", encoding="unicode"))


_MAP_HINT = (
    "The area of a tile is how many pages it has, and its colour is how old the page in the middle of these is. Open a "
    "directory to see what is in it."
)


def _head(overview: Overview, style: str) -> Any:  # noqa: ANN401 - an element of lxml
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return E.head(
        E.meta({"charset": "utf-8"}),
        E.meta({"http-equiv": "Content-Security-Policy", "content": policy}),
        E.meta({"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        E.meta({"name": "robots", "content": "noindex, nofollow"}),
        E.meta({"name": "referrer", "content": "no-referrer"}),
        E.meta({"name": "color-scheme", "content": "light dark"}),
        E.title(words(f"Sitemaps of {overview.site}")),
        E.style(style),
    )


def _header(seen: Seen) -> Iterator[Any]:
    overview, levels = seen.overview, seen.overview.tally.levels
    yield E.p({"class": "over"}, f"Sitemap report, {seen.today.isoformat()}")
    yield E.h1(link(overview.site, words(overview.site)))
    undated = sum(section.undated for section in overview.sections)
    cards = [
        ("pages", f"{overview.pages:,}", ""),
        ("sections", f"{len(overview.sections):,}", ""),
        ("without a date", f"{undated:,}", "warning" if undated else ""),
        ("left out", f"{len(overview.left_out):,}" if overview.knows_left_out else "unknown", ""),
        ("errors", f"{levels['error']:,}", "error" if levels["error"] else ""),
        ("warnings", f"{levels['warning']:,}", "warning" if levels["warning"] else ""),
        ("notices", f"{levels['notice']:,}", ""),
    ]
    yield E.dl({"class": "cards"}, *(E.div({"class": look}, E.dt(name), E.dd(text)) for name, text, look in cards))
    if overview.totals.unseen:
        yield E.p({"class": "hint"}, words(f"Not looked at: {'; '.join(overview.totals.unseen)}."))


def _contents(parts: Mapping[str, object]) -> Any:  # noqa: ANN401 - as above
    links = (E.li(E.a({"href": f"#{name}"}, _PARTS[name])) for name in parts)
    return E.nav({"aria-label": "Parts of this page"}, E.ul(*links))


def _legend() -> Any:  # noqa: ANN401 - as above
    classes = [*((number, name) for number, (name, _) in enumerate(AGES)), (UNDATED, "no date")]
    return E.ul({"class": "legend"}, *(E.li(E.span({"class": f"k a{number}"}), name) for number, name in classes))


def _directories(root: Directory) -> Any:  # noqa: ANN401 - as above
    shown = directories(root, _MOST_DIRECTORIES)
    rows = (
        (
            words(place.path or "the whole site"),
            f"{place.pages:,}",
            place.newest[:10] or "none",
            place.oldest[:10] or "none",
            f"{place.ages[UNDATED]:,}",
        )
        for place in shown
    )
    columns = (
        Column("directory", folds=True),
        Column("pages", is_number=True),
        Column("newest"),
        Column("oldest"),
        Column("undated", is_number=True),
    )
    title = f"The {len(shown):,} largest directories" if len(shown) == _MOST_DIRECTORIES else "All directories"
    listed = Table(title=title, columns=columns, rows=tuple(rows))
    return E.details(E.summary(f"{title} as a table"), table(listed))


def _calendar(seen: Seen) -> Iterator[Any]:
    days = Counter(seen.overview.days())
    if not days:
        return
    by_year: dict[int, dict[str, int]] = {}
    for day, count in days.items():
        if len(day) == len("YYYY-MM-DD"):
            by_year.setdefault(int(day[:4]), {})[day] = count
    years = sorted(by_year, reverse=True)
    most = max(days.values())
    yield E.p({"class": "hint"}, "Each square is a day. The stronger its colour, the more pages have its date.")
    for bulk in seen.bulk:
        yield E.p({"class": "bulk"}, words(bulk))
    for year in years[:MOST_YEARS]:
        total = sum(by_year[year].values())
        yield E.div(
            {"class": "year"}, E.h3(str(year), E.small(counted(total, "page"))), draw_year(year, by_year[year], most)
        )
    if early := years[MOST_YEARS:]:
        pages = sum(sum(by_year[year].values()) for year in early)
        yield E.p({"class": "hint"}, f"Not drawn: {counted(pages, 'page')} of {early[0]} and before.")
    rows = tuple((day, f"{count:,}", percent(count / days.total())) for day, count in days.most_common(20))
    columns = (Column("day"), Column("pages", is_number=True), Column("of all dates", is_number=True))
    yield E.details(
        E.summary("The days with most pages, as a table"),
        table(Table(title="Days with most pages", columns=columns, rows=rows)),
    )


def _bars(ages: Ages, today: date) -> Any:  # noqa: ANN401 - as above
    names = [name for name, _ in AGES]
    rows = [
        E.tr(
            E.th({"scope": "row"}, name),
            E.td({"class": "n"}, f"{ages[number]:,}"),
            E.td({"class": "bar"}, *([E.span({"id": f"b{number}", "class": f"a{number}"})] if ages[number] else [])),
        )
        for number, name in enumerate([*names, "no date"])
    ]
    caption = E.caption(f"Pages by the time since they changed, as of {today.isoformat()}")
    return E.table({"class": "bars"}, caption, E.tbody(*rows))


def _left_out(overview: Overview) -> Iterator[Any]:
    summary = left_out_table(overview)
    if summary.rows:
        yield table(summary)
    if summary.note:
        yield E.p(words(summary.note))
    by_reason: dict[str, list[Any]] = {}
    for omission in overview.left_out:
        by_reason.setdefault(omission.words, []).append(omission)
    for reason, omitted in by_reason.items():
        items = [
            E.li(link(each.url, words(each.where or each.url)), words(f": {each.by}") if each.by else "")
            for each in omitted[:_MOST_NAMED]
        ]
        more = len(omitted) - len(items)
        title = E.summary(words(f"{reason}: {counted(len(omitted), 'page')}"))
        yield E.details(title, E.ul(*items, *([E.li(f"… and {more:,} more")] if more else [])))


def _findings(overview: Overview) -> Iterator[Any]:
    tally = overview.tally
    if not tally.counts:
        yield E.p("Nothing wrong was found in what was looked at.")
    for check in tally.checks():
        kind, level, count = CATALOGUE[check], tally.level(check), tally.counts[check]
        more = count - len(tally.first[check])
        items = [E.li(words(f"{found.place}: {found.problem}")) for found in tally.first[check]]
        yield E.details(
            {"class": "finding", **({"open": ""} if level != "notice" else {})},
            E.summary(E.span({"class": f"l {level}"}, level), f" {check} ", E.small(counted(count, "finding"))),
            E.p(kind.rule),
            E.ul(*items, *([E.li(f"… and {more:,} more")] if more else [])),
            E.p(E.strong("Fix: "), words(tally.first[check][0].fix), " ", link(kind.fix_url, "What it means")),
        )


def _changes(seen: Seen) -> Iterator[Any]:
    if (found := seen.changes) is None:
        return
    yield E.p(words(f"Compared with {found.old}."))
    yield table(changes_table(found))
    for title, urls in (("Added", found.added), ("Removed", found.removed)):
        if urls:
            more = len(urls) - _MOST_NAMED
            items = [E.li(link(url, words(url))) for url in urls[:_MOST_NAMED]]
            yield E.details(
                E.summary(f"{title}: {counted(len(urls), 'page')}"),
                E.ul(*items, *([E.li(f"… and {more:,} more")] if more > 0 else [])),
            )


def _pages(seen: Seen) -> Iterator[Any]:
    """Yield the pages that people look for: those that changed last, those that did not for longest, the undated."""
    for title, pages in seen.notable(_MOST_PAGES).items():
        rows = [E.tr(E.td(link(url, words(url[:MAX_LINE]))), E.td(day[:10] or "none")) for url, day in pages]
        head = E.thead(E.tr(E.th({"scope": "col"}, "page"), E.th({"scope": "col"}, "date")))
        yield E.details(E.summary(title), E.div({"class": "wide"}, E.table(head, E.tbody(*rows))))
