"""Where files are in repositories, and what git says of a repository before its history is walked."""

import itertools
import os
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, replace

from smindex_plugins.history.git import Git, not_understood

_OID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
_LONGEST_CHAIN = 40
"""How many symbolic links may lead from one to the next, as Linux limits it."""

Place = tuple[str | None, bytes]
"""The root of a repository, or None outside of any, and a name in it with ``/`` separators."""


class Places:
    """Finds the repository of a file from the file itself: the nearest ``.git`` above its real path."""

    def __init__(self) -> None:
        self._directories: dict[str, _Directory] = {}

    def names(self, file: str) -> tuple[list[Place], list[Place]]:
        """Return the places of a file and of the symbolic links that it is, and those of linked directories above it.

        Of linked directories only those within a repository count: a checkout may well be reached through a link.
        """
        directory, _, name = file.rpartition(os.sep)
        at = first = self._directory(directory or os.sep)
        found = [at.place(name)]
        while os.path.islink(path := os.path.join(at.real, name)) and len(found) < _LONGEST_CHAIN:
            directory, name = os.path.split(os.path.join(at.real, os.readlink(path)))
            at = self._directory(os.path.realpath(directory))
            found.append(at.place(name))
        return found, first.links

    def _directory(self, directory: str) -> "_Directory":
        found = self._directories.get(directory)
        if found is None:
            found = self._directories[directory] = self._find(directory)
        return found

    def _find(self, directory: str) -> "_Directory":
        parent, name = os.path.split(directory)
        if not name or name in {os.curdir, os.pardir}:
            real = os.path.realpath(directory)
            return self._directory(real) if real != directory else _Directory(real, _root(real, None), b"", [])
        above = self._directory(parent)
        path = os.path.join(above.real, name)
        if os.path.islink(path):
            target = self._directory(os.path.realpath(path))
            links = [above.place(name)] if above.root is not None else []
            return replace(target, links=[*above.links, *links, *target.links])
        root = _root(path, above.root)
        within = b"" if root == path or root is None else above.within + os.fsencode(name) + b"/"
        return _Directory(path, root, within, above.links)


def _root(directory: str, above: str | None) -> str | None:
    return directory if os.path.lexists(os.path.join(directory, ".git")) else above


@dataclass(frozen=True, slots=True)
class _Directory:
    """Where a directory really is, and the links above it that led there."""

    real: str
    root: str | None
    within: bytes
    links: list[Place]

    def place(self, name: str) -> Place:
        return self.root, self.within + os.fsencode(name)


@dataclass(frozen=True, slots=True)
class State:
    """What answers depend on: HEAD, where a shallow clone ends, and the commits that change no content."""

    head: bytes
    boundary: frozenset[bytes]
    ignored: frozenset[bytes]


class Repository:
    """What git says of a repository before its history is walked."""

    def __init__(self, git: Git, ignore_revs_file: str | None) -> None:
        self._root = git.root
        asked = git.begin("config", "-z", "--list")
        said = git.begin("rev-parse", "--git-path", "shallow", "HEAD").answer()
        shallow, _, head = said.removesuffix(b"\n").rpartition(b"\n")
        if not _OID.fullmatch(head):
            raise not_understood(said)
        # A key ends with a newline; one that is only named, which means true, has none.
        pairs = (os.fsdecode(entry).partition("\n") for entry in asked.answer().split(b"\0")[:-1])
        self._settings = [(key, value if newline else "true") for key, newline, value in pairs]
        boundary = read_oids(os.path.join(git.root, os.fsdecode(shallow)))
        self.state = State(head, boundary, self._ignored(ignore_revs_file))

    def lacks_trees(self) -> bool:
        """Whether this is a treeless clone, which has the commits but not what they changed."""
        filters = (value for key, value in self._settings if re.fullmatch(r"(?s)remote\..*\.partialclonefilter", key))
        return any(value.startswith("tree:") for value in filters)

    def folds_names(self) -> bool:
        """Whether git takes names for the same file that differ in case or Unicode form alone: on macOS and Windows."""
        last = [self._setting(key)[-1:] for key in ("core.ignorecase", "core.precomposeunicode")]
        return any(value.lower() in {"true", "yes", "on", "1"} for value in itertools.chain(*last))

    def _setting(self, key: str) -> list[str]:
        return [value for name, value in self._settings if name == key]

    def _ignored(self, file: str | None) -> frozenset[bytes]:
        files = [".git-blame-ignore-revs", *filter(None, [file])]
        configured: list[str] = []
        for name in self._setting("blame.ignorerevsfile"):
            configured = [*configured, os.path.expanduser(name)] if name else []  # an empty name resets the list
        return frozenset().union(*(read_oids(os.path.join(self._root, name)) for name in [*files, *configured]))


def spelling(names: Collection[bytes], tracked: Collection[bytes]) -> dict[bytes, bytes]:
    """Return the tracked spelling of names that differ from it in case or Unicode form alone, where one is unique."""
    missed = set(names).difference(tracked)
    alike: dict[str, list[bytes]] = {}
    for name in tracked if missed else ():
        alike.setdefault(_folded(name), []).append(name)
    found = {name: alike.get(_folded(name), []) for name in missed}
    return {name: same[0] for name, same in found.items() if len(same) == 1}


def read_oids(path: str) -> frozenset[bytes]:
    """Read a list of commits, one a line, with comments after ``#``; empty where there is no such file."""
    try:
        with open(path, "rb") as file:
            lines = (line.partition(b"#")[0].strip() for line in file)
            return frozenset(line for line in lines if _OID.fullmatch(line))
    except OSError:
        return frozenset()


def _folded(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()
