"""Follows files back through the log of a repository, to the commit that gave each its current
content.

A file gets its date from the newest first-parent commit that changed its content: when the change
landed on the published branch, not when it was made on another branch. Exact renames are followed
and are not changes. Ignored commits are skipped. The boundary of a shallow clone gives no date.
"""

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from smindex_plugins.base.proof import Answer, ContentChange, NoDate, Unknown
from smindex_plugins.history._git import Commit, FileChange, Git
from smindex_plugins.history.places import State

Removed = tuple[str, str]
"""A directory, and the suffix of the files removed from it."""


class Trail:
    """The files of one repository on their way back from HEAD."""

    def __init__(
        self, git: Git, state: State, answers: dict[bytes, Answer], removals: dict[Removed, int]
    ) -> None:
        self._git = git
        self._state = state
        self._answers = answers
        """Filled while git runs, which keeps the dates found before a failure."""
        self._removals = removals
        """When a file with a suffix was last removed from each directory, or moved out of or into
        it."""
        self._changed: dict[bytes, tuple[set[bytes], set[bytes]]] = {}

    def follow(self, names: dict[bytes, bytes]) -> None:
        """Read the log of the published branch until every name has an answer.

        The keys are the names at HEAD.

        Raises:
            GitError: git fails.
            ValueError: the log is not understood.
        """
        if not names:
            return
        places = pathspec(names)
        added = self._read(names, places)
        if places and (moved := self._moved_in(added)):
            self._read({at_head: name for at_head, name in names.items() if name in moved}, [])

    def _moved_in(self, added: Mapping[bytes, FileChange]) -> set[bytes]:
        """Return the added files that were moved from outside their top directory, which the log
        did not show.
        """
        if not added:
            return set()
        commits = sorted({change.commit.oid.decode() for change in added.values()})
        with closing(self._git.log("--no-walk", "--first-parent", "-m", *commits, "--")) as log:
            moved = {(change.commit.oid, change.new) for change in log if change.status == b"R"}
        return {name for name, change in added.items() if (change.commit.oid, change.new) in moved}

    def _read(self, names: Mapping[bytes, bytes], places: Sequence[str]) -> dict[bytes, FileChange]:
        """Read the log, and return the change that added each name, if one did."""
        added: dict[bytes, FileChange] = {}
        tops = set(map(_top, names))
        pending = dict(names)
        # --sparse also lists commits without changes, which saves git a second comparison of each
        # tree.
        options = ["--first-parent", "-m", "--sparse", self._state.head, "--", *places]
        with closing(self._git.log(*options)) as log:
            for commit, changes in groupby(log, attrgetter("commit")):
                for change in changes:
                    _, status, old, new = change
                    if status in b"DR" and not tops.isdisjoint([_top(old), _top(new)]):
                        self._note_removal(change)
                    if name := pending.pop(new, None):
                        if status == b"R":
                            pending[old] = name
                        elif answer := self._answer(commit, new, is_new=status in b"AC"):
                            self._answers[name] = answer
                            if status == b"A":
                                added[name] = change
                        else:
                            pending[new] = name
                if not pending:
                    break
        return added

    def _note_removal(self, change: FileChange) -> None:
        suffix = posixpath.splitext(os.fsdecode(change.old))[1]
        for place in {posixpath.dirname(os.fsdecode(name)) for name in (change.old, change.new)}:
            newest = self._removals.get((place, suffix), change.commit.when)
            self._removals[place, suffix] = max(change.commit.when, newest)

    def _answer(self, commit: Commit, name: bytes, *, is_new: bool) -> Answer | None:
        """Return the answer from a file's change, or None if it, or everything that a merge brought
        in, is ignored.
        """
        change = ContentChange(commit.when, commit.oid.decode(), is_new=is_new)
        shallow = Unknown(NoDate.SHALLOW, before=commit.when)
        if commit.oid in self._state.boundary:
            return shallow
        if is_new or commit.oid not in self._brought_in:
            return change
        if commit.oid in self._state.ignored:
            return None
        counted, ignored = self._changed_by(commit)
        if name in counted:
            return change
        if not self._state.boundary.isdisjoint(self._brought_in[commit.oid]):
            return shallow  # the change may be beyond the boundary, ignored or not
        return None if name in ignored else change

    def _changed_by(self, merge: Commit) -> tuple[set[bytes], set[bytes]]:
        """Return the files changed by the commits of a merge: in regular and in ignored commits."""
        if merge.oid not in self._changed:
            names = self._changed[merge.oid] = set(), set()
            branch = f"{merge.parents[0].decode()}..{merge.oid.decode()}"
            for commit, _, old, new in self._git.log("--no-merges", branch, "--"):
                if commit.oid not in self._state.boundary:
                    names[commit.oid in self._state.ignored].update((old, new))
        return self._changed[merge.oid]

    @cached_property
    def _brought_in(self) -> dict[bytes, set[bytes]]:
        """The commits that each published commit brought in, including itself, if any of them is
        ignored.
        """
        if not self._state.ignored:
            return {}
        output = self._git.run("rev-list", "--parents", self._state.head)
        parents = {oid: others for oid, *others in map(bytes.split, output.splitlines())}
        line = [self._state.head.encode()]
        while above := parents[line[-1]]:
            line.append(above[0])
        found: dict[bytes, set[bytes]] = {}
        reached: set[bytes] = set()
        for commit in reversed(line):
            brought_in, waiting = set(), [commit]
            while waiting:
                if (oid := waiting.pop()) not in reached:
                    reached.add(oid)
                    brought_in.add(oid)
                    waiting += parents[oid]
            if not brought_in.isdisjoint(self._state.ignored | self._state.boundary):
                found[commit] = brought_in
        return found


def pathspec(names: Iterable[bytes]) -> list[str]:
    """Return the common top directory of these files, or nothing for the whole repository.

    Git then compares only this directory, where a file that was moved into it looks new.
    """
    tops = set(map(_top, names))
    return [] if len(tops) > 1 or b"" in tops else list(map(os.fsdecode, tops))


def _top(name: bytes) -> bytes:
    return posixpath.dirname(name).partition(b"/")[0]
