"""A chart of what the benchmark `build` measures at several sizes of a site, as the manual shows it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.diagrams import WIDTH, Picture

_TOP, _BOTTOM = 92, 262
_LEFT, _RIGHT = 34, WIDTH - 8
_BAR, _GAP = 40, 24
_COMMANDS = ("smindex build", "smindex check")
_RATIO, _SPREAD = "ratio to bare reading", "lowest and highest ratio"


def draw(results: Sequence[Mapping[str, Any]], words: str) -> Picture:
    """Return the ratios of both commands to the bare reading, for each size."""
    picture = Picture(_BOTTOM + 74, words)
    most = max(result[_SPREAD][command][1] for result in results for command in _COMMANDS)
    step = next(step for step in (0.5, 1, 2, 5, 10, 20, 50, 100) if most / step <= 6)
    scale = (_BOTTOM - _TOP) / (math.ceil(most / step) * step)
    picture.text(8, 20, "Time, as a multiple of the bare reading of the same pages", "strong")
    picture.line((8, 38), (28, 38), kind="cut")
    picture.text(34, 43, "bare reading: 1")
    for number in range(math.ceil(most / step) + 1):
        y = _BOTTOM - number * step * scale
        picture.line((_LEFT, y), (_RIGHT, y), kind="lost" if number else "line")
        picture.text(_LEFT - 6, y + 4, f"{number * step:g}", "weak", anchor="end")
    width = (_RIGHT - _LEFT) / 2
    for number, command in enumerate(_COMMANDS):
        left = _LEFT + width * number
        picture.text(left + width / 2, _TOP - 20, command, "code", anchor="middle")
        for place, result in enumerate(results):
            _add_bar(picture, result, command, left + 12 + place * (_BAR + _GAP), scale)
        picture.text(left + width / 2, _BOTTOM + 40, "pages", "weak", anchor="middle")
    picture.text(8, _BOTTOM + 62, "Bars: medians. Thin lines: from the lowest run to the highest.", "weak")
    picture.line((_LEFT, _BOTTOM - scale), (_RIGHT, _BOTTOM - scale), kind="cut")
    return picture


def _add_bar(picture: Picture, result: Mapping[str, Any], command: str, left: float, scale: float) -> None:
    ratio, (low, high) = result[_RATIO][command], result[_SPREAD][command]
    middle = left + _BAR / 2
    picture.bar(left, _BOTTOM - ratio * scale, _BAR, ratio * scale, "new")
    picture.line((middle, _BOTTOM - low * scale), (middle, _BOTTOM - high * scale))
    picture.text(middle, _BOTTOM - high * scale - 5, f"{ratio:.1f}", "code", anchor="middle")
    picture.text(middle, _BOTTOM + 18, f"{result['pages']:,}", anchor="middle")
