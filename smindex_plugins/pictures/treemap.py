"""The layout of a tree map: rectangles with given areas, as square as possible.

Bruls, Huizing, van Wijk: Squarified treemaps, 2000.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Rectangle(NamedTuple):
    """A position as fractions of the whole, from 0 to 1."""

    left: float
    top: float
    width: float
    height: float


def squarify(weights: Sequence[float], width: float = 1.6, height: float = 1.0) -> list[Rectangle]:
    """Return a rectangle for each weight. Weights are above 0, the largest first. The whole has the given size."""
    scale = width * height / sum(weights) if weights else 0
    areas = [weight * scale for weight in weights]
    rectangles: list[Rectangle] = []
    left, top, free_width, free_height = 0.0, 0.0, width, height
    begin = 0
    while begin < len(areas):
        side = min(free_width, free_height)
        end = _row(areas, begin, side)
        row = areas[begin:end]
        thickness = sum(row) / side if side else 0
        at = 0.0
        for area in row:
            length = area / thickness if thickness else 0
            if free_width >= free_height:
                rectangles.append(Rectangle(left / width, (top + at) / height, thickness / width, length / height))
            else:
                rectangles.append(Rectangle((left + at) / width, top / height, length / width, thickness / height))
            at += length
        if free_width >= free_height:
            left, free_width = left + thickness, max(free_width - thickness, 0)
        else:
            top, free_height = top + thickness, max(free_height - thickness, 0)
        begin = end
    return rectangles


def _row(areas: Sequence[float], begin: int, side: float) -> int:
    """Return the end of the row that starts with an area: before the one that would worsen the worst aspect ratio."""
    total, end, worst = 0.0, begin, float("inf")
    while end < len(areas):
        total += areas[end]
        longest = max(side * side * areas[begin] / (total * total), total * total / (side * side * areas[end]))
        if longest > worst:
            break
        worst, end = longest, end + 1
    return max(end, begin + 1)
