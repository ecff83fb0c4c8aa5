"""A directory on this machine or in object storage, through fsspec.

Files are written atomically.
"""

import errno
import hashlib
import os
from base64 import b64encode
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from posixpath import basename, dirname, join, splitext
from typing import Any

from smindex_plugins.base.catalogue import CANNOT_WRITE
from smindex_plugins.base.files import TEMPORARY, is_inside, is_same, local_path, write_file
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import Finding
from smindex_plugins.base.text import masked

_AT_ONCE = 32
"""How many requests to object storage run at the same time."""
_CONTENT_TYPES = {".xml": "application/xml", ".gz": "application/gzip"}
_CONTENT_TYPE_OPTIONS = {"s3": "ContentType", "gs": "content_type"}
"""Storage that does not derive the content type from the name, and its option for it."""
_RIGHTS = (
    "Allow the credentials to list, read, write and delete objects: s3:ListBucket, s3:GetObject,"
    " s3:PutObject and s3:DeleteObject, or the equivalent on other storage. The earlier index is"
    " unchanged."
)


@dataclass(frozen=True, slots=True)
class Folder:
    """A directory below the root.

    Paths are relative to the root, with ``/``, and empty for the root itself.
    """

    path: str
    files: frozenset[str] = frozenset()
    """The names of the files in it."""
    below: tuple[str, ...] = ()
    """The paths of the directories in it, without hidden ones. Links to directories below the root
    are included."""
    outside: tuple[str, ...] = ()
    """The paths of the links in it to other directories."""
    target: str = ""
    """Its path without links."""


class Storage:
    """A directory, given as a path or a URL. With ``is_dry``, nothing is changed."""

    def __init__(self, root: str, *, is_dry: bool = False) -> None:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - takes 100 ms, and few commands need it

        try:
            # Other processes write there too, so listings are not cached.
            self._files, top = url_to_fs(root, use_listings_cache=False)
        except Exception as error:
            message = f"{masked(root)}: {_why_closed(error)}"
            raise ValueError(message) from error
        self._files.invalidate_cache()
        self._top = top.rstrip("/")
        self._is_dry = is_dry
        protocols = self._files.protocol
        self._protocol = protocols if isinstance(protocols, str) else protocols[0]
        self.url = masked(root).rstrip("/")
        self.directory = os.path.realpath(top) if self._protocol == "file" else ""
        """Its path on this machine, or an empty string."""
        self.each = ThreadPoolExecutor(_AT_ONCE).map if self._files.async_impl else map
        """Apply a function to several paths, in parallel where the storage supports it."""

    def folder(self, path: str) -> Folder:
        """Return a directory with its content.

        Raises:
            ValueError: it does not exist.
            OSError: it can't be read.
        """
        try:
            entries = self._call("ls", path, detail=True)
        except FileNotFoundError as error:
            message = f"{self.url}/{path}: there is no such directory"
            raise ValueError(message) from error
        files: set[str] = set()
        below: list[str] = []
        outside: list[str] = []
        own_place = self._place(path).strip("/")
        for place, entry in sorted((str(entry["name"]).rstrip("/"), entry) for entry in entries):
            name = basename(place)
            kind = entry["type"]
            is_link = entry.get("islink", False)
            if kind == "directory" or (is_link and os.path.isdir(place)):
                if name.startswith(".") or place.strip("/") == own_place:
                    continue
                if is_link and not is_inside(place, self.directory):
                    outside.append(join(path, name))
                else:
                    below.append(join(path, name))
            elif kind == "file" or is_link:  # but not a pipe, which can block forever
                files.add(name)
        target = self._without_links(path)
        return Folder(path, frozenset(files), tuple(below), tuple(outside), target)

    def names(self, directory: str, start: str) -> list[str]:
        """Return the sorted names of the files in a directory that start with a prefix.

        Raises:
            OSError: the storage fails.
        """
        found: Iterable[str]
        try:
            if self._protocol in _CONTENT_TYPE_OPTIONS:  # which can search by prefix
                top = f"{self._place(directory)}/"
                places = self._call("find", directory, prefix=start)
                found = [str(place).removeprefix(top) for place in places]
            else:
                found = self.folder(directory).files
        except (ValueError, FileNotFoundError):
            return []
        return sorted(name for name in found if name.startswith(start) and "/" not in name)

    def read(self, path: str, most: int) -> bytes | OSError:
        """Return a file, cut one byte after the limit, or why it can't be read.

        Raises:
            OSError: the storage fails, which is not a problem of the file.
        """
        try:
            return bytes(self._call("cat_file", path, start=0, end=most + 1))
        except OSError as error:
            # S3 has no range of an empty object
            if error.errno == errno.EINVAL and not self.directory:
                return b""
            if self.directory or isinstance(
                error, (FileNotFoundError, IsADirectoryError, PermissionError)
            ):
                return error
            raise

    def read_each(self, paths: Iterable[str], most: int) -> Iterator[tuple[str, bytes | OSError]]:
        """Yield several files with their paths, as `read` returns them."""
        wanted = list(paths)
        return zip(wanted, self.each(lambda path: self.read(path, most), wanted), strict=True)

    def is_there(self, path: str) -> bool:
        """Whether a file exists.

        Raises:
            OSError: the storage fails.
        """
        return self._info(path).get("type") == "file"

    def is_same(self, path: str, content: bytes) -> bool:
        """Whether a file has this content, by its size and checksum if possible, otherwise by its
        bytes.

        Raises:
            OSError: the storage fails.
        """
        found = self._info(path)
        is_packed = path.endswith(".gz")
        if not found or found.get("islink"):
            return False
        if found["size"] != len(content) and not is_packed:
            return False
        digest = hashlib.md5(content, usedforsecurity=False)
        s3_digest = str(found.get("ETag", "")).strip('"')
        google_digest = str(found.get("md5Hash", ""))
        own_digests = {digest.hexdigest(), b64encode(digest.digest()).decode()}
        if s3_digest in own_digests or google_digest in own_digests:
            return True
        there = self.read(path, MAX_BYTES)
        return isinstance(there, bytes) and is_same(there, content)

    def write(self, path: str, content: bytes) -> None:
        """Write a file atomically, replacing an existing one.

        Raises:
            OSError: it can't be written; the file is as it was.
        """
        if self._is_dry:
            return
        if not self.directory:
            options: dict[str, str] = {}
            option = _CONTENT_TYPE_OPTIONS.get(self._protocol)
            kind = _CONTENT_TYPES.get(splitext(path)[1])
            if option and kind:
                options[option] = kind
            self._call("pipe_file", path, content, **options)
            return
        self._check_inside(path)
        place = self._place(path)
        os.makedirs(dirname(place), exist_ok=True)
        write_file(place, content)

    def remove(self, path: str) -> Finding | None:
        """Remove a file, if it still exists. Return what prevents that."""
        try:
            if not self._is_dry:
                self._check_inside(path)
                self._call("rm_file", path)
        except FileNotFoundError:
            pass
        except OSError as error:
            problem = f"an earlier run left it, and it can't be removed: {reason_of(error)}."
            return CANNOT_WRITE.at(path, problem, "Remove it manually. No index lists it.")
        return None

    def tidy(self, directories: Iterable[str]) -> None:
        """Remove the temporary files of killed runs from directories."""
        if not self.directory:
            return
        for directory in directories:
            for name in self.names(directory, ""):
                if name.endswith(TEMPORARY):
                    self.remove(join(directory, name))

    def cannot_write(self, path: str, error: OSError) -> Finding:
        """Return a finding about a file that can't be written."""
        fix = "Fix the problem and run the command again. The earlier index is unchanged."
        if isinstance(error, PermissionError) and not self.directory:
            fix = _RIGHTS
        where = path or str(error.filename or self.url)
        return CANNOT_WRITE.at(where, f"it can't be written: {reason_of(error)}.", fix)

    def _place(self, path: str) -> str:
        return f"{self._top}/{path}" if path else self._top

    def _without_links(self, path: str) -> str:
        """Return the path of a directory without links, relative to the root."""
        if not self.directory:
            return path.strip("/")
        root = self.directory.replace(os.sep, "/")
        real = os.path.realpath(self._place(path)).replace(os.sep, "/")
        return real.removeprefix(root).strip("/")

    def _call(self, method: str, path: str, *arguments: bytes, **options: object) -> Any:  # noqa: ANN401 - as fsspec
        """Call fsspec.

        Raises:
            OSError: it fails, whichever exception the storage raises.
        """
        try:
            return getattr(self._files, method)(self._place(path), *arguments, **options)
        except OSError:
            raise
        except Exception as error:
            reason = " ".join(str(error).split())[:300] or type(error).__name__
            raise OSError(errno.EIO, reason, f"{self.url}/{path}") from error

    def _info(self, path: str) -> dict[str, Any]:
        """Return what the storage knows about a file, or nothing if it does not exist."""
        try:
            return dict(self._call("info", path))
        except (FileNotFoundError, NotADirectoryError):
            return {}

    def _check_inside(self, path: str) -> None:
        """Reject links, and files in a directory that is a link to outside this one.

        Raises:
            OSError: it is such a file.
        """
        if not self.directory:
            return
        place = self._place(path)
        if os.path.islink(place) or not is_inside(dirname(place), self.directory):
            why = "it is a link, or its directory links to outside the output directory"
            raise OSError(errno.EINVAL, why, path)


def open_storage(root: str, *, may_be_new: bool = False, is_dry: bool = False) -> Storage:
    """Return the storage of a directory, or of a URL such as ``s3://bucket/docs``.

    Raises:
        ValueError: it does not exist, or the package for it is not installed.
    """
    if root.lower().startswith(("http://", "https://")):
        message = f"{root}: can't write over HTTP; pass the directory or the storage that it serves"
        raise ValueError(message)
    path = local_path(root)
    if "://" in path or os.path.isdir(path):
        return Storage(path, is_dry=is_dry)
    if not path:
        message = "the root is empty"
        raise ValueError(message)
    if os.path.exists(path):
        message = f"{path}: it is a file, not a directory"
        raise ValueError(message)
    if not may_be_new or os.path.lexists(path):
        message = f"{path}: there is no such directory"
        raise ValueError(message)
    return Storage(path, is_dry=is_dry)


def _why_closed(error: Exception) -> str:
    """Return why fsspec opens no storage, without a full stop."""
    if isinstance(error, ImportError):
        return masked(str(error)).rstrip(".")  # which names the package for this kind of storage
    if isinstance(error, OSError):
        return reason_of(error)
    return "it is not the URL of a storage that fsspec can open"


def reason_of(error: OSError) -> str:
    """Return why a storage fails, without a full stop."""
    words = masked(error.strerror or str(error)).split()
    reason = " ".join(words).rstrip(".")
    return reason or type(error).__name__
