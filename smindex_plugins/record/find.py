"""Finds the record of the build that wrote a directory, by the digest of its index.

No build reads it.
"""

import gzip
import json
import os
import re
import sys
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
_COMMIT = re.compile("[0-9a-f]*")
"""Git gets it as an argument."""
_RESTS_ON = frozenset({"", *get_args(RestsOn)})
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
        return {fact.url: fact for fact in self._listed_last()}

    @cached_property
    def by_file(self) -> Mapping[str, Fact]:
        """The facts by rendered file. A listed page wins, if an omitted one has the same file."""
        return {fact.file: fact for fact in self._listed_last() if fact.file}

    @cached_property
    def by_source(self) -> Mapping[str, list[Fact]]:
        """The facts about all pages for which a file counts, by its real path."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            for name in dict.fromkeys((*fact.sources, *fact.files)):
                path = self.path(name)
                if path:
                    found.setdefault(os.path.realpath(path), []).append(fact)
        return found

    def _listed_last(self) -> list[Fact]:
        return sorted(self.facts, key=lambda fact: not fact.reason)

    def fits(self) -> bool:
        """Whether the listed pages are there.

        Indexes without dates can be equal, although the sites are not.
        """
        for fact in self.facts:
            if fact.reason or not fact.file:
                continue
            if not os.path.isfile(os.path.join(self.directory, fact.file)):
                return False
        return True

    def path(self, name: str) -> str:
        """Return the path of a file that counts, or nothing if it is outside the repository."""
        return _within(self._root, self.project, name)

    def source_of(self, url: str, file: str) -> str:
        """Return the path of the source to edit for a page with a URL or a file, or nothing."""
        inside = ""
        if file:
            inside = os.path.relpath(os.path.realpath(file), self.directory)
            inside = inside.replace(os.sep, "/")
        fact = self.by_url.get(url) or self.by_file.get(inside)
        if fact is None or not fact.sources:
            return ""
        return self.path(fact.sources[0])

    def url_built_from(self, source: str) -> str:
        """Return the URL of the first listed page built from a source, not only with it, if any."""
        real = os.path.realpath(source)
        for fact in self.by_source.get(real, []):
            if fact.reason:
                continue
            for name in fact.sources:
                if os.path.realpath(self.path(name)) == real:
                    return fact.url
        return ""

    def counting(self, fact: Fact) -> list[str]:
        """Return the paths of all files that count for a page."""
        names = fact.files or fact.sources
        return list(filter(None, map(self.path, names)))

    @cached_property
    def _root(self) -> str:
        return _root_of(self.project)


def find_record(directory: str, *projects: str) -> Record | None:
    """Return the record of the build that wrote the index of a directory, or None.

    It is looked for in the given projects, in the directories above the output up to the root of
    its repository, and in the current directory.
    """
    directory = os.path.realpath(directory)
    places = [*filter(None, projects), *_up_to_root(directory), os.curdir]
    for place in dict.fromkeys(map(os.path.realpath, places)):
        for path in _records(place, directory):
            with suppress(*_DAMAGE):
                record = _read(path, place, directory)
                if record and (path == place_of(place, directory) or record.fits()):
                    return record
    return None


def _read(path: str, project: str, directory: str) -> Record | None:
    """Return the record in a file, or None if it is of another index or from another version."""
    with files.open_regular(path) as stream, gzip.GzipFile(fileobj=stream) as unpacked:
        first = json.loads(unpacked.readline(_MOST))
        index = os.path.join(directory, os.path.basename(first["index"]))
        if first["version"] != VERSION or first["fields"] != [*Fact._fields]:
            return None
        if first["digest"] != digest_of(index):
            return None
        lines = unpacked.read(_MOST).decode("ascii").splitlines()
    given = {name: value for name, value in first["settings"].items() if value is not None}
    for name in ("cross_site", "depends"):
        given[name] = dict(map(_pair, given[name]))
    settings_file = _within(_root_of(project), project, first["settings_file"])
    return Record(
        project=project,
        directory=directory,
        url=addresses.site_url(first["url"]),
        settings=Settings.load(given),
        settings_file=settings_file,
        facts=tuple(_fact(json.loads(line)) for line in lines),
    )


def _fact(given: Sequence[Any]) -> Fact:
    """Return a fact that was read.

    Raises:
        TypeError: a value is not of the type of its field, or there are more or fewer values.
        ValueError: there are only a few values, the page has no URL, the rendered file is not in
            the output, or a value can't be one of its field.
    """
    url, file, sources, counted, *others = given
    if not (isinstance(sources, list) and isinstance(counted, list)):
        raise TypeError
    text = "".join((url, file, *sources, *counted, *others))
    if not url or "\0" in text:
        raise ValueError(url)
    if os.path.isabs(file) or ".." in file.split("/"):
        raise ValueError(file)
    shared = map(sys.intern, others)  # because a site can have a million pages
    fact = Fact._make((url, file, tuple(sources), tuple(counted), *shared))
    if not _COMMIT.fullmatch(fact.commit) or fact.rests_on not in _RESTS_ON:
        raise ValueError(url)
    return fact


def _pair(given: list[object]) -> tuple[str, object]:
    key, value = given
    return str(key), value


def _records(project: str, directory: str) -> Iterable[str]:
    """Return the records in a project, the one that has the name of the directory first."""
    paths = [place_of(project, directory)]
    cache = os.path.join(project, CACHE)
    names: list[str] = []
    with suppress(OSError):
        names = sorted(os.listdir(cache))
    paths += [os.path.join(cache, name) for name in names if name.endswith(".jsonl.gz")]
    return dict.fromkeys(paths)


def _root_of(project: str) -> str:
    """Return the root of the repository of a project, or the project itself."""
    root, _ = find_repository(project, {})
    return root or project


def _within(root: str, project: str, name: str) -> str:
    """Return the path of a file that a record names, or nothing if it is outside the root."""
    if not name:
        return ""
    path = os.path.normpath(os.path.join(project, name))
    if not files.is_inside(path, root):
        return ""
    return path


def _up_to_root(directory: str) -> Iterator[str]:
    """Yield a directory and those above it, up to the root of its repository."""
    yield directory
    root, _ = find_repository(directory, {})
    while directory not in {root, os.path.dirname(directory)}:
        directory = os.path.dirname(directory)
        yield directory
