"""How git is run, and how its output is read while git writes it. No other module starts git.

Nothing here needs more than git 2.20, and at most three processes run in a repository at a time.
"""

import atexit
import itertools
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, cast

from smindex_plugins.history.bounds import bound, without_end
from smindex_plugins.limits import GIT_ERRORS, GIT_MEMORY, GIT_RECORD, GIT_SECONDS, GIT_SILENCE

OLDEST = "2.20"
"""The oldest git that prints the output that is read here."""

SILENCE = GIT_SILENCE

_BLOCK = 1 << 18
_PIPE = 1 << 20
"""How many bytes git may be ahead of its reader, if the system allows larger pipes than its default."""

_QUESTIONS = 64
"""How many questions are asked at once. They fit into the smallest pipe, so that neither side ever waits."""

_GLOBAL_OPTIONS = [
    "--no-pager",
    # Settings of the user's that would change what is printed, or how long it takes.
    *("-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "diff.relative=false"),
    *("-c", "log.diffMerges=separate", "-c", "log.follow=false", "-c", "log.mailmap=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}"),
]
_DIFF = [
    *("-z", "--raw", "--no-abbrev", "-M100%", "-l0", "--no-rename-empty", "--no-color", "--no-ext-diff"),
    "--ignore-submodules=all",  # or git reads .gitmodules, which a blobless clone without a checkout does not have
]


class GitError(Exception):
    """Git failed, or its output is not understood. The text is git's own if there is one."""


@dataclass(slots=True)
class Commit:
    """One commit as git prints it, `TIME OID PARENT...`, and its changes in the form of ``-z --raw``."""

    when: int
    """Its time, in seconds since 1970."""
    oid: bytes
    parents: list[bytes]
    """Its parents. None at the boundary of a shallow clone."""
    changes: bytes

    @classmethod
    def read(cls, record: bytes) -> "Commit":
        """Return a commit from git's text for it."""
        head, _, changes = record.partition(b"\0")
        try:
            when, oid, *parents = head.split()
            return cls(int(when), oid, parents, changes)
        except ValueError:
            raise not_understood(head) from None

    def concerns(self, names: Mapping[bytes, object]) -> bool:
        """Whether a commit may have deleted or moved a file, or changed one of these. Most commits did not."""
        if b" D\0" in self.changes or b" R100\0" in self.changes:
            return True
        return bool(self.changes) and not names.keys().isdisjoint(self.changes.split(b"\0"))

    def entries(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Yield the status, old name and new name of each change. A change of mode alone does not count."""
        tokens = iter(self.changes.split(b"\0"))
        for token in tokens:
            if not (change := token.strip(b"\n")):
                continue
            try:
                _, _, old_oid, new_oid, status = change.split(b" ")
                old = next(tokens)
                new = next(tokens) if status[:1] in b"RC" else old
            except (ValueError, StopIteration):
                raise not_understood(change) from None
            if old_oid != new_oid or old != new:
                yield status[:1], old, new


Commits = Generator[Commit, None, None]
"""The commits of a log, read while git prints it. Closing it ends git."""


def not_understood(said: bytes) -> GitError:
    """Return the error for output that this git should not have written."""
    return GitError(f"git said {said[:80]!r}, which git {OLDEST} and later do not say")


class Git:
    """Git in one repository: the questions it can answer, and all its running processes."""

    def __init__(self, root: str, date: str = "committer") -> None:
        self.root = root
        self.stopped = ""
        """Why all processes were ended, if they were."""
        self.memory = GIT_MEMORY
        """The most memory, in bytes, of each process that begins from now on."""
        self._end_time = time.monotonic() + GIT_SECONDS
        nonce = secrets.token_hex(8)
        self._separator = b"\0\1" + nonce.encode()
        self._end = nonce.encode() + b"\n"
        self._format = f"--format=%x01{nonce}{'%ct' if date == 'committer' else '%at'} %H %P"
        self._processes: list[Process] = []
        self._diff_tree: tuple[Process, Iterator[bytes]] | None = None

    def begin(self, *arguments: str, stdin: int = subprocess.DEVNULL) -> "Process":
        """Start a git process whose answer is read later."""
        executable = shutil.which("git")
        if self.stopped or executable is None:
            raise GitError(self.stopped or "git is not installed")
        if not self._processes and (path := without_end(os.path.join(self.root, ".git"))):
            message = f"{path} is not a regular file"
            raise GitError(message)
        process = Process([executable, *_GLOBAL_OPTIONS, *arguments], self.root, stdin, self.memory)
        self._processes.append(process)
        return process

    def first_parents(self, start: bytes, roots: Iterable[bytes]) -> Commits:
        """Return the first-parent line of a commit, newest first, with each commit's changes in some directories.

        Commits without changes there are included: ``--sparse`` saves git a second comparison of each tree.
        """
        options = [*_DIFF, "--first-parent", "-m", "--sparse", os.fsdecode(start), "--"]
        return self._log(*options, *map(os.fsdecode, roots))

    def all_commits(self, start: bytes) -> Commits:
        """Return every commit before its parents, with its changes if it is not a merge."""
        return self._log(*_DIFF, "--topo-order", os.fsdecode(start), "--")

    def topology(self, start: bytes) -> Commits:
        """Return every commit before its parents, without its changes."""
        return self._log("-z", "--no-patch", "--topo-order", os.fsdecode(start), "--")

    def whole(self, questions: Iterable[bytes]) -> Iterator[Commit]:
        """Yield commits with all their changes in the repository. A question is `COMMIT` or `COMMIT PARENT`.

        One `git diff-tree` stays open for all questions. It repeats a line that names no object, and with it writes out
        everything before.
        """
        rest = iter(questions)
        while asked := list(itertools.islice(rest, _QUESTIONS)):
            if self._diff_tree is None:
                options = ["--stdin", "--root", "--always", "-r", *_DIFF, self._format]
                process = self.begin("diff-tree", *options, stdin=subprocess.PIPE)
                self._diff_tree = process, process.read(self._end)
            process, answers = self._diff_tree
            process.write(b"\n".join([*asked, self._end]))
            answer = next(answers, b"")
            if process.has_ended:
                raise GitError(process.failure() or "git ended early")
            _, *records = (b"\0" + answer).split(self._separator)
            if len(records) != len(asked):
                message = f"git answered {len(asked)} questions with {len(records)} answers"
                raise GitError(message)
            yield from map(Commit.read, records)

    def overdue(self) -> str:
        """Return why all processes must end now: one has been silent for too long, or all take too long."""
        now = time.monotonic()
        if now > self._end_time:
            return f"it took longer than {GIT_SECONDS:g} seconds, and was ended"
        return hung() if now - max((process.last_word for process in self._processes), default=now) > SILENCE else ""

    def stop(self, why: str) -> None:
        """End every process, from another thread. Whoever reads from them sees that they ended early."""
        self.stopped = why
        for process in self._processes:
            process.kill()

    def close(self) -> None:
        """End all running processes, and release their resources."""
        for process in self._processes:
            process.close()

    def _log(self, *arguments: str) -> Commits:
        return _commits(self.begin("log", self._format, *arguments), self._separator)


def _commits(process: "Process", separator: bytes) -> Commits:
    """Yield the commits of a log. If git fails, the last commit counts as far as it was read: listed changes are real.

    Where git ends badly, what the last commit says stands as far as it goes: a change that is listed was made.
    """
    try:
        last = b""
        # A name cannot hold NUL, so the separator begins with one, which is missing only before the first commit.
        for record in process.read(separator, start=b"\0"):
            if last:
                yield Commit.read(last)
            last = record
        why = process.failure()
        if last.strip(b"\0") and (not why or last.endswith(b"\0")):
            yield Commit.read(last.lstrip(b"\0"))
        if why:
            raise GitError(why)
    finally:
        process.close()


class Process:
    """One run of git. Its error text goes to a file, which never blocks."""

    def __init__(self, command: list[str], root: str, stdin: int, memory: int) -> None:
        self.last_word = time.monotonic()
        self.has_ended = False
        """Whether all its output has been read. After the last separator, a record may be incomplete."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end of the process
        self._popen = subprocess.Popen(  # noqa: S603 - no shell, the executable is absolute, the arguments are ours
            command,
            cwd=root,
            env=environment(),
            bufsize=0,
            pipesize=_PIPE,
            start_new_session=True,  # so that it can be ended with its children
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._why_ended = ""
        bound(self._popen.pid, memory)
        _RUNNING.add(self)

    def read(self, separator: bytes, start: bytes = b"") -> Iterator[bytes]:
        """Yield each part of the output before a separator as soon as it is there, and the rest at the end."""
        rest = bytearray(start)
        for block in self._blocks():
            searched = len(rest) - len(separator)
            rest += block
            if (found := rest.rfind(separator, max(0, searched))) >= 0:
                whole = bytes(rest[:found])
                del rest[: found + len(separator)]
                yield from whole.split(separator)
            self._bear(len(rest))
        self.has_ended = True
        yield bytes(rest)

    def write(self, data: bytes) -> None:
        """Write to its input."""
        with suppress(BrokenPipeError):  # the answer will be missing, and the reason known
            cast("IO[bytes]", self._popen.stdin).write(data)

    def answer(self) -> bytes:
        """Return all its output, or raise what went wrong."""
        watch = threading.Timer(SILENCE, self._end, [hung()])
        watch.daemon = True
        watch.start()
        said = bytearray()
        try:
            for block in self._blocks():
                said += block
                self._bear(len(said))
            if why := self.failure():
                raise GitError(why)
            return bytes(said)
        finally:
            watch.cancel()
            self.close()

    def failure(self) -> str:
        """Return, in git's own words, why it failed, or an empty string if it did not."""
        if self._popen.wait() == 0:
            return ""
        self._errors.seek(0)
        said = self._errors.read(GIT_ERRORS).decode(errors="replace").strip()
        return self._why_ended or said or "git ended early"

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
        """End the process, and release its resources."""
        self.kill()
        for stream in (self._popen.stdin, self._popen.stdout, self._errors):
            if stream is not None:
                stream.close()
        self._popen.wait()

    def _blocks(self) -> Iterator[bytes]:
        while block := cast("IO[bytes]", self._popen.stdout).read(_BLOCK):
            self.last_word = time.monotonic()
            yield block

    def _bear(self, size: int) -> None:
        """End git if it writes too much at once."""
        if size > GIT_RECORD:
            self._end(f"it said more than {GIT_RECORD:,} bytes at once, and was ended")
            raise GitError(self._why_ended)

    def _end(self, why: str) -> None:
        self._why_ended = why
        self.kill()


_RUNNING: weakref.WeakSet[Process] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """End every git process when the run ends early."""
    for process in list(_RUNNING):
        process.kill()


def hung() -> str:
    """Return the error about a git process that was ended because it was silent."""
    return f"it said nothing for {SILENCE:g} seconds, and was ended"


def environment() -> dict[str, str]:
    """Return the variables that git runs with."""
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
