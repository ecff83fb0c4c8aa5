"""Runs the steps with DuckDB on one machine. It sorts, groups and joins beyond memory, and spills to disk."""

import os
import re
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from smindex_plugins.base.text import masked
from smindex_plugins.tables._rows import NORMAL
from smindex_plugins.tables._shards import by_shard
from smindex_plugins.tables.inputs import choose_columns, find_files
from smindex_plugins.tables.outcome import Bounds

Item = TypeVar("Item")
Value = TypeVar("Value")
_BATCH = 65_536
"""Rows per Python batch: many, so that threads rarely wait for Python."""
_READERS = {
    "parquet": "read_parquet({files}, union_by_name = true, hive_partitioning = false)",
    # Values are read as text, because DuckDB would change times without a zone.
    "csv": "read_csv({files}, union_by_name = true, all_varchar = true, hive_partitioning = false)",
    "json": "read_json({files}, format = 'newline_delimited', columns = {columns}, hive_partitioning = false)",
}
_TEXT = {"VARCHAR", "JSON", '"NULL"'}
_NO_NAME = re.compile(r'column\d+|.*[",].*')
"""The column names that DuckDB invents if it can't detect the header of a CSV."""


class Engine:
    """A database with the rows of one table, in a directory for temporary files."""

    def __init__(self, directory: str, bounds: Bounds) -> None:
        options: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": bounds.memory,
            "temp_directory": os.path.join(directory, "spilled"),
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,  # nothing is downloaded
            "autoload_known_extensions": False,
        }
        if bounds.threads:
            options["threads"] = bounds.threads
        self._database = duckdb.connect(os.path.join(directory, "rows.duckdb"), config=options)
        self._database.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
        ((self._threads,),) = self.rows("SELECT current_setting('threads')")
        self._given = ""
        """The statement that selects the columns of the table."""

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def read(self, source: object, columns: Mapping[str, str]) -> None:
        """Read a table lazily: files, or a stream that Arrow can read.

        Raises:
            TypeError: it is neither.
            ValueError: a column is missing, or contains no dates although it should.
        """
        if isinstance(source, str | os.PathLike):
            source = [source]
        if isinstance(source, pa.Table):
            source = source.to_reader()
        if hasattr(source, "__arrow_c_stream__"):
            self._database.register("given_rows", pa.RecordBatchReader.from_stream(source))
            self._given = self._selected("given_rows", columns)
        elif isinstance(source, Iterable):
            files, systems = find_files(map(os.fspath, source))
            for system in systems:
                self._database.register_filesystem(system)
            texts = "{" + ", ".join(f"{_text(own)}: 'VARCHAR'" for own in columns.values()) + "}"
            tables = (
                _READERS[form].format(files="[" + ", ".join(map(_text, paths)) + "]", columns=texts)
                for form, paths in files.items()
            )
            self._given = " UNION ALL ".join(self._selected(table, columns) for table in tables)
        else:
            message = f"a table must be files, or rows that Arrow can read as a stream; got {type(source).__name__}"
            raise TypeError(message)

    def _selected(self, table: str, columns: Mapping[str, str]) -> str:
        described = self._database.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
        kinds = {str(column): str(kind) for column, kind, *_ in described}
        is_known = columns["url"].lower() in map(str.lower, kinds)
        if table.startswith("read_csv") and not is_known and any(map(_NO_NAME.fullmatch, kinds)):
            columns_here = ", ".join(kinds)
            fix = "Put the column names in the first line, and close every quote"
            message = f"the CSV cannot be read: its columns would be {columns_here}. {fix}"
            raise ValueError(message)
        values = []
        for ours, own in choose_columns(kinds, columns).items():
            column, kind = '"' + own.replace('"', '""') + '"', kinds.get(own, "")
            if not own:
                value = "NULL::VARCHAR"
            elif ours == "lastmod":
                if kind not in {"DATE", *_TEXT} and not kind.startswith("TIMESTAMP"):
                    message = f"the date column, {own}, contains {kind}; accepted: a date, a timestamp or text"
                    raise ValueError(message)
                value = "NULL::VARCHAR" if kind == '"NULL"' else column
            elif kind == "BLOB":  # text without a text type in Parquet
                value = f"decode({column})"
            elif ours == "url" or kind in _TEXT:
                value = f"{column}::VARCHAR"
            else:
                value = f"to_json({column})::VARCHAR"
            values.append(f"{value} AS {ours}")
        return f"SELECT {', '.join(values)} FROM {table}"

    def map_arrow(self, table: str, task: Callable[[pa.RecordBatch], pa.RecordBatch]) -> None:
        """Create a table from the results of a task for each batch of the rows read."""
        batches = self._in_threads(task, self._database.sql(self._given).to_arrow_reader(_BATCH))
        with self._database.cursor() as other:  # while this cursor reads
            other.register("made_rows", pa.RecordBatchReader.from_batches(NORMAL, batches))
            other.execute(f"CREATE TABLE {table} AS SELECT * FROM made_rows")

    def keep(self, table: str, sql: str) -> None:
        """Create or replace a table with the rows of a query, which may read the same table."""
        self._database.execute(f"CREATE OR REPLACE TABLE {table} AS {_named(sql)}")

    def load(self, table: str, arrow: pa.Table) -> None:
        """Create a table from rows in memory."""
        self._database.register(table, arrow)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self._database.execute(_named(sql)).fetchall()

    def for_each(self, sql: str, task: Callable[[pa.Table], Value]) -> Iterator[Value]:
        """Yield the results of a task for the rows of each shard, sorted by URL, in the order of the shards."""
        reader = self._database.sql(f"{_named(sql)} ORDER BY shard, url").to_arrow_reader(_BATCH)
        return self._in_threads(task, by_shard(reader))

    def save(self, sql: str, file: str, form: str) -> None:
        """Write the rows of a query to a file: ``csv``, ``json`` or ``parquet``."""
        self._database.execute(f"COPY ({_named(sql)}) TO {_text(file)} (FORMAT {form})")

    def _in_threads(self, task: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[Value]:
        """Yield the result of a task for each item, in order, with few of them in memory."""
        pool = ThreadPoolExecutor(self._threads)
        waiting: deque[Future[Value]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(task, item))
                if len(waiting) > self._threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def opened(source: object, columns: Mapping[str, str], bounds: Bounds) -> Iterator[Engine]:
    """Yield an engine that has read a table.

    Raises:
        ValueError: the table cannot be read, or there is not enough memory or space for temporary files.
    """
    if bounds.temp:
        os.makedirs(bounds.temp, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix="smindex-tables-", dir=bounds.temp or None, ignore_cleanup_errors=True
    ) as directory:
        temp = os.path.dirname(directory)
        try:
            engine = Engine(directory, bounds)
            try:
                engine.read(source, columns)
                yield engine
            finally:
                engine.close()
        except (duckdb.Error, RuntimeError) as error:
            if re.search("KeyboardInterrupt|Query interrupted", str(error)):  # DuckDB converts a signal to this error
                raise KeyboardInterrupt from error
            if not isinstance(error, duckdb.Error):
                raise
            problem = masked(str(error).partition("\n")[0]).rstrip(". ")
            if isinstance(error, duckdb.OutOfMemoryException):
                problem += f"; increase --memory, or put --temp ({temp}) on a larger disk"
            elif os.path.basename(directory) in problem or isinstance(
                error, duckdb.FatalException | duckdb.InternalException
            ):
                problem += f"; make sure that --temp ({temp}) has free space, or set another directory"
            raise ValueError(problem) from error


def _named(sql: str) -> str:
    return re.sub(r"{(\w+)}", r"\1", sql)


def _text(value: str) -> str:
    """Return a string as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"
