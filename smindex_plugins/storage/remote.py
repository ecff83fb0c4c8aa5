"""A directory of object storage, as fsspec reaches it."""

import errno
import hashlib
import io
import zlib
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from posixpath import basename, join
from typing import Any

from smindex_plugins import urls
from smindex_plugins.catalogue import CANNOT_WRITE
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Finding
from smindex_plugins.settings import INDEX_FILENAME
from smindex_plugins.sitemaps import Document, OutputError, is_marked, numbered, output, read
from smindex_plugins.storage.reading import Folder, compare
from smindex_plugins.text import masked

_AT_ONCE = 32
"""How many requests to object storage run at the same time."""
_CONTENT_TYPE = {"s3": "ContentType", "gs": "content_type"}
"""What storage that does not tell what a file is by its name calls that, by its protocol."""
_INSTALL = "pip install 'smindex-plugins[remote]'"
_AGAIN = "Run it again when that is mended. The earlier index is unchanged."
_RIGHTS = (
    "Let the credentials list, read, write and delete objects there: s3:ListBucket, s3:GetObject, s3:PutObject and "
    "s3:DeleteObject, or what other storage calls that. The earlier index is unchanged."
)


class Remote:
    """A directory of object storage, as fsspec reaches it, or how it would look, if nothing is to be written."""

    def __init__(self, url: str, *, is_dry: bool = False) -> None:
        self._is_dry = is_dry
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415 - of the extra [remote], and slow to load
        except ImportError as error:
            message = f"{masked(url)}: object storage needs fsspec. Install it: {_INSTALL}"
            raise ValueError(message) from error
        try:
            # What other processes put there must be seen, so nothing is listed from memory.
            self._files, top = url_to_fs(url, use_listings_cache=False)
        except Exception as error:  # an ImportError names the package that knows this kind of storage
            message = f"{masked(url)}: {masked(str(error)).rstrip('.')}"
            raise ValueError(message) from error
        self.url, self._top = masked(url).rstrip("/"), top.rstrip("/")
        with self._explained(""):
            self._files.invalidate_cache()
        # What one process may ask for at the same time: only what is made for it says so.
        self.each = ThreadPoolExecutor(_AT_ONCE if self._files.async_impl else 1).map
        protocols = self._files.protocol
        self._protocol = protocols if isinstance(protocols, str) else protocols[0]
        self._listed: dict[str, frozenset[str]] = {}

    def only_writer(self, _: list[Finding]) -> AbstractContextManager[None]:
        """Return what does nothing: what takes seconds needs no lock, and `locked` is one for what takes hours."""
        return nullcontext()

    def has_changed(self) -> bool:
        """Whether a file that was read has changed since. Object storage would have to be asked again for that."""
        return False

    def folder(self, path: str) -> Folder:
        """Return a directory with its content.

        Raises:
            OSError: the storage fails.
        """
        place = self._place(path)
        try:
            with self._explained(path):
                entries = self._files.ls(place, detail=True)
        except FileNotFoundError as error:
            message = f"{self.url}/{path}: there is no such directory"
            raise ValueError(message) from error
        places = {str(entry["name"]).strip("/"): entry["type"] == "directory" for entry in entries}
        self._listed[path] = frozenset(basename(each) for each, is_directory in places.items() if not is_directory)
        inside = (basename(each) for each, is_directory in places.items() if is_directory and each != place.strip("/"))
        below = sorted(join(path, name) for name in inside if not name.startswith("."))
        return Folder(path=path, files=self._listed[path], below=tuple(below))

    def names(self, directory: str, start: str) -> list[str]:
        """Return the names of the files in a directory that begin with a text.

        Raises:
            OSError: the storage fails.
        """
        place = self._place(directory)
        try:
            with self._explained(directory):
                if self._protocol in _CONTENT_TYPE:  # which find by a start, however much else is there
                    found = list(self._files.find(place, prefix=start))
                else:
                    entries = self._files.ls(place, detail=True)
                    found = [str(entry["name"]) for entry in entries if entry["type"] == "file"]
        except FileNotFoundError:
            return []
        top = place.strip("/") + "/"
        names = (each.strip("/").removeprefix(top) for each in found)
        return sorted(name for name in names if name.startswith(start) and "/" not in name)

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
        """Whether a file exists, without reading it."""
        directory, _, name = path.rpartition("/")
        return name in self._listed[directory] if directory in self._listed else self._found(path) is not None

    def is_ours(self, path: str) -> bool:
        """Whether this tool wrote a file.

        Raises:
            OSError: it cannot be read.
        """
        start = self.read(path, output.PEEKED)
        if isinstance(start, OSError) and not isinstance(start, (FileNotFoundError, IsADirectoryError)):
            raise start
        return isinstance(start, bytes) and is_marked(start, path)

    def earlier(self, base: str, index_filename: str) -> list[str]:
        """Return the files of earlier runs: the indexes of ours under the name of one, and the sitemaps they list.

        Raises:
            OSError: the storage fails.
        """
        indexes, sitemaps = list[str](), set[str]()
        for usual in {index_filename, INDEX_FILENAME}:
            names = self.names("", usual.removesuffix(".xml"))
            for name in [*({usual} & {*names}), *numbered(names, usual)]:
                content = self.read(name, MAX_BYTES)
                if isinstance(content, bytes) and is_marked(content[: output.PEEKED], name):
                    index = read(io.BytesIO(content), Document(url=base + name))
                    if index.kind == "sitemapindex" and index.is_whole:
                        indexes.append(name)
                        every = (entry.url for entry in index.entries[: index.own])
                        own = (url for url in every if urls.is_within(url, base))
                        listed = (urls.file_path(urls.relative_path(url, base)) for url in own)
                        sitemaps.update(filter(None, listed))
        return [*sorted(indexes), *sorted(sitemaps)]

    def put(self, url_path: str, content: list[bytes]) -> bool:
        """Put one object in place under its URL path, or leave it where its content is the same already.

        Return whether it was written. Several processes may put the same object at the same time.

        Raises:
            OutputError: with what stands in the way; the object is as it was.
        """
        path = urls.file_path(url_path)
        if path is None:
            raise OutputError([output.no_file(url_path)])
        data = _packed(content) if path.endswith(".gz") else b"".join(content)
        try:
            found = self._found(path)
            if found is not None:
                if self._is_same(path, found, data):
                    return False
                if not self.is_ours(path):
                    raise OutputError([output.not_ours(path)])
            if not self._is_dry:
                self.overwrite(path, data)
        except OSError as error:
            raise OutputError([self.cannot_write(path, error)]) from error
        return True

    def create(self, path: str, data: bytes) -> None:
        """Write an object that does not exist yet. The storage itself makes sure of that.

        Raises:
            OSError: it is there, or the storage fails; the storage has no such promise, with `errno.ENOSYS`.
        """
        try:
            with self._explained(path):
                self._files.pipe_file(self._place(path), data, mode="create")
        except (TypeError, NotImplementedError) as error:
            raise OSError(errno.ENOSYS, "it has no conditional writing") from error

    def overwrite(self, path: str, data: bytes) -> None:
        """Write an object as a whole, whatever is there.

        Raises:
            OSError: the storage fails.
        """
        kind = "application/gzip" if path.endswith(".gz") else "application/xml" if path.endswith(".xml") else ""
        named = {_CONTENT_TYPE[self._protocol]: kind} if kind and self._protocol in _CONTENT_TYPE else {}
        with self._explained(path):
            self._files.pipe_file(self._place(path), data, **named)

    def write(self, files: list[tuple[str, bytes]], stale: list[str]) -> output.Changes:
        """Write files in their order, each as a whole, then remove old ones.

        Raises:
            OutputError: with all that stands in the way; nothing was changed, or the index was not.
        """
        try:
            changes = compare(self, files, stale)
        except OSError as error:
            raise OutputError([self.cannot_write("", error)]) from error
        if self._is_dry:
            return changes
        new, gone = dict(files), changes.removed
        for path in changes.written:
            try:
                self.overwrite(path, new[path])
            except OSError as error:
                raise OutputError([self.cannot_write(path, error)]) from error
        changes.problems += filter(None, self.each(self._remove_stale, gone))
        left = {problem.where for problem in changes.problems}
        changes.removed = [path for path in gone if path not in left]
        return changes

    def remove(self, path: str) -> None:
        """Remove an object, if it still exists.

        Raises:
            OSError: the storage fails.
        """
        with suppress(FileNotFoundError), self._explained(path):
            self._files.rm_file(self._place(path))

    def cannot_write(self, path: str, error: OSError) -> Finding:
        """Return the finding about an object that cannot be written."""
        fix = _RIGHTS if isinstance(error, PermissionError) else _AGAIN
        return CANNOT_WRITE.at(path or self.url, f"it cannot be written: {reason(error)}.", fix)

    def _remove_stale(self, path: str) -> Finding | None:
        try:
            self.remove(path)
        except OSError as error:
            problem = f"it is of an earlier run, and cannot be removed: {reason(error)}."
            fix = "Let the credentials delete objects there, and run it again; no index lists it."
            return CANNOT_WRITE.at(path, problem, fix)
        return None

    def _found(self, path: str) -> dict[str, Any] | None:
        """Return what the storage says about an object, or None if it does not exist."""
        try:
            with self._explained(path):  # `isfile` would take every failure for a file that is not there
                found: dict[str, Any] = self._files.info(self._place(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found if found["type"] == "file" else None

    def _is_same(self, path: str, found: dict[str, Any], data: bytes) -> bool:
        """Whether an object has a content, by its size and checksum, or else by its bytes."""
        if found["size"] == len(data) and hashlib.md5(data, usedforsecurity=False).digest() in _checksums(found):
            return True
        if found["size"] != len(data) and not path.endswith(".gz"):
            return False
        there = self.read(path, MAX_BYTES)
        if isinstance(there, OSError):
            raise there
        # Another version of zlib must not make all packed files look changed.
        return there == data or (path.endswith(".gz") and _unpacked(there) == _unpacked(data))

    def _place(self, path: str) -> str:
        return f"{self._top}/{path}" if path else self._top

    @contextmanager
    def _explained(self, path: str) -> Iterator[None]:
        """Turn every failure into an OSError. Each kind of storage raises its own."""
        try:
            yield
        except OSError:
            raise
        except Exception as error:
            reason = " ".join(str(error).split())[:300] or type(error).__name__
            raise OSError(errno.EIO, reason, f"{self.url}/{path}") from error


def reason(error: OSError) -> str:
    """Return why the storage fails, as it may be shown."""
    return " ".join(masked(error.strerror or str(error)).split()).rstrip(".") or type(error).__name__


def _packed(content: list[bytes]) -> bytes:
    file = io.BytesIO()
    output.pack(content, file)
    return file.getvalue()


def _unpacked(data: bytes) -> bytes | None:
    try:
        return zlib.decompressobj(wbits=31).decompress(data, MAX_BYTES + 1)
    except zlib.error:
        return None


def _checksums(found: dict[str, Any]) -> Iterator[bytes]:
    """Yield what may be the MD5 of an object: S3 has it for its ETag, unless it encrypts with keys of others."""
    with suppress(ValueError):
        yield bytes.fromhex(str(found.get("ETag") or found.get("etag") or "").strip('"'))
    with suppress(ValueError):
        yield b64decode(str(found.get("md5Hash") or ""))
