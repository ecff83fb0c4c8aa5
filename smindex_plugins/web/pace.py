"""How fast requests to one server follow each other: as fast as it lets them, and slower once it refuses some."""

from dataclasses import dataclass

_FIRST, _MOST = 0.5, 4.0
"""The seconds between two requests after the first refusal, and the most after many."""
_FASTER = 0.93
_NONE = 0.001
"""So few seconds between two requests need not be waited for."""


@dataclass(slots=True)
class Pace:
    """The pace of one server, which lasts until it refuses a request, and gets faster with each that it answers."""

    least: float = 0.0
    """The seconds between two requests that its robots.txt asks for."""
    _apart: float = 0.0
    """Those that its refusals ask for."""
    _waited: float = 0.0
    """When the wait after the last of these was over."""
    _next: float = 0.0
    """The time of the next request."""

    def turn(self, now: float, until: float) -> float | None:
        """Return the time of the next request, or None if that is not before a time. Each call gets another one."""
        turn = max(now, self._next)
        if turn >= until:
            return None
        self._next = turn + max(self.least, self._apart)
        return turn

    def answered(self) -> None:
        """Go a little faster."""
        self._apart = self._apart * _FASTER if self._apart > _NONE else 0.0

    def refused(self, sent: float, now: float, wait: float) -> None:
        """Go half as fast, and only after a wait. What was sent before it was over says nothing new."""
        is_new = sent >= self._waited
        self._apart = min(2 * self._apart or _FIRST, _MOST) if is_new else self._apart
        self._next = max(self._next, now + max(wait, self._apart))
        self._waited = self._next if is_new else self._waited
