"""Which pages of a directory its listed pages link to."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from smindex_plugins import urls
from smindex_plugins.checks import Site
from smindex_plugins.html import parse_links
from smindex_plugins.limits import MAX_PAGE_READ
from smindex_plugins.model import Spot


@dataclass(slots=True)
class Linkage:
    """What is kept of all links: for each file of a page one page that links to it, however many do."""

    base: str
    """The URL that serves the directory."""
    files: frozenset[str]
    """The files of all pages."""
    linked: dict[str, str] = field(default_factory=dict)
    """The files to which a listed page links, each with the first such page."""
    listed: dict[str, Spot] = field(default_factory=dict)
    """The files of listed pages, each with its entry."""
    leads: dict[str, str] = field(default_factory=dict)
    """The URLs to which unlisted pages redirect, or that they name as canonical, by their files."""
    count: int = 0
    """How many links to other pages of the site were read."""
    cut: int = 0
    """How many pages are longer than what is read of them."""
    _found: Callable[[str], str] = field(init=False)

    def __post_init__(self) -> None:
        self._found = lru_cache(maxsize=1 << 16)(self._file)  # the pages of a site share most of their links

    def read(self, file: str, entry: Spot, content: bytes) -> None:
        """Record the links of a listed page."""
        self.listed.setdefault(file, entry)
        self.cut += len(content) >= MAX_PAGE_READ
        for target in map(self._found, parse_links(content, entry.url)):
            if target and target != file:
                self.count += 1
                self.linked.setdefault(target, entry.url)

    def follow(self) -> None:
        """Record where linked pages lead that are not listed themselves. Call it when all links were read."""
        waiting = [file for file in self.linked if file in self.leads]
        while waiting:
            file = waiting.pop()
            target = self._file(self.leads.pop(file, ""))
            if target and target not in self.linked:
                self.linked[target] = self.linked[file]
                waiting.append(target)

    def orphans(self) -> Iterator[Spot]:
        """Yield the entries of pages to which no other listed page links, except for the home page."""
        if self.count:  # if not, scripts may make the links
            for file, entry in self.listed.items():
                if file not in self.linked and entry.url != self.base and file != self._file(self.base):
                    yield entry

    def unseen(self, site: Site) -> Iterator[str]:
        """Yield what links cannot show here, in words."""
        if site.has_filter:
            yield "linked pages that are not listed (`filter` may have left them out, and a check does not call it)"
        if not self.count:
            yield "orphans (no listed page has a link to another one)"
        if self.cut:
            yield f"links after the first {MAX_PAGE_READ >> 20} MiB of a page ({self.cut:,})"

    def _file(self, url: str) -> str:
        """Return the file of the page at a normalised URL, or an empty string."""
        if not url or not urls.is_within(url, self.base):
            return ""
        path = urls.file_path(urls.relative_path(url, self.base))
        return next((name for name in urls.answering_files(path) if name in self.files), "") if path is not None else ""
