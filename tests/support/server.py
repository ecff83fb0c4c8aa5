"""A server of HTTP on this machine, which says what it is asked."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.command import PAGE

Route = tuple[int, dict[str, str], bytes]


@dataclass
class Server:
    """What it serves, by path, and what it was asked."""

    base: str
    routes: dict[str, Route] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    before: Callable[[str], object] = lambda _: None
    trickle: str = ""
    """A path whose content comes byte by byte."""

    def serve(self, path: str, content: str | bytes, status: int = 200, **headers: str) -> None:
        data = content.encode() if isinstance(content, str) else content
        self.routes[path] = (status, {name.replace("_", "-"): value for name, value in headers.items()}, data)

    def page(self, path: str, content: str = PAGE, status: int = 200, **headers: str) -> None:
        self.serve(path, content, status, Content_Type="text/html", **headers)


class Quiet(ThreadingHTTPServer):
    """A server that prints nothing of connections which are cut, as some tests mean them to be."""

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    http = Quiet(("127.0.0.1", 0), BaseHTTPRequestHandler)
    served = Server(f"http://127.0.0.1:{http.server_port}/")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append((self.command, self.path, self.headers.get("User-Agent", "")))
            served.before(self.path)
            status, headers, content = served.routes.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET" and self.path == served.trickle:
                self.drip(content)
            elif self.command == "GET":
                self.wfile.write(content)

        def drip(self, content: bytes) -> None:
            with contextlib.suppress(OSError):  # who reads it has had enough
                for byte in content:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.02)

        do_HEAD = do_GET  # noqa: N815 - as http.server calls it

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    http.RequestHandlerClass = Handler
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    http.shutdown()
    thread.join()
    http.server_close()
