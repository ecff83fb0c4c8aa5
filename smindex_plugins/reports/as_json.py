"""Dataclasses as JSON. The names of their fields are the keys, without the underscore of `from_`. None is null."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import IO, Literal

from smindex_plugins.model import Finding, Level

Version = Literal[1]
"""Rises when the meaning of a field changes or a field is removed. A new field does not change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonFinding:
    """Something that is wrong or worth knowing."""

    check: str
    """The name of its check, as `--ignore` takes it."""
    level: Level
    where: str
    """The place as people call it, with its line."""
    problem: str
    fix: str
    file: str | None
    """The sitemap, robots.txt or rendered page, relative to the current directory. Absolute if it is not in it."""
    line: int | None
    """The line in that file, counted from 1."""
    url: str | None
    """The page or file on the web that it is about. For an entry of a sitemap, this is the URL that it lists."""
    source: str | None
    """The file to edit, if it is known, such as docs/guide/install.md. Its path is written like that of `file`."""

    @classmethod
    def of(cls, finding: Finding) -> "JsonFinding":
        """Return a finding as JSON has it."""
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
    """Write a dataclass as one JSON object in ASCII. No line of it is a command to a CI service."""
    text = json.dumps(_plain(value), indent=2)
    out.write(text.replace("##", r"#\u0023") + "\n")


def _plain(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()  # names of files can have bytes that are not UTF-8
    if is_dataclass(value):
        return {field.name.rstrip("_"): _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def path_from(directory: str, path: str) -> str:
    """Return a path relative to a directory, with slashes, or absolute if it is not in it. Empty stays empty."""
    if not path:
        return ""
    relative = os.path.relpath(path, directory)
    is_outside = relative.split(os.sep)[0] == os.pardir
    return (os.path.abspath(path) if is_outside else relative).replace(os.sep, "/")
