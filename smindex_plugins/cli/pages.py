"""The command `smindex pages`: sitemaps of the pages that are rows of a table, beyond one machine's memory."""

import argparse
import sys
import time

from smindex_plugins import addresses
from smindex_plugins.cli import arguments, flags, output
from smindex_plugins.cli.progress import Progress
from smindex_plugins.reports import Tally, write_findings, write_outcome
from smindex_plugins.settings import Settings, SettingsError
from smindex_plugins.sitemaps import OutputError
from smindex_plugins.tables import ENGINES, Bounds, Outcome, read_columns, write_sitemaps
from smindex_plugins.text import counted

_EXAMPLES = """\
examples:
  smindex pages pages.parquet --site-url https://shop.example.org/ --out public
  smindex pages 's3://lake/pages/*.parquet' --site-url https://shop.example.org/ --out s3://bucket/ --memory 4GB
  smindex pages pages.csv --column url=loc --site-url https://shop.example.org/ --out public --rejected wrong.csv
  smindex pages pages.parquet --site-url https://shop.example.org/ --out public --engine spark

A table is Parquet (.parquet), CSV (.csv, .tsv) or one JSON object a line (.jsonl, .json): files, patterns of files, or
directories of them, on this machine or in object storage. These columns are read:

  url         the address of the page
  lastmod     when it last changed, as a date, a timestamp with a zone, or text; may lack
  alternates  its language variants, itself included: a map of language codes to URLs; may lack
  images      a list of the URLs of its images; may lack

In CSV, the last two are JSON. The command needs: pip install 'smindex-plugins[tables]', or with Spark
'smindex-plugins[spark]' and Java 17. For a cluster, spark-submit starts a file of Python with these two lines:

  from smindex_plugins.cli import main
  raise SystemExit(main())

exit codes: 0 nothing is wrong, 1 no index was written or there are findings at or above --fail-on, 2 the command could
not run
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `pages` with the function that runs it."""
    parser = commands.add_parser(
        "pages",
        help="write the sitemaps of the pages in a table",
        description="Write the sitemaps and the index of a site whose pages are the rows of a table.",
        usage="%(prog)s INPUT ... --site-url URL --out DIR [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parser.set_defaults(run=_pages)
    _add_input(parser.add_argument_group("what to read"))
    _add_bounds(parser.add_argument_group("the machine"))
    written = parser.add_argument_group("output")
    written.add_argument(
        "--out",
        metavar="DIR",
        required=True,
        help="where to write: the directory that is served at the address of the site, or object storage (s3://bucket/)",
    )
    written.add_argument(
        "--rejected",
        metavar="FILE",
        help="write all rows with something wrong to this file: .csv, .jsonl or .parquet; with Spark, to a directory",
    )
    written.add_argument(
        "--format", choices=("text", "json"), default="text", help="form of the output (default: text)"
    )
    arguments.add_manner(written)
    flags.add_flags(parser, flags.OF_TABLES)


def _add_input(group: arguments.Group) -> None:
    group.add_argument(
        "inputs", metavar="INPUT", nargs="+", help="a file, a pattern of files, or a directory; see below"
    )
    group.add_argument(
        "--site-url",
        metavar="URL",
        required=True,
        type=arguments.read_by(addresses.site_url),
        help="the address of the site; rows with other URLs are left out",
    )
    group.add_argument(
        "--column",
        metavar="OURS=YOURS",
        dest="columns",
        action="append",
        default=[],
        help="what a column is called in the table, such as url=loc. Repeatable.",
    )


def _add_bounds(group: arguments.Group) -> None:
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default=ENGINES[0],
        help="duckdb on this machine, or spark, here or on a cluster (default: %(default)s)",
    )
    group.add_argument(
        "--memory",
        metavar="SIZE",
        default=Bounds().memory,
        help="memory that the engine fills before the rest goes to disk; Python takes up to 500 MB more, with Spark "
        "some 300 MB for each core (default: %(default)s)",
    )
    group.add_argument(
        "--temp",
        metavar="DIR",
        default="",
        help="directory for that; three times the size of the table will do. On a cluster, one that all machines "
        "reach: hdfs:///tmp or s3a://bucket/tmp",
    )
    group.add_argument("--threads", metavar="N", type=int, help="threads to use (default: one for each core)")


def _settings(given: argparse.Namespace) -> Settings:
    try:
        return Settings.load(flags.given_options(given))
    except SettingsError as error:
        problems = [f"--{option.replace('_', '-')}: {problem}" for option, problem in error.errors]
        raise ValueError("; ".join(problems)) from error


def _pages(given: argparse.Namespace) -> int:
    started = time.perf_counter()
    with Progress(is_shown=not given.quiet) as tell:
        try:
            outcome = write_sitemaps(
                given.inputs,
                site_url=given.site_url,
                out=given.out,
                engine=given.engine,
                settings=_settings(given),
                columns=read_columns(given.columns),
                bounds=Bounds(memory=given.memory, temp=given.temp, threads=given.threads),
                rejected=given.rejected or "",
                is_dry=given.dry_run,
                tell=tell,
            )
        except OutputError as error:
            outcome = Outcome(findings=error.findings)
        except ImportError as error:
            raise ValueError(str(error)) from error
    if not given.quiet:
        _print(given, outcome, time.perf_counter() - started)
    return int(not outcome.index_urls or Tally(outcome.findings).reaches(given.fail_on))


def _print(given: argparse.Namespace, outcome: Outcome, seconds: float) -> None:
    if given.format == "json":
        output.use_utf8()
        write_outcome(outcome, seconds, sys.stdout)
        return
    would = "would be " if given.dry_run else ""
    if given.verbose:
        for what, paths in (("written", outcome.changes.written), ("removed", outcome.changes.removed)):
            for path in paths:
                output.say(f"{would}{what}: {path}")
    write_findings(outcome.findings, sys.stdout, show_all=given.verbose)
    output.say(("Nothing was written: " if given.dry_run else "") + outcome.summary(seconds))
    if outcome.index_urls:
        changes = outcome.changes
        output.say(
            f"{counted(len(changes.written), 'file')} {would}written, {len(changes.unchanged):,} unchanged, "
            f"{len(changes.removed):,} {would}removed"
        )
