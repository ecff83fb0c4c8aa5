"""A server of HTTP on this machine, which says what it is asked."""

import contextlib
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseServer

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
    persists: bool = False
    """Whether it keeps connections for further requests."""
    connections: int = 0

    def serve(self, path: str, content: str | bytes, status: int = 200, **headers: str) -> None:
        data = content.encode() if isinstance(content, str) else content
        self.routes[path] = (status, {name.replace("_", "-"): value for name, value in headers.items()}, data)

    def page(self, path: str, content: str = PAGE, status: int = 200, **headers: str) -> None:
        self.serve(path, content, status, Content_Type="text/html", **headers)


class Quiet(ThreadingHTTPServer):
    """A server that prints nothing of connections which are cut, as some tests mean them to be."""

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


def certified(directory: Path) -> tuple[ssl.SSLContext, Path]:
    """Make a certificate for this machine that no browser knows; return what serves with it, and its file."""
    files = {"-keyout": directory / "key.pem", "-out": directory / "certificate.pem"}
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    options = [str(each) for item in files.items() for each in item]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *names, *options], check=True, capture_output=True
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files["-out"], files["-keyout"])
    return context, files["-out"]


@contextlib.contextmanager
def running(http: BaseServer) -> Iterator[None]:
    """Let a server answer for as long as the context lasts."""
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


@contextlib.contextmanager
def serve_securely(directory: Path) -> Iterator[str]:
    """Serve nothing over TLS, with a certificate that no browser knows."""
    context, _ = certified(directory)
    http = Quiet(("127.0.0.1", 0), BaseHTTPRequestHandler)
    http.socket = context.wrap_socket(http.socket, server_side=True)
    with running(http):
        yield f"https://127.0.0.1:{http.server_port}/"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as served:
        yield served


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """Serve over HTTP, on this machine."""
    http = Quiet(("127.0.0.1", 0), BaseHTTPRequestHandler)
    served = Server(f"http://127.0.0.1:{http.server_port}/")

    class Handler(BaseHTTPRequestHandler):
        def setup(self) -> None:
            super().setup()
            served.connections += 1
            self.protocol_version = "HTTP/1.1" if served.persists else "HTTP/1.0"

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
    with running(http):
        yield served
