"""A MkDocs build of pages with a commit each: without the plugin, with it, and with a git date plugin."""

import argparse
import importlib.util
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks import builds
from tests.benchmarks.measure import Command

SUMMARY = "seconds the plugin adds to a MkDocs build, beside no plugin and beside git-revision-date-localized"

_TEXT = "A sitemap lists the pages of a site, and *when* each changed. See [more](https://example.org/).\n\n" * 8
_PEER = "git-revision-date-localized"
_VARIANTS = {builds.BASE: "", "sitemap-index": "  - sitemap-index\n", _PEER: f"  - {_PEER}\n"}

table = builds.table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    builds.add_arguments(parser)
    parser.add_argument("--no-peer", action="store_true", help="leave out git-revision-date-localized")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Build the site in every variant, in turn."""
    with tempfile.TemporaryDirectory() as directory:
        site = Path(directory)
        builds.make_repository(site, dict(map(_page, range(given.pages))))
        variants = [name for name in _VARIANTS if name != _PEER or _has_peer(given)]
        commands = {name: _build_command(site, name, number) for number, name in enumerate(variants)}
        return builds.compare("mkdocs", commands, given)


def _has_peer(given: argparse.Namespace) -> bool:
    if given.no_peer:
        return False
    is_installed = importlib.util.find_spec("mkdocs_git_revision_date_localized_plugin") is not None
    if not is_installed:
        print(f"left out: {_PEER} (pip install mkdocs-{_PEER}-plugin)", file=sys.stderr)
    return is_installed


def _build_command(site: Path, variant: str, number: int) -> Command:
    config, output = site / f"mkdocs-{number}.yml", site / f"site-{number}"
    plugins = f"plugins:\n  - search\n{_VARIANTS[variant]}"
    config.write_text(f"site_name: Benchmark\nsite_url: https://example.org/\n{plugins}")
    build = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", config.name, "-d", output.name]
    return Command(build, site, before=partial(shutil.rmtree, output, ignore_errors=True))


def _page(number: int) -> tuple[str, str]:
    name = f"section{number % 20}/page{number}.md" if number else "index.md"
    return f"docs/{name}", f"# Page {number}\n\n{_TEXT}" * 3
