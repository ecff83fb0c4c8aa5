"""What the benchmarks of host builds share: a repository of pages, and the figures of builds that take turns."""

import argparse
import statistics
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Command, interleaved, ratios, spread

BASE = "no plugin"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every benchmark of builds can be told."""
    parser.add_argument("--pages", type=int, default=400, metavar="N", help="pages and commits (default: 400)")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="counted builds of each (default: 5)")


def compare(benchmark: str, commands: Mapping[str, Command], given: argparse.Namespace) -> dict[str, Any]:
    """Run the builds in turn, and give their seconds and their ratios to the one without a plugin."""
    seconds = interleaved(commands, given.repeats)
    return {
        "benchmark": benchmark,
        "pages": given.pages,
        "commits": given.pages,
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 3) for name, times in seconds.items()},
        "ratio to no plugin": {name: round(ratio, 3) for name, ratio in ratios(seconds, BASE).items()},
        "lowest and highest ratio": spread(seconds, BASE),
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    head = f"{result['pages']:,} pages, {result['commits']:,} commits, median of {result['repeats']} builds in turn"
    relative = result["ratio to no plugin"]
    rows = []
    for name, seconds in result["seconds"].items():
        low, high = result["lowest and highest ratio"][name]
        rows.append(f"{name:30} {seconds:8.2f} s   x {relative[name]:.3f}   from {low:.2f} to {high:.2f}")
    return "\n".join([head, "", *rows])


def make_repository(root: Path, pages: Mapping[str, str]) -> None:
    """Commit each page, by its path, in a commit of its own, an hour after the one before."""
    subprocess.run(["git", "init", "-q", root], check=True)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=b"".join(_fast_import(pages)), check=True)
    subprocess.run(["git", "checkout", "-q", "-f", "main"], cwd=root, check=True)


def _fast_import(pages: Mapping[str, str]) -> Iterator[bytes]:
    for number, (path, text) in enumerate(pages.items()):
        content = text.encode()
        yield f"commit refs/heads/main\ncommitter A <a@example.org> {1_600_000_000 + number * 3600} +0000\n".encode()
        yield b"data 4\nadd\n\n"
        yield f"M 100644 inline {path}\ndata {len(content)}\n".encode() + content + b"\n"
