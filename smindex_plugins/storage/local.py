"""A directory of this machine."""

import os
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from posixpath import join

from smindex_plugins.files import is_inside, open_regular
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import output
from smindex_plugins.storage.reading import Folder


class Local:
    """A directory of this machine, or how it would look, if nothing is to be written."""

    each = staticmethod(map)

    def __init__(self, path: str, *, is_dry: bool = False) -> None:
        self.directory = os.path.realpath(path)
        self._is_dry = is_dry
        self._read: dict[str, tuple[int, int] | None] = {}
        """The files that were read, with the identity of each."""

    def only_writer(self, _: list[Finding]) -> AbstractContextManager[None]:
        """Return a context in which no other run writes into the directory, as `output.only_writer` does."""
        return nullcontext() if self._is_dry else output.only_writer(self.directory)

    def tidy(self) -> None:
        """Remove what killed workers left half done; the caller is the only writer."""
        for top, _, names in os.walk(self.directory):
            for name in names:
                if re.search(rf"\.[0-9a-f]{{8}}{re.escape(output.SUFFIX)}\Z", name) and not self._is_dry:
                    with suppress(OSError):
                        os.remove(os.path.join(top, name))

    def has_changed(self) -> bool:
        """Whether a file that was read has changed since, except files that were written here."""
        return any(_identity(file) != known for file, known in self._read.items())

    def folder(self, path: str) -> Folder:
        """Return a directory with its content.

        Raises:
            OSError: it cannot be read.
        """
        with os.scandir(os.path.join(self.directory, path)) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        directories = {entry.name for entry in entries if os.path.isdir(entry.path)}  # a link may be a circle
        shown = [entry for entry in entries if entry.name in directories and not entry.name.startswith(".")]
        return Folder(
            path=path,
            files=frozenset(entry.name for entry in entries) - directories,
            below=tuple(join(path, entry.name) for entry in shown if not entry.is_symlink()),
            links=tuple(self._link(join(path, entry.name)) for entry in shown if entry.is_symlink()),
        )

    def read(self, path: str, most: int) -> bytes | OSError:
        """Return a file, but no more than one byte more than the most that is wanted, or why it cannot be read."""
        file = os.path.realpath(os.path.join(self.directory, path))
        self._read[file] = _identity(file)
        try:
            with open_regular(file, within=self.directory) as opened:
                return opened.read(most + 1)
        except OSError as error:
            return error

    def names(self, directory: str, start: str) -> list[str]:
        """Return the names of the files in a directory that begin with a text."""
        place = os.path.join(self.directory, directory)
        if not os.path.isdir(place) or not is_inside(place, self.directory):
            return []
        with os.scandir(place) as found:
            return sorted(entry.name for entry in found if entry.name.startswith(start) and not entry.is_dir())

    def is_ours(self, path: str) -> bool:
        """Whether this tool wrote a file."""
        return output.is_ours(os.path.join(self.directory, path))

    def earlier(self, base: str, _: str) -> list[str]:
        """Return the files of earlier runs, as `output.stale_files` does."""
        return output.stale_files(self.directory, base)

    def is_there(self, path: str) -> bool:
        """Whether a file exists, without a link that leads out of the directory."""
        file = os.path.join(self.directory, path)
        return os.path.isfile(file) and is_inside(file, self.directory)

    def cannot_write(self, path: str, error: OSError) -> Finding:
        """Return the finding about a file that cannot be written."""
        return output.cannot_write(path or self.directory, error)

    def put(self, url_path: str, content: list[bytes]) -> bool:
        """Write one file under its URL path, unless its content is already there.

        Return whether it was written. Several processes may put the same file at the same time.

        Raises:
            OutputError: with what stands in the way; the file is as it was.
        """
        with self._staging(f".{secrets.token_hex(4)}{output.SUFFIX}") as staging:
            staging.add(url_path, content)
            return bool(staging.commit().written)

    def write(self, files: list[tuple[str, bytes]], stale: list[str]) -> output.Changes:
        """Write files in their order, then remove old ones.

        Raises:
            OutputError: with all that stands in the way; nothing was changed.
        """
        with self._staging() as staging:
            for path, content in files:
                staging.add(path, [content])
            changes = staging.commit(stale)
        for path in (*changes.written, *changes.removed):
            self._read.pop(os.path.realpath(os.path.join(self.directory, path)), None)
        return changes

    @contextmanager
    def _staging(self, suffix: str = output.SUFFIX) -> Iterator[output.Staging]:
        """Collect files that are put in place together, or only compared with what is there."""
        place = tempfile.TemporaryDirectory(prefix="smindex-") if self._is_dry else nullcontext("")
        with place as preview, output.Staging(self.directory, preview, suffix) as staging:
            yield staging

    def _link(self, path: str) -> Folder:
        target = os.path.realpath(os.path.join(self.directory, path))
        if not is_inside(target, self.directory):
            return Folder(path=path, leads_outside=True)
        inside = os.path.relpath(target, self.directory).replace(os.sep, "/")
        return Folder(path=path, link="" if inside == "." else inside)


def _identity(path: str) -> tuple[int, int] | None:
    """Return what identifies a file and its content at a path."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
