"""Runs git and parses its log while git writes it.

No other module starts git; git 2.20 and later are supported.
"""

import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Generator, Iterable
from contextlib import closing
from typing import IO, NamedTuple, cast

from smindex_plugins.base.limits import GIT_SECONDS

_BLOCK = 1 << 20
_CONFIGURATION = [
    "log.showSignature=false",
    "log.showRoot=true",
    "diff.relative=false",
    "log.diffMerges=separate",
    "log.follow=false",
    "log.mailmap=false",
    "i18n.logOutputEncoding=UTF-8",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
]
"""Overrides user settings that would change or slow down the output."""
_KEPT = re.compile(r"(?!GIT_)|GIT_CONFIG_|GIT_EXEC_PATH$")
"""The environment variables that git inherits. Others, such as GIT_DIR, could redirect it to
another repository."""
_CHANGES = [
    "-z",
    "--raw",
    "--no-abbrev",
    "-M100%",
    "-l0",
    "--no-rename-empty",
    "--no-color",
    "--no-ext-diff",
    # otherwise git reads .gitmodules, which a blobless clone without a checkout lacks
    "--ignore-submodules=all",
]


class GitError(Exception):
    """Git failed, or its output is invalid. The message comes from git if there is one."""


def why_failed(error: GitError | OSError | ValueError) -> str:
    """Return why git's answer is not known, on one line."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, GitError):
        first_line, _, _ = str(error).partition("\n")
        return first_line
    return "its output has a different form than expected"


class Commit(NamedTuple):
    """One commit of a log."""

    when: int
    """Its committer date, in seconds since 1970."""
    oid: bytes
    parents: list[bytes]
    """Its parents. None at the boundary of a shallow clone."""


class FileChange(NamedTuple):
    """How a commit changed the content or the name of a file."""

    commit: Commit
    status: bytes
    """The status letter of git."""
    old: bytes
    new: bytes
    """The name in this commit. The old name differs if the file was moved or copied."""


class Git:
    """Git in one repository."""

    def __init__(self, root: str) -> None:
        self.root = root

    def run(self, *arguments: str, stdin: bytes = b"", success: tuple[int, ...] = (0,)) -> bytes:
        """Return the output of a git command."""
        command = _command(arguments)
        try:
            done = subprocess.run(  # noqa: S603 - no shell, the executable is absolute, the arguments are ours
                command,
                cwd=self.root,
                env=environment(),
                input=stdin,
                capture_output=True,
                timeout=GIT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _too_slow() from None
        if done.returncode not in success:
            raise _failure(done.stderr)
        return done.stdout

    def log(self, *arguments: str) -> Generator[FileChange, None, None]:
        """Yield the changes of a log while git prints it. Closing the iterator stops git.

        If git fails, the changes that it printed before are yielded first, because they are valid.
        """
        options = ["--literal-pathspecs", "log", "--format=%ct %H %P", *_CHANGES, *arguments]
        # A name can look like a commit or a change, but its position among the fields identifies
        # it.
        with closing(self._fields(*options)) as fields:
            commit = None
            for field in fields:
                text = field.strip(b"\n")
                if commit and text.startswith(b":"):
                    _, _, old_oid, new_oid, status_and_score = text.split(b" ")
                    status = status_and_score[:1]
                    old = next(fields, b"")
                    new = old
                    if status in b"RC":
                        new = next(fields, b"")
                    if old_oid != new_oid or old != new:  # otherwise only its mode changed
                        yield FileChange(commit, status, old, new)
                elif text:
                    when, oid, *parents = text.split(b" ")
                    commit = Commit(int(when), oid, parents)

    def _fields(self, *arguments: str) -> Generator[bytes, None, None]:
        """Yield the fields of git's output, each of which ends with NUL."""
        with (
            tempfile.TemporaryFile() as errors,  # unlike a pipe, it never blocks git
            subprocess.Popen(  # noqa: S603 - no shell, the executable is absolute, the arguments are ours
                _command(arguments),
                cwd=self.root,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            ) as process,
        ):
            timer = threading.Timer(GIT_SECONDS, process.kill)
            timer.daemon = True
            timer.start()
            try:
                rest = b""
                while block := cast("IO[bytes]", process.stdout).read(_BLOCK):
                    *fields, rest = (rest + block).split(b"\0")
                    yield from fields
                if process.wait() or rest:
                    if not timer.is_alive():
                        raise _too_slow()
                    errors.seek(0)
                    raise _failure(errors.read())
            finally:
                timer.cancel()
                process.kill()


def _command(arguments: Iterable[str]) -> list[str]:
    executable = shutil.which("git")
    if executable is None:
        message = "git is not installed"
        raise GitError(message)
    command = [executable, "--no-pager"]
    for setting in _CONFIGURATION:
        command += ["-c", setting]
    command += arguments
    return command


def _failure(errors: bytes) -> GitError:
    """Return an error with git's own message if there is one."""
    message = errors.decode(errors="replace").strip()
    return GitError(message or "git exited early")


def _too_slow() -> GitError:
    return GitError(f"it took longer than {GIT_SECONDS:g} seconds and was stopped")


def environment() -> dict[str, str]:
    """Return the environment variables that git runs with."""
    inherited = {key: value for key, value in os.environ.items() if _KEPT.match(key)}
    return inherited | {
        "GIT_FLUSH": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        # the same for git before 2.45: a partial clone must never download
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
