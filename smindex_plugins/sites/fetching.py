"""How a live site is asked: politely, for no more than is needed, and never trusting what it answers."""

import http.client
import ssl
import threading
import time
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from importlib.metadata import version

from smindex_plugins import urls

_PROJECT = "smindex-plugins"
_TIMEOUT = 20.0
"""Seconds without a byte."""
_DEADLINE = 180.0
"""Seconds for one whole answer, however slowly it trickles."""
_MOST_REDIRECTS = 5
_MOST_WAIT = 60.0
"""Seconds of Retry-After that are honoured; who wants more is told of as unreachable."""
_RETRIES = 2
_BLOCK = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_RETRIED = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}


@dataclass(slots=True, kw_only=True)
class Answer:
    """What came back for a URL; where nothing did, `failure` says why."""

    url: str
    """Where the redirects led."""
    status: int = 0
    headers: Message = field(default_factory=Message)
    content: bytes = b""
    redirect: str = ""
    """The same, if there was one."""
    failure: str = ""

    @property
    def is_ok(self) -> bool:
        """It is the answer that was wished for."""
        return not self.failure and self.status == HTTPStatus.OK

    @property
    def problem(self) -> str:
        """Why it is not."""
        return self.failure or f"the server answers with {self.status}"


class Fetcher:
    """Asks servers; safe to use from several threads."""

    def __init__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        self._user_agent = f"smindex/{version(_PROJECT)} (+https://pypi.org/project/{_PROJECT}/)"
        self._sleep = sleep
        # No handler of errors, so that each is an answer, nor of redirects: they are reported, counted, and lead to
        # http and https alone.
        self._opener = urllib.request.OpenerDirector()
        self._opener.add_handler(urllib.request.ProxyHandler())
        self._opener.add_handler(urllib.request.HTTPHandler())
        self._opener.add_handler(urllib.request.HTTPSHandler(context=ssl.create_default_context()))
        self._pause = 0.0
        self._lock = threading.Lock()

    def head(self, url: str) -> Answer:
        """Ask for a URL's status and headers."""
        return self.get(url, 0)

    def get(self, url: str, most: int) -> Answer:
        """Fetch a URL, and of its content one byte more than the most that is wanted."""
        answer = Answer(url=url)
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._ask_again(answer.url, most)
            location = answer.headers.get("Location", "")
            if answer.failure or not 300 <= answer.status < 400 or not location:  # noqa: PLR2004 - HTTP's redirects
                answer.redirect = answer.url if answer.url != url else ""
                return answer
            try:
                answer = Answer(url=urls.resolve(answer.url, location))
            except ValueError:
                return Answer(url=url, failure=f"it redirects to {location[:200]!r}, which is no http URL")
        return Answer(url=url, failure=f"it redirects more than {_MOST_REDIRECTS} times")

    def _ask_again(self, url: str, most: int) -> Answer:
        answer = self._ask_once(url, most)
        for _ in range(_RETRIES):
            if (wait := _wait(answer)) is None:
                break
            with self._lock:
                self._pause = max(self._pause, time.monotonic() + wait)
            self._sleep(wait)
            answer = self._ask_once(url, most)
        return answer

    def _ask_once(self, url: str, most: int) -> Answer:
        pause = self._pause - time.monotonic()
        if pause > 0:
            self._sleep(pause)
        encoding = "identity" if _names_gzip(url) else "gzip"
        headers = {"User-Agent": self._user_agent, "Accept-Encoding": encoding}
        method = "GET" if most else "HEAD"
        request = urllib.request.Request(url, method=method, headers=headers)  # noqa: S310 - only http and https come here
        try:
            with self._opener.open(request, timeout=_TIMEOUT) as response:
                content = _content(response, url, most) if most else b""
                return Answer(url=url, status=response.status, headers=response.headers, content=content)
        except (OSError, http.client.HTTPException, ValueError, zlib.error) as error:
            return Answer(url=url, failure=_why(error))


def _content(response: http.client.HTTPResponse, url: str, most: int) -> bytes:
    """Read what is wanted, unpacked where the server packed it for the way.

    Raises:
        ValueError: it is packed in a way that was not asked for.
    """
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in {"", "identity", "gzip", "x-gzip"}:
        message = f"it is sent in the encoding {encoding[:40]!r}, which was not asked for"
        raise ValueError(message)
    content = b"".join(_blocks(response, most))
    # A server that declares the packing of a .gz file itself as that of the way sends the file as it is.
    if encoding in {"gzip", "x-gzip"} and (not _names_gzip(url) or _is_gzip_in_gzip(content)):
        return zlib.decompressobj(wbits=31).decompress(content, most + 1)
    return content


def _names_gzip(url: str) -> bool:
    return urls.path(url).partition("?")[0].endswith(".gz")


def _is_gzip_in_gzip(content: bytes) -> bool:
    if not content.startswith(_GZIP_MAGIC):
        return False
    return zlib.decompressobj(wbits=31).decompress(content[:_BLOCK], 2) == _GZIP_MAGIC


def _blocks(response: http.client.HTTPResponse, most: int) -> Iterator[bytes]:
    until = time.monotonic() + _DEADLINE
    size = 0
    while size <= most and (block := response.read(min(_BLOCK, most + 1 - size))):
        size += len(block)
        yield block
        if time.monotonic() > until:
            message = f"its answer takes longer than {_DEADLINE:g} seconds"
            raise TimeoutError(message)


def _wait(answer: Answer) -> float | None:
    """Return the seconds after which a server wants to be asked again, or None where it does not say, or too many."""
    given = answer.headers.get("Retry-After", "").strip()
    if answer.status not in _RETRIED or not given:
        return None
    try:
        wait = float(given) if given.isdigit() else parsedate_to_datetime(given).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(wait, 0) if wait <= _MOST_WAIT else None


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    if isinstance(reason, TimeoutError):
        return str(reason) if "seconds" in str(reason) else f"the server does not answer within {_TIMEOUT:g} seconds"
    return " ".join(str(reason).split())[:300] or type(reason).__name__
