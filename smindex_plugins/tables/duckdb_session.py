"""A run on DuckDB: its directory for temporary files, what it can read, and its errors in words."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import duckdb
import pyarrow as pa

from smindex_plugins.tables import on_duckdb
from smindex_plugins.tables.inputs import find_files
from smindex_plugins.tables.rules import Rules
from smindex_plugins.tables.run import Bounds, Engine
from smindex_plugins.tables.scratch import temporary_directory
from smindex_plugins.text import masked


@contextmanager
def opened(
    source: object, columns: Mapping[str, str], rules: Rules, bounds: Bounds
) -> Iterator[tuple[Engine, Callable[[], None]]]:
    """Yield an engine, and what lets it read a table.

    Raises:
        ValueError: the table cannot be read, or there is not enough memory or room for temporary files.
    """
    with temporary_directory(bounds.temp) as directory, _explained(directory):
        engine = on_duckdb.Engine(directory, rules, bounds)
        try:
            yield engine, partial(_read, source, engine, columns)
        finally:
            engine.close()


def _read(source: object, engine: on_duckdb.Engine, columns: Mapping[str, str]) -> None:
    if isinstance(source, str | os.PathLike):
        source = [source]
    if isinstance(source, pa.Table):
        source = source.to_reader()
    if hasattr(source, "__arrow_c_stream__"):
        engine.read_arrow(pa.RecordBatchReader.from_stream(source), columns)
    elif isinstance(source, Iterable):
        files, systems = find_files(map(os.fspath, source))
        engine.read_files(files, systems, columns)
    else:
        message = f"a table is files, or what Arrow reads as a stream of rows; got {type(source).__name__}"
        raise TypeError(message)


@contextmanager
def _explained(directory: str) -> Iterator[None]:
    """Let every failure of the database say what to do."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        message = f"{_first_line(error)}; give more --memory, or a larger disk to --temp ({os.path.dirname(directory)})"
        raise ValueError(message) from error
    except duckdb.Error as error:
        problem = _first_line(error)
        if os.path.basename(directory) in problem or isinstance(
            error, duckdb.FatalException | duckdb.InternalException
        ):
            problem += (
                f"; make sure that --temp ({os.path.dirname(directory)}) has room, or give another directory to it"
            )
        raise ValueError(problem) from error


def _first_line(error: Exception) -> str:
    return masked(str(error).strip().partition("\n")[0]).rstrip(".")
