"""How files of others are opened: only regular ones, because a pipe can wait for ever. How users' files are saved."""

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import TextIOWrapper
from typing import IO

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # what takes the file's place after the first look must not let this wait
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)  # of Windows
)


def open_regular(path: str, *, within: str = "") -> IO[bytes]:
    """Open a regular file to read its bytes. It may be a link, but not to a file outside the directory ``within``.

    Raises:
        OSError: it is not a regular file, or cannot be opened.
    """
    if within and not is_inside(path, within):
        raise OSError(errno.EINVAL, "it is a link that leads out of the directory", path)
    _refuse_others(os.stat(path), path)  # to open a device can do something
    descriptor = os.open(path, _FLAGS)
    try:
        _refuse_others(os.fstat(descriptor), path)
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: str, most: int, *, is_known: bool = False) -> bytes:
    """Return at most so many bytes from the beginning of a regular file.

    If its directory has just said that it is one, ``is_known`` saves a look before it is opened.

    Raises:
        OSError: it is not a regular file, or cannot be read.
    """
    if not is_known:
        _refuse_others(os.stat(path), path)
    descriptor = os.open(path, _FLAGS)
    try:
        found = os.fstat(descriptor)
        _refuse_others(found, path)
        content = os.read(descriptor, min(found.st_size + 1, most))
        while len(content) not in {found.st_size, most} and (more := os.read(descriptor, most - len(content))):
            content += more  # where the system does not know its size, or does not give all of it at once
    finally:
        os.close(descriptor)
    return content


def open_text(path: str, errors: str = "strict") -> TextIOWrapper:
    """Open a regular file to read its text, which is UTF-8.

    Raises:
        OSError: it is not a regular file, or cannot be opened.
    """
    return TextIOWrapper(open_regular(path), encoding="utf-8-sig", errors=errors)


def is_regular(path: str) -> bool:
    """Whether a path, with links followed, is a regular file.

    Raises:
        OSError: its directory may not be entered, or fails, so that nobody can tell.
    """
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return stat.S_ISREG(os.lstat(path).st_mode)  # a link may lead to where nobody gets


def walk(top: str, onerror: Callable[[OSError], object] = lambda _: None) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield what `os.walk` does, however deep it lies: that one ends where Python 3.11 cannot call itself any more."""
    waiting = [top]
    while waiting:
        directory = waiting.pop()
        directories: list[str] = []
        names: list[str] = []
        links: set[str] = set()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False):
                        names.append(entry.name)
                    elif _is_directory(entry):
                        directories.append(entry.name)
                        links.update({entry.name} if entry.is_symlink() else ())
                    else:
                        names.append(entry.name)
        except OSError as error:
            onerror(error)
            continue
        yield directory, directories, names
        waiting += [os.path.join(directory, name) for name in reversed(directories) if name not in links]


def visible(
    top: str, onerror: Callable[[OSError], object], hide: Callable[[str, str], object] = lambda _, __: None
) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
    """Yield what servers show of each directory: its path below the top, with its slash, and the names of its files.

    With each name comes whether the directory itself says that it is a regular file; others may be links or pipes. All
    are sorted. Links to directories are not followed. What cannot be read or entered is told, and passed over. ``hide``
    gets the directory and the name of what is hidden.
    """
    above = os.path.join(top, "")
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        path, prefix = (above + inside, f"{inside}/") if inside else (top, "")
        directories: list[str] = []
        names: list[tuple[str, bool]] = []
        try:
            if not os.access(path, os.X_OK):
                os.stat(os.path.join(path, os.curdir))  # which fails where nobody may enter
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        hide(path, entry.name)
                    elif entry.is_file(follow_symlinks=False):
                        names.append((entry.name, True))
                    elif entry.is_dir(follow_symlinks=False):
                        directories.append(prefix + entry.name)
                    elif not _is_directory(entry):
                        names.append((entry.name, False))
        except OSError as error:
            error.filename = path
            onerror(error)
            continue
        yield prefix, sorted(names)
        waiting += sorted(directories, reverse=True)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):  # a link in a circle, or to where nobody gets
        return entry.is_dir()
    return False


def is_inside(path: str, directory: str) -> bool:
    """Whether a path, with links followed, is a directory itself or is inside it."""
    real = os.path.realpath(directory)
    return os.path.commonpath([os.path.realpath(path), real]) == real


def _refuse_others(found: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", path)


def save(path: str, write: Callable[[IO[str]], object]) -> None:
    """Write a file that the user named, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    target = os.path.realpath(path)
    new = f"{target}.{secrets.token_hex(4)}.tmp"
    try:
        _refuse_special(target)
        with TextIOWrapper(open(new, "xb"), encoding="utf-8", newline="\n") as file:
            write(file)
        os.replace(new, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), path) from error
    finally:
        with suppress(OSError):
            os.remove(new)


def _refuse_special(path: str) -> None:
    if os.path.lexists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "it is not a regular file")
