"""A Sphinx build of pages with a commit each: without an extension, with ours, and with sphinx-sitemap.

sphinx-sitemap takes its dates from sphinx-last-updated-by-git, as its documentation advises.
"""

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

SUMMARY = "seconds the extension adds to a Sphinx build, beside none and beside sphinx-sitemap"

_TEXT = "A sitemap lists the pages of a site, and *when* each changed. See `more <https://example.org/>`__.\n\n" * 8
_PEER = "sphinx-sitemap"
_THEIRS = 'extensions = ["sphinx_sitemap"]\nsitemap_url_scheme = "{link}"\nsitemap_show_lastmod = True\n'
_VARIANTS = {builds.BASE: "", "sitemap_index": 'extensions = ["smindex_plugins.sphinx"]\n', _PEER: _THEIRS}

table = builds.table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    builds.add_arguments(parser)
    parser.add_argument("--no-peer", action="store_true", help=f"leave out {_PEER}")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Build the documentation in every variant, in turn."""
    with tempfile.TemporaryDirectory() as directory:
        site = Path(directory)
        builds.make_repository(site, dict(map(_document, range(given.pages))))
        variants = [name for name in _VARIANTS if name != _PEER or _has_peer(given)]
        commands = {name: _build_command(site, name, number) for number, name in enumerate(variants)}
        return builds.compare("sphinx", commands, given)


def _has_peer(given: argparse.Namespace) -> bool:
    if given.no_peer:
        return False
    needed = ("sphinx_sitemap", "sphinx_last_updated_by_git")
    is_installed = all(importlib.util.find_spec(name) is not None for name in needed)
    if not is_installed:
        print(f"left out: {_PEER} (pip install {_PEER} sphinx-last-updated-by-git)", file=sys.stderr)
    return is_installed


def _build_command(site: Path, variant: str, number: int) -> Command:
    config, output = site / f"conf{number}", site / f"output{number}"
    config.mkdir(exist_ok=True)
    settings = 'project = "Benchmark"\nhtml_baseurl = "https://example.org/"\nhtml_theme = "basic"\n'
    (config / "conf.py").write_text(settings + _VARIANTS[variant])
    build = [sys.executable, "-m", "sphinx", "-q", "-c", config.name, "docs", output.name]
    return Command(build, site, before=partial(shutil.rmtree, output, ignore_errors=True))


def _document(number: int) -> tuple[str, str]:
    name = f"section{number % 20}/page{number}.rst" if number else "index.rst"
    tree = "" if number else ".. toctree::\n   :glob:\n\n   */*\n\n"
    return f"docs/{name}", f"Page {number}\n==========\n\n{tree}{_TEXT}"
