"""Fetching and checking every page of a live site on this machine, beside asking for the same pages alone."""

import argparse
import contextlib
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Command, figures, in_turn, ratios, spread
from tests.benchmarks.rendered import make_pages

SUMMARY = "seconds to fetch and check the pages of a live site, beside only asking for them"

_BARE = "asking for them"
_CHECK = "smindex check --pages"
_ASK = """
import http.client, sys
connection = http.client.HTTPConnection(sys.argv[1])
for number in range(int(sys.argv[2])):
    connection.request("GET", f"/page-{number}.html")
    connection.getresponse().read()
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--pages", type=int, default=10_000, metavar="N", help="pages (default: 10000)")
    parser.add_argument("--bytes", type=int, default=27_000, metavar="N", help="of a page (default: 27000)")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="counted runs of each (default: 3)")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Check the site over HTTP, and ask for its pages over one connection, in turn."""
    with tempfile.TemporaryDirectory() as directory, _serving(Path(directory)) as host:
        sizes = given.bytes * 2 // 3, given.bytes * 4 // 3
        make_pages(Path(directory), given.pages, sizes=sizes, hreflang=0, place="page-{}.html".format)
        for page in Path(directory).glob("*.html"):
            page.write_text(page.read_text().replace("https://example.org/docs", f"http://{host}"))
        build = [sys.executable, "-m", "smindex_plugins", "build", directory, "--site-url", f"http://{host}/", "-q"]
        subprocess.run(build, check=True)
        commands = {
            _BARE: Command([sys.executable, "-c", _ASK, host, str(given.pages)], Path()),
            _CHECK: Command(
                [sys.executable, "-m", "smindex_plugins", "check", f"http://{host}/", "--pages", "-q"], Path()
            ),
        }
        taken = in_turn(commands, given.repeats)
    seconds, cpu = figures(taken, "seconds"), figures(taken, "cpu")
    return {
        "benchmark": "live",
        "pages": given.pages,
        "bytes of a page": given.bytes,
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 2) for name, times in seconds.items()},
        "ratio to asking for them": {name: round(ratio, 2) for name, ratio in ratios(seconds, _BARE).items()},
        "CPU milliseconds of a page": {
            name: round(statistics.median(times) / given.pages * 1000, 2) for name, times in cpu.items()
        },
        "lowest and highest ratio": spread(seconds, _BARE),
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    pages = f"{result['pages']:,} pages of about {result['bytes of a page']:,} bytes"
    lines = [f"{pages} from a server on this machine, median of {result['repeats']} runs in turn", ""]
    for name, seconds in result["seconds"].items():
        low, high = result["lowest and highest ratio"][name]
        cpu = result["CPU milliseconds of a page"][name]
        ratio = f"x {result['ratio to asking for them'][name]:.2f}   from {low:.2f} to {high:.2f}"
        lines.append(f"{name:24} {seconds:8.2f} s   {ratio}   {cpu:.2f} ms of CPU for a page")
    return "\n".join(lines)


class _Handler(SimpleHTTPRequestHandler):
    """A server that keeps connections, as those of the web do."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # the head and the beginning of a page in one packet
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def _serving(directory: Path) -> Iterator[str]:
    """Serve a directory from another process, and return its host and port."""
    script = "import sys; from tests.benchmarks.live import serve; serve(sys.argv[1])"
    server = subprocess.Popen([sys.executable, "-c", script, str(directory)], stdout=subprocess.PIPE, text=True)
    try:
        yield f"127.0.0.1:{server.stdout.readline().strip() if server.stdout else ''}"
    finally:
        server.terminate()
        server.wait()


def serve(directory: str) -> None:
    """Serve a directory at a port that the first line of the output names, until somebody ends this."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=directory)) as server:
        print(server.server_port, flush=True)
        server.serve_forever()
