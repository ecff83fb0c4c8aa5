"""Dataclasses as JSON. Field names are the keys, without the underscore of `from_`.

None is null.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import IO, Literal

from smindex_plugins.base.model import Finding, Level

Version = Literal[1]
"""Increases when a field is removed or its meaning changes. New fields don't change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonFinding:
    """A problem or a notice."""

    check: str
    """The name of its check, as passed to `--ignore`."""
    level: Level
    where: str
    """The place in readable form, with its line."""
    problem: str
    fix: str
    file: str | None
    """The sitemap, robots.txt or rendered page, relative to the current directory, or absolute if
    outside it."""
    line: int | None
    """The line in that file, counted from 1."""
    url: str | None
    """The URL of the page or file that it is about. For an entry of a sitemap, the URL that it
    lists."""
    source: str | None
    """The file to edit, if known, such as docs/guide/install.md. Its path has the same form as
    `file`."""

    @classmethod
    def of(cls, finding: Finding) -> "JsonFinding":
        """Return a finding in its JSON form."""
        here = os.getcwd()
        return cls(
            check=finding.check,
            level=finding.level,
            where=finding.place,
            problem=finding.problem,
            fix=finding.fix,
            file=path_from(here, finding.file) or None,
            line=finding.line or None,
            url=finding.url or None,
            source=path_from(here, finding.source) or None,
        )


def write_object(value: object, out: IO[str]) -> None:
    """Write a dataclass as one JSON object in ASCII.

    CI services can't mistake its lines for commands.
    """
    text = json.dumps(_plain(value), indent=2)
    out.write(text.replace("##", r"#\u0023") + "\n")


def _plain(value: object) -> object:
    if isinstance(value, str):
        # file names can contain bytes that are not UTF-8
        return value.encode("utf-8", "backslashreplace").decode()
    if is_dataclass(value):
        return {
            field.name.rstrip("_"): _plain(getattr(value, field.name)) for field in fields(value)
        }
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def path_from(directory: str, path: str) -> str:
    """Return a path relative to a directory, with slashes, or absolute if outside it.

    An empty path stays empty.
    """
    if not path:
        return ""
    relative = os.path.relpath(path, directory)
    is_outside = relative.split(os.sep)[0] == os.pardir
    return (os.path.abspath(path) if is_outside else relative).replace(os.sep, "/")
