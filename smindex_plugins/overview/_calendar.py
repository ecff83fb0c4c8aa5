"""The days of each year as squares, with one column per week.

Days with more pages have a stronger color.
"""

import math
from calendar import isleap
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

_LEVELS = 4
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class Day(NamedTuple):
    """One square."""

    day: str
    pages: int
    week: int
    weekday: int
    level: int
    """The strength of its color, from 0 to 4, by order of magnitude."""


class Year(NamedTuple):
    """The squares of one year."""

    number: int
    pages: int
    days: list[Day]

    @property
    def months(self) -> list[tuple[str, int]]:
        """Each month with the week in which it starts."""
        firsts = [day.week for day in self.days if day.day.endswith("-01")]
        return [*zip(MONTHS, firsts, strict=True)]


def calendar(dates: Iterable[str]) -> Iterator[Year]:
    """Yield the years of some dates, the latest first. Dates without a day are skipped."""
    counts = Counter(text[:10] for text in dates if len(text) >= len("YYYY-MM-DD"))
    most = max(counts.values(), default=0)
    for year in sorted({int(day[:4]) for day in counts}, reverse=True):
        first, days = date(year, 1, 1), []
        for number in range(366 if isleap(year) else 365):
            day = date.fromordinal(first.toordinal() + number).isoformat()
            week, weekday = divmod(number + first.weekday(), 7)
            days.append(Day(day, counts[day], week, weekday, _level(counts[day], most)))
        yield Year(year, sum(each.pages for each in days), days)


def legend(years: Iterable[Year]) -> list[tuple[int, int, int]]:
    """Return each level above 0 in use, with the fewest and the most pages of its days."""
    counts: dict[int, list[int]] = {}
    for day in (day for year in years for day in year.days if day.level):
        counts.setdefault(day.level, []).append(day.pages)
    return [(level, min(pages), max(pages)) for level, pages in sorted(counts.items())]


def _level(pages: int, most: int) -> int:
    if pages in {0, most}:
        return _LEVELS if pages else 0
    return 1 + int((_LEVELS - 1) * math.log(pages) / math.log(most))
