"""Writes the sitemaps of a table with one of the engines."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import import_module

from smindex_plugins.base import addresses, release
from smindex_plugins.base.settings import Settings
from smindex_plugins.tables._destination import open_destination
from smindex_plugins.tables.inputs import COLUMNS, format_of
from smindex_plugins.tables.outcome import Bounds, TableOutcome

ENGINES = ("duckdb", "spark")


def write_sitemaps(
    source: object,
    *,
    site_url: str,
    out: str,
    engine: str = "duckdb",
    settings: Settings = Settings(),  # noqa: B008 - it is immutable
    columns: Mapping[str, str] | None = None,
    bounds: Bounds = Bounds(),  # noqa: B008 - as above
    rejected: str = "",
    is_dry: bool = False,
    tell: Callable[[str], object] = lambda _: None,
    now: datetime | None = None,
) -> TableOutcome:
    """Write the sitemaps and the index of a site whose pages are the rows of a table.

    Args:
        source: the table: files, directories or patterns, local or in object storage; or a stream
            that Arrow can read, such as a DuckDB relation, an Arrow table or reader, or a Polars
            frame; or a Spark DataFrame.
        site_url: the public URL of the directory ``out``.
        out: a directory, or a URL of object storage such as ``s3://bucket/``.
        engine: ``duckdb`` or ``spark``. Spark DataFrames are always read with Spark.
        settings: the user's options. Options for git, HTML or a host have no effect.
        columns: the column names in the table, if they differ: ``{"url": "loc"}``.
        bounds: the resources that the engine may use.
        rejected: a file for all rows with faults, in the format that its name shows.
        is_dry: nothing is written. The outcome contains what would be written.
        tell: is called with a line about the current step.
        now: an aware datetime. No date is later.

    Raises:
        ImportError: the extra ``tables`` or ``spark`` is not installed.
        OutputError: with all obstacles. The earlier index is unchanged.
        ValueError: the table can't be read, or there is not enough memory or space for temporary
            files.
    """
    if engine not in ENGINES:
        message = f"unknown engine {engine!r}; accepted: {' or '.join(ENGINES)}"
        raise ValueError(message)
    module = "on_duckdb"
    extra = "tables"
    if engine == "spark" or type(source).__module__.startswith("pyspark."):
        module = "on_spark"
        extra = "spark"
    try:  # engines are optional, and slow to import
        opened = import_module(f"smindex_plugins.tables._{module}").opened
        from smindex_plugins.tables import _rejected, _rows, _steps  # noqa: PLC0415 - as above
    except ImportError as error:
        command = release.install_command(extra)
        message = f"{error.name} is not installed, and tables require it: {command}"
        raise ImportError(message) from error
    wrong_rows = ("", "")
    if rejected:
        form = format_of(rejected)
        _rejected.refuse_foreign_rows(rejected, form)
        if not is_dry:
            wrong_rows = (rejected, form)
    if now is None:
        now = datetime.now(UTC)
    rules = _rows.RowRules(site_url=addresses.site_url(site_url), settings=settings, now=now)
    destination = open_destination(out, site_url=rules.site_url, settings=settings, is_dry=is_dry)
    names = {name: name for name in COLUMNS}
    if columns:
        names.update(columns)
    with opened(source, names, bounds) as opened_engine:
        return _steps.run(opened_engine, rules, destination, rejected=wrong_rows, tell=tell)
