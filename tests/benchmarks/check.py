"""Checking 1,000,000 URLs in 20 sitemaps, beside what other tools take only to parse them."""

import argparse
import importlib.util
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Command, figures, in_turn, memory, ratios

SUMMARY = "seconds to check a million URLs, beside ultimate-sitemap-parser and advertools parsing them"

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_CHECK = "smindex check"
_SITEMAPS = 20
# Both read the files alone, with no network between.
_PEERS = {
    "ultimate-sitemap-parser": (
        "usp",
        """
import glob
from usp.fetch_parse import SitemapStrParser
for name in sorted(glob.glob("**/sitemap[-.]*.xml", recursive=True)):
    with open(name, encoding="utf-8") as file:
        for page in SitemapStrParser(static_content=file.read()).sitemap().all_pages():
            pass
""",
    ),
    "advertools": (
        "advertools",
        """
import glob, os, advertools
for name in sorted(glob.glob("**/sitemap[-.]*.xml", recursive=True)):
    advertools.sitemap_to_df("file://" + os.path.abspath(name))
""",
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--urls", type=int, default=1_000_000, metavar="N", help="URLs (default: 1000000)")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="counted runs of each (default: 3)")
    add_peers_python(parser)


def add_peers_python(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the Python of the other tools."""
    parser.add_argument(
        "--peers-python",
        default=sys.executable,
        metavar="PATH",
        help="the Python that has ultimate-sitemap-parser and advertools installed (default: this one)",
    )


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Check the site and let the peers parse it, in turn."""
    with tempfile.TemporaryDirectory() as directory:
        site = Path(directory)
        make_site(site, given.urls)
        smindex = [sys.executable, "-m", "smindex_plugins", "check", "."]
        commands = {_CHECK: Command(smindex, site), **peers(given.peers_python, site)}
        taken = in_turn(commands, given.repeats)
    seconds = figures(taken, "seconds")
    return {
        "benchmark": "check",
        "urls": given.urls,
        "sitemaps": _SITEMAPS,
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 3) for name, times in seconds.items()},
        "ratio to smindex check": {name: round(ratio, 3) for name, ratio in ratios(seconds, _CHECK).items()},
        "peak megabytes": memory(taken),
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    urls, sitemaps = f"{result['urls']:,} URLs", f"{result['sitemaps']} sitemaps"
    lines = [f"{urls} in {sitemaps}, median of {result['repeats']} runs in turn", ""]
    for name, seconds in result["seconds"].items():
        ratio, peak = result["ratio to smindex check"][name], result["peak megabytes"][name]
        lines.append(f"{name:30} {seconds:8.2f} s   x {ratio:.3f}   {peak:5} MB")
    return "\n".join(lines)


def peers(python: str, site: Path) -> dict[str, Command]:
    """Return what runs the other tools that are installed: both parse all sitemaps of a directory, and no more."""
    commands = {}
    for name, (module, script) in _PEERS.items():
        if _has(python, module):
            commands[name] = Command([python, "-c", script], site)
        else:
            print(f"{name} is not installed, and left out: pip install {name}", file=sys.stderr)
    return commands


def _has(python: str, module: str) -> bool:
    if python == sys.executable:
        return importlib.util.find_spec(module) is not None
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0


def make_site(root: Path, urls: int, year: int = 2024, word: str = "page") -> None:
    """Write an index and its sitemaps."""
    root.mkdir(exist_ok=True)
    each = urls // _SITEMAPS
    for sitemap in range(_SITEMAPS):
        entries = "".join(
            f"<url><loc>https://example.org/s{sitemap}/{word}-{page:07}-of-a-length-that-is-usual-on-the-web/</loc>"
            f"<lastmod>{year}-{page % 12 + 1:02}-{page % 28 + 1:02}T{page % 24:02}:{page % 60:02}:{page % 59:02}Z"
            "</lastmod></url>\n"
            for page in range(each)
        )
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_NAMESPACE}">\n{entries}</urlset>\n'
        (root / f"sitemap-{sitemap}.xml").write_text(text, encoding="utf-8")
    listed = "".join(
        f"<sitemap><loc>https://example.org/sitemap-{sitemap}.xml</loc></sitemap>\n" for sitemap in range(_SITEMAPS)
    )
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{_NAMESPACE}">\n{listed}</sitemapindex>\n'
    (root / "sitemap_index.xml").write_text(text, encoding="utf-8")
