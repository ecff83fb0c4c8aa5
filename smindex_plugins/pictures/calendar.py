"""The days of a year as squares, week by week, the stronger in colour the more pages changed on them."""

import math
from collections.abc import Mapping
from datetime import date
from typing import Any

from lxml.builder import ElementMaker

MOST_YEARS = 15
"""Years that are drawn; earlier ones are counted together."""
_STEP, _SIDE, _LEVELS = 14, 12, 4
_WEEKS, _DAYS = 54, 7
_SVG = ElementMaker(namespace=None)


def draw_year(year: int, counts: Mapping[str, int], most: int) -> Any:  # noqa: ANN401 - an element of lxml
    """Return the drawing of a year, whose days have so many pages; ``most`` is that of the fullest day of all years."""
    first = date(year, 1, 1)
    drawn = _SVG.svg(
        {
            "viewBox": f"0 0 {_WEEKS * _STEP} {_DAYS * _STEP}",
            "role": "img",
            "aria-label": f"{year}: {sum(counts.values()):,} dates on {len(counts):,} days",
        }
    )
    for number in range((date(year, 12, 31) - first).days + 1):
        day = date.fromordinal(first.toordinal() + number)
        week, weekday = divmod(number + first.weekday(), _DAYS)
        count = counts.get(day.isoformat(), 0)
        square = _SVG.rect(
            {
                "x": str(week * _STEP),
                "y": str(weekday * _STEP),
                "width": str(_SIDE),
                "height": str(_SIDE),
                "class": f"c{level(count, most)}",
            }
        )
        if count:
            square.append(_SVG.title(f"{day.isoformat()}: {count:,}"))
        drawn.append(square)
    return drawn


def level(count: int, most: int) -> int:
    """Return how strong the colour of a day is, from 0 for none to that of the fullest, by the order of magnitude."""
    if not count or count >= most:
        return _LEVELS if count else 0
    return 1 + int((_LEVELS - 1) * math.log(count) / math.log(most))
