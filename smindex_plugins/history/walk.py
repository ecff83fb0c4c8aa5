"""The histories of all repositories that a site's sources come from, each walked in a thread of its own."""

import itertools
import os
import re
import threading
from collections.abc import Iterable
from contextlib import closing, suppress
from typing import Literal

from smindex_plugins.history import git
from smindex_plugins.history.answers import Answer, Change, Reason, Unknown, newest
from smindex_plugins.history.git import Git, GitError
from smindex_plugins.history.places import Place, Places, Repository, State, spelling
from smindex_plugins.history.trail import Found, Trail, pathspec

_DOCS_HEAVY = 0.9
"""From this share of the tracked files on, a walk without a pathspec is faster: git then compares trees once."""


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
        self._date = date
        self._is_full = line == "full"
        self._ignore_revs_file = ignore_revs_file
        self._places = Places()
        self._walks: dict[str, list[_Walk]] = {}

    def start(self, files: Iterable[str]) -> None:
        """Begin to walk the repositories of these files (absolute paths) in the background."""
        self._begin(files)

    def refresh(self) -> None:
        """Forget the repositories whose HEAD, depth or ignored commits are others than when they were walked.

        A host that builds again and again calls this before each build. What is edited is told once for each HEAD.
        """
        self._places = Places()
        for root, walks in list(self._walks.items()):
            for walk in walks:
                walk.result().edited.clear()
            state = self._state(root)
            if state is None or any(walk.state != state for walk in walks):
                del self._walks[root]

    def repository(self, file: str) -> str | None:
        """Return the root of the repository that a file (absolute path) is in, or None."""
        return self._places.names(file)[0][-1][0]

    def dates(self, files: Iterable[str]) -> dict[str, Answer]:
        """Return when each of these files (absolute paths) got its present content."""
        return {file: self._answer(*found) for file, found in self._begin(files).items()}

    def edited(self, files: Iterable[str]) -> list[str]:
        """Return those of these files (absolute paths) that differ from what is committed."""
        edited = {
            (root, name) for root, walks in self._walks.items() for walk in walks for name in walk.result().edited
        }
        return [file for file in files if edited and not edited.isdisjoint(self._places.names(file)[0])]

    def removals(self) -> dict[str, int]:
        """Return, by directory, when a source file was last removed from it or moved out of or into it."""
        newest: dict[str, int] = {}
        for walk in itertools.chain.from_iterable(self._walks.values()):
            for directory, when in walk.result().removals.items():
                path = os.path.join(walk.root, os.fsdecode(directory)).rstrip("/")
                newest[path] = max(when, newest.get(path, when))
        return newest

    def _state(self, root: str) -> State | None:
        with suppress(GitError, OSError), closing(Git(root)) as asked:
            return Repository(asked, self._ignore_revs_file).state
        return None

    def _begin(self, files: Iterable[str]) -> dict[str, tuple[list[Place], list[Place]]]:
        """Find the places of files, and begin to walk what has not been walked for them."""
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
                walks.append(_Walk(Git(root, self._date), names, self._ignore_revs_file, is_full=self._is_full))
        return found

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


class _Walk:
    """One repository's history, walked for the names that are wanted."""

    def __init__(self, git: Git, wanted: set[bytes], ignore_revs_file: str | None, *, is_full: bool) -> None:
        self.root = git.root
        self.wanted = wanted
        self.state: State | None = None
        """What its answers depend on, or None where git could not tell."""
        self._git = git
        self._ignore_revs_file = ignore_revs_file
        self._is_full = is_full
        self._is_treeless = False
        self._spelling: dict[bytes, bytes] = {}
        self._found = Found()
        self._thread = threading.Thread(target=self._run, name=f"git-history {git.root}", daemon=True)
        self._thread.start()

    def result(self) -> Found:
        """Wait for the end, or until git has been silent for too long."""
        while self._thread.is_alive():
            self._thread.join(git.SILENCE / 10)
            if self._thread.is_alive() and self._git.silence() > git.SILENCE:
                self._git.stop(git.hung())
                self._thread.join(git.SILENCE / 10)
                break
        return self._found

    def _run(self) -> None:
        rest = Unknown(Reason.UNTRACKED)
        try:
            self._walk()
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
        edited = self._git.begin("status", *options, "--", *map(os.fsdecode, roots))
        trail = Trail(self._git, repository.state, names, roots, self._found)
        if self._is_full:
            trail.follow_all_parents(log)
        else:
            trail.follow_first_parents(log)
        self._found.edited = {entry[3:] for entry in _entries(edited)}

    def _explain(self, message: str) -> Unknown:
        message = self._git.stopped or message
        unexplained = Reason.TREELESS if self._is_treeless else Reason.UNREADABLE
        reason = next((reason for pattern, reason in _FAILURES.items() if re.search(pattern, message)), unexplained)
        says_all = reason in {Reason.NO_GIT, Reason.UNTRACKED, Reason.DUBIOUS_OWNERSHIP}
        return Unknown(reason, detail="" if says_all else message.partition("\n")[0], repository=self.root)


_FAILURES = {
    r"dubious ownership|unsafe repository": Reason.DUBIOUS_OWNERSHIP,
    r"not a git repository": Reason.NO_REPOSITORY,
    r"(ambiguous argument|bad revision) 'HEAD'|does not have any commits": Reason.UNTRACKED,
    r"unrecognized argument|unknown option|unknown switch|^usage:": Reason.OLD_GIT,
    r"git is not installed": Reason.NO_GIT,
}
"""What git says, and what that means for the files that have no date yet."""


def _entries(asked: git.Process) -> list[bytes]:
    """Return what git lists, or nothing where it cannot: the log needs neither an index nor the files on disk."""
    try:
        return asked.answer().split(b"\0")[:-1]
    except GitError:
        return []
