"""The directory that several builds share, on this machine or in object storage: its files, and how to write them."""

import errno
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from posixpath import basename, join

from smindex_plugins.sitemaps import MARK, OutputError, output

_AT_ONCE = 32
"""Requests to object storage that are under way at the same time."""
_CONTENT_TYPES = {"s3": {"ContentType": "application/xml"}, "gs": {"content_type": "application/xml"}}
"""How storage that does not tell what a file is by its name is told, by its protocol."""
_INSTALL = "pip install 'smindex-plugins[remote]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A directory below the root; every path is relative to that, with ``/``, and empty for the root itself."""

    path: str
    files: frozenset[str] = frozenset()
    """The names of the files in it."""
    below: tuple[str, ...] = ()
    """The paths of the directories in it, but for hidden ones and links."""
    links: "tuple[Folder, ...]" = ()
    """The links in it that lead to directories."""
    link: str = ""
    """The directory below the root to which it is a link."""
    leads_outside: bool = False
    """It is a link to a directory that is not below the root."""


class Local:
    """A directory of this machine."""

    each = staticmethod(map)

    def __init__(self, path: str) -> None:
        if not os.path.isdir(path):
            message = f"{path}: there is no such directory"
            raise ValueError(message)
        self.directory = os.path.realpath(path)

    def folder(self, path: str) -> Folder:
        """Return a directory with what is in it.

        Raises:
            OSError: it cannot be read.
        """
        with os.scandir(os.path.join(self.directory, path)) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        shown = [entry for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
        return Folder(
            path=path,
            files=frozenset(entry.name for entry in entries if not entry.is_dir()),
            below=tuple(join(path, entry.name) for entry in shown if not entry.is_symlink()),
            links=tuple(self._link(join(path, entry.name)) for entry in shown if entry.is_symlink()),
        )

    def read(self, path: str, most: int) -> bytes | OSError:
        """Return a file, but no more than one byte more than the most that is wanted, or why it cannot be read."""
        file = os.path.realpath(os.path.join(self.directory, path))
        try:
            if not output.is_inside(file, self.directory):
                return OSError(errno.EINVAL, "it is a link that leads out of the directory")
            if os.path.lexists(file) and not os.path.isfile(file):
                return OSError(errno.EINVAL, "it is no regular file")
            with open(file, "rb") as opened:
                return opened.read(most + 1)
        except OSError as error:
            return error

    def is_there(self, path: str) -> bool:
        """Whether there is a file, and no link leads out of the directory to it."""
        file = os.path.join(self.directory, path)
        return os.path.isfile(file) and output.is_inside(file, self.directory)

    def write(self, files: list[tuple[str, bytes]], stale: list[str]) -> output.Changes:
        """Put files in place in their order, then remove stale ones.

        Raises:
            OutputError: with all that stands in the way; nothing was changed.
        """
        with output.Staging(self.directory) as staging:
            for path, content in files:
                staging.add(path, [content])
            return staging.commit(stale)

    def _link(self, path: str) -> Folder:
        target = os.path.realpath(os.path.join(self.directory, path))
        if not output.is_inside(target, self.directory):
            return Folder(path=path, leads_outside=True)
        inside = os.path.relpath(target, self.directory).replace(os.sep, "/")
        return Folder(path=path, link="" if inside == "." else inside)


class Remote:
    """A directory of object storage, as fsspec reaches it."""

    def __init__(self, url: str) -> None:
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415 - of the extra [remote], and slow to load
        except ImportError as error:
            message = f"{url}: object storage is reached with fsspec; install it: {_INSTALL}"
            raise ValueError(message) from error
        try:
            self._files, top = url_to_fs(url)
        except Exception as error:  # an ImportError names the package that knows this kind of storage
            message = f"{url}: {str(error).rstrip('.')}"
            raise ValueError(message) from error
        self._url, self._top = url.rstrip("/"), top.rstrip("/")
        with self._explained(""):
            self._files.invalidate_cache()
        # What one process may ask for at the same time: only what is made for it says so.
        self.each = ThreadPoolExecutor(_AT_ONCE if self._files.async_impl else 1).map
        protocols = self._files.protocol
        name = protocols if isinstance(protocols, str) else protocols[0]
        self._content_type = _CONTENT_TYPES.get(name, {})
        self._listed: dict[str, frozenset[str]] = {}

    def folder(self, path: str) -> Folder:
        """Return a directory with what is in it.

        Raises:
            OSError: the storage fails.
        """
        place = self._place(path)
        try:
            with self._explained(path):
                entries = self._files.ls(place, detail=True)
        except FileNotFoundError as error:
            message = f"{self._url}/{path}: there is no such directory"
            raise ValueError(message) from error
        places = {str(entry["name"]).strip("/"): entry["type"] == "directory" for entry in entries}
        self._listed[path] = frozenset(basename(each) for each, is_directory in places.items() if not is_directory)
        inside = (basename(each) for each, is_directory in places.items() if is_directory and each != place.strip("/"))
        below = sorted(join(path, name) for name in inside if not name.startswith("."))
        return Folder(path=path, files=self._listed[path], below=tuple(below))

    def read(self, path: str, most: int) -> bytes | OSError:
        """Return a file, but no more than one byte more than the most that is wanted, or why it cannot be read.

        Raises:
            OSError: the storage fails, which must not be taken for a fault of the file.
        """
        try:
            with self._explained(path):
                return bytes(self._files.cat_file(self._place(path), start=0, end=most + 1))
        except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
            return error

    def is_there(self, path: str) -> bool:
        """Whether there is a file, which is not read."""
        directory, _, name = path.rpartition("/")
        if directory in self._listed:
            return name in self._listed[directory]
        try:
            with self._explained(path):  # `isfile` would take every failure for a file that is not there
                return bool(self._files.info(self._place(path))["type"] == "file")
        except (FileNotFoundError, NotADirectoryError):
            return False

    def write(self, files: list[tuple[str, bytes]], stale: list[str]) -> output.Changes:
        """Put files in place in their order, each of them whole, then remove stale ones.

        Raises:
            OutputError: with all that stands in the way; nothing was changed, or the index was not.
        """
        changes, new = compare(self, files, stale), dict(files)
        for path in (*changes.written, *changes.removed):
            try:
                with self._explained(path):
                    if path in new:
                        self._files.pipe_file(self._place(path), new[path], **self._content_type)
                    else:
                        self._files.rm_file(self._place(path))
            except OSError as error:
                raise OutputError([output.cannot_write(path, error)]) from error
        return changes

    def _place(self, path: str) -> str:
        return f"{self._top}/{path}" if path else self._top

    @contextmanager
    def _explained(self, path: str) -> Iterator[None]:
        """Let every failure be an OSError: what each kind of storage raises is its own."""
        try:
            yield
        except OSError:
            raise
        except Exception as error:
            reason = " ".join(str(error).split())[:300] or type(error).__name__
            raise OSError(errno.EIO, reason, f"{self._url}/{path}") from error


Storage = Local | Remote


def open_storage(root: str) -> Storage:
    """Return the storage of a directory, or of what a URL such as ``s3://bucket/docs`` names.

    Raises:
        ValueError: it is not there, or what it takes to reach it is not installed.
    """
    if root.lower().startswith(("http://", "https://")):
        message = f"{root}: a joined index cannot be written over HTTP; give the directory or the storage it is in"
        raise ValueError(message)
    return Remote(root) if "://" in root and not root.startswith("file://") else Local(root.removeprefix("file://"))


def read_each(storage: Storage, paths: Iterable[str], most: int) -> Iterator[tuple[str, bytes | OSError]]:
    """Return files with their paths, as `read` does, at the same time where the storage allows for it.

    Raises:
        OSError: the storage fails.
    """
    wanted = list(paths)
    return zip(wanted, storage.each(lambda path: storage.read(path, most), wanted), strict=True)


def compare(storage: Storage, files: list[tuple[str, bytes]], stale: list[str]) -> output.Changes:
    """Return what writing would change.

    Raises:
        OutputError: with all that stands in the way.
    """
    changes = output.Changes()
    new = dict(files)
    problems = []
    for path, found in read_each(storage, new, max(map(len, new.values()), default=0)):
        if isinstance(found, OSError) and not isinstance(found, FileNotFoundError):
            problems.append(output.cannot_write(path, found))
        elif isinstance(found, bytes) and found != new[path] and MARK not in found[:200]:
            problems.append(output.not_ours(path))
        else:
            (changes.unchanged if found == new[path] else changes.written).append(path)
    if problems:
        raise OutputError(problems)
    changes.removed = [path for path in stale if path not in new]
    return changes
