"""How long `smindex` builds and checks a directory, beside bare reading, and what the plugin adds
to MkDocs.
"""

import argparse
import random
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.benchmarks.history import commit_pages
from tests.benchmarks.measure import Usage, in_turn, print_ratios, process

URL = "https://example.org/docs/"
SMINDEX = (sys.executable, "-m", "smindex_plugins")
HEAD = """\
<!doctype html>
<html lang="en" class="no-js">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="description" content="What page {number} is about, and why it's worth reading.">
    <link rel="canonical" href="{url}">
    <link rel="prev" href="../page-{number}/">
    <meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.7.0">
    <title>Page {number} - Documentation</title>
    <style>:root{{--md-text-font:"Roboto";--md-code-font:"Roboto Mono"}}</style>
    <script>__md_get=(e,_=localStorage,t=__md_scope)=>JSON.parse(_.getItem(t.pathname+"."+e));{script}</script>
    <meta property="og:image" content="{url}../assets/images/social/{number}.png">
    <link rel="alternate" href="{url}" hreflang="en">
    <link rel="alternate" href="{url}" hreflang="x-default">
  </head>
  <body dir="ltr" data-md-color-scheme="default">
"""
NAVIGATION = (
    '<li class="md-nav__item"><a href="../page-1/" class="md-nav__link"><span>A'
    " page</span></a></li>\n"
)
TEXT = (
    "<p>A sitemap lists the <em>pages</em> of a site, and <a href='../page-1/'>when</a> they"
    " changed.</p>\n"
)
CONFIGURATION = """\
site_name: Benchmark
site_url: https://example.org/
docs_dir: {docs}
theme: material
plugins: {plugins}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sizes of the two sites, which are generated."""
    parser.add_argument("--pages", type=int, default=20_000, help="pages in the directory")
    parser.add_argument("--bytes", type=int, default=27_000, help="mean size of these pages")
    parser.add_argument(
        "--host-pages", type=int, default=400, help="pages, and commits, of the build with MkDocs"
    )
    parser.add_argument("--repeats", type=int, default=3, help="turns that count")


def run(given: argparse.Namespace) -> None:
    """Measure the commands on one core, then builds with MkDocs and Material."""
    with tempfile.TemporaryDirectory() as directory:
        site = Path(directory, "site")
        write_pages(site, given.pages, given.bytes)
        usages = in_turn(
            {
                "bare reading": partial(
                    process,
                    ["sh", "-c", 'find "$0" -name "*.html" -print0 | xargs -0 cat', site],
                    cores=1,
                ),
                "smindex build": partial(_build, site),
                "smindex check": partial(process, [*SMINDEX, "check", site, "-q"], cores=1),
            },
            given.repeats,
        )
        print_ratios(f"{given.pages:,} pages of about {given.bytes:,} bytes, on one core", usages)
        root = Path(directory, "repository")
        commit_pages(root, given.host_pages, given.host_pages)
        plugins = {"without the plugin": "[search]", "with the plugin": "[search, sitemap-index]"}
        builds = {name: partial(_build_with_mkdocs, root, value) for name, value in plugins.items()}
        print_ratios(
            f"MkDocs with Material, {given.host_pages:,} pages", in_turn(builds, given.repeats)
        )


def write_pages(site: Path, pages: int, size: int) -> None:
    """Write pages as a theme renders them, in 20 sections."""
    chance = random.Random(0)  # noqa: S311 - the same pages every time
    for number in range(pages):
        path = f"section-{number % 20}/page-{number}/"
        head = HEAD.format(number=number, url=URL + path, script="var a = 1;" * 150)
        wanted = chance.randrange(size // 2, size * 3 // 2) - len(head)
        body = NAVIGATION * (size // 330) + TEXT * max(wanted // len(TEXT) - size // 330, 1)
        file = site / path / "index.html"
        file.parent.mkdir(parents=True)
        file.write_text(f"{head}{body}</body>\n</html>\n", encoding="utf-8")


def _build(site: Path) -> Usage:
    """Build from the beginning each time."""
    for sitemap in site.rglob("*.xml"):
        sitemap.unlink()
    return process([*SMINDEX, "build", site, "--site-url", URL, "-q"], cores=1)


def _build_with_mkdocs(root: Path, plugins: str) -> Usage:
    configuration, output = root / "mkdocs.yml", root / "site"
    configuration.write_text(
        CONFIGURATION.format(docs=root / "docs", plugins=plugins), encoding="utf-8"
    )
    shutil.rmtree(output, ignore_errors=True)
    return process(
        [sys.executable, "-m", "mkdocs", "build", "-q", "-f", configuration, "-d", output], root
    )
