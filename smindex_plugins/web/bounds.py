"""The limits of one answer, in seconds and bytes. The sockets keep them, whatever a server or proxy does."""

import math
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smindex_plugins.limits import MAX_HEAD

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

_now: ContextVar["Bounds"] = ContextVar("_now")


class TooMuchError(ValueError):
    """An answer has more bytes than the limit."""


@dataclass(slots=True)
class Bounds:
    """The remaining limits of the answer that a thread waits for."""

    until: float
    """The end of the time, by the monotonic clock."""
    room: int = MAX_HEAD
    """How many bytes may still come without content among them."""

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self.until

    def left(self) -> float:
        """Return the seconds that are left, in whole hundredths, so that most calls of an answer have the same.

        Raises:
            TimeoutError: there are none.
        """
        if (left := self.until - time.monotonic()) <= 0:
            raise TimeoutError
        return math.ceil(left * 100) / 100

    def receive(self, size: int) -> None:
        """Count bytes that came.

        Raises:
            TooMuchError: they are too many.
        """
        self.room -= size
        if self.room < 0:
            message = "its headers, or the data between the parts of its content, are too long"
            raise TooMuchError(message)

    def take(self, size: int) -> None:
        """Record content among the bytes: the smallest chunk has five other bytes around one."""
        self.room = min(MAX_HEAD, self.room + 8 * size)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Make the sockets of this thread keep these limits."""
        token = _now.set(self)
        try:
            yield
        finally:
            _now.reset(token)


def current() -> Bounds:
    """Return the limits of this thread."""
    return _now.get()


class BoundedSocket(socket.socket):
    """A connection on which no wait is longer than the remaining time of the whole answer.

    In Python, a timeout is for each call, however many calls an answer takes. So it is set before each of them, where
    it is another one, because that is a call of the system.
    """

    def settimeout(self, value: float | None) -> None:
        """Set the longest wait of a call, unless it is endless, as that of urllib3, which keeps no time here."""
        if value is not None and value != self.gettimeout():
            super().settimeout(value)

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """Receive some bytes."""
        self.settimeout(current().left())
        received = super().recv(buflen, flags)
        current().receive(len(received))
        return received

    def recv_into(self, buffer: "WriteableBuffer", nbytes: int | None = None, flags: int = 0) -> int:
        """Receive some bytes into a buffer."""
        self.settimeout(current().left())
        size = super().recv_into(buffer, nbytes or memoryview(buffer).nbytes, flags)
        current().receive(size)
        return size

    def send(self, data: "ReadableBuffer", flags: int = 0) -> int:
        """Send some bytes."""
        self.settimeout(current().left())
        return super().send(data, flags)

    def sendall(self, data: "ReadableBuffer", flags: int = 0) -> None:
        """Send all bytes."""
        self.settimeout(current().left())
        super().sendall(data, flags)


class BoundedTLS(BoundedSocket, ssl.SSLSocket):
    """The same over TLS, whose handshake has several messages."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - as ssl has it
        """Agree on the encryption."""
        self.settimeout(current().left())
        super().do_handshake(block)
