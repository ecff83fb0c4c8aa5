"""What a row of a table costs: microseconds of CPU, and peak memory, for a tenth of the rows and
for all.
"""

import argparse
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

import duckdb

from tests.benchmarks.measure import Usage, in_turn, process

URL = "https://shop.example.org/"
MAKE = f"""
COPY (
    SELECT
        '{URL}' || CASE
            WHEN i % 10 < 6 THEN 'products/' || CASE WHEN i % 50 < 40 THEN 'all/' ELSE 'group-' || (i % 997) || '/' END
                || 'item-' || i || '-with-a-slug/'
            WHEN i % 10 < 9 THEN 'section-' || (i % 211) || '/chapter-' || (i // 1000) || '/page-' || i || '/'
            ELSE 'tiny-' || i || '/page-' || i || '/'
        END AS url,
        TIMESTAMPTZ '2023-01-01 00:00:00+00' + to_seconds((i * 29) % 60000000) AS lastmod
    FROM (SELECT (n * 7919) % $rows AS i FROM range($rows) t(n))
) TO '$file'
"""  # noqa: S608 - numbers and a path of our own
"""60 % of the rows are in one section, most of these in one of its directories; a tenth are in
directories of one page.

The numbers from 0 on are in another order, each once, as 7919 is a prime.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the size of the table, which is generated."""
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the table")
    parser.add_argument("--memory", default="600MB", help="memory for DuckDB")
    parser.add_argument("--repeats", type=int, default=1, help="turns that count")


def run(given: argparse.Namespace) -> None:
    """Write the sitemaps of both tables, in turn."""
    with tempfile.TemporaryDirectory() as directory:
        contenders = {}
        for rows in (given.rows // 10, given.rows):
            table, out = Path(directory, f"{rows}.parquet"), Path(directory, f"out-{rows}")
            duckdb.execute(MAKE.replace("$rows", str(rows)).replace("$file", str(table)))
            contenders[f"{rows:,}"] = partial(_write, table, out, given.memory)
        usages = in_turn(contenders, given.repeats)
    print(
        f"\n{given.memory} for"
        f" DuckDB\n\n{'rows':>12}{'seconds':>10}{'µs of CPU a row':>18}{'peak MB':>9}"
    )
    for name, runs in usages.items():
        least = min(runs, key=lambda run: run.cpu)
        cost = least.cpu / int(name.replace(",", "")) * 1e6
        print(f"{name:>12}{least.seconds:10.1f}{cost:18.2f}{max(run.megabytes for run in runs):9,}")


def _write(table: Path, out: Path, memory: str) -> Usage:
    """Write all sitemaps, none of which is there yet."""
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "smindex_plugins", "pages", str(table), "--site-url", URL]
    return process([*command, "--out", str(out), "--memory", memory])
