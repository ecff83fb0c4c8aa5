"""An HTTP client. Requests are polite and limited, and responses are never trusted."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from email.message import Message
from functools import cached_property, partial
from http import HTTPStatus
from typing import TYPE_CHECKING

from smindex_plugins.base import urls
from smindex_plugins.base.limits import ANSWER_SECONDS, RUN_SECONDS
from smindex_plugins.reading.answer import Answer, retry_after

if TYPE_CHECKING:
    from smindex_plugins.reading._sending import Sender

AT_ONCE = 4
"""How many requests run at the same time by default."""
MOST_REDIRECTS = 10
"""The most redirects that are followed, as many as Google follows:
https://developers.google.com/search/docs/crawling-indexing/http-network-errors"""
_REFUSALS = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}
_FIRST_PAUSE, _LAST_PAUSE = 0.5, 4.0
"""Seconds to wait before the first and before the last retry of a refused request."""
_MOST_WAIT = 60.0
"""The longest Retry-After that is honoured, in seconds."""
_MOST_GAP = 4.0
"""The most seconds between two requests to a server that refuses some."""


class Fetcher:
    """Requests URLs. Several threads can use it.

    A refused URL (429 or 503) is requested up to four more times, after its Retry-After or a
    doubling pause. Each refusal increases the gap between all requests to that server, and every
    other response reduces it. With retries alone, threads that share a server would soon run out of
    retries.
    """

    def __init__(
        self,
        *,
        timeout: float = ANSWER_SECONDS,
        deadline: float = RUN_SECONDS,
        at_once: int = AT_ONCE,
    ) -> None:
        self.at_once = at_once
        self.deadline = deadline
        """The time limit for all requests together, in seconds."""
        self.delays = defaultdict[str, float](float)
        """The delay between two requests that an origin's robots.txt requests, in seconds."""
        self.timeout = timeout
        self._until = time.monotonic() + deadline
        self._lock = threading.Lock()
        self._gaps = defaultdict[str, float](float)
        self._turns = defaultdict[str, float](float)
        """The time of the next request to each origin."""

    @cached_property
    def _sender(self) -> "Sender":
        from smindex_plugins.reading._sending import Sender  # noqa: PLC0415 - urllib3 takes 100 ms to load, and most commands send nothing

        return Sender(self.at_once)

    @property
    def left(self) -> float:
        """Seconds left for the run."""
        return self._until - time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the time limit of the run is over. If so, no request is sent."""
        return self.left <= 0

    def pause(self, seconds: float) -> None:
        """Pause this thread."""
        time.sleep(seconds)

    def allow(self, url: str) -> None:
        """Allow requests to the host of a URL that the user passed, even if its address is
        private.
        """
        self._sender.allow(url)

    def get(self, url: str, most: int, wants: Callable[[Message], bool] = lambda _: True) -> Answer:
        """Return the response for a URL after redirects and retries, with at most one byte more
        than the limit.

        The content is read only if ``wants`` accepts the headers. With a limit of 0, the method is
        HEAD.
        """
        method = "GET" if most else "HEAD"
        at = url
        for _ in range(MOST_REDIRECTS + 1):
            answer = self.send(method, at, most=most, wants=wants)
            location = answer.headers.get("Location", "")
            is_redirect = 300 <= answer.status < 400  # noqa: PLR2004 - as HTTP defines them
            if not is_redirect or not location:
                answer.redirect = at if at != url else ""
                return answer
            try:
                at = urls.resolve(at, location)
            except ValueError:
                failure = f"it redirects to {location[:200]!r}, which is not an http URL"
                return Answer(url=url, failure=failure)
        return Answer(url=url, failure=f"it redirects more than {MOST_REDIRECTS} times")

    def send(
        self,
        method: str,
        url: str,
        *,
        most: int,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        wants: Callable[[Message], bool] = lambda _: True,
    ) -> Answer:
        """Send a request, retry while the server refuses it, and return the response, whatever it
        is.
        """
        request = partial(
            self._sender.send,
            method,
            url,
            most=most,
            headers=headers or {},
            body=body,
            wants=wants,
        )
        pause = _FIRST_PAUSE
        while True:
            answer = self._send_once(url, request)
            if answer.status not in _REFUSALS or pause > _LAST_PAUSE:
                return answer
            wait = max(pause, retry_after(answer) or 0)
            if wait > min(_MOST_WAIT, self.left):
                return answer
            self.pause(wait)
            pause *= 2

    def _send_once(self, url: str, request: Callable[..., Answer]) -> Answer:
        """Send a request when it is its turn, and return the response, whatever it is."""
        origin = urls.origin(url)
        over = f"the time limit of the run, {self.deadline:g} seconds, is over"
        late = Answer(url=url, failure=over, is_reached=False, is_late=True)
        if not self._take_turn(origin):
            return late
        answer = request(seconds=min(self.timeout, self.left))
        if not answer.failure:
            self._adapt_gap(origin, is_refused=answer.status in _REFUSALS)
        elif self.is_over:
            return late
        return answer

    def _adapt_gap(self, origin: str, *, is_refused: bool) -> None:
        """Change the gap between requests to a server after its response."""
        with self._lock:
            gap = self._gaps[origin]
            if is_refused:
                self._gaps[origin] = min(1.25 * gap + 0.01, _MOST_GAP)
            else:
                self._gaps[origin] = 0.98 * gap

    def _take_turn(self, origin: str) -> bool:
        """Wait until the next request to a server may be sent, and return whether that is before
        the deadline.
        """
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._turns[origin])
            gap = max(self.delays[origin], self._gaps[origin])
            self._turns[origin] = turn + gap
        if now < turn < self._until:
            self.pause(turn - now)
        return turn < self._until
