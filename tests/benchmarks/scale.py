"""A million pages into sitemaps and their index: beside a bare loop, other writers, and cuts that count off pages."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from smindex_plugins.model import Page
from smindex_plugins.sitemaps import sections
from smindex_plugins.sitemaps.rendering import NAMESPACE
from smindex_plugins.sitemaps.sections import Section
from tests.benchmarks.measure import ratios
from tests.benchmarks.scale_writers import BASE, make_pages

SUMMARY = "seconds and memory to write a million pages, and files that one page more changes"

_ROOT = Path(__file__).parents[2]
_CORE, _SHUFFLED, _LOOP, _NPM = "core", "shuffled core", "loop", "npm sitemap"
_NO_HEADS = "core, no heads"
"""The core for pages as hosts hand them over, but without files whose heads it would read."""
_WRITERS = (_CORE, _NO_HEADS, _SHUFFLED, _LOOP, "joined", "xmlfile", "jinja")
_FULL, _LESS = 200_000, 50_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--pages", type=int, default=1_000_000, metavar="N", help="default: 1000000")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="counted runs of each (default: 5)")
    parser.add_argument("--no-npm", action="store_true", help="leave out npm's sitemap, which needs node and a network")
    parser.add_argument(
        "--many-sitemaps", action="store_true", help="only write 2.6 million pages into 52,000 sitemaps and two indexes"
    )


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Run every writer in turn, each in a fresh process, then count what insertions change."""
    with tempfile.TemporaryDirectory() as directory:
        if given.many_sitemaps:
            return _many_sitemaps(Path(directory))
        writers = _commands(given, Path(directory))
        taken: dict[str, list[dict[str, float]]] = {name: [] for name in writers}
        for turn in range(given.repeats + 1):
            for name, command in writers.items():
                print(f"\r{name} {turn}/{given.repeats}    ", end="", file=sys.stderr, flush=True)
                result = _run(command, Path(directory) / "site")
                if turn:
                    taken[name].append(result)
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
        _compare_bytes(writers, Path(directory))
        memory = {
            pages: _run(_writer(_CORE, pages), Path(directory) / "site")
            for pages in (given.pages // 4, given.pages * 2)
        }
    return _result(given, taken, memory)


def _result(
    given: argparse.Namespace,
    taken: dict[str, list[dict[str, float]]],
    memory: dict[int, dict[str, float]],
) -> dict[str, Any]:
    seconds = {name: [result["seconds"] for result in results] for name, results in taken.items()}
    to_loop, to_core = (ratios(seconds, base) for base in (_LOOP, _CORE))
    megabytes = {name: statistics.median(result["megabytes"] for result in results) for name, results in taken.items()}
    return {
        "benchmark": "scale",
        "pages": given.pages,
        "repeats": given.repeats,
        "seconds": _rounded({name: statistics.median(times) for name, times in seconds.items()}, 3),
        "ratio to the loop": _rounded(to_loop, 2),
        "ratio to the core": _rounded(to_core, 2),
        "megabytes beyond the pages": _rounded(megabytes, 1),
        "megabytes of the core by pages": {
            pages: round(result["megabytes"], 1)
            for pages, result in {**memory, given.pages: {"megabytes": megabytes[_CORE]}}.items()
        },
        "bytes of a page": _page_bytes(),
        "files changed": _files_changed(),
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    if "sitemaps" in result:
        return "\n".join(f"{name:20} {value}" for name, value in result.items())
    lines = [
        f"{result['pages']:,} pages, median of {result['repeats']} runs in turn, each in a fresh process",
        "",
        f"{'':34} {'seconds':>8} {'to loop':>8} {'to core':>8} {'MB':>6}",
    ]
    for name, seconds in sorted(result["seconds"].items(), key=lambda item: item[1]):
        numbers = [result[f"ratio to the {base}"][name] for base in ("loop", "core")]
        megabytes = result["megabytes beyond the pages"][name]
        lines.append(
            f"{name:34} {seconds:8.2f} " + " ".join(f"{number:7.2f}x" for number in numbers) + f" {megabytes:>6}"
        )
    lines += [
        "",
        f"megabytes of the core beyond the pages, by pages: {result['megabytes of the core by pages']}",
        f"bytes of a page: {result['bytes of a page']}",
        "",
        f"files that change of a section of {_FULL:,} pages, most {_LESS // 5:,} a file: by hash, and counted off",
    ]
    for change, numbers in result["files changed"].items():
        lines.append(f"{change:34} " + "   ".join(f"{cut}: {files}" for cut, files in numbers.items()))
    return "\n".join(lines)


def _commands(given: argparse.Namespace, directory: Path) -> dict[str, list[str]]:
    commands = {name: _writer(name, given.pages) for name in _WRITERS}
    if not given.no_npm and install_npm(directory, Path(__file__).with_name("scale.mjs")):
        pages = directory / "pages.tsv"
        pages.write_text("".join(f"{page.url}\t{page.lastmod}\n" for page in make_pages(given.pages)))
        commands[_NPM] = ["node", str(directory / "scale.mjs"), str(pages)]
    return commands


def _writer(name: str, pages: int) -> list[str]:
    return [sys.executable, "-m", "tests.benchmarks.scale_writers", name, str(pages)]


def install_npm(directory: Path, script: Path) -> bool:
    """Install npm's sitemap beside a copy of a script that uses it, and return whether that could be done."""
    shutil.copy(script, directory)
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(directory), "sitemap@9"]
    try:
        subprocess.run(install, check=True, capture_output=True, cwd=directory)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"npm's sitemap is left out: {error}", file=sys.stderr)
        return False
    return True


def _run(command: list[str], output: Path) -> dict[str, float]:
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir()
    done = subprocess.run([*command, str(output)], cwd=_ROOT, check=True, capture_output=True, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _compare_bytes(writers: dict[str, list[str]], directory: Path) -> None:
    """Make sure that the loop, which all are compared with, writes what the core writes."""
    contents = []
    for name in (_CORE, _LOOP, _SHUFFLED):
        _run(writers[name], directory / "site")
        files = (path for path in (directory / "site").rglob("*.xml"))
        contents.append({str(path.relative_to(directory)): path.read_bytes() for path in files})
    if not contents[0] == contents[1] == contents[2]:
        message = "the loop does not write what the core writes"
        raise RuntimeError(message)


def _page_bytes() -> dict[str, int]:
    """Give what a page takes with strings of its own: a URL and a file of 80 characters, a date and time."""
    (page,) = make_pages(1)
    bare, url, lastmod = map(sys.getsizeof, (page, page.url, page.lastmod))
    file = sys.getsizeof("/" + "x" * 79)
    return {
        "object and URL": bare + url,
        "with lastmod": bare + url + lastmod,
        "with file and lastmod": bare + url + file + lastmod,
    }


def _files_changed() -> dict[str, dict[str, int]]:
    """Count the sitemaps that differ after insertions, all over the section or in a new directory of it."""
    pages = [Page(url=f"{BASE}a/chapter-{number // 100:04d}/{number:06d}/") for number in range(_FULL)]
    changed = {}
    for count in (1, 10, 100):
        step = _FULL // count
        scattered = [Page(url=f"{pages[n * step + step // 3].url}new/") for n in range(count)]
        together = [Page(url=f"{BASE}a/chapter-0777-new/{number}/") for number in range(count)]
        for where, new in (("all over", scattered), ("in one directory", together)):
            after = sorted([*pages, *new], key=lambda page: page.url)
            changed[f"{count} inserted {where}"] = {
                name: _different(cut(pages), cut(after)) for name, cut in (("by hash", _by_hash), ("counted", _counted))
            }
    return {"files before": {"by hash": len(_by_hash(pages)), "counted": len(_counted(pages))}, **changed}


def _different(before: dict[str, list[str]], after: dict[str, list[str]]) -> int:
    return sum(before.get(name) != after.get(name) for name in before.keys() | after.keys())


def _by_hash(pages: list[Page]) -> dict[str, list[str]]:
    def write(part: list[Page]) -> list[str] | None:
        return [page.url for page in part] if len(part) <= _LESS // 5 else None

    section = Section(stem="a/sitemap", pages=pages)
    return {stem: content for stem, _, content in sections.split(section, (), write)}


def _counted(pages: list[Page]) -> dict[str, list[str]]:
    most = _LESS // 5
    return {str(start): [page.url for page in pages[start : start + most]] for start in range(0, len(pages), most)}


def _many_sitemaps(directory: Path) -> dict[str, Any]:
    """Write more sitemaps than one index may list, and count with another parser what is there."""
    site = directory / "site"
    taken = _run(_writer("many core", 2_600_000), site)
    indexes = sorted(site.glob("*.xml"))
    listed = {index.name: list(_locs(index)) for index in indexes}
    sitemaps = [site / url.removeprefix(BASE) for urls in listed.values() for url in urls]
    return {
        "benchmark": "scale --many-sitemaps",
        "pages": sum(sum(1 for _ in _locs(sitemap)) for sitemap in sitemaps),
        "sitemaps": len(set(sitemaps)),
        "indexes": {name: len(urls) for name, urls in listed.items()},
        "bytes of indexes": {index.name: os.path.getsize(index) for index in indexes},
        "seconds": round(taken["seconds"], 1),
        "megabytes": round(taken["megabytes"], 1),
    }


def _locs(path: Path) -> Iterator[str]:
    for _, element in etree.iterparse(path, tag=f"{{{NAMESPACE}}}loc"):
        yield str(element.text)


def _rounded(numbers: dict[str, float], digits: int) -> dict[str, float]:
    return {name: round(number, digits) for name, number in numbers.items()}
