"""Millions of rows of a table into sitemaps: what a row costs, on one core and on two, beside npm's sitemap.

The table is skewed: 60 % of the rows are in one section, most of these in one directory of it, and a tenth are in
directories of one page each. npm's sitemap makes the same rows itself; it neither reads, sorts, groups nor checks them.
"""

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from resource import struct_rusage
from typing import Any

from smindex_plugins.tables import ENGINES
from tests.benchmarks.measure import held_to
from tests.benchmarks.scale import install_npm

SUMMARY = "microseconds of CPU and memory for a row of a table, beside npm's sitemap"

_ROOT = Path(__file__).parents[2]
_SITE = "https://shop.example.org/"
_ADOPT = 36
"""`PR_SET_CHILD_SUBREAPER`: on Linux, a process then has the children of those of its own that end."""
_MAKE = """
COPY (
    SELECT
        '{site}' || CASE
            WHEN i % 10 < 6 THEN 'products/' || CASE WHEN i % 50 < 40 THEN 'all/' ELSE 'group-' || (i % 997) || '/' END
                || 'item-' || i || '-with-a-slug/'
            WHEN i % 10 < 9 THEN 'section-' || (i % 211) || '/chapter-' || (i // 1000) || '/page-' || i || '/'
            ELSE 'tiny-' || i || '/page-' || i || '/'
        END AS url,
        TIMESTAMPTZ '2023-01-01 00:00:00+00' + to_seconds((i * 29) % 60000000) AS lastmod
    FROM (SELECT (n * 7919) % {rows} AS i FROM range({rows}) t(n))
) TO '{file}'
"""
"""The numbers from 0 on in another order, each once, as 7919 is a prime."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--rows", type=int, default=10_000_000, metavar="N", help="default: 10000000")
    parser.add_argument("--memory", default="1GB", metavar="SIZE", help="for the engine (default: %(default)s)")
    parser.add_argument("--temp", default=None, metavar="DIR", help="where tables and temporary files are")
    parser.add_argument(
        "--engine", choices=ENGINES, default=ENGINES[0], help="which engine writes them (default: %(default)s)"
    )
    parser.add_argument("--no-npm", action="store_true", help="leave out npm's sitemap, which needs node and a network")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Write a tenth of the rows and all of them, on one core and on as many as there are, and let npm do so too.

    Spark's CPU is that of Java and of the Python workers too; its memory is that of the largest process.
    """
    ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(dir=given.temp) as directory:
        place, many, few = Path(directory), given.rows, given.rows // 10
        runs = {
            "a tenth": _pages(place, few, given),
            "all": _pages(place, many, given),
            "all, again": _again(place, many, given),
            "all, one core": _pages(place, many, given, cores=1),
        }
        npm = None if given.no_npm else _npm(place, many)
    rates = {name: round(each["rows"] / each["seconds"]) for name, each in runs.items()}
    result = {
        "benchmark": "tables",
        "engine": given.engine,
        "rows": many,
        "memory": given.memory,
        "cores": os.cpu_count(),
        "load before": [round(each, 1) for each in os.getloadavg()],
        "runs": runs,
        "rows a second": rates,
        "CPU of a row at all rows to that at a tenth": _ratio(runs["all"], runs["a tenth"], "CPU microseconds a row"),
        "cores to one core": round(runs["all, one core"]["seconds"] / runs["all"]["seconds"], 2),
    }
    if npm:
        result["npm rows a second"] = round(many / npm)
        result["rows a second to npm's"] = round(npm / runs["all"]["seconds"], 2)
    return result


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    lines = [f"{result['rows']:,} rows, {result['memory']} for {result['engine']}, {result['cores']} cores", ""]
    lines.append(f"{'':16} {'rows':>12} {'seconds':>8} {'rows/s':>9} {'µs CPU/row':>11} {'MB':>6} {'sitemaps':>9}")
    for name, each in result["runs"].items():
        rate, cost = result["rows a second"][name], each["CPU microseconds a row"]
        numbers = f"{each['rows']:12,} {each['seconds']:8.1f} {rate:9,} {cost:11.2f} {each['megabytes']:6,}"
        lines.append(f"{name:16} {numbers} {each['sitemaps']:9,}")
    lines += [
        "",
        *(
            f"{name}: {result[name]}"
            for name in result
            if name.startswith(("CPU", "cores to", "npm", "rows a second to"))
        ),
    ]
    return "\n".join(lines)


def _ratio(one: dict[str, Any], other: dict[str, Any], name: str) -> float:
    return round(float(one[name]) / float(other[name]), 2)


def _pages(place: Path, rows: int, given: argparse.Namespace, cores: int | None = None) -> dict[str, Any]:
    """Write the sitemaps of a table in a process of its own, into an empty directory."""
    source = place / f"{rows}.parquet"
    if not source.exists():
        _in_duckdb(_MAKE.format(site=_SITE, rows=rows, file=source))
    out = place / f"out-{rows}-{cores}"
    return _measured(source, out, rows, given, cores)


def _again(place: Path, rows: int, given: argparse.Namespace) -> dict[str, Any]:
    return _measured(place / f"{rows}.parquet", place / f"out-{rows}-None", rows, given, None)


def _measured(source: Path, out: Path, rows: int, given: argparse.Namespace, cores: int | None) -> dict[str, Any]:
    command = [sys.executable, "-m", "smindex_plugins", "pages", str(source), "--site-url", _SITE, "--out", str(out)]
    command += ["--memory", given.memory, "--temp", str(source.parent), "--format", "json"]
    command += ["--threads", str(cores)] if cores else []
    command += ["--engine", given.engine]
    started = time.perf_counter()
    with held_to(cores):  # one thread of the engine leaves others to Python and the system
        process = subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE)
    with process:
        assert process.stdout
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    usages = [usage, *_left()]
    outcome = json.loads(printed)
    if process.returncode or outcome["pages"] != rows:
        raise RuntimeError(outcome)
    return {
        "rows": rows,
        "seconds": round(seconds, 1),
        "CPU microseconds a row": round(sum(each.ru_utime + each.ru_stime for each in usages) / rows * 1e6, 2),
        "megabytes": max(each.ru_maxrss for each in usages) // 1024,
        "sitemaps": outcome["sitemaps"],
        "files": outcome["files"],
    }


def _left() -> Iterator[struct_rusage]:
    """Yield what the processes used that outlived the command: Java does, with the workers that it started."""
    with suppress(ChildProcessError):
        while True:
            yield os.wait4(-1, 0)[2]


def _in_duckdb(statement: str) -> None:
    code = "import duckdb, sys; session = duckdb.connect(); session.execute(sys.argv[1]); session.close()"
    subprocess.run([sys.executable, "-c", code, statement], check=True)


def _npm(place: Path, rows: int) -> float | None:
    """Return the seconds that npm's sitemap takes for the same rows, or nothing where it cannot be had."""
    script = Path(__file__).with_name("tables.mjs")
    if not install_npm(place, script):
        return None
    command = ["node", str(place / script.name), str(rows), str(place / "npm")]
    return float(json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["seconds"])
