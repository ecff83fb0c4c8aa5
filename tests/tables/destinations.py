"""Directories and object storage to which a run over a table writes, a server of storage that
fails, a whole run.
"""

import io
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from smindex_plugins.base.model import Changes, IndexEntry, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.tables._destination import Destination, open_destination
from smindex_plugins.writing.rendering import render_entry, render_url, sitemapindex, urlset
from tests.support.listed import INDEX, files_in

if TYPE_CHECKING:
    from werkzeug.wrappers import Request, Response

SITE = "https://e.org/"
Files = Mapping[str, list[bytes]]


@dataclass(frozen=True)
class Place:
    """Where a run writes, and what is there."""

    out: str
    files: Callable[[], dict[str, bytes]]
    plant: Callable[[str, bytes], object]

    def open(self, settings: Settings = Settings()) -> Destination:  # noqa: B008 - frozen
        return open_destination(self.out, site_url=SITE, settings=settings)


def directory(path: Path) -> Place:
    def plant(name: str, content: bytes) -> None:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)

    return Place(str(path), lambda: files_in(path), plant)


def storage(url: str, reached: Any) -> Place:  # noqa: ANN401 - fsspec has no types
    top = url.partition("://")[2]

    def files() -> dict[str, bytes]:
        reached.invalidate_cache()
        found = (str(each) for each in reached.find(top))
        return {
            each.strip("/").removeprefix(f"{top}/"): bytes(reached.cat_file(each)) for each in found
        }

    return Place(
        url,
        files,
        lambda name, content: reached.pipe_file(f"{top}/{name}", content),
    )


def sitemap(*names: str, day: str = "2026-01-31") -> list[bytes]:
    return urlset([render_url(Page(url=SITE + name, lastmod=day)) for name in names])


def index(*paths: str) -> list[bytes]:
    return sitemapindex(render_entry(IndexEntry(url=SITE + path)) for path in paths)


def whole(files: Files, indexes: Files | None = None) -> dict[str, bytes]:
    """Return what is there after a run that nothing disturbs."""
    return {
        path: b"".join(content)
        for path, content in {**files, **(indexes or {INDEX: index(*files)})}.items()
    }


@contextmanager
def begun(place: Place, *stems: str, settings: Settings = Settings()) -> Iterator[Destination]:  # noqa: B008 - frozen
    """Begin a run, which ends as it is left to."""
    destination = place.open(settings)
    with destination.only_run():
        destination.prepare(stems)
        yield destination


def run(place: Place, files: Files, indexes: Files | None = None) -> tuple[list[str], Changes]:
    """Write files and their index; return which of them were written, and what became of the
    rest.
    """
    with begun(place, *(path.removesuffix(".xml") for path in files)) as destination:
        written = [path for path, content in files.items() if destination.put(path, content)]
        return written, destination.finish(list((indexes or {INDEX: index(*files)}).items()), files)


Answer = Callable[["Request"], "Response | None"]


@dataclass
class Bucket:
    """A server, what it was asked, and what it answers in place of what is right."""

    address: str
    asked: list[tuple[str, str]] = field(default_factory=list)
    answer: Answer = lambda _: None

    def done(self, method: str) -> list[str]:
        return [path for asked, path in self.asked if asked == method]


def failing(status: int, code: str, *methods: str, times: int = 10_000, path: str = "") -> Answer:
    """Answer some requests with an error, as often as is said."""
    from werkzeug.wrappers import Response  # noqa: PLC0415 - it is in no other environment

    left = iter(range(times))

    def answer(request: "Request") -> "Response | None":
        if request.method in methods and path in request.path and next(left, None) is not None:
            text = f"<Error><Code>{code}</Code><Message>It says {code}</Message></Error>"
            return Response(
                "" if request.method == "HEAD" else text, status, content_type="application/xml"
            )
        return None

    return answer


@contextmanager
def served() -> Iterator[Bucket]:
    """Serve object storage with a bucket called ``bucket``, in this process: moto behind one more
    server.
    """
    from moto.moto_server.werkzeug_app import (  # noqa: PLC0415 - it is in no other environment
        DomainDispatcherApplication,
        create_backend_app,
    )
    from werkzeug.exceptions import ClientDisconnected  # noqa: PLC0415
    from werkzeug.serving import make_server  # noqa: PLC0415
    from werkzeug.wrappers import Request, Response  # noqa: PLC0415

    def received(stream: IO[bytes], length: int) -> bytes:
        try:
            return stream.read(length)
        except (OSError, ClientDisconnected):
            return b""

    application = DomainDispatcherApplication(create_backend_app)
    bucket = Bucket("")

    def handle(environ: Any, start: Any) -> Any:  # noqa: ANN401 - WSGI has no types
        request = Request(environ)
        bucket.asked.append((request.method, request.path))
        response = bucket.answer(request)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        content = b"" if response else received(environ["wsgi.input"], length)
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
