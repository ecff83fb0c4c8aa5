"""How old pages are, in a few classes that people tell apart and colours can show."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import cache

AGES: tuple[tuple[str, int], ...] = (
    ("up to 1 month", 31),
    ("up to 3 months", 92),
    ("up to 6 months", 183),
    ("up to 1 year", 366),
    ("up to 2 years", 731),
    ("up to 3 years", 1_096),
    ("up to 5 years", 1_827),
    ("more than 5 years", 4_000_000),
)
"""The classes, each with the days that it reaches to."""
UNDATED = len(AGES)
"""The class of what has no date."""

Ages = Counter[int]
"""How many pages each class has."""


def age_of(today: date) -> Callable[[str], int]:
    """Return a function that returns the class of a date on a day: the number of one of `AGES`, or `UNDATED`."""

    @cache
    def of_day(text: str) -> int:
        try:
            days = (today - date.fromisoformat(text)).days
        except ValueError:  # of a year or a month alone
            return UNDATED
        return next(number for number, (_, most) in enumerate(AGES) if days <= most)

    return lambda text: of_day(text[:10]) if text else UNDATED


def typical(ages: Ages) -> int:
    """Return the class in the middle of the pages, or `UNDATED` where more than half have no date."""
    half = ages.total() / 2
    if ages[UNDATED] > half:
        return UNDATED
    dated = ages.total() - ages[UNDATED]
    before = 0
    for number in range(len(AGES)):
        before += ages[number]
        if before >= dated / 2 and before:
            return number
    return UNDATED
