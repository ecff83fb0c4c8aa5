"""The output directory: files appear whole or not at all, and only our own are replaced."""

import contextlib
import gzip
import os
import shutil
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import IO, Self, cast

from smindex_plugins import urls
from smindex_plugins.catalogue import CANNOT_WRITE, FILE_NOT_OURS, WRITTEN_TWICE
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps.document import Document
from smindex_plugins.sitemaps.reading import is_index, read_file
from smindex_plugins.sitemaps.rendering import MARK, OutputError

_READ_ERRORS = (OSError, EOFError, zlib.error)


@dataclass(slots=True)
class Changes:
    """What became of the files, by their paths relative to the output directory."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


class Staging:
    """Collects new files beside their targets, and puts them in place together.

    Use as a context manager: without `commit`, no target is touched and nothing stays behind. With a directory
    ``preview``, the new files are made and stay there, and no target is ever touched.
    """

    def __init__(self, directory: str, taken: Mapping[str, str] | None = None, preview: str = "") -> None:
        self._directory = os.path.realpath(directory)
        self._taken = taken or {}
        self._preview = preview
        self._staged: list[tuple[str, str, str]] = []
        self._made: list[str] = []
        self._problems: list[Finding] = []
        self._changes = Changes()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for temporary, _target, _path in [] if self._preview else self._staged:
            with contextlib.suppress(OSError):
                os.remove(temporary)
        for directory in reversed(self._made):
            with contextlib.suppress(OSError):  # not empty: it holds a committed file
                os.rmdir(directory)

    def add(self, url_path: str, content: Iterable[bytes]) -> None:
        """Stage a file under its URL path relative to the output directory; one that ends in ``.gz`` is compressed."""
        path = urls.file_path(url_path)
        if path is None:
            self._problems.append(FILE_NOT_OURS.at(url_path, "no file can have this name."))
            return
        if path in self._taken:
            problem = f"{self._taken[path]} writes this file too; it was left as it is, and no sitemap was written."
            self._problems.append(WRITTEN_TWICE.at(path, problem))
            return
        target = os.path.join(self._directory, path)
        parent = os.path.dirname(target)
        if not is_inside(parent, self._directory):
            problem = f"its directory is a link to {os.path.realpath(parent)}, outside the output directory."
            self._problems.append(FILE_NOT_OURS.at(path, problem))
        elif os.path.lexists(target) and not is_ours(target):
            self._problems.append(not_ours(path))
        else:
            self._stage(path, target, content)

    def amend(self, path: str, content: bytes) -> None:
        """Stage a file of the user's, by its name in the output directory, as the user had it and a little more."""
        target = os.path.join(self._directory, path)
        temporary = self._stage(path, target, [content])
        if temporary and os.path.exists(target):
            with contextlib.suppress(OSError):  # a file system without modes
                shutil.copymode(target, temporary)

    def _stage(self, path: str, target: str, content: Iterable[bytes]) -> str | None:
        """Return the path of a file that was written beside its target, or None where that was not possible."""
        beside, name = os.path.split(target)  # what a killed run left there is replaced
        temporary = os.path.join(self._preview, path) if self._preview else os.path.join(beside, f".{name}.smindex")
        try:
            self._make_directory(os.path.dirname(temporary))
            self._staged.append((temporary, target, path))
            _write(temporary, content, compress=path.endswith(".gz"))
        except OSError as error:
            self._problems.append(cannot_write(path, error))
            return None
        return temporary

    def commit(self, stale: Iterable[str] = ()) -> Changes:
        """Put the files in place in the order they were added, then remove the stale ones.

        The index is added last, and stale indexes come before the sitemaps they list, so whenever this is cut short,
        every index on disk lists files that are there.

        Raises:
            OutputError: with all that stands in the way; no file was changed, or the index was not.
        """
        if self._problems:
            raise OutputError(self._problems)
        for temporary, target, path in self._staged:
            try:
                is_same = _same_content(temporary, target)
                if not self._preview:
                    os.remove(temporary) if is_same else os.replace(temporary, target)
            except OSError as error:
                raise OutputError([cannot_write(path, error)]) from error
            (self._changes.unchanged if is_same else self._changes.written).append(path)
        kept = {*self._changes.unchanged, *self._changes.written}
        with contextlib.suppress(OSError):  # what is left is listed by an index that is left, or by none
            for path in [path for path in stale if path not in kept]:
                if not self._preview:
                    os.remove(os.path.join(self._directory, path))
                self._changes.removed.append(path)
        return self._changes

    def _make_directory(self, directory: str) -> None:
        if not os.path.isdir(directory):
            self._make_directory(os.path.dirname(directory))
            os.mkdir(directory)
            self._made.append(directory)


def is_ours(path: str) -> bool:
    """Whether this tool wrote a file, as its mark tells."""
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    try:
        with _open(path) as file:
            return MARK in file.read(200)
    except _READ_ERRORS:
        return False


def stale_files(directory: str, base: str) -> list[str]:
    """Return the files of earlier runs: every index of ours in the directory, then the sitemaps of ours they list.

    What was joined to an index belongs to other builds.

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
    for name in names:
        path = os.path.join(directory, name)
        if name.endswith(".xml") and is_ours(path) and is_index(path):
            index = read_file(path, Document(url=base + name))
            if index.kind == "sitemapindex" and index.is_whole:
                indexes.append(name)
                for listed in filter(None, (urls.find_file(directory, base, url) for url in index.urls[: index.own])):
                    target = os.path.join(directory, listed)
                    if is_inside(os.path.dirname(target), directory) and is_ours(target):
                        sitemaps.add(listed)
    return [*sorted(indexes), *sorted(sitemaps)]


def is_inside(path: str, directory: str) -> bool:
    """Whether a path, links followed, is a directory or something below it."""
    real = os.path.realpath(directory)
    return os.path.commonpath([os.path.realpath(path), real]) == real


def _open(path: str, name: str | None = None) -> IO[bytes]:
    """Return a file to be read, unpacked if its name (or the one it will have) says that it is compressed."""
    return cast("IO[bytes]", gzip.open(path, "rb")) if (name or path).endswith(".gz") else open(path, "rb")


def _write(path: str, content: Iterable[bytes], *, compress: bool) -> None:
    with contextlib.suppress(FileNotFoundError):  # left by a run that was killed
        os.remove(path)
    with open(path, "xb") as file:
        if compress:
            # No name and no time in the header, or equal content would differ in bytes.
            with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                packed.writelines(content)
        else:
            file.writelines(content)


def _same_content(new: str, old: str) -> bool:
    """Whether uncompressed bytes are the same: another version of zlib must not make every file look changed."""
    try:
        with _open(new, old) as new_file, _open(old) as old_file:
            while block := new_file.read(1 << 16):
                if block != old_file.read(len(block)):
                    return False
            return not old_file.read(1)
    except _READ_ERRORS:
        return False


def not_ours(path: str) -> Finding:
    """Return what is wrong where a file stands in the way."""
    return FILE_NOT_OURS.at(path, "a file of this name exists that this tool did not write; it was left as it is.")


def cannot_write(path: str, error: OSError) -> Finding:
    """Return what is wrong where a file cannot be written, and why."""
    return CANNOT_WRITE.at(path, f"it cannot be written: {error.strerror or error}.")
