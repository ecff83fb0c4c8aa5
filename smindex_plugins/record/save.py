"""Saves the record of a build: JSON lines in one compressed file, in a directory of the project for
caches.
"""

import gzip
import hashlib
import io
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from itertools import chain

from smindex_plugins.base import files
from smindex_plugins.base.settings import Settings
from smindex_plugins.record.fact import Fact

CACHE = ".smindex_cache"
"""The directory in the project. Deleting it changes no output of any build."""
VERSION = 1
"""Increases when readers of an earlier version would misread a record. They then find none."""
_BESIDE = {
    ".gitignore": "*\n",
    "CACHEDIR.TAG": (
        "Signature: 8a477f597d28d172789f06886806bc55\n# What smindex-plugins remembers of a build\n"
    ),
}
"""The files that keep the directory out of commits and of backups
(https://bford.info/cachedir/)."""


def place_of(project: str, directory: str) -> str:
    """Return the path of the record of an output directory."""
    output = os.path.relpath(directory, project).replace(os.sep, "/")
    digest = hashlib.sha256(os.fsencode(output)).hexdigest()
    return os.path.join(project, CACHE, f"{digest[:16]}.jsonl.gz")


def digest_of(index: str) -> str:
    """Return the digest of an index, which shows that a record belongs to it.

    Raises:
        OSError: it can't be read.
    """
    content = files.read(index)
    return hashlib.sha256(content).hexdigest()


def save(
    facts: Iterable[Fact],
    *,
    url: str,
    project: str,
    directory: str,
    index: str,
    settings: Settings,
    settings_file: str = "",
) -> None:
    """Save what a build decided, unless the same is already there.

    Args:
        facts: one for each page.
        url: the URL that serves the output.
        project: the directory of the project.
        directory: the output. Nothing is saved in it, because it would be published.
        index: the file name of the first index.
        settings: the options of the build.
        settings_file: the file that sets them, if it is known.

    Raises:
        OSError: the file can't be written.
        ValueError: the output is on a different drive than the project.
    """
    is_repository = os.path.exists(os.path.join(project, ".git"))
    if files.is_inside(project, directory) and not is_repository:
        return  # the project itself is published
    digest = digest_of(os.path.join(directory, index))
    if settings_file:
        settings_file = os.path.relpath(settings_file, project).replace(os.sep, "/")
    head = {
        "version": VERSION,
        "index": index,
        "digest": digest,
        "url": url,
        "settings": _plain(settings),
        "settings_file": settings_file,
        "fields": Fact._fields,
    }
    path = place_of(project, directory)
    content = _packed(chain([head], facts))
    with suppress(OSError):
        if files.read(path) == content:
            return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for name, text in _BESIDE.items():
        beside = os.path.join(project, CACHE, name)
        if not os.path.exists(beside):
            files.write_file(beside, text.encode())
    files.write_file(path, content)


def _packed(lines: Iterable[object]) -> bytes:
    packed = io.BytesIO()
    stream = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=packed, mtime=0)
    encode = json.JSONEncoder(separators=(",", ":")).encode
    with io.TextIOWrapper(stream, "utf-8") as file:
        file.writelines(f"{encode(line)}\n" for line in lines)
    return packed.getvalue()


def _plain(value: object) -> object:
    """Return the value of an option as JSON.

    A function is omitted, because a reader must not call it.
    """
    if callable(value):
        return None
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value
