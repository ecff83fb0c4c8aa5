"""Comparing two sites of 1,000,000 URLs, beside the time that it takes only to read both."""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.check import make_site
from tests.benchmarks.measure import Command, figures, in_turn, memory, ratios

SUMMARY = "seconds and memory to compare two sites of a million URLs, beside reading both"

_READ = "reading both"
_SCRIPT = """
import sys
from smindex_plugins.sites import Directory
for path in sys.argv[1:]:
    for _ in Directory(path=path).documents():
        pass
"""
_KINDS = ("equal", "all dates changed", "all URLs changed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--urls", type=int, default=1_000_000, metavar="N", help="URLs of each (default: 1000000)")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="counted runs of each (default: 3)")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Compare a site with three others, and read two, in turn."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        make_site(root / "old", given.urls)
        make_site(root / "equal", given.urls)
        make_site(root / "all dates changed", given.urls, year=2025)
        make_site(root / "all URLs changed", given.urls, word="leaf")
        commands = {_READ: Command([sys.executable, "-c", _SCRIPT, "old", "equal"], root)}
        for name in _KINDS:
            diff = [sys.executable, "-m", "smindex_plugins", "diff", "old", name, "-o", "changes.json"]
            commands[name] = Command(diff, root)
        taken = in_turn(commands, given.repeats)
    seconds = figures(taken, "seconds")
    return {
        "benchmark": "diff",
        "urls": given.urls,
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 3) for name, times in seconds.items()},
        "ratio to reading both": {name: round(ratio, 3) for name, ratio in ratios(seconds, _READ).items()},
        "peak megabytes": memory(taken),
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    lines = [f"two sites of {result['urls']:,} URLs, median of {result['repeats']} runs in turn", ""]
    for name, seconds in result["seconds"].items():
        ratio, peak = result["ratio to reading both"][name], result["peak megabytes"][name]
        lines.append(f"{name:20} {seconds:8.2f} s   x {ratio:.3f}   {peak:5} MB")
    return "\n".join(lines)
