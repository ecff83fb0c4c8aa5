"""A run on Spark: the session, what it can read, and its errors in words."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, reduce
from uuid import uuid4

import py4j.protocol
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from smindex_plugins.tables import on_spark
from smindex_plugins.tables.inputs import FORMATS, find_files
from smindex_plugins.tables.rules import Rules
from smindex_plugins.tables.run import Bounds, Engine
from smindex_plugins.tables.scratch import temporary_directory
from smindex_plugins.text import masked

_OPTIONS: dict[str, dict[str, str | bool]] = {
    "parquet": {"mergeSchema": True},
    # Every value as it is written, as RFC 4180 says; a row that is none stops the run, as it does with DuckDB.
    "csv": {"header": True, "escape": '"', "multiLine": True, "enforceSchema": False, "mode": "FAILFAST"},
    "json": {"mode": "FAILFAST"},
}
_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "[]{}*?\\"})


@contextmanager
def opened(
    source: object, columns: Mapping[str, str], rules: Rules, bounds: Bounds
) -> Iterator[tuple[Engine, Callable[[], None]]]:
    """Yield an engine, and what lets it read a table.

    Raises:
        ValueError: Spark does not start, the table cannot be read, or a step fails for good.
    """
    is_own = not isinstance(source, DataFrame) and SparkSession.getActiveSession() is None
    with _explained():
        session = source.sparkSession if isinstance(source, DataFrame) else _session(bounds)
        try:
            with _shared_directory(session, bounds.temp) as directory:
                engine = on_spark.Engine(session, rules, directory)
                yield engine, partial(_read, source, engine, session, columns)
        finally:
            if is_own:
                session.stop()


def _session(bounds: Bounds) -> SparkSession:
    """Return the session that there is, that of `spark-submit`, or one on this machine."""
    builder = SparkSession.builder.appName("smindex pages")
    if SparkSession.getActiveSession() is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # or workers are of the first Python on PATH
        builder = builder.config("spark.driver.memory", bounds.memory_of_java())
        builder = builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
        builder = builder.config("spark.ui.showConsoleProgress", "false")  # the command shows its own
        if bounds.temp and "://" not in bounds.temp:
            os.makedirs(bounds.temp, exist_ok=True)
            builder = builder.config("spark.local.dir", os.path.abspath(bounds.temp))
        if bounds.threads:
            builder = builder.master(f"local[{bounds.threads}]")
    return builder.getOrCreate()


@contextmanager
def _shared_directory(session: SparkSession, parent: str) -> Iterator[str]:
    """Make a directory that all executors reach, and remove it at the end.

    Raises:
        ValueError: nobody has said where all of them write.
    """
    context = session.sparkContext
    if on_spark.place_of(session, parent) != parent:
        with temporary_directory(parent) as directory:
            yield on_spark.place_of(session, directory)
        return
    hadoop = context._jsc.hadoopConfiguration()  # noqa: SLF001 - PySpark has no other way to files
    if not parent and hadoop.get("fs.defaultFS", "file:///").startswith("file:"):
        message = (
            "Spark needs a directory for temporary files that all its machines reach, such as hdfs:///tmp or "
            "s3a://bucket/tmp: give it as --temp, or as bounds=Bounds(temp=...)"
        )
        raise ValueError(message)
    name = f"{parent.rstrip('/')}/smindex-tables-{uuid4().hex}" if parent else f"smindex-tables-{uuid4().hex}"
    path = context._jvm.org.apache.hadoop.fs.Path(name)  # noqa: SLF001 - as above
    files = path.getFileSystem(hadoop)
    path = files.makeQualified(path)
    try:
        yield path.toString()
    finally:
        files.delete(path, True)  # noqa: FBT003 - Java's


def _read(source: object, engine: on_spark.Engine, session: SparkSession, columns: Mapping[str, str]) -> None:
    if isinstance(source, DataFrame):
        engine.read(source, columns)
        return
    if isinstance(source, str | os.PathLike):
        source = [source]
    if not isinstance(source, Iterable) or hasattr(source, "__arrow_c_stream__"):
        message = f"Spark reads files or a DataFrame of its own; got {type(source).__name__}"
        raise TypeError(message)
    frames = [_frame(session, form, paths, columns) for form, paths in _files(map(os.fspath, source)).items()]
    engine.read(reduce(partial(DataFrame.unionByName, allowMissingColumns=True), frames), columns)


def _files(given: Iterable[str]) -> dict[str, list[str]]:
    """Return what Spark is to read by its format: files of this machine, and what it reaches itself, as it is named."""
    found: dict[str, list[str]] = {}
    for name in given:
        if "://" in name and not name.startswith("file://"):
            form = next((form for form, names in FORMATS.items() if names.fullmatch(name)), "parquet")
            found.setdefault(form, []).append(name)
        else:
            for form, files in find_files([name])[0].items():  # Spark takes each name for a pattern
                paths = ("file://" + os.path.abspath(file).translate(_ESCAPED) for file in files)
                found.setdefault(form, []).extend(paths)
    return {form: [*dict.fromkeys(paths)] for form, paths in found.items()}


def _frame(session: SparkSession, form: str, paths: list[str], columns: Mapping[str, str]) -> DataFrame:
    reader = session.read.format(form).options(**_OPTIONS[form])
    if form == "json":  # each value as it is written
        return reader.schema(", ".join(f"`{own}` string" for own in columns.values())).load(paths)
    tabbed = [path for path in paths if ".tsv" in path.lower()] if form == "csv" else []
    frames = [
        reader.option("sep", sign).load(some) for sign, some in (("\t", tabbed), (",", _without(paths, tabbed))) if some
    ]
    return reduce(partial(DataFrame.unionByName, allowMissingColumns=True), frames)


def _without(paths: list[str], others: list[str]) -> list[str]:
    return [path for path in paths if path not in others]


@contextmanager
def _explained() -> Iterator[None]:
    """Let every failure of Spark say in one line what it is."""
    try:
        yield
    except (PySparkException, py4j.protocol.Py4JError) as error:
        text = str(error)
        raised = list(filter(_names_error, text.splitlines()))  # by Python in a worker; otherwise Java says it first
        reason = raised[-1] if raised else text.strip().partition("\n")[0]
        problem = masked(reason.removeprefix(": ")[:500]).rstrip(".")
        if "JAVA_GATEWAY" in text:
            problem += "; Spark needs Java 17 or newer: install it, or set JAVA_HOME"
        if reason.startswith("ModuleNotFoundError"):
            problem += (
                "; the Python of every machine needs smindex-plugins[spark], and PYSPARK_PYTHON names that Python"
            )
        raise ValueError(problem) from error


def _names_error(line: str) -> bool:
    """Whether a line is the one in which Python or Java says what failed."""
    kind, colon, _ = line.removeprefix(": ").partition(": ")
    is_kind = kind.endswith("Exception" if line.startswith(": ") else "Error")
    return bool(colon) and is_kind and kind.replace(".", "").isidentifier()
