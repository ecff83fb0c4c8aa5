"""A chart of what the benchmark `build` measures at several sizes of a site, as the manual shows it."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.diagrams import WIDTH, Picture

_TOP, _BOTTOM = 92, 262
_LEFT, _RIGHT = 34, WIDTH - 8
_BAR, _GAP = 27, 10
_KINDS = {1: "new", 2: "branch"}
_COMMANDS = ("smindex build", "smindex check")
_RATIO, _SPREAD = "ratio to bare reading", "lowest and highest ratio"


def draw(results: Sequence[Mapping[str, Any]], words: str) -> Picture:
    """Return the ratios of both commands to the bare reading, with one process and with two, for each size."""
    picture = Picture(_BOTTOM + 74, words)
    most = max(
        result[_SPREAD][f"{command} --jobs {jobs}"][1] for result in results for command in _COMMANDS for jobs in _KINDS
    )
    step = next(step for step in (0.5, 1, 2, 5, 10, 20, 50, 100) if most / step <= 6)
    scale = (_BOTTOM - _TOP) / (math.ceil(most / step) * step)
    picture.text(8, 20, "Time, as a multiple of the bare reading of the same pages", "strong")
    for number, (jobs, kind) in enumerate(_KINDS.items()):
        picture.bar(8 + 120 * number, 32, 12, 12, kind)
        picture.text(26 + 120 * number, 43, f"{jobs} process{'es' * (jobs > 1)}")
    picture.line((258, 38), (278, 38), kind="cut")
    picture.text(284, 43, "bare reading: 1")
    for number in range(math.ceil(most / step) + 1):
        y = _BOTTOM - number * step * scale
        picture.line((_LEFT, y), (_RIGHT, y), kind="lost" if number else "line")
        picture.text(_LEFT - 6, y + 4, f"{number * step:g}", "weak", anchor="end")
    width = (_RIGHT - _LEFT) / 2
    for number, command in enumerate(_COMMANDS):
        left = _LEFT + width * number
        picture.text(left + width / 2, _TOP - 20, command, "code", anchor="middle")
        for place, result in enumerate(results):
            _add_bars(picture, result, command, left + 12 + place * (2 * _BAR + _GAP), scale)
        picture.text(left + width / 2, _BOTTOM + 40, "pages", "weak", anchor="middle")
    picture.text(8, _BOTTOM + 62, "Bars: medians. Thin lines: from the lowest run to the highest.", "weak")
    picture.line((_LEFT, _BOTTOM - scale), (_RIGHT, _BOTTOM - scale), kind="cut")
    return picture


def _add_bars(picture: Picture, result: Mapping[str, Any], command: str, left: float, scale: float) -> None:
    for number, (jobs, kind) in enumerate(_KINDS.items()):
        name, x = f"{command} --jobs {jobs}", left + _BAR * number
        ratio, (low, high) = result[_RATIO][name], result[_SPREAD][name]
        picture.bar(x + 1, _BOTTOM - ratio * scale, _BAR - 2, ratio * scale, kind)
        middle = x + _BAR / 2
        picture.line((middle, _BOTTOM - low * scale), (middle, _BOTTOM - high * scale))
        picture.text(middle, _BOTTOM - high * scale - 5, f"{ratio:.1f}", "code", anchor="middle")
    picture.text(left + _BAR, _BOTTOM + 18, f"{result['pages']:,}", anchor="middle")
