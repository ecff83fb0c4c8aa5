"""Where a run over a table writes: file by file, from many processes at once, and so that every index stays true.

Names and bytes of files follow from the pages alone. So a file may be put before its index, as soon as it is made: the
earlier index lists its name already, or no index does yet. What goes, goes after the new index.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from posixpath import dirname, join
from urllib.parse import quote

from smindex_plugins import addresses, urls
from smindex_plugins.catalogue import CANNOT_WRITE, DIRECTORY_IN_USE
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Finding
from smindex_plugins.settings import INDEX_FILENAME, Settings
from smindex_plugins.sitemaps import MARK, Changes, OutputError, output, sections
from smindex_plugins.storage import Local, Storage, locked, open_storage
from smindex_plugins.text import masked

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
        self._stale: list[str] = []
        self._is_held: Callable[[], bool] = lambda: True

    def __reduce__(self) -> tuple[partial["Destination"], tuple[str, str]]:
        return partial(Destination, is_dry=self.is_dry), (self.out, self.site_url)

    @contextmanager
    def only_run(self, findings: list[Finding]) -> Iterator[None]:
        """Be the only run that writes there.

        Raises:
            OutputError: another run does, or the storage fails.
        """
        storage = self._storage
        if isinstance(storage, Local):
            with storage.only_writer(findings):
                yield
        elif self.is_dry:
            yield
        else:
            with locked(storage, findings) as self._is_held:
                yield

    def prepare(self, stems: Iterable[str], settings: Settings) -> None:
        """Find what earlier runs left, and make sure that no file of others has a name that this run may need.

        The run itself calls it once, when it knows the stems of all its sections, and before any `put`.

        Raises:
            OutputError: with all that stands in the way; nothing was written, or the storage fails.
        """
        with self._failures_told():
            storage, suffix = self._storage, ".xml.gz" if settings.gzip else ".xml"
            own = {path for path in map(urls.file_path, stems) if path is not None}
            earlier = storage.earlier(self.site_url, settings.index_filename)
            begun = sorted({*own, *self._unfinished(), *map(_section, earlier)})
            found = dict(zip(begun, storage.each(self._files, begun), strict=True))
            known = {*earlier}
            there = list(dict.fromkeys(path for paths in found.values() for path in paths if path not in known))
            index = [settings.index_filename] if storage.is_there(settings.index_filename) else []
            others = {*self._not_ours([*there, *index])}
            needed = [*index, *(path for stem in own for path in found[stem] if path.endswith(suffix))]
            if in_the_way := sorted(others.intersection(needed)):
                raise OutputError([output.not_ours(path) for path in in_the_way])
            left = [path for path in there if path not in others and not self._is_of_another_site(path)]
            self._stale = [*earlier, *left]
            storage.put(_UNFINISHED, [MARK + b"\n", *(f"{quote(stem)}\n".encode() for stem in begun)])

    def put(self, path: str, content: list[bytes]) -> bool:
        """Put a file in place, whole, under its URL path below the site, or leave it where it has these bytes already.

        Return whether it was written. It may be called again, from any process, also at the same time.

        Raises:
            OutputError: with what stands in the way; the file is as it was.
        """
        with self._failures_told():
            return self._storage.put(path, content)

    def finish(self, indexes: list[tuple[str, list[bytes]]], listed: Iterable[str]) -> Changes:
        """Put the indexes in place, then remove what earlier runs left and is not ``listed``, all by their URL paths.

        Raises:
            OutputError: with what stands in the way; the earlier indexes are as they were, or some of them.
        """
        sitemaps = [*filter(None, map(urls.file_path, listed))]
        kept = {*sitemaps, *(urls.file_path(path) for path, _ in indexes)}
        with self._failures_told():
            storage = self._storage
            if isinstance(storage, Local):
                storage.tidy()  # of workers that were killed
                if not self.is_dry and (absent := [path for path in sitemaps if not storage.is_there(path)]):
                    raise OutputError([CANNOT_WRITE.at(absent[0], _ABSENT, _SHARE)])
            if not self._is_held():
                problem = "another run has removed the lock of this one, and may write here; no index was written."
                raise OutputError([DIRECTORY_IN_USE.at(masked(self.out), problem)])
            stale = [path for path in self._stale if path not in kept]
            others = {*self._not_ours(stale)}  # by now
            files = [(path, b"".join(content)) for path, content in indexes]
            changes = storage.write(files, [path for path in stale if path not in others])
            if not changes.problems:
                storage.write([], [_UNFINISHED])
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

    def _not_ours(self, paths: Collection[str]) -> Iterator[str]:
        storage = self._storage
        for path, is_ours in zip(paths, storage.each(storage.is_ours, paths), strict=True):
            if not is_ours:
                yield path

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
    def _failures_told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError([self._storage.cannot_write("", error)]) from error


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
