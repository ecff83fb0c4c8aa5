"""What git proves: when each file got its present content, and when files left a directory, from one walk a repository.

The date of a file is that of the newest first-parent commit that gave it the content it has at HEAD: when the change
landed on the published line, not when somebody typed it on a branch. Exact renames are followed and are no change.
"""

import itertools
import os
import re
import shutil
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import AnyStr, Literal

from smindex_plugins.history.git import OLDEST, Commit, Commits, Git, GitError, WholeChanges
from smindex_plugins.history.places import Place, Places, Repository, read_oids

SILENCE = 60.0
"""Seconds without a word from git after which it counts as hung, once its answer is waited for."""

_DOCS_HEAVY = 0.9
"""From this share of the tracked files on, a walk without a pathspec is faster: git then compares trees once."""

_MOST_ROOTS = 16

_MOST_DOUBTS = 64
_MOST_SINCE = 250
"""Commits in doubt, and all since the first of them, after which git is asked about the ones in doubt."""


class Reason(StrEnum):
    """Why a page has no date, in words for a message."""

    UNTRACKED = "not committed to git"
    SHALLOW = "older than this shallow clone reaches"
    TREELESS = "in a treeless clone, which does not have what the commits changed"
    NO_REPOSITORY = "outside any git repository"
    NO_GIT = "git is not installed"
    OLD_GIT = f"read by a git older than {OLDEST}"
    DUBIOUS_OWNERSHIP = "in a repository that git distrusts, because another user owns it"
    UNREADABLE = "in a repository that git could not read to the end"
    NO_SOURCE = "generated, with no source file to date"
    FUTURE = "dated in the future"


@dataclass(frozen=True, slots=True)
class Change:
    """When a file got its present content: seconds since 1970, and the commit; ``is_new`` if that added the file."""

    when: int
    commit: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """The history does not prove when a file changed. ``before`` bounds it from above where something does."""

    reason: Reason
    before: int | None = None
    detail: str = ""
    repository: str = ""


Answer = Change | Unknown


class History:
    """The histories of all repositories that a site's sources come from; each is walked in a thread of its own.

    ``line`` is ``first-parent``, the published line, or ``full``, where a change counts from the commit on whichever
    branch that made it: what `git log -1 FILE` shows.
    """

    def __init__(
        self,
        *,
        date: Literal["committer", "author"] = "committer",
        line: Literal["first-parent", "full"] = "first-parent",
        ignore_revs_file: str | None = None,
    ) -> None:
        self._how = _How(date=date, is_full=line == "full", ignore_revs_file=ignore_revs_file)
        self._places = Places()
        self._walks: dict[str, list[_Walk]] = {}

    def start(self, files: Iterable[str]) -> None:
        """Begin to walk the repositories of these files (absolute paths) in the background."""
        self._begin(list(files))

    def refresh(self) -> None:
        """Forget the repositories whose HEAD, depth or ignored commits are others than when they were walked.

        A host that builds again and again calls this before each build. What is edited is told once for each HEAD.
        """
        self._places = Places()
        for root, walks in list(self._walks.items()):
            repository = Repository(root)
            state: _State = repository.head(), repository.boundary(), self._how.ignored(repository)
            if state[0] is None or any(walk.state != state for walk in walks):
                del self._walks[root]
            for walk in walks:
                walk.forget_edits()

    def repository(self, file: str) -> str | None:
        """Give the root of the repository that a file (absolute path) is in, or None."""
        return self._places.names(file)[0][-1][0]

    def dates(self, files: Iterable[str]) -> dict[str, Answer]:
        """Tell when each of these files (absolute paths) got its present content."""
        return {file: self._answer(*found) for file, found in self._begin(list(files)).items()}

    def edited(self, files: Iterable[str]) -> list[str]:
        """List those of these files (absolute paths) that differ from what is committed."""
        edited = {
            (root, name) for root, walks in self._walks.items() for walk in walks for name in walk.result().edited
        }
        return [file for file in files if edited and not edited.isdisjoint(self._places.names(file)[0])]

    def removals(self) -> dict[str, int]:
        """Give, by directory, when a source file was last removed from it or moved out of or into it."""
        newest: dict[str, int] = {}
        for walk in itertools.chain.from_iterable(self._walks.values()):
            for directory, when in walk.result().removals.items():
                path = os.path.join(walk.root, os.fsdecode(directory)).rstrip("/")
                newest[path] = max(when, newest.get(path, when))
        return newest

    def _begin(self, files: list[str]) -> dict[str, tuple[list[Place], list[Place]]]:
        """Find the places of files, and begin to walk what has not been walked for them."""
        expected = self._expect(files)
        found = {file: self._places.names(file) for file in files}
        wanted: dict[str, set[bytes]] = {}
        for places, directories in found.values():
            for root, name in places + directories if directories else places:
                if root is not None:
                    wanted.setdefault(root, set()).add(name)
        for root, names in wanted.items():
            walks = self._walks.setdefault(root, [])
            names.difference_update(*(walk.wanted for walk in walks))
            if names:
                walks.append(expected.pop(root) if root in expected else _Walk(Repository(root), self._how))
                walks[-1].start(names)
        for walk in expected.values():
            walk.close()
        return found

    def _expect(self, files: list[str]) -> "dict[str, _Walk]":
        """Let git begin in the directory that holds all the files, for it takes a while to find each one's place."""
        try:
            directory = _common_directory(files)
        except ValueError:  # there are none, or they are on several drives
            return {}
        root, name = self._places.directory(directory) if directory != files[0] else (None, b"")
        if root is None or root in self._walks:
            return {}
        walk = _Walk(Repository(root), self._how)
        # Git begins on the processor of who starts it. A thread that ends leaves it there by itself.
        beginning = threading.Thread(target=walk.expect, args=[name, len(files)])
        beginning.start()
        beginning.join()
        return {root: walk}

    def _answer(self, places: list[Place], directories: list[Place]) -> Answer:
        if len(places) == 1 and not directories:
            return self._lookup(*places[0])
        # A linked directory says where the content is, and not what, unless it has been made to point elsewhere.
        links = [answer for answer in itertools.starmap(self._lookup, directories) if isinstance(answer, Change)]
        moved = [link for link in links if not link.is_new]
        return newest([*itertools.starmap(self._lookup, places), *moved])

    def _lookup(self, root: str | None, name: bytes) -> Answer:
        if root is None:
            return Unknown(Reason.NO_REPOSITORY)
        walks = self._walks[root]
        walk = walks[0] if len(walks) == 1 else next(walk for walk in walks if name in walk.wanted)
        return walk.result().answers.get(name) or Unknown(Reason.UNREADABLE, detail="it could not be ended")


def newest(answers: Iterable[Answer]) -> Answer:
    """Date what has several sources: by its newest, unless one that is unknown may be newer still."""
    known: list[Change] = []
    unknown: list[Unknown] = []
    for answer in answers:
        (known if isinstance(answer, Change) else unknown).append(answer)  # type: ignore[arg-type]
    best = max(known, key=lambda change: change.when, default=None)
    for doubt in unknown:
        if best is None or doubt.before is None or doubt.before > best.when:
            return doubt
    return best or Unknown(Reason.NO_SOURCE)


_State = tuple[str | None, frozenset[bytes], frozenset[bytes]]
"""What the answers of a walk depend on: HEAD, or None where only git can tell it, and the commits at which a shallow
clone ends, and those that change no content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _How:
    """How histories are to be read, the same for every repository."""

    date: str
    is_full: bool
    ignore_revs_file: str | None

    def ignored(self, repository: Repository) -> frozenset[bytes]:
        """List the commits that change no content."""
        files = [".git-blame-ignore-revs", *filter(None, [self.ignore_revs_file])]
        configured: list[str] = []
        for file in repository.settings("blame.ignorerevsfile"):
            configured = [*configured, os.path.expanduser(file)] if file else []  # an empty name resets the list
        return frozenset().union(*(read_oids(os.path.join(repository.root, file)) for file in [*files, *configured]))


@dataclass(slots=True)
class _Result:
    """What a walk has found so far."""

    answers: dict[bytes, Answer] = field(default_factory=dict)
    removals: dict[bytes, int] = field(default_factory=dict)
    edited: set[bytes] = field(default_factory=set)


class _Walk:
    """One repository's history, walked for the names that are wanted."""

    def __init__(self, repository: Repository, how: _How) -> None:
        self.root = repository.root
        self.wanted: set[bytes] = set()
        self._repository = repository
        # As it is before git begins: what it finds if they change now may not pass for the newer state's.
        self._head, self._boundary = repository.head(), repository.boundary()
        self._ignored: frozenset[bytes] = frozenset()
        self._how = how
        self._git: Git | None = None
        self._expected: tuple[list[bytes], Commits] | None = None
        self._result = _Result()
        self._thread = threading.Thread(target=self._run, name=f"git-history {self.root}", daemon=True)

    @property
    def state(self) -> _State:
        """What its answers depend on."""
        return self._head, self._boundary, self._ignored

    def expect(self, directory: bytes, files: int) -> None:
        """Begin the log that this many files in a directory need, if nothing else is going to be wanted."""
        roots = [] if self._is_most(files) else [directory]
        if roots != [b""]:
            with suppress(GitError, OSError):  # it will be tried again, by who can tell of it
                self._expected = roots, self._log(self._open(), roots)

    def close(self) -> None:
        """End what git still has running."""
        if self._git:
            self._git.close()

    def start(self, wanted: set[bytes]) -> None:
        """Begin in the background."""
        self.wanted = wanted
        self._ignored = self._how.ignored(self._repository)
        self._thread.start()

    def result(self) -> _Result:
        """Wait for the end, or until git has been silent for too long."""
        while self._thread.is_alive():
            self._thread.join(SILENCE / 10)
            if self._git and self._thread.is_alive() and self._git.silence() > SILENCE:
                self._git.stop(f"it said nothing for {SILENCE:g} seconds, and was ended")
                self._thread.join(SILENCE / 10)
                break
        return self._result

    def forget_edits(self) -> None:
        """Let what was edited at the time of the walk be told no more."""
        self.result().edited.clear()

    def _run(self) -> None:
        spelling = self._repository.spelling(self.wanted)
        names = {spelling.get(name, name) for name in self.wanted}
        rest = Unknown(Reason.UNTRACKED)
        try:
            self._walk(names)
        except (GitError, OSError) as error:
            rest = self._explain(str(error))
        finally:
            self.close()
        answers = self._result.answers
        answers.update({name: answers.get(spelling.get(name, name), rest) for name in self.wanted})

    def _walk(self, names: set[bytes]) -> None:
        roots = self._pathspec(names)
        git, commits = self._begin(roots)
        ignored = self._ignored
        edited = None if ignored else git.edited(roots)  # while the topology is read, there is no room for it
        sides = _side_commits(git.topology(), ignored) if ignored and not self._how.is_full else {}
        tracker = _Tracker(names, roots, _Exempt(git, self._boundary, ignored, sides), self._result)
        self._follow(commits, tracker)
        while restart := tracker.restart():
            self._follow(self._log(git, *restart), tracker)
        self._result.edited = (edited or git.edited(roots)).names()

    def _begin(self, roots: list[bytes]) -> tuple[Git, Commits]:
        expected, self._expected = self._expected, None
        if self._git and expected and expected[0] == roots:
            return self._git, expected[1]
        self.close()
        git = self._open()
        return git, self._log(git, roots)

    def _open(self) -> Git:
        executable = shutil.which("git")
        if executable is None:
            message = "git is not installed"
            raise GitError(message)
        self._git = Git(executable, self.root)
        return self._git

    def _log(self, git: Git, roots: list[bytes], start: bytes = b"HEAD") -> Commits:
        date = self._how.date
        return git.all_commits(date=date) if self._how.is_full else git.first_parents(roots, date=date, start=start)

    def _follow(self, commits: Commits, tracker: "_Tracker") -> None:
        """Go back until every name has its answer, or one is found to come from where this log does not look."""
        see = tracker.see_any if self._how.is_full else tracker.see
        with closing(commits):
            try:
                for commit in commits:
                    see(commit)
                    if tracker.is_done():
                        return
            except GitError:
                with suppress(GitError):  # another process of git's may still answer what was asked before
                    tracker.decide()
                raise
        tracker.decide()

    def _pathspec(self, names: set[bytes]) -> list[bytes]:
        roots = [] if self._is_most(len(names)) else _common_roots(names)
        return roots if len(roots) <= _MOST_ROOTS else []

    def _is_most(self, files: int) -> bool:
        """Tell whether a walk for so many files needs no pathspec."""
        return self._how.is_full or files >= _DOCS_HEAVY * self._repository.tracked()

    def _explain(self, message: str) -> Unknown:
        if self._git and self._git.stopped:
            message = self._git.stopped
        detail = message.partition("\n")[0]
        reason = next((reason for pattern, reason in _FAILURES.items() if re.search(pattern, message)), None)
        if reason is None:
            reason = Reason.TREELESS if self._repository.lacks_trees() else Reason.UNREADABLE
        detail = "" if reason in {Reason.NO_GIT, Reason.UNTRACKED, Reason.DUBIOUS_OWNERSHIP} else detail
        return Unknown(reason, detail=detail, repository=self.root)


_FAILURES = {
    r"dubious ownership|unsafe repository": Reason.DUBIOUS_OWNERSHIP,
    r"not a git repository": Reason.NO_REPOSITORY,
    r"(ambiguous argument|bad revision) 'HEAD'|does not have any commits": Reason.UNTRACKED,
    r"unrecognized argument|unknown option|unknown switch|^usage:": Reason.OLD_GIT,
    r"git is not installed": Reason.NO_GIT,
}
"""What git says, and what that means for the files that have no date yet."""


def _side_commits(topology: Iterable[Commit], ignored: frozenset[bytes]) -> dict[bytes, list[Commit]]:
    """Give, for each first-parent merge that brought in an ignored commit, all that it brought in but merges.

    A commit came in by the oldest commit of the first-parent line that it is an ancestor of. Every commit comes after
    all of its children, so that one is known when the commit comes.
    """
    line: list[bytes] = []
    owners: dict[bytes, int] = {}
    sides: dict[int, list[Commit]] = {}
    following: bytes | None = None
    for commit in topology:
        if following in {None, commit.oid}:
            owners.pop(commit.oid, None)
            owner = len(line)
            line.append(commit.oid)
            following = commit.parents[0] if commit.parents else b""
        else:
            owner = owners.pop(commit.oid, len(line) - 1)
            if len(commit.parents) <= 1:
                sides.setdefault(owner, []).append(commit)
        for parent in commit.parents:
            owners[parent] = max(owner, owners.get(parent, owner))
    return {line[at]: side for at, side in sides.items() if not ignored.isdisjoint(commit.oid for commit in side)}


class _Exempt:
    """Which commits prove nothing, and which change nothing."""

    def __init__(
        self, git: Git, boundary: frozenset[bytes], ignored: frozenset[bytes], sides: dict[bytes, list[Commit]]
    ) -> None:
        self.boundary = boundary
        self._git = git
        self._ignored = ignored
        self._sides = sides
        self._names: dict[bytes, set[bytes]] = {}
        self._whole_changes: WholeChanges | None = None

    def prepare(self) -> WholeChanges:
        """Start what answers for whole commits, for it will be asked soon, and git takes a while to begin."""
        if self._whole_changes is None:
            self._whole_changes = self._git.whole_changes()
        return self._whole_changes

    def whole(self, commits: Iterable[Commit], parent: int = 0) -> Iterator[Commit]:
        """Give commits with all that they changed, outside the pathspec too."""
        return self.prepare().of(commits, parent)

    def is_ignored(self, commit: Commit, name: bytes) -> bool:
        """Tell whether a change of a name does not count: its commit is listed, or all that it brought in for it is."""
        if commit.oid in self._ignored:
            return True
        if commit.oid not in self._sides:
            return False
        if commit.oid not in self._names:
            self._names[commit.oid] = self._only_ignored(self._sides[commit.oid])
        return name in self._names[commit.oid]

    def _only_ignored(self, side: list[Commit]) -> set[bytes]:
        by_ignored: set[bytes] = set()
        by_others: set[bytes] = set()
        for commit in self.whole(side):
            names = by_ignored if commit.oid in self._ignored else by_others
            for _, old, new in commit.entries():
                names |= {old, new}
        return by_ignored - by_others


_Names = dict[bytes, list[bytes]]
"""By the name that a file has at some point of history: the names that it has at HEAD."""


class _Tracker:
    """Follows the wanted names back through history, from commit to parent, until something gave them their content."""

    def __init__(self, wanted: set[bytes], roots: list[bytes], exempt: _Exempt, result: _Result) -> None:
        self._result = result
        self._roots = roots
        self._prefixes = tuple(root + b"/" for root in roots)
        self._exempt = exempt
        self._open = len(wanted)
        self._next: _Names = {name: [name] for name in wanted}
        """The names to which the next commit of the log may have given their content."""
        self._at: dict[bytes, _Names] = {}
        """By commit: the names that wait until the log comes to it."""
        self._last: Commit | None = None
        self._suffixes = tuple({os.path.splitext(name)[1] for name in wanted} - {b""})
        self._doubts: list[tuple[Commit, _Names]] = []
        """Names that a commit added within the pathspec, or moved in from outside: only the whole commit tells."""
        self._doubtful = 0
        self._seen_in_doubt = 0
        self._restart_at = b""

    def is_done(self) -> bool:
        """Tell whether every name has its answer, or nothing more is to be had from the log that is read."""
        if self._open == self._doubtful:
            self.decide()
        return not self._open or bool(self._restart_at)

    def restart(self) -> tuple[list[bytes], bytes] | None:
        """Give the directories and the commit for the next log, if this one was blind for a name that is open."""
        start, self._restart_at = self._restart_at, b""
        if not (start and self._last and self._open):
            return None
        self._go_on(self._last, self._next)
        self._next = {}
        return self._roots, start

    def see(self, commit: Commit) -> None:
        """Take in the next commit of the line."""
        if self._at:
            self._next = self._waiting_for(commit)
        self._follow(commit, self._next)
        self._last = commit
        if self._doubts:
            self._seen_in_doubt += 1
            if len(self._doubts) == _MOST_DOUBTS or self._seen_in_doubt == _MOST_SINCE:
                self.decide()

    def see_any(self, commit: Commit) -> None:
        """Take in a commit of the full history, which is given before its parents."""
        names = self._waiting_for(commit)
        self._next = {}
        if len(commit.parents) > 1:
            self._follow_merge(commit, names)
        else:
            self._follow(commit, names)
            self._go_on(commit, names)

    def decide(self) -> None:
        """Ask what the commits in doubt did; what they moved in waits for another log, from there on."""
        if not self._doubts:
            return
        doubts, self._doubts, self._doubtful, self._seen_in_doubt = self._doubts, [], 0, 0
        for commit, (_, names) in zip(self._exempt.whole(commit for commit, _ in doubts), doubts, strict=True):
            self._follow(commit, names)
            if names:
                self._look_for(names)
                self._go_on(commit, names)
                self._restart_at = self._restart_at or commit.parents[0]

    def _look_for(self, names: Iterable[bytes]) -> None:
        """Add the directories of names to the pathspec."""
        outside = {name.partition(b"/")[0] for name in names if not self._is_inside(name)}
        roots = [*self._roots, *sorted(outside)]
        self._roots = roots if len(roots) <= _MOST_ROOTS else []
        self._prefixes = tuple(root + b"/" for root in self._roots)

    def _follow_merge(self, commit: Commit, names: _Names) -> None:
        """Let a name that is the same in a parent of a merge go on to that parent."""
        if not names:
            return
        changes = [_by_name(*self._exempt.whole([commit]))]
        different = {name: names.pop(name) for name in changes[0] if name in names}
        self._go_on(commit, names)
        if different:  # beside its other parents a merge has changed whatever the line did meanwhile: git takes long
            others = range(1, len(commit.parents))
            changes += [_by_name(*self._exempt.whole([commit], number)) for number in others]
        for name, heads in different.items():
            origin = _origin(name, commit, changes)
            if origin:
                self._wait(origin[0], {origin[1]: heads})
            else:
                self._settle(heads, Change(commit.when, commit.oid.decode(), is_new=changes[0][name][0] == b"A"))

    def _waiting_for(self, commit: Commit) -> _Names:
        there = self._at.pop(commit.oid, None)
        return _united(there, self._next) if there else self._next

    def _go_on(self, commit: Commit, names: _Names) -> None:
        for parent in commit.parents[:1]:
            self._wait(parent, names)

    def _wait(self, commit: bytes, names: _Names) -> None:
        if names:
            self._at[commit] = _united(self._at[commit], names) if commit in self._at else names

    def _follow(self, commit: Commit, names: _Names) -> None:
        if not (commit.has_removals or commit.touches(names)):
            return
        moved: _Names = {}
        added: _Names = {}
        in_doubt = self._may_have_moved_in(commit)
        for status, old, new in commit.entries():
            if status in {b"D", b"R"}:
                self._removed(commit, old, new)
            if status == b"R":
                self._settle(names.pop(old, []), Unknown(Reason.UNTRACKED))
                if new in names:
                    moved[old] = names.pop(new)
            elif new in names and status == b"A" and in_doubt:
                added[new] = names.pop(new)
            elif new in names:
                self._changed(commit, status, new, names)
        names |= moved
        if added:
            self._exempt.prepare()
            self._doubts.append((commit, added))
            self._doubtful += sum(map(len, added.values()))

    def _may_have_moved_in(self, commit: Commit) -> bool:
        """Tell whether what was added may have come, unchanged, from outside the pathspec."""
        return bool(self._roots and commit.parents) and not commit.is_whole

    def _changed(self, commit: Commit, status: bytes, name: bytes, names: _Names) -> None:
        if status == b"D":  # on disk, but no longer in git
            self._settle(names.pop(name), Unknown(Reason.UNTRACKED))
        elif commit.oid in self._exempt.boundary:
            self._settle(names.pop(name), Unknown(Reason.SHALLOW, before=commit.when))
        elif status in b"AC" or not self._exempt.is_ignored(commit, name):
            self._settle(names.pop(name), Change(commit.when, commit.oid.decode(), is_new=status in b"AC"))

    def _removed(self, commit: Commit, old: bytes, new: bytes) -> None:
        if old.endswith(self._suffixes) and (self._is_inside(old) or self._is_inside(new)):
            removals = self._result.removals
            for directory in {os.path.dirname(old), os.path.dirname(new)}:
                removals[directory] = max(commit.when, removals.get(directory, commit.when))

    def _is_inside(self, name: bytes) -> bool:
        return not self._roots or (name + b"/").startswith(self._prefixes)

    def _settle(self, heads: list[bytes], answer: Answer) -> None:
        self._open -= len(heads)
        self._result.answers.update(dict.fromkeys(heads, answer))


def _united(names: _Names, others: _Names) -> _Names:
    more, fewer = (names, others) if len(names) > len(others) else (others, names)
    for name, heads in fewer.items():
        more[name] = more.get(name, []) + heads
    return more


def _by_name(commit: Commit) -> dict[bytes, tuple[bytes, bytes]]:
    """Give by new name how a commit changed it and its old name; a name that was moved away is deleted."""
    changes: dict[bytes, tuple[bytes, bytes]] = {}
    for status, old, new in commit.entries():
        if status == b"R":
            changes.setdefault(old, (b"D", old))
        changes[new] = (status, old)
    return changes


def _origin(name: bytes, merge: Commit, changes: list[dict[bytes, tuple[bytes, bytes]]]) -> tuple[bytes, bytes] | None:
    """Give the parent from which a merge has a name as it is, or exactly renamed, and its name there."""
    for parent, changed in zip(merge.parents, changes, strict=True):
        if name not in changed:
            return parent, name
    for parent, changed in zip(merge.parents, changes, strict=True):
        if changed[name][0] == b"R":
            return parent, changed[name][1]
    return None


def _common_roots(names: set[bytes]) -> list[bytes]:
    """Give the few directories, or files at the root, that hold all the names."""
    tops = {name.partition(b"/")[0] for name in names}
    if len(tops) > 1:
        return sorted(tops)
    common = _common_directory(names) if names else b""
    return [common] if common else []


def _common_directory(names: Collection[AnyStr]) -> AnyStr:
    """Give the deepest directory that holds all of these; what the first and the last have in common, all have."""
    return os.path.commonpath([min(names), max(names)])
