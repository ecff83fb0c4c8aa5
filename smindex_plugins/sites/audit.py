"""A check run: which kinds of findings are wanted, how much was seen, and what is to be compared at its end."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from smindex_plugins.checks import Blockable, Selection, Survey
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import Document, Robots


@dataclass(slots=True, kw_only=True)
class Totals:
    """How much was checked."""

    indexes: int = 0
    sitemaps: int = 0
    urls: int = 0
    pages: int = 0
    """Whose own file or answer was looked at."""


@dataclass(slots=True, kw_only=True)
class Audit:
    """One run."""

    selection: Selection = field(default_factory=Selection)
    totals: Totals = field(default_factory=Totals)
    survey: Survey = field(default_factory=Survey)
    tell: Callable[[str], None] = lambda _: None
    """Takes now and then a line about what is being done."""

    def judge(self, document: Document, robots: Robots | None) -> Iterator[Finding]:
        """Judge one file beside the robots.txt of its host, and take note of it for the comparison of all."""
        self.tell(f"{self.totals.sitemaps + self.totals.indexes:,} files, {self.totals.urls:,} URLs: {document.where}")
        yield from self.selection.judge(document)
        if robots is not None:
            yield from self.selection.judge(Blockable(document=document, robots=robots))
        self.survey.add(document)
        if document.kind == "sitemapindex":
            self.totals.indexes += 1
        else:
            self.totals.sitemaps += 1
            self.totals.urls += document.count
