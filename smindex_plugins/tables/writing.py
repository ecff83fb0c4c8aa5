"""One run over a table: `write_sitemaps`, with its place for temporary files and its errors in words."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import duckdb
import pyarrow as pa

from smindex_plugins import addresses, urls
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import lock
from smindex_plugins.tables.destination import open_destination
from smindex_plugins.tables.inputs import COLUMNS, find_files, format_of
from smindex_plugins.tables.on_duckdb import Engine
from smindex_plugins.tables.rules import Rules
from smindex_plugins.tables.run import Bounds, Outcome, Steps, Tell, run

_PREFIX = "smindex-tables-"
"""What the names of directories for temporary files begin with."""


def write(
    source: object,
    *,
    site_url: str,
    out: str,
    settings: Settings,
    columns: Mapping[str, str] | None,
    bounds: Bounds,
    rejected: str,
    is_dry: bool,
    tell: Tell,
    now: datetime | None,
) -> Outcome:
    """Write the sitemaps of a table with DuckDB, as `write_sitemaps` says.

    Raises:
        ValueError: the table cannot be read, or there is not enough memory or room for temporary files.
    """
    form = format_of(rejected) if rejected else ""
    rules = Rules(site_url=addresses.site_url(site_url), settings=settings, now=now or datetime.now(UTC))
    place = out if "://" in out else os.path.abspath(out)  # workers may be in another directory
    destination = None if is_dry else open_destination(place, site_url=rules.site_url)
    with _temporary(bounds.temp) as directory, _explained(directory):
        engine = Engine(directory, rules, bounds)
        try:
            steps = Steps(tell, engine.done)
            with steps.step(1, "normal rows"):
                _read(source, engine, {**dict(zip(COLUMNS, COLUMNS, strict=True)), **(columns or {})})
            outcome = run(engine, rules, destination, steps=steps)
            if rejected:
                engine.save_faults(rejected, form)
            return outcome
        finally:
            engine.close()


def _read(source: object, engine: Engine, columns: Mapping[str, str]) -> None:
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
def _temporary(parent: str) -> Iterator[str]:
    """Make a directory for the rows of this run, and remove those that killed runs left beside it."""
    parent = parent or tempfile.gettempdir()
    os.makedirs(parent, exist_ok=True)
    for name in os.listdir(parent):
        if name.startswith(_PREFIX):
            _remove_left(os.path.join(parent, name))
    directory = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
    try:
        with suppress(lock.NoLocksError), lock.held(directory):
            yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _remove_left(directory: str) -> None:
    """Remove what a killed run left: no run holds it, and it is our own."""
    with suppress(OSError):
        is_own = sys.platform == "win32" or os.stat(directory).st_uid == os.getuid()
        if is_own and os.path.isfile(os.path.join(directory, "rows.duckdb")) and not lock.is_held(directory):
            shutil.rmtree(directory, ignore_errors=True)


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
    return urls.masked(str(error).strip().partition("\n")[0]).rstrip(".")
