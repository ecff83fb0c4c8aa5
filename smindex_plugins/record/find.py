"""Finds the record of the build that wrote a directory, by the digest of its index.

No build reads it.
"""

import gzip
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from smindex_plugins.base import addresses, files
from smindex_plugins.base.proof import RestsOn
from smindex_plugins.base.settings import Settings, SettingsError
from smindex_plugins.history.places import find_repository
from smindex_plugins.record.fact import Fact
from smindex_plugins.record.save import CACHE, VERSION, digest_of, place_of

_MOST = 1 << 28
"""How many bytes of a record are read. A million pages take less."""
_DAMAGE = (
    OSError,
    EOFError,
    zlib.error,
    ValueError,
    RecursionError,
    AttributeError,
    KeyError,
    TypeError,
    SettingsError,
)
"""What reading a file that is not a record can raise."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """What the build of a directory decided, and with which options."""

    project: str
    """The directory that files of the facts are relative to."""
    directory: str
    """The output, to which rendered files are relative."""
    url: str
    """The URL that serves it, according to the build."""
    settings: Settings
    settings_file: str
    """The path of the file that sets the options. Empty if it is not known, or outside the
    project's repository."""
    facts: tuple[Fact, ...]

    @cached_property
    def by_url(self) -> Mapping[str, Fact]:
        """The facts by URL. A listed page wins, if an omitted one has the same URL."""
        return {fact.url: fact for fact in sorted(self.facts, key=lambda fact: not fact.reason)}

    @cached_property
    def by_file(self) -> Mapping[str, Fact]:
        """The facts by rendered file. A listed page wins, if an omitted one has the same file."""
        return {
            fact.file: fact
            for fact in sorted(self.facts, key=lambda fact: not fact.reason)
            if fact.file
        }

    @cached_property
    def by_source(self) -> Mapping[str, list[Fact]]:
        """The facts about all pages for which a file counts, by its real path."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            for name in dict.fromkeys((*fact.sources, *fact.files)):
                if path := self.path(name):
                    found.setdefault(os.path.realpath(path), []).append(fact)
        return found

    def fits(self) -> bool:
        """Whether the listed pages are there.

        Indexes without dates can be equal, although the sites are not.
        """
        listed = (fact.file for fact in self.facts if fact.file and not fact.reason)
        return all(os.path.isfile(os.path.join(self.directory, file)) for file in listed)

    def path(self, name: str) -> str:
        """Return the path of a file that counts, or an empty string if it is outside the repository
        of the project.
        """
        return _within(self._root, self.project, name)

    def source_of(self, url: str, file: str) -> str:
        """Return the path of the source to edit for a page, given by its URL or its rendered file,
        or nothing.
        """
        inside = (
            os.path.relpath(os.path.realpath(file), self.directory).replace(os.sep, "/")
            if file
            else ""
        )
        fact = self.by_url.get(url) or self.by_file.get(inside)
        return next(iter(map(self.path, fact.sources)), "") if fact else ""

    def url_built_from(self, source: str) -> str:
        """Return the URL of the first listed page that is built from a source, not only with it, or
        nothing.
        """
        real = os.path.realpath(source)
        for fact in self.by_source.get(real, []):
            if not fact.reason and real in map(os.path.realpath, map(self.path, fact.sources)):
                return fact.url
        return ""

    def counting(self, fact: Fact) -> list[str]:
        """Return the paths of all files that count for a page."""
        return list(filter(None, map(self.path, fact.files or fact.sources)))

    @cached_property
    def _root(self) -> str:
        return _root_of(self.project)


def find_record(directory: str, *projects: str) -> Record | None:
    """Return the record of the build that wrote the index of a directory, or None.

    It is looked for in the given projects, in the directories above the output up to the root of
    its repository, and in the current directory.
    """
    directory = os.path.realpath(directory)
    places = dict.fromkeys(
        map(os.path.realpath, (*filter(None, projects), *_up_to_root(directory), os.curdir))
    )
    for place in places:
        for path in _records(place, directory):
            with suppress(*_DAMAGE):
                record = _read(path, place, directory)
                if record and (path == place_of(place, directory) or record.fits()):
                    return record
    return None


def _read(path: str, project: str, directory: str) -> Record | None:
    """Return the record in a file, or None if it belongs to another index or was written by another
    version.
    """
    with files.open_regular(path) as stream, gzip.GzipFile(fileobj=stream) as unpacked:
        first = json.loads(unpacked.readline(_MOST))
        index = os.path.join(directory, os.path.basename(first["index"]))
        if first["version"] != VERSION or first["digest"] != digest_of(index):
            return None
        lines = unpacked.read(_MOST).splitlines()
    given = {name: value for name, value in first["settings"].items() if value is not None}
    given["cross_site"], given["depends"] = (
        dict(map(_pair, given[name])) for name in ("cross_site", "depends")
    )
    return Record(
        project=project,
        directory=directory,
        url=addresses.site_url(first["url"]),
        settings=Settings.load(given),
        settings_file=_within(_root_of(project), project, first["settings_file"]),
        facts=tuple(_fact(first["fields"], json.loads(line)) for line in lines),
    )


def _fact(names: Sequence[str], given: Sequence[Any]) -> Fact:
    """Return a fact that was read.

    Raises:
        TypeError: a value is missing, unknown, or not of the type of its field.
        ValueError: there are more or fewer values than names, or the rendered file is not in the
            output.
    """
    pairs = zip(names, given, strict=True)
    values: dict[str, Any] = {
        name: tuple(each) if isinstance(each, list) else each for name, each in pairs
    }
    for name, value in values.items():
        texts = value if name in {"sources", "files"} else [value]
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
            raise TypeError(name)
        if any("\0" in text for text in texts):
            raise ValueError(name)
    file = values.get("file", "")
    if os.path.isabs(file) or ".." in file.split("/"):
        raise ValueError(file)
    is_commit = re.fullmatch("[0-9a-f]*", values.get("commit", ""))  # git gets it as an argument
    if not (is_commit and values["url"]) or values.get("rests_on") not in {"", *get_args(RestsOn)}:
        raise TypeError
    return Fact(**values)


def _pair(given: list[object]) -> tuple[str, object]:
    key, value = given
    return str(key), value


def _records(project: str, directory: str) -> Iterable[str]:
    """Return the records in a project, the one that has the name of the directory first."""
    own = place_of(project, directory)
    names: list[str] = []
    with suppress(OSError):
        names = sorted(os.listdir(os.path.join(project, CACHE)))
    return dict.fromkeys(
        (own, *(os.path.join(project, CACHE, name) for name in names if name.endswith(".jsonl.gz")))
    )


def _root_of(project: str) -> str:
    """Return the root of the repository of a project, or the project itself."""
    return find_repository(project, {})[0] or project


def _within(root: str, project: str, name: str) -> str:
    """Return the path of a file that a record names, or an empty string if it is outside the
    root.
    """
    path = os.path.normpath(os.path.join(project, name)) if name else ""
    return path if path and files.is_inside(path, root) else ""


def _up_to_root(directory: str) -> Iterator[str]:
    """Yield a directory and those above it, up to the root of its repository."""
    yield directory
    root, _ = find_repository(directory, {})
    while directory not in {root, os.path.dirname(directory)}:
        directory = os.path.dirname(directory)
        yield directory
