"""Finds the repository of a file, and reads what the dates in a repository depend on."""

import os
import re
import unicodedata
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from smindex_plugins import files
from smindex_plugins.history.git import Git, GitError

_COMMIT = re.compile(rb"^[ \t]*([0-9a-f]{40,64})[ \t\r]*(?:#|$)", re.MULTILINE)


def find_repository(directory: str, known: dict[str, tuple[str | None, str]]) -> tuple[str | None, str]:
    """Return the nearest directory with a ``.git`` above the real path of a directory, and the path from there.

    ``known`` remembers them: each page may have a directory of its own.
    """
    passed: list[tuple[str, str]] = []
    while directory not in known:
        above, name = os.path.split(directory)
        if os.path.islink(directory):
            passed.append((directory, ""))
            directory = os.path.realpath(directory)
        elif os.path.lexists(os.path.join(directory, ".git")):
            known[directory] = directory, ""
        elif name:
            passed.append((directory, f"{name}/"))
            directory = above
        else:  # the root of the file system
            known[directory] = None, ""
    root, inside = known[directory]
    for below, name in reversed(passed):
        inside += name
        known[below] = root, inside
    return root, inside


@dataclass(frozen=True, slots=True)
class State:
    """What the dates in a repository depend on: HEAD, the boundary of a shallow clone, and the ignored commits."""

    head: str
    boundary: frozenset[bytes]
    ignored: frozenset[bytes]
    unmatched: frozenset[str]
    """The expressions for ignored commits that match none."""


def read_state(git: Git, ignore_revs_file: str | None, ignore_commits: Iterable[str] = ()) -> State:
    """Read the state of a repository. ``ignore_commits`` are regular expressions for the subjects of commits.

    Raises:
        GitError: git fails, for example because there is no commit.
        OSError: a list of commits cannot be read.
    """
    output = git.run("rev-parse", "--git-path", "shallow", "HEAD").removesuffix(b"\n")
    shallow, _, head = output.rpartition(b"\n")
    boundary = read_commits(os.path.join(git.root, os.fsdecode(shallow)))
    # The usual name of the list of commits without changes of content, such as reformatting.
    ignored = read_commits(os.path.join(git.root, ".git-blame-ignore-revs"))
    if ignore_revs_file:
        ignored |= read_commits(os.path.join(git.root, ignore_revs_file))
    unmatched = frozenset(ignore_commits)
    if unmatched:
        log = git.run("log", "-z", "--format=%H %s", "HEAD").removesuffix(b"\0")
        commits = [entry.partition(b" ") for entry in log.split(b"\0")]
        for pattern in ignore_commits:
            found = {oid for oid, _, subject in commits if re.search(pattern, subject.decode(errors="replace"))}
            ignored |= found
            unmatched -= {pattern} if found or boundary else set()  # beyond the boundary, there may be some
    return State(head.decode(), boundary, ignored, unmatched)


def read_commits(path: str) -> frozenset[bytes]:
    """Return the full hashes in a file, one a line, with comments after ``#``. Without such a file there are none."""
    return frozenset(_COMMIT.findall(files.read(path)) if os.path.isfile(path) else ())


def tracked_names(git: Git, commit: str, names: set[bytes]) -> dict[bytes, bytes]:
    """Return those of these names that a commit has, by their spelling there.

    On macOS and Windows, git treats names as equal that differ only in case or Unicode form. Where that is so, the
    spelling may be another one, if it is unique.
    """
    tracked = set(git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit).split(b"\0"))
    found = {name: name for name in names & tracked}
    missing = sorted(names - tracked)
    folding = r"^core\.(ignorecase|precomposeunicode)$"
    if missing and b"true" in git.run("config", "--type=bool", "--get-regexp", folding, success=(0, 1)):
        spellings: dict[str, set[bytes]] = {}
        for name in tracked:
            spellings.setdefault(_folded(name), set()).add(name)
        unique = {name: alike.pop() for name in missing if len(alike := spellings.get(_folded(name), set())) == 1}
        found = {spelling: name for name, spelling in unique.items()} | found
    return found


def _folded(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()


class Tracked(NamedTuple):
    """The files that the newest commit of a repository has."""

    root: str
    names: frozenset[str]
    """Their paths below the root, with ``/`` separators."""
    remote: str
    """The URL of the remote `origin`. Empty if there is none."""


def tracked_files(directory: str) -> Tracked | None:
    """Return the files of the repository of a directory, or None if there is none that git can read."""
    root, _ = find_repository(os.path.abspath(directory), {})
    if root is None:
        return None
    git = Git(root)
    with suppress(GitError, OSError):
        names = git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD").split(b"\0")
        remote = git.run("config", "--get", "remote.origin.url", success=(0, 1)).decode(errors="replace").strip()
        return Tracked(root, frozenset(map(os.fsdecode, names[:-1])), remote)
    return None


def ignored_names(git: Git, names: Collection[bytes]) -> set[bytes]:
    """Return those of these untracked names that ``.gitignore`` and its like keep out of git."""
    asked = b"\0".join(b"./" + name for name in names)  # or a name that begins with a colon would be a pattern
    listed = git.run("check-ignore", "-z", "--stdin", stdin=asked, success=(0, 1)) if names else b""
    return {name.removeprefix(b"./") for name in listed.split(b"\0")[:-1]}


def is_treeless(git: Git) -> bool:
    """Whether this is a treeless clone, which has the commits but not what they changed."""
    with suppress(GitError, OSError):
        return b"tree:" in git.run("config", "--get-regexp", r"^remote\..*\.partialclonefilter$")
    return False
