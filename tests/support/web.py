"""A directory served over HTTP on this machine, at an address that is known before anything is built into it."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.server import running


@dataclass(frozen=True)
class Web:
    """What is served, and where: the address of the directory, with its slash."""

    directory: Path
    base: str
    delays: dict[str, float] = field(default_factory=dict)
    """The seconds after which the request for a path is answered, where order matters."""


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments: Any, delays: dict[str, float], **options: Any) -> None:  # noqa: ANN401 - its own
        self._delays = delays
        super().__init__(*arguments, **options)

    def do_GET(self) -> None:
        time.sleep(self._delays.get(self.path, 0))
        super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")  # tests replace files and look again
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True  # a browser keeps its connections open

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as socketserver has it
        """Say nothing of a browser that went elsewhere before it had the whole answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serve(directory: Path) -> Iterator[Web]:
    """Serve a directory at a port of its own for as long as the context lasts."""
    directory.mkdir(parents=True, exist_ok=True)
    delays: dict[str, float] = {}
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=str(directory), delays=delays))
    with running(server):
        yield Web(directory, f"http://127.0.0.1:{server.server_port}/", delays)
