"""Compares the dates of listed pages with the dates that these pages declare themselves."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from smindex_plugins.base.catalogue import CONTRADICTED_DATE
from smindex_plugins.base.dates import day, days_between, has_day, is_zero, read_w3c
from smindex_plugins.base.model import Findings, Spot
from smindex_plugins.base.text import counted
from smindex_plugins.checks._pages import Page
from smindex_plugins.html.changes import SaidChange

_NAMED = 3
"""How many pages a finding names."""
_STAMPED, _STAMPED_SHARE = 10, 0.9
"""The least number and share of pages that declare one day, for which it is considered the day of a build."""


class Contradiction(NamedTuple):
    """A page that declares another date than its sitemap."""

    spot: Spot
    lastmod: str
    said: SaidChange

    def __str__(self) -> str:
        return f"{self.spot.url} (lastmod {self.lastmod}, {self.said.by} {self.said.date})"


@dataclass(slots=True)
class Declared:
    """The dates that the listed pages of a site declare, as far as they were compared with its sitemaps."""

    compared: int = 0
    newer: int = 0
    """How many pages have a newer date in the sitemap than they declare."""
    older: int = 0
    days: Counter[str] = field(default_factory=Counter)
    """How many pages declare each day."""
    examples: list[Contradiction] = field(default_factory=list)

    def add(self, page: Page) -> None:
        """Compare the date of a page with what it declares.

        If it declares several dates, one of them is enough. A year or a month is not compared.
        """
        lastmod = read_w3c(page.entry.lastmod)[0] if has_day(page.entry.lastmod) else ""
        if not (lastmod and page.said_changes) or is_zero(lastmod):
            return
        first = min(page.said_changes, key=lambda said: said.date)
        last = max(page.said_changes, key=lambda said: said.date)
        self.days[day(last.date)] += 1
        self.compared += 1
        said = None
        if days_between(lastmod, first.date) > 1:
            self.older += 1
            said = first
        elif days_between(last.date, lastmod) > 1 and not (page.document.is_ours and _is_publication(last)):
            self.newer += 1
            said = last
        if said and len(self.examples) < _NAMED:
            self.examples.append(Contradiction(page.spot, page.entry.lastmod, said))


def _is_publication(said: SaidChange) -> bool:
    """Whether a page declares its publication as its last change, as themes do that don't know a later one."""
    return bool(said.published) and abs(days_between(said.published, said.date)) <= 1


def contradictions(declared: Declared) -> Findings:
    """Yield one finding about all pages that declare another date."""
    if not declared.examples:
        return
    number = declared.newer + declared.older
    first = declared.examples[0]
    ((stamp, stamped),) = declared.days.most_common(1)
    if number == 1:
        problem = f"lists {first.spot.url} with the date {first.lastmod}, but its {first.said.by} is {first.said.date}."
        yield CONTRADICTED_DATE.at(first.spot, problem)
        return
    directions = {"newer": declared.newer, "older": declared.older}
    how = " and ".join(f"{count:,} {direction}" for direction, count in directions.items() if count)
    named = ", ".join(map(str, declared.examples))
    problem = (
        f"{number:,} of {counted(declared.compared, 'date')} contradict the pages ({how} than the page says): {named}."
    )
    fix = ""
    if stamped >= max(_STAMPED, _STAMPED_SHARE * declared.compared):
        problem += f" However, {stamped:,} pages say {stamp}, which is probably the day of a build."
        fix = "Make the theme write the date of each page's last change into the page, or omit it."
    yield CONTRADICTED_DATE.at(first.spot, problem, fix)
