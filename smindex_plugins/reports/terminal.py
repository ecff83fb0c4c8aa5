"""How text is printed: in colour on a terminal, and as plain lines that nothing is cut from elsewhere."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING

from smindex_plugins.limits import MAX_LINE
from smindex_plugins.reports.words import percent
from smindex_plugins.text import printable

if TYPE_CHECKING:
    from rich.console import Console

COLOURS = {"error": "bold red", "warning": "bold yellow", "notice": "bold cyan"}
_UNLIMITED = 100_000


def console(out: IO[str]) -> "Console":
    """Return the console of an output."""
    from rich.console import Console  # noqa: PLC0415 - programs that read JSON need not wait 60 ms for it

    width = None if out.isatty() else _UNLIMITED
    return Console(file=out, width=width, markup=False, highlight=False, emoji=False, legacy_windows=False)


def write_line(screen: "Console", *parts: str | tuple[str, str]) -> None:
    """Print a line. A part can be a pair of its text and its style. Foreign text commands nothing.

    On a terminal, long lines are wrapped between words, and what follows is indented.
    """
    from rich.text import Text  # noqa: PLC0415 - as above

    pairs = [(part, "") if isinstance(part, str) else part for part in parts]
    safe = [(printable(text, MAX_LINE), style) for text, style in pairs]
    line = "".join(text for text, _ in safe)
    if not screen.is_terminal:  # rich takes 0.1 ms a line, and there can be a million
        screen.file.write(line + "\n")
        return
    indent, end, starts = " " * (len(line) - len(line.lstrip()) + 2), 0, []
    wrapped = textwrap.wrap(
        line, screen.width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    for each in map(str.strip, wrapped):  # rich cannot indent them, and breaks URLs
        starts.append(line.index(each, end))
        end = starts[-1] + len(each)
    first, *others = Text.assemble(*safe).divide(starts[1:])
    for piece in first, *(Text.assemble(indent, other) for other in others):
        piece.rstrip()
        screen.print(piece, soft_wrap=True)


def write_table(
    screen: "Console", title: str, heads: Sequence[str], rows: Iterable[Sequence[str | int | float]]
) -> None:
    """Print a table under its title. Numbers are aligned on the right, and shares are in percent."""
    from rich.measure import measure_renderables  # noqa: PLC0415 - as above
    from rich.table import Table  # noqa: PLC0415 - as above
    from rich.text import Text  # noqa: PLC0415 - as above

    write_line(screen, (title, "bold"))
    table = Table(*heads, box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for row in rows:
        cells = []
        for column, cell in zip(table.columns, row, strict=True):
            column.overflow = "fold"
            if isinstance(cell, str):
                cells.append(Text(printable(cell), style=COLOURS.get(cell, "")))
            else:
                column.justify = "right"
                cells.append(Text(f"{cell:,}" if isinstance(cell, int) else percent(cell)))
        table.add_row(*cells)
    sizes = [measure_renderables(screen, screen.options, [each.header, *each.cells]) for each in table.columns]
    spare = screen.width - sum(size.minimum + 2 for size in sizes)
    if spare >= 0:  # rich would break names in the middle, while sentences beside them can be wrapped
        for column, size in sorted(zip(table.columns, sizes, strict=True), key=lambda each: each[1].maximum):
            column.width = min(size.maximum, size.minimum + spare)
            spare -= column.width - size.minimum
    with screen.capture() as capture:
        screen.print(table)
    screen.file.writelines(f"{line.rstrip()}\n" for line in capture.get().splitlines())
