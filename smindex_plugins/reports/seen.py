"""What a report is made of: an overview, the day, what its dates come from, and what changed since an earlier time."""

import heapq
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from smindex_plugins.announcing import Difference
from smindex_plugins.reports.overview import Overview, Section
from smindex_plugins.reports.tables import percent
from smindex_plugins.text import counted

_BULK_PAGES, _BULK_SHARE, _MOST_BULKS = 20, 0.1, 5
_STAMP = "build-stamp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How much there is."""

    pages: int
    sections: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Everything that one report says."""

    overview: Overview
    today: date
    changes: Difference | None = None
    bulk: list[str] = field(default_factory=list)
    """What is to be said of the moments that many pages share."""

    @property
    def summary(self) -> Summary:
        """How much the site has."""
        return Summary(pages=self.overview.pages, sections=len(self.sections))

    @property
    def sections(self) -> list[Section]:
        """The sections, by their names, that of the root first."""
        return self.overview.sections

    def notable(self, most: int) -> dict[str, list[tuple[str, str]]]:
        """Return pages with their dates, under what is notable about them."""
        dated = [(day, url) for url, day, _ in self.overview.dated() if day]
        undated = [(url, "") for url, day, _ in self.overview.dated() if not day]
        newest = [(url, day) for day, url in heapq.nlargest(most, dated)]
        oldest = [(url, day) for day, url in heapq.nsmallest(most, dated)]
        found = {
            f"The {counted(len(newest), 'page')} that changed last": newest,
            f"The {counted(len(oldest), 'page')} that have not changed for longest": oldest,
            f"{counted(len(undated), 'page')} without a date, the first {min(most, len(undated)):,}": undated[:most],
        }
        return {title: pages for title, pages in found.items() if pages}


def describe_bulks(overview: Overview, origin: Callable[[str], str]) -> list[str]:
    """Return what is to be said of the moments that many pages share.

    ``origin`` returns the commit that dates a page, by its URL, in words, or nothing where nobody knows.
    """
    moments = Counter(day for _, day, _ in overview.dated() if day)
    total = moments.total()
    bulks = [
        (moment, count)
        for moment, count in moments.most_common(_MOST_BULKS)
        if count >= _BULK_PAGES and count >= _BULK_SHARE * total
    ]
    first = {moment: "" for moment, _ in bulks}
    for url, day, _ in overview.dated() if bulks else ():
        if first.get(day) == "":
            first[day] = url
    return [_bulk(moment, count, total, origin(first[moment]), overview) for moment, count in bulks]


def _bulk(moment: str, count: int, total: int, commit: str, overview: Overview) -> str:
    said = f"{moment}: {counted(count, 'page')} ({percent(count / total)} of all dates) have this one moment"
    if commit:
        return f"{said}, that of the commit {commit}."
    if _STAMP in overview.tally.counts:
        return f"{said}. It is the time of a build, as the finding {_STAMP} says."
    return f"{said}: one commit that touched many pages, or the time of a build."
