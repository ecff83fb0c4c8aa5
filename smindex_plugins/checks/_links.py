"""Reads the links between the pages of a directory."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from smindex_plugins.base import urls
from smindex_plugins.base.limits import MAX_PAGE_READ
from smindex_plugins.base.model import Spot
from smindex_plugins.html.page import parse_links
from smindex_plugins.reading.inventory import Inventory


@dataclass(slots=True, kw_only=True)
class Links:
    """One linking page for each linked page."""

    inventory: Inventory
    linked: dict[str, str] = field(default_factory=dict)
    """The files to which listed pages link, each with the URL of the first such page."""
    listed: dict[str, Spot] = field(default_factory=dict)
    """The files of listed pages, each with its entry."""
    targets: dict[str, str] = field(default_factory=dict)
    """The files of unlisted pages that redirect or declare a canonical URL, each with that URL."""
    count: int = 0
    """How many links to other pages of the site were read."""
    cut: int = 0
    """How many pages exceed the limit and were read only partially."""

    def read(self, file: str, url: str, entry: Spot, content: bytes) -> None:
        """Record the links of a listed page, with the entry that lists it."""
        self.listed.setdefault(file, entry)
        self.cut += len(content) >= MAX_PAGE_READ
        for target in map(self._file, parse_links(content, url)):
            if target and target != file:
                self.count += 1
                self.linked.setdefault(target, url)

    def follow(self) -> None:
        """Record the targets of linked pages that are not listed.

        Call this after all links were read.
        """
        waiting = [file for file in self.linked if file in self.targets]
        while waiting:
            file = waiting.pop()
            target = self._file(self.targets.pop(file, ""))
            if target and target not in self.linked:
                self.linked[target] = self.linked[file]
                waiting.append(target)

    def orphans(self) -> list[Spot]:
        """Return the entries of pages to which no other listed page links, except for the home
        page.
        """
        if not self.count:  # scripts may create the links
            return []
        home = self._file(self.inventory.base)
        orphans: list[Spot] = []
        for file, entry in self.listed.items():
            if file not in self.linked and file != home:
                orphans.append(entry)
        return orphans

    def unseen(self) -> Iterator[str]:
        """Yield what could not be determined from links, as text."""
        if not self.count:
            yield "orphans (no listed page links to another one)"
        if self.cut:
            limit = MAX_PAGE_READ >> 20
            yield f"links after the first {limit} MiB of a page ({self.cut:,})"

    def _file(self, url: str) -> str:
        """Return the HTML file that a server sends for a normalized URL, or an empty string."""
        if not url or not urls.is_within(url, self.inventory.base):
            return ""
        path = urls.file_path(urls.relative_path(url, self.inventory.base))
        if path is None:
            return ""
        for name in urls.answering_files(path):
            if name in self.inventory.pages:
                return name
        return ""
