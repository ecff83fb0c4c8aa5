"""Finds the repository of a file, and reads the repository's state that dates depend on."""

import os
import re
import unicodedata
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from smindex_plugins.base import files
from smindex_plugins.history._git import Git, GitError

_COMMIT = re.compile(rb"^[ \t]*([0-9a-f]{40,64})[ \t\r]*(?:#|$)", re.MULTILINE)


def find_repository(
    directory: str, known: dict[str, tuple[str | None, str]]
) -> tuple[str | None, str]:
    """Return the nearest directory with a ``.git`` above the real path of a directory, and the path
    from there.

    ``known`` caches them, because each page may have its own directory.
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
    """The state that dates depend on: HEAD, the boundary of a shallow clone, and the ignored
    commits.
    """

    head: str
    boundary: frozenset[bytes]
    ignored: frozenset[bytes]
    unmatched: frozenset[str]
    """The expressions for ignored commits that match no commit."""


def read_state(git: Git, ignore_revs_file: str | None, ignore_commits: Iterable[str] = ()) -> State:
    """Read the state of a repository.

    ``ignore_commits`` are regular expressions for the subjects of commits.

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
            found = {
                oid
                for oid, _, subject in commits
                if re.search(pattern, subject.decode(errors="replace"))
            }
            ignored |= found
            # there may be matches beyond the boundary
            unmatched -= {pattern} if found or boundary else set()
    return State(head.decode(), boundary, ignored, unmatched)


def read_commits(path: str) -> frozenset[bytes]:
    """Return the full hashes in a file, one per line, with comments after ``#``.

    A missing file is empty.
    """
    return frozenset(_COMMIT.findall(files.read(path)) if os.path.isfile(path) else ())


def tracked_names(git: Git, commit: str, names: set[bytes]) -> dict[bytes, bytes]:
    """Return the names that exist in a commit, by their spelling there.

    On macOS and Windows, git treats names that differ only in case or Unicode form as equal. There,
    the spelling can differ if it is unique.
    """
    tracked = set(git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit).split(b"\0"))
    found = {name: name for name in names & tracked}
    missing = sorted(names - tracked)
    folding = r"^core\.(ignorecase|precomposeunicode)$"
    if missing and b"true" in git.run(
        "config", "--type=bool", "--get-regexp", folding, success=(0, 1)
    ):
        spellings: dict[str, set[bytes]] = {}
        for name in tracked:
            spellings.setdefault(_folded(name), set()).add(name)
        unique = {
            name: alike.pop()
            for name in missing
            if len(alike := spellings.get(_folded(name), set())) == 1
        }
        found = {spelling: name for name, spelling in unique.items()} | found
    return found


def _folded(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()


class Tracked(NamedTuple):
    """The files in the newest commit of a repository."""

    root: str
    names: frozenset[str]
    """Their paths below the root, with ``/`` separators."""
    remotes: tuple[str, ...]
    """The URLs of all remotes."""


def tracked_files(directory: str) -> Tracked | None:
    """Return the files of a directory's repository, or None if git can't read one."""
    root, _ = find_repository(os.path.abspath(directory), {})
    if root is None:
        return None
    git = Git(root)
    with suppress(GitError, OSError):
        names = git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD").split(b"\0")
        settings = git.run(
            "config", "-z", "--get-regexp", r"^remote\..*\.url$", success=(0, 1)
        ).split(b"\0")
        urls = (
            setting.partition(b"\n")[2].decode(errors="replace").strip() for setting in settings
        )
        return Tracked(root, frozenset(map(os.fsdecode, names[:-1])), tuple(filter(None, urls)))
    return None


def ignored_names(git: Git, names: Collection[bytes]) -> set[bytes]:
    """Return the untracked names that git ignores because of ``.gitignore`` or similar files."""
    # otherwise a name that starts with a colon would be a pattern
    asked = b"\0".join(b"./" + name for name in names)
    listed = git.run("check-ignore", "-z", "--stdin", stdin=asked, success=(0, 1)) if names else b""
    return {name.removeprefix(b"./") for name in listed.split(b"\0")[:-1]}


def is_treeless(git: Git) -> bool:
    """Whether this is a treeless clone, which has the commits but not their changes."""
    with suppress(GitError, OSError):
        return b"tree:" in git.run("config", "--get-regexp", r"^remote\..*\.partialclonefilter$")
    return False
