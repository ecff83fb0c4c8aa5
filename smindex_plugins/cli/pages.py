"""The command `smindex pages`, which writes sitemaps from the rows of a table."""

import re
import sys
import time

import click

from smindex_plugins.base import addresses
from smindex_plugins.base.files import local_path
from smindex_plugins.base.model import Level
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.text import counted
from smindex_plugins.checks.tally import Tally
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.findings import write_findings
from smindex_plugins.cli.options import (
    INPUT,
    MANNER,
    OUTPUT,
    complete_files,
    form_option,
    option,
    read_by,
    read_place,
    set_option,
)
from smindex_plugins.cli.output import progress, say, say_changes, stdout
from smindex_plugins.printing.terminal import console
from smindex_plugins.tables.inputs import read_columns
from smindex_plugins.tables.outcome import Bounds, TableOutcome
from smindex_plugins.tables.output import write_outcome
from smindex_plugins.tables.run import ENGINES, write_sitemaps
from smindex_plugins.writing.rendering import OutputError

MACHINE = "Machine"
_OPTIONS = (
    *("index_filename", "section_depth", "section_min_pages", "sections", "sitemap_placement"),
    *("gzip", "max_urls", "exclude", "lastmod_format"),
)
"""The site options that don't require a host, HTML or git."""


def _read_memory(given: str) -> str:
    if not re.fullmatch(r"0*[1-9][0-9]*(?:\.[0-9]+)? ?[KMGT]i?B?", given.strip(), re.IGNORECASE):
        message = f"{given} is not a size, such as 4GB or 1500MB"
        raise ValueError(message)
    return given


@click.command(cls=Command)
@click.argument(
    "inputs", metavar="INPUT...", nargs=-1, required=True, shell_complete=complete_files
)
@option(
    INPUT,
    "--site-url",
    metavar="URL",
    required=True,
    callback=read_by(addresses.site_url),
    help="URL of the site. Rows with other URLs are skipped.",
)
@option(
    INPUT,
    *("--column", "columns"),
    metavar="OURS=YOURS",
    multiple=True,
    help="Map a column to its name in the table, such as url=loc. Repeatable.",
)
@option(
    MACHINE,
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    help="duckdb runs on this machine; spark runs on this machine or a cluster.",
)
@option(
    MACHINE,
    "--memory",
    metavar="SIZE",
    default=Bounds().memory,
    callback=read_by(_read_memory),
    help=(
        "Memory limit of the engine; beyond it, the engine writes to disk. Python uses up to 500 MB"
        " more, or about 300 MB per core with Spark."
    ),
)
@option(
    MACHINE,
    "--temp",
    metavar="DIR",
    help=(
        "Directory for temporary files, up to three times the size of the table. On a cluster, use"
        " one that all machines can access: hdfs:///tmp or s3a://bucket/tmp."
    ),
)
@option(
    MACHINE,
    "--threads",
    metavar="N",
    type=click.IntRange(1),
    help="Number of threads (default: one for each core).",
)
@option(
    OUTPUT,
    "--out",
    metavar="DIR",
    required=True,
    callback=read_by(read_place),
    help="Output directory, served at the URL of the site, or object storage (s3://bucket/).",
)
@option(
    OUTPUT,
    "--rejected",
    metavar="FILE",
    callback=read_by(local_path),
    help=(
        "Write invalid rows to this file: .csv, .jsonl or .parquet. With Spark, this is a"
        " directory."
    ),
)
@form_option("text", "json")
@MANNER
@set_option(*_OPTIONS)
def pages(
    *,
    inputs: tuple[str, ...],
    site_url: str,
    columns: tuple[str, ...],
    settings: dict[str, object],
    engine: str,
    memory: str,
    temp: str | None,
    threads: int | None,
    out: str,
    rejected: str | None,
    form: str,
    dry_run: bool,
    fail_on: Level,
    verbose: bool,
    quiet: bool,
) -> int:
    """Write the sitemaps and the index of a site from a table of its pages.

    INPUT is a file, a pattern or a directory of files in Parquet (.parquet), CSV (.csv, .tsv) or
    JSON Lines (.jsonl, .json), on this machine or in object storage.

    Examples:
      smindex pages pages.parquet --site-url https://shop.example.org/ --out public
      smindex pages 's3://lake/*.parquet' --site-url https://shop.example.org/ --out s3://bucket/
      smindex pages pages.csv --column url=loc --site-url https://example.org/ --out public
      smindex pages pages.parquet --site-url https://shop.example.org/ --out public --engine spark

    Columns:
      url         URL of the page
      lastmod     date of the last change, as a date, a timestamp with a time zone, or text;
                  optional
      alternates  language variants, including the page itself: a map of language codes to URLs;
                  optional
      images      list of image URLs; optional

    In CSV, the last two are JSON. The command requires the extra tables of the package, or for
    Spark the extra spark and Java 17. On a cluster, pass spark-submit a Python file with these two
    lines:

      from smindex_plugins.cli import main
      raise SystemExit(main())

    Exit codes:
      0  no findings at or above --fail-on
      1  no index was written, or there are findings at or above --fail-on
      2  the command could not run
    """
    started = time.perf_counter()
    with progress(quiet=quiet) as tell:
        try:
            outcome = write_sitemaps(
                inputs,
                site_url=site_url,
                out=out,
                engine=engine,
                settings=Settings.load(settings),
                columns=read_columns(columns),
                bounds=Bounds(memory=memory, temp=temp or "", threads=threads),
                rejected=rejected or "",
                is_dry=dry_run,
                tell=tell,
            )
        except OutputError as error:
            outcome = TableOutcome(findings=error.findings)
        except ImportError as error:
            raise click.ClickException(str(error)) from error
    seconds = time.perf_counter() - started
    changes = outcome.changes
    if form == "json" and not quiet:
        write_outcome(outcome, seconds, stdout(form))
    elif not quiet:
        if verbose:
            say_changes(changes, dry_run=dry_run)
        write_findings(outcome.findings, console(sys.stdout), show_all=verbose)
        summary = outcome.summary(seconds)
        say(f"Nothing was written: {summary}" if dry_run else summary)
        if outcome.index_urls:
            would = "would be " if dry_run else ""
            written = counted(len(changes.written), "file")
            kept = len(changes.unchanged)
            removed = len(changes.removed)
            say(f"{written} {would}written, {kept:,} unchanged, {removed:,} {would}removed")
    return int(not outcome.index_urls or Tally(outcome.findings).reaches(fail_on))
