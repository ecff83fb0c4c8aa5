"""A Pelican build of 1,000 articles and 1,000 commits: without the plugin, and with it. The goal is under 5 % added."""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Command, interleaved, ratios

SUMMARY = "seconds the plugin adds to a Pelican build, beside no plugin"

_PARAGRAPH = (
    "A sitemap lists the pages of a site, and *when* each of them changed. See [the next](https://example.org/).\n\n"
)
_VARIANTS = {"no plugin": [], "sitemap_index": ["smindex_plugins.pelican_plugin"]}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--pages", type=int, default=1_000, metavar="N", help="articles and commits (default: 1000)")
    parser.add_argument("--repeats", type=int, default=7, metavar="N", help="counted builds of each (default: 7)")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Build the blog with the plugin and without it, in turn."""
    with tempfile.TemporaryDirectory() as directory:
        site = Path(directory)
        _make_repository(site, given.pages)
        commands = {
            name: _build_command(site, plugins, number) for number, (name, plugins) in enumerate(_VARIANTS.items())
        }
        seconds = interleaved(commands, given.repeats)
    relative = ratios(seconds, "no plugin")
    return {
        "benchmark": "pelican",
        "pages": given.pages,
        "commits": given.pages,
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 3) for name, times in seconds.items()},
        "ratio to no plugin": {name: round(ratio, 3) for name, ratio in relative.items()},
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    lines = [
        f"{result['pages']:,} articles, {result['commits']:,} commits, median of {result['repeats']} builds in turn",
        "",
    ]
    for name, seconds in result["seconds"].items():
        lines.append(f"{name:30} {seconds:8.2f} s   x {result['ratio to no plugin'][name]:.3f}")
    return "\n".join(lines)


def _build_command(site: Path, plugins: list[str], number: int) -> Command:
    config, output = site / f"conf{number}.py", site / f"output{number}"
    settings = {"SITEURL": "https://example.org", "TIMEZONE": "UTC", "PATH": "content", "PLUGINS": plugins}
    config.write_text("".join(f"{name} = {value!r}\n" for name, value in settings.items()))
    build = [sys.executable, "-m", "pelican", "-q", "-s", config.name, "-o", output.name]
    return Command(build, site, before=partial(shutil.rmtree, output, ignore_errors=True))


def _make_repository(root: Path, pages: int) -> None:
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    stream = b"".join(_fast_import(pages))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True)
    subprocess.run(["git", "checkout", "-q", "-f", "main"], cwd=root, check=True)


def _fast_import(pages: int) -> Iterator[bytes]:
    for number in range(pages):
        category = chr(ord("a") + number % 20)  # not numbered: the second page of c1 would be the file of c12
        head = f"Title: Article {number}\nDate: 2020-01-01\nTags: {category}x, {category}y\n\n"
        content = (head + _PARAGRAPH * 24).encode()
        yield f"commit refs/heads/main\ncommitter A <a@example.org> {1_600_000_000 + number * 3600} +0000\n".encode()
        yield b"data 4\nadd\n\n"
        yield f"M 100644 inline content/{category}/article{number}.md\ndata {len(content)}\n".encode() + content + b"\n"
