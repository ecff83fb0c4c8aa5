"""The tables that people look at, in one form for a terminal, for Markdown and for HTML: columns and rows of words."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from smindex_plugins.announcing import Difference
from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.dates import day
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.reports.overview import Overview, Section
from smindex_plugins.text import counted

_UNITS = ("bytes", "KiB", "MiB", "GiB")
_STEP = 1024
NO_DATE = "none"
_UNKNOWN = "The pages that no sitemap lists cannot be counted, because the pages themselves were not looked at."


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    title: str
    is_number: bool = False
    rank: int = 0
    """Where there is too little room, columns are left out from the highest rank on; those of rank 0 stay."""
    folds: bool = False
    """Its words may go over several lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table, with what is said below it."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    total: tuple[str, ...] = ()
    """The last row, of all the others together."""


def overview_tables(seen: Overview, only: Collection[str] = ()) -> list[Table]:
    """Return what `smindex show` prints: sections, what was left out, and findings."""
    tables = [sections_table(seen, only)]
    if not only:
        tables += [left_out_table(seen), findings_table(seen)]
    return [table for table in tables if table.rows or table.note]


def sections_table(seen: Overview, only: Collection[str] = ()) -> Table:
    """Return the sections: how many pages, how old, and how full their files are."""
    columns = (
        Column("section", folds=True),
        Column("pages", is_number=True),
        Column("newest", rank=2),
        Column("oldest", rank=3),
        Column("undated", is_number=True, rank=1),
        Column("size", is_number=True, rank=6),
        Column(f"of {MAX_URLS:,}", is_number=True, rank=4),
        Column(f"of {size(MAX_BYTES)}", is_number=True, rank=5),
        Column("file", rank=7, folds=True),
    )
    shown = [section for section in seen.sections if not only or section.name in only]
    total = Section.of("all", [sheet for section in shown for sheet in section.sheets]) if len(shown) > 1 else None
    return Table(
        title=f"Sections of {seen.site}",
        columns=columns,
        rows=tuple(_section_row(section) for section in shown),
        total=_section_row(total) if total else (),
    )


def _section_row(section: Section) -> tuple[str, ...]:
    first, *others = section.sheets
    file = first.where + (f" and {len(others):,} more" if others else "")
    return (
        section.name,
        f"{section.pages:,}",
        day(section.newest) or NO_DATE,
        day(section.oldest) or NO_DATE,
        f"{section.undated:,}",
        size(section.size),
        percent(section.fill_of_urls),
        percent(section.fill_of_bytes),
        file if section.name != "all" else counted(len(section.sheets), "file"),
    )


def files_table(seen: Overview) -> Table:
    """Return the index and every sitemap, and how full each is."""
    columns = (
        Column("file", folds=True),
        Column("entries", is_number=True),
        Column(f"of {MAX_URLS:,}", is_number=True, rank=1),
        Column("size", is_number=True, rank=2),
        Column(f"of {size(MAX_BYTES)}", is_number=True, rank=3),
        Column("lastmod", rank=4),
    )
    rows = (
        (
            sheet.where,
            f"{sheet.count:,}",
            percent(sheet.count / MAX_URLS),
            size(sheet.size),
            percent(sheet.size / MAX_BYTES),
            sheet.lastmod or NO_DATE,
        )
        for sheet in [*seen.indexes, *seen.sitemaps]
    )
    return Table(title="Files", columns=columns, rows=tuple(rows))


def left_out_table(seen: Overview) -> Table:
    """Return what is in no sitemap, by the reason."""
    by_reason = Counter(omission.words for omission in seen.left_out)
    example = {omission.words: omission.where for omission in reversed(seen.left_out)}
    rows = ((reason, f"{count:,}", example[reason]) for reason, count in by_reason.most_common())
    note = "" if seen.knows_left_out else _UNKNOWN
    if seen.knows_left_out and not seen.left_out:
        note = "Every page that was found is in a sitemap."
    return Table(
        title=f"Left out: {counted(len(seen.left_out), 'page')}" if seen.left_out else "Left out",
        columns=(
            Column("reason", folds=True),
            Column("pages", is_number=True),
            Column("for example", rank=1, folds=True),
        ),
        rows=tuple(rows),
        note=note,
    )


def findings_table(seen: Overview) -> Table:
    """Return what was found, the worst first, each with what to do about it."""
    tally = seen.tally
    rows = (
        (tally.level(check), check, f"{tally.counts[check]:,}", str(tally.first[check][0].place), CATALOGUE[check].fix)
        for check in tally.checks()
    )
    unseen = f"Not looked at: {'; '.join(seen.totals.unseen)}." if seen.totals.unseen else ""
    return Table(
        title="Findings" if tally.counts else "Findings: nothing wrong",
        columns=(
            Column("level"),
            Column("check", folds=True),
            Column("findings", is_number=True),
            Column("first", rank=2, folds=True),
            Column("fix", rank=1, folds=True),
        ),
        rows=tuple(rows),
        note=unseen or ("" if tally.counts else "Nothing wrong was found in what was looked at."),
    )


def percent(share: float) -> str:
    """Return a share as people read it; what is not nothing is never shown as nothing."""
    return "< 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"  # noqa: PLR2004 - as it is shown


def size(count: float) -> str:
    """Return a number of bytes as people read it."""
    unit = 0
    while count >= _STEP and unit < len(_UNITS) - 1:
        count, unit = count / _STEP, unit + 1
    return f"{count:,.0f} {_UNITS[unit]}" if unit == 0 or count == int(count) else f"{count:,.1f} {_UNITS[unit]}"


def changes_table(found: Difference) -> Table:
    """Return how many pages and sitemaps came, went and changed."""
    rows = (
        ("pages", f"{len(found.added):,}", f"{len(found.removed):,}", f"{len(found.changed):,}"),
        (
            "sitemaps",
            f"{len(found.sitemaps.added):,}",
            f"{len(found.sitemaps.removed):,}",
            f"{len(found.sitemaps.changed):,}",
        ),
    )
    columns = (Column(""), *(Column(title, is_number=True) for title in ("added", "removed", "changed")))
    return Table(title="Changes", columns=columns, rows=rows)
