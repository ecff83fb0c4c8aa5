"""`smindex build` and `smindex check` of a directory, beside the bare reading of its files (`find | xargs cat`).

The bare reading and the commands are held to one core.

Beside them are other tools over the same directory. A script with npm's `sitemap` lists every HTML file with the time
of the file: it opens no page. advertools and ultimate-sitemap-parser parse the sitemaps: they open no page and check
nothing. The directory is in no repository, so nobody looks for dates in git. next-sitemap is not there, because it
reads what Next.js says of its own build, and no directory of HTML.
"""

import argparse
import copy
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.chart import draw
from tests.benchmarks.check import add_peers_python, peers
from tests.benchmarks.measure import Command, figures, in_turn, memory, ratios, spread
from tests.benchmarks.rendered import BASE, make_pages
from tests.benchmarks.scale import install_npm

SUMMARY = "seconds to build and check a directory of pages, beside the bare reading of their files"

_BARE = "bare reading"
_NPM = "a script with npm's sitemap"
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
    parser.add_argument("--no-npm", action="store_true", help="leave out npm's sitemap, which needs node and a network")
    add_peers_python(parser)
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE.svg",
        help="draw the ratios for these pages, a quarter and a twentieth of them",
    )


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Build and check the site in turn, each build from the same beginning; for a chart, sites of several sizes."""
    if not given.plot:
        return _measured(given)
    results = []
    for pages in (given.pages // 20, given.pages // 4, given.pages):
        smaller = copy.copy(given)
        smaller.pages = pages
        results.append(_measured(smaller))
    given.plot.write_text(str(draw(results, _words(results[-1]))), encoding="utf-8")
    return {"benchmark": "build --plot", "sizes": results, "words": _words(results[-1])}


def _measured(given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(dir=given.temp) as directory:
        site = Path(directory) / "site"
        sizes = given.bytes * 2 // 3, given.bytes * 4 // 3
        make_pages(site, given.pages, sizes=sizes, hreflang=10, place=_LAYOUTS[given.layout])
        commands = _commands(site)
        script = Path(__file__).with_suffix(".mjs")
        if not given.no_npm and install_npm(Path(directory), script):
            copied, out = Path(directory) / script.name, Path(directory) / "npm"
            commands[_NPM] = Command(["node", str(copied), str(site), BASE, str(out)], Path())
        subprocess.run(commands["smindex build"].arguments, check=True)  # so that there is what they parse
        taken = in_turn({**commands, **peers(given.peers_python, site)}, given.repeats)
    seconds, cpu = figures(taken, "seconds"), figures(taken, "cpu")
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
        "lowest and highest ratio": spread(seconds, _BARE),
        "peak megabytes": memory(taken),
    }


def _words(result: dict[str, Any]) -> str:
    """Return what the manual says about the largest site."""
    ratio = result["ratio to bare reading"]
    return (
        f"For {result['pages']:,} pages, smindex build takes {ratio['smindex build']:.1f} times as long as the bare "
        f"reading of their bytes, smindex check {ratio['smindex check']:.1f} times."
    )


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    if "sizes" in result:
        return "\n\n".join([*map(table, result["sizes"]), f"For the manual: {result['words']}"])
    pages = f"{result['pages']:,} pages of about {result['bytes of a page']:,} bytes ({result['layout']})"
    lines = [
        f"{pages}, median of {result['repeats']} runs in turn",
        "",
        f"{'':28} {'seconds':>8} {'to bare':>8} {'CPU':>8} {'to bare':>8}   {'seconds to bare':>15} {'MB':>6}",
    ]
    columns = ("seconds", "ratio to bare reading", "CPU seconds", "ratio of CPU to bare reading")
    rows = []
    for name in result["seconds"]:
        low, high = result["lowest and highest ratio"][name]
        shown = " ".join(f"{result[column][name]:8.2f}" for column in columns)
        peak = result["peak megabytes"][name]
        rows.append(f"{name:28} {shown}   {low:7.2f} -{high:6.2f} {peak:6}")
    return "\n".join([*lines, *rows])


def _commands(site: Path) -> dict[str, Command]:
    smindex = [sys.executable, "-m", "smindex_plugins"]
    build = [*smindex, "build", str(site), "--site-url", BASE, "-q"]
    check = [*smindex, "check", str(site), "-q"]
    bare = ["sh", "-c", 'find "$0" -name "*.html" -print0 | xargs -0 cat > /dev/null', str(site)]
    # What is checked comes from a build without images, as the last of the builds.
    own = {
        "smindex build --set images=true": [*build, "--set", "images=true"],
        "smindex build": build,
        "smindex check": check,
    }
    return {_BARE: Command(bare, Path(), cores=1)} | {
        name: Command(
            arguments,
            Path(),
            before=partial(_forget, site) if "build" in arguments else lambda: None,
            cores=1,
        )
        for name, arguments in own.items()
    }


def _forget(site: Path) -> None:
    """Remove the sitemaps of an earlier build."""
    for file in site.rglob("*.xml"):
        file.unlink()
