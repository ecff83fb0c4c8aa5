"""How a live site is requested: politely, no more than needed, and without trust in the answers."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from smindex_plugins import home, urls
from smindex_plugins.limits import ANSWER_SECONDS, RUN_SECONDS
from smindex_plugins.web.pace import Pace

if TYPE_CHECKING:
    from smindex_plugins.web.connecting import Request

_PROJECT = "smindex-plugins"
AT_ONCE = 4
"""How many requests run at the same time, unless somebody wants another number."""
_MOST_REDIRECTS = 10
"""The most redirects that are followed, as many as Google follows: https://developers.google.com/search/docs/crawling-indexing/http-network-errors"""
_MOST_WAIT = 60.0
"""The longest Retry-After that is honoured, in seconds. A server that wants more counts as unreachable."""
_RETRIES = 4


@dataclass(slots=True, kw_only=True)
class Answer:
    """The answer for a URL. If there is none, `failure` says why."""

    url: str
    """The URL at the end of the redirects."""
    status: int = 0
    headers: Message = field(default_factory=Message)
    content: bytes = b""
    redirect: str = ""
    """The same, if there was a redirect."""
    failure: str = ""
    is_reached: bool = True
    """Whether the server began to answer."""
    is_late: bool = False
    """Whether the time for the whole run ended first."""

    @property
    def is_ok(self) -> bool:
        """Whether it is the wanted answer."""
        return not self.failure and self.status == HTTPStatus.OK

    @property
    def problem(self) -> str:
        """Why it is not the wanted answer."""
        return self.failure or f"the server answers with {self.status}"


class Fetcher:
    """Fetches URLs. Several threads can use it."""

    def __init__(
        self,
        sleep: Callable[[float], None] = time.sleep,
        *,
        timeout: float = ANSWER_SECONDS,
        deadline: float = RUN_SECONDS,
        at_once: int = AT_ONCE,
    ) -> None:
        # To be ready for HTTPS takes 100 ms, and most runs of the command ask nobody.
        from importlib.metadata import version  # noqa: PLC0415 - see above

        from smindex_plugins.web.connecting import Connections, NoAnswerError  # noqa: PLC0415 - see above

        user_agent = f"smindex/{version(_PROJECT)} (+{home.SOURCE})"
        self._connections = Connections(user_agent, at_once)
        self.at_once = at_once
        self._no_answer = NoAnswerError
        self._sleep = sleep
        self._timeout = timeout
        self.deadline = deadline
        """The seconds for all requests together."""
        self._until = time.monotonic() + deadline
        self._lock = threading.Lock()
        self._paces: dict[str, Pace] = defaultdict(Pace)
        """The pace of the requests to each origin."""

    @property
    def is_over(self) -> bool:
        """Whether the time for the whole run is over. Then there are no more requests."""
        return time.monotonic() >= self._until

    @property
    def left(self) -> float:
        """Seconds that are left for the whole run."""
        return self._until - time.monotonic()

    def pause(self, seconds: float) -> None:
        """Ask nothing for a time."""
        self._sleep(seconds)

    def allow(self, url: str) -> None:
        """Allow requests to a URL that the user named, even a private one. Redirects may lead only to public ones."""
        self._connections.allow(url)

    def keep_apart(self, origin: str, seconds: float) -> None:
        """Set the seconds between two requests to an origin."""
        self._paces[origin].least = seconds

    def delay(self, origin: str) -> float:
        """Return the seconds between two requests to an origin, as they were set."""
        return self._paces[origin].least

    def head(self, url: str) -> Answer:
        """Return the status and headers of a URL."""
        return self.get(url, 0)

    def get(self, url: str, most: int, wants: Callable[[Message], bool] = lambda _: True) -> Answer:
        """Return the answer for a URL, with at most one byte more than the limit, if its headers make it wanted."""
        answer = Answer(url=url)
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._ask_again(answer.url, most, wants)
            location = answer.headers.get("Location", "")
            if answer.failure or not 300 <= answer.status < 400 or not location:  # noqa: PLR2004 - HTTP's redirects
                answer.redirect = answer.url if answer.url != url else ""
                return answer
            try:
                answer = Answer(url=urls.resolve(answer.url, location))
            except ValueError:
                return Answer(url=url, failure=f"it redirects to {location[:200]!r}, which is not an http URL")
        return Answer(url=url, failure=f"it redirects more than {_MOST_REDIRECTS} times")

    def send(self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None, most: int) -> Answer:
        """Send one request that may be sent twice, and return its answer, whatever that is."""
        from smindex_plugins.web.connecting import Request  # noqa: PLC0415 - as in the beginning

        if self._turn(url) is None:
            return self._late(url)
        return self._ask_once(url, most, lambda _: True, Request(method=method, headers=headers, body=body))

    def _ask_again(self, url: str, most: int, wants: Callable[[Message], bool]) -> Answer:
        answer = Answer(url=url)
        for retries in reversed(range(_RETRIES + 1)):
            if (sent := self._turn(url)) is None:
                return self._late(url)
            answer = self._ask_once(url, most, wants)
            wait = _wait(answer)
            now, pace = time.monotonic(), self._paces[urls.origin(url)]
            with self._lock:
                if wait is not None:
                    pace.refused(sent, now, wait)
                elif answer.status:
                    pace.answered()
            if wait is None or not retries or now + wait >= self._until:
                break
            self._sleep(wait)
        return answer

    def _ask_once(
        self, url: str, most: int, wants: Callable[[Message], bool], request: "Request | None" = None
    ) -> Answer:
        try:
            seconds = min(self._timeout, self.left)
            given = () if request is None else (request,)
            reply = self._connections.ask(url, most, wants, seconds, *given)
        except self._no_answer as error:
            if self.is_over:
                return self._late(url)
            return Answer(url=url, failure=str(error), is_reached=error.is_reached)
        return Answer(url=url, status=reply.status, headers=reply.headers, content=reply.content)

    def _turn(self, url: str) -> float | None:
        """Wait for the next request to a server, and return its time, or None if that is too late."""
        with self._lock:
            now = time.monotonic()
            turn = self._paces[urls.origin(url)].turn(now, self._until)
        if turn is not None and turn > now:
            self._sleep(turn - now)
        return turn

    def _late(self, url: str) -> Answer:
        failure = f"the time for the whole run, {self.deadline:g} seconds, is over"
        return Answer(url=url, failure=failure, is_reached=False, is_late=True)


def _wait(answer: Answer) -> float | None:
    """Return the seconds after which a server that refused may be asked again, or None if it did not, or never may."""
    if answer.status not in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
        return None
    wait = retry_after(answer)
    if wait is None and answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        return 0.0
    return wait if wait is not None and wait <= _MOST_WAIT else None


def retry_after(answer: Answer) -> float | None:
    """Return the seconds after which a server wants to be asked again, or None where it does not say."""
    given = answer.headers.get("Retry-After", "").strip()
    try:
        wait = float(given) if given.isdigit() else parsedate_to_datetime(given).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(wait, 0)
