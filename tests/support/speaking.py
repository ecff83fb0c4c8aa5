"""Servers that say what a test lets them say, byte by byte: slow ones, endless ones, and none of HTTP at all."""

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

Speak = Callable[[socket.socket, bytes], object]
"""Says something on a connection, on which it has heard something."""
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
XML = b"<urlset" + b" " * 10_000


def drip(connection: socket.socket, _heard: bytes, at_once: bytes, slowly: bytes) -> None:
    """Send a byte now and then, so often that no wait for the next is long."""
    connection.sendall(at_once)
    for byte in slowly:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def endless(connection: socket.socket, _heard: bytes, at_once: bytes, again: bytes, pause: float) -> None:
    """Send the same again and again."""
    connection.sendall(at_once)
    while True:
        connection.sendall(again)
        time.sleep(pause)


def silent(connection: socket.socket, _heard: bytes) -> None:
    """Hear all, and say nothing."""
    while connection.recv(1_000):
        pass


SLOW: dict[str, Speak] = {
    "says nothing": silent,
    "content": partial(drip, at_once=OK + b"Content-Length: 9000\r\n\r\n", slowly=XML),
    "content to the end of the connection": partial(drip, at_once=OK + b"\r\n", slowly=XML),
    "small chunks": partial(endless, at_once=CHUNKED, again=b"1\r\n<\r\n", pause=0.05),
    "sizes of chunks": partial(endless, at_once=CHUNKED, again=(b"1;" + b"a" * 9_000 + b"\r\n<\r\n") * 9, pause=0),
}
FAST: dict[str, Speak] = {
    "headers": partial(endless, at_once=OK, again=b"A: b\r\n" * 1_000, pause=0),
    "a header": partial(endless, at_once=OK + b"A: ", again=b"b" * 10_000, pause=0),
}
"""What never ends, however fast it comes."""


@contextlib.contextmanager
def speaking(
    speak: Speak, *, hears: bytes = b"\r\n\r\n", context: ssl.SSLContext | None = None, has_robots: bool = False
) -> Iterator[str]:
    """Serve what speaks to every connection after it heard something; there is no robots.txt unless it speaks of it."""

    def talk(plain: socket.socket) -> None:
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.suppress(OSError))
            connection = stack.enter_context(plain)
            if context:
                connection = stack.enter_context(context.wrap_socket(plain, server_side=True))
            heard = b""
            while hears not in heard and (received := connection.recv(10_000)):
                heard += received
            if b" /robots.txt" in heard and not has_robots:
                connection.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            else:
                speak(connection, heard)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=talk, args=listener.accept()[:1], daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
