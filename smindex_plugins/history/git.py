"""Runs git and parses its log while git writes it. No other module starts git; git 2.20 and later are supported."""

import os
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, cast

from smindex_plugins.limits import GIT_SECONDS

OLDEST = "2.20"
"""The oldest git whose output is parsed here."""

_BLOCK = 1 << 20
_GLOBAL_OPTIONS = [
    "--no-pager",
    # Settings of the user that would change the output, or how long it takes.
    *("-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "diff.relative=false"),
    *("-c", "log.diffMerges=separate", "-c", "log.follow=false", "-c", "log.mailmap=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}"),
]
_CHANGES = [
    *("-z", "--raw", "--no-abbrev", "-M100%", "-l0", "--no-rename-empty", "--no-color", "--no-ext-diff"),
    "--ignore-submodules=all",  # or git reads .gitmodules, which a blobless clone without a checkout does not have
]


class GitError(Exception):
    """Git failed, or its output is not understood. The message is git's own if there is one."""


@dataclass(slots=True)
class Commit:
    """One commit of a log, printed as `TIME OID PARENT...`, and its changes in the format of ``-z --raw``."""

    when: int
    """Its committer date, in seconds since 1970."""
    oid: bytes
    parents: list[bytes]
    """Its parents. None at the boundary of a shallow clone."""
    _changes: bytes

    @classmethod
    def parse(cls, record: bytes) -> "Commit":
        """Parse a commit from git's text for it."""
        header, _, changes = record.partition(b"\0")
        try:
            when, oid, *parents = header.split()
            return cls(int(when), oid, parents, changes)
        except ValueError:
            raise not_understood(header) from None

    def may_affect(self, names: Mapping[bytes, object]) -> bool:
        """Whether the commit may have removed or moved a file, or changed one of these. Most commits did not."""
        if b" D\0" in self._changes or b" R100\0" in self._changes:
            return True
        return bool(self._changes) and not names.keys().isdisjoint(self._changes.split(b"\0"))

    def changes(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Yield the status, old name and new name of each change. A change of mode alone does not count."""
        tokens = iter(self._changes.split(b"\0"))
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


def not_understood(output: bytes) -> GitError:
    """Return the error for output that this git should not have written."""
    return GitError(f"git said {output[:80]!r}, which git {OLDEST} and later do not say")


class Git:
    """Git in one repository. All its commands together must end within the same time."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._end = time.monotonic() + GIT_SECONDS

    def run(self, *arguments: str, stdin: bytes = b"", success: tuple[int, ...] = (0,)) -> bytes:
        """Return the output of a git command."""
        command = self._command(arguments)
        left = max(0, self._end - time.monotonic())
        try:
            done = subprocess.run(  # noqa: S603 - no shell, the executable is absolute, the arguments are ours
                command, cwd=self.root, env=environment(), input=stdin, capture_output=True, timeout=left, check=False
            )
        except subprocess.TimeoutExpired:
            raise self._failure() from None
        if done.returncode not in success:
            raise self._failure(done.stderr)
        return done.stdout

    def log(self, *arguments: str) -> Generator[Commit, None, None]:
        """Yield the commits of a log with their changes, while git prints it. Closing the iterator ends git.

        If git fails, all changes that it listed before are yielded first: they are real.
        """
        nonce = secrets.token_hex(8)  # a name may hold anything but NUL
        separator = b"\0\1" + nonce.encode()
        command = self._command(["--literal-pathspecs", "log", f"--format=%x01{nonce}%ct %H %P", *_CHANGES, *arguments])
        with (
            tempfile.TemporaryFile() as errors,  # unlike a pipe, it never blocks git
            subprocess.Popen(  # noqa: S603 - no shell, the executable is absolute, the arguments are ours
                command,
                cwd=self.root,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            ) as process,
        ):
            timeout = threading.Timer(self._end - time.monotonic(), process.kill)
            timeout.daemon = True
            timeout.start()
            try:
                rest = b"\0"
                while block := cast("IO[bytes]", process.stdout).read(_BLOCK):
                    *records, rest = (rest + block).split(separator)
                    yield from (Commit.parse(record) for record in records if record)
                complete, _, cut_off = rest.rpartition(b"\0")
                if complete:
                    yield Commit.parse(complete + b"\0")
                if process.wait():
                    errors.seek(0)
                    raise self._failure(errors.read())
                if cut_off:
                    raise not_understood(cut_off)
            finally:
                timeout.cancel()
                process.kill()

    def _command(self, arguments: Iterable[str]) -> list[str]:
        executable = shutil.which("git")
        if executable is None:
            message = "git is not installed"
            raise GitError(message)
        return [executable, *_GLOBAL_OPTIONS, *arguments]

    def _failure(self, errors: bytes = b"") -> GitError:
        """Return why git failed, in its own words if it was not ended."""
        if time.monotonic() >= self._end:
            return GitError(f"it took longer than {GIT_SECONDS:g} seconds, and was ended")
        return GitError(errors.decode(errors="replace").strip() or "git ended early")


def environment() -> dict[str, str]:
    """Return the environment variables that git runs with."""
    # A hook's GIT_DIR and its like would send git to another repository.
    inherited = {key: value for key, value in os.environ.items() if key == "GIT_EXEC_PATH" or _keeps(key)}
    return inherited | {
        "GIT_FLUSH": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.45: a partial clone must never download
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def _keeps(key: str) -> bool:
    return not key.startswith("GIT_") or key.startswith("GIT_CONFIG_")
