"""Age classes of pages, few enough to distinguish by color."""

from collections.abc import Callable
from datetime import date
from functools import cache

AGES: tuple[tuple[str, int], ...] = (
    ("up to 1 week", 7),
    ("up to 1 month", 31),
    ("up to 2 months", 61),
    ("up to 3 months", 92),
    ("up to 4 months", 122),
    ("up to 6 months", 183),
    ("up to 9 months", 275),
    ("up to 1 year", 366),
    ("up to 2 years", 731),
    ("up to 3 years", 1_096),
    ("up to 5 years", 1_827),
    ("more than 5 years", 4_000_000),
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
