"""Printing text: in color on a terminal, and elsewhere as plain lines of any length."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import IO, TYPE_CHECKING

from smindex_plugins.base.limits import MAX_LINE
from smindex_plugins.base.text import printable
from smindex_plugins.printing.words import percent

if TYPE_CHECKING:
    from rich.console import Console

COLOURS = {"error": "bold red", "warning": "bold yellow", "notice": "bold cyan"}
_UNLIMITED = 100_000


def console(out: IO[str]) -> "Console":
    """Return the console for an output.

    It never breaks lines: `write_line` breaks them between words, and a terminal breaks the others.
    """
    from rich.console import Console  # noqa: PLC0415 - takes 60 ms to import, which JSON output can skip

    width = None if out.isatty() else _UNLIMITED
    return Console(
        file=out,
        width=width,
        soft_wrap=True,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )


def write_line(screen: "Console", *parts: str | tuple[str, str]) -> None:
    """Print a line. A part can be a pair of text and style.

    Text from a site can't contain commands.
    On a terminal, long lines are wrapped between words, and their continuations are indented.
    """
    from rich.text import Text  # noqa: PLC0415 - as above

    safe = []
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        safe.append((printable(text, MAX_LINE), style))
    line = "".join(text for text, _ in safe)
    if not screen.is_terminal:  # rich takes 0.1 ms a line, and there can be a million
        screen.file.write(line + "\n")
        return

    margin = len(line) - len(line.lstrip())
    indent = " " * (margin + 2)
    wrapped = textwrap.wrap(
        line, screen.width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    starts = []
    end = 0
    for each in wrapped:  # rich can't indent them, and breaks URLs
        text = each.strip()
        start = line.index(text, end)
        starts.append(start)
        end = start + len(text)
    first, *others = Text.assemble(*safe).divide(starts[1:])
    for piece in first, *(Text.assemble(indent, other) for other in others):
        piece.rstrip()
        screen.print(piece)


def write_table(
    screen: "Console", title: str, heads: Sequence[str], rows: Iterable[Sequence[str | int | float]]
) -> None:
    """Print a table under its title. Numbers are aligned on the right, and shares are in percent.

    If the terminal is too narrow, the last columns become lines below their row, so no name is
    broken.
    """
    from rich.cells import cell_len  # noqa: PLC0415 - as above

    write_line(screen, (title, "bold"))
    lines = [[(head, "dim") for head in heads]]
    are_numbers = [False] * len(heads)
    for row in rows:
        are_numbers = [not isinstance(cell, str) for cell in row]
        texts = [_cell_text(cell) for cell in row]
        lines.append([(text, COLOURS.get(text, "")) for text in texts])

    columns = zip(*lines, strict=True)
    widths = [max(cell_len(text) for text, _ in column) for column in columns]
    ends = accumulate(width + 2 for width in widths)
    fitting = max(1, sum(end - 2 <= screen.width for end in ends))
    for number, cells in enumerate(lines):
        line: list[tuple[str, str]] = []
        for at, (text, style) in enumerate(cells[:fitting]):
            space = (" " * (widths[at] - cell_len(text)), "")
            both = [space, (text, style)] if are_numbers[at] else [(text, style), space]
            line += [*both, ("  ", "")]
        while not line[-1][0].strip():
            line.pop()
        write_line(screen, *line)
        if number:
            for head, (text, _) in zip(heads[fitting:], cells[fitting:], strict=False):
                write_line(screen, f"    {head}: {text}")


def _cell_text(cell: str | float) -> str:
    if isinstance(cell, str):
        return printable(cell)
    if isinstance(cell, int):
        return f"{cell:,}"
    return percent(cell)
