"""What servers answer over HTTP. Requests are polite and limited, and answers are never trusted."""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
import urllib.request
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from smindex_plugins import addresses, urls
from smindex_plugins.limits import ANSWER_SECONDS, RUN_SECONDS

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

AT_ONCE = 4
"""How many requests run at the same time by default."""
MOST_REDIRECTS = 10
"""The most redirects that are followed, as many as Google follows: https://developers.google.com/search/docs/crawling-indexing/http-network-errors"""
_REFUSALS = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}
_FIRST_PAUSE, _LAST_PAUSE = 0.5, 4.0
"""Seconds before the second request for a refused URL, and before the fifth, which is the last."""
_MOST_WAIT = 60.0
"""The longest Retry-After that is honoured, in seconds."""
_MOST_GAP = 4.0
"""The most seconds between two requests to a server that refuses some."""
_BLOCK = 1 << 16
_PORTS = {"http": 80, "https": 443}


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
    """Requests URLs. Several threads can use it.

    A refused URL (429 or 503) is requested up to four times more, after its Retry-After or a pause that doubles. Each
    refusal widens the gap between all requests to that server, and each other answer narrows it: with retries alone,
    threads that share a server would soon have used up all of theirs.
    """

    def __init__(
        self, *, timeout: float = ANSWER_SECONDS, deadline: float = RUN_SECONDS, at_once: int = AT_ONCE
    ) -> None:
        self.at_once = at_once
        self.deadline = deadline
        """The seconds for all requests together."""
        self.delays = defaultdict[str, float](float)
        """The seconds between two requests to an origin that its robots.txt asks for."""
        self.timeout = timeout
        self._until = time.monotonic() + deadline
        self._headers = {"User-Agent": f"smindex/{version('smindex-plugins')}"}
        self._context = ssl.create_default_context()
        self._proxies = urllib.request.getproxies()
        self._pools: dict[str, PoolManager] = {}
        """The connections through each proxy, and without one."""
        self._named: set[tuple[str, int]] = set()
        """Hosts and ports of the URLs that the user named."""
        self._checked: set[tuple[str, int]] = set()
        """Those whose address may be requested."""
        self._lock = threading.Lock()
        self._gaps = defaultdict[str, float](float)
        self._turns = defaultdict[str, float](float)
        """The time of the next request to each origin."""

    @property
    def left(self) -> float:
        """Seconds that are left for the whole run."""
        return self._until - time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the time for the whole run is over. Then no request is sent."""
        return self.left <= 0

    def pause(self, seconds: float) -> None:
        """Send no request from this thread for a time."""
        time.sleep(seconds)

    def allow(self, url: str) -> None:
        """Allow requests to the host of a URL that the user named, even if its address is private."""
        host, port = _place(url)
        ports = _PORTS.values() if port in _PORTS.values() else [port]  # http: often leads to https:
        self._named.update((host, each) for each in ports)

    def get(self, url: str, most: int, wants: Callable[[Message], bool] = lambda _: True) -> Answer:
        """Return the answer for a URL after redirects and retries, with at most one byte more than the limit.

        The content is read only if the headers make it wanted; with a limit of 0, the method is HEAD.
        """
        at = url
        for _ in range(MOST_REDIRECTS + 1):
            answer = self.send("GET" if most else "HEAD", at, most=most, wants=wants)
            location = answer.headers.get("Location", "")
            if not (300 <= answer.status < 400 and location):  # noqa: PLR2004 - HTTP's redirects
                answer.redirect = at if at != url else ""
                return answer
            try:
                at = urls.resolve(at, location)
            except ValueError:
                return Answer(url=url, failure=f"it redirects to {location[:200]!r}, which is not an http URL")
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
        """Send a request, again while the server refuses it, and return its answer, whatever that is."""
        pause = _FIRST_PAUSE
        while True:
            answer = self._send_once(method, url, most, headers or {}, body, wants)
            wait = max(pause, retry_after(answer) or 0)
            if answer.status not in _REFUSALS or pause > _LAST_PAUSE or wait > min(_MOST_WAIT, self.left):
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
        """Send a request when its turn has come, and return its answer, whatever that is.

        It is sent a second time if the server closes the connection, which it may have kept for long.
        """
        from urllib3 import Timeout, exceptions  # noqa: PLC0415 - takes 100 ms, and most commands send nothing

        origin = urls.origin(url)
        over = f"the time for the whole run, {self.deadline:g} seconds, is over"
        late = Answer(url=url, failure=over, is_reached=False, is_late=True)
        if not self._take_turn(origin):
            return late
        seconds = min(self.timeout, self.left)
        until = time.monotonic() + seconds
        packing = "identity" if _is_gzip(url) else "gzip"
        answer, response = Answer(url=url), None
        try:
            request = partial(
                self.pool(url).urlopen,
                method,
                url,
                body=body,
                headers={**self._headers, "Accept-Encoding": packing, **headers},
                timeout=Timeout(total=seconds),
                redirect=False,  # the next address must be checked
                retries=False,  # those of urllib3 sleep past the deadline, and read a refusal however long it is
                preload_content=False,
                decode_content=False,
            )
            try:
                response = request()
            except exceptions.ProtocolError:
                response = request()
            answer.status = response.status
            for name, value in response.headers.iteritems():
                # Some servers send the target of a redirect without escapes, which browsers read as UTF-8.
                answer.headers.add_header(name, value.encode("latin-1", "replace").decode("utf-8", "replace"))
            if most and wants(answer.headers):
                answer.content = _content(response, url, most, until)
        except (exceptions.HTTPError, OSError, http.client.HTTPException, ValueError, zlib.error) as error:
            if self.is_over:
                return late
            slow = "its answer takes longer than" if response else "the server does not answer within"
            failure = _why(error) if time.monotonic() < until else f"{slow} {seconds:g} seconds"
            return Answer(url=url, failure=failure, is_reached=response is not None)
        finally:
            if response:
                response.close()  # which closes the connection, unless the answer was read to its end
        with self._lock:
            gap = self._gaps[origin]
            self._gaps[origin] = min(1.25 * gap + 0.01, _MOST_GAP) if answer.status in _REFUSALS else 0.98 * gap
        return answer

    def _take_turn(self, origin: str) -> bool:
        """Wait for the turn of the next request to a server, and return whether it comes before the deadline."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._turns[origin])
            self._turns[origin] = turn + max(self.delays[origin], self._gaps[origin])
        if now < turn < self._until:
            self.pause(turn - now)
        return turn < self._until

    def pool(self, url: str) -> "PoolManager":
        """Return the connections for a URL, through the proxy of the environment if there is one.

        Raises:
            OSError: its host has no address.
            ValueError: its address is private, and the user did not name it.
        """
        import urllib3  # noqa: PLC0415 - as above

        parts = urlsplit(url)
        proxy = self._proxies.get(parts.scheme, "")
        if proxy and urllib.request.proxy_bypass(parts.netloc):
            proxy = ""
        self._check_address(url, proxy)
        if proxy not in self._pools:
            options: dict[str, Any] = {"maxsize": self.at_once, "ssl_context": self._context}
            if proxy:
                parsed = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
                user = f"{unquote(parsed.username)}:{unquote(parsed.password or '')}" if parsed.username else None
                headers = urllib3.make_headers(proxy_basic_auth=user)
                address = f"{parsed.scheme}://{parsed.netloc.rpartition('@')[2]}"
                self._pools[proxy] = urllib3.ProxyManager(address, proxy_headers=headers, **options)
            else:
                self._pools[proxy] = urllib3.PoolManager(**options)
        return self._pools[proxy]

    def _check_address(self, url: str, proxy: str) -> None:
        """Refuse a private address, unless the user named a URL with it and the port. Each host is looked up once."""
        place = _place(url)
        if place in self._named or place in self._checked:
            return
        if proxy:  # which alone knows the address
            private = {place[0]} if addresses.who_reaches(url) else set()
        elif private := {address for address in _look_up(*place) if not _is_public(address)}:
            private -= {each for host, port in self._named if port == place[1] for each in _look_up(host, port)}
        if private:
            message = f"its address, {min(private)}, is in a private network, and is not that of the checked site"
            raise ValueError(message)
        self._checked.add(place)


def retry_after(answer: Answer) -> float | None:
    """Return the seconds after which a server wants to be asked again, or None where it does not say."""
    given = answer.headers.get("Retry-After", "").strip()
    try:
        wait = float(given) if given.isdigit() else parsedate_to_datetime(given).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(wait, 0)


def _place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or _PORTS[parts.scheme]


def _look_up(host: str, port: int) -> set[str]:
    return {str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text)
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_global and not address.is_multicast


def _is_gzip(url: str) -> bool:
    """Whether the file itself is compressed. Some servers declare that as compression for the transfer."""
    return url.partition("?")[0].endswith(".gz")


def _content(response: "BaseHTTPResponse", url: str, most: int, until: float) -> bytes:
    """Return the content, decompressed if the server compressed it for the transfer.

    Raises:
        TimeoutError: it takes too long.
        ValueError: it is compressed in a way that was not asked for, or ends too early.
    """
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in {"", "identity", "gzip", "x-gzip"}:
        message = f"it is sent in the encoding {encoding[:40]!r}, which was not asked for"
        raise ValueError(message)
    received = bytearray()
    while len(received) <= most and (block := response.read1(min(_BLOCK, most + 1 - len(received)))):
        received += block
        if time.monotonic() >= until:
            raise TimeoutError
    if not received or encoding in {"", "identity"} or _is_gzip(url):
        return bytes(received)
    unpacker = zlib.decompressobj(wbits=31)
    content = unpacker.decompress(received, most + 1)
    if not unpacker.eof and len(content) <= most and len(received) <= most:
        message = "it is compressed, and the compressed data ends too early"
        raise ValueError(message)
    return content


def _why(error: BaseException | None) -> str:  # noqa: C901 - one case for each problem
    """Return in plain words why there is no answer."""
    from urllib3 import exceptions  # noqa: PLC0415 - as in the beginning

    words = " ".join(str(error).split())[:300] or type(error).__name__
    match error:
        case exceptions.ProxyError():
            words = f"its proxy cannot be reached: {_why(error.original_error)}"
        case exceptions.NewConnectionError(__cause__=ConnectionRefusedError()):
            words = f"it refuses connections at port {error.conn.port}"
        case exceptions.NewConnectionError(__cause__=cause):
            words = _why(cause)
        case exceptions.ProtocolError(args=(_, BaseException() as cause)):
            words = _why(cause)
        case exceptions.SSLError(args=(ssl.SSLCertVerificationError() as cause, *_)):
            words = f"its certificate is not valid: {cause.verify_message}"
        case exceptions.SSLError(args=(cause, *_)):
            reason = getattr(cause, "reason", "") or str(cause)
            words = f"no encrypted connection can be made: {reason.replace('_', ' ').lower()[:200]}"
        case socket.gaierror():
            words = f"its name is not known ({(error.strerror or words).lower()})"
        case http.client.RemoteDisconnected():
            words = "the server closes the connection without an answer"
        case http.client.IncompleteRead():
            words = "its answer ends too early"
        case http.client.HTTPException():
            words = "what the server answers is not HTTP"
        case ConnectionError():
            words = "the server cuts the connection"
        case zlib.error():
            words = "its headers say that it is compressed, but it cannot be decompressed"
    return words
