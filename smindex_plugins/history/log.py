"""Follows files back through the log of a repository, to the commit that gave each its present content.

The date of a file is that of the newest first-parent commit that changed its content: when the change landed on the
published line, not when somebody typed it on a branch. Exact renames are followed and do not count as changes, nor do
ignored commits. The boundary of a shallow clone proves nothing.
"""

import os
from contextlib import closing
from functools import cached_property

from smindex_plugins.history.git import Commit, Git
from smindex_plugins.history.places import State
from smindex_plugins.history.reasons import Answer, Change, Reason, Unknown

Removed = tuple[bytes, bytes]
"""A directory, and the suffix of files that were removed from it."""


class Trail:
    """The files of one repository on their way back from HEAD."""

    def __init__(self, git: Git, state: State, answers: dict[bytes, Answer], removals: dict[Removed, int]) -> None:
        self._git = git
        self._state = state
        self._answers = answers
        """Is filled while git runs, so that what it proved before it failed stands. What git never had is missing."""
        self._removals = removals
        """For each directory: when a file with a suffix was last removed from it, or moved out of or into it."""
        self._changed: dict[bytes, tuple[set[bytes], set[bytes]]] = {}

    def follow(self, names: set[bytes]) -> None:
        """Read the log of the published line, until every name has an answer.

        Raises:
            GitError: git fails, or the log is not understood.
        """
        if not names:
            return
        tops = {_top(_directory(name)) for name in names}
        pending = {name: name for name in names}
        # --sparse lists commits without changes, too: it saves git a second comparison of each tree.
        options = ["--first-parent", "-m", "--sparse", self._state.head, "--", *pathspec(names)]
        with closing(self._git.log(*options)) as commits:
            for commit in commits:
                if commit.may_affect(pending):
                    self._apply(commit, pending, tops)
                if not pending:
                    break

    def _apply(self, commit: Commit, pending: dict[bytes, bytes], tops: set[bytes]) -> None:
        """Answer or rename the files that a commit changed. ``pending`` has their names at HEAD by those after it."""
        for status, old, new in commit.changes():
            if status in b"DR":
                directories = {_directory(old), _directory(new)}
                if not tops.isdisjoint(map(_top, directories)):
                    for directory in directories:
                        removed = directory, os.path.splitext(old)[1]
                        self._removals[removed] = max(commit.when, self._removals.get(removed, commit.when))
                if name := pending.pop(old, None):
                    self._answers[name] = Unknown(Reason.UNTRACKED)
            if not (name := pending.pop(new, None)):
                continue
            if status == b"R":
                pending[old] = name
            elif answer := self._answer(commit, new, is_new=status in b"AC"):
                self._answers[name] = answer
            else:
                pending[new] = name

    def _answer(self, commit: Commit, name: bytes, *, is_new: bool) -> Answer | None:
        """Return what the change of a file proves, or None if it is ignored: it, or all that a merge brought in."""
        change = Change(commit.when, commit.oid.decode(), is_new=is_new)
        shallow = Unknown(Reason.SHALLOW, before=commit.when)
        boundary, ignored = self._state.boundary, self._state.ignored
        if commit.oid in boundary:
            return shallow
        if is_new or (commit.oid not in ignored and commit.oid not in self._brought_in):
            return change
        if commit.oid in ignored:
            return None
        really, only_formally = self._changed_by(commit)
        if name not in really and not boundary.isdisjoint(self._brought_in[commit.oid]):
            return shallow  # what changed it may be beyond the boundary, and ignored or not
        return None if name in only_formally - really else change

    def _changed_by(self, merge: Commit) -> tuple[set[bytes], set[bytes]]:
        """Return the files that the commits which a merge brought in changed: those that count, and ignored ones."""
        if merge.oid not in self._changed:
            names = self._changed[merge.oid] = set(), set()
            for commit in self._git.log("--no-merges", f"{merge.parents[0].decode()}..{merge.oid.decode()}", "--"):
                if commit.oid not in self._state.boundary:
                    changed = (name for _, *both in commit.changes() for name in both)
                    names[commit.oid in self._state.ignored].update(changed)
        return self._changed[merge.oid]

    @cached_property
    def _brought_in(self) -> dict[bytes, set[bytes]]:
        """The commits that each first-parent merge brought in, for merges that may have brought in ignored ones."""
        if not self._state.ignored:
            return {}
        output = self._git.run("rev-list", "--parents", self._state.head)
        parents = {oid: others for oid, *others in map(bytes.split, output.splitlines())}
        line = [self._state.head.encode()]
        while above := parents[line[-1]]:
            line.append(above[0])
        found: dict[bytes, set[bytes]] = {}
        reached: set[bytes] = set()
        for merge in reversed(line):
            reached.add(merge)
            side: set[bytes] = set()
            waiting = parents[merge][1:]
            while waiting:
                if (oid := waiting.pop()) not in reached:
                    reached.add(oid)
                    side.add(oid)
                    waiting += parents[oid]
            if not side.isdisjoint(self._state.ignored | self._state.boundary):
                found[merge] = side
        return found


def pathspec(names: set[bytes]) -> list[str]:
    """Return the top directory of these files if they share one, or nothing, which means the whole repository.

    Git then compares nothing else, so a file that was moved into the directory is new there.
    """
    tops = {_top(_directory(name)) for name in names}
    return [] if len(tops) > 1 or b"" in tops else list(map(os.fsdecode, tops))


def _top(directory: bytes) -> bytes:
    return directory.partition(b"/")[0]


def _directory(name: bytes) -> bytes:
    return name.rpartition(b"/")[0]
