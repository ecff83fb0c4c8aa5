"""Where the command prints: every line can be shown on any terminal, and none can control it."""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from smindex_plugins.limits import MAX_LINE
from smindex_plugins.reports import console
from smindex_plugins.sitemaps import Changes
from smindex_plugins.text import printable


def prepare() -> None:
    """Print what an encoding lacks as escapes, and nothing where an output is closed."""
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def stdout(form: str) -> TextIO:
    """Return standard output, in UTF-8 for the formats that programs read."""
    if form != "text" and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout


def say(text: str) -> None:
    """Print a line on standard output."""
    print(printable(text, MAX_LINE))


def complain(text: str) -> None:
    """Print a line on standard error, after what was printed on standard output."""
    with suppress(OSError):  # which the end of the command reports
        sys.stdout.flush()
    print(printable(f"smindex: {text}", MAX_LINE), file=sys.stderr)


def say_changes(changes: Changes, *, dry_run: bool) -> None:
    """Print which files were written and removed, or would be."""
    would = "would be " if dry_run else ""
    for what, paths in (("written", changes.written), ("removed", changes.removed)):
        for path in paths:
            say(f"{would}{what}: {path}")


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is being done. Files and pipes get nothing."""
    if quiet or not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.text import Text  # noqa: PLC0415 - only a terminal needs it, and it takes 60 ms

    with console(sys.stderr).status("") as status:
        yield lambda text: status.update(Text(printable(text), no_wrap=True, overflow="ellipsis"))
