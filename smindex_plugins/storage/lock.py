"""One run at a time writes into object storage for hours: an object that says who does, and since when."""

import errno
import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from socket import gethostname

from smindex_plugins.catalogue import CANNOT_WRITE, DIRECTORY_IN_USE
from smindex_plugins.files import read_text
from smindex_plugins.limits import MAX_SHOWN
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import OutputError
from smindex_plugins.storage.remote import Remote, reason

NAME = ".smindex-lock.json"
_MOST = 4096


@contextmanager
def locked(storage: Remote, findings: list[Finding]) -> Iterator[Callable[[], bool]]:
    """Hold the lock of a directory in object storage; what is yielded tells whether it is still held.

    A lock that a killed run of this machine left is taken over. Nobody can tell whether a run of another machine has
    ended, so a person is asked to.

    Raises:
        OutputError: another run holds it, or the storage fails.
    """
    own = _own()
    try:
        _take(storage, own)
    except OSError as error:
        raise OutputError([storage.cannot_write(NAME, error)]) from error
    try:
        yield lambda: _read(storage).get("run") == own["run"]
    finally:
        _release(storage, own, findings)


def _own() -> dict[str, str]:
    return {
        "run": secrets.token_hex(8),
        "since": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "host": gethostname(),
        "process": str(os.getpid()),
        "machine": _machine(),
        "began": _began(os.getpid()),
    }


def _take(storage: Remote, own: dict[str, str]) -> None:
    if other := _read(storage):
        if not _has_ended(other):
            raise OutputError([_in_use(storage, other)])
        storage.remove(NAME)
    failed: OSError | None = None
    try:
        storage.create(NAME, _text(own))
    except OSError as error:
        failed = error
    if failed and failed.errno == errno.ENOSYS:
        storage.overwrite(NAME, _text(own))
    there = _read(storage)
    if there.get("run") == own["run"]:  # also where the answer to the first attempt was lost
        return
    if there:
        raise OutputError([_in_use(storage, there)])
    raise failed or OSError(errno.EIO, "what was written is not there", NAME)


def _release(storage: Remote, own: dict[str, str], findings: list[Finding]) -> None:
    try:
        if _read(storage).get("run") == own["run"]:
            storage.remove(NAME)
    except OSError as error:
        problem = f"this run has ended, and its lock cannot be removed: {reason(error)}."
        fix = f"Remove {storage.url}/{NAME}, or the next run is refused, and let the credentials delete objects there."
        findings.append(CANNOT_WRITE.at(NAME, problem, fix))


def _read(storage: Remote) -> dict[str, str]:
    """Return the content of the lock, or None if there is no lock."""
    content = storage.read(NAME, _MOST)
    if isinstance(content, FileNotFoundError):
        return {}
    if isinstance(content, OSError):
        raise content
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        said = {}
    found = said.items() if isinstance(said, dict) else ()
    return {"run": "", **{key: str(value)[:MAX_SHOWN] for key, value in found}}


def _text(lock: dict[str, str]) -> bytes:
    return json.dumps(lock, indent=2).encode() + b"\n"


def _in_use(storage: Remote, lock: dict[str, str]) -> Finding:
    who = f"process {lock['process']} on {lock['host']}" if {"process", "host"} <= lock.keys() else "another run"
    problem = f"{who} writes sitemaps here{_since(lock.get('since', ''))}; nothing was written."
    fix = f"Wait until it ends. If it was killed, remove its lock, {storage.url}/{NAME}, and run this again."
    return DIRECTORY_IN_USE.at(storage.url, problem, fix)


def _since(text: str) -> str:
    try:
        began = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return ""
    minutes = int((datetime.now(UTC) - began).total_seconds()) // 60
    ago = f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"  # noqa: PLR2004 - two hours
    return f" since {began:%Y-%m-%d %H:%M} UTC, {ago} ago" if minutes else f" since {began:%Y-%m-%d %H:%M} UTC"


def _has_ended(lock: dict[str, str]) -> bool:
    """Whether the process that took a lock has certainly ended. Only its own machine can know."""
    machine = _machine()
    if not machine or lock.get("machine") != machine or not lock.get("process", "").isdecimal():
        return False
    return _began(int(lock["process"])) != lock.get("began")


def _machine() -> str:
    """Return what only processes that see each other share, or an empty string if the system does not say."""
    try:
        return f"{read_text('/proc/sys/kernel/random/boot_id').strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def _began(process: int) -> str:
    """Return when a process began, in ticks, which another one under its number does not share; nothing if it ended."""
    with suppress(OSError):
        state, *fields = read_text(f"/proc/{process}/stat", "replace").rpartition(")")[2].split()
        return "" if state in {"Z", "X"} else fields[18]
    return ""
