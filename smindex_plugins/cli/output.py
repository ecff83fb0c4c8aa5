"""Output of the command. Every line is safe to print on any terminal."""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from smindex_plugins.base.limits import MAX_LINE
from smindex_plugins.base.text import printable
from smindex_plugins.printing.terminal import console

if TYPE_CHECKING:
    from rich.console import Console

    from smindex_plugins.base.model import Changes

SPINNER_WIDTH = 2
"""How many columns the sign before the progress takes, with its space."""


def prepare() -> None:
    """Escape characters that the encoding lacks, and discard output to a closed stream."""
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def stdout(form: str) -> TextIO:
    """Return standard output, in UTF-8 for machine-readable formats."""
    if form != "text" and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout


def say(text: str) -> None:
    """Print a line on standard output."""
    print(printable(text, MAX_LINE))


def complain(text: str) -> None:
    """Print a line on standard error, after flushing standard output."""
    with suppress(OSError):  # reported at the end of the command
        sys.stdout.flush()
    print(printable(f"smindex: {text}", MAX_LINE), file=sys.stderr)


def say_changes(changes: "Changes", *, dry_run: bool) -> None:
    """Print which files were written and removed, or would be in a dry run."""
    would = "would be " if dry_run else ""
    for what, paths in (("written", changes.written), ("removed", changes.removed)):
        for path in paths:
            say(f"{would}{what}: {path}")


@contextmanager
def progress(
    screen: "Console | None" = None, *, quiet: bool = False
) -> Iterator[Callable[[str], None]]:
    """Show progress on a terminal. Show nothing if the output is a file or a pipe.

    A command that prints findings meanwhile passes the console that it prints them through, which
    keeps the progress below them. `say` and `complain` are printed through it too.
    """
    if quiet or not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.text import Text  # noqa: PLC0415 - used only on a terminal, and takes 60 ms

    screen = screen or console(sys.stdout)
    with screen.status("") as status:
        room = screen.width - SPINNER_WIDTH

        def tell(text: str) -> None:
            line = Text(printable(text))
            line.truncate(room, overflow="ellipsis")  # only one line is erased
            status.update(line)

        yield tell
