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
    name = hashlib.sha256(os.fsencode(output)).hexdigest()[:16]
    return os.path.join(project, CACHE, f"{name}.jsonl.gz")


def digest_of(index: str) -> str:
    """Return the digest of an index, which shows that a record belongs to it.

    Raises:
        OSError: it cannot be read.
    """
    return hashlib.sha256(files.read(index)).hexdigest()


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
        OSError: the file cannot be written.
        ValueError: the output is on another drive than the project.
    """
    is_public = files.is_inside(project, directory) and not os.path.exists(
        os.path.join(project, ".git")
    )
    if is_public:
        return
    head = {
        "version": VERSION,
        "index": index,
        "digest": digest_of(os.path.join(directory, index)),
        "url": url,
        "settings": {
            field.name: _plain(getattr(settings, field.name)) for field in fields(settings)
        },
        "settings_file": (
            settings_file and os.path.relpath(settings_file, project).replace(os.sep, "/")
        ),
        "fields": Fact._fields,
    }
    packed = io.BytesIO()
    encode = json.JSONEncoder(separators=(",", ":")).encode
    with io.TextIOWrapper(
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=packed, mtime=0), "ascii"
    ) as file:
        file.writelines(f"{encode(line)}\n" for line in chain([head], facts))
    path, content = place_of(project, directory), packed.getvalue()
    with suppress(OSError):
        if files.read(path) == content:
            return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for name, text in _BESIDE.items():
        beside = os.path.join(os.path.dirname(path), name)
        if not os.path.exists(beside):
            files.write_file(beside, text.encode())
    files.write_file(path, content)


def _plain(value: object) -> object:
    """Return the value of an option as JSON.

    A function is left out, because a reader must not call it.
    """
    if callable(value):
        return None
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
