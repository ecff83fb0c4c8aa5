"""The destination of a run over a table: complete files, from many processes at once, and the index
last.

Names and content of files depend only on the pages. A file can therefore be written before its
index: the earlier index already lists its name, or no index lists it yet. Stale files are removed
after the new index is in place.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from posixpath import dirname

from smindex_plugins.base import addresses, urls
from smindex_plugins.base.catalogue import CANNOT_WRITE
from smindex_plugins.base.files import local_path
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import Changes
from smindex_plugins.base.settings import INDEX_FILENAME, Settings
from smindex_plugins.writing import output
from smindex_plugins.writing.names import PEEKED, is_marked, numbered, own_locs
from smindex_plugins.writing.rendering import OutputError
from smindex_plugins.writing.storage import Storage, open_storage

_ABSENT = "a worker wrote it, but it is missing here. No index was written."
_SHARE = "Make all machines write to the same place: a shared directory, or object storage."


@dataclass(frozen=True, slots=True)
class Destination:
    """A directory or object storage. It can be pickled, and `put` works from any process.

    A dry run writes nothing.
    """

    out: str
    site_url: str
    settings: Settings
    is_dry: bool = False

    def open(self) -> Storage:
        """Open the storage again, because connections can't be pickled or forked.

        Raises:
            ValueError: it can't be used.
        """
        return open_storage(self.out, may_be_new=True, is_dry=self.is_dry)

    @contextmanager
    def only_run(self) -> Iterator[None]:
        """Hold exclusive write access to a directory on this machine. Object storage is not locked.

        Raises:
            OutputError: another run writes there.
        """
        directory = "" if self.is_dry else self.open().directory
        with output.only_writer(directory) if directory else nullcontext():
            yield

    def prepare(self, stems: Iterable[str]) -> None:
        """Refuse to replace other tools' files that have the name of the index or of a section.

        Sections are given as stems. The temporary files of killed runs are removed.

        Raises:
            OutputError: with all obstacles. Nothing was written.
        """
        suffix = ".xml.gz" if self.settings.gzip else ".xml"
        needed = {self.settings.index_filename}
        for stem in stems:
            path = urls.file_path(stem + suffix)
            if path:
                needed.add(path)
        storage = self.open()
        with _explained_failures(storage):
            storage.tidy(set(map(dirname, needed)))
            _, listed = self._earlier(storage)
            unknown = needed.difference(listed)  # the others are ours; otherwise `put` notices
            foreign = [path for path, is_ours in _marks(storage, unknown) if not is_ours]
            if foreign:
                raise OutputError([output.not_ours(path) for path in sorted(foreign)])

    def put(self, path: str, content: list[bytes]) -> bool:
        """Write a complete file under its URL path below the site, unless it already has this
        content.

        Return whether it was written. Several processes may put the same file at the same time.

        Raises:
            OutputError: with all obstacles. The file is unchanged.
        """
        file = urls.file_path(path)
        if file is None:
            raise OutputError([output.no_file(path)])
        data = output.pack(content) if file.endswith(".gz") else b"".join(content)
        storage = self.open()
        with _explained_failures(storage, file):
            if storage.is_same(file, data):
                return False
            if (file, False) in _marks(storage, [file]):
                raise OutputError([output.not_ours(file)])
            storage.write(file, data)
            return True

    def finish(self, indexes: list[tuple[str, list[bytes]]], listed: Iterable[str]) -> Changes:
        """Write the indexes, then remove files that only earlier indexes listed, all by URL paths.

        Raises:
            OutputError: with all obstacles. All or some of the earlier indexes are unchanged.
        """
        storage = self.open()
        changes = Changes()
        sitemaps = list(filter(None, map(urls.file_path, listed)))
        kept: set[str | None] = set(sitemaps)
        for path, _ in indexes:
            kept.add(urls.file_path(path))
        with _explained_failures(storage):
            if storage.directory and not self.is_dry:
                _refuse_absent(storage, sitemaps)
            earlier = self._earlier(storage)
            for path, content in indexes:
                if self.put(path, content):
                    changes.written.append(path)
                else:
                    changes.unchanged.append(path)
            for paths in earlier:
                stale = [path for path in paths if path not in kept]
                ours = [path for path, is_ours in _marks(storage, stale) if is_ours]
                changes.problems += filter(None, storage.each(storage.remove, ours))
                if changes.problems:  # a sitemap must stay while an index lists it
                    break
                changes.removed += ours
        return changes

    def _earlier(self, storage: Storage) -> tuple[list[str], list[str]]:
        """Return our indexes in the storage, and the sitemaps that they list."""
        indexes = []
        sitemaps: set[str] = set()
        for usual in {self.settings.index_filename, INDEX_FILENAME}:
            names = storage.names("", usual.removesuffix(".xml"))
            candidates = numbered(names, usual)
            if usual in names:
                candidates.insert(0, usual)
            for name in candidates:
                content = storage.read(name, MAX_BYTES)
                if not isinstance(content, bytes) or not is_marked(content):
                    continue
                locs = own_locs(content)
                if locs is not None:
                    indexes.append(name)
                    sitemaps.update(self._files_at(locs))
        return sorted(indexes), sorted(sitemaps)

    def _files_at(self, locs: Iterable[str]) -> Iterator[str]:
        """Yield the files of the URLs below the site."""
        for url in locs:
            if urls.is_within(url, self.site_url):
                path = urls.relative_path(url, self.site_url)
                file = urls.file_path(path)
                if file:
                    yield file


def _marks(storage: Storage, paths: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the files that exist, and whether this tool wrote them.

    Raises:
        OSError: one of them can't be read.
    """
    for path, start in storage.read_each(paths, PEEKED):
        if isinstance(start, bytes):
            yield path, is_marked(start)
        elif not isinstance(start, FileNotFoundError):
            raise start


def _refuse_absent(storage: Storage, sitemaps: Iterable[str]) -> None:
    """Check that the files of all workers arrived here.

    Raises:
        OutputError: with the first one that is missing.
    """
    for path in sitemaps:
        if not storage.is_there(path):
            raise OutputError([CANNOT_WRITE.at(path, _ABSENT, _SHARE)])


@contextmanager
def _explained_failures(storage: Storage, path: str = "") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError([storage.cannot_write(path, error)]) from error


def open_destination(
    out: str,
    *,
    site_url: str,
    settings: Settings = Settings(),  # noqa: B008 - it is immutable
    is_dry: bool = False,
) -> Destination:
    """Return the directory, which is created if needed, or the object storage that serves a site's
    address.

    Raises:
        ValueError: it can't be used, the package for it is not installed, or the address is
            invalid.
    """
    # Workers can have another working directory.
    place = local_path(out)
    if place and "://" not in place:
        place = os.path.abspath(place)
    destination = Destination(place, addresses.site_url(site_url), settings, is_dry)
    destination.open()
    return destination
