"""Describes the commit that changed a file, and the merge that published it."""

import os
from typing import NamedTuple

from smindex_plugins.base.text import printable
from smindex_plugins.history._git import Git, GitError


class Described(NamedTuple):
    """One commit, as git describes it."""

    commit: str
    parents: tuple[str, ...]
    written: int
    """Its author date, in seconds since 1970."""
    committed: int
    subject: str
    """The first line of its message."""

    def __str__(self) -> str:
        return f"{self.commit[:12]} “{printable(self.subject)}”"


class Landing(NamedTuple):
    """The commit that changed a file, and its commit on the published branch, which is the same
    without a merge.
    """

    origin: Described
    landed: Described

    @property
    def is_by_merge(self) -> bool:
        """Whether a merge published the change."""
        return len(self.landed.parents) > 1


def find_landing(git: Git, name: bytes, commit: str) -> Landing:
    """Return where a change to a file in a commit of the published branch came from.

    For a merge, the origin is the newest commit of the merged branch that gave the file its current
    content, under any name.

    Raises:
        GitError: git fails.
    """
    (landed,) = _describe(git, "--no-walk", commit)
    landing = Landing(landed, landed)
    if not landing.is_by_merge:
        return landing
    content = _content(git, name, commit)
    branch = f"{landed.parents[0]}..{commit}"
    origins = _describe(git, "-1", f"--find-object={content}", "--no-renames", branch)
    return landing._replace(origin=origins[0]) if origins else landing


def _content(git: Git, name: bytes, commit: str) -> str:
    """Return the content that a commit gave a file, which may have been renamed since.

    Raises:
        GitError: the file is neither in the commit nor in the current one.
    """
    path = os.fsdecode(name)
    try:
        oid = git.run("rev-parse", f"{commit}:{path}")
    except GitError:
        oid = git.run("rev-parse", f"HEAD:{path}")
    return oid.decode().strip()


def _describe(git: Git, *arguments: str) -> list[Described]:
    form = "%H%x00%P%x00%at%x00%ct%x00%s"  # the fields of `Described`
    output = git.run("log", "-z", "--no-patch", f"--format={form}", *arguments, "--")
    fields = output.decode(errors="replace").split("\0")[:-1]
    described = []
    for start in range(0, len(fields), len(Described._fields)):
        end = start + len(Described._fields)
        oid, parents, written, committed, subject = fields[start:end]
        described.append(
            Described(oid, tuple(parents.split()), int(written), int(committed), subject)
        )
    return described
