"""The days of each year as squares, with one column per week.

Days with more pages have a stronger color.
"""

import math
from calendar import isleap
from collections import Counter, defaultdict
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
    """The squares of one year, or of its first months."""

    number: int
    pages: int
    days: list[Day]

    @property
    def months(self) -> list[tuple[str, int]]:
        """Each month with the week in which it starts."""
        firsts = [day.week for day in self.days if day.day.endswith("-01")]
        return list(zip(MONTHS, firsts, strict=False))

    @property
    def weeks(self) -> int:
        """How many columns it has."""
        return self.days[-1].week + 1


def calendar(dates: Iterable[str]) -> Iterator[Year]:
    """Yield the years of some dates, the latest first. Dates without a day are skipped.

    The latest year ends with the month of the newest date, so that nothing empty follows it.
    """
    counts = Counter(text[:10] for text in dates if len(text) >= len("YYYY-MM-DD"))
    most = max(counts.values(), default=0)
    newest_month = max(counts, default="")[:7]
    years = {int(day[:4]) for day in counts}
    for year in sorted(years, reverse=True):
        first = date(year, 1, 1)
        days: list[Day] = []
        total = 0
        for number in range(366 if isleap(year) else 365):
            moment = first.toordinal() + number
            day = date.fromordinal(moment).isoformat()
            if day[:7] > newest_month:
                break
            week, weekday = divmod(number + first.weekday(), 7)
            pages = counts[day]
            level = _level(pages, most)
            days.append(Day(day, pages, week, weekday, level))
            total += pages
        yield Year(year, total, days)


def legend(years: Iterable[Year]) -> list[tuple[int, int, int]]:
    """Return each level above 0 in use, with the fewest and the most pages of its days."""
    counts: dict[int, list[int]] = defaultdict(list)
    for year in years:
        for day in year.days:
            if day.level:
                counts[day.level].append(day.pages)
    return [(level, min(pages), max(pages)) for level, pages in sorted(counts.items())]


def _level(pages: int, most: int) -> int:
    if not pages:
        return 0
    if pages == most:
        return _LEVELS
    below = (_LEVELS - 1) * math.log(pages) / math.log(most)
    return 1 + int(below)
