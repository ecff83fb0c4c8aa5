"""Where files are in repositories, and what git says about a repository before its history is read."""

import difflib
import errno
import itertools
import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from smindex_plugins.catalogue import INVALID_REVISION, UNMATCHED_PATTERN
from smindex_plugins.files import open_regular
from smindex_plugins.history.git import Git, not_understood
from smindex_plugins.limits import MAX_REVISIONS
from smindex_plugins.model import Finding, Spot

_OID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
_USUAL_REVISIONS = ".git-blame-ignore-revs"
"""The file in which tools keep the list of commits without changes of content, such as reformatting."""
_MOST_FILTERS = 64
"""The most filters that are switched off by options. More are very unusual."""
_MOST_WRONG = 100
"""How many wrong lines of a list are named one by one."""
_SETTING = "blame.ignoreRevsFile"
_MOST_LISTS = 16
"""The most lists from the settings of git that are read."""
_LONGEST_CHAIN = 40
"""The most symbolic links in a chain, as on Linux."""

Place = tuple[str | None, bytes]
"""The root of a repository, or None outside of all, and a name in it with ``/`` separators."""


_NOWHERE: tuple[list[Place], list[Place]] = ([(None, b"")], [])
"""The places of a file outside all repositories. There may be millions of such files."""
_MOST_KEPT = 10_000
"""How many directories are remembered. The files of a site come one directory after another."""


class Places:
    """Finds the repository of a file: the nearest ``.git`` above its real path."""

    def __init__(self) -> None:
        self._directories: dict[str, _Directory] = {}

    def names(self, file: str) -> tuple[list[Place], list[Place]]:
        """Return the places of a file, of the symbolic links that lead to it, and of linked directories above it.

        Linked directories count only within a repository, because a checkout may well be reached through a link.
        """
        directory, _, name = file.rpartition(os.sep)
        at = first = self._directory(directory or os.sep)
        if at.root is None and not os.path.islink(file):
            return _NOWHERE
        found = [at.place(name)]
        while os.path.islink(path := at.inside + name) and len(found) < _LONGEST_CHAIN:
            directory, name = os.path.split(os.path.join(at.inside, os.readlink(path)))
            at = self._directory(os.path.realpath(directory))
            found.append(at.place(name))
        return found, first.links

    def _directory(self, directory: str) -> "_Directory":
        if known := self._directories.get(directory):
            return known
        if len(self._directories) > _MOST_KEPT:
            self._directories.clear()
        unknown: list[tuple[str, str]] = []  # those above it come first: it may be deeper than Python calls itself
        while directory not in self._directories:
            above, name = os.path.split(directory)
            unknown.append((directory, name))
            if above == directory:
                break
            directory = above
        found = self._directories.get(directory)
        for path, name in reversed(unknown):
            found = self._directories[path] = self._find(path, found, name)
        return self._directories[unknown[0][0]]

    def _find(self, directory: str, above: "_Directory | None", name: str) -> "_Directory":
        if above is None or not name or name in {os.curdir, os.pardir}:
            real = os.path.realpath(directory)
            inside = os.path.join(real, "")
            return self._directory(real) if real != directory else _Directory(inside, _root(inside, None), b"", [])
        path = above.inside + name
        if os.path.islink(path):
            target = self._directory(os.path.realpath(path))
            links = [above.place(name)] if above.root is not None else []
            return target._replace(links=[*above.links, *links, *target.links])
        inside = path + os.sep
        root = _root(inside, above.root)
        within = b"" if root == path or root is None else above.within + os.fsencode(name) + b"/"
        return _Directory(inside, root, within, above.links)


def _root(inside: str, above: str | None) -> str | None:
    return os.path.dirname(inside) if os.access(inside + ".git", os.F_OK) else above


class _Directory(NamedTuple):
    """Where a directory really is, and the links above it that led there."""

    inside: str
    """Its path, with the separator at its end."""
    root: str | None
    within: bytes
    links: list[Place]

    def place(self, name: str) -> Place:
        return self.root, self.within + os.fsencode(name)


@dataclass(frozen=True, slots=True)
class State:
    """What answers depend on: HEAD, the end of a shallow clone, and the list of ignored commits."""

    head: bytes
    boundary: frozenset[bytes]
    ignored: frozenset[bytes]
    lists: tuple[str, ...] = ()
    """What the settings of git name as lists of those commits, also what cannot be read."""


class Repository:
    """What git says about a repository before its history is read."""

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
        shared = os.path.join(git.root, os.fsdecode(shallow))
        boundary = _oids(_lines(shared)) if os.path.lexists(shared) else frozenset()
        git.memory += _packed(os.path.join(os.path.dirname(shared), "objects", "pack"))
        lists = self._lists()
        names = [_USUAL_REVISIONS, *filter(None, [ignore_revs_file]), *lists[:_MOST_LISTS]]
        ignored = frozenset().union(*(read_oids(os.path.join(self._root, name), self._root) for name in names))
        self.state = State(head, boundary, ignored, lists)

    def lacks_trees(self) -> bool:
        """Whether this is a treeless clone, which has the commits but not what they changed."""
        filters = (value for key, value in self._settings if re.fullmatch(r"(?s)remote\..*\.partialclonefilter", key))
        return any(value.startswith("tree:") for value in filters)

    def folds_names(self) -> bool:
        """Whether git treats names as equal that differ only in case or Unicode form, as on macOS and Windows."""
        last = [self._setting(key)[-1:] for key in ("core.ignorecase", "core.precomposeunicode")]
        return any(value.lower() in {"true", "yes", "on", "1"} for value in itertools.chain(*last))

    def unfiltered(self) -> list[str] | None:
        """Return options that stop git from running any `filter`, or None if no options can.

        Git runs such programs to compare files with commits, and a repository can name any program.
        """
        names = {match[1] for key, _ in self._settings if (match := re.fullmatch(r"(?s)filter\.(.*)\.[^.]*", key))}
        if len(names) > _MOST_FILTERS or any("=" in name for name in names):
            return None
        nothing = ("clean=", "smudge=", "process=", "required=false")
        return [word for name in sorted(names) for what in nothing for word in ("-c", f"filter.{name}.{what}")]

    def _setting(self, key: str) -> list[str]:
        return [value for name, value in self._settings if name == key]

    def _lists(self) -> tuple[str, ...]:
        """Return the lists of commits that git ignores itself; an empty name forgets those before it."""
        named = self._setting(_SETTING.lower())
        kept = len(named) - named[::-1].index("") if "" in named else 0
        return tuple(map(os.path.expanduser, named[kept:]))


def spelling(names: Collection[bytes], tracked: Collection[bytes]) -> dict[bytes, bytes]:
    """Return the tracked spelling of names that differ only in case or Unicode form, if it is unique."""
    missed = set(names).difference(tracked)
    alike: dict[str, list[bytes]] = {}
    for name in tracked if missed else ():
        alike.setdefault(_folded(name), []).append(name)
    found = {name: alike.get(_folded(name), []) for name in missed}
    return {name: same[0] for name, same in found.items() if len(same) == 1}


def read_oids(path: str, root: str = "") -> frozenset[bytes]:
    """Return the commits of a list, one on each line, with comments after ``#``. Empty if there is no such file."""
    try:
        return _oids(_lines(path, root))
    except OSError:
        return frozenset()


def _oids(lines: Iterable[tuple[int, bytes]]) -> frozenset[bytes]:
    return frozenset(line for _, line in lines if _OID.fullmatch(line))


def _lines(path: str, root: str = "") -> list[tuple[int, bytes]]:
    """Return the lines of such a list that have more than a comment, with their numbers.

    A name in the repository ``root`` must not be a link that leads out of it.

    Raises:
        OSError: it is not a regular file, cannot be opened, or is too large.
    """
    with open_regular(path, within=root if _is_named_inside(path, root) else "") as file:
        content = file.read(MAX_REVISIONS + 1)
    if len(content) > MAX_REVISIONS:
        raise OSError(errno.EFBIG, f"it is larger than {MAX_REVISIONS:,} bytes", path)
    lines = enumerate((line.partition(b"#")[0].strip() for line in content.split(b"\n")), start=1)
    return [(number, line) for number, line in lines if line]


def _is_named_inside(path: str, root: str) -> bool:
    return bool(root) and os.path.normpath(path).startswith(os.path.join(root, ""))


def _packed(directory: str) -> int:
    """Return the size of a repository's packs, without holes. Git's memory grows with it."""
    try:
        found = [os.stat(os.path.join(directory, name)) for name in os.listdir(directory)]
    except OSError:
        return 0
    return sum(min(each.st_size, getattr(each, "st_blocks", each.st_size) * 512) for each in found)


def wrong_revisions(roots: Mapping[str, Collection[str]], given: str | None, beside: str) -> Iterator[Finding]:
    """Yield what is wrong with lists of ignored commits: the file is missing, or a line is not a commit.

    ``roots`` are the repositories, with the lists that the settings of git name in each.
    """
    unread: set[str] = set()
    for root, lists in sorted(roots.items()):
        for name in dict.fromkeys([_USUAL_REVISIONS, *filter(None, [given]), *[*lists][:_MOST_LISTS]]):
            spot = Spot(name, path := os.path.join(root, name))
            try:
                yield from _wrong_lines(_lines(path, root), spot, is_shown=_is_named_inside(path, root))
            except OSError as error:
                is_there = os.path.lexists(path)
                unread.update({root} if name == given and not is_there else ())
                is_missed = name in lists and name not in {_USUAL_REVISIONS, given}
                if is_missed or is_there:
                    who = f"git's setting {_SETTING} names it, and " if is_missed else ""
                    fix = "Make it a text file with one commit on each line; as it is, no commit is ignored."
                    yield INVALID_REVISION.at(spot, f"{who}it cannot be read: {error.strerror}.", fix)
        if len(lists) > _MOST_LISTS:
            problem = f"git's settings name {len(lists):,} lists of commits, of which the first {_MOST_LISTS} are read."
            yield INVALID_REVISION.at(_SETTING, problem, "Put the commits into one list.")
    if given and roots and unread == roots.keys():
        yield UNMATCHED_PATTERN.at("ignore_revs_file", f"`{given}` cannot be read.", _meant(min(roots), given, beside))


def _wrong_lines(lines: Iterable[tuple[int, bytes]], spot: Spot, *, is_shown: bool) -> Iterator[Finding]:
    """Yield the lines that are not commits. Those of a file outside the repository may be secrets and are not shown."""
    wrong = [(number, line) for number, line in lines if not _OID.fullmatch(line)]
    for number, line in wrong[:_MOST_WRONG]:
        problem = f"it lists {line[:80].decode('utf-8', 'replace')!r}, which is not the full hash of a commit."
        problem = problem if is_shown else "what this line lists is not the full hash of a commit."
        yield INVALID_REVISION.at(spot._replace(line=number), problem)
    if more := wrong[_MOST_WRONG:]:
        problem = f"from here on, {len(more):,} more lines are not the full hash of a commit."
        yield INVALID_REVISION.at(spot._replace(line=more[0][0]), problem)


def _meant(root: str, given: str, beside: str) -> str:
    """Return how to correct the name of a missing list."""
    elsewhere = (os.path.realpath(os.path.join(base, given)) for base in (beside, os.getcwd()))
    inside = [os.path.relpath(path, root) for path in elsewhere if os.path.isfile(path)]
    near = [name for name in inside if not name.startswith(os.pardir)]
    near += difflib.get_close_matches(given, os.listdir(root), n=1) if os.path.isdir(root) else []
    guess = f" Did you mean `{near[0].replace(os.sep, '/')}`?" if near else " Correct it, or remove it."
    return f"It is relative to the root of the git repository, {root}.{guess}"


def _folded(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()
