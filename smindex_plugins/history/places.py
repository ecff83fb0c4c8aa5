"""Finds the repository of a file, and reads the repository's state that dates depend on."""

import os
import re
import unicodedata
from collections.abc import Collection
from contextlib import suppress
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


class State(NamedTuple):
    """The state that dates depend on: HEAD, the boundary of a shallow clone, and the ignored
    commits.
    """

    head: str
    boundary: frozenset[bytes]
    ignored: frozenset[bytes]
    unmatched: frozenset[str]
    """The expressions for ignored commits that match no commit."""


def read_state(
    git: Git, ignore_revs_file: str | None, ignore_commits: Collection[str] = ()
) -> State:
    """Read the state of a repository.

    ``ignore_commits`` are regular expressions for the subjects of commits.

    Raises:
        GitError: git fails, for example because there is no commit.
        OSError: a list of commits can't be read.
    """
    output = git.run("rev-parse", "--git-path", "shallow", "HEAD").removesuffix(b"\n")
    shallow, _, head = output.rpartition(b"\n")
    boundary = read_commits(os.path.join(git.root, os.fsdecode(shallow)))
    # The usual name of the list of commits without changes of content, such as reformatting.
    ignored = read_commits(os.path.join(git.root, ".git-blame-ignore-revs"))
    if ignore_revs_file:
        ignored |= read_commits(os.path.join(git.root, ignore_revs_file))
    unmatched = set()
    for pattern, commits in _matches(git, ignore_commits).items():
        ignored |= commits
        if not commits and not boundary:  # otherwise there may be matches beyond it
            unmatched.add(pattern)
    return State(head.decode(), boundary, ignored, frozenset(unmatched))


def _matches(git: Git, patterns: Collection[str]) -> dict[str, set[bytes]]:
    """Return the commits whose subject matches, by pattern.

    Raises:
        GitError: git fails.
    """
    if not patterns:
        return {}
    log = git.run("log", "-z", "--format=%H %s", "HEAD").removesuffix(b"\0")
    found: dict[str, set[bytes]] = {pattern: set() for pattern in patterns}
    for entry in log.split(b"\0"):
        oid, _, subject = entry.partition(b" ")
        text = subject.decode(errors="replace")
        for pattern, commits in found.items():
            if re.search(pattern, text):
                commits.add(oid)
    return found


def read_commits(path: str) -> frozenset[bytes]:
    """Return the full hashes in a file, one per line, with comments after ``#``.

    A missing file is empty.
    """
    if not os.path.isfile(path):
        return frozenset()
    return frozenset(_COMMIT.findall(files.read(path)))


def tracked_names(git: Git, commit: str, names: set[bytes]) -> dict[bytes, bytes]:
    """Return the names that exist in a commit, by their spelling there.

    On macOS and Windows, git treats names that differ only in case or Unicode form as equal. There,
    the spelling can differ if it is unique.
    """
    listed = git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
    tracked = set(listed.split(b"\0"))
    found = {name: name for name in names & tracked}
    missing = sorted(names - tracked)
    if not missing or not _ignores_case_or_form(git):
        return found
    spellings: dict[str, set[bytes]] = {}
    for name in tracked:
        spellings.setdefault(_folded(name), set()).add(name)
    folded: dict[bytes, bytes] = {}
    for name in missing:
        alike = spellings.get(_folded(name), set())
        if len(alike) == 1:
            folded[alike.pop()] = name  # one name only gets this spelling
    return folded | found


def _ignores_case_or_form(git: Git) -> bool:
    settings = r"^core\.(ignorecase|precomposeunicode)$"
    values = git.run("config", "--type=bool", "--get-regexp", settings, success=(0, 1))
    return b"true" in values


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
        settings = git.run("config", "-z", "--get-regexp", r"^remote\..*\.url$", success=(0, 1))
        remotes = []
        for setting in settings.split(b"\0"):
            _, _, value = setting.partition(b"\n")
            url = value.decode(errors="replace").strip()
            if url:
                remotes.append(url)
        return Tracked(root, frozenset(map(os.fsdecode, names[:-1])), tuple(remotes))
    return None


def ignored_names(git: Git, names: Collection[bytes]) -> set[bytes]:
    """Return the untracked names that git ignores because of ``.gitignore`` or similar files."""
    if not names:
        return set()
    # otherwise a name that starts with a colon would be a pattern
    asked = b"\0".join(b"./" + name for name in names)
    output = git.run("check-ignore", "-z", "--stdin", stdin=asked, success=(0, 1))
    listed = output.split(b"\0")[:-1]
    return {name.removeprefix(b"./") for name in listed}


def is_treeless(git: Git) -> bool:
    """Whether this is a treeless clone, which has the commits but not their changes."""
    with suppress(GitError, OSError):
        filters = git.run("config", "--get-regexp", r"^remote\..*\.partialclonefilter$")
        return b"tree:" in filters
    return False
