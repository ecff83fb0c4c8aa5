"""How the time of a reader grows with what it reads."""

import gc
import time
from collections.abc import Callable, Iterable

_MEASURABLE = 0.02
_MOST = 1 << 16
_TRIES = 5
_STEPS = 9.0
"""Of a text four times as long, the times as much time that is allowed: 4 is linear, 16 is quadratic."""


def slow(run: Callable[[str], object], frame: str, pieces: Iterable[str]) -> dict[str, str]:
    """Return the pieces of which a text grows that takes longer than it is long, and how much longer.

    In a frame, `{}` is where it grows; signs that are doubled stand for themselves.
    """
    before, *others = frame.replace("{{", "\1").replace("}}", "\2").split("{}")

    def grown(piece: str) -> str:
        def text_of(length: int) -> str:
            filling = piece * (length // len(piece))
            return filling.join([before, *others]).replace("\1", "{").replace("\2", "}")

        return is_linear(run, text_of)

    return {piece: how for piece in pieces if (how := grown(piece))}


def is_linear(run: Callable[[str], object], text_of: Callable[[int], str]) -> str:
    """Return nothing where the time for a text grows about as its length does, and else how it grows.

    Lengths begin where the time can be measured, and end at 65,536 characters; CPU time is measured, and on a busy
    machine the best of several tries counts. Python's garbage collector does not run meanwhile: when it looks at all
    objects, and how many tests before this one left, is no property of the reader.
    """
    length = 256
    first = _seconds(run, text_of(length))
    while first < _MEASURABLE and length < _MOST:
        length *= 4
        first = _seconds(run, text_of(length))
    if first < _MEASURABLE:
        return ""
    last = _seconds(run, text_of(4 * length))
    for _ in range(_TRIES):
        if last < _STEPS * first:
            return ""
        first = max(first, _seconds(run, text_of(length)))
        last = min(last, _seconds(run, text_of(4 * length)))
    return f"{length:,} characters take {first:.3f} s, and {4 * length:,} take {last:.3f} s"


def _seconds(run: Callable[[str], object], text: str) -> float:
    gc.disable()
    try:
        started = time.process_time()
        run(text)
        return time.process_time() - started
    finally:
        gc.enable()
