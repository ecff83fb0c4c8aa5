"""A run of checks: the wanted kinds of findings, the totals, and the comparison at the end."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from smindex_plugins.checks import Blockable, Child, Selection, Survey
from smindex_plugins.model import Finding, Spot
from smindex_plugins.sitemaps import Document, Robots
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
    survey: Survey = field(default_factory=Survey)
    tell: Callable[[str], None] = lambda _: None
    """Receives a line about the progress from time to time."""
    keep: Callable[[Document], None] = lambda _: None
    """Receives every file as it was read, for whoever shows it."""
    leave: Callable[[Spot, str], None] = lambda _, __: None
    """Receives every unlisted page of a directory, with the reason why that is right, or an empty string."""

    def judge(self, document: Document, robots: Robots | None) -> Iterator[Finding]:
        """Yield what is wrong with one file, and record it for the comparison of all."""
        self.tell(f"{self.totals.sitemaps + self.totals.indexes:,} files, {self.totals.urls:,} URLs: {document.where}")
        self.totals.unread += not document.is_whole
        if document.kind == "sitemapindex":
            self.totals.indexes += 1
        else:
            self.totals.sitemaps += 1
            self.totals.urls += document.count
        yield from self.selection.judge(document)
        if robots is not None:
            yield from self.selection.judge(Blockable(document=document, robots=robots))
        self.survey.add(document, robots)
        self.keep(document)

    def judge_child(self, child: Child) -> Iterator[Finding]:
        """Yield what is wrong with the listing of a file, even if the file cannot be read."""
        self.totals.unread += child.is_missing or bool(child.problem)
        yield from self.selection.judge(child)

    def judge_flat(self, document: Document) -> Iterator[Finding]:
        """Take note of a sitemap beside the index, which themes read, or judge one that has nothing for anybody."""
        if document.kind == "urlset" and document.is_whole and document.count:
            self.survey.add_flat(document)
        else:
            self.totals.unread += not document.is_whole
            yield from self.selection.judge(document)

    def compare(self) -> Iterator[Finding]:
        """Yield what the comparison of all files shows. Call it when every file was judged."""
        if self.totals.unread:
            self.totals.unseen.append(f"{counted(self.totals.unread, 'file')} that cannot be read")
        yield from self.selection.judge(self.survey)
