"""What git proves: when each file got its present content, and when files left a directory, from one walk a repository.

The date of a file is that of the newest first-parent commit that gave it the content it has at HEAD: when the change
landed on the published line, not when somebody typed it on a branch. Exact renames are followed and are no change.
"""

import itertools
import os
import re
import secrets
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import IO, Literal, cast

_BLOCK = 1 << 18
_SILENCE = 60.0
"""Seconds without a byte from git after which it counts as hung."""

_DOCS_HEAVY = 0.9
"""From this share of the tracked files on, a walk without a pathspec is faster: git then compares trees once."""

_MOST_ROOTS = 16


class Reason(StrEnum):
    """Why a page has no date, in words for a message."""

    UNTRACKED = "not committed to git"
    SHALLOW = "older than this shallow clone reaches"
    NO_REPOSITORY = "outside any git repository"
    NO_GIT = "git is not installed"
    DUBIOUS_OWNERSHIP = "in a repository that git distrusts, because another user owns it"
    UNREADABLE = "in a repository that git could not read to the end"
    NO_SOURCE = "generated, with no source file to date"
    FUTURE = "dated in the future"


@dataclass(frozen=True, slots=True)
class Change:
    """When a file got its present content: seconds since 1970, and the commit."""

    when: int
    commit: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """The history does not prove when a file changed. ``before`` bounds it from above where something does."""

    reason: Reason
    before: int | None = None
    detail: str = ""


Answer = Change | Unknown


class History:
    """The histories of all repositories that a site's sources come from; each is walked in a thread of its own."""

    def __init__(
        self, *, date: Literal["committer", "author"] = "committer", ignore_revs_file: str | None = None
    ) -> None:
        self._date = date
        self._ignore_revs_file = ignore_revs_file
        self._places = _Places()
        self._walks: dict[str, list[_Walk]] = {}

    def start(self, files: Iterable[str]) -> None:
        """Begin to walk the repositories of these files (absolute paths) in the background."""
        wanted: dict[str, set[bytes]] = {}
        for file in files:
            for root, name in self._places.names(file):
                if root is not None and not any(name in walk.wanted for walk in self._walks.get(root, [])):
                    wanted.setdefault(root, set()).add(name)
        for root, names in wanted.items():
            walk = _Walk(root, names, date=self._date, ignore_revs_file=self._ignore_revs_file)
            walk.start()
            self._walks.setdefault(root, []).append(walk)

    def dates(self, files: Iterable[str]) -> dict[str, Answer]:
        """Tell when each of these files (absolute paths) got its present content."""
        files = list(files)
        self.start(files)
        return {file: self._answer(file) for file in files}

    def removals(self) -> dict[str, int]:
        """Give, by directory, when a source file was last removed from it or moved out of or into it."""
        newest: dict[str, int] = {}
        for walk in itertools.chain.from_iterable(self._walks.values()):
            for directory, when in walk.result().removals.items():
                path = os.path.join(walk.root, os.fsdecode(directory)).rstrip("/")
                newest[path] = max(when, newest.get(path, when))
        return newest

    def _answer(self, file: str) -> Answer:
        return newest([self._lookup(root, name) for root, name in self._places.names(file)])

    def _lookup(self, root: str | None, name: bytes) -> Answer:
        if root is None:
            return Unknown(Reason.NO_REPOSITORY)
        walk = next(walk for walk in self._walks[root] if name in walk.wanted)
        return walk.result().answers[name]


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


class _Places:
    """Finds the repository of a file from the file itself: the nearest ``.git`` above its real path."""

    def __init__(self) -> None:
        self._roots: dict[str, str | None] = {}
        self._real_directories: dict[str, str] = {}

    def names(self, file: str) -> list[tuple[str | None, bytes]]:
        """Give the repository and the name in it of a file, and of what it points to if it is a symbolic link."""
        directory, name = os.path.split(file)
        real_directory = self._real_directories.get(directory)
        if real_directory is None:
            real_directory = self._real_directories[directory] = os.path.realpath(directory)
        paths = [os.path.join(real_directory, name)]
        if os.path.islink(paths[0]):
            paths.append(os.path.realpath(paths[0]))
        return [self._name(path) for path in paths]

    def _name(self, path: str) -> tuple[str | None, bytes]:
        root = self._root(os.path.dirname(path))
        return root, b"" if root is None else os.fsencode(os.path.relpath(path, root).replace(os.sep, "/"))

    def _root(self, directory: str) -> str | None:
        if directory not in self._roots:
            parent = os.path.dirname(directory)
            if os.path.lexists(os.path.join(directory, ".git")):
                self._roots[directory] = directory
            else:
                self._roots[directory] = None if parent == directory else self._root(parent)
        return self._roots[directory]


@dataclass(slots=True)
class _Result:
    """What a walk has found so far."""

    answers: dict[bytes, Answer] = field(default_factory=dict)
    additions: dict[bytes, str] = field(default_factory=dict)
    """Names whose answer is the commit that added them: it may have moved them in from outside the pathspec."""
    removals: dict[bytes, int] = field(default_factory=dict)


class _Walk:
    """One repository's history, walked for the names that are wanted."""

    def __init__(self, root: str, wanted: set[bytes], *, date: str, ignore_revs_file: str | None) -> None:
        self.root = root
        self.wanted = wanted
        self._date = date
        self._ignore_revs_file = ignore_revs_file
        self._result = _Result()
        self._thread = threading.Thread(target=self._run, name=f"git-history {root}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def result(self) -> _Result:
        self._thread.join()
        return self._result

    def _run(self) -> None:
        git = shutil.which("git")
        try:
            self._result = self._walk(git) if git else self._nothing_known(Unknown(Reason.NO_GIT))
        except OSError as error:
            self._result = self._nothing_known(Unknown(Reason.UNREADABLE, detail=str(error)))

    def _nothing_known(self, why: Unknown) -> _Result:
        return _Result(answers=dict.fromkeys(self.wanted, why))

    def _walk(self, git: str) -> _Result:
        log = _Log(git, self.root, self._date, _read_oids(self._shallow_file()), self._ignored())
        roots = self._pathspec()
        result = log.walk(self.wanted, roots)
        if roots and result.additions:
            moved_in = log.moved_in(result.additions)
            result.answers.update(log.walk(moved_in, []).answers if moved_in else {})
        return result

    def _pathspec(self) -> list[bytes]:
        roots = _common_roots(self.wanted)
        heavy = len(self.wanted) >= _DOCS_HEAVY * _index_size(os.path.join(_git_directory(self.root), "index"))
        return [] if heavy or len(roots) > _MOST_ROOTS else roots

    def _shallow_file(self) -> str:
        return os.path.join(_common_directory(_git_directory(self.root)), "shallow")

    def _ignored(self) -> frozenset[bytes]:
        files = [".git-blame-ignore-revs", *filter(None, [self._ignore_revs_file])]
        return frozenset().union(*(_read_oids(os.path.join(self.root, file)) for file in files))


class _Log:
    """Runs `git log` over the first-parent line of one repository and reads what it says while it says it."""

    def __init__(self, git: str, root: str, date: str, boundary: frozenset[bytes], ignored: frozenset[bytes]) -> None:
        self._git = git
        self._root = root
        self._date = "%ct" if date == "committer" else "%at"
        self._boundary = boundary
        self._ignored = ignored

    def walk(self, wanted: set[bytes], roots: list[bytes]) -> _Result:
        """Date the wanted names, walking from HEAD until each has its answer."""
        tracker = _Tracker(wanted, self._boundary, self._ignored)
        failure = None
        try:
            for commit in self._commits([*_FIRST_PARENT, "--sparse", "HEAD", "--", *roots]):
                tracker.see(commit)
                if not tracker.pending:
                    break
        except _GitError as error:
            failure = Unknown(error.reason, detail=error.detail)
        rest = failure or Unknown(Reason.UNTRACKED)
        for names in tracker.pending.values():
            tracker.result.answers.update(dict.fromkeys(names, rest))
        return tracker.result

    def moved_in(self, additions: dict[bytes, str]) -> set[bytes]:
        """Tell which of the names that a pathspec shows as added were moved in, unchanged, from outside it."""
        moved = set()
        commits = sorted(set(additions.values()))
        arguments = ["--no-walk=unsorted", "--stdin", *_FIRST_PARENT, "--diff-filter=R"]
        try:
            for commit in self._commits(arguments, "".join(f"{oid}\n" for oid in commits).encode()):
                moved |= {name for _, _, name in commit.entries() if additions.get(name) == commit.oid}
        except _GitError:
            return set()  # the additions stand as they are: dates on which the names did appear
        return moved

    def _commits(self, arguments: list[str | bytes], stdin: bytes = b"") -> "Iterator[_Commit]":
        nonce = secrets.token_hex(4)
        command = [self._git, *_GLOBAL_OPTIONS, "log", *_OUTPUT, f"--format=%x01{nonce}{self._date} %H", *arguments]
        with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            with subprocess.Popen(  # noqa: S603 - no shell, the executable is absolute, the arguments are ours
                command, cwd=self._root, env=_environment(), stdin=given, stdout=subprocess.PIPE, stderr=errors
            ) as process:
                try:
                    yield from _whole_commits(process, b"\0\1" + nonce.encode(), errors)
                finally:
                    process.kill()


_FIRST_PARENT: list[str | bytes] = ["--first-parent", "-m"]
_GLOBAL_OPTIONS = [
    "--no-pager",
    # Settings of the user's that would change what is printed, or how long it takes.
    *("-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "diff.relative=false"),
    *("-c", "core.deltaBaseCacheLimit=32m"),
]
_OUTPUT = ["-z", "--raw", "--no-abbrev", "-M100%", "-l0", "--no-rename-empty", "--no-color", "--no-ext-diff"]


class _GitError(Exception):
    """Git failed; ``reason`` is what that means for the files that have no date yet."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.detail = message.strip().partition("\n")[0]
        if "dubious ownership" in message:
            self.reason = Reason.DUBIOUS_OWNERSHIP
        elif "not a git repository" in message:
            self.reason = Reason.NO_REPOSITORY
        elif re.search(r"(ambiguous argument|bad revision) 'HEAD'|does not have any commits", message):
            self.reason = Reason.UNTRACKED
        else:
            self.reason = Reason.UNREADABLE


def _environment() -> dict[str, str]:
    # A hook's GIT_DIR and its like would send git to another repository.
    inherited = {key: value for key, value in os.environ.items() if key == "GIT_EXEC_PATH" or _keeps(key)}
    return inherited | {
        "GIT_FLUSH": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.45: a partial clone must never download
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "LC_ALL": "C",
    }


def _keeps(key: str) -> bool:
    return not key.startswith("GIT_") or key.startswith("GIT_CONFIG_")


def _whole_commits(process: "subprocess.Popen[bytes]", separator: bytes, errors: IO[bytes]) -> "Iterator[_Commit]":
    """Read commits while git prints them; the last one is whole only if git ended well."""
    last: bytes | None = None
    for record in _records(cast("IO[bytes]", process.stdout), separator):
        if last is not None:
            yield _Commit(last)
        last = record
    if process.wait() != 0:
        errors.seek(0)
        raise _GitError(errors.read().decode(errors="replace"))
    if last is not None:
        yield _Commit(last)


def _records(stream: IO[bytes], separator: bytes) -> Iterator[bytes]:
    """Cut a stream at a separator that begins with NUL, which no name can hold."""
    rest = b"\0"
    while block := stream.read(max(_BLOCK, len(rest))):
        *records, rest = (rest + block).split(separator)
        yield from filter(None, records)
    if rest != b"\0":
        yield rest


class _Commit:
    """One commit as `git log -z --raw` prints it."""

    __slots__ = ("_tokens", "has_removals")

    def __init__(self, record: bytes) -> None:
        self._tokens = record.split(b"\0")
        self.has_removals = b" D\0" in record or b" R100\0" in record

    @property
    def when(self) -> int:
        return int(self._tokens[0].partition(b" ")[0])

    @property
    def oid(self) -> str:
        return self._tokens[0].partition(b" ")[2].decode()

    def touches(self, names: Mapping[bytes, object]) -> bool:
        return not names.keys().isdisjoint(self._tokens)

    def entries(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Give status, old name and new name of each change. A change of mode alone is none."""
        tokens = iter(self._tokens[1:])
        for token in tokens:
            if not token.strip(b"\n"):
                continue
            _, _, old_oid, new_oid, status = token.split(b" ")
            old = next(tokens)
            new = next(tokens) if status.startswith(b"R") else old
            if old_oid != new_oid or old != new:
                yield status[:1], old, new


class _Tracker:
    """Follows the wanted names back through history, commit by commit, newest first."""

    def __init__(self, wanted: set[bytes], boundary: frozenset[bytes], ignored: frozenset[bytes]) -> None:
        self.result = _Result()
        self.pending: dict[bytes, list[bytes]] = {name: [name] for name in wanted}
        """By the name a file has at this point of history: the names it has at HEAD."""
        self._boundary = boundary
        self._ignored = ignored
        self._suffixes = tuple({os.path.splitext(name)[1] for name in wanted} - {b""})

    def see(self, commit: _Commit) -> None:
        if not commit.has_removals and not commit.touches(self.pending):
            return
        moved: dict[bytes, list[bytes]] = {}
        for status, old, new in commit.entries():
            if status in {b"D", b"R"}:
                self._removed(commit, old, new)
            if status == b"R":
                self._settle(self.pending.pop(old, []), Unknown(Reason.UNTRACKED))
                moved[old] = self.pending.pop(new, [])
            elif new in self.pending:
                self._changed(commit, status, new)
        self.pending |= {name: names for name, names in moved.items() if names}

    def _changed(self, commit: _Commit, status: bytes, name: bytes) -> None:
        if status == b"D":  # on disk, but no longer in git
            self._settle(self.pending.pop(name), Unknown(Reason.UNTRACKED))
        elif commit.oid.encode() in self._boundary:
            self._settle(self.pending.pop(name), Unknown(Reason.SHALLOW, before=commit.when))
        elif status == b"A" or commit.oid.encode() not in self._ignored:
            names = self.pending.pop(name)
            self._settle(names, Change(commit.when, commit.oid))
            if status == b"A":
                self.result.additions.update(dict.fromkeys(names, commit.oid))

    def _removed(self, commit: _Commit, old: bytes, new: bytes) -> None:
        if old.endswith(self._suffixes):
            for name in {old, new}:
                self.result.removals.setdefault(os.path.dirname(name), commit.when)

    def _settle(self, names: list[bytes], answer: Answer) -> None:
        self.result.answers.update(dict.fromkeys(names, answer))


def _git_directory(root: str) -> str:
    """Find a repository's own files; `.git` is a file in worktrees and submodules (gitrepository-layout)."""
    path = os.path.join(root, ".git")
    if os.path.isfile(path):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return os.path.join(root, file.read().removeprefix("gitdir:").strip())
    return path


def _common_directory(git_directory: str) -> str:
    try:
        with open(os.path.join(git_directory, "commondir"), encoding="utf-8", errors="surrogateescape") as file:
            return os.path.join(git_directory, file.read().strip())
    except OSError:
        return git_directory


def _index_size(path: str) -> int:
    """Read from an index's header how many files it tracks (gitformat-index); 0 where there is none."""
    try:
        with open(path, "rb") as file:
            header = file.read(12)
    except OSError:
        return 0
    return int.from_bytes(header[8:], "big")


def _read_oids(path: str) -> frozenset[bytes]:
    """Read a list of commits, one a line, with comments after `#`."""
    try:
        with open(path, "rb") as file:
            lines = [line.partition(b"#")[0].strip() for line in file]
    except OSError:
        return frozenset()
    return frozenset(line for line in lines if re.fullmatch(rb"[0-9a-f]{40}|[0-9a-f]{64}", line))


def _common_roots(names: set[bytes]) -> list[bytes]:
    """Give the few directories, or files at the root, that hold all the names."""
    tops = {name.partition(b"/")[0] for name in names}
    if len(tops) > 1:
        return sorted(tops)
    common = os.path.commonpath(names) if names else b""
    return [common] if common else []
