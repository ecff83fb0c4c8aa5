"""What a git repository says on disk without git being run: where it is, its HEAD, its settings, what it tracks."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

_OID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
_LONGEST_CHAIN = 40
"""How many symbolic links or references may lead from one to the next, as Linux limits it."""


Place = tuple[str | None, bytes]
"""The root of a repository, or None outside of any, and a name in it with ``/`` separators."""


class Places:
    """Finds the repository of a file from the file itself: the nearest ``.git`` above its real path."""

    def __init__(self) -> None:
        self._directories: dict[str, _Directory] = {}
        self._links: dict[str, frozenset[str]] = {}

    def names(self, file: str) -> tuple[list[Place], list[Place]]:
        """Give the places of a file and of the symbolic links that it is, and those of the linked directories above it.

        Of linked directories only those within a repository count: a checkout may well be reached through a link.
        """
        directory, _, name = file.rpartition(os.sep)
        at = self._directories.get(directory) or self._directory(directory or os.sep)
        found = [at.place(name)]
        if name not in self._links_in(directory):
            return found, at.links
        path = os.path.join(at.real, name)
        while os.path.islink(path) and len(found) < _LONGEST_CHAIN:
            directory, name = os.path.split(os.path.join(os.path.dirname(path), os.readlink(path)))
            target = self._directory(os.path.realpath(directory))
            found.append(target.place(name))
            path = os.path.join(target.real, name)
        return found, at.links

    def directory(self, directory: str) -> Place:
        """Give the place of a directory, which is its repository's own for the empty name."""
        found = self._directory(directory)
        return found.root, found.within.rstrip(b"/")

    def _links_in(self, directory: str) -> frozenset[str]:
        """Name the symbolic links in a directory, found all at once, for most of its files will be asked for."""
        links = self._links.get(directory)
        if links is None:
            try:
                with os.scandir(directory) as entries:
                    links = frozenset(entry.name for entry in entries if entry.is_symlink())
            except OSError:  # there is no such directory, or none that may be read
                links = frozenset()
            self._links[directory] = links
        return links

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


class Repository:
    """The files that git keeps about a repository (gitrepository-layout), with its settings as first asked for."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._directory = _git_directory(root)
        # In a worktree, what all worktrees share is in the repository they belong to.
        shared = _text(os.path.join(self._directory, "commondir")).strip()
        self._common = os.path.join(self._directory, shared)

    def head(self) -> str | None:
        """Give the commit that is checked out, or None where these files do not tell, as in a reftable."""
        name = "HEAD"
        for _ in range(_LONGEST_CHAIN):
            text = _text(os.path.join(self._directory, name)) or _text(os.path.join(self._common, name))
            if not text.startswith("ref:"):
                oid = text.strip() or self._packed(name)
                return oid if _OID.fullmatch(oid.encode()) else None
            name = text.removeprefix("ref:").strip()
        return None

    def boundary(self) -> frozenset[bytes]:
        """List the commits at which a shallow clone ends (gitformat: shallow)."""
        return read_oids(os.path.join(self._common, "shallow"))

    def tracked(self) -> int:
        """Count the files in the index, by its header (gitformat-index); 0 where there is none."""
        return int.from_bytes(_bytes(os.path.join(self._directory, "index"), 12)[8:], "big")

    def settings(self, key: str) -> list[str]:
        """Give every value that git's configuration files have for a key such as ``blame.ignorerevsfile``.

        Includes are not followed, and the machine's own file is not read: nobody keeps there what this is asked for.
        """
        return [value for name, value in self._configuration if name == key]

    def lacks_trees(self) -> bool:
        """Tell whether this is a treeless clone, which has the commits but not what they changed."""
        return any(
            re.fullmatch(r"remote\..*\.partialclonefilter", name, re.DOTALL) and value.startswith("tree:")
            for name, value in _settings(os.path.join(self._common, "config"))
        )

    def spelling(self, names: Iterable[bytes]) -> dict[bytes, bytes]:
        """Give the tracked spelling of names that differ from it in case or Unicode form alone, where one is unique.

        Only where git itself takes such names for the same file, as it does on macOS and Windows.
        """
        if not any(self._is_on(key) for key in ("core.ignorecase", "core.precomposeunicode")):
            return {}
        try:
            tracked = set(_tracked_names(os.path.join(self._directory, "index"), self._oid_size()))
        except (IndexError, ValueError):  # it ends too early: git will say so in its own words
            return {}
        missed = {name for name in names if name not in tracked}
        if not missed or not tracked:
            return {}
        alike: dict[str, list[bytes]] = {}
        for name in tracked:
            alike.setdefault(_folded(name), []).append(name)
        found = {name: alike.get(_folded(name), []) for name in missed}
        return {name: same[0] for name, same in found.items() if len(same) == 1}

    def _is_on(self, key: str) -> bool:
        return (self.settings(key) or ["false"])[-1].lower() in {"true", "yes", "on", "1"}

    def _oid_size(self) -> int:
        return 32 if self.settings("extensions.objectformat") == ["sha256"] else 20

    def _packed(self, reference: str) -> str:
        for line in _text(os.path.join(self._common, "packed-refs")).splitlines():
            oid, _, name = line.partition(" ")
            if name == reference:
                return oid
        return ""

    @cached_property
    def _configuration(self) -> list[tuple[str, str]]:
        return [setting for path in self._configuration_files() for setting in _settings(path)]

    def _configuration_files(self) -> list[str]:
        home = os.path.expanduser("~")
        directory = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
        users = [os.path.join(directory, "git", "config"), os.path.join(home, ".gitconfig")]
        if "GIT_CONFIG_GLOBAL" in os.environ:
            users = [os.environ["GIT_CONFIG_GLOBAL"]]
        return [*users, os.path.join(self._common, "config"), os.path.join(self._directory, "config.worktree")]


def read_oids(path: str) -> frozenset[bytes]:
    """Read a list of commits, one a line, with comments after ``#``; empty where there is no such file."""
    lines = (line.partition(b"#")[0].strip() for line in _bytes(path).splitlines())
    return frozenset(line for line in lines if _OID.fullmatch(line))


def _git_directory(root: str) -> str:
    """Find a repository's own files; ``.git`` is a file in worktrees and submodules."""
    path = os.path.join(root, ".git")
    if os.path.isfile(path):
        return os.path.join(root, _text(path).removeprefix("gitdir:").strip())
    return path


def _bytes(path: str, size: int = -1) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except OSError:
        return b""


def _text(path: str) -> str:
    return os.fsdecode(_bytes(path))


def _settings(path: str) -> Iterator[tuple[str, str]]:
    """Read a configuration file of git's, and pass over what is not understood (git-config, "Syntax")."""
    section = ""
    for line in _text(path).replace("\\\n", "").splitlines():
        stripped = line.strip()
        if header := re.match(r'\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]', stripped):
            name, sub = header[1].lower(), header[2]
            section = name if sub is None else name + "." + re.sub(r"\\(.)", r"\1", sub)
            stripped = stripped[header.end() :].strip()
        if pair := re.match(r"([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$", stripped):
            yield f"{section}.{pair[1].lower()}", "true" if pair[2] is None else _value(pair[2])


def _value(written: str) -> str:
    """Take the quotes, escapes and comment off a value."""
    pieces = re.findall(r'"((?:[^"\\]|\\.)*)"|(\\.)|([#;].*)|([^"\\#;]+|.)', written)
    text = "".join(quoted or escaped or plain for quoted, escaped, _, plain in pieces)
    escapes = {"n": "\n", "t": "\t", "b": "\b"}
    return re.sub(r"\\(.)", lambda match: escapes.get(match[1], match[1]), text.strip())


def _folded(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()


def _tracked_names(path: str, oid_size: int) -> Iterator[bytes]:
    """Read the names in an index of version 2 to 4; none where it is of another kind (gitformat-index)."""
    index = _bytes(path)
    version = int.from_bytes(index[4:8], "big")
    if index[:4] != b"DIRC" or version not in {2, 3, 4}:
        return
    position, name = 12, b""
    for _ in range(int.from_bytes(index[8:12], "big")):
        flags_at = position + 40 + oid_size
        extended = version > 2 and index[flags_at] & 0x40  # noqa: PLR2004 - the first version that has them
        start = flags_at + (4 if extended else 2)
        kept = b""
        if version == 4:  # noqa: PLR2004 - the version that leaves out what a name shares with the one before
            dropped, start = _offset(index, start)
            kept = name[: len(name) - dropped]
        end = index.index(b"\0", start)
        name = kept + index[start:end]
        position = end + 1 if version == 4 else position + (end - position + 8) // 8 * 8  # noqa: PLR2004
        yield name


def _offset(data: bytes, position: int) -> tuple[int, int]:
    """Decode a number in the form of pack offsets (gitformat-pack), and tell where it ends."""
    value = data[position] & 0x7F
    while data[position] & 0x80:
        position += 1
        value = ((value + 1) << 7) | (data[position] & 0x7F)
    return value, position + 1
