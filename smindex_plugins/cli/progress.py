"""How long work shows on a terminal that it goes on."""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from smindex_plugins.reports import console
from smindex_plugins.text import printable

if TYPE_CHECKING:
    from rich.live import Live


class Progress:
    """One line on the terminal that says what is being done, and nothing anywhere else."""

    def __init__(self, *, is_shown: bool) -> None:
        screen = console(sys.stderr)
        self._is_shown = is_shown and screen.is_terminal and not (screen.no_color or screen.is_dumb_terminal)
        self._next = monotonic() + 1  # what is done in a second needs no line
        self._live: Live | None = None

    def __enter__(self) -> Callable[[str], None]:
        return self

    def __call__(self, text: str) -> None:
        """Show the text in place of the last one, unless that has stood for too short a time to be read."""
        if not self._is_shown or monotonic() < self._next:
            return
        self._next = monotonic() + 0.1
        from rich.text import Text  # noqa: PLC0415 - only long work on a terminal needs it, and it takes 60 ms

        line = Text(printable(text), no_wrap=True, overflow="ellipsis")
        if self._live is None:
            self._live = _begin()
        self._live.update(line, refresh=True)

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()


def _begin() -> "Live":
    from rich.console import Console  # noqa: PLC0415 - as above
    from rich.live import Live  # noqa: PLC0415 - as above

    console = Console(file=sys.stderr, markup=False, highlight=False, emoji=False)
    live = Live(console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
    live.start()
    console.show_cursor()  # whoever interrupts the command twice ends it before anything can be put right
    return live
