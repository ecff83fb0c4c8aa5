"""How git is run, and what it prints, read while it prints it; no other module starts git.

Nothing here needs more than git 2.20, and at most three processes run in a repository at a time.
"""

import itertools
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, cast

OLDEST = "2.20"
"""The oldest git that prints what is read here."""

SILENCE = 60.0
"""Seconds without a word from git after which it counts as hung, once its answer is waited for."""

_BLOCK = 1 << 18
_PIPE = 1 << 20
"""Bytes that git may be ahead of its reader, where the system lets a pipe be larger than its own choice."""

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


@dataclass(slots=True)
class Commit:
    """One commit as git prints it, `TIME OID PARENT...`, and what it changed as ``-z --raw`` gives it."""

    when: int
    """Seconds since 1970."""
    oid: bytes
    parents: list[bytes]
    """None at the boundary of a shallow clone."""
    changes: bytes

    @classmethod
    def read(cls, record: bytes) -> "Commit":
        """Read what git prints for one commit."""
        head, _, changes = record.partition(b"\0")
        try:
            when, oid, *parents = head.split()
            return cls(int(when), oid, parents, changes)
        except ValueError:
            raise not_understood(head) from None

    def concerns(self, names: Mapping[bytes, object]) -> bool:
        """Whether a file may have been deleted or moved, or one of these changed; most commits did nothing of it."""
        if b" D\0" in self.changes or b" R100\0" in self.changes:
            return True
        return bool(self.changes) and not names.keys().isdisjoint(self.changes.split(b"\0"))

    def entries(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Yield status, old name and new name of each change. A change of mode alone is none."""
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
"""What a log says, read while git prints it; closing it ends git."""


def not_understood(said: bytes) -> GitError:
    """Return the error for something that this git should not have said."""
    return GitError(f"git said {said[:80]!r}, which git {OLDEST} and later do not say")


class Git:
    """Git in one repository: what can be asked of it, and every process it has running."""

    def __init__(self, root: str, date: str = "committer") -> None:
        self.root = root
        self.stopped = ""
        """Why everything was ended, if it was."""
        nonce = secrets.token_hex(8)
        self._separator = b"\0\1" + nonce.encode()
        self._end = nonce.encode() + b"\n"
        self._format = f"--format=%x01{nonce}{'%ct' if date == 'committer' else '%at'} %H %P"
        self._processes: list[Process] = []
        self._diff_tree: tuple[Process, Iterator[bytes]] | None = None

    def begin(self, *arguments: str, stdin: int = subprocess.DEVNULL) -> "Process":
        """Start a git whose answer will be taken later."""
        executable = shutil.which("git")
        if self.stopped or executable is None:
            raise GitError(self.stopped or "git is not installed")
        process = Process([executable, *_GLOBAL_OPTIONS, *arguments], self.root, stdin)
        self._processes.append(process)
        return process

    def first_parents(self, start: bytes, roots: Iterable[bytes]) -> Commits:
        """Return the first-parent line of a commit, newest first, with what each changed within some directories.

        Commits that changed nothing there are among them: ``--sparse`` spares git a second comparison of each tree.
        """
        options = [*_DIFF, "--first-parent", "-m", "--sparse", os.fsdecode(start), "--"]
        return self._log(*options, *map(os.fsdecode, roots))

    def all_commits(self, start: bytes) -> Commits:
        """Return every commit before its parents, with what it changed if it is no merge."""
        return self._log(*_DIFF, "--topo-order", os.fsdecode(start), "--")

    def topology(self, start: bytes) -> Commits:
        """Return every commit before its parents, without what it changed."""
        return self._log("-z", "--no-patch", "--topo-order", os.fsdecode(start), "--")

    def whole(self, questions: Iterable[bytes]) -> Iterator[Commit]:
        """Yield commits with all that they changed in the repository; a question is `COMMIT` or `COMMIT PARENT`.

        One `git diff-tree` stays open for all questions. It answers a line that names no object by repeating it, and
        lets go of all that it has said until then.
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

    def silence(self) -> float:
        """Return for how many seconds no process has said anything."""
        return time.monotonic() - max((process.last_word for process in self._processes), default=time.monotonic())

    def stop(self, why: str) -> None:
        """End every process, from another thread; whoever reads from them finds that they ended early."""
        self.stopped = why
        for process in self._processes:
            process.kill()

    def close(self) -> None:
        """End what still runs, and give back what it holds."""
        for process in self._processes:
            process.close()

    def _log(self, *arguments: str) -> Commits:
        return _commits(self.begin("log", self._format, *arguments), self._separator)


def _commits(process: "Process", separator: bytes) -> Commits:
    """Read a log.

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
    """One run of git. What it says of errors goes to a file, which never blocks."""

    def __init__(self, command: list[str], root: str, stdin: int) -> None:
        self.last_word = time.monotonic()
        self.has_ended = False
        """Whether all that it says has been read; what came after the last separator may then be cut off."""
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

    def read(self, separator: bytes, start: bytes = b"") -> Iterator[bytes]:
        """Yield what is said before each separator as soon as it is said, and at the end what is left."""
        rest = bytearray(start)
        while block := cast("IO[bytes]", self._popen.stdout).read(_BLOCK):
            self.last_word = time.monotonic()
            searched = len(rest) - len(separator)
            rest += block
            if (found := rest.rfind(separator, max(0, searched))) >= 0:
                whole = bytes(rest[:found])
                del rest[: found + len(separator)]
                yield from whole.split(separator)
        self.has_ended = True
        yield bytes(rest)

    def write(self, data: bytes) -> None:
        """Say something to it."""
        with suppress(BrokenPipeError):  # the answer will be missing, and the reason known
            cast("IO[bytes]", self._popen.stdin).write(data)

    def answer(self) -> bytes:
        """Return all that it says, or raise what went wrong."""
        try:
            said, _ = self._popen.communicate(timeout=SILENCE)
        except subprocess.TimeoutExpired:
            self.close()
            raise GitError(hung()) from None
        if why := self.failure():
            raise GitError(why)
        return said

    def failure(self) -> str:
        """Return, in git's own words, why it failed, or nothing if it did not."""
        if self._popen.wait() == 0:
            return ""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip() or "git ended early"

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
        for stream in (self._popen.stdin, self._popen.stdout, self._errors):
            if stream is not None:
                stream.close()
        self._popen.wait()


def hung() -> str:
    """Return why a git was ended that said nothing."""
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
