"""What a terminal can show beside plain text: colours, links, tables that fit its width. Rich does the work."""

import os
from collections.abc import Iterable
from io import StringIO
from operator import attrgetter
from typing import IO, TYPE_CHECKING

from smindex_plugins.limits import MAX_LINE
from smindex_plugins.reports.tables import Column, Table
from smindex_plugins.text import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

COLOURS = {"error": "bold red", "warning": "bold yellow", "notice": "bold cyan"}
_WIDE = 100_000
"""Columns of what is no terminal, where nothing is cut off."""
_NARROWEST = 12
"""Columns in which words can be read that go over several lines."""
_GAP = 3
"""Columns between two of a table."""


def takes_codes(out: IO[str]) -> bool:
    """Whether colours and movements of the cursor may be written: to a terminal that knows them, if its user agrees.

    https://no-color.org speaks of colours alone; those who set it often record or read aloud what is printed.
    """
    return out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(text: str, style: str, out: IO[str], link: str = "") -> str:
    """Return a text in colour, and as a link, where the output can show that; elsewhere the text."""
    if not takes_codes(out):
        return text
    from rich.style import Style  # noqa: PLC0415 - what is no terminal has no need of it, and it takes 60 ms

    with_codes = StringIO()
    whole = Style.parse(style) + Style(link=link or None)
    _console(out, with_codes).print(text, style=whole, end="", soft_wrap=True, markup=False, highlight=False)
    return with_codes.getvalue()


def write_tables(tables: Iterable[Table], out: IO[str]) -> None:
    """Print tables: as wide as the terminal, and elsewhere in plain lines that nothing is cut off from."""
    for number, table in enumerate(tables):
        out.write("\n" if number else "")
        out.write(f"{painted(printable(table.title, MAX_LINE), 'bold', out)}\n")
        if table.rows:
            out.write("".join(f"{line.rstrip()}\n" for line in _drawn(table, out).splitlines()))
        if table.note:
            out.write(f"{printable(table.note, MAX_LINE)}\n")


def console(out: IO[str]) -> "Console":
    """Return what prints on an output."""
    return _console(out, out)


def _console(out: IO[str], file: IO[str]) -> "Console":
    from rich.console import Console  # noqa: PLC0415 - as above

    is_terminal = takes_codes(out)
    return Console(
        file=file,
        force_terminal=is_terminal,
        width=None if out.isatty() else _WIDE,
        no_color=not is_terminal,
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
    )


def _drawn(table: Table, out: IO[str]) -> str:
    drawn = StringIO()
    console = _console(out, drawn)
    columns = list(table.columns)
    while sum(_least_width(table, column) for column in columns) > console.width:
        least = max(columns, key=attrgetter("rank"))
        if not least.rank:
            break
        columns.remove(least)
    console.print(_rich(table, columns, is_terminal=out.isatty()))
    if hidden := [column.title for column in table.columns if column not in columns]:
        console.print(f"not shown for lack of room: {', '.join(hidden)}")
    return "\n".join(filter(str.strip, drawn.getvalue().splitlines()))


def _least_width(table: Table, column: Column) -> int:
    """Return the room that a column needs, with the space beside it."""
    at = table.columns.index(column)
    widest = max(map(len, (column.title, *(row[at] for row in (*table.rows, table.total) if row))))
    return _GAP + (min(widest, _NARROWEST) if column.folds else widest)


def _rich(table: Table, columns: list[Column], *, is_terminal: bool) -> "RichTable":
    from rich import box  # noqa: PLC0415 - as above
    from rich.table import Table as RichTable  # noqa: PLC0415 - as above
    from rich.text import Text  # noqa: PLC0415 - as above

    drawn = RichTable(box=box.SIMPLE_HEAD if is_terminal else None, show_footer=bool(table.total), pad_edge=False)
    chosen = [table.columns.index(column) for column in columns]
    for at in chosen:
        column = table.columns[at]
        least = min(_NARROWEST, _least_width(table, column) - _GAP) if column.folds else None
        drawn.add_column(
            column.title,
            footer=printable(table.total[at]) if table.total else "",
            justify="right" if column.is_number else "left",
            no_wrap=not column.folds,
            min_width=least,
            overflow="fold",
        )
    for row in table.rows:
        cells = [Text(printable(row[at]), style=_style(table.columns[at], row[at])) for at in chosen]
        drawn.add_row(*cells)
    return drawn


def _style(column: Column, word: str) -> str:
    return COLOURS.get(word, "") if column.title == "level" else ""
