"""Only one run at a time writes into a directory. The directory itself is locked, so no extra file stays behind.

The system releases the lock when its process ends, however that happens.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator

from smindex_plugins.files import read_text
from smindex_plugins.limits import LOCK_SECONDS

if sys.platform != "win32":
    import fcntl

_PAUSE = 0.05


class HeldError(Exception):
    """Another run held the lock all the time. The message says which one."""


class NoLocksError(Exception):
    """The system or the file system cannot lock directories. The message is the system's."""


@contextlib.contextmanager
def held(directory: str) -> Iterator[None]:
    """Hold the lock of a directory. The directory is made if needed, and removed again if it stays empty.

    Raises:
        HeldError: another run does not release it in `LOCK_SECONDS`.
        NoLocksError: it cannot be locked.
        OSError: it cannot be made or opened.
    """
    made = list(_missing(directory))
    try:
        descriptor = _wait(directory)
        try:
            yield
        finally:
            os.close(descriptor)
    finally:
        for each in made:
            with contextlib.suppress(OSError):  # it holds something by now, or another run has removed it
                os.rmdir(each)


def is_held(directory: str) -> bool:
    """Whether another run holds the lock of a directory."""
    if sys.platform == "win32":
        return False
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:  # nobody like us can hold it
        return False
    try:
        return not _lock(descriptor, fcntl.LOCK_SH)
    except NoLocksError:
        return False
    finally:
        os.close(descriptor)


def _missing(directory: str) -> Iterator[str]:
    while not os.path.lexists(directory):
        yield directory
        directory = os.path.dirname(directory)


def _wait(directory: str) -> int:
    end = time.monotonic() + LOCK_SECONDS
    while True:
        if not os.path.isdir(directory):
            os.makedirs(directory, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):  # another run, which had made it in vain, has removed it
            descriptor = _take(directory)
            if descriptor is not None:
                return descriptor
            if time.monotonic() > end:
                raise HeldError(_holder(os.stat(directory).st_ino))
        time.sleep(_PAUSE)


def _take(directory: str) -> int | None:
    """Return the open lock of a directory, or None if another run holds it."""
    if sys.platform == "win32":
        message = "Windows has no locks for directories"
        raise NoLocksError(message)
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if _lock(descriptor, fcntl.LOCK_EX) and os.path.samestat(os.fstat(descriptor), os.stat(directory)):
            return descriptor
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def _lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise NoLocksError(error.strerror) from error
    return True


def _holder(inode: int) -> str:
    """Return who holds the lock of a file with this number, if Linux can tell. The device does not matter."""
    found: set[str] = set()
    with contextlib.suppress(OSError):
        for _, kind, _, _, process, file, *_ in map(str.split, read_text("/proc/locks").splitlines()):
            if kind == "FLOCK" and file.endswith(f":{inode}"):
                with contextlib.suppress(OSError):
                    found.add(f"process {process} ({read_text(f'/proc/{process}/comm', 'replace').strip()})")
    return " or ".join(sorted(found)) or "another run"
