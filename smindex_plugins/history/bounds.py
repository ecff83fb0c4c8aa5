"""What stops git from using all memory, or from waiting for ever for a file of a repository."""

import os
import stat
import sys
from contextlib import suppress

from smindex_plugins.limits import GIT_ERRORS

if sys.platform == "linux":
    import resource


def bound(pid: int, memory: int) -> None:
    """Limit the memory that git uses and the error text that it writes. It writes no other file."""
    if sys.platform == "linux":
        for what, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_FSIZE, GIT_ERRORS)):
            with suppress(OSError, ValueError):  # it has ended, or a lower bound stands
                resource.prlimit(pid, what, (most, most))


def without_end(directory: str) -> str | None:
    """Return a pipe or device in a `.git` for which git would wait or which it would read for ever, or None.

    What is known to be a regular file is not looked at any closer: of these there may be a hundred thousand.
    """
    waiting = [directory]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting += [] if entry.name in {"modules", "lfs"} else [entry.path]
                elif not entry.is_file(follow_symlinks=False) and _is_endless(entry):
                    return entry.path
    return None


def _is_endless(entry: os.DirEntry[str]) -> bool:
    try:
        mode = entry.stat().st_mode
    except OSError:  # a link to nowhere, such as a HEAD that is one to a branch without commits
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode)
