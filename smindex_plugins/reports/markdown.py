"""A report in Markdown, for a pull request or the summary of a job: its tables, without pictures."""

from collections.abc import Iterator
from typing import IO

from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.reports.difference import code, difference_summary, notes
from smindex_plugins.reports.seen import Seen
from smindex_plugins.reports.tables import Column, Table, changes_table, left_out_table, sections_table
from smindex_plugins.text import counted

REPORT_MARK = "<!-- smindex report -->"
"""How the Markdown begins, so that a comment can be found again and replaced."""
_MOST_ROWS = 100


def write_markdown(seen: Seen, out: IO[str]) -> None:
    """Write the report; what comes from the site stands in code, where nothing of it has a meaning."""
    out.writelines(f"{line}\n" for line in _lines(seen))


def _lines(seen: Seen) -> Iterator[str]:
    overview, levels = seen.overview, seen.overview.tally.levels
    yield from (REPORT_MARK, f"## Sitemaps of {code(overview.site)}", "")
    undated = sum(section.undated for section in overview.sections)
    said = [counted(overview.pages, "page"), f"{undated:,} without a date", counted(len(overview.sections), "section")]
    said += [f"{len(overview.left_out):,} left out"] if overview.knows_left_out else []
    said += [counted(levels[level], level) for level in ("error", "warning", "notice")]
    yield from (f"{', '.join(said)}, as of {seen.today.isoformat()}.", "")
    yield from (f"- {code(bulk)}" for bulk in seen.bulk)
    yield from _table(sections_table(overview), "Sections")
    yield from _table(left_out_table(overview), "Left out")
    yield from _findings(seen)
    if seen.changes is not None:
        yield from _table(changes_table(seen.changes), "Changes")
        yield from (f"Since {code(seen.changes.old)}: {difference_summary(seen.changes)}.", "")
        yield from (f"{code(note)}  " for note in notes(seen.changes))
    if overview.totals.unseen:
        yield f"Not looked at: {code('; '.join(overview.totals.unseen))}."


def _findings(seen: Seen) -> Iterator[str]:
    tally = seen.overview.tally
    yield from ("### Findings", "")
    if not tally.counts:
        yield from ("Nothing wrong was found in what was looked at.", "")
    for check in tally.checks():
        first, count = tally.first[check][0], tally.counts[check]
        more = f" and {count - 1:,} more" if count > 1 else ""
        yield f"- **{tally.level(check)}** [{check}]({CATALOGUE[check].fix_url}): {code(first.place)}{more}  "
        yield f"  {code(f'{first.problem} {first.fix}')}"
    yield ""


def _table(table: Table, title: str) -> Iterator[str]:
    yield from (f"### {title}", "")
    if table.rows:
        yield f"| {' | '.join(column.title for column in table.columns)} |"
        yield f"|{'|'.join('---:' if column.is_number else '---' for column in table.columns)}|"
        for row in [*table.rows[:_MOST_ROWS], *([table.total] if table.total else [])]:
            cells = (_cell(column, text) for column, text in zip(table.columns, row, strict=True))
            yield f"| {' | '.join(cells)} |"
        if more := table.rows[_MOST_ROWS:]:
            yield from ("", f"… and {len(more):,} more rows")
        yield ""
    if table.note:
        yield from (code(table.note), "")


def _cell(column: Column, text: str) -> str:
    """Return a cell: a `|` would end it, also in code."""
    return code(text).replace("|", "\\|") if column.folds else text.replace("<", "&lt;")
