"""Age classes of pages, few enough to distinguish by color."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import cache

AGES: tuple[tuple[str, int], ...] = (
    ("up to 1 month", 31),
    ("1 to 6 months", 183),
    ("6 to 12 months", 366),
    ("1 to 2 years", 731),
    ("2 to 5 years", 1_827),
    ("over 5 years", 4_000_000),
    ("no date", 4_000_001),
)
"""The classes, each with its name and maximum number of days."""
UNDATED = len(AGES) - 1
"""The class of pages without a date."""


def age_of(today: date) -> Callable[[str], int]:
    """Return a function that returns the class of a date: the number of one of `AGES`."""

    @cache
    def class_of(day: str) -> int:
        try:
            then = date.fromisoformat(day)
        except ValueError:  # only a year or a month, or no date
            return UNDATED
        days = (today - then).days
        return next(number for number, (_, most) in enumerate(AGES) if days <= most)

    return lambda text: class_of(text[:10])


def median_age(ages: Counter[int]) -> int:
    """Return the median class of the pages with a date, or `UNDATED` if most pages have none."""
    dated = ages.total() - ages[UNDATED]
    if dated < ages[UNDATED]:
        return UNDATED
    seen = 0
    for age in sorted(ages):
        seen += ages[age]
        if 2 * seen >= dated:
            return age
    return UNDATED
