"""Sends single requests, each within its time, to addresses that are allowed."""

import http.client
import socket
import ssl
import time
import urllib.request
import zlib
from collections.abc import Callable, Mapping, Sequence
from email.message import Message
from functools import partial
from importlib.metadata import version
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from urllib3 import BaseHTTPResponse, PoolManager, exceptions, make_headers

from smindex_plugins.base import addresses
from smindex_plugins.reading._connections import SENDING, Sending, look_up, pools
from smindex_plugins.reading.answer import Answer

_BLOCK = 1 << 16
_PORTS = {"http": 80, "https": 443}


class Sender:
    """Sends requests, with some connections at once. Several threads can use it."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._headers = {"User-Agent": f"smindex/{version('smindex-plugins')}"}
        self._context = ssl.create_default_context()
        self._proxies = urllib.request.getproxies()
        self._pools: dict[str, PoolManager] = {}
        """The connection pools of each proxy, and without a proxy."""
        self._named: set[tuple[str, int]] = set()
        """Hosts and ports of the URLs that the user passed."""

    def allow(self, url: str) -> None:
        """Allow requests to the host of a URL that the user passed, even if its address is
        private.
        """
        host, port = _place(url)
        # http: often leads to https:
        ports = _PORTS.values() if port in _PORTS.values() else [port]
        for each in ports:
            self._named.add((host, each))

    def send(
        self,
        method: str,
        url: str,
        *,
        seconds: float,
        most: int,
        headers: Mapping[str, str],
        body: bytes | None,
        wants: Callable[[Message], bool],
    ) -> Answer:
        """Send a request, and return the response, whatever it is.

        It is sent a second time if the server closes the connection, which may be an old one.
        """
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
        return answer

    def _pool(self, url: str) -> PoolManager:
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

    def _new_pool(self, proxy: str) -> PoolManager:
        if not proxy:
            return pools(self._context, self._at_once)
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        user = None
        if parts.username:
            user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers = make_headers(proxy_basic_auth=user)
        host = parts.netloc.rpartition("@")[2]
        return pools(self._context, self._at_once, f"{parts.scheme}://{host}", headers)

    def _check_addresses(self, url: str, found: Sequence[str]) -> None:
        """Reject a private address of a host, unless the user passed a URL with the address and the
        port.

        Raises:
            OSError: a host that the user passed has no address.
            ValueError: it is rejected.
        """
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


def _content(response: BaseHTTPResponse, url: str, most: int) -> bytes:
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
    words = " ".join(str(error).split())[:300] or type(error).__name__
    match error:
        case exceptions.ProxyError():
            words = f"can't connect to its proxy: {_why(error.original_error)}"
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
            words = f"can't establish an encrypted connection: {reason}"
        case socket.gaierror():
            reason = (error.strerror or words).lower()
            words = f"its host name can't be resolved ({reason})"
        case http.client.RemoteDisconnected():
            words = "the server closes the connection without a response"
        case http.client.IncompleteRead():
            words = "its response ends too early"
        case http.client.HTTPException():
            words = "the response is not HTTP"
        case ConnectionError():
            words = "the server drops the connection"
        case zlib.error():
            words = "its headers declare compression, but it can't be decompressed"
    return words
