"""Compares the dates of listed pages with the dates that these pages declare themselves."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from smindex_plugins.base.catalogue import CONTRADICTED_DATE
from smindex_plugins.base.dates import day, days_between, has_day, has_time, is_zero, read_w3c
from smindex_plugins.base.model import Findings, Spot
from smindex_plugins.base.text import counted
from smindex_plugins.html.changes import SaidChange

_NAMED = 3
"""How many pages a finding names."""
_STAMPED, _STAMPED_SHARE = 10, 0.9
"""The least number and share of pages that declare one day, for which it is considered the day of a
build."""


class Contradiction(NamedTuple):
    """A page that declares a different date than its sitemap."""

    spot: Spot
    lastmod: str
    said: SaidChange
    is_newer: bool
    """Whether the date in the sitemap is the newer one."""
    is_ours: bool
    """Whether this tool wrote the sitemap."""

    def __str__(self) -> str:
        return f"{self.spot.url} (lastmod {self.lastmod}, {self.said.by} {self.said.date})"


@dataclass(slots=True)
class Declared:
    """The dates that the listed pages of a site declare, as far as they were compared."""

    compared: int = 0
    days: Counter[str] = field(default_factory=Counter)
    """How many pages declare each day."""
    found: list[Contradiction] = field(default_factory=list)

    def add(
        self, written: str, spot: Spot, said_changes: Sequence[SaidChange], *, is_ours: bool
    ) -> None:
        """Compare the date of a page, as its sitemap writes it, with what the page declares.

        If it declares several dates, the date in the sitemap can be any of them, or between them. A
        year or a month is not compared.
        """
        if not said_changes or not has_day(written):
            return
        lastmod, _ = read_w3c(written)
        if not lastmod or is_zero(lastmod):
            return
        first = min(said_changes, key=lambda said: said.date)
        last = max(said_changes, key=lambda said: said.date)
        last_day = day(last.date)
        self.days[last_day] += 1
        self.compared += 1
        if days_between(lastmod, first.date) > 1:
            self.found.append(Contradiction(spot, written, first, is_newer=False, is_ours=is_ours))
        elif days_between(last.date, lastmod) > 1 and not (is_ours and _is_publication(last)):
            self.found.append(Contradiction(spot, written, last, is_newer=True, is_ours=is_ours))


def _is_publication(said: SaidChange) -> bool:
    """Whether a page declares its publication as its last change, as some themes do."""
    if not said.published:
        return False
    days = days_between(said.published, said.date)
    return abs(days) <= 1


def contradictions(declared: Declared, commit_times: Callable[[], Collection[int]]) -> Findings:
    """Yield one finding about all pages that declare a different date than their sitemap.

    Two dates of commits don't contradict each other. For example, Hugo counts merges and renames as
    changes.
    """
    found = declared.found
    if any(has_time(each.said.date) for each in found):
        times = commit_times()
        found = [each for each in found if not _is_by_git(each, times)]
    if not found:
        return
    first = found[0]
    if len(found) == 1:
        said = f"but its {first.said.by} is {first.said.date}"
        problem = f"lists {first.spot.url} with the date {first.lastmod}, {said}."
        yield CONTRADICTED_DATE.at(first.spot, problem)
        return

    newer = sum(each.is_newer for each in found)
    older = len(found) - newer
    directions: list[str] = []
    if newer:
        directions.append(f"{newer:,} newer")
    if older:
        directions.append(f"{older:,} older")
    how = " and ".join(directions)
    dates = counted(declared.compared, "date")
    named = ", ".join(map(str, found[:_NAMED]))
    problem = (
        f"{len(found):,} of {dates} contradict the pages ({how} than the page says), such as"
        f" {named}."
    )
    fix = ""
    ((stamp, stamped),) = declared.days.most_common(1)
    least = max(_STAMPED, _STAMPED_SHARE * declared.compared)
    if stamped >= least:
        problem += f" However, {stamped:,} pages say {stamp}, which is probably the day of a build."
        fix = "Make the theme write the date of each page's last change into the page, or omit it."
    yield CONTRADICTED_DATE.at(first.spot, problem, fix)


def _is_by_git(contradiction: Contradiction, times: Collection[int]) -> bool:
    """Whether both dates are those of commits."""
    if not _is_time(contradiction.said.date, times):
        return False
    if contradiction.is_ours:
        return True
    lastmod, _ = read_w3c(contradiction.lastmod)
    return _is_time(lastmod, times)


def _is_time(date: str, times: Collection[int]) -> bool:
    if not has_time(date):
        return False
    seconds = datetime.fromisoformat(date).timestamp()
    return int(seconds) in times
