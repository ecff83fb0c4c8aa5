"""Where a run over a table writes: file by file, from many processes at once, and so that every index stays true.

Names and bytes of files follow from the pages alone. So a file may be put before its index, as soon as it is made: the
earlier index lists its name already, or no index does yet. What goes, goes after the new index.
"""

import io
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from posixpath import dirname, join
from urllib.parse import quote

from smindex_plugins import addresses, urls
from smindex_plugins.catalogue import CANNOT_WRITE
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.settings import INDEX_FILENAME, Settings
from smindex_plugins.sitemaps import (
    MARK,
    PEEKED,
    Changes,
    Document,
    OutputError,
    is_marked,
    numbered,
    output,
    read,
    sections,
)
from smindex_plugins.storage import Storage, open_storage

_UNFINISHED = ".smindex-unfinished"
"""A file with the sections of runs that did not end, so that the next run finds what they wrote and no index lists."""
_ABSENT = "a worker wrote it, and it is not there; no index was written."
_SHARE = "Let all machines write to one place: a directory that they share, or object storage."
_STEM = re.compile(rf"(.*?)(?:{sections.PART})?\.xml(?:\.gz)?", re.DOTALL)


class Destination:
    """A directory or object storage, as one run writes into it; every process may have a copy, and `put` with it.

    A dry one decides and tells as any other, and writes nothing.
    """

    def __init__(self, out: str, site_url: str, *, is_dry: bool = False) -> None:
        self.out, self.site_url, self.is_dry = out, site_url, is_dry
        self._indexes: list[str] = []
        """The indexes of earlier runs."""
        self._stale: list[str] = []
        """Other files of earlier runs."""

    def __reduce__(self) -> tuple[partial["Destination"], tuple[str, str]]:
        return partial(Destination, is_dry=self.is_dry), (self.out, self.site_url)

    @contextmanager
    def only_run(self) -> Iterator[None]:
        """Be the only run that writes into a directory of this machine. Object storage is not locked.

        Raises:
            OutputError: another run does.
        """
        directory = "" if self.is_dry else self._storage.directory
        with output.only_writer(directory) if directory else nullcontext():
            yield

    def prepare(self, stems: Iterable[str], settings: Settings) -> None:
        """Find what earlier runs left, and make sure that no file of others has a name that this run may need.

        The run itself calls it once, when it knows the stems of all its sections, and before any `put`.

        Raises:
            OutputError: with all that stands in the way; nothing was written, or the storage fails.
        """
        with self._explain_failures():
            storage, suffix = self._storage, ".xml.gz" if settings.gzip else ".xml"
            own = {path for path in map(urls.file_path, stems) if path is not None}
            self._indexes, listed = self._earlier(settings.index_filename)
            begun = sorted({*own, *self._unfinished(), *map(_section, listed)})
            storage.tidy({"", *map(dirname, begun)})
            found = dict(zip(begun, storage.each(self._files, begun), strict=True))
            there = list(dict.fromkeys(path for paths in found.values() for path in paths if path not in listed))
            index = [settings.index_filename]
            others = {path for path, is_ours in self._marks([*there, *index]) if not is_ours}
            needed = [*index, *(path for stem in own for path in found[stem] if path.endswith(suffix))]
            if in_the_way := sorted(others.intersection(needed)):
                raise OutputError([output.not_ours(path) for path in in_the_way])
            left = (path for path in there if path not in others and not self._is_of_another_site(path))
            self._stale = [*sorted(listed), *left]
            storage.write(_UNFINISHED, b"".join([MARK + b"\n", *(f"{quote(stem)}\n".encode() for stem in begun)]))

    def put(self, path: str, content: list[bytes]) -> bool:
        """Put a file in place, whole, under its URL path below the site, or leave it where it has these bytes already.

        Return whether it was written. It may be called again, from any process, also at the same time.

        Raises:
            OutputError: with what stands in the way; the file is as it was.
        """
        file = urls.file_path(path)
        if file is None:
            raise OutputError([output.no_file(path)])
        data = output.pack(content) if file.endswith(".gz") else b"".join(content)
        with self._explain_failures(file):
            if self._storage.is_same(file, data):
                return False
            if (file, False) in self._marks([file]):
                raise OutputError([output.not_ours(file)])
            self._storage.write(file, data)
            return True

    def finish(self, indexes: list[tuple[str, list[bytes]]], listed: Iterable[str]) -> Changes:
        """Put the indexes in place, then remove what earlier runs left and is not ``listed``, all by their URL paths.

        Raises:
            OutputError: with what stands in the way; the earlier indexes are as they were, or some of them.
        """
        sitemaps = [*filter(None, map(urls.file_path, listed))]
        kept = {*sitemaps, *(urls.file_path(path) for path, _ in indexes)}
        storage, changes = self._storage, Changes()
        with self._explain_failures():
            if storage.directory and not self.is_dry:
                absent = next((path for path in sitemaps if not storage.is_there(path)), None)
                if absent is not None:
                    raise OutputError([CANNOT_WRITE.at(absent, _ABSENT, _SHARE)])
            for path, content in indexes:
                (changes.written if self.put(path, content) else changes.unchanged).append(path)
            for stale in (self._indexes, self._stale, [] if self.is_dry else [_UNFINISHED]):
                gone = [path for path, is_ours in self._marks(each for each in stale if each not in kept) if is_ours]
                changes.problems += filter(None, storage.each(storage.remove, gone))
                if changes.problems:  # a sitemap stays as long as an index lists it, and the next run must know of it
                    break
                changes.removed += [path for path in gone if path != _UNFINISHED]
        return changes

    @property
    def _storage(self) -> Storage:
        return _open(self.out, os.getpid(), self.is_dry)

    def _files(self, stem: str) -> list[str]:
        """Return the paths of files that a section can have, by the stem of its first."""
        directory, _, name = stem.rpartition("/")
        names = self._storage.names(directory, name)
        form = re.compile(rf"{re.escape(name)}(?:{sections.PART})?\.xml(?:\.gz)?")
        return [join(directory, each) for each in names if form.fullmatch(each)]

    def _marks(self, paths: Iterable[str]) -> Iterator[tuple[str, bool]]:
        """Yield the files that exist, and whether this tool wrote them.

        Raises:
            OSError: one of them cannot be read.
        """
        for path, start in self._storage.read_each(paths, PEEKED):
            if isinstance(start, bytes):
                yield path, is_marked(start)
            elif not isinstance(start, FileNotFoundError):
                raise start

    def _earlier(self, index_filename: str) -> tuple[list[str], set[str]]:
        """Return the indexes of earlier runs, and the sitemaps that they list."""
        storage, indexes, sitemaps = self._storage, list[str](), set[str]()
        for usual in sorted({index_filename, INDEX_FILENAME}):
            names = storage.names("", usual.removesuffix(".xml"))
            for name in [*({usual} & {*names}), *numbered(names, usual)]:
                content = storage.read(name, MAX_BYTES)
                if isinstance(content, bytes) and is_marked(content):
                    index = read(io.BytesIO(content), Document(url=self.site_url + name))
                    if index.kind == "sitemapindex" and index.is_whole:
                        indexes.append(name)
                        own = [entry.normal for entry in index.entries[: index.own]]
                        here = (url for url in own if urls.is_within(url, self.site_url))
                        listed = (urls.file_path(urls.relative_path(url, self.site_url)) for url in here)
                        sitemaps.update(filter(None, listed))
        return indexes, sitemaps

    def _is_of_another_site(self, path: str) -> bool:
        """Whether a directory below the top one, in which a file is, has an index of its own."""
        directory = dirname(path)
        while directory:
            if self._storage.is_there(join(directory, INDEX_FILENAME)):
                return True
            directory = dirname(directory)
        return False

    def _unfinished(self) -> Iterator[str]:
        """Yield the sections of runs that did not end."""
        content = self._storage.read(_UNFINISHED, MAX_BYTES)
        if isinstance(content, bytes) and MARK in content[:200]:
            stems = (urls.file_path(line.strip()) for line in content.decode(errors="replace").splitlines()[1:])
            yield from filter(None, stems)

    @contextmanager
    def _explain_failures(self, path: str = "") -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError([self._storage.cannot_write(path, error)]) from error


def open_destination(out: str, *, site_url: str, is_dry: bool = False) -> Destination:
    """Return the directory, which is made if need be, or the object storage, from which a site's address is served.

    Raises:
        ValueError: it is none, what it takes to reach it is not installed, or the address is none.
    """
    # Workers may be in another directory, and nobody has to stay in this one.
    place = out if "://" in out or not out else os.path.abspath(out)
    destination = Destination(place, addresses.site_url(site_url), is_dry=is_dry)
    _open(place, os.getpid(), is_dry)
    return destination


@cache
def _open(out: str, _process: int, is_dry: bool) -> Storage:  # noqa: FBT001 - a key of the cache
    """Return the storage, opened anew in every process: connections outlive no fork."""
    return open_storage(out, may_be_new=True, is_dry=is_dry)


def _section(path: str) -> str:
    """Return the stem of the section that a sitemap can be of."""
    match = _STEM.fullmatch(path)
    return match[1] if match else path
