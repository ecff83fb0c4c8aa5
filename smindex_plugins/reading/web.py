"""An HTTP client. Requests are polite and limited, and responses are never trusted."""

import http.client
import socket
import ssl
import threading
import time
import urllib.request
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from smindex_plugins.base import addresses, urls
from smindex_plugins.base.limits import ANSWER_SECONDS, RUN_SECONDS

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

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
_BLOCK = 1 << 16
_PORTS = {"http": 80, "https": 443}


@dataclass(slots=True, kw_only=True)
class Answer:
    """The response for a URL. If there is none, `failure` contains the reason."""

    url: str
    """The URL after all redirects."""
    status: int = 0
    headers: Message = field(default_factory=Message)
    content: bytes = b""
    redirect: str = ""
    """The same, if there was a redirect."""
    failure: str = ""
    is_reached: bool = True
    """Whether the server started to respond."""
    is_late: bool = False
    """Whether the time limit of the run ended first."""

    @property
    def is_ok(self) -> bool:
        """Whether it is a success."""
        return not self.failure and self.status == HTTPStatus.OK

    @property
    def problem(self) -> str:
        """Why it is not a success."""
        return self.failure or f"the server answers with {self.status}"


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
        self._headers = {"User-Agent": f"smindex/{version('smindex-plugins')}"}
        self._context = ssl.create_default_context()
        self._proxies = urllib.request.getproxies()
        self._pools: dict[str, PoolManager] = {}
        """The connection pools of each proxy, and without a proxy."""
        self._named: set[tuple[str, int]] = set()
        """Hosts and ports of the URLs that the user passed."""
        self._lock = threading.Lock()
        self._gaps = defaultdict[str, float](float)
        self._turns = defaultdict[str, float](float)
        """The time of the next request to each origin."""

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
        host, port = _place(url)
        # http: often leads to https:
        ports = _PORTS.values() if port in _PORTS.values() else [port]
        for each in ports:
            self._named.add((host, each))

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
        pause = _FIRST_PAUSE
        while True:
            answer = self._send_once(method, url, most, headers or {}, body, wants)
            if answer.status not in _REFUSALS or pause > _LAST_PAUSE:
                return answer
            wait = max(pause, retry_after(answer) or 0)
            if wait > min(_MOST_WAIT, self.left):
                return answer
            self.pause(wait)
            pause *= 2

    def _send_once(  # noqa: PLR0917 - as `send` takes them
        self,
        method: str,
        url: str,
        most: int,
        headers: Mapping[str, str],
        body: bytes | None,
        wants: Callable[[Message], bool],
    ) -> Answer:
        """Send a request when it is its turn, and return the response, whatever it is.

        It is sent a second time if the server closes the connection, which may be an old one.
        """
        from urllib3 import exceptions  # noqa: PLC0415 - takes 100 ms, and most commands send nothing

        from smindex_plugins.reading._connections import SENDING, Sending  # noqa: PLC0415 - as above

        origin = urls.origin(url)
        over = f"the time limit of the run, {self.deadline:g} seconds, is over"
        late = Answer(url=url, failure=over, is_reached=False, is_late=True)
        if not self._take_turn(origin):
            return late
        seconds = min(self.timeout, self.left)
        until = time.monotonic() + seconds
        SENDING.set(Sending(until, partial(self._check_addresses, url)))
        packing = "identity" if _is_gzip(url) else "gzip"
        answer = Answer(url=url)
        response = None
        try:
            request = partial(
                self._pool(url).urlopen,
                method,
                url,
                body=body,
                headers={**self._headers, "Accept-Encoding": packing, **headers},
                redirect=False,  # the next address must be checked
                # the retries of urllib3 ignore the deadline, and read refusals of any length
                retries=False,
                preload_content=False,
                decode_content=False,
            )
            try:
                response = request()
            except exceptions.ProtocolError:
                response = request()
            answer.status = response.status
            for name, value in response.headers.iteritems():
                # Some servers send redirect targets unescaped. Browsers read them as UTF-8.
                sent = value.encode("latin-1", "replace")
                answer.headers.add_header(name, sent.decode("utf-8", "replace"))
            if most and wants(answer.headers):
                answer.content = _content(response, url, most)
        except (
            exceptions.HTTPError,
            OSError,
            http.client.HTTPException,
            ValueError,
            zlib.error,
        ) as error:
            if self.is_over:
                return late
            if time.monotonic() < until:
                failure = _why(error)
            elif response:
                failure = f"its response takes longer than {seconds:g} seconds"
            else:
                failure = f"the server does not answer within {seconds:g} seconds"
            return Answer(url=url, failure=failure, is_reached=response is not None)
        finally:
            if response:
                # which closes the connection, unless the response was read completely
                response.close()
        self._adapt_gap(origin, is_refused=answer.status in _REFUSALS)
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

    def _pool(self, url: str) -> "PoolManager":
        """Return the connection pool for a URL, which uses the proxy from the environment if there
        is one.

        Raises:
            ValueError: only the proxy can look up its address, it is private, and the user did not
                pass it.
        """
        parts = urlsplit(url)
        proxy = self._proxies.get(parts.scheme, "")
        if proxy and urllib.request.proxy_bypass(parts.netloc):
            proxy = ""
        if proxy and _place(url) not in self._named and addresses.who_reaches(url):
            raise _private(parts.hostname or "")
        if proxy not in self._pools:
            self._pools[proxy] = self._new_pool(proxy)
        return self._pools[proxy]

    def _new_pool(self, proxy: str) -> "PoolManager":
        import urllib3  # noqa: PLC0415 - as above

        from smindex_plugins.reading._connections import pools  # noqa: PLC0415 - as above

        if not proxy:
            return pools(self._context, self.at_once)
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        user = None
        if parts.username:
            user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers = urllib3.make_headers(proxy_basic_auth=user)
        host = parts.netloc.rpartition("@")[2]
        return pools(self._context, self.at_once, f"{parts.scheme}://{host}", headers)

    def _check_addresses(self, url: str, found: Sequence[str]) -> None:
        """Reject a private address of a host, unless the user passed a URL with the address and the
        port.

        Raises:
            OSError: a host that the user passed has no address.
            ValueError: it is rejected.
        """
        from smindex_plugins.reading._connections import look_up  # noqa: PLC0415 - as above

        place = _place(url)
        private = {address for address in found if not addresses.is_public(ip_address(address))}
        if not private or place in self._named:
            return
        _, own_port = place
        for host, port in tuple(self._named):  # another thread may add one
            if port == own_port:
                private.difference_update(look_up(host, port))
        if private:
            raise _private(min(private))


def retry_after(answer: Answer) -> float | None:
    """Return the seconds after which a request may be retried, or None if the server doesn't
    specify it.
    """
    given = answer.headers.get("Retry-After", "").strip()
    try:
        if given.isdigit():
            wait = float(given)
        else:
            wait = parsedate_to_datetime(given).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(wait, 0)


def _place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or _PORTS[parts.scheme]


def _private(address: str) -> ValueError:
    return ValueError(
        f"its address, {address}, is in a private network and differs from that of the checked site"
    )


def _is_gzip(url: str) -> bool:
    """Whether the file itself is compressed. Some servers declare it as a transfer compression."""
    return url.partition("?")[0].endswith(".gz")


def _content(response: "BaseHTTPResponse", url: str, most: int) -> bytes:
    """Return the content, decompressed if the server compressed it for the transfer.

    Raises:
        OSError: it takes too long.
        ValueError: its compression was not requested, or it ends too early.
    """
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in {"", "identity", "gzip", "x-gzip"}:
        message = f"it is sent in the encoding {encoding[:40]!r}, which was not requested"
        raise ValueError(message)
    received = bytearray()
    while len(received) <= most:
        block = response.read1(min(_BLOCK, most + 1 - len(received)))
        if not block:
            break
        received += block
    if not received or encoding in {"", "identity"} or _is_gzip(url):
        return bytes(received)
    unpacker = zlib.decompressobj(wbits=31)
    content = unpacker.decompress(received, most + 1)
    if not unpacker.eof and len(content) <= most and len(received) <= most:
        message = "its compressed data ends too early"
        raise ValueError(message)
    return content


def _why(error: BaseException | None) -> str:  # noqa: C901 - one case for each problem
    """Return a plain description of why there is no response."""
    from urllib3 import exceptions  # noqa: PLC0415 - as above

    words = " ".join(str(error).split())[:300] or type(error).__name__
    match error:
        case exceptions.ProxyError():
            words = f"cannot connect to its proxy: {_why(error.original_error)}"
        case exceptions.NewConnectionError(__cause__=ConnectionRefusedError()):
            words = f"it refuses connections on port {error.conn.port}"
        case exceptions.NewConnectionError(__cause__=cause):
            words = _why(cause)
        case exceptions.ProtocolError(args=(_, BaseException() as cause)):
            words = _why(cause)
        case exceptions.SSLError(args=(ssl.SSLCertVerificationError() as cause, *_)):
            words = f"its certificate is not valid: {cause.verify_message}"
        case exceptions.SSLError(args=(cause, *_)):
            reason = getattr(cause, "reason", "") or str(cause)
            reason = reason.replace("_", " ").lower()[:200]
            words = f"cannot establish an encrypted connection: {reason}"
        case socket.gaierror():
            reason = (error.strerror or words).lower()
            words = f"its host name cannot be resolved ({reason})"
        case http.client.RemoteDisconnected():
            words = "the server closes the connection without a response"
        case http.client.IncompleteRead():
            words = "its response ends too early"
        case http.client.HTTPException():
            words = "the response is not HTTP"
        case ConnectionError():
            words = "the server drops the connection"
        case zlib.error():
            words = "its headers declare compression, but it cannot be decompressed"
    return words
