"""The histories of all repositories with a site's sources. Each is read in its own thread."""

import itertools
import os
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from typing import Literal

from smindex_plugins.history import git
from smindex_plugins.history.answers import Answer, Change, Reason, Unknown, newest
from smindex_plugins.history.git import Git, GitError
from smindex_plugins.history.landing import Landing, land
from smindex_plugins.history.places import Place, Places, Repository, State, spelling, wrong_revisions
from smindex_plugins.history.trail import Found, Trail, pathspec
from smindex_plugins.model import Finding

_DOCS_HEAVY = 0.9
"""From this share of the tracked files on, a log without a pathspec is faster, because git compares trees only once."""


_AT_ONCE = 200
"""The most names in one question to git. The longest names still fit into a command line."""

_LONGEST_DETAIL = 300
"""The most characters of git's own words in a message."""

_UNTRACKED = Unknown(Reason.UNTRACKED)
_OUTSIDE = Unknown(Reason.NO_REPOSITORY)
_ENDING = 6.0
"""Seconds that a walk has for its last words when its git was ended."""


_Found = tuple[list[Place], list[Place]]
"""The places of a file, and of linked directories above it."""


class History:
    """The histories of all repositories with a site's sources. Each is read in its own thread.

    ``line`` is ``first-parent`` for the published line, or ``full``: then a change has the date of its own commit, on
    whatever branch, as `git log -1 FILE` shows it. With ``only_added``, changes after a file was added do not count.
    """

    def __init__(
        self,
        *,
        date: Literal["committer", "author"] = "committer",
        line: Literal["first-parent", "full"] = "first-parent",
        ignore_revs_file: str | None = None,
        only_added: bool = False,
    ) -> None:
        self._date = date
        self._is_full = line == "full"
        self._ignore_revs_file = ignore_revs_file
        self._only_added = only_added
        self._places = Places()
        self._walks: dict[str, list[_Walk]] = {}
        self._found: dict[str, _Found] = {}

    def start(self, files: Iterable[str], parts: Iterable[str] = ()) -> None:
        """Begin to read the histories of these files (absolute paths) in the background. See `dates`."""
        self._found |= self._begin(files, parts)

    def refresh(self) -> None:
        """Forget the repositories whose HEAD, depth or ignored commits have changed since they were read.

        A host that builds again and again calls this before each build. What is edited is told once for each HEAD.
        """
        self._places, self._found = Places(), {}
        for root, walks in list(self._walks.items()):
            for walk in walks:
                walk.result().edited.clear()
            state = self._state(root)
            if state is None or any(walk.state != state for walk in walks):
                del self._walks[root]

    def repository(self, file: str) -> str | None:
        """Return the root of the repository of a file (absolute path), or None."""
        return self._places.names(file)[0][-1][0]

    def dates(self, files: Iterable[str], parts: Iterable[str] = ()) -> dict[str, Answer]:
        """Return when each of these files (absolute paths) got its present content.

        ``parts`` are files too, but they cannot be pages by themselves, so their removal does not matter.
        """
        found = self._begin(files, parts)
        if not self._found:
            self._found = {}  # for an empty dictionary keeps the memory of all that was in it
        return {file: self._answer(*places) for file, places in found.items()}

    def arrivals(self, files: Iterable[str]) -> dict[str, Answer]:
        """Return when each of these files (absolute paths) was added. This needs one more log."""
        line: Literal["first-parent", "full"] = "full" if self._is_full else "first-parent"
        return History(date=self._date, line=line, only_added=True).dates(files)

    def edited(self, files: Iterable[str]) -> list[str]:
        """Return those of these files (absolute paths) that differ from what is committed."""
        edited = {
            (root, name) for root, walks in self._walks.items() for walk in walks for name in walk.result().edited
        }
        return [file for file in files if edited and not edited.isdisjoint(self._places.names(file)[0])]

    def removals(self) -> dict[str, int]:
        """Return for each directory when a source file was last removed from it, or moved out of or into it."""
        newest: dict[str, int] = {}
        for walk in itertools.chain.from_iterable(self._walks.values()):
            for directory, when in walk.result().removals.items():
                path = os.path.join(walk.root, os.fsdecode(directory)).rstrip("/")
                newest[path] = max(when, newest.get(path, when))
        return newest

    def landing(self, file: str, commit: str) -> Landing | None:
        """Return how the change of a file came to the published line, or None where git does not tell."""
        root, name = self._places.names(file)[0][-1]
        with suppress(GitError, OSError), closing(Git(root or os.curdir)) as asked:
            return land(asked, name, commit) if root else None
        return None

    def wrong_revisions(self, beside: str = "") -> Iterator[Finding]:
        """Return what is wrong with the lists of ignored commits in the repositories that were read."""
        states = {root: next((walk.state for walk in walks if walk.state), None) for root, walks in self._walks.items()}
        lists = {root: state.lists if state else () for root, state in states.items()}
        return wrong_revisions(lists, self._ignore_revs_file, beside)

    def _state(self, root: str) -> State | None:
        with suppress(GitError, OSError), closing(Git(root)) as asked:
            return Repository(asked, self._ignore_revs_file).state
        return None

    def _begin(self, files: Iterable[str], parts: Iterable[str] = ()) -> dict[str, _Found]:
        """Find the places of files, and begin to read the histories that have not been read for them."""
        found = {file: self._place(file) for file in files}
        wanted = telling = _by_root(found.values())
        if others := [part for part in parts if part not in found]:
            found |= {part: self._place(part) for part in others}
            wanted = _by_root(found.values())
        for root, names in wanted.items():
            walks = self._walks.setdefault(root, [])
            suffixes = tuple({os.path.splitext(name)[1] for name in telling.get(root, ())} - {b""})
            names.difference_update(*(walk.wanted for walk in walks))
            if names:
                git_there, line = Git(root, self._date), {"is_full": self._is_full, "only_added": self._only_added}
                walks.append(_Walk(git_there, names, self._ignore_revs_file, suffixes, **line))
        return found

    def _place(self, file: str) -> _Found:
        """Return where a file is. What `start` found serves once, because there may be millions of files."""
        return self._found.pop(file) if file in self._found else self._places.names(file)

    def _answer(self, places: list[Place], directories: list[Place]) -> Answer:
        if len(places) == 1 and not directories:
            return self._lookup(*places[0])
        # A linked directory says where the content is, and not what, unless it has been made to point elsewhere.
        links = [answer for answer in itertools.starmap(self._lookup, directories) if isinstance(answer, Change)]
        moved = [link for link in links if not link.is_new]
        return newest([*itertools.starmap(self._lookup, places), *moved])

    def _lookup(self, root: str | None, name: bytes) -> Answer:
        if root is None:
            return _OUTSIDE
        walks = self._walks[root]
        walk = walks[0] if len(walks) == 1 else next(walk for walk in walks if name in walk.wanted)
        return walk.result().answers.get(name) or Unknown(Reason.UNREADABLE, detail="it could not be ended")


def _by_root(places: Iterable[_Found]) -> dict[str, set[bytes]]:
    """Return the names of files, and of links that lead to them, by the root of the repository."""
    names: dict[str, set[bytes]] = {}
    for root, name in itertools.chain.from_iterable(files + links if links else files for files, links in places):
        if root is not None:
            names.setdefault(root, set()).add(name)
    return names


class _Walk:
    """One repository's history, read for the wanted names."""

    def __init__(
        self,
        git: Git,
        wanted: set[bytes],
        ignore_revs_file: str | None,
        suffixes: tuple[bytes, ...],
        *,
        is_full: bool,
        only_added: bool,
    ) -> None:
        self.root = git.root
        self.wanted = wanted
        self.state: State | None = None
        """What its answers depend on, or None if git could not tell."""
        self._git = git
        self._ignore_revs_file = ignore_revs_file
        self._suffixes = suffixes
        self._is_full = is_full
        self._only_added = only_added
        self._is_treeless = False
        self._spelling: dict[bytes, bytes] = {}
        self._found = Found()
        self._thread = threading.Thread(target=self._run, name=f"git-history {git.root}", daemon=True)
        self._thread.start()

    def result(self) -> Found:
        """Wait for the end, or until git has been silent for too long. Return the answers."""
        while self._thread.is_alive():
            self._thread.join(git.SILENCE / 10)
            if self._thread.is_alive() and (why := self._git.overdue()):
                self._git.stop(why)
                self._thread.join(_ENDING)
                break
        return self._found

    def _run(self) -> None:
        rest = _UNTRACKED
        try:
            self._walk()
            self._note_ignored()
        except (GitError, OSError) as error:
            rest = self._explain(str(error))
        finally:
            self._git.close()
        answers = self._found.answers
        answers.update({name: answers.get(self._spelling.get(name, name), rest) for name in self.wanted})

    def _walk(self) -> None:
        listing = self._git.begin("ls-files", "-z")
        repository = Repository(self._git, self._ignore_revs_file)
        self.state, self._is_treeless = repository.state, repository.lacks_trees()
        tracked = _entries(listing)
        if repository.folds_names():
            self._spelling = spelling(self.wanted, tracked)
        names = {self._spelling.get(name, name) for name in self.wanted}
        needs_all = self._is_full or len(names) >= _DOCS_HEAVY * len(tracked)
        roots = [] if needs_all else pathspec(names)
        head = repository.state.head
        log = self._git.all_commits(head) if self._is_full else self._git.first_parents(head, roots)
        options = ["--porcelain=v1", "-z", "--no-renames", "-uno", "--ignore-submodules=all"]
        unfiltered = repository.unfiltered()
        edited = unfiltered is not None and self._git.begin(
            *unfiltered, "status", *options, "--", *map(os.fsdecode, roots)
        )
        trail = Trail(
            self._git,
            repository.state,
            names,
            roots=roots,
            found=self._found,
            suffixes=self._suffixes,
            only_added=self._only_added,
        )
        if self._is_full:
            trail.follow_all_parents(log)
        else:
            trail.follow_first_parents(log)
        if edited:
            names = {entry[3:] for entry in _entries(edited)}
            self._found.edited = names - self._filtered(names) if unfiltered else names

    def _filtered(self, names: set[bytes]) -> set[bytes]:
        """Return the files that a filter reads. Only that program knows whether they were edited."""
        found: set[bytes] = set()
        rest = iter(sorted(names))
        while some := list(map(os.fsdecode, itertools.islice(rest, _AT_ONCE))):
            if not (said := _entries(self._git.begin("check-attr", "-z", "filter", "--", *some))):
                return names  # git does not know either
            found.update(name for name, value in zip(said[::3], said[2::3], strict=True) if value != b"unspecified")
        return found

    def _note_ignored(self) -> None:
        """Separate the files that git ignores, which nobody can commit, from those that are not committed yet."""
        answers = self._found.answers
        names = {self._spelling.get(name, name) for name in self.wanted}
        untracked = [name for name in names if answers.get(name, _UNTRACKED) == _UNTRACKED]
        # A path deeper than what is ignored is an internal error in git.
        tops = sorted({name.partition(b"/")[0] for name in untracked})
        options = ["--others", "--ignored", "--exclude-standard", "--directory", "-z", "--", *map(os.fsdecode, tops)]
        ignored = set(_entries(self._git.begin("ls-files", *options))) if tops else set()
        for name in untracked if ignored else ():
            above = (name[: match.end()] for match in re.finditer(b"/", name))
            if name in ignored or not ignored.isdisjoint(above):
                answers[name] = Unknown(Reason.IGNORED)

    def _explain(self, message: str) -> Unknown:
        message = self._git.stopped or message
        unexplained = Reason.TREELESS if self._is_treeless else Reason.UNREADABLE
        reason = next((reason for pattern, reason in _FAILURES.items() if re.search(pattern, message)), unexplained)
        says_all = reason in {Reason.NO_GIT, Reason.UNTRACKED, Reason.DUBIOUS_OWNERSHIP}
        return Unknown(
            reason, detail="" if says_all else message.partition("\n")[0][:_LONGEST_DETAIL], repository=self.root
        )


_FAILURES = {
    r"dubious ownership|unsafe repository": Reason.DUBIOUS_OWNERSHIP,
    r"not a git repository": Reason.NO_REPOSITORY,
    r"(ambiguous argument|bad revision) 'HEAD'|does not have any commits": Reason.UNTRACKED,
    r"unrecognized argument|unknown option|unknown switch|^usage:": Reason.OLD_GIT,
    r"git is not installed": Reason.NO_GIT,
}
"""What git says, and what that means for files that have no date yet."""


def _entries(asked: git.Process) -> list[bytes]:
    """Return what git lists, or nothing if it cannot: the log needs neither an index nor the files on disk."""
    try:
        return asked.answer().split(b"\0")[:-1]
    except GitError:
        return []
