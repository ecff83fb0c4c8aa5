"""The sitemaps of a live site that are still to be asked for."""

from collections import deque

from smindex_plugins.limits import MAX_FILES, MAX_WAITING
from smindex_plugins.sitemaps import Document


class Waiting:
    """The waiting sitemaps, each URL once, and no more than a run may request. An index of indexes may be endless."""

    def __init__(self, begun: list[Document]) -> None:
        self._queue: deque[Document] = deque()
        self._seen: set[str] = set()
        self._room = MAX_WAITING
        self.left_out = 0
        """How many entries found no room."""
        for document in begun:
            self.add(document)

    def __len__(self) -> int:
        return len(self._queue)

    def add(self, document: Document) -> None:
        """Add a file that was not read yet, unless it was added before."""
        if document.url in self._seen:
            return
        if len(self._seen) >= MAX_FILES or self._room < len(document.url):
            self.left_out += 1
            return
        self._room -= len(document.url)
        self._seen.add(document.url)
        self._queue.append(document)

    def add_all(self, index: Document) -> None:
        """Add the files that an index lists."""
        for entry in index.entries:
            if entry.normal:
                self.add(Document(url=entry.normal, lastmod=entry.lastmod, listed_by=index.spot(entry)))

    def take(self, most: int) -> list[Document]:
        """Return the next few files, and remove them."""
        return [self._queue.popleft() for _ in range(min(most, len(self._queue)))]
