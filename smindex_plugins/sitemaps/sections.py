"""Which section each page belongs to, where a section's sitemap stands, and where a large section is cut."""

import bisect
import hashlib
import itertools
import re
import zlib
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TypeVar, overload

from smindex_plugins import urls
from smindex_plugins.model import NamedSection, Page

Content = TypeVar("Content")
_URL = attrgetter("url")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Pages that share a sitemap. ``stem`` is that sitemap's URL path below the index, without its suffix."""

    stem: str
    pages: Sequence[Page]
    base: str = ""
    """The root of the other site to which all of the pages belong."""


class _Span(Sequence[Page]):
    """Pages that stand together in a longer list, and are taken from it when they are wanted: there may be millions."""

    def __init__(self, pages: list[Page], start: int, end: int) -> None:
        self._pages = pages
        self._start = start
        self._end = end

    def __len__(self) -> int:
        return self._end - self._start

    def __iter__(self) -> Iterator[Page]:
        return iter(self._pages[self._start : self._end])

    @overload
    def __getitem__(self, position: int) -> Page: ...

    @overload
    def __getitem__(self, position: slice) -> list[Page]: ...

    def __getitem__(self, position: int | slice) -> Page | list[Page]:
        if isinstance(position, slice):
            return self._pages[self._start : self._end][position]
        return self._pages[range(self._start, self._end)[position]]


def apart(pages: list[Page], base: str) -> tuple[list[Page], list[Section]]:
    """Tell the pages under a directory URL from those of other sites, which have a sitemap each; all sorted by URL.

    "All URLs" of a sitemap "must be from a single host": https://www.sitemaps.org/protocol.html#location
    """
    own = [page for page in pages if urls.is_within(page.url, base)]
    by_origin: dict[str, list[Page]] = {}
    for page in pages:
        if not urls.is_within(page.url, base):
            by_origin.setdefault(urls.origin(page.url), []).append(page)
    sections: dict[str, Section] = {}
    for origin, members in sorted(by_origin.items()):
        stem = stem_of(origin)
        while stem in sections:
            stem += "-" + hashlib.sha256(origin.encode()).hexdigest()[:8]
        sections[stem] = Section(stem=stem, pages=members, base=f"{origin}/")
    return own, list(sections.values())


def stem_of(origin: str) -> str:
    """Name the sitemap of another site's pages, without its suffix."""
    return "sitemap-" + re.sub(r"[^a-z0-9.-]+", "-", origin.partition("://")[2]).strip("-")


def group(
    pages: list[Page],
    base: str,
    *,
    depth: int,
    min_pages: int,
    named: Iterable[NamedSection],
    placement: str,
    reserved: frozenset[str],
) -> list[Section]:
    """Put every page into exactly one section; sections are sorted by the path of their sitemap.

    All pages are under the directory URL ``base`` and sorted by URL, and so are those of a section.
    No section has one of the stems ``reserved``, which are those of other files.
    """
    by_name, rest = _by_name(pages, base, tuple(named))
    mapped = [page for page in rest if page.details.mapped]
    by_directory = _merge_small(_by_directory(rest, mapped, base, depth), min_pages)
    wanted: list[tuple[str, str, Sequence[Page]]]
    wanted = [(_named_stem(name, members, base, placement), name, members) for name, members in by_name]
    wanted += [(_directory_stem(path, placement), path, members) for path, members in sorted(by_directory.items())]
    taken = set(reserved)
    sections = []
    for stem, name, members in wanted:
        while stem in taken:
            stem += "-" + hashlib.sha256(name.encode()).hexdigest()[:8]  # noqa: PLW2901 - until it is free
        taken.add(stem)
        sections.append(Section(stem=stem, pages=members))
    return sorted(sections, key=lambda section: section.stem)


def cut(
    section: Section, base: str, taken: Container[str], write: Callable[[list[Page]], Content | None]
) -> Iterator[tuple[str, list[Page], Content]]:
    """Divide a section until ``write`` makes a file of each part; give each part's stem, pages and file.

    ``write`` gives None for pages that are too many for one file, never for a single page. No part but the first, which
    has the section's own stem, has a stem that is ``taken``.

    Pages are not counted off but halved by a hash of their paths, bit by bit, so that none moves when another comes or
    goes: one page more changes the part it falls in, or divides it into two, of which the first keeps the name.
    """
    scope = urls.directory(f"{base}{section.stem}")
    waiting = [(list(section.pages), _Runs(), "", 0, section.stem)]
    while waiting:
        pages, runs, above, depth, stem = waiting.pop()
        content = write(pages)
        if content is not None:
            yield stem, pages, content
            continue
        hashes = runs.hashes
        while not hashes or min(hashes) == max(hashes):
            above += f"{hashes[0]:08x}" if hashes else ""
            runs = _runs(pages, scope, depth)
            hashes = runs.hashes
            depth += 1
        # The highest bit in which not all of them are alike.
        bit = 1 << (min(hashes) ^ max(hashes)).bit_length() - 1
        begins_at = min(value for value in hashes if value & bit) & -bit
        own_stem = f"{section.stem}-{above}{begins_at:08x}".rstrip("0")
        while own_stem in taken:
            own_stem += "-part"
        for wanted, its_stem in ((bit, own_stem), (0, stem)):
            waiting.append((*runs.having(pages, bit, wanted), above, depth, its_stem))


@dataclass(slots=True)
class _Runs:
    """Pages that stand together because a segment of their paths is the same: its hash, and how many they are."""

    hashes: "array[int]" = field(default_factory=lambda: array("I"))
    counts: "array[int]" = field(default_factory=lambda: array("I"))

    def having(self, pages: list[Page], bit: int, wanted: int) -> "tuple[list[Page], _Runs]":
        """Give the pages whose hash has a bit, or has it not."""
        found: list[Page] = []
        runs = _Runs()
        start = 0
        for value, count in zip(self.hashes, self.counts, strict=True):
            if value & bit == wanted:
                found += pages[start : start + count]
                runs.hashes.append(value)
                runs.counts.append(count)
            start += count
        return found, runs


def _runs(pages: list[Page], base: str, depth: int) -> _Runs:
    """Hash one segment of each page's path, the outer directories first, so that a directory stays together if it can.

    CRC-32 is the same on every machine and in every Python, tells names that differ in a digit well apart, and takes a
    third of the time of anything in hashlib. It is no secret: names chosen to collide make uneven parts, nothing worse.
    """
    runs = _Runs()
    start = 0
    while start < len(pages):
        segments = pages[start].url[len(base) :].split("/", depth + 1)
        is_directory = len(segments) > depth + 1
        end = _end(pages, start, f"{base}{'/'.join(segments[:-1])}/") if is_directory else start + 1
        runs.hashes.append(zlib.crc32(segments[depth].encode()) if depth < len(segments) else 0)
        runs.counts.append(end - start)
        start = end
    if any(runs.hashes) or depth <= max(page.url.count("/", len(base)) for page in pages):
        return runs
    return _Runs(array("I", range(len(pages))), array("I", [1]) * len(pages))  # no path is left to tell them apart


def _end(pages: list[Page], start: int, prefix: str) -> int:
    """Find where the pages that begin with a prefix, as the one at ``start`` does, end; they are sorted by URL."""
    known, step = start, 1
    while known + step < len(pages) and pages[known + step].url.startswith(prefix):
        known, step = known + step, 2 * step
    last = min(known + step, len(pages))
    return bisect.bisect_left(pages, 1, known + 1, last, key=lambda page: not page.url.startswith(prefix))


def _by_name(
    pages: list[Page], base: str, named: tuple[NamedSection, ...]
) -> tuple[list[tuple[str, list[Page]]], list[Page]]:
    if not named:
        return [], pages
    members: dict[str, list[Page]] = {section.name: [] for section in named}
    rest: list[Page] = []
    for page in pages:
        path = urls.relative_path(page.url, base)
        first = next((section.name for section in named if urls.matches(path, section.urls)), None)
        (rest if first is None else members[first]).append(page)
    return [(name, found) for name, found in members.items() if found], rest


_Directories = dict[str, Sequence[Page]]
"""Pages by their directories: stretches of the list that they came in, or lists where they came in pieces."""


def _by_directory(pages: list[Page], mapped: list[Page], base: str, depth: int) -> _Directories:
    """Sort pages by their directories, those that are mapped into none; ``pages`` are in the order of their URLs."""
    directories: _Directories = {"": mapped}
    unmapped = [page for page in pages if not page.details.mapped] if mapped else pages
    start = 0
    while start < len(unmapped):
        segments = _directories(unmapped[start], base)[:depth]
        directory = "/".join(segments)
        # All that begins with as many as they may be is in the same, and stands together.
        is_whole = len(segments) == depth
        end = _end(unmapped, start, f"{base}{directory}/" if directory else base) if is_whole else start + 1
        place = directory if directory in directories else _on_disk(directory)
        if directories.get(place):
            _own_list(directories, place).extend(unmapped[start:end])
        else:  # most directories stand together whole
            directories[place] = _Span(unmapped, start, end)
        start = end
    return directories


def _own_list(directories: _Directories, directory: str) -> list[Page]:
    """Give a directory's pages as a list to which others can be added."""
    members = directories.get(directory, ())
    if not isinstance(members, list):
        members = directories[directory] = list(members)
    return members


def _merge_small(directories: _Directories, min_pages: int) -> _Directories:
    """Give a directory's pages to its parent where they are too few, the deepest directories first."""
    deepest = max(path.count("/") for path in directories)
    grown = {""}
    for depth in range(deepest, -1, -1):
        for directory in [path for path in directories if path and path.count("/") == depth]:
            if len(directories[directory]) < min_pages:
                parent = directory.rpartition("/")[0]
                _own_list(directories, parent).extend(directories.pop(directory))
                grown.add(parent)
    for directory in grown & directories.keys():
        members = directories[directory]
        if isinstance(members, list):  # a stretch of the pages is in their order
            members.sort(key=_URL)
    return {directory: members for directory, members in directories.items() if members}


def _named_stem(name: str, pages: Iterable[Page], base: str, placement: str) -> str:
    if placement == "root":
        return f"sitemap-{name}"
    directories = [_directories(page, base) for page in pages]
    common = [segments[0] for segments in itertools.takewhile(_all_equal, zip(*directories, strict=False))]
    directory = _on_disk("/".join(common))
    return f"{directory}/sitemap-{name}" if directory else f"sitemap-{name}"


def _directories(page: Page, base: str) -> list[str]:
    """Name the directories in which a page is; one whose URL the server maps elsewhere may be in none on disk."""
    return [] if page.details.mapped else urls.relative_path(page.url, base).split("/")[:-1]


def _directory_stem(directory: str, placement: str) -> str:
    if not directory:
        return "sitemap-root"
    return f"{directory}/sitemap" if placement == "section" else "sitemap-" + directory.replace("/", "-")


def _on_disk(directory: str) -> str:
    """Give the deepest part of a URL directory that a directory on disk can serve: none with an encoded slash in it."""
    while directory and (urls.file_path(directory) is None or "" in directory.split("/")):
        directory = directory.rpartition("/")[0]
    return directory


def _all_equal(segments: tuple[str, ...]) -> bool:
    return len(set(segments)) == 1
