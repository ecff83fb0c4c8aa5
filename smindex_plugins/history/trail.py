"""Follows names back through commits, to the commit that gave each file its present content.

The date of a file is the date of the newest first-parent commit that gave it the content it has at HEAD. That is when
the change landed on the published line, not when somebody typed it on a branch. Exact renames are followed and do not
count as changes.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field

from smindex_plugins.history.answers import Answer, Change, Reason, Unknown
from smindex_plugins.history.git import Commit, Commits, Git, GitError
from smindex_plugins.history.places import State

_MOST_ROOTS = 16
"""The most directories in a pathspec. With more, the whole repository is read instead."""

_GONE = Unknown(Reason.UNTRACKED)
"""The answer for a file that is on disk but no longer in git."""

_Names = dict[bytes, list[bytes]]
"""The names at HEAD, by the name that a file had at some point of its history."""


@dataclass(slots=True)
class Found:
    """The results so far."""

    answers: dict[bytes, Answer] = field(default_factory=dict)
    removals: dict[bytes, int] = field(default_factory=dict)
    """For each directory: when a source file was last removed from it, or moved out of or into it."""
    edited: set[bytes] = field(default_factory=set)


class Trail:
    """The wanted names of one repository, on their way back from HEAD."""

    def __init__(
        self,
        git: Git,
        state: State,
        wanted: set[bytes],
        *,
        roots: list[bytes],
        found: Found,
        suffixes: tuple[bytes, ...],
        only_added: bool = False,
    ) -> None:
        self._git = git
        self._state = state
        self._roots = roots
        self._found = found
        self._only_added = only_added
        self._waiting: dict[bytes, _Names] = {state.head: {name: [name] for name in wanted}}
        """For each commit: the names whose content comes from it or an earlier one."""
        self._suffixes = suffixes
        """The suffixes of files whose removal matters."""
        self._sides: dict[bytes, list[bytes]] = {}
        self._only_ignored: dict[bytes, set[bytes]] = {}

    def follow_first_parents(self, log: Commits) -> None:
        """Read the log of the published line to its end, or until every name has an answer.

        A name that a commit added within the pathspec may have been moved in from outside: that is asked once, for all
        such commits, when the log is read. What was moved in is followed from there in another log.
        """
        if self._state.ignored:
            self._sides = _side_commits(self._git.topology(self._state.head), self._state.ignored)
        waiting = self._follow_line(log, self._waiting)
        while waiting:
            log = self._git.first_parents(next(iter(waiting)), self._roots)
            waiting = self._follow_line(log, waiting)

    def follow_all_parents(self, log: Commits) -> None:
        """Read the log of the whole history, in which every commit comes before its parents."""
        waiting = self._waiting
        with closing(log):
            for commit in log:
                names = waiting.pop(commit.oid, {})
                if len(commit.parents) > 1:
                    went_on = list(self._follow_merge(commit, names))
                else:
                    self._follow(commit, names)
                    went_on = [(parent, names) for parent in commit.parents]
                for parent, others in went_on:
                    fewer, more = sorted([waiting.pop(parent, {}), others], key=len)
                    more |= {name: heads + more.get(name, []) for name, heads in fewer.items()}
                    if more:
                        waiting[parent] = more
                if not waiting:
                    return

    def _follow_line(self, log: Commits, waiting: dict[bytes, _Names]) -> dict[bytes, _Names]:
        """Follow names from their commits. Return the names that wait for another log, in the same form."""
        names: _Names = {}
        doubts: list[tuple[Commit, _Names]] = []
        try:
            with closing(log):
                for commit in log:
                    if waiting:
                        names |= waiting.pop(commit.oid, {})
                    if added := self._follow(commit, names, may_have_moved=bool(self._roots)):
                        doubts.append((commit, added))
                    if not names and not waiting:
                        break
        except GitError:
            with suppress(GitError):  # another process of git's may still answer what was asked before
                self._decide(doubts)
            raise
        return self._decide(doubts)

    def _decide(self, doubts: list[tuple[Commit, _Names]]) -> dict[bytes, _Names]:
        """Ask git about the unclear commits. Return the names that they moved in, by the commit to continue from."""
        waiting: dict[bytes, _Names] = {}
        commits = self._git.whole(b"%s %s" % (commit.oid, commit.parents[0]) for commit, _ in doubts)
        for commit, (_, names) in zip(commits, doubts, strict=True):
            self._follow(commit, names)
            if names:
                waiting[commit.parents[0]] = names
                outside = {name.partition(b"/")[0] for name in names if not self._is_inside(name)}
                self._roots = [*self._roots, *sorted(outside)]
        return waiting

    def _follow(self, commit: Commit, names: _Names, *, may_have_moved: bool = False) -> _Names:
        """Settle or rename what a commit changed. Return what it added, if that may have been moved in."""
        added: _Names = {}
        if not commit.concerns(names):
            return added
        moved: _Names = {}
        oid = commit.oid.decode()
        addition, change = (Change(commit.when, oid, is_new=is_new) for is_new in (True, False))  # shared by all names
        for status, old, new in commit.entries():
            if status in b"DR":
                self._note_removal(commit, old, new)
                self._settle(names.pop(old, []), _GONE)
            if new not in names:
                continue
            heads = names.pop(new)
            if status == b"R":
                moved[old] = heads
            elif status == b"A" and may_have_moved and commit.parents:
                added[new] = heads
            elif commit.oid in self._state.boundary:
                self._settle(heads, Unknown(Reason.SHALLOW, before=commit.when))
            elif status in b"AC" or not (self._only_added or self._is_ignored(commit, new)):
                self._settle(heads, addition if status in b"AC" else change)
            else:
                moved[new] = heads
        names |= moved
        return added

    def _follow_merge(self, merge: Commit, names: _Names) -> Iterator[tuple[bytes, _Names]]:
        """Yield each parent of a merge with its unchanged names. Settle the names that differ from all parents."""
        changes: list[dict[bytes, tuple[bytes, bytes]]] = []
        for parent in merge.parents:
            if names:  # beside its later parents a merge has changed whatever the line did meanwhile: git takes long
                changes.append(self._changes(merge, parent))
                yield parent, {name: names.pop(name) for name in names.keys() - changes[-1].keys()}
        for parent, changed in zip(merge.parents, changes, strict=False):
            moved = {name: changed[name][1] for name in names if changed[name][0] == b"R"}
            yield parent, {old: names.pop(name) for name, old in moved.items()}
        for name, heads in names.items():
            status = changes[0][name][0]
            change = Change(merge.when, merge.oid.decode(), is_new=status == b"A")
            self._settle(heads, _GONE if status == b"D" else change)

    def _changes(self, merge: Commit, parent: bytes) -> dict[bytes, tuple[bytes, bytes]]:
        """Return how a merge changed each new name, and its old name. A name that was moved away counts as deleted."""
        changes: dict[bytes, tuple[bytes, bytes]] = {}
        for commit in self._git.whole([b"%s %s" % (merge.oid, parent)]):
            for status, old, new in commit.entries():
                if status == b"R":
                    changes.setdefault(old, (b"D", old))
                changes[new] = (status, old)
        return changes

    def _is_ignored(self, commit: Commit, name: bytes) -> bool:
        """Whether to ignore a change of a name: its commit is listed, or everything that it brought in is."""
        ignored = self._state.ignored
        if commit.oid in self._sides and commit.oid not in self._only_ignored:
            names: dict[bool, set[bytes]] = {True: set(), False: set()}
            for side in self._git.whole(self._sides[commit.oid]):
                names[side.oid in ignored].update(name for _, *both in side.entries() for name in both)
            self._only_ignored[commit.oid] = names[True] - names[False]
        return commit.oid in ignored or name in self._only_ignored.get(commit.oid, ())

    def _note_removal(self, commit: Commit, old: bytes, new: bytes) -> None:
        if old.endswith(self._suffixes) and (self._is_inside(old) or self._is_inside(new)):
            removals = self._found.removals
            for directory in {os.path.dirname(old), os.path.dirname(new)}:
                removals[directory] = max(commit.when, removals.get(directory, commit.when))

    def _is_inside(self, name: bytes) -> bool:
        return not self._roots or any((name + b"/").startswith(root + b"/") for root in self._roots)

    def _settle(self, heads: list[bytes], answer: Answer) -> None:
        self._found.answers.update(dict.fromkeys(heads, answer))


def _side_commits(topology: Iterable[Commit], ignored: frozenset[bytes]) -> dict[bytes, list[bytes]]:
    """Return the commits, except merges, that each first-parent merge with an ignored commit brought in.

    A commit came in by the oldest commit of the first-parent line that it is an ancestor of. Every commit comes after
    all of its children, so that one is known when the commit comes. The first parent of one is the next of the line.
    """
    line: list[bytes] = []
    owners: dict[bytes, int] = {}
    sides: dict[int, list[bytes]] = {}
    for commit in topology:
        owner = owners.pop(commit.oid, 0)
        is_on_line = owner == len(line)
        if is_on_line:
            line.append(commit.oid)
        elif len(commit.parents) <= 1:
            sides.setdefault(owner, []).append(commit.oid)
        for number, parent in enumerate(commit.parents):
            came_in = owner + 1 if is_on_line and number == 0 else owner
            owners[parent] = max(came_in, owners.get(parent, 0))
    return {line[at]: side for at, side in sides.items() if not ignored.isdisjoint(side)}


def pathspec(names: set[bytes]) -> list[bytes]:
    """Return the few directories or root files that hold all the names. Empty means the whole repository."""
    tops = {name.partition(b"/")[0] for name in names}
    if len(tops) > 1:
        return sorted(tops) if len(tops) <= _MOST_ROOTS else []
    common = os.path.commonpath([min(names), max(names)]) if names else b""
    return [common] if common else []
