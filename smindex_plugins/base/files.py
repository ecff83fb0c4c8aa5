"""Opens files, walks directories and writes files.

Only regular files are opened, because a pipe can block.
"""

import codecs
import errno
import gzip
import os
import re
import shutil
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO

from smindex_plugins.base.invalid_text import InvalidTextError

HTML = (".html", ".htm", ".xhtml")
"""The suffixes of pages."""
GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""
_FILE_URL = re.compile(r"file:(?://(?:localhost(?=/))?)?", re.IGNORECASE)
_SCHEME = re.compile(r"(?!file:)[a-z][a-z0-9]+:(?!//)", re.IGNORECASE)
TEMPORARY = ".smindex.tmp"
"""The suffix of temporary files."""
WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""The first bytes of UTF-16 and UTF-32 files."""


def is_html(path: str) -> bool:
    """Whether a file or a URL path has the name of a page."""
    return path.lower().endswith(HTML)


def page_name(path: str) -> str:
    """Return the name of a page from the path of its file: the name of the file, or of its
    directory.
    """
    for ending in ("index.html", "index.htm", *HTML):
        path = path.removesuffix(ending)
    return path.rstrip("/").rpartition("/")[2]


def open_regular(path: str) -> IO[bytes]:
    """Open a regular file to read its bytes. It may be a link to one.

    Raises:
        OSError: it is not a regular file, or can't be opened.
    """
    _size_of_regular(path)
    return open(path, "rb")  # which refuses directories


def _size_of_regular(path: str) -> int:
    """Return how many bytes a regular file or a directory has.

    Raises:
        OSError: it is something else, or does not exist.
    """
    known = os.stat(path)
    if not stat.S_ISREG(known.st_mode) and not stat.S_ISDIR(known.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    return known.st_size


def read(path: str, most: int = -1) -> bytes:
    """Return the content of a regular file, or at most its first bytes up to a limit.

    Raises:
        OSError: it is not a regular file, or can't be read.
    """
    size = _size_of_regular(path)
    with open(path, "rb", buffering=0) as file:
        # Python allocates as many bytes as it may read, which takes longer than reading a typical
        # page.
        if 0 < size < most:
            most = size
        return file.read(most)


def unpacked(content: bytes, most: int) -> bytes:
    """Return the start of content, decompressed if it is gzip, up to the first damage."""
    if not content.startswith(GZIP):
        return content
    try:
        return zlib.decompressobj(wbits=31).decompress(content, most)
    except zlib.error:
        return b""


def is_same(content: bytes, other: bytes) -> bool:
    """Whether two files have the same decompressed content.

    Compressed bytes differ between versions of zlib.
    """
    if content == other:
        return True
    if not content.startswith(GZIP) or not other.startswith(GZIP):
        return False
    try:
        return gzip.decompress(content) == gzip.decompress(other)
    except (OSError, EOFError, zlib.error):
        return False


def read_text(path: str, errors: str = "strict") -> str:
    """Return the text of a regular file, which is UTF-8.

    Raises:
        OSError: it is not a regular file, or can't be read.
        InvalidTextError: it is not UTF-8.
    """
    return decode(read(path), errors)


def decode(content: bytes, errors: str = "strict") -> str:
    """Return the text in the content of a file, which is UTF-8, without a byte order mark.

    Raises:
        InvalidTextError: it is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        if content.startswith(WIDE_MARKS):
            what, line = "it is UTF-16, not UTF-8", 0
        else:
            what, line = "it is not UTF-8", content.count(b"\n", 0, error.start) + 1
    raise InvalidTextError(what, line=line)


def local_path(place: str) -> str:
    """Return the path of a `file:` URL of this machine, or any other place unchanged.

    Raises:
        ValueError: it is a `file:` URL without an absolute path, a URL without slashes, or a path
            with a ``~`` that no shell expanded.
    """
    if place.startswith("~"):
        message = (
            f"{place}: no shell expanded the ~. Write the whole path, or ./{place} for a directory"
            " of that name"
        )
        raise ValueError(message)
    if scheme := _SCHEME.match(place):
        message = f"{place}: write {scheme[0]}// for object storage, or ./{place} for a path"
        raise ValueError(message)
    if not _FILE_URL.match(place):
        return place
    path = _FILE_URL.sub("", place)
    if not path.startswith("/"):
        message = (
            f"{place}: it is not a file URL of this machine. Write a path, or file:/// and an"
            " absolute path"
        )
        raise ValueError(message)
    return path


def is_inside(path: str, directory: str) -> bool:
    """Whether a path, with links followed, is a directory itself or is inside it."""
    try:
        real = os.path.realpath(directory)
        return os.path.commonpath([os.path.realpath(path), real]) == real
    except ValueError:  # they are on different drives, or no file can have such a name
        return False


def up_to_repository(directory: str, most: int = sys.maxsize) -> Iterator[str]:
    """Yield a directory and those above it, up to the root of its git repository, at most a number
    of them.

    Without a repository, these are all directories above it.
    """
    for _ in range(most):
        yield directory
        parent = os.path.dirname(directory)
        if is_repository(directory) or parent == directory:
            return
        directory = parent


def is_repository(directory: str) -> bool:
    """Whether a directory is the root of a git repository, or of a worktree."""
    return os.path.lexists(os.path.join(directory, ".git"))


def visible(top: str, onerror: Callable[[OSError], object]) -> Iterator[tuple[str, list[str]]]:
    """Yield the files that servers serve: each directory's path below the top, with its slash, and
    its file names.

    All are sorted. Links to files are followed, links to directories are not. Directories that
    can't be read or entered are passed to ``onerror``.
    """
    pending = [""]
    while pending:
        prefix = pending.pop()
        directory = os.path.join(top, prefix[:-1]) if prefix else top
        names, below = [], []
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        below.append(f"{prefix}{entry.name}/")
                    elif os.path.isfile(entry.path) if entry.is_symlink() else entry.is_file():
                        names.append(entry.name)
            if not os.access(directory, os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), directory)
        except OSError as error:
            onerror(error)
            continue
        yield prefix, sorted(names)
        pending += sorted(below, reverse=True)


def with_lines(content: bytes, lines: Iterable[str]) -> bytes:
    """Append lines to the content of a text file, with its line endings. No other byte changes."""
    newline = b"\r\n" if b"\r\n" in content else b"\n"
    added = newline.join(line.encode() for line in lines)
    is_empty = not content.removeprefix(codecs.BOM_UTF8)
    if is_empty or content.endswith(b"\n"):
        return content + added + newline
    return content + newline + added


def create_file(path: str, content: bytes, like: str) -> None:
    """Write a new file, replacing leftovers of a killed run, with the mode of another file if that
    exists.

    Raises:
        OSError: it can't be written.
    """
    with suppress(FileNotFoundError):
        os.remove(path)
    with open(path, "xb") as file:  # which follows no link
        file.write(content)
    with suppress(OSError):  # there is no such file, or the file system has no modes
        shutil.copymode(like, path)


def write_file(path: str, content: bytes) -> None:
    """Write a file atomically.

    Raises:
        OSError: it can't be written; the file is as it was.
    """
    new = f"{path}.{os.getpid()}{TEMPORARY}"
    try:
        create_file(new, content, like=path)
        os.replace(new, path)
    finally:
        with suppress(OSError):
            os.remove(new)
