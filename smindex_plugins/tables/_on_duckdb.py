"""Runs the steps with DuckDB on one machine.

It sorts, groups and joins beyond memory, and spills to disk.
"""

import os
import re
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from smindex_plugins.base.text import masked
from smindex_plugins.tables._rows import NORMAL
from smindex_plugins.tables._shards import by_shard
from smindex_plugins.tables.inputs import (
    choose_columns,
    find_files,
    open_bytes,
    open_quote,
    read_header,
)
from smindex_plugins.tables.outcome import Bounds

Item = TypeVar("Item")
Value = TypeVar("Value")
_BATCH = 65_536
"""Rows per Python batch: many, so that threads rarely wait for Python."""
_CHUNK = 2**20
"""Bytes of a compressed file that are read at a time."""
_PARQUET = "read_parquet({files}, union_by_name = true, hive_partitioning = false)"
# Values are read as text, because DuckDB would change times without a zone.
_READ_TEXT = (
    "read_csv({files}, columns = {columns}, auto_detect = false, hive_partitioning = false,"
    " {dialect})"
)
_CSV = "header = true, delim = {delimiter}, quote = '\"', escape = '\"', store_rejects = true"
_LINES = (
    "header = false, delim = '\x1f', quote = '', escape = '', strict_mode = false, store_rejects ="
    " true"
)
"""A line is one value: no text contains a unit separator."""
_REJECTED = """
    SELECT
        NULL::VARCHAR AS url, NULL::VARCHAR AS lastmod,
        NULL::VARCHAR AS alternates, NULL::VARCHAR AS images,
        trim(any_value(csv_line), E'\\r\\n') AS unread
    FROM reject_errors GROUP BY scan_id, file_id, line
"""
"""The rows that DuckDB could not read."""
_OPEN_QUOTE = """
    SELECT file_path, line FROM reject_errors JOIN reject_scans USING (scan_id, file_id)
    WHERE error_type = 'UNQUOTED VALUE' AND contains(trim(csv_line, E'\\r\\n'), E'\\n') LIMIT 1
"""
"""The first row with a quote that takes the rows after it along."""
_TEXT = {"VARCHAR", "JSON", '"NULL"'}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
_INTERRUPTED = re.compile("KeyboardInterrupt|Query interrupted|Interrupted!")
_OUT_OF_RANGE = "Could not convert Timestamp"
_NOT_UTF8 = re.compile(r'value "(.+)" is not valid UTF8')


class DuckdbEngine:
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
        self._is_text = False
        """Whether DuckDB keeps the lines that it can't read."""
        self._parquet: Sequence[str] = ()

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
            self._read_files(map(os.fspath, source), columns)
        else:
            message = (
                "a table must be files, or rows that Arrow can read as a stream; got"
                f" {type(source).__name__}"
            )
            raise TypeError(message)

    def _read_files(self, given: Iterable[str], columns: Mapping[str, str]) -> None:
        files, systems = find_files(given)
        for system in systems:
            self._database.register_filesystem(system)
        self._is_text = "csv" in files or "json" in files
        self._parquet = files.get("parquet", ())
        for file in (*files.get("csv", ()), *files.get("json", ())):
            _refuse_incomplete(file)
        self._given = " UNION ALL ".join(self._tables(files, columns))

    def _tables(
        self,
        files: Mapping[str, Sequence[str]],
        columns: Mapping[str, str],
    ) -> Iterator[str]:
        """Yield the statements that select the columns of all files."""
        if paths := files.get("parquet"):
            with self._damage_named():
                yield self._selected(_PARQUET.format(files=_list(paths)), columns)
        for path in files.get("csv", ()):  # the columns of each file can have another order
            delimiter, names = read_header(self._first_line(path), path)
            dialect = _CSV.format(delimiter=_text(delimiter))
            table = _READ_TEXT.format(files=_text(path), columns=_typed(names), dialect=dialect)
            yield self._selected(table, columns)
        if paths := files.get("json"):
            yield _of_objects(_lines_of(_list(paths)), columns)

    def _first_line(self, path: str) -> str | None:
        """Return the first line of a file, or None if it is not UTF-8."""
        table = _lines_of(_text(path))
        rows = self._database.execute(f"SELECT line FROM {table} LIMIT 1").fetchall()
        rejected = self._database.execute("SELECT min(line) FROM reject_errors").fetchone()
        self._database.execute("DROP TABLE reject_errors; DROP TABLE reject_scans")
        if rejected == (1,):
            return None
        if not rows:
            return ""
        ((line,),) = rows
        return str(line or "")

    def _selected(self, table: str, columns: Mapping[str, str]) -> str:
        """Return the statement that selects our columns of a table as text."""
        described = self._database.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
        kinds = {str(column): str(kind) for column, kind, *_ in described}
        values = []
        unread = "NULL::VARCHAR"
        for ours, own in choose_columns(kinds, columns).items():
            kind = kinds.get(own, "")
            value = _value(ours, own, kind)
            values.append(f"{value} AS {ours}")
            if own and kind == "BLOB":
                bytes_as_text = f"{_column(own)}::VARCHAR"
                unread = f"coalesce({unread}, CASE WHEN {value} IS NULL THEN {bytes_as_text} END)"
        return f"SELECT {', '.join(values)}, {unread} AS unread FROM {table}"

    def map_arrow(self, table: str, task: Callable[[pa.RecordBatch], pa.RecordBatch]) -> None:
        """Create a table from the results of a task for each batch of the rows read.

        Raises:
            ValueError: because of an open quote, the end of a file was not read; or a file is
                damaged.
        """
        with self._damage_named():
            self._map(self._given, task, f"CREATE TABLE {table} AS")
        if self._is_text:
            for file, line in self._database.execute(_OPEN_QUOTE).fetchall():
                place = f"{file}, line {line}"
                raise open_quote(place)
            self._map(_REJECTED, task, f"INSERT INTO {table}")

    def _map(
        self,
        sql: str,
        task: Callable[[pa.RecordBatch], pa.RecordBatch],
        statement: str,
    ) -> None:
        """Pass the results of a task for each batch of a query to a statement."""
        given = self._database.sql(sql).to_arrow_reader(_BATCH)
        made = self._in_threads(task, given)
        with self._database.cursor() as other:  # while this cursor reads
            other.register("made_rows", pa.RecordBatchReader.from_batches(NORMAL, made))
            other.execute(f"{statement} SELECT * FROM made_rows")

    @contextmanager
    def _damage_named(self) -> Iterator[None]:
        """Name the Parquet file that can't be read. DuckDB does not always name it.

        Raises:
            ValueError: a file is damaged.
        """
        try:
            yield
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            if not _INTERRUPTED.search(str(error)):
                for file in self._parquet:
                    self._refuse_damaged(file)
            raise

    def _refuse_damaged(self, file: str) -> None:
        """Read a Parquet file to its end.

        Raises:
            ValueError: it is damaged.
        """
        table = _PARQUET.format(files=_list([file]))
        try:
            rows = self._database.sql(f"SELECT * FROM {table}")
            for _ in rows.to_arrow_reader(_BATCH):
                pass
        except (duckdb.Error, OSError) as error:  # Arrow turns an error of DuckDB into an OSError
            reason = str(error).partition("\n")[0]
            if _OUT_OF_RANGE in reason:
                return
            problem = "it is damaged, or not in the Parquet format"
            fix = "Copy or write it again"
            text = _NOT_UTF8.search(reason)
            if text:
                problem = f"a text column contains bytes that are not UTF-8: {text[1]}"
                fix = (
                    "Write the column in UTF-8, or as binary, so that only these rows are rejected"
                )
            message = f"{masked(file)}: {problem}. {fix}"
            raise ValueError(message) from error

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
        """Yield the results of a task for the rows of each shard, sorted by URL, in the order of
        the shards.
        """
        rows = self._database.sql(f"{_named(sql)} ORDER BY shard, url")
        shards = by_shard(rows.to_arrow_reader(_BATCH))
        return self._in_threads(task, shards)

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
def opened(source: object, columns: Mapping[str, str], bounds: Bounds) -> Iterator[DuckdbEngine]:
    """Yield an engine that has read a table.

    Raises:
        ValueError: the table can't be read, or there is not enough memory or space for temporary
            files.
    """
    if bounds.temp:
        os.makedirs(bounds.temp, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix="smindex-tables-", dir=bounds.temp or None, ignore_cleanup_errors=True
    ) as directory:
        try:
            engine = DuckdbEngine(directory, bounds)
            try:
                engine.read(source, columns)
                yield engine
            finally:
                engine.close()
        except (duckdb.Error, RuntimeError) as error:
            if _INTERRUPTED.search(str(error)):  # DuckDB converts a signal to this error
                raise KeyboardInterrupt from error
            if not isinstance(error, duckdb.Error):
                raise
            raise ValueError(_explained(error, directory)) from error


def _explained(error: duckdb.Error, directory: str) -> str:
    """Return one line about a failure, and how to prevent it.

    The directory is the one for temporary files.
    """
    temp, name = os.path.split(directory)
    problem = masked(str(error).partition("\n")[0]).rstrip(". ")
    if "state machine" in problem:
        problem = (
            "the lines of a CSV file end in different ways. Convert them, for example with dos2unix"
        )
    if _OUT_OF_RANGE in problem:
        problem = "a date is out of range. Correct it, or write the dates as text"
    if isinstance(error, duckdb.OutOfMemoryException):
        return f"{problem}; increase --memory, or put --temp ({temp}) on a larger disk"
    is_broken = isinstance(error, duckdb.FatalException | duckdb.InternalException)
    if is_broken or name in problem:
        return f"{problem}; make sure that --temp ({temp}) has free space, or set another directory"
    return problem


def _value(ours: str, own: str, kind: str) -> str:
    """Return the SQL expression for a column: text, or a date as it is.

    Raises:
        ValueError: it contains no dates although it should.
    """
    if not own:
        return "NULL::VARCHAR"
    column = _column(own)
    if ours == "lastmod":
        if kind not in {"DATE", *_TEXT} and not kind.startswith("TIMESTAMP"):
            message = (
                f"the date column, {own}, contains {kind}; accepted: a date, a timestamp or text"
            )
            raise ValueError(message)
        return "NULL::VARCHAR" if kind == '"NULL"' else column
    if kind == "BLOB":  # text without a text type in Parquet
        return f"TRY(decode({column}))"
    if ours == "url" or kind in _TEXT:
        return f"{column}::VARCHAR"
    return f"to_json({column})::VARCHAR"


def _refuse_incomplete(file: str) -> None:
    """Read a compressed file to its end: DuckDB ignores a missing end and a wrong checksum.

    Raises:
        ValueError: it is damaged, or its end is missing.
    """
    extension = os.path.splitext(file)[1].lower()
    compression = _COMPRESSIONS.get(extension)
    if compression is None:
        return
    try:
        with open_bytes(file) as packed, pa.CompressedInputStream(packed, compression) as stream:
            while stream.read(_CHUNK):
                pass
    except OSError as error:
        problem = f"it is damaged or incomplete, or not compressed with {compression}"
        message = f"{masked(file)}: {problem}. Copy or write it again"
        raise ValueError(message) from error


def _of_objects(table: str, columns: Mapping[str, str]) -> str:
    """Return the statement that selects the columns of JSON objects, one a line."""
    paths = ", ".join(_text(f'$."{own}"') for own in columns.values())
    parsed = f"SELECT line, TRY(line::JSON) AS parsed FROM {table} WHERE trim(line) <> ''"
    is_object = "coalesce(json_type(parsed) = 'OBJECT', false)"
    given = (
        f"SELECT line, {is_object} AS is_object, json_extract_string(parsed, [{paths}]) AS given"
        f" FROM ({parsed})"
    )
    values = []
    for number, ours in enumerate(columns, 1):
        values.append(f"CASE WHEN is_object THEN given[{number}] END AS {ours}")
    return (
        f"SELECT {', '.join(values)}, CASE WHEN NOT is_object THEN line END AS unread FROM"
        f" ({given})"
    )


def _lines_of(files: str) -> str:
    """Return the table of the lines of files in SQL, with the column ``line``."""
    return _READ_TEXT.format(files=files, columns=_typed(["line"]), dialect=_LINES)


def _typed(names: Iterable[str]) -> str:
    """Return columns of text in SQL."""
    columns = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in names)
    return "{" + columns + "}"


def _list(paths: Iterable[str]) -> str:
    """Return strings as a list in SQL."""
    quoted = ", ".join(map(_text, paths))
    return f"[{quoted}]"


def _named(sql: str) -> str:
    """Return a query with its tables by name."""
    return re.sub(r"{(\w+)}", r"\1", sql)


def _column(name: str) -> str:
    """Return a column's name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    """Return a string as an SQL literal."""
    return "'" + value.replace("'", "''") + "'"
