"""The sitemaps of a live site that are still to be asked for."""

from collections import deque

from smindex_plugins.checks import Child
from smindex_plugins.limits import MAX_FILES, MAX_WAITING
from smindex_plugins.sitemaps import Document


class Waiting:
    """The waiting sitemaps, each URL once, and no more than a run may request. An index of indexes may be endless."""

    def __init__(self, begun: list[Child]) -> None:
        self._queue: deque[tuple[Child, str]] = deque()
        self._seen: set[str] = set()
        self._room = MAX_WAITING
        self.left_out = 0
        """How many entries found no room."""
        for child in begun:
            self.add(child)

    def __len__(self) -> int:
        return len(self._queue)

    def add(self, child: Child, lastmod: str = "") -> None:
        """Add a file with the date that its index gives it, unless it was added before."""
        if child.url in self._seen:
            return
        if len(self._seen) >= MAX_FILES or self._room < len(child.url):
            self.left_out += 1
            return
        self._room -= len(child.url)
        self._seen.add(child.url)
        self._queue.append((child, lastmod))

    def add_all(self, index: Document) -> None:
        """Add the files that an index lists."""
        for entry in index.entries:
            if entry.normal:
                self.add(Child(url=entry.normal, where=index.where, line=entry.line), entry.lastmod)

    def take(self, most: int) -> list[tuple[Child, str]]:
        """Return the next few files, and remove them."""
        return [self._queue.popleft() for _ in range(min(most, len(self._queue)))]
