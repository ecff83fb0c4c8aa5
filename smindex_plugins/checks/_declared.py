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
    """A page that declares another date than its sitemap."""

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
    """The dates that the listed pages of a site declare, as far as they were compared with its
    sitemaps.
    """

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
        lastmod = read_w3c(written)[0] if has_day(written) else ""
        if not (lastmod and said_changes) or is_zero(lastmod):
            return
        first = min(said_changes, key=lambda said: said.date)
        last = max(said_changes, key=lambda said: said.date)
        self.days[day(last.date)] += 1
        self.compared += 1
        if days_between(lastmod, first.date) > 1:
            self.found.append(Contradiction(spot, written, first, is_newer=False, is_ours=is_ours))
        elif days_between(last.date, lastmod) > 1 and not (is_ours and _is_publication(last)):
            self.found.append(Contradiction(spot, written, last, is_newer=True, is_ours=is_ours))


def _is_publication(said: SaidChange) -> bool:
    """Whether a page declares its publication as its last change, as themes do that don't know a
    later one.
    """
    return bool(said.published) and abs(days_between(said.published, said.date)) <= 1


def contradictions(declared: Declared, commit_times: Callable[[], Collection[int]]) -> Findings:
    """Yield one finding about all pages that declare another date than their sitemap.

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
        yield CONTRADICTED_DATE.at(
            first.spot, f"lists {first.spot.url} with the date {first.lastmod}, {said}."
        )
        return
    directions = Counter("newer" if each.is_newer else "older" for each in found)
    how = " and ".join(f"{count:,} {direction}" for direction, count in sorted(directions.items()))
    many = f"{len(found):,} of {counted(declared.compared, 'date')}"
    named = ", ".join(map(str, found[:_NAMED]))
    problem, fix = f"{many} contradict the pages ({how} than the page says), such as {named}.", ""
    ((stamp, stamped),) = declared.days.most_common(1)
    if stamped >= max(_STAMPED, _STAMPED_SHARE * declared.compared):
        problem += f" However, {stamped:,} pages say {stamp}, which is probably the day of a build."
        fix = "Make the theme write the date of each page's last change into the page, or omit it."
    yield CONTRADICTED_DATE.at(first.spot, problem, fix)


def _is_by_git(contradiction: Contradiction, times: Collection[int]) -> bool:
    """Whether both dates are those of commits."""
    return _is_time(contradiction.said.date, times) and (
        contradiction.is_ours or _is_time(read_w3c(contradiction.lastmod)[0], times)
    )


def _is_time(date: str, times: Collection[int]) -> bool:
    return has_time(date) and int(datetime.fromisoformat(date).timestamp()) in times
