"""A server of object storage on this machine, which may be told to fail: moto behind one more server."""

import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.exceptions import ClientDisconnected
from werkzeug.serving import make_server
from werkzeug.wrappers import Request, Response

Answer = Callable[[Request], Response | None]


@dataclass
class Bucket:
    """A server, what it was asked, and what it answers in place of what is right."""

    address: str
    asked: list[tuple[str, str]] = field(default_factory=list)
    answer: Answer = lambda _: None

    def options(self) -> dict[str, Any]:
        return {"endpoint_url": self.address, "key": "testing", "secret": "testing"}

    def done(self, method: str) -> list[str]:
        return [path for asked, path in self.asked if asked == method]


def failing(status: int, code: str, *methods: str, times: int = 10_000, path: str = "") -> Answer:
    """Answer some requests with an error, as often as is said."""
    left = iter(range(times))

    def answer(request: Request) -> Response | None:
        if request.method in methods and path in request.path and next(left, None) is not None:
            text = f"<Error><Code>{code}</Code><Message>It says {code}</Message></Error>"
            return Response("" if request.method == "HEAD" else text, status, content_type="application/xml")
        return None

    return answer


def slow(seconds: float) -> Answer:
    """Answer every request rightly, but late."""

    def answer(_: Request) -> None:
        time.sleep(seconds)

    return answer


def _received(stream: IO[bytes], length: int) -> bytes:
    try:
        return stream.read(length)
    except (OSError, ClientDisconnected):
        return b""


@contextmanager
def served() -> Iterator[Bucket]:
    """Serve object storage with a bucket called ``bucket``, in this process."""
    application = DomainDispatcherApplication(create_backend_app)
    bucket = Bucket("")

    def handle(environ: Any, start: Any) -> Any:  # noqa: ANN401 - WSGI has no types
        request = Request(environ)
        bucket.asked.append((request.method, request.path))
        response = bucket.answer(request)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        content = b"" if response else _received(environ["wsgi.input"], length)
        if len(content) < length and not response:  # no storage keeps what has come in part
            response = Response("", 400)
        environ["wsgi.input"] = io.BytesIO(content)
        return (response or application)(environ, start)

    server = make_server("127.0.0.1", 0, handle, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    bucket.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield bucket
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
