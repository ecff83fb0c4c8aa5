"""Pages from tables beyond one machine's memory, as sitemaps: with DuckDB here, and with Spark on a cluster.

Both engines take the same five steps. They are in SQL, between functions over Arrow batches:

    given         1 normal rows      2 pages, each once   3 shards            4 files               5 index
    ----------    --------------     ------------------   ---------------     ------------------    --------------
    url           url, directory,    the row with the     small directories   a task splits and     put last, then
    lastmod       hash, date; why    newest date          merged; sections    renders one shard;    stale files are
    alternates    a row is not                            named and divided   whole files, under    removed
    images        listed                                  by hashes of URLs   their final names

                  `rows`             `steps`              `plan`              `shards`              `destination`

The files are those of `publish` over the same pages, byte for byte. For a shard is a part that `sections.split`
comes to as well: it has no more pages than one file can list, and the part that it is half of has more. A task goes on
there. Language variants are written as given, so they are the same if the pages of each group agree about them.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import import_module

from smindex_plugins import addresses
from smindex_plugins.settings import Settings
from smindex_plugins.tables.destination import Destination, open_destination
from smindex_plugins.tables.inputs import COLUMNS, format_of, read_columns
from smindex_plugins.tables.outcome import LISTED_FAULTS, Bounds, Outcome

__all__ = [
    "COLUMNS",
    "ENGINES",
    "LISTED_FAULTS",
    "Bounds",
    "Destination",
    "Outcome",
    "open_destination",
    "read_columns",
    "write_sitemaps",
]

ENGINES = ("duckdb", "spark")


def write_sitemaps(
    source: object,
    *,
    site_url: str,
    out: str,
    engine: str = "duckdb",
    settings: Settings = Settings(),  # noqa: B008 - nobody can change it
    columns: Mapping[str, str] | None = None,
    bounds: Bounds = Bounds(),  # noqa: B008 - as above
    rejected: str = "",
    is_dry: bool = False,
    tell: Callable[[str], object] = lambda _: None,
    now: datetime | None = None,
) -> Outcome:
    """Write the sitemaps and the index of a site whose pages are the rows of a table.

    Args:
        source: the table: files, directories or patterns, here or in object storage; or what Arrow reads as a stream,
            such as a relation of DuckDB, an Arrow table or reader, or a frame of Polars; or a DataFrame of Spark.
        site_url: the address at which the directory ``out`` is served.
        out: a directory, or a URL of object storage such as ``s3://bucket/``.
        engine: ``duckdb`` or ``spark``. A DataFrame of Spark is always read with Spark.
        settings: the options of the user. Those for git, HTML or a host have no effect.
        columns: the names of columns in the table, if they differ: ``{"url": "loc"}``.
        bounds: what the engine may use of the machine.
        rejected: a file to which all rows with something wrong are written, in the format of its name.
        is_dry: nothing is written. The outcome says what would be.
        tell: is called with a line that says which step the run has reached.
        now: an aware datetime. No date is later.

    Raises:
        ImportError: the extra ``tables`` or ``spark`` is not installed.
        OutputError: with what stands in the way. The earlier index is unchanged.
        ValueError: the table cannot be read, or there is not enough memory or room for temporary files.
    """
    if engine not in ENGINES:
        message = f"unknown engine {engine!r}; accepted: {' or '.join(ENGINES)}"
        raise ValueError(message)
    is_spark = engine == "spark" or type(source).__module__.startswith("pyspark.")
    module, extra = ("on_spark", "spark") if is_spark else ("on_duckdb", "tables")
    try:  # engines are optional, and slow to import
        opened = import_module(f"smindex_plugins.tables.{module}").opened
        from smindex_plugins.tables import rows, steps  # noqa: PLC0415 - as above
    except ImportError as error:
        message = f"{error.name} is not installed, and tables require it: pip install 'smindex-plugins[{extra}]'"
        raise ImportError(message) from error
    wrong_rows = (rejected, format_of(rejected) if rejected else "")
    rules = rows.Rules(site_url=addresses.site_url(site_url), settings=settings, now=now or datetime.now(UTC))
    destination = open_destination(out, site_url=rules.site_url, settings=settings, is_dry=is_dry)
    names = {**dict(zip(COLUMNS, COLUMNS, strict=True)), **(columns or {})}
    with opened(source, names, bounds) as opened_engine:
        return steps.run(opened_engine, rules, destination, rejected=wrong_rows, tell=tell)
