"""`smindex build` and `smindex check` of a directory, beside the bare reading of its files (`find | xargs cat`)."""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Command, Taken, in_turn, ratios
from tests.benchmarks.rendered import BASE, make_pages

SUMMARY = "seconds to build and check a directory of pages, beside the bare reading of their files"

_BARE = "bare reading"
_LAYOUTS = {
    "sections": lambda number: f"section-{number % 20}/page-{number}/index.html",
    "flat": lambda number: f"page-{number}.html",
    "deep": lambda number: "/".join(["part"] * 12 + [f"{number // 100}/page-{number}.html"]),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--pages", type=int, default=20_000, metavar="N", help="pages (default: 20000)")
    parser.add_argument("--bytes", type=int, default=27_000, metavar="N", help="of a page (default: 27000)")
    parser.add_argument("--layout", choices=_LAYOUTS, default="sections", help="where they are (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="counted runs of each (default: 3)")
    parser.add_argument("--temp", default=None, metavar="DIR", help="where the pages are written")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Build and check the site in turn, each build from the same beginning."""
    with tempfile.TemporaryDirectory(dir=given.temp) as directory:
        site = Path(directory) / "site"
        sizes = given.bytes * 2 // 3, given.bytes * 4 // 3
        make_pages(site, given.pages, sizes=sizes, hreflang=10, place=_LAYOUTS[given.layout])
        taken = in_turn(_commands(site), given.repeats)
    seconds, cpu = (_each(taken, name) for name in ("seconds", "cpu"))
    return {
        "benchmark": "build",
        "pages": given.pages,
        "bytes of a page": given.bytes,
        "layout": given.layout,
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 2) for name, times in seconds.items()},
        "CPU seconds": {name: round(statistics.median(times), 2) for name, times in cpu.items()},
        "ratio to bare reading": {name: round(ratio, 2) for name, ratio in ratios(seconds, _BARE).items()},
        "ratio of CPU to bare reading": {name: round(ratio, 2) for name, ratio in ratios(cpu, _BARE).items()},
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    pages = f"{result['pages']:,} pages of about {result['bytes of a page']:,} bytes ({result['layout']})"
    lines = [
        f"{pages}, median of {result['repeats']} runs in turn",
        "",
        f"{'':24} {'seconds':>8} {'to bare':>8} {'CPU':>8} {'to bare':>8}",
    ]
    columns = ("seconds", "ratio to bare reading", "CPU seconds", "ratio of CPU to bare reading")
    rows = (
        f"{name:24} " + " ".join(f"{result[column][name]:8.2f}" for column in columns) for name in result["seconds"]
    )
    return "\n".join([*lines, *rows])


def _commands(site: Path) -> dict[str, Command]:
    smindex = [sys.executable, "-m", "smindex_plugins"]
    build = [*smindex, "build", str(site), "--site-url", BASE, "-q"]
    check = [*smindex, "check", str(site), "-q"]
    return {
        _BARE: Command(["sh", "-c", 'find "$0" -name "*.html" -print0 | xargs -0 cat > /dev/null', str(site)], Path()),
        "smindex build --jobs 1": Command([*build, "--jobs", "1"], Path(), before=lambda: _forget(site)),
        "smindex build --jobs 2": Command([*build, "--jobs", "2"], Path(), before=lambda: _forget(site)),
        "smindex build --images": Command([*build, "--images", "--jobs", "1"], Path(), before=lambda: _forget(site)),
        "smindex check --jobs 1": Command([*check, "--jobs", "1"], Path()),
        "smindex check --jobs 2": Command([*check, "--jobs", "2"], Path()),
    }


def _forget(site: Path) -> None:
    """Remove the sitemaps of an earlier build."""
    for file in site.rglob("*.xml"):
        file.unlink()


def _each(taken: dict[str, list[Taken]], name: str) -> dict[str, list[float]]:
    return {command: [getattr(each, name) for each in runs] for command, runs in taken.items()}
