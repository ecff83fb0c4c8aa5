"""A MkDocs build of 1,000 pages and 1,000 commits: without the plugin, with it, and with a git date plugin."""

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

SUMMARY = "seconds the plugin adds to a MkDocs build, beside no plugin and beside git-revision-date-localized"

_PARAGRAPH = "A sitemap lists the pages of a site, and *when* each of them changed. See [the next](page.md).\n\n" * 8
_PEER = "git-revision-date-localized"
_VARIANTS = {"no plugin": "", "sitemap-index": "  - sitemap-index\n", _PEER: f"  - {_PEER}\n"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--pages", type=int, default=1_000, metavar="N", help="pages and commits (default: 1000)")
    parser.add_argument("--repeats", type=int, default=7, metavar="N", help="counted builds of each (default: 7)")
    parser.add_argument("--no-peer", action="store_true", help="leave out git-revision-date-localized")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Build the site in every variant, in turn."""
    with tempfile.TemporaryDirectory() as directory:
        site = Path(directory)
        _make_repository(site, given.pages)
        variants = [name for name in _VARIANTS if not (given.no_peer and name == _PEER)]
        commands = {name: _build_command(site, name, number) for number, name in enumerate(variants)}
        seconds = interleaved(commands, given.repeats)
    relative = ratios(seconds, "no plugin")
    return {
        "benchmark": "mkdocs",
        "pages": given.pages,
        "commits": given.pages,
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 3) for name, times in seconds.items()},
        "ratio to no plugin": {name: round(ratio, 3) for name, ratio in relative.items()},
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    lines = [
        f"{result['pages']:,} pages, {result['commits']:,} commits, median of {result['repeats']} builds in turn",
        "",
    ]
    for name, seconds in result["seconds"].items():
        lines.append(f"{name:30} {seconds:8.2f} s   x {result['ratio to no plugin'][name]:.3f}")
    return "\n".join(lines)


def _build_command(site: Path, variant: str, number: int) -> Command:
    config, output = site / f"mkdocs-{number}.yml", site / f"site-{number}"
    plugins = f"plugins:\n  - search\n{_VARIANTS[variant]}"
    config.write_text(f"site_name: Benchmark\nsite_url: https://example.org/\n{plugins}")
    build = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", config.name, "-d", output.name]
    return Command(build, site, before=partial(shutil.rmtree, output, ignore_errors=True))


def _make_repository(root: Path, pages: int) -> None:
    subprocess.run(["git", "init", "-q", root], check=True)
    stream = b"".join(_fast_import(pages))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True)
    subprocess.run(["git", "checkout", "-q", "-f", "main"], cwd=root, check=True)


def _fast_import(pages: int) -> Iterator[bytes]:
    for number in range(pages):
        name = "index.md" if number == 0 else f"section{number % 20}/page{number}.md"
        text = f"# Page {number}\n\n{_PARAGRAPH.replace('(page.md)', '(https://example.org/)')}"
        content = (text * 3).encode()
        yield f"commit refs/heads/main\ncommitter A <a@example.org> {1_600_000_000 + number * 3600} +0000\n".encode()
        yield b"data 4\nadd\n\n"
        yield f"M 100644 inline docs/{name}\ndata {len(content)}\n".encode() + content + b"\n"
