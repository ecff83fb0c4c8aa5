"""Connections that end in time, whatever the other side sends, and that lead only to addresses
which are allowed.

urllib3 and Python limit each wait for the next bytes, so a server that sends a byte now and then is
never late. Here, every wait of a request ends at the same time: those of the lookup, of each
address, of a proxy, of the encryption, of the request's own content, and of all parts of the
response.
"""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, TypeVar

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util import connection

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound=socket.socket)


@dataclass(frozen=True, slots=True)
class Sending:
    """A request that is being sent."""

    until: float
    """The end of its time, on the clock of `time.monotonic`."""
    check: Callable[[Sequence[str]], None]
    """Rejects the addresses of its host, with a ValueError, if they are not allowed."""


SENDING = ContextVar[Sending]("SENDING")
"""The request that a thread is sending. Its connection may be an old one, which another thread
made."""


def seconds_left() -> float:
    """Return the seconds that are left for the request of this thread.

    Raises:
        TimeoutError: none are.
    """
    seconds = SENDING.get().until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def look_up(host: str, port: int) -> list[str]:
    """Return the addresses of a host.

    A lookup can't be interrupted, so a slow one is left behind in its thread, which doesn't keep
    the process alive.

    Raises:
        OSError: it has none, or the lookup takes too long.
    """
    addresses = Future[list[str]]()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            addresses.set_result([_text_of(place) for *_, place in found])
        except Exception as error:  # noqa: BLE001 - raised by the thread that waits
            addresses.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    return addresses.result(seconds_left())


def _text_of(place: tuple[Any, ...]) -> str:
    """Return the address of a place as text, with its zone if it has one. Nothing is looked up."""
    return socket.getnameinfo(place, socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)[0]


def _in_time(operation: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Limit an operation of a socket to the time that is left for the request."""

    def limited(connected: S, /, *args: P.args, **named: P.kwargs) -> R:
        connected.settimeout(seconds_left())
        return operation(connected, *args, **named)

    return limited


class _Socket(socket.socket):
    recv = _in_time(socket.socket.recv)
    recv_into = _in_time(socket.socket.recv_into)
    send = _in_time(socket.socket.send)
    sendall = _in_time(socket.socket.sendall)


class _EncryptedSocket(ssl.SSLSocket):
    do_handshake = _in_time(ssl.SSLSocket.do_handshake)
    recv = _in_time(ssl.SSLSocket.recv)
    recv_into = _in_time(ssl.SSLSocket.recv_into)
    send = _in_time(ssl.SSLSocket.send)


class _Response(http.client.HTTPResponse):
    """The final response.

    Python itself skips only one kind of interim responses, those with status 100.
    """

    def _read_status(self) -> tuple[str, int, str]:
        version, status, reason = super()._read_status()  # type: ignore[misc]
        while HTTPStatus.SWITCHING_PROTOCOLS < status < HTTPStatus.OK:
            http.client.parse_headers(self.fp)
            version, status, reason = super()._read_status()  # type: ignore[misc]
        return version, status, reason


class _Connection(HTTPConnection):
    response_class = _Response

    def _new_conn(self) -> socket.socket:
        """Connect to an allowed address of the host, or to the proxy."""
        try:
            addresses = look_up(self._dns_host, self.port)
            if not self.proxy:
                SENDING.get().check(addresses)
            plain = self._connect(addresses)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        except TimeoutError as error:
            raise ConnectTimeoutError(self, str(error)) from error
        except OSError as error:
            raise NewConnectionError(self, str(error)) from error
        return _Socket(fileno=plain.detach())

    def _connect(self, addresses: Sequence[str]) -> socket.socket:
        """Try each address, the best one first, for an equal part of the time."""
        problems: list[OSError] = []
        for number, address in enumerate(addresses):
            seconds = seconds_left() / (len(addresses) - number)
            try:
                return connection.create_connection(
                    (address, self.port), seconds, socket_options=self.socket_options
                )
            except OSError as error:
                problems.append(error)
        raise problems[0]


class _EncryptedConnection(_Connection, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _EncryptedPool(HTTPSConnectionPool):
    ConnectionCls = _EncryptedConnection


def pools(
    context: ssl.SSLContext,
    at_once: int,
    proxy: str = "",
    proxy_headers: Mapping[str, str] | None = None,
) -> urllib3.PoolManager:
    """Return the pools of connections for some requests at once, which use a proxy if there is
    one.
    """
    context.sslsocket_class = _EncryptedSocket
    if proxy:
        made: urllib3.PoolManager = urllib3.ProxyManager(
            proxy,
            maxsize=at_once,
            proxy_headers=proxy_headers,
            ssl_context=context,
            proxy_ssl_context=context,
        )
    else:
        made = urllib3.PoolManager(maxsize=at_once, ssl_context=context)
    made.pool_classes_by_scheme = {"http": _Pool, "https": _EncryptedPool}
    return made
