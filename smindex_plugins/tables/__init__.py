"""Pages from tables beyond one machine's memory, as sitemaps: with DuckDB here, and with Spark on a cluster.

Both engines take the same five steps. What is in them are functions over Arrow batches and counts, and of no engine:

    given         1 normal rows      2 pages, counted     3 shards            4 files               5 index
    ----------    --------------     ------------------   ---------------     ------------------    --------------
    url           url, directory,    each URL once;       parts of large      a task splits and     put last, then
    lastmod       hash, date; why    small directories    sections, by the    renders one shard;    what is stale
    alternates    a row is not       merged; sections     first bits of       whole files, under    goes
    images        listed             named                their hashes        their final names

                  `rows`             `plan_sections`      `Plan`              `write_shard`

The files are those of `publish` over the same pages, byte for byte. For a shard is a part that `sections.split`
comes to as well: it has no more pages than one file can list, and what it is a half of has more. A task goes on there.
"""

from collections.abc import Mapping
from datetime import datetime

from smindex_plugins.settings import Settings
from smindex_plugins.tables.destination import Destination, open_destination
from smindex_plugins.tables.inputs import COLUMNS, read_columns
from smindex_plugins.tables.run import LISTED_FAULTS, Bounds, Outcome, Tell, no_words

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
    bounds: Bounds = Bounds(),  # noqa: B008 - nor this
    rejected: str = "",
    is_dry: bool = False,
    tell: Tell = no_words,
    now: datetime | None = None,
) -> Outcome:
    """Write the sitemaps and the index of a site whose pages are the rows of a table.

    Args:
        source: the table: files, directories or patterns, here or in object storage; or what Arrow reads as a stream,
            such as a relation of DuckDB, an Arrow table or reader, or a frame of Polars; or a DataFrame of Spark.
        site_url: the address from which the directory ``out`` is served.
        out: a directory, or a URL of object storage such as ``s3://bucket/``.
        engine: ``duckdb``, or ``spark``, which a DataFrame of Spark is always read with.
        settings: the options of the user; those that speak of git, of HTML or of a host do nothing here.
        columns: the names of columns where they are others: ``{"url": "loc"}``.
        bounds: what the engine may take of the machine.
        rejected: a file to which all rows with something wrong are written, in the form that its name says.
        is_dry: nothing is written; the outcome says what would be.
        tell: is called with a line that says how far the run is.
        now: an aware datetime, after which no date lies.

    Raises:
        ImportError: the extra ``tables`` or ``spark`` is not installed.
        OutputError: with what stands in the way; the earlier index is as it was.
        ValueError: the table cannot be read, or there is not enough memory or room for temporary files.
    """
    if engine not in ENGINES:
        message = f"got the engine {engine!r}; accepted: {' or '.join(ENGINES)}"
        raise ValueError(message)
    extra = "spark" if engine == "spark" or type(source).__module__.startswith("pyspark.") else "tables"
    try:  # engines are of extras, and slow to load
        if extra == "spark":
            from smindex_plugins.tables.spark_session import opened  # noqa: PLC0415 - as above
        else:
            from smindex_plugins.tables.duckdb_session import opened  # noqa: PLC0415 - as above
        from smindex_plugins.tables import writing  # noqa: PLC0415 - as above
    except ImportError as error:
        message = f"{error.name} is not installed, and tables are read with it: pip install 'smindex-plugins[{extra}]'"
        raise ImportError(message) from error
    return writing.write(
        opened,
        source,
        site_url=site_url,
        out=out,
        settings=settings,
        columns=columns,
        bounds=bounds,
        rejected=rejected,
        is_dry=is_dry,
        tell=tell,
        now=now,
    )
