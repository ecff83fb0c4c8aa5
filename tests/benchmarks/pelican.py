"""A Pelican build of articles with a commit each: without the plugin, and with it. The goal is under 5 % added."""

import argparse
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks import builds
from tests.benchmarks.measure import Command

SUMMARY = "seconds the plugin adds to a Pelican build, beside no plugin"

_TEXT = "A sitemap lists the pages of a site, and *when* each changed. See [more](https://example.org/).\n\n" * 24
_VARIANTS = {builds.BASE: [], "sitemap_index": ["smindex_plugins.hosts.pelican_plugin"]}

add_arguments = builds.add_arguments
table = builds.table


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Build the blog with the plugin and without it, in turn."""
    with tempfile.TemporaryDirectory() as directory:
        site = Path(directory)
        builds.make_repository(site, dict(map(_article, range(given.pages))))
        commands = {
            name: _build_command(site, plugins, number) for number, (name, plugins) in enumerate(_VARIANTS.items())
        }
        return builds.compare("pelican", commands, given)


def _build_command(site: Path, plugins: list[str], number: int) -> Command:
    config, output = site / f"conf{number}.py", site / f"output{number}"
    settings = {"SITEURL": "https://example.org", "TIMEZONE": "UTC", "PATH": "content", "PLUGINS": plugins}
    config.write_text("".join(f"{name} = {value!r}\n" for name, value in settings.items()))
    build = [sys.executable, "-m", "pelican", "-q", "-s", config.name, "-o", output.name]
    return Command(build, site, before=partial(shutil.rmtree, output, ignore_errors=True))


def _article(number: int) -> tuple[str, str]:
    category = chr(ord("a") + number % 20)  # not numbered: the second page of c1 would be the file of c12
    head = f"Title: Article {number}\nDate: 2020-01-01\nTags: {category}x, {category}y\n\n"
    return f"content/{category}/article{number}.md", head + _TEXT
