"""Finds the repository of a file, and reads what the dates in a repository depend on."""

import os
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from smindex_plugins.files import open_regular
from smindex_plugins.history.git import Git, GitError, not_understood

_OID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
USUAL_REVISIONS = ".git-blame-ignore-revs"
"""The file in which tools keep the list of commits without changes of content, such as reformatting."""


class Places:
    """Finds files in repositories, and remembers the repository of each directory."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str | None, str]] = {}

    def find(self, file: str) -> tuple[str | None, bytes]:
        """Return the repository of a file's real path, or None, and its name there, with ``/`` separators."""
        directory, name = os.path.split(os.path.realpath(file) if os.path.islink(file) else os.path.normpath(file))
        root, inside = self._find(directory)
        return root, os.fsencode(inside + name)

    def _find(self, directory: str) -> tuple[str | None, str]:
        """Return the nearest directory with a ``.git`` above the real path of a directory, and the path from there."""
        if directory not in self._places:
            above, name = os.path.split(directory)
            if os.path.islink(directory):
                found = self._find(os.path.realpath(directory))
            elif os.path.lexists(os.path.join(directory, ".git")):
                found = directory, ""
            elif not name:  # the root of the file system
                found = None, ""
            else:
                root, inside = self._find(above)
                found = root, f"{inside}{name}/"
            self._places[directory] = found
        return self._places[directory]


@dataclass(frozen=True, slots=True)
class State:
    """What the dates in a repository depend on: HEAD, the boundary of a shallow clone, and the ignored commits."""

    head: str
    boundary: frozenset[bytes]
    ignored: frozenset[bytes]


def read_state(git: Git, ignore_revs_file: str | None) -> State:
    """Read the state of a repository.

    Raises:
        GitError: git fails, for example because there is no commit.
        OSError: a list of commits cannot be read.
    """
    output = git.run("rev-parse", "--git-path", "shallow", "HEAD").removesuffix(b"\n")
    shallow, _, head = output.rpartition(b"\n")
    if not _OID.fullmatch(head):
        raise not_understood(output)
    boundary = read_commits(os.path.join(git.root, os.fsdecode(shallow)))
    lists = [USUAL_REVISIONS, *filter(None, [ignore_revs_file])]
    ignored = frozenset[bytes]().union(*(read_commits(os.path.join(git.root, name)) for name in lists))
    return State(head.decode(), boundary, ignored)


def read_commits(path: str) -> frozenset[bytes]:
    """Return the full hashes in a file, one a line, with comments after ``#``. Without such a file there are none."""
    if not os.path.isfile(path):
        return frozenset()
    with open_regular(path) as file:
        content = file.read()
    lines = (line.partition(b"#")[0].strip() for line in content.split(b"\n"))
    return frozenset(filter(_OID.fullmatch, lines))


def tracked_names(git: Git, names: Collection[bytes]) -> dict[bytes, bytes]:
    """Return the tracked spelling of names that differ from it only in case or Unicode form, if it is unique.

    On macOS and Windows, git treats such names as equal.
    """
    pattern = r"^core\.(ignorecase|precomposeunicode)$"
    if not names or b"true" not in git.run("config", "--type=bool", "--get-regexp", pattern, success=(0, 1)):
        return {}
    alike: dict[str, list[bytes]] = {}
    for name in git.run("ls-files", "-z").split(b"\0"):
        alike.setdefault(_folded(name), []).append(name)
    found = {name: alike.get(_folded(name), []) for name in names}
    return {name: same[0] for name, same in found.items() if len(same) == 1}


def _folded(name: bytes) -> str:
    return unicodedata.normalize("NFC", os.fsdecode(name)).casefold()


def ignored_names(git: Git, names: Collection[bytes]) -> set[bytes]:
    """Return those of these untracked names that ``.gitignore`` and its like keep out of git."""
    asked = b"\0".join(b"./" + name for name in names)  # or a name that begins with a colon would be a pattern
    listed = git.run("check-ignore", "-z", "--stdin", stdin=asked, success=(0, 1)) if names else b""
    return {name.removeprefix(b"./") for name in listed.split(b"\0")[:-1]}


def is_treeless(git: Git) -> bool:
    """Whether this is a treeless clone, which has the commits but not what they changed."""
    try:
        filters = git.run("config", "--get-regexp", r"^remote\..*\.partialclonefilter$")
    except (GitError, OSError):
        return False
    return b"tree:" in filters
