"""Describes the commit that changed a file, and the merge that published it."""

import os
from typing import NamedTuple

from smindex_plugins.history._git import Git


class Described(NamedTuple):
    """One commit, as git describes it."""

    commit: str
    parents: tuple[str, ...]
    written: int
    """Its author date, in seconds since 1970."""
    committed: int
    subject: str
    """The first line of its message."""


class Landing(NamedTuple):
    """The commit that changed a file, and its commit on the published branch, which is the same without a merge."""

    origin: Described
    landed: Described


def find_landing(git: Git, name: bytes, commit: str) -> Landing:
    """Return where a change to a file in a commit of the published branch came from.

    For a merge, the origin is the newest commit of the merged branch that gave the file its current content, under any
    name.

    Raises:
        GitError: git fails.
    """
    (landed,) = _describe(git, "--no-walk", commit)
    if len(landed.parents) < 2:  # noqa: PLR2004 - a merge has several parents
        return Landing(landed, landed)
    content = git.run("rev-parse", f"HEAD:{os.fsdecode(name)}").decode().strip()
    branch = f"{landed.parents[0]}..{commit}"
    origins = _describe(git, "-1", f"--find-object={content}", "--no-renames", branch)
    return Landing(origins[0] if origins else landed, landed)


def _describe(git: Git, *arguments: str) -> list[Described]:
    output = git.run("log", "-z", "--no-patch", "--format=%H%x00%P%x00%at%x00%ct%x00%s", *arguments, "--")
    fields = iter(output.decode(errors="replace").split("\0")[:-1])
    return [
        Described(oid, tuple(parents.split()), int(written), int(committed), subject)
        for oid, parents, written, committed, subject in zip(*[fields] * 5, strict=True)
    ]
