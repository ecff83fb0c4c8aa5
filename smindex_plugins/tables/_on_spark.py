"""Runs the steps with Spark on a cluster. Spark sorts, groups and joins.

Python workers write to the destination. Each table is stored in files that all executors can
access, so a lost executor loses no data. `persist` would lose data, and query plans over many
persisted tables would keep growing.
"""

import os
import pickle
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from typing import Any, TypeVar, cast
from uuid import uuid4

import py4j.protocol
import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the usual name
from pyspark.sql.types import DataType

from smindex_plugins.base.files import local_path
from smindex_plugins.base.text import brief, masked
from smindex_plugins.tables._rows import NORMAL
from smindex_plugins.tables._shards import by_shard
from smindex_plugins.tables.inputs import choose_columns, find_files, open_quote, shown_format
from smindex_plugins.tables.outcome import Bounds, Fault
from smindex_plugins.writing.rendering import OutputError

Value = TypeVar("Value")
_Batches = Iterator[pa.RecordBatch]
_OPTIONS: dict[str, dict[str, str | bool]] = {
    "parquet": {"mergeSchema": True},
    # Values are read as text, as in RFC 4180. Spark counts the columns of a row only if it reads
    # all of them.
    "csv": {
        "header": True,
        "escape": '"',
        "multiLine": True,
        "columnPruning": False,
        "mode": "PERMISSIVE",
    },
    "json": {"mode": "PERMISSIVE"},
}
_UNREADABLE_FILE = re.compile(r"\[FAILED_READ_FILE.*? reading file (?:file:/*(?=/))?(.+?)\.(?: |$)")
_UNREAD = "_unread"
"""The column with the text of each row that Spark can't read."""
_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "[]{}*?\\"})
_DATES = ("date", "timestamp", "timestamp_ntz", "string", "void")
_KINDS = {pa.int32(): "int", pa.string(): "string"}
_NORMAL = ", ".join(f"{field.name} {_KINDS[field.type]}" for field in NORMAL)
_MADE = pa.schema([("shard", pa.int32()), ("made", pa.binary())])


class SparkEngine:
    """The rows of one table in a Spark session, with a directory that all executors can access."""

    def __init__(self, session: SparkSession, directory: str) -> None:
        self._session = session
        self._directory = directory
        self._tables: dict[str, DataFrame] = {}

    def read(self, source: object, columns: Mapping[str, str]) -> None:
        """Read a table lazily: files, or a DataFrame.

        Raises:
            TypeError: it is neither.
            ValueError: a column is missing, or contains no dates although it should.
        """
        if isinstance(source, str | os.PathLike):
            source = [source]
        if isinstance(source, DataFrame):
            given = source
        elif isinstance(source, Iterable) and not hasattr(source, "__arrow_c_stream__"):
            files = _files(map(os.fspath, source))
            frames: list[DataFrame] = []
            for form, paths in files.items():
                frames.extend(self._frames(form, paths, columns))
            given = reduce(_union, frames)
        else:
            message = f"Spark reads files or a Spark DataFrame; got {type(source).__name__}"
            raise TypeError(message)
        kinds = {field.name: field.dataType for field in given.schema}
        values = []
        for ours, own in choose_columns(kinds, columns).items():
            value = _value(ours, own, kinds[own]) if own else _null()
            values.append(value.alias(ours))
        unread = F.col(_UNREAD) if _UNREAD in kinds else _null()
        self._given = given.select(*values, unread.alias("unread"))

    def _frames(
        self,
        form: str,
        paths: list[str],
        columns: Mapping[str, str],
    ) -> Iterator[DataFrame]:
        """Yield the rows of files of a format: first those with tabs, then the others."""
        tabbed: list[str] = []
        others: list[str] = []
        for path in paths:
            is_tabbed = form == "csv" and ".tsv" in path.lower()
            group = tabbed if is_tabbed else others
            group.append(path)
        for sign, group in (("\t", tabbed), (",", others)):
            if not group:
                continue
            reader = self._session.read.format(form).options(**_OPTIONS[form])
            reader = reader.option("columnNameOfCorruptRecord", _UNREAD).option("sep", sign)
            if form == "json":  # values are read as text
                reader = reader.schema(_schema(columns.values()))
            elif form == "csv":
                names = reader.load(group).columns
                reader = reader.option("enforceSchema", "false").schema(_schema(names))
            yield reader.load(group)

    def map_arrow(self, table: str, task: Callable[[pa.RecordBatch], pa.RecordBatch]) -> None:
        """Create a table from the results of a task for each batch of the rows read.

        Raises:
            ValueError: because of an open quote, the end of a file was not read.
        """
        made = self._given.mapInArrow(lambda batches: map(task, batches), _NORMAL)
        self._keep(table, made)
        rows = self._tables[table]
        has_several_lines = rows["given_url"].contains("\n")
        unread = rows.where((rows["fault"] == str(Fault.UNREAD)) & has_several_lines)
        for row in unread.select("given_url").limit(1).collect():
            first_line = str(row[0]).partition("\n")[0]
            place = f"the row that starts with {brief(first_line)}"
            raise open_quote(place)

    def keep(self, table: str, sql: str) -> None:
        """Create or replace a table with the rows of a query, which may read the same table."""
        self._keep(table, self._select(sql))

    def _keep(self, table: str, frame: DataFrame) -> None:
        path = f"{self._directory}/{table}-{uuid4().hex}"
        frame.write.parquet(path)
        reader = self._session.read.schema(frame.schema)
        self._tables[table] = reader.parquet(path)

    def load(self, table: str, arrow: pa.Table) -> None:
        """Create a table from rows in memory."""
        self._tables[table] = self._session.createDataFrame(arrow)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        collected = self._select(sql).collect()
        return list(map(tuple, collected))

    def for_each(self, sql: str, task: Callable[[pa.Table], Value]) -> Iterator[Value]:
        """Yield the results of a task for the rows of each shard, sorted by URL, in the order of
        the shards.

        Raises:
            OutputError: with the obstacles of all tasks.
        """

        def run(batches: _Batches) -> _Batches:
            for rows in by_shard(batches):
                made: Value | OutputError
                try:
                    made = task(rows)
                except OutputError as error:  # Spark would try again, then print a traceback
                    made = error
                shard = rows["shard"][0].as_py()
                columns = {"shard": [shard], "made": [pickle.dumps(made)]}
                yield pa.RecordBatch.from_pydict(columns, schema=_MADE)

        rows = self._select(sql).repartition("shard")
        rows = rows.sortWithinPartitions("shard", "url")
        # Spark returns all results at once.
        made = rows.mapInArrow(run, "shard int, made binary").collect()
        made.sort(key=lambda row: cast("int", row["shard"]))
        results = [pickle.loads(row["made"]) for row in made]  # noqa: S301 - of our own tasks
        obstacles = []
        for result in results:
            if isinstance(result, OutputError):
                obstacles += result.findings
        if obstacles:
            raise OutputError(obstacles)
        yield from results

    def save(self, sql: str, file: str, form: str) -> None:
        """Write the rows of a query to a directory of files.

        On this machine, its content is replaced.
        """
        place = _place(self._session, file)
        # nobody knows who wrote it
        mode = "overwrite" if place.startswith("file:") else "errorifexists"
        writer = self._select(sql).write.mode(mode)
        writer = writer.option("header", "true").format(form)
        writer.save(place)

    def _select(self, sql: str) -> DataFrame:
        tables = {name: table for name, table in self._tables.items() if f"{{{name}}}" in sql}
        return self._session.sql(sql, **tables)


def _union(one: DataFrame, other: DataFrame) -> DataFrame:
    return one.unionByName(other, allowMissingColumns=True)


@contextmanager
def opened(source: object, columns: Mapping[str, str], bounds: Bounds) -> Iterator[SparkEngine]:
    """Yield an engine that has read a table.

    Raises:
        ValueError: Spark does not start, the table can't be read, or a step fails permanently.
    """
    is_own = not isinstance(source, DataFrame) and SparkSession.getActiveSession() is None
    try:
        session = source.sparkSession if isinstance(source, DataFrame) else _session(bounds)
        try:
            with _shared_directory(session, bounds.temp) as directory:
                engine = SparkEngine(session, directory)
                engine.read(source, columns)
                yield engine
        finally:
            if is_own:
                session.stop()
    except (PySparkException, py4j.protocol.Py4JError) as error:
        raise ValueError(_explained(str(error))) from error


def _session(bounds: Bounds) -> SparkSession:
    """Return the active session, the session of `spark-submit`, or a new one on this machine."""
    builder = SparkSession.builder.appName("smindex pages")
    if SparkSession.getActiveSession() is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        # otherwise workers run the first Python on PATH
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = builder.config("spark.driver.memory", bounds.memory_of_java())
        builder = builder.config("spark.ui.enabled", "false")
        builder = builder.config("spark.log.level", "ERROR")
        # the command shows its own progress
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        if bounds.temp and "://" not in bounds.temp:
            os.makedirs(bounds.temp, exist_ok=True)
            builder = builder.config("spark.local.dir", os.path.abspath(bounds.temp))
        if bounds.threads:
            builder = builder.master(f"local[{bounds.threads}]")
    return builder.getOrCreate()


def _place(session: SparkSession, path: str) -> str:
    """Return a path for Spark: a local one if it runs only here, otherwise one of the cluster."""
    master = session.sparkContext.master
    is_local = master.partition("[")[0] == "local"
    if is_local and "://" not in path:
        return "file://" + os.path.abspath(path)
    return path


@contextmanager
def _shared_directory(session: SparkSession, parent: str) -> Iterator[str]:
    """Create a directory that all executors can access, and remove it at the end.

    Raises:
        ValueError: no such directory is set.
    """
    if _place(session, parent) != parent:
        if parent:
            os.makedirs(parent, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="smindex-tables-", dir=parent or None) as directory:
            yield _place(session, directory)
        return
    context = session.sparkContext
    hadoop = context._jsc.hadoopConfiguration()  # noqa: SLF001 - PySpark has no other way to files
    if not parent and hadoop.get("fs.defaultFS", "file:///").startswith("file:"):
        message = (
            "Spark needs a directory for temporary files that all its machines can access, such as"
            " hdfs:///tmp or s3a://bucket/tmp: set --temp, or bounds=Bounds(temp=...)"
        )
        raise ValueError(message)
    name = f"smindex-tables-{uuid4().hex}"
    if parent:
        name = f"{parent.rstrip('/')}/{name}"
    path = context._jvm.org.apache.hadoop.fs.Path(name)  # noqa: SLF001 - as above
    files = path.getFileSystem(hadoop)
    path = files.makeQualified(path)
    try:
        yield path.toString()
    finally:
        files.delete(path, True)  # noqa: FBT003 - Java's


def _files(given: Iterable[str]) -> dict[str, list[str]]:
    """Return the input for Spark, by format: local files, and names in storage as given."""
    found: dict[str, list[str]] = {}
    for name in given:
        if "://" in local_path(name):
            form = shown_format(name) or "parquet"
            found.setdefault(form, []).append(name)
            continue
        files, _ = find_files([name])
        for form, paths in files.items():
            for path in paths:
                escaped = os.path.abspath(path).translate(_ESCAPED)  # Spark's names are patterns
                found.setdefault(form, []).append(f"file://{escaped}")
    return {form: list(dict.fromkeys(paths)) for form, paths in found.items()}


def _value(ours: str, own: str, kind: DataType) -> Column:
    """Return a column of the table as text, or as a date or time.

    Raises:
        ValueError: it contains no dates although it should.
    """
    value = F.col(_quoted(own))
    name = kind.typeName()
    if ours == "lastmod" and name not in _DATES:
        message = (
            f"the date column, {own}, contains {kind.simpleString()}; accepted: a date, a timestamp"
            " or text"
        )
        raise ValueError(message)
    if ours in {"alternates", "images"} and name in {"array", "map", "struct"}:
        return F.to_json(value)
    if ours == "lastmod" and name not in {"void", "string"}:
        return value
    # otherwise, Arrow stops at other bytes
    return F.make_valid_utf8(value.cast("string"))


def _null() -> Column:
    return F.lit(None).cast("string")


def _schema(names: Iterable[str]) -> str:
    """Return columns of text, and the column of rows that can't be read."""
    columns = [f"{_quoted(name)} string" for name in (*names, _UNREAD)]
    return ", ".join(columns)


def _quoted(name: str) -> str:
    """Return a column's name in SQL."""
    escaped = name.replace("`", "``")
    return f"`{escaped}`"


def _explained(text: str) -> str:
    """Return one line about the failure: a worker's Python error, or the first line of Java's."""
    raised = list(filter(_names_error, text.splitlines()))
    reason = raised[-1] if raised else text.strip().partition("\n")[0]
    file = _UNREADABLE_FILE.search(reason)
    if file:
        problem = "it is damaged or incomplete, or not in the format that its name says"
        return f"{masked(file[1])}: {problem}. Copy or write it again"
    start = reason.removeprefix(": ")[:500]
    problem = masked(start).rstrip(".")
    if "JAVA_GATEWAY" in text:
        problem += "; Spark requires Java 17 or newer: install it, or set JAVA_HOME"
    if reason.startswith("ModuleNotFoundError"):
        problem += (
            "; every machine needs smindex-plugins[spark], installed for the Python that"
            " PYSPARK_PYTHON sets"
        )
    return problem


def _names_error(line: str) -> bool:
    """Whether a line contains the error message of Python or Java."""
    is_from_java = line.startswith(": ")
    kind, colon, _ = line.removeprefix(": ").partition(": ")
    if not colon or not kind.endswith("Exception" if is_from_java else "Error"):
        return False
    return kind.replace(".", "").isidentifier()
