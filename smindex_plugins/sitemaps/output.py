"""The output directory: files appear complete or not at all, and only our own are replaced."""

import contextlib
import gzip
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Self, cast

from smindex_plugins import urls
from smindex_plugins.catalogue import CANNOT_WRITE, DIRECTORY_IN_USE, FILE_NOT_OURS, UNLOCKED_DIRECTORY
from smindex_plugins.files import is_inside, open_regular
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import lock, temporary
from smindex_plugins.sitemaps.document import Document
from smindex_plugins.sitemaps.reading import is_index, read_file
from smindex_plugins.sitemaps.rendering import MARK, OutputError

_AT_ROOT = "set sitemap_placement: root, which puts all sitemaps beside the index"
_AGAIN = "Correct that, and build again."
_READ_ERRORS = (OSError, EOFError, zlib.error)
PEEKED = 4096
"""Bytes of a file that tell whether it is ours."""


@dataclass(slots=True)
class Changes:
    """What happened to the files, by their paths relative to the output directory."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    """The findings about files of an earlier run that are in the way of ours and stay."""


@contextlib.contextmanager
def only_writer(directory: str, findings: list[Finding], hidden: temporary.Hidden | None = None) -> Iterator[None]:
    """Make this the only run that writes below a directory, which is made if needed.

    Files of killed runs are removed, except their indexes, which show what else to remove. If the file system has no
    locks, there is a finding, and the run continues. On Windows it continues without one.

    Raises:
        OutputError: another run holds the directory, or it cannot be made.
    """
    directory = os.path.realpath(directory)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(lock.held(directory))
        except lock.HeldError as error:
            problem = f"{error} writes sitemaps here, and did not end within a minute, so nothing was written."
            raise OutputError([DIRECTORY_IN_USE.at(directory, problem)]) from error
        except lock.NoLocksError as error:
            if sys.platform != "win32":  # where nobody could do anything about it
                findings.append(UNLOCKED_DIRECTORY.at(directory, f"it cannot be locked: {error}."))
        except OSError as error:
            raise OutputError([cannot_write(directory, error)]) from error
        tidy(directory, hidden)
        yield


def tidy(directory: str, hidden: temporary.Hidden | None = None) -> None:
    """Remove what killed processes left below a directory, which the caller has locked, but for their indexes."""
    temporary.remove_left(directory, left_indexes(directory), hidden)


class Staging:
    """Collects new files beside their targets, and puts them in place together.

    Use as a context manager: without `commit`, no target is touched and nothing stays behind. With a directory
    ``preview``, the new files are made and stay there, and no target is ever touched.
    """

    def __init__(self, directory: str, preview: str = "") -> None:
        self._directory = os.path.realpath(directory)
        self._preview = preview
        self._staged: list[tuple[str, str, str]] = []
        self._amended: set[str] = set()
        self._made: list[str] = []
        self._replaced: list[tuple[str, str, str]] = []
        """The files in place: the path, the target, and the place of the earlier content, if any."""
        self._kept: list[str] = []
        self._problems: list[Finding] = []
        self._changes = Changes()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for new in [*self._kept, *(new for new, _target, _path in self._staged if not self._preview)]:
            with contextlib.suppress(OSError):
                os.remove(new)
        for directory in reversed(self._made):
            with contextlib.suppress(OSError):  # not empty: it holds a committed file
                os.rmdir(directory)

    def add(self, url_path: str, content: Iterable[bytes]) -> None:
        """Stage a file under its URL path in the output directory. A name that ends in ``.gz`` is compressed."""
        path = urls.file_path(url_path)
        if path is None:
            self._problems.append(no_file(url_path))
            return
        target = os.path.join(self._directory, path)
        parent = os.path.dirname(target)
        if not is_inside(parent, self._directory):
            problem = f"its directory is a link to {os.path.realpath(parent)}, outside the output directory."
            fix = f"Put the directory itself there, or {_AT_ROOT}."
            self._problems.append(FILE_NOT_OURS.at(path, problem, fix))
        elif os.path.lexists(target) and not is_ours(target):
            self._problems.append(not_ours(path))
        else:
            self._stage(path, target, content)

    def amend(self, path: str, content: bytes) -> None:
        """Stage a changed file that is not ours, by its name in the output directory."""
        self._amended.add(path)
        self._stage(path, os.path.join(self._directory, path), [content])

    def _stage(self, path: str, target: str, content: Iterable[bytes]) -> None:
        """Write a file beside its target, with the owner and mode of the file that it will replace."""
        new = os.path.join(self._preview, path) if self._preview else temporary.new_name(os.path.dirname(target))
        try:
            self._make_directory(os.path.dirname(new))
            self._staged.append((new, target, path))
            _write(new, content, compress=path.endswith(".gz"))
            temporary.make_alike(new, target)
        except OSError as error:
            self._problems.append(cannot_write(path, error))

    def commit(self, stale: Iterable[str] = ()) -> Changes:
        """Put the files in place in the order they were added, then remove the old ones.

        The index is added last, and old indexes are removed before their sitemaps. So if this is interrupted, every
        index on disk lists only files that exist. After a failure, everything is restored. The rest of the work is then
        known from indexes that are not in place, and the next run does it.

        Raises:
            OutputError: with all that stands in the way; every file is as it was, but for those that it names as not.
        """
        if self._problems:
            raise OutputError(self._problems)
        try:
            self._put_in_place()
            self._remove(stale)
        except KeyboardInterrupt:
            self._take_back()
            raise
        return self._changes

    def _put_in_place(self) -> None:
        for new, target, path in self._staged:
            is_same = _same_content(new, target, unpacked=path.endswith(".gz") and path not in self._amended)
            try:
                if not (is_same or self._preview):
                    self._replace(new, target, path)
            except OSError as error:
                raise OutputError([cannot_write(path, error), *self._take_back()]) from error
            (self._changes.unchanged if is_same else self._changes.written).append(path)

    def _remove(self, stale: Iterable[str]) -> None:
        kept, before = {*self._changes.unchanged, *self._changes.written}, len(self._replaced)
        for path in [path for path in stale if path not in kept]:
            target = os.path.join(self._directory, path)
            try:
                if not self._preview:
                    self._kept.append(temporary.new_name(os.path.dirname(target)))
                    self._move(target, self._kept[-1], (path, target, self._kept[-1]))
            except FileNotFoundError:  # somebody else has removed it
                continue
            except OSError as error:
                has_others = is_index(target)
                problem = f"an earlier run left it, and it cannot be removed: {error.strerror or error}."
                fix = _AGAIN if has_others else "Correct that, and remove the file. No index lists it."
                self._changes.problems.append(CANNOT_WRITE.at(path, problem, fix))
                if has_others:  # which must stay with it, and so must all that the next run knows them by
                    self._take_back(before)
                    self._changes.removed.clear()
                    break
                continue
            if not temporary.is_name(path):
                self._changes.removed.append(path)

    def _replace(self, new: str, target: str, path: str) -> None:
        if kept := temporary.keep(target):
            self._kept.append(kept)
        self._move(new, target, (path, target, kept))

    def _move(self, old: str, new: str, change: tuple[str, str, str]) -> None:
        """Move a file. The change is recorded before, because an interrupt may come right after it."""
        self._replaced.append(change)
        try:
            os.replace(old, new)
        except OSError:
            self._replaced.pop()
            raise

    def _take_back(self, first: int = 0) -> list[Finding]:
        """Restore what was replaced, the last first. Return what is wrong with files that cannot be restored."""
        failed: list[Finding] = []
        while len(self._replaced) > first:
            path, target, kept = self._replaced.pop()
            try:
                if kept:
                    os.replace(kept, target)
                elif not failed:
                    os.remove(target)
                else:
                    problem = "it is new and was kept, because an index that cannot be restored may list it."
                    failed.append(CANNOT_WRITE.at(path, problem, _AGAIN))
            except FileNotFoundError:  # interrupted before it was moved
                pass
            except OSError as error:
                problem = f"its earlier content cannot be restored: {error.strerror or error}."
                failed.append(CANNOT_WRITE.at(path, problem, _AGAIN))
        return failed

    def _make_directory(self, directory: str) -> None:
        if not os.path.isdir(directory):
            self._make_directory(os.path.dirname(directory))
            try:
                os.mkdir(directory)
            except FileExistsError:
                if not os.path.isdir(directory):  # else another process of the same run was faster
                    raise
            else:
                self._made.append(directory)


def is_ours(path: str) -> bool:
    """Whether this tool wrote a file, as its mark tells."""
    if os.path.islink(path):
        return False
    try:
        with _open(path, unpacked=path.endswith(".gz")) as file:
            return MARK in file.read(200)
    except _READ_ERRORS:
        return False


def left_indexes(directory: str) -> list[str]:
    """Return the names of indexes that killed runs left under temporary names.

    Only they list sitemaps that such a run put in place early, or was about to remove.
    """
    try:
        names = os.listdir(directory)
    except OSError:  # said by who writes into it
        return []
    return [name for name in names if temporary.is_name(name) and _is_own_index(os.path.join(directory, name))]


def _is_own_index(path: str) -> bool:
    return is_ours(path) and is_index(path)


def stale_files(directory: str, base: str) -> list[str]:
    """Return the files of earlier runs: our indexes in the directory, then our sitemaps in these.

    What was joined to an index belongs to other builds. The indexes that killed runs left come last.

    Raises:
        OutputError: the directory cannot be read.
    """
    try:
        names = os.listdir(directory)
    except FileNotFoundError:  # it is made when there is something to write
        return []
    except OSError as error:
        raise OutputError([cannot_write(directory, error)]) from error
    indexes: list[str] = []
    sitemaps: set[str] = set()
    left = left_indexes(directory)
    for name in names:
        path = os.path.join(directory, name)
        if name in left or (name.endswith(".xml") and _is_own_index(path)):
            index = read_file(path, Document(url=base + name))
            if index.kind == "sitemapindex" and index.is_whole:
                indexes += [name] if name not in left else []
                own = (entry.url for entry in index.entries[: index.own])
                for listed in filter(None, (urls.find_file(directory, base, url) for url in own)):
                    target = os.path.join(directory, listed)
                    if is_inside(os.path.dirname(target), directory) and is_ours(target):
                        sitemaps.add(listed)
    return [*sorted(indexes), *sorted(sitemaps), *left]


@contextlib.contextmanager
def _open(path: str, *, unpacked: bool) -> Iterator[IO[bytes]]:
    with open_regular(path) as file:
        yield cast("IO[bytes]", gzip.GzipFile(fileobj=file)) if unpacked else file


def _write(path: str, content: Iterable[bytes], *, compress: bool) -> None:
    with open(path, "xb") as file:
        if compress:
            pack(content, file)
        else:
            file.writelines(content)


def pack(content: Iterable[bytes], file: IO[bytes]) -> None:
    """Write content compressed, without a name and a time in the header, or equal content would differ in bytes."""
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
        packed.writelines(content)


def _same_content(new: str, old: str, *, unpacked: bool) -> bool:
    """Whether two contents are equal, ours uncompressed: with another zlib, all compressed files would differ."""
    try:
        with _open(new, unpacked=unpacked) as new_file, _open(old, unpacked=unpacked) as old_file:
            while block := new_file.read(1 << 16):
                if block != old_file.read(len(block)):
                    return False
            return not old_file.read(1)
    except _READ_ERRORS:
        return False


def no_file(url_path: str) -> Finding:
    """Return what is wrong where no file can be served at a URL path."""
    fix = f"Give the directory another name, or {_AT_ROOT}."
    return FILE_NOT_OURS.at(url_path, "no file can have this name.", fix)


def not_ours(path: str) -> Finding:
    """Return the finding about a file of another tool in the place of ours."""
    problem = "this tool did not write the file of this name. It is unchanged, and no sitemap was written."
    other_name = _AT_ROOT if "/" in path else "set another index_filename if it is to be the index"
    return FILE_NOT_OURS.at(path, problem, f"Rename or remove it, or {other_name}.")


def cannot_write(path: str, error: OSError) -> Finding:
    """Return the finding about a file that cannot be written."""
    return CANNOT_WRITE.at(path, f"it cannot be written: {error.strerror or error}.")
