"""Connections to servers, which are used again; their answers; and in plain words why there is none."""

import errno
import http.client
import os
import socket
import ssl
import time
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from functools import lru_cache
from urllib.parse import unquote, urlsplit

import urllib3
from urllib3 import exceptions

from smindex_plugins import urls
from smindex_plugins.web.bounds import BoundedTLS, Bounds, current
from smindex_plugins.web.reaching import PORTS, PrivateAddressError, Reach, connect

_BLOCK = 1 << 16
_UNPACKED = {"", "identity"}
_PACKED = {"gzip", "x-gzip"}
_GZIP_MAGIC = b"\x1f\x8b"
_WORDS: dict[type | tuple[type, ...], str] = {
    http.client.RemoteDisconnected: "the server closes the connection without an answer",
    (http.client.IncompleteRead, exceptions.IncompleteRead): "its answer ends too early",
    http.client.HTTPException: "what the server answers is not HTTP",
    ConnectionError: "the server cuts the connection",
    zlib.error: "its headers say that it is compressed, but it cannot be decompressed",
}
_ERRORS = (exceptions.HTTPError, OSError, http.client.HTTPException, ValueError, zlib.error)
_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}


class NoAnswerError(OSError):
    """No answer came, or an unreadable one: why, in words that may follow "it cannot be fetched"."""

    def __init__(self, why: str, *, is_reached: bool = True) -> None:
        super().__init__(why)
        self.is_reached = is_reached
        """Whether the server began to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked of a server beside the URL."""

    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


PLAIN = Request()


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a server to one request."""

    status: int
    headers: Message
    content: bytes


class Connections:
    """Connections to servers, through the proxies of the environment. Several threads can use them."""

    def __init__(self, user_agent: str, at_once: int) -> None:
        self._headers = {"User-Agent": user_agent}
        self._at_once = at_once
        self._context = ssl.create_default_context()
        self._context.sslsocket_class = BoundedTLS
        self._reach = Reach()
        self._proxies = urllib.request.getproxies()
        self._proxy = lru_cache(maxsize=256)(self._find_proxy)  # which looks at the whole environment
        self._pools: dict[str, urllib3.PoolManager] = {}

    def allow(self, url: str) -> None:
        """Allow requests to a URL that the user named, even at a private address."""
        self._reach.allow(url)

    def ask(
        self, url: str, most: int, wants: Callable[[Message], bool], seconds: float, request: Request = PLAIN
    ) -> Reply:
        """Return the answer for a URL, with at most one byte more than the limit.

        HEAD is used if no content of a plain request is wanted.

        Raises:
            NoAnswerError: no answer came in so many seconds, or none that can be read.
        """
        packing = "identity" if _names_gzip(url) else "gzip"
        headers = {**self._headers, "Accept-Encoding": packing, **request.headers}
        method = request.method if most or request.body is not None else "HEAD"
        bounds = Bounds(time.monotonic() + seconds)
        with bounds.kept():
            try:
                response = self._open(method, url, headers, request.body)
            except _ERRORS as error:
                way = " through its proxy" if self._proxy(urls.origin(url)) else ""
                late = f"the server does not answer{way} within {seconds:g} seconds"
                raise NoAnswerError(late if bounds.is_over else _why(error, url), is_reached=False) from error
            try:
                received = _received(response)
                is_read = most and wants(received)
                return Reply(response.status, received, _content(response, url, most) if is_read else b"")
            except _ERRORS as error:
                late = f"its answer takes longer than {seconds:g} seconds"
                raise NoAnswerError(late if bounds.is_over else _why(error, url)) from error
            finally:
                response.close()  # which gives the connection up, if the answer was not read to its end

    def _open(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> urllib3.BaseHTTPResponse:
        pool = self._pool(url)

        def ask() -> urllib3.BaseHTTPResponse:
            return pool.urlopen(
                method,
                url,
                body=body,
                headers=headers,
                timeout=None,  # the sockets keep a better one
                redirect=False,
                retries=False,
                preload_content=False,
                decode_content=False,
            )

        try:
            return ask()
        except exceptions.ProtocolError:  # the server may have closed a connection that it kept so far; all that is
            # sent can be sent twice
            return ask()

    def _find_proxy(self, origin: str) -> str:
        parts = urlsplit(origin)
        return "" if urllib.request.proxy_bypass(parts.netloc) else self._proxies.get(parts.scheme, "")

    def _pool(self, url: str) -> urllib3.PoolManager:
        if proxy := self._proxy(urls.origin(url)):
            self._reach.check_name(url)
        if proxy not in self._pools:
            self._pools[proxy] = _with_bounds(self._new_pool(proxy), None if proxy else self._reach)
        return self._pools[proxy]

    def _new_pool(self, proxy: str) -> urllib3.PoolManager:
        if not proxy:
            return urllib3.PoolManager(maxsize=self._at_once, ssl_context=self._context)
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        user = f"{unquote(parts.username)}:{unquote(parts.password or '')}" if parts.username else None
        return urllib3.ProxyManager(
            f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}",
            proxy_headers=urllib3.make_headers(proxy_basic_auth=user),
            maxsize=self._at_once,
            ssl_context=self._context,
        )


def _with_bounds(manager: urllib3.PoolManager, reach: Reach | None) -> urllib3.PoolManager:
    """Make a manager's connections ours: to checked addresses, and within the limits."""

    def connected(connection: urllib3.connection.HTTPConnection) -> socket.socket:
        host = connection._dns_host.strip("[]")  # noqa: SLF001 - `host` lacks the dot at its end, which has a meaning
        try:
            return connect(host, connection.port, reach)
        except socket.gaierror as error:
            raise exceptions.NameResolutionError(host, connection, error) from error
        except OSError as error:
            raise exceptions.NewConnectionError(connection, str(error)) from error

    class Plain(urllib3.connection.HTTPConnection):
        _new_conn = connected

    class Secure(urllib3.connection.HTTPSConnection):
        _new_conn = connected

    class PlainPool(urllib3.HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(urllib3.HTTPSConnectionPool):
        ConnectionCls = Secure

    manager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}
    return manager


def _received(response: urllib3.BaseHTTPResponse) -> Message:
    headers = Message()
    for name, value in response.headers.iteritems():
        headers.add_header(name, value)
    return headers


def _content(response: urllib3.BaseHTTPResponse, url: str, most: int) -> bytes:
    """Return the wanted content, decompressed if the server compressed it for the transfer.

    Raises:
        ValueError: it is packed in a way that was not asked for, or cut off in its packing.
    """
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in _UNPACKED | _PACKED:
        message = f"it is sent in the encoding {encoding[:40]!r}, which was not asked for"
        raise ValueError(message)
    content = _read(response, most)
    # A server that declares the packing of a .gz file itself as that of the way sends the file as it is.
    if encoding in _PACKED and content and (not _names_gzip(url) or _is_gzip_in_gzip(content)):
        return _unpacked(content, most)
    return content


def _read(response: urllib3.BaseHTTPResponse, most: int) -> bytes:
    content = bytearray()
    while len(content) <= most and (block := response.read(min(_BLOCK, most + 1 - len(content)))):
        content += block
        current().take(len(block))
    return bytes(content)


def _unpacked(content: bytes, most: int) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    unpacked = unpacker.decompress(content, most + 1)
    if not unpacker.eof and len(unpacked) <= most and len(content) <= most:
        message = "it is compressed, and the compressed data ends too early"
        raise ValueError(message)
    return unpacked


def _names_gzip(url: str) -> bool:
    return urls.path(url).partition("?")[0].endswith(".gz")


def _is_gzip_in_gzip(content: bytes) -> bool:
    if not content.startswith(_GZIP_MAGIC):
        return False
    return zlib.decompressobj(wbits=31).decompress(content[:_BLOCK], 2) == _GZIP_MAGIC


def _why(error: Exception, url: str) -> str:
    """Return in plain words why there is no answer."""
    cause = error.args[1] if isinstance(error, exceptions.ProtocolError) and len(error.args) > 1 else error
    match cause:
        case exceptions.ProxyError():
            return f"its proxy cannot be reached: {_why(cause.original_error, url)}"
        case exceptions.NameResolutionError():
            return _about_name(cause.__cause__)
        case exceptions.NewConnectionError():
            return _about_connection(cause.__cause__, url)
        case exceptions.SSLError():
            return _about_encryption(cause.args[0])
    words = next((words for kind, words in _WORDS.items() if isinstance(cause, kind)), "")
    return words or " ".join(str(cause).split())[:300] or type(cause).__name__


def _about_name(cause: BaseException | None) -> str:
    if not isinstance(cause, socket.gaierror) or cause.errno in _NO_SUCH_NAME:
        return "its name is not known"
    return f"its name cannot be looked up: {(cause.strerror or str(cause)).lower()}"


def _about_connection(cause: BaseException | None, url: str) -> str:
    if isinstance(cause, PrivateAddressError):
        return str(cause)
    if isinstance(cause, ConnectionRefusedError):
        parts = urlsplit(url)
        return f"it refuses connections at port {parts.port or PORTS[parts.scheme]}"
    code = cause.errno if isinstance(cause, OSError) else None
    return f"no connection can be made: {os.strerror(code or errno.EHOSTUNREACH).lower()}"


def _about_encryption(cause: object) -> str:
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not valid: {cause.verify_message}"
    reason = cause.reason if isinstance(cause, ssl.SSLError) and cause.reason else str(cause)
    return f"no encrypted connection can be made: {reason.replace('_', ' ').lower()[:200]}"
