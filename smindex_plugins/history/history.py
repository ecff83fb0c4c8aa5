"""Answers for files, whichever repositories they are in. Each repository is read in a background thread."""

import difflib
import os
import re
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from smindex_plugins.catalogue import UNMATCHED_PATTERN
from smindex_plugins.history.git import Git, GitError
from smindex_plugins.history.landing import Landing, find_landing
from smindex_plugins.history.log import Removed, Trail, pathspec
from smindex_plugins.history.places import Places, ignored_names, is_treeless, read_state, tracked_names
from smindex_plugins.history.reasons import Answer, Reason, Unknown
from smindex_plugins.model import Finding

_OUTSIDE = Unknown(Reason.NO_REPOSITORY)
_UNTRACKED = Unknown(Reason.UNTRACKED)
_LONGEST_DETAIL = 300
"""The most characters of git's own words in a message."""


class History:
    """The histories of all repositories with a site's sources. All files are given as absolute paths."""

    def __init__(self, ignore_revs_file: str | None = None) -> None:
        self._ignore_revs_file = ignore_revs_file
        self._places = Places()
        self._repositories: dict[str, _Repository] = {}

    def start(self, files: Iterable[str]) -> None:
        """Begin to read the histories of these files in the background."""
        self._start(files)

    def dates(self, files: Iterable[str]) -> dict[str, Answer]:
        """Return when each of these files got its present content."""
        places = self._start(files)
        return {
            file: _OUTSIDE if root is None else self._repositories[root].answer(name)
            for file, (root, name) in places.items()
        }

    def _start(self, files: Iterable[str]) -> dict[str, tuple[str | None, bytes]]:
        """Return where the files are, after beginning to read what has not been read."""
        places = {file: self._places.find(file) for file in files}
        names: dict[str, set[bytes]] = {}
        for root, name in places.values():
            if root is not None:
                names.setdefault(root, set()).add(name)
        for root, wanted in names.items():
            if root not in self._repositories:
                self._repositories[root] = _Repository(root, self._ignore_revs_file)
            self._repositories[root].start(wanted)
        return places

    def repository(self, file: str) -> str | None:
        """Return the root of the repository of a file, or None."""
        return self._places.find(file)[0]

    def edited(self, files: Iterable[str]) -> list[str]:
        """Return those of these files that differ from what is committed."""
        edited = {(root, name) for root, read in self._repositories.items() for name in read.edited()}
        return [file for file in files if edited and self._places.find(file) in edited]

    def removals(self, suffixes: Collection[str]) -> dict[str, int]:
        """Return when a file with one of these suffixes was last removed from each directory, or moved out or in."""
        newest: dict[str, int] = {}
        for root, repository in self._repositories.items():
            for (directory, suffix), when in repository.removals().items():
                if os.fsdecode(suffix) in suffixes:
                    path = os.path.join(root, os.fsdecode(directory)).rstrip("/")
                    newest[path] = max(when, newest.get(path, when))
        return newest

    def landing(self, file: str, commit: str) -> Landing | None:
        """Return how the change of a file came to the published line, or None if git cannot tell."""
        root, name = self._places.find(file)
        with suppress(GitError, OSError):
            return find_landing(Git(root), name, commit) if root else None
        return None

    def wrong_revisions(self, beside: str = "") -> Iterator[Finding]:
        """Yield the finding that the file with ignored commits is in none of the repositories that were read."""
        given, roots = self._ignore_revs_file, sorted(self._repositories)
        if not given or not roots or any(os.path.isfile(os.path.join(root, given)) for root in roots):
            return
        elsewhere = (os.path.realpath(os.path.join(base, given)) for base in (beside, os.getcwd()))
        inside = [os.path.relpath(path, roots[0]) for path in elsewhere if os.path.isfile(path)]
        near = [name for name in inside if not name.startswith(os.pardir)]
        near += difflib.get_close_matches(given, os.listdir(roots[0]), n=1) if os.path.isdir(roots[0]) else []
        guess = f"Did you mean `{near[0].replace(os.sep, '/')}`?" if near else "Correct it, or remove it."
        fix = f"It is relative to the root of the git repository, {roots[0]}. {guess}"
        yield UNMATCHED_PATTERN.at("ignore_revs_file", f"`{given}` cannot be read.", fix)


class _Repository:
    """What is known of one repository. Files that are named late are read in another thread, after the first."""

    def __init__(self, root: str, ignore_revs_file: str | None) -> None:
        self._root = root
        self._ignore_revs_file = ignore_revs_file
        self._answers: dict[bytes, Answer] = {}
        self._removals: dict[Removed, int] = {}
        self._edited: set[bytes] = set()
        self._wanted: set[bytes] = set()
        self._thread = threading.Thread()
        self._is_dated = threading.Event()
        """Set when only the edits are missing."""

    def start(self, names: set[bytes]) -> None:
        """Begin to read the history of those of these files for which that has not begun."""
        if new := names - self._wanted:
            self.edited()
            self._wanted |= new
            self._is_dated.clear()
            self._thread = threading.Thread(target=self._read, args=(new,), name=f"history {self._root}", daemon=True)
            self._thread.start()

    def answer(self, name: bytes) -> Answer:
        """Wait for the answer for a file."""
        self._is_dated.wait()
        return self._answers[name]

    def removals(self) -> dict[Removed, int]:
        """Wait for the time of the last removal from each directory."""
        self._is_dated.wait()
        return self._removals

    def edited(self) -> set[bytes]:
        """Wait for the files that differ from what is committed, as far as git can tell."""
        if self._thread.is_alive():
            self._thread.join()
        return self._edited

    def _read(self, names: set[bytes]) -> None:
        git, rest = Git(self._root), Unknown(Reason.UNREADABLE)
        try:
            state = read_state(git, self._ignore_revs_file)
            trail = Trail(git, state, self._answers, self._removals)
            trail.follow(names)
            missing = {name for name in names if self._answers.get(name, _UNTRACKED) == _UNTRACKED}
            spelling = tracked_names(git, missing)
            trail.follow(set(spelling.values()) - self._answers.keys())
            self._answers |= {name: self._answers.get(tracked, _UNTRACKED) for name, tracked in spelling.items()}
            ignored = missing.intersection(ignored_names(git, missing - spelling.keys()))
            self._answers |= dict.fromkeys(ignored, Unknown(Reason.IGNORED))
            rest = _UNTRACKED
        except (GitError, OSError) as error:
            rest = _explain(git, str(error))
        finally:  # or who waits for answers would wait for ever
            for name in names:
                self._answers.setdefault(name, rest)
            self._is_dated.set()
        options = ["--porcelain=v1", "-z", "--no-renames", "-uno", "--ignore-submodules=all", "--", *pathspec(names)]
        with suppress(GitError, OSError):
            self._edited |= {entry[3:] for entry in git.run("--literal-pathspecs", "status", *options).split(b"\0")}


def _explain(git: Git, message: str) -> Unknown:
    """Return why git could not date the files that have no answer yet."""
    unexplained = Reason.TREELESS if is_treeless(git) else Reason.UNREADABLE
    reason = next((reason for pattern, reason in _FAILURES.items() if re.search(pattern, message)), unexplained)
    says_all = reason in {Reason.NO_GIT, Reason.UNTRACKED, Reason.DUBIOUS_OWNERSHIP}
    detail = "" if says_all else message.partition("\n")[0][:_LONGEST_DETAIL]
    return Unknown(reason, detail=detail, repository=git.root)


_FAILURES = {
    r"dubious ownership|unsafe repository": Reason.DUBIOUS_OWNERSHIP,
    r"not a git repository": Reason.NO_REPOSITORY,
    r"(ambiguous argument|bad revision) 'HEAD'|does not have any commits": Reason.UNTRACKED,
    r"unrecognized argument|unknown option|unknown switch|^usage:": Reason.OLD_GIT,
    r"git is not installed": Reason.NO_GIT,
}
"""What git says, and what that means for files that have no date yet."""
