"""Dataclasses as JSON. Field names are the keys, and None is null."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import IO, Literal

from smindex_plugins.base.model import Changes, Finding

Version = Literal[1]
"""Increases when a field is removed or its meaning changes. New fields don't change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCounts:
    """How many files were written, left unchanged, and removed.

    With `--dry-run`, how many would have been.
    """

    written: int
    unchanged: int
    removed: int

    @classmethod
    def of(cls, changes: Changes) -> "FileCounts":
        """Return the numbers of files."""
        return cls(
            written=len(changes.written),
            unchanged=len(changes.unchanged),
            removed=len(changes.removed),
        )


def as_shown(finding: Finding) -> Finding:
    """Return a finding with its line in ``where``, and paths relative to the current directory."""
    here = os.getcwd()
    file, source = finding.file, finding.source
    return replace(
        finding,
        where=finding.place,
        file=path_from(here, file) if file else None,
        source=path_from(here, source) if source else None,
    )


def write_object(value: object, out: IO[str]) -> None:
    """Write a dataclass as one JSON object in ASCII.

    CI services can't mistake its lines for commands.
    """
    text = json.dumps(_plain(value), indent=2)
    out.write(text.replace("##", r"#\u0023") + "\n")


def _plain(value: object) -> object:
    """Return a value of the types that JSON has."""
    if isinstance(value, str):
        # file names can contain bytes that are not UTF-8
        return value.encode("utf-8", "backslashreplace").decode()
    if is_dataclass(value):
        plain = {}
        for field in fields(value):
            plain[field.name] = _plain(getattr(value, field.name))
        return plain
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def path_from(directory: str, path: str) -> str:
    """Return a path relative to a directory, with slashes, or absolute if outside it."""
    relative = os.path.relpath(path, directory)
    is_outside = relative.split(os.sep)[0] == os.pardir
    shown = os.path.abspath(path) if is_outside else relative
    return shown.replace(os.sep, "/")
