"""A run of checks: the wanted kinds of findings, the totals, and the comparison at the end."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from smindex_plugins.checks import Selection, Site, Sitemap
from smindex_plugins.model import Finding, Spot
from smindex_plugins.sitemaps import Document
from smindex_plugins.text import counted


@dataclass(slots=True, kw_only=True)
class Totals:
    """How much was checked."""

    indexes: int = 0
    sitemaps: int = 0
    urls: int = 0
    pages: int = 0
    """Pages whose own file or answer was looked at."""
    forbidden: int = 0
    """Pages of a live site that were not fetched, because robots.txt blocks them for Google or for this tool."""
    links: int | None = None
    """How many links from listed pages to other pages of the site were read, if that was asked for."""
    dates: int | None = None
    """How many dates were compared with git, if that was asked for."""
    uncompared: Counter[str] = field(default_factory=Counter)
    """Why the others were not compared, in words that follow a count."""
    unread: int = 0
    """Listed files that are missing or could not be read to their end."""
    late: Counter[str] = field(default_factory=Counter)
    """What was not requested in time from a live site, by its noun."""
    unseen: list[str] = field(default_factory=list)
    """What was not checked, in words."""


@dataclass(slots=True, kw_only=True)
class Audit:
    """One run."""

    selection: Selection = field(default_factory=Selection)
    totals: Totals = field(default_factory=Totals)
    site: Site = field(default_factory=Site)
    tell: Callable[[str], None] = lambda _: None
    """Receives a line about the progress from time to time."""
    keep: Callable[[Document], None] = lambda _: None
    """Receives every file as it was read, for whoever shows it."""
    leave: Callable[[Spot, str], None] = lambda _, __: None
    """Receives every unlisted page of a directory, with the reason why that is right, or an empty string."""

    def judge(self, document: Document) -> Iterator[Finding]:
        """Yield what is wrong with one file, and record it for the comparison of all."""
        is_read = not (document.is_missing or document.failure)
        self.totals.unread += not document.is_whole or bool(document.failure)
        self.totals.unread += document.is_missing and not document.is_named_by_robots
        if is_read:
            files = self.totals.sitemaps + self.totals.indexes
            self.tell(f"{files:,} files, {self.totals.urls:,} URLs: {document.where}")
            is_index = document.kind == "sitemapindex"
            self.totals.indexes += is_index
            self.totals.sitemaps += not is_index
            self.totals.urls += 0 if is_index else document.count
        yield from self.selection.judge(document)
        if is_read:
            self.site.add(document)
            self.keep(document)

    def judge_flat(self, document: Document) -> Iterator[Finding]:
        """Take note of a sitemap beside the index, which themes read, or judge one that has nothing for anybody."""
        if document.kind == "urlset" and document.is_whole and document.count:
            self.site.flats.append(Sitemap.of(document))
        else:
            self.totals.unread += not document.is_whole
            yield from self.selection.judge(document)

    def compare(self) -> Iterator[Finding]:
        """Yield what the comparison of all files shows. Call it when every file was judged."""
        if self.totals.unread:
            self.totals.unseen.append(f"{counted(self.totals.unread, 'file')} that cannot be read")
        yield from self.selection.judge(self.site)
