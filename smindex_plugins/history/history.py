"""The dates of files in any repositories. Each repository is read in a background thread."""

import os
import re
import threading
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

from smindex_plugins.base.proof import Answer, ContentChange, NoDate, Unknown
from smindex_plugins.history._git import Git, GitError, why_failed
from smindex_plugins.history._log import Removed, Trail, pathspec
from smindex_plugins.history.landing import Landing, find_landing
from smindex_plugins.history.places import (
    find_repository,
    ignored_names,
    is_treeless,
    read_state,
    tracked_names,
)

_MOST_DIRECTORIES = 1_000
"""How many directories are remembered, because each page may have its own."""
_OUTSIDE = (None, b"")
"""The place of files in no repository."""


class History:
    """The histories of all repositories with a site's sources.

    All files are given as absolute paths.
    """

    def __init__(
        self, ignore_revs_file: str | None = None, ignore_commits: Sequence[str] = ()
    ) -> None:
        self._ignore_revs_file = ignore_revs_file
        self._ignore_commits = ignore_commits
        self._directories: dict[str, tuple[str | None, str]] = {}
        self._places: dict[str, tuple[str | None, bytes]] = {}
        self._repositories: dict[str, _Repository] = {}

    def start(self, files: Iterable[str]) -> None:
        """Start reading the histories of these files in the background."""
        names: dict[str, set[bytes]] = {}
        for file in files:
            root, name = self._find(file)
            if root is not None:
                names.setdefault(root, set()).add(name)
        for root, wanted in names.items():
            if root not in self._repositories:
                repository = _Repository(root, self._ignore_revs_file, self._ignore_commits)
                self._repositories[root] = repository
            self._repositories[root].start(wanted)

    def dates(self, files: Iterable[str]) -> dict[str, Answer]:
        """Return when each of these files got its current content."""
        places = {file: self._find(file) for file in files}
        self.start(places)
        repositories = self._read()
        outside = Unknown(NoDate.ELSEWHERE if repositories else NoDate.NO_REPOSITORY)
        dates: dict[str, Answer] = {}
        for file, (root, name) in places.items():
            if root:
                dates[file] = repositories[root].answers[name]
            else:
                dates[file] = outside
        return dates

    def ignored(self, files: Iterable[str], directory: str) -> set[str]:
        """Return the files that git ignores, if it tracks others and doesn't ignore the directory.

        Such a directory is published from git, without the files that git ignores.
        """
        ignored = set()
        is_any_tracked = False
        for file, answer in self.dates(files).items():
            if _has(answer, NoDate.IGNORED):
                ignored.add(file)
            elif isinstance(answer, ContentChange) or _has(answer, NoDate.SHALLOW):
                is_any_tracked = True
        if not ignored or not is_any_tracked:
            return set()
        any_page = os.path.join(directory, "any.html")
        of_directory = self.dates([any_page])[any_page]
        if _has(of_directory, NoDate.IGNORED):
            return set()
        return ignored

    def repository(self, file: str) -> str | None:
        """Return the root of the repository of a file, or None."""
        return self._find(file)[0]

    def edited(self, files: Iterable[str]) -> list[str]:
        """Return the files with uncommitted changes."""
        edited = set()
        for root, repository in self._read().items():
            for name in repository.edited:
                edited.add((root, name))
        return [file for file in files if self._find(file) in edited]

    def removals(self, suffixes: Collection[str]) -> dict[str, int]:
        """Return when a file with one of these suffixes was last removed from, or moved from or to,
        each directory.
        """
        newest: dict[str, int] = {}
        for root, repository in self._read().items():
            for (directory, suffix), when in repository.removals.items():
                if suffix in suffixes:
                    path = os.path.join(root, directory).rstrip("/")
                    newest[path] = max(when, newest.get(path, when))
        return newest

    def commit_times(self, directory: str) -> set[int]:
        """Return when the commits of a directory's repository were made and authored, in seconds
        since 1970.

        The boundary commits of a shallow clone are skipped, because their changes are unknown.
        """
        root = self.repository(os.path.join(directory, "any"))
        times: set[int] = set()
        if not root:
            return times
        git = Git(root)
        with suppress(GitError, OSError):
            boundary = read_state(git, None).boundary
            log = git.run("log", "--format=%H %ct %at", "HEAD")
            for line in log.splitlines():
                oid, *times_of_commit = line.split()  # git prints no time for a malformed author
                if oid not in boundary:
                    times.update(map(int, times_of_commit))
        return times

    def landing(self, file: str, commit: str) -> Landing | None:
        """Return how a file's change reached the published branch, or None if git doesn't know."""
        root, name = self._find(file)
        if not root:
            return None
        with suppress(GitError, OSError, ValueError):  # a record can name what is not a commit
            return find_landing(Git(root), name, commit)
        return None

    def place_without_revs_file(self) -> str | None:
        """Return the first repository, if the given file of ignored commits is in none of them."""
        given = self._ignore_revs_file
        roots = sorted(self._repositories)
        if not given or not roots:
            return None
        for root in roots:
            if os.path.isfile(os.path.join(root, given)):
                return None
        return roots[0]

    def unmatched_commits(self) -> list[str]:
        """Return the expressions for commits to ignore that match no commit subject."""
        of_each = [repository.unmatched for repository in self._read().values()]
        if not of_each:
            return []
        everywhere = frozenset.intersection(*of_each)
        return [pattern for pattern in self._ignore_commits if pattern in everywhere]

    def _find(self, file: str) -> tuple[str | None, bytes]:
        """Return the repository of a file's real path, and its name there, with ``/``, or
        `_OUTSIDE`.
        """
        if file not in self._places:
            real = os.path.normpath(file)
            if os.path.islink(file):
                real = os.path.realpath(file)
            directory, name = os.path.split(real)
            if len(self._directories) > _MOST_DIRECTORIES:
                self._directories.clear()
            root, inside = find_repository(directory, self._directories)
            place: tuple[str | None, bytes] = _OUTSIDE
            if root:
                place = root, os.fsencode(inside + name)
            self._places[file] = place
        return self._places[file]

    def _read(self) -> "dict[str, _Repository]":
        """Wait until all repositories are read."""
        for repository in self._repositories.values():
            repository.wait()
        return self._repositories


class _Repository:
    """The state of one repository.

    Files that are requested later are read in another thread, after the first.
    """

    def __init__(
        self, root: str, ignore_revs_file: str | None, ignore_commits: Sequence[str]
    ) -> None:
        self._root = root
        self._ignore_revs_file = ignore_revs_file
        self._ignore_commits = ignore_commits
        self.unmatched: frozenset[str] = frozenset()
        """The expressions for ignored commits that match no commit."""
        self.answers: dict[bytes, Answer] = {}
        self.removals: dict[Removed, int] = {}
        self.edited: set[bytes] = set()
        """The files with uncommitted changes, as far as git knows."""
        self._thread = threading.Thread()

    def start(self, names: set[bytes]) -> None:
        """Start reading the history of the files that have no answer yet."""
        self.wait()
        new = names - self.answers.keys()
        if new:
            self._thread = threading.Thread(
                target=self._read, args=(new,), name=f"history {self._root}", daemon=True
            )
            self._thread.start()

    def wait(self) -> None:
        """Wait until the history of all these files is read."""
        if self._thread.is_alive():
            self._thread.join()

    def _read(self, names: set[bytes]) -> None:
        git = Git(self._root)
        rest = Unknown(NoDate.UNREADABLE)
        try:
            state = read_state(git, self._ignore_revs_file, self._ignore_commits)
            self.unmatched = state.unmatched
            tracked = tracked_names(git, state.head, names)
            Trail(git, state, self.answers, self.removals).follow(tracked)
            untracked = names.difference(tracked.values())
            self.answers |= dict.fromkeys(untracked, Unknown(NoDate.UNTRACKED))
            self.answers |= dict.fromkeys(ignored_names(git, untracked), Unknown(NoDate.IGNORED))
        except (GitError, OSError, ValueError) as error:
            rest = _why_unknown(error, git)
        finally:
            for name in names:
                self.answers.setdefault(name, rest)
        with suppress(GitError, OSError):
            self.edited |= _edited(git, names)


def _why_unknown(error: GitError | OSError | ValueError, git: Git) -> Unknown:
    message = str(error)
    for words, reason in _FAILURES.items():
        if re.search(words, message):
            return Unknown(reason, repository=git.root)
    if is_treeless(git):
        return Unknown(NoDate.TREELESS, repository=git.root)
    return Unknown(NoDate.UNREADABLE, detail=why_failed(error), repository=git.root)


def _edited(git: Git, names: set[bytes]) -> set[bytes]:
    options = [
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "-uno",
        "--ignore-submodules=all",
        "--",
        *pathspec(names),
    ]
    status = git.run("--literal-pathspecs", "status", *options)
    # a name follows two letters and a space
    return {entry[3:] for entry in status.split(b"\0")}


def _has(answer: Answer, reason: NoDate) -> bool:
    return isinstance(answer, Unknown) and answer.reason is reason


_FAILURES = {
    r"dubious ownership|unsafe repository": NoDate.DUBIOUS_OWNERSHIP,
    r"not a git repository": NoDate.NO_REPOSITORY,
    r"(ambiguous argument|bad revision) 'HEAD'|does not have any commits": NoDate.UNTRACKED,
    r"git is not installed": NoDate.NO_GIT,
}
"""Git's error messages, and the reason for files that have no date yet."""
