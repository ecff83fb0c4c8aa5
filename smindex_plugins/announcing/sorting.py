"""Lines put in order with little memory: sorted a part at a time, put aside in temporary files, and merged."""

import heapq
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from typing import IO, Self

from smindex_plugins.limits import MAX_KEPT_LINES, MAX_KEPT_TEXT


class Sorted:
    """Takes lines in any order, and yields them in theirs. Use it as a context manager."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._kept: list[str] = []
        self._size = 0
        self._parts: list[IO[str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, lines: Collection[str]) -> None:
        """Take lines, each with its end; where there are too many, all that are here are put aside."""
        self._kept += lines
        self._size += sum(map(len, lines))
        if len(self._kept) >= MAX_KEPT_LINES or self._size >= MAX_KEPT_TEXT:
            self._put_aside()

    def _put_aside(self) -> None:
        part = self._stack.enter_context(_temporary())
        self._kept.sort()
        part.write("".join(self._kept))
        self._parts.append(part)
        self._kept = []
        self._size = 0

    def lines(self) -> Iterator[str]:
        """Yield all lines in order, when all of them are there."""
        self._kept.sort()
        for part in self._parts:
            part.seek(0)
        return heapq.merge(*self._parts, self._kept) if self._parts else iter(self._kept)


def _temporary() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n")
