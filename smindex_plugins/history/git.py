"""How git is run, and what it prints, read while it prints it; no other module starts git.

Nothing here needs more than git 2.20. At most three processes run in a repository at a time: a log, a `diff-tree` that
stays open for questions, and one more.
"""

import itertools
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import IO, Protocol, cast

OLDEST = "2.20"
"""The oldest git that prints what is read here."""

_BLOCK = 1 << 18
_PIPE = 1 << 20
"""Bytes that git may be ahead of its reader, where the system lets a pipe be larger than its own choice."""

_MUCH = 1 << 19
_PAUSES = 0.0001, 0.002
"""Seconds that a reader waits for more, and once much has been said: git writes 4 KB at a time, and waking the reader
for each of them takes git a twentieth of its time, and often makes it share its processor with the reader."""

_SURELY_LONG = 2_048
_STRETCHES = 4_096, 8_192
"""Commits that a log must have given before another one is begun, and how many that one, and any later, is ahead: most
repositories end before it would be of use, and git's words for so many fit into a pipe."""

_QUESTIONS = 64
"""Asked at once. They fit into the smallest pipe, so neither side ever waits for the other to read."""

_GLOBAL_OPTIONS = [
    "--no-pager",
    # Settings of the user's that would change what is printed, or how long it takes.
    *("-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "diff.relative=false"),
    *("-c", "log.diffMerges=separate", "-c", "log.follow=false", "-c", "core.fsmonitor=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8"),
]
_DIFF = [
    *("-z", "--raw", "--no-abbrev", "-M100%", "-l0", "--no-rename-empty", "--no-color", "--no-ext-diff"),
    "--ignore-submodules=all",  # or git reads .gitmodules, which a blobless clone without a checkout does not have
]


class GitError(Exception):
    """Git failed, or said what is not understood; the text is git's own where there is one."""


class Git:
    """Git in one repository: what can be asked of it, and every process it has running."""

    def __init__(self, executable: str, root: str) -> None:
        self.processes: list[_Process] = []
        self._command = [executable, *_GLOBAL_OPTIONS]
        self._root = root
        self._status: _Process | None = None
        self.stopped = ""
        """Why everything was ended, if it was."""

    def first_parents(self, roots: Iterable[bytes], *, date: str, start: bytes = b"HEAD") -> "Commits":
        """Give the first-parent line of a commit, newest first, with what each changed within some directories.

        Commits that changed nothing there are among them: ``--sparse`` spares git a second comparison of each tree.
        """
        options = [*_DIFF, "--first-parent", "-m", "--sparse"]
        paths = [os.fsdecode(root) for root in roots]

        def begin(commit: bytes) -> Log:
            return self._log([*options, commit.decode(), "--", *paths], date)

        return self._line(begin(start), begin)

    def all_commits(self, *, date: str) -> "Commits":
        """Give every commit before its parents, with what it changed if it is no merge."""
        return self._log([*_DIFF, "--topo-order", "HEAD", "--"], date)

    def topology(self) -> "Commits":
        """Give every commit before its parents, without what it changed."""
        return self._log(["-z", "--no-patch", "--topo-order", "HEAD", "--"], "committer")

    def whole_changes(self) -> "WholeChanges":
        """Begin to answer what a commit changed anywhere in the repository."""
        options = ["--stdin", "--root", "--always", "-r", *_DIFF]
        return WholeChanges(self._start(["diff-tree", *options], stdin=subprocess.PIPE))

    def edited(self, roots: Iterable[bytes]) -> "Edited":
        """Begin to look for tracked files that differ from HEAD."""
        options = ["--porcelain=v1", "-z", "--no-renames", "-uno", "--ignore-submodules=all"]
        self._status = self._start(["status", *options, "--", *map(os.fsdecode, roots)], is_streamed=False)
        return Edited(self._status)

    def silence(self) -> float:
        """Tell for how many seconds no process has said anything."""
        return time.monotonic() - max((process.last_word for process in self.processes), default=time.monotonic())

    def stop(self, why: str) -> None:
        """End every process, from another thread; whoever reads from them finds that they ended early."""
        self.stopped = why
        for process in self.processes:
            process.kill()

    def close(self) -> None:
        """End what still runs, and give back what it holds."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.close()

    def _start(self, arguments: list[str], *, stdin: int = subprocess.DEVNULL, is_streamed: bool = True) -> "_Process":
        if self.stopped:
            raise GitError(self.stopped)
        process = _Process([*self._command, *arguments], self._root, stdin, is_streamed=is_streamed)
        self.processes.append(process)
        return process

    def _log(self, arguments: list[str], date: str) -> "Log":
        nonce = secrets.token_hex(8)
        time_format = "%ct" if date == "committer" else "%at"
        process = self._start(["log", f"--format=%x01{nonce}{time_format} %H %P", *arguments])
        return Log(process, b"\0\1" + nonce.encode())

    def _line(self, log: "Log", begin: Callable[[bytes], "Log"]) -> "Commits":
        """Read a line of history from a log. Where it is long, git is already at work further on, in another log.

        To get there costs git about half of what it takes to tell what each commit on the way changed.
        """
        ahead: Log | None = None
        try:
            for stretch in itertools.chain(_STRETCHES, itertools.repeat(_STRETCHES[-1])):
                for number, commit in enumerate(log, 1):
                    yield commit
                    if ahead is None and number % _SURELY_LONG == 0 and self._has_room():
                        ahead = _begun(begin, b"%s~%d" % (commit.oid, stretch))
                        last = number + stretch - 1
                    elif ahead and number == last and ahead.goes_on_from(commit):
                        break
                else:
                    return
                log.close()
                log, ahead = ahead, None
        finally:
            for each in filter(None, [log, ahead]):
                each.close()

    def _has_room(self) -> bool:
        """Tell whether one more process can run beside a log and what answers for whole commits, and is of use."""
        return (os.cpu_count() or 1) > 1 and not (self._status and self._status.is_running())


def _begun(begin: Callable[[bytes], "Log"], commit: bytes) -> "Log | None":
    try:
        return begin(commit)
    except (GitError, OSError):  # it would only be faster with it
        return None


class WholeChanges:
    """A `git diff-tree` that stays open, and tells what commits changed in the whole repository."""

    def __init__(self, process: "_Process") -> None:
        # Git answers a line that names no object by repeating it, and lets go of all that it has said until then.
        self._end = secrets.token_hex(8).encode() + b"\n"
        self._process = process
        self._said = process.read(self._end, pauses=None)
        self._asked = 0
        self._answers: dict[int, bytes] = {}
        self._answered = 0

    def of(self, commits: Iterable["Commit"], parent: int = 0) -> "Iterator[Commit]":
        """Give commits again with all that they changed against their first parent, or another of their parents.

        Git works at the next questions while the answers to the last ones are taken.
        """
        rest = iter(commits)
        asked: list[Commit] = []
        number = 0
        while batch := list(itertools.islice(rest, _QUESTIONS)):
            next_number = self._ask(batch, parent)
            yield from self._answer(asked, number)
            asked, number = batch, next_number
        yield from self._answer(asked, number)

    def _ask(self, commits: list["Commit"], parent: int) -> int:
        """Ask, and give the number of the question."""
        lines = (b" ".join([commit.oid, *commit.parents[parent : parent + 1]]) + b"\n" for commit in commits)
        self._process.write(b"".join(lines) + self._end)
        self._asked += 1
        return self._asked - 1

    def _answer(self, commits: list["Commit"], number: int) -> "Iterator[Commit]":
        if not commits:
            return
        while number not in self._answers:
            self._answers[self._answered] = next(self._said)
            self._answered += 1
            if self._process.is_silent:
                raise GitError(self._process.failure() or "git ended early")
        changes = list(_by_commit(self._answers.pop(number)))
        if len(changes) != len(commits):
            message = f"git answered {len(commits)} questions with {len(changes)} answers"
            raise GitError(message)
        for commit, (tokens, has_removals) in zip(commits, changes, strict=True):
            yield commit.with_whole(tokens, has_removals=has_removals)


def _by_commit(answer: bytes) -> Iterator[tuple[list[bytes], bool]]:
    """Cut an answer where a commit begins: its id stands where a change would, and a change begins with a colon."""
    changes: list[bytes] | None = None
    has_removals = False
    tokens = iter(answer.split(b"\0")[:-1])
    for token in tokens:
        if token.startswith(b":") and changes is not None:
            status = token.rpartition(b" ")[2][:1]
            changes += [token, *itertools.islice(tokens, 2 if status in b"RC" else 1)]
            has_removals = has_removals or status in b"DR"
        else:
            if changes is not None:
                yield changes, has_removals
            changes, has_removals = [], False
    if changes is not None:
        yield changes, has_removals


class Edited:
    """A `git status` at work."""

    def __init__(self, process: "_Process") -> None:
        self._process = process

    def names(self) -> set[bytes]:
        """Give the tracked files that differ from HEAD when git has found them; none if it cannot."""
        if self._process.wait() != 0:
            return set()
        return {entry[3:] for entry in self._process.output().split(b"\0")[:-1]}


class Commit:
    """One commit as `git log` prints it: `TIME OID PARENT...`, and its changes as ``-z --raw`` gives them.

    Most commits changed nothing that is looked for, so what they say is taken apart only when it is asked for.
    """

    __slots__ = ("_changes", "_head", "has_removals", "is_whole")

    def __init__(
        self, head: bytes, changes: list[bytes], *, has_removals: bool = False, is_whole: bool = False
    ) -> None:
        self._head = head
        self._changes = changes
        self.has_removals = has_removals
        self.is_whole = is_whole
        """Whether these are the changes in the whole repository."""

    @classmethod
    def read(cls, record: bytes) -> "Commit":
        """Read what `git log` prints for one commit."""
        head, _, changes = record.partition(b"\0")
        if not changes:
            return cls(head, [])
        return cls(head, changes.split(b"\0"), has_removals=b" D\0" in changes or b" R100\0" in changes)

    def with_whole(self, changes: list[bytes], *, has_removals: bool) -> "Commit":
        """Give this commit with all that it changed in the repository."""
        return Commit(self._head, changes, has_removals=has_removals, is_whole=True)

    @property
    def when(self) -> int:
        """Seconds since 1970."""
        try:
            return int(self._fields()[0])
        except ValueError:
            raise _not_understood(self._head) from None

    @property
    def oid(self) -> bytes:
        """The object id, in hexadecimal digits."""
        return self._fields()[1]

    @property
    def parents(self) -> list[bytes]:
        """The object ids of the parents; none at the boundary of a shallow clone."""
        return self._fields()[2:]

    def _fields(self) -> list[bytes]:
        fields = self._head.split()
        if len(fields) < 2:  # noqa: PLR2004 - a time and an id
            raise _not_understood(self._head)
        return fields

    def touches(self, names: Mapping[bytes, object]) -> bool:
        """Tell, at the speed of sets, whether one of these names can be among the changes."""
        return bool(self._changes) and not names.keys().isdisjoint(self._changes)

    def entries(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Give status, old name and new name of each change. A change of mode alone is none."""
        tokens = iter(self._changes)
        for token in tokens:
            if not (change := token.strip(b"\n")):
                continue
            try:
                _, _, old_oid, new_oid, status = change.split(b" ")
                old = next(tokens)
                new = next(tokens) if status[:1] in b"RC" else old
            except (ValueError, StopIteration):
                raise _not_understood(change) from None
            if old_oid != new_oid or old != new:
                yield status[:1], old, new


def _not_understood(said: bytes) -> GitError:
    return GitError(f"git said {said[:80]!r}, which git {OLDEST} and later do not say")


class _Process:
    """One run of git. What it says of errors, and what is read only at its end, goes to files, which never block."""

    def __init__(self, command: list[str], root: str, stdin: int, *, is_streamed: bool) -> None:
        self.last_word = time.monotonic()
        self.is_silent = False
        """Whether all that it says has been read; what came after the last separator may then be cut off."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end of the process
        self._output = None if is_streamed else tempfile.TemporaryFile()  # noqa: SIM115
        self._popen = subprocess.Popen(  # noqa: S603 - no shell, the executable is absolute, the arguments are ours
            command,
            cwd=root,
            env=_environment(),
            bufsize=0,
            pipesize=_PIPE,
            start_new_session=True,  # so that it can be ended with its children
            stdin=stdin,
            stdout=self._output or subprocess.PIPE,
            stderr=self._errors,
        )

    def read(
        self, separator: bytes, start: bytes = b"", pauses: tuple[float, float] | None = _PAUSES
    ) -> Iterator[bytes]:
        """Give what is said before each separator as soon as it is said, and at the end what is left."""
        rest, searched, seen = bytearray(start), 0, 0
        while block := cast("IO[bytes]", self._popen.stdout).read(_BLOCK):
            self.last_word = time.monotonic()
            rest += block
            found = rest.rfind(separator, searched)
            if found < 0:
                searched = max(0, len(rest) - len(separator))
                continue
            whole = bytes(rest[:found])
            del rest[: found + len(separator)]
            searched = 0
            yield from whole.split(separator)
            seen += len(block)
            if pauses and len(block) < _BLOCK:
                time.sleep(pauses[seen > _MUCH])
        self.is_silent = True
        yield bytes(rest)

    def write(self, data: bytes) -> None:
        with suppress(BrokenPipeError):  # the answer will be missing, and the reason known
            cast("IO[bytes]", self._popen.stdin).write(data)

    def is_running(self) -> bool:
        return self._popen.poll() is None

    def wait(self) -> int:
        """Give the exit code, when there is one."""
        return self._popen.wait()

    def output(self) -> bytes:
        """Give all that was said, if it was not streamed."""
        return _whole(self._output) if self._output else b""

    def failure(self) -> str:
        """Say, in git's own words, why it ended as it did."""
        self.wait()
        return _whole(self._errors).decode(errors="replace").strip()

    def kill(self) -> None:
        """End the process and its children now."""
        if self._popen.returncode is not None:
            return
        with suppress(OSError):  # it has ended
            if sys.platform == "win32":
                self._popen.kill()
            else:
                os.killpg(self._popen.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process, and give back what it holds."""
        self.kill()
        for stream in (self._popen.stdin, self._popen.stdout, self._errors, self._output):
            if stream is not None:
                stream.close()
        self._popen.wait()


class Commits(Protocol):
    """What a log says."""

    def __iter__(self) -> Iterator[Commit]:
        """Give commits while git prints them."""

    def close(self) -> None:
        """End git."""


class Log:
    """A `git log` at work.

    Where git ends badly, what the last commit says stands as far as it goes: a change that is listed was made.
    """

    def __init__(self, process: _Process, separator: bytes) -> None:
        self._process = process
        self._commits = self._read(separator)

    def __iter__(self) -> Iterator[Commit]:
        return self._commits

    def goes_on_from(self, commit: Commit) -> bool:
        """Tell whether this log begins with the first parent of a commit, as soon as it has begun."""
        try:
            first = next(self._commits)
            self._commits = itertools.chain([first], self._commits)
            return first.oid in commit.parents[:1]
        except (StopIteration, GitError):
            return False

    def close(self) -> None:
        """End git."""
        self._process.close()

    def _read(self, separator: bytes) -> Iterator[Commit]:
        # A name cannot hold NUL, so the separator begins with one, which is missing only before the first commit.
        records = self._process.read(separator, start=b"\0")
        before = next(records)
        last: bytes | None = None
        for record in records:
            if last is not None:
                yield Commit.read(last)
            last = record
        failed = self._process.wait() != 0
        if before.strip(b"\0") and not failed:
            raise _not_understood(before)
        if last is not None and (not failed or _ends_with_a_change(last)):
            yield Commit.read(last)
        if failed:
            raise GitError(self._process.failure() or "git ended early")


def _ends_with_a_change(record: bytes) -> bool:
    try:
        return record.endswith(b"\0") and bool(list(Commit.read(record).entries()))
    except GitError:
        return False


def _whole(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


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
