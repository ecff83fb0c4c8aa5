"""Finds input files: Parquet, CSV and JSON lines, local or in object storage, by name, pattern or
directory.
"""

import csv
import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import IO, Any, cast

from smindex_plugins.base.files import local_path
from smindex_plugins.base.text import brief, masked

COLUMNS = ("url", "lastmod", "alternates", "images")
FORMATS = {
    "parquet": re.compile(r".*\.(?:parquet|parq|pq)", re.IGNORECASE | re.DOTALL),
    "csv": re.compile(r".*\.(?:csv|tsv)(?:\.gz|\.zst)?", re.IGNORECASE | re.DOTALL),
    "json": re.compile(r".*\.(?:jsonl|ndjson|json)(?:\.gz|\.zst)?", re.IGNORECASE | re.DOTALL),
}
"""File names by format. JSON has one object per line."""
_DELIMITERS = (",", "\t", ";", "|")
_HIDDEN = ("_", ".")
"""The prefixes of files that engines write next to the table: `_SUCCESS`, `.part.crc`."""


def find_files(given: Iterable[str]) -> tuple[dict[str, list[str]], list[Any]]:
    """Return the files of a table by format, sorted, and the file systems of object storage that
    contain them.

    Raises:
        ValueError: a file doesn't exist, or its name doesn't show its format.
    """
    found: dict[str, list[str]] = {}
    systems: dict[str, Any] = {}
    for name in given:
        path = local_path(name)
        if "://" in path:
            protocol = path.partition("://")[0]
            systems[protocol], files = _remote(path)
        else:
            files = sorted(_local(path))
        if not files:
            raise _no_files(name)
        for file in files:
            found.setdefault(format_of(file), []).append(file)
    unique = {form: list(dict.fromkeys(files)) for form, files in found.items()}
    return unique, list(systems.values())


def _no_files(name: str) -> ValueError:
    if shown_format(name):
        problem = "there is no such file"
        fix = "check the path"
    else:
        problem = "there is no table here"
        fix = "pass files that end in .parquet, .csv or .jsonl"
    return ValueError(f"{masked(name)}: {problem}; {fix}")


def shown_format(file: str) -> str | None:
    """Return the format that the name of a file shows, if any."""
    for form, names in FORMATS.items():
        if names.fullmatch(file):
            return form
    return None


def format_of(file: str) -> str:
    """Return the format of a file by its name.

    Raises:
        ValueError: the name doesn't show a format.
    """
    form = shown_format(file)
    if form is None:
        message = (
            f"{masked(file)}: its name doesn't show its format; accepted: .parquet, .csv, .tsv,"
            " .jsonl and .json"
        )
        raise ValueError(message)
    return form


def _local(name: str) -> Iterator[str]:
    if os.path.isdir(name):
        everything = os.path.join(glob.escape(name), "**", "*")
        yield from _tables(glob.iglob(everything, recursive=True))
    elif os.path.isfile(name):
        yield name
    else:
        for file in glob.iglob(name, recursive=True):
            if os.path.isfile(file):
                yield file


def _remote(url: str) -> tuple[Any, list[str]]:
    """Return the file system of object storage, and the sorted URLs of the files found there."""
    from fsspec.core import url_to_fs  # noqa: PLC0415 - takes 100 ms, and few tables are remote

    paths: Iterable[Any] = ()
    try:
        system, path = url_to_fs(url)
        if re.search(r"[*?\\[]", path):
            paths = system.glob(path)
        elif system.isdir(path):
            paths = _tables(system.find(path))
        elif system.exists(path):
            paths = [path]
    except Exception as error:  # each kind of storage raises its own errors
        message = f"{masked(url)}: {masked(str(error)) or type(error).__name__}"
        raise ValueError(message) from error
    protocol = url.partition("://")[0]
    files = []
    for found in map(str, paths):
        if "://" in found:
            files.append(found)
        else:
            files.append(f"{protocol}://{found.lstrip('/')}")
    return system, sorted(files)


def open_bytes(file: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file of this machine or in object storage for reading."""
    if "://" not in file:
        return open(file, "rb")
    import fsspec  # noqa: PLC0415 - takes 100 ms, and few tables are remote

    return cast("AbstractContextManager[IO[bytes]]", fsspec.open(file, "rb"))


def _tables(files: Iterable[str]) -> Iterator[str]:
    for file in files:
        name = os.path.basename(file)
        if not name.startswith(_HIDDEN) and shown_format(name):
            yield file


def read_header(line: str | None, name: str) -> tuple[str, list[str]]:
    """Return the delimiter and the column names of a CSV file from its first line.

    The line is None if it is not UTF-8.

    Raises:
        ValueError: it is not UTF-8, or contains no names.
    """
    fix = "Write the column names into it"
    if line is None or "\0" in line:
        problem = "it is not UTF-8"
        fix = f"Convert the file: iconv -f ENCODING -t UTF-8 {os.path.basename(name)}"
    elif not line.strip("\ufeff \r\n"):
        problem = "it is empty"
    elif line.count('"') % 2:
        problem = "a quote is not closed"
        fix = "Close every quote"
    else:
        return _split_header(line.removeprefix("\ufeff"))
    message = f"{masked(name)}, line 1: {problem}. {fix}"
    raise ValueError(message)


def _split_header(line: str) -> tuple[str, list[str]]:
    """Return the delimiter and the names. A name that occurs again gets a number."""
    delimiter = max(_DELIMITERS, key=line.count)
    names: list[str] = []
    for given in next(csv.reader([line], delimiter=delimiter)):
        name = given
        if given.lower() in map(str.lower, names):
            name = f"{given} ({len(names) + 1})"
        names.append(name)
    return delimiter, names


def open_quote(place: str) -> ValueError:
    """Return the error of a quote that is not closed.

    Nobody knows which rows after it are part of its value.
    """
    fix = "Close it, or write it twice inside a value"
    return ValueError(
        f"{masked(place)}: a quote is not closed, so the rows after it can't be read. {fix}"
    )


def choose_columns(there: Iterable[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Return the columns of a table by our names: empty if one is missing and was not requested.

    Engines ignore case in column names.

    Raises:
        ValueError: a column is missing.
    """
    found = {name.lower(): name for name in there}
    chosen = {}
    for ours, own in columns.items():
        is_required = ours == "url" or own != ours
        if own.lower() not in found and is_required:
            what = "of URLs" if ours == "url" else ours
            it_has = ", ".join(found.values())
            message = (
                f"the table has no column {own}; it has {it_has}. Set the column {what}: --column"
                f" {ours}=NAME"
            )
            raise ValueError(message)
        chosen[ours] = found.get(own.lower(), "")
    return chosen


def read_columns(given: Iterable[str]) -> dict[str, str]:
    """Return the table's column names by our names, from arguments such as ``url=loc``.

    Raises:
        ValueError: an argument is not such a pair.
    """
    names = {name: name for name in COLUMNS}
    for pair in given:
        name, sign, own = pair.partition("=")
        if name not in COLUMNS or not sign or not own:
            message = (
                f"--column {brief(pair)}: write url, lastmod, alternates or images, and the name in"
                " the table, such as url=loc"
            )
            raise ValueError(message)
        names[name] = own
    return names
