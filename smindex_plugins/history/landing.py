"""What a commit is called, when it was made, and by which merge it came to the published line."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from smindex_plugins.history.git import Git

_FORMAT = "--format=%H%x00%P%x00%at%x00%ct%x00%s"
_FIELDS = 5


class Described(NamedTuple):
    """One commit, as git describes it."""

    commit: str
    parents: tuple[str, ...]
    written: int
    """When its author made it: seconds since 1970."""
    committed: int
    subject: str
    """The first line of its message, as its author wrote it."""


@dataclass(frozen=True, slots=True)
class Landing:
    """The commit that changed a file, and when that was published."""

    origin: Described
    landed: Described
    """The commit of the published line, which is the same one where no merge brought it in."""

    @property
    def is_merged(self) -> bool:
        """Whether a merge brought it in."""
        return self.origin.commit != self.landed.commit


def land(git: Git, name: bytes, commit: str) -> Landing:
    """Return how the change that a commit of the published line brought for a file came about.

    A merge shows its own day alone. The commit of its branch that gave the file its present content is the newest that
    brought in that content, under whatever name.

    Raises:
        GitError: git fails.
    """
    (landed,) = _described(git, "--no-walk=unsorted", commit)
    if len(landed.parents) < 2:  # noqa: PLR2004 - what makes it a merge
        return Landing(landed, landed)
    content = git.begin("rev-parse", f"HEAD:{os.fsdecode(name)}").answer().decode().strip()
    branch = f"{landed.parents[0]}..{commit}"
    origin = next(_described(git, "-1", f"--find-object={content}", "--no-renames", branch), landed)
    return Landing(origin, landed)


def _described(git: Git, *arguments: str) -> Iterator[Described]:
    said = git.begin("log", "-z", "--no-patch", _FORMAT, *arguments, "--").answer()
    fields = iter(said.decode(errors="replace").split("\0"))
    for commit, parents, written, committed, subject in zip(*[fields] * _FIELDS, strict=False):
        yield Described(commit, tuple(parents.split()), int(written), int(committed), subject)
