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
    from smindex_plugins.base.model import Changes


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
def progress(*, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show progress on a terminal. Show nothing if the output is a file or a pipe."""
    if quiet or not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.text import Text  # noqa: PLC0415 - used only on a terminal, and takes 60 ms

    with console(sys.stderr).status("") as status:
        yield lambda text: status.update(Text(printable(text), no_wrap=True, overflow="ellipsis"))
