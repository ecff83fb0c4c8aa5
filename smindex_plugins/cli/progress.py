"""How long work shows on a terminal that it goes on."""

import shutil
import sys
import time
from collections.abc import Callable


class Progress:
    """One line on the terminal that says what is being done, and nothing anywhere else."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown and sys.stderr.isatty()
        self._next = time.monotonic() + 1  # what is done in a second needs no line

    def __enter__(self) -> Callable[[str], None]:
        return self

    def __call__(self, text: str) -> None:
        """Show the text in place of the last one, unless that has stood for too short a time to be read."""
        if self._is_shown and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.1
            line = "".join(filter(str.isprintable, text))[: shutil.get_terminal_size().columns - 1]
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
