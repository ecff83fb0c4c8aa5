"""Reading what 5,000 rendered pages of 50 to 100 kB say in their heads, beside the bare reading of those files."""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from smindex_plugins.html import parse_head, parse_images, read_head
from tests.benchmarks.measure import ratios
from tests.benchmarks.rendered import make_pages

SUMMARY = "reading what pages say of themselves, beside the bare reading of their files"

_BARE = "bare reading"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--pages", type=int, default=5_000, metavar="N", help="pages (default: 5000)")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="counted readings of all (default: 5)")
    parser.add_argument(
        "--from-memory", action="store_true", help="read what the system holds in memory, and not from the disk"
    )
    parser.add_argument(
        "--hreflang", type=int, default=10, metavar="PERCENT", help="pages with language variants (default: 10)"
    )


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Read all pages in every way, the ways taking turns."""
    with tempfile.TemporaryDirectory() as directory:
        files = make_pages(
            Path(directory), given.pages, sizes=(50_000, 100_000), hreflang=given.hreflang, place="{}/index.html".format
        )
        size = sum(Path(file).stat().st_size for file, _ in files)
        ways: dict[str, Callable[[str, str], object]] = {
            _BARE: _bare,
            "head": read_head,
            "head and images": _head_and_images,
        }
        before = partial(_forget, files) if not given.from_memory else _nothing
        seconds = _interleaved(ways, files, given.repeats, before)
    return {
        "benchmark": "pages",
        "pages": given.pages,
        "bytes": size,
        "percent with hreflang": given.hreflang,
        "read from": "memory" if given.from_memory else "disk",
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 3) for name, times in seconds.items()},
        "ratio to bare reading": {name: round(ratio, 3) for name, ratio in ratios(seconds, _BARE).items()},
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    size, hreflang = result["bytes"] / 1e6, result["percent with hreflang"]
    pages = f"{result['pages']:,} pages, {size:,.0f} MB, {hreflang} % with hreflang, read from {result['read from']}"
    lines = [f"{pages}, median of {result['repeats']} readings in turn", ""]
    for name, seconds in result["seconds"].items():
        lines.append(f"{name:20} {seconds:8.3f} s   x {result['ratio to bare reading'][name]:.3f}")
    return "\n".join(lines)


def _bare(file: str, _url: str) -> object:
    with open(file, "rb", buffering=0) as stream:
        return stream.read()


def _head_and_images(file: str, url: str) -> object:
    content = Path(file).read_bytes()
    return parse_head(content, url), parse_images(content, url)


def _nothing() -> None:
    pass


def _forget(files: list[tuple[str, str]]) -> None:
    """Have the system forget the files that it holds in memory; it does so only with what is safe on the disk."""
    for file, _ in files:
        with open(file, "rb") as stream:
            os.fsync(stream.fileno())
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _interleaved(
    ways: dict[str, Callable[[str, str], object]],
    files: list[tuple[str, str]],
    repeats: int,
    before: Callable[[], None],
) -> dict[str, list[float]]:
    """Give each way's wall seconds for all files, after one warm-up that also brings them into memory."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(repeats + 1):
        for name, way in ways.items():
            print(f"\r{name} {turn}/{repeats}   ", end="", file=sys.stderr, flush=True)
            before()
            started = time.perf_counter()
            for file, url in files:
                way(file, url)
            if turn:
                seconds[name].append(time.perf_counter() - started)
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return seconds
