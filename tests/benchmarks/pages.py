"""Reading what 5,000 rendered pages of 50 to 100 kB say in their heads, beside the bare reading of those files."""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from smindex_plugins.markup import content, head
from tests.benchmarks.measure import ratios

SUMMARY = "reading what pages say of themselves, beside the bare reading of their files"

_BASE = "https://example.org/docs/"
_BARE = "bare reading"
_HEAD = """\
<!doctype html>
<html lang="en" class="no-js">
  <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta name="description" content="What page {number} is about, and why it's worth reading.">
      <meta name="author" content="Somebody">
      <link rel="canonical" href="{url}">
      <link rel="prev" href="../{previous}/">
      <link rel="next" href="../{next}/">
      <link rel="icon" href="../../assets/images/favicon.png">
      <meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.7.0">
        <title>Page {number} - Documentation</title>
      <link rel="stylesheet" href="../../assets/stylesheets/main.484c7ddc.min.css">
      <link rel="stylesheet" href="../../assets/stylesheets/palette.ab4e12ef.min.css">
      <link rel="preconnect" href="https://fonts.gstatic.com" crossorigin>
      <link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Roboto:300,300i,400,400i,700,700i&display=fallback">
      <style>:root{{--md-text-font:"Roboto";--md-code-font:"Roboto Mono"}}</style>
      <script>__md_scope=new URL("../..",location),__md_hash=e=>[...e].reduce(((e,_)=>(e<<5)-e+_.charCodeAt(0)),0),__md_get=(e,_=localStorage,t=__md_scope)=>JSON.parse(_.getItem(t.pathname+"."+e)),__md_set=(e,_,t=localStorage,a=__md_scope)=>{{try{{t.setItem(a.pathname+"."+e,JSON.stringify(_))}}catch(e){{}}}}</script>
      <script>var palette=__md_get("__palette");if(palette&&palette.color){{if("(prefers-color-scheme)"===palette.color.media){{var media=matchMedia("(prefers-color-scheme: light)")}}for(var[key,value]of Object.entries(palette.color))document.body.setAttribute("data-md-color-"+key,value)}}</script>
      <meta property="og:type" content="website">
      <meta property="og:title" content="Page {number} - Documentation">
      <meta property="og:description" content="What page {number} is about">
      <meta property="og:image" content="{url}../assets/images/social/{number}.png">
      <meta property="og:url" content="{url}">
      <meta name="twitter:card" content="summary_large_image">
{alternates}\
  </head>
  <body dir="ltr" data-md-color-scheme="default">
"""  # noqa: E501 - lines as long as a theme writes them
_ALTERNATES = """\
      <link rel="alternate" href="{url}" hreflang="en">
      <link rel="alternate" href="{url}de/" hreflang="de">
"""
_NAVIGATION = (
    '<li class="md-nav__item"><a href="../{number}/" class="md-nav__link"><span>Page {number}</span></a></li>\n'
)
_PARAGRAPH = "<p>A sitemap lists the <em>pages</em> of a site, and <a href='../1/'>when</a> they changed.</p>\n" * 6
_IMAGE = '<p><img alt="what it shows" src="../images/{number}.png" loading="lazy"></p>\n'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--pages", type=int, default=5_000, metavar="N", help="pages (default: 5000)")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="counted readings of all (default: 5)")
    parser.add_argument(
        "--from-memory", action="store_true", help="read what the system holds in memory, and not from the disk"
    )
    parser.add_argument(
        "--hreflang", type=int, default=10, metavar="PERCENT", help="pages with language variants (default: 10)"
    )


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Read all pages in every way, the ways taking turns."""
    with tempfile.TemporaryDirectory() as directory:
        files = _make_pages(Path(directory), given.pages, given.hreflang)
        size = sum(Path(file).stat().st_size for file, _ in files)
        ways: dict[str, Callable[[str, str], object]] = {
            _BARE: _bare,
            "head": head.read,
            "head and images": lambda file, url: (
                head.read(file, url),
                content.read(file, url, images=True, videos=False),
            ),
        }
        before = partial(_forget, files) if not given.from_memory else _nothing
        seconds = _interleaved(ways, files, given.repeats, before)
    return {
        "benchmark": "pages",
        "pages": given.pages,
        "bytes": size,
        "percent with hreflang": given.hreflang,
        "read from": "memory" if given.from_memory else "disk",
        "repeats": given.repeats,
        "seconds": {name: round(statistics.median(times), 3) for name, times in seconds.items()},
        "ratio to bare reading": {name: round(ratio, 3) for name, ratio in ratios(seconds, _BARE).items()},
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    size, hreflang = result["bytes"] / 1e6, result["percent with hreflang"]
    pages = f"{result['pages']:,} pages, {size:,.0f} MB, {hreflang} % with hreflang, read from {result['read from']}"
    lines = [f"{pages}, median of {result['repeats']} readings in turn", ""]
    for name, seconds in result["seconds"].items():
        lines.append(f"{name:20} {seconds:8.3f} s   x {result['ratio to bare reading'][name]:.3f}")
    return "\n".join(lines)


def _bare(file: str, _url: str) -> object:
    with open(file, "rb", buffering=0) as stream:
        return stream.read()


def _nothing() -> None:
    pass


def _forget(files: list[tuple[str, str]]) -> None:
    """Have the system forget the files that it holds in memory; it does so only with what is safe on the disk."""
    for file, _ in files:
        with open(file, "rb") as stream:
            os.fsync(stream.fileno())
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _interleaved(
    ways: dict[str, Callable[[str, str], object]],
    files: list[tuple[str, str]],
    repeats: int,
    before: Callable[[], None],
) -> dict[str, list[float]]:
    """Give each way's wall seconds for all files, after one warm-up that also brings them into memory."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(repeats + 1):
        for name, way in ways.items():
            print(f"\r{name} {turn}/{repeats}   ", end="", file=sys.stderr, flush=True)
            before()
            started = time.perf_counter()
            for file, url in files:
                way(file, url)
            if turn:
                seconds[name].append(time.perf_counter() - started)
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return seconds


def _make_pages(directory: Path, pages: int, hreflang: int) -> list[tuple[str, str]]:
    chance = random.Random(0)  # noqa: S311 - the same pages each time
    files = []
    for number in range(pages):
        url = f"{_BASE}{number}/"
        alternates = _ALTERNATES.format(url=url) if chance.randrange(100) < hreflang else ""
        head = _HEAD.format(number=number, url=url, previous=number - 1, next=number + 1, alternates=alternates)
        navigation = "".join(_NAVIGATION.format(number=item) for item in range(150))
        parts = [head, f"<nav><ul>{navigation}</ul></nav>\n<main><article>\n"]
        wanted = chance.randrange(50_000, 100_000)
        size = sum(map(len, parts))
        while size < wanted:
            parts.append(_PARAGRAPH + _IMAGE.format(number=len(parts)) if len(parts) % 8 == 0 else _PARAGRAPH)
            size += len(parts[-1])
        parts.append("</article></main>\n</body>\n</html>\n")
        file = directory / f"{number}.html"
        file.write_text("".join(parts), encoding="utf-8")
        files.append((str(file), url))
    return files
