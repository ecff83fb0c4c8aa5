"""Follows files back through the log of a repository, to the commit that gave each its content.

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
        if not places:  # the log showed the whole repository
            return
        moved = self._moved_in(added)
        if moved:
            moved_names = {at_head: name for at_head, name in names.items() if name in moved}
            self._read(moved_names, [])

    def _moved_in(self, added: Mapping[bytes, FileChange]) -> set[bytes]:
        """Return the added files that were moved from outside the directory that the log showed."""
        if not added:
            return set()
        commits = {change.commit.oid.decode() for change in added.values()}
        options = ["--no-walk", "--first-parent", "-m", *sorted(commits), "--"]
        with closing(self._git.log(*options)) as log:
            renames = [change for change in log if change.status == b"R"]
        moves = {(change.commit.oid, change.new) for change in renames}
        moved = set()
        for name, change in added.items():
            if (change.commit.oid, change.new) in moves:
                moved.add(name)
        return moved

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
                    name = pending.pop(new, None)
                    if not name:
                        continue
                    if status == b"R":
                        pending[old] = name
                        continue
                    answer = self._answer(commit, new, is_new=status in b"AC")
                    if not answer:
                        pending[new] = name
                        continue
                    self._answers[name] = answer
                    if status == b"A":
                        added[name] = change
                if not pending:
                    break
        return added

    def _note_removal(self, change: FileChange) -> None:
        when = change.commit.when
        old = os.fsdecode(change.old)
        new = os.fsdecode(change.new)
        _, suffix = posixpath.splitext(old)
        for directory in {posixpath.dirname(old), posixpath.dirname(new)}:
            newest = self._removals.get((directory, suffix), when)
            self._removals[directory, suffix] = max(when, newest)

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
        if merge.oid in self._changed:
            return self._changed[merge.oid]
        counted: set[bytes] = set()
        ignored: set[bytes] = set()
        self._changed[merge.oid] = counted, ignored
        before = merge.parents[0].decode()
        branch = f"{before}..{merge.oid.decode()}"
        for commit, _, old, new in self._git.log("--no-merges", branch, "--"):
            if commit.oid in self._state.boundary:
                continue
            if commit.oid in self._state.ignored:
                ignored.update((old, new))
            else:
                counted.update((old, new))
        return counted, ignored

    @cached_property
    def _brought_in(self) -> dict[bytes, set[bytes]]:
        """The commits that each published commit brought in, including itself, if any of them is
        ignored.
        """
        if not self._state.ignored:
            return {}
        output = self._git.run("rev-list", "--parents", self._state.head)
        lines = output.splitlines()
        parents = {oid: others for oid, *others in map(bytes.split, lines)}
        published = [self._state.head.encode()]
        while above := parents[published[-1]]:
            published.append(above[0])
        special = self._state.ignored | self._state.boundary
        found: dict[bytes, set[bytes]] = {}
        reached: set[bytes] = set()
        for commit in reversed(published):
            brought_in = set()
            waiting = [commit]
            while waiting:
                oid = waiting.pop()
                if oid in reached:
                    continue
                reached.add(oid)
                brought_in.add(oid)
                waiting += parents[oid]
            if not brought_in.isdisjoint(special):
                found[commit] = brought_in
        return found


def pathspec(names: Iterable[bytes]) -> list[str]:
    """Return the common top directory of these files, or nothing for the whole repository.

    Git then compares only this directory, where a file that was moved into it looks new.
    """
    tops = set(map(_top, names))
    if len(tops) > 1 or b"" in tops:
        return []
    return [os.fsdecode(top) for top in tops]


def _top(name: bytes) -> bytes:
    return posixpath.dirname(name).partition(b"/")[0]
