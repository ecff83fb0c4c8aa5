"""The section of each page, the place of its sitemap, how a large section is cut, and when it lost a page."""

import hashlib
import itertools
import os
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TypeVar

from smindex_plugins import patterns, urls
from smindex_plugins.dates import past, written
from smindex_plugins.history import History
from smindex_plugins.model import NamedSection, Page
from smindex_plugins.settings import Settings

Content = TypeVar("Content")
Item = TypeVar("Item")
_SIZE = 4
"""The bytes of a hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Pages that share a sitemap. ``stem`` is the URL path of that sitemap below the index, without its suffix."""

    stem: str
    pages: list[Page]
    base: str = ""
    """The root of the other site that all of the pages belong to."""


def stem_of(origin: str) -> str:
    """Return the name of the sitemap of another site's pages, without its suffix."""
    return "sitemap-" + re.sub(r"[^a-z0-9.-]+", "-", origin.partition("://")[2]).strip("-")


def _free(stem: str, what: str, *taken: Container[str]) -> str:
    while any(stem in each for each in taken):
        stem += "-" + hashlib.sha256(what.encode()).hexdigest()[:8]
    return stem


def group(pages: list[Page], base: str, settings: Settings, reserved: frozenset[str]) -> list[Section]:
    """Return the sections, with every page in exactly one, sorted by the path of their sitemap.

    The pages are sorted by URL, and so are those of a section. Pages that are not under the directory URL ``base`` are
    of other sites, which have a sitemap each: "all URLs" of one "must be from a single host", says
    https://www.sitemaps.org/protocol.html#location. No section has one of the stems ``reserved``, which are those of
    other files.
    """
    own: list[Page] = []
    by_origin: dict[str, list[Page]] = {}
    for page in pages:
        (own if urls.is_within(page.url, base) else by_origin.setdefault(urls.origin(page.url), [])).append(page)
    by_name, rest = _by_name(own, base, settings.sections)
    by_directory = _by_directory(rest, base, settings)
    sections: dict[str, Section] = {}
    for origin, members in sorted(by_origin.items()):
        stem = _free(stem_of(origin), origin, sections)
        sections[stem] = Section(stem=stem, pages=members, base=f"{origin}/")
    paths = {name: [path_of(page, base) for page in members] for name, members in by_name.items()}
    stems = name_stems(paths, by_directory, settings, reserved | sections.keys())
    for stem, members in zip(stems, [*by_name.values(), *by_directory.values()], strict=True):
        sections[stem] = Section(stem=stem, pages=members)
    return [sections[stem] for stem in sorted(sections)]


def _by_name(pages: list[Page], base: str, named: tuple[NamedSection, ...]) -> tuple[dict[str, list[Page]], list[Page]]:
    if not named:
        return {}, pages
    members: dict[str, list[Page]] = {section.name: [] for section in named}
    rest: list[Page] = []
    for page in pages:
        first = first_named(urls.relative_path(page.url, base), named)
        (rest if first is None else members[first]).append(page)
    return {name: found for name, found in members.items() if found}, rest


def first_named(path: str, named: tuple[NamedSection, ...]) -> str | None:
    """Return the name of the first section of the user's that a path below the index meets."""
    return next((section.name for section in named if patterns.matches(path, section.urls)), None)


def _by_directory(pages: list[Page], base: str, settings: Settings) -> dict[str, list[Page]]:
    """Return the pages of each directory that makes a section, in the order of the directories."""
    names: dict[str, str] = {}  # so that pages of one directory share its name
    parts = (_directories(path_of(page, base), settings.section_depth) for page in pages)
    directories = [names.setdefault(name, name) for name in map("/".join, parts)]
    homes = home_directories(Counter(directories), settings.section_min_pages)
    found: defaultdict[str, list[Page]] = defaultdict(list)
    for page, directory in zip(pages, directories, strict=True):
        found[homes[directory]].append(page)
    return dict(sorted(found.items()))


def home_directories(counts: Mapping[str, int], min_pages: int) -> dict[str, str]:
    """Return by each directory of pages the one that makes their section: itself, or the nearest above that can.

    It is one that can be on disk. Where it has too few pages, these go to its parent, the deepest directories first.
    """
    homes = {path: on_disk(path) for path in counts}
    sizes: defaultdict[str, int] = defaultdict(int)
    for path, home in homes.items():
        sizes[home] += counts[path]
    parents: dict[str, str] = {}
    for depth in range(max((path.count("/") for path in sizes), default=0), -1, -1):
        for path in [path for path in sizes if path and path.count("/") == depth and sizes[path] < min_pages]:
            parents[path] = parent = path.rpartition("/")[0]
            sizes[parent] += sizes.pop(path)
    return {path: _top(home, parents) for path, home in homes.items()}


def _top(path: str, parents: Mapping[str, str]) -> str:
    while path in parents:
        path = parents[path]
    return path


def name_stems(
    named: Mapping[str, Iterable[str]], directories: Iterable[str], settings: Settings, taken: Container[str]
) -> list[str]:
    """Return the stems of sections: first of those with a name, by the paths of their pages, then of directories.

    Of the paths, the first and the last in their order are enough. No stem is one of those that are ``taken``.
    """
    placement = settings.sitemap_placement
    wanted = [(_named_stem(name, paths, placement), name) for name, paths in named.items()]
    wanted += [(_directory_stem(path, placement), path) for path in directories]
    given: dict[str, None] = {}
    for wish, name in wanted:
        given[_free(wish, name, taken, given)] = None
    return list(given)


def _named_stem(name: str, paths: Iterable[str], placement: str) -> str:
    if placement == "root":
        return f"sitemap-{name}"
    same = itertools.takewhile(lambda segments: len(set(segments)) == 1, zip(*map(_directories, paths), strict=False))
    directory = on_disk("/".join(segments[0] for segments in same))
    return f"{directory}/sitemap-{name}" if directory else f"sitemap-{name}"


def path_of(page: Page, base: str) -> str:
    """Return the path of a page below the index; one whose URL the server maps elsewhere is in no directory on disk."""
    return "" if page.mapped else urls.relative_path(page.url, base)


def _directories(path: str, most: int = -1) -> list[str]:
    """Return the outer directories of a path."""
    return path.split("/", most)[:-1]


def _directory_stem(directory: str, placement: str) -> str:
    if not directory:
        return "sitemap-root"
    return f"{directory}/sitemap" if placement == "section" else "sitemap-" + directory.replace("/", "-")


def on_disk(directory: str) -> str:
    """Return the deepest part of a URL directory that a directory on disk can serve, which has no encoded slash."""
    while directory and (urls.file_path(directory) is None or "" in directory.split("/")):
        directory = directory.rpartition("/")[0]
    return directory


@dataclass(frozen=True, slots=True)
class Node:
    """Where a cut begins, or has come to, in the tree that the keys of a section's pages make."""

    stem: str
    """What the first file from here on is called, without its suffix."""
    known: int = 0
    """Bytes of the keys that decide above it."""


def scope_of(stem: str, base: str) -> str:
    """Return the URL of the directory that a section's sitemap may speak of; keys are made of what is below it."""
    return urls.directory(f"{base}{stem}")


def cut(
    section: Section,
    base: str,
    taken: Container[str],
    write: Callable[[list[Page]], Content | None],
    begin: Node | None = None,
) -> Iterator[tuple[str, list[Page], Content]]:
    """Divide a section until ``write`` makes a file of each part; each part comes with its stem, pages and file.

    ``write`` gives None for pages that are too many for one file, never for a single page. No part but the first, which
    has the section's own stem, has a stem that is ``taken``. With pages of one part of a section alone, a cut begins
    where that part does.

    Pages are not counted off but halved by a hash of their paths, bit by bit, so that none moves when another comes or
    goes: one page more changes the part it falls in, or divides it into two, of which the first keeps the name.
    """
    scope = len(scope_of(section.stem, base))

    def keys(pages: list[Page]) -> list[bytes]:
        return [key(page.url[scope:]) for page in pages]

    def width(page: Page) -> int:
        return _SIZE + _SIZE * page.url.count("/", scope)

    names = Names(section.stem, taken)
    begin = begin or Node(section.stem)
    for node, pages, content in divide(section.pages, write, keys_of=keys, width=width, names=names, begin=begin):
        yield node.stem, pages, content


@dataclass(frozen=True, slots=True)
class Names:
    """How the parts of a section are called."""

    stem: str
    taken: Container[str]

    def of(self, middle: bytes) -> str:
        """Return the stem of the part that begins with a key."""
        stem = f"{self.stem}-{middle.hex().rstrip('0')}"
        while stem in self.taken:
            stem += "-part"
        return stem


def divide(
    items: list[Item],
    write: Callable[[list[Item]], Content | None],
    *,
    keys_of: Callable[[list[Item]], list[bytes]],
    width: Callable[[Item], int],
    names: Names,
    begin: Node,
) -> Iterator[tuple[Node, list[Item], Content]]:
    """Halve items by their keys until ``write`` takes each part; the parts come in the order of their keys.

    The items are pages, or whatever else has keys: pages counted by the first bytes of these. An item's ``width`` is
    that of its key with all zeros that may be at its end.
    """
    waiting: list[tuple[Node, list[Item], list[bytes]]] = [(begin, items, [])]
    while waiting:
        node, some, keys = waiting.pop()
        content = write(some)
        if content is not None:
            yield node, some, content
            continue
        keys = keys or keys_of(some)
        known = node.known
        least, most = min(keys), max(keys)
        if least == most:  # nothing tells them apart, so their numbers follow all bytes that keys can have
            known = max(known, *map(width, some))
            keys = [key.ljust(known, b"\0") + number.to_bytes(_SIZE) for number, key in enumerate(keys)]
            least, most = keys[0], keys[-1]
        middle = _middle(least, most)
        known = len(middle) + -len(middle) % _SIZE
        high, low = Node(names.of(middle), known), Node(node.stem, known)
        for its_node, chosen in ((high, [key >= middle for key in keys]), (low, [key < middle for key in keys])):
            waiting.append((its_node, [*itertools.compress(some, chosen)], [*itertools.compress(keys, chosen)]))


def key(path: str) -> bytes:
    """Return the hashes of a path's segments, the outer directories first, so that these stay together if they can.

    CRC-32 is the same on every machine and in every Python, separates names that differ in a digit, and takes a third
    of the time of anything in hashlib. It need not be secret: names that were chosen to collide make uneven parts,
    nothing worse.
    """
    return b"".join([zlib.crc32(segment).to_bytes(_SIZE) for segment in path.encode().split(b"/")]).rstrip(b"\0")


def _middle(least: bytes, most: bytes) -> bytes:
    """Return the smallest key with the first bit in which two keys differ, as if both ended in zeros."""
    width = max(len(least), len(most))
    low, high = (int.from_bytes(key.ljust(width, b"\0")) for key in (least, most))
    bit = 1 << (low ^ high).bit_length() - 1
    return (high & -bit).to_bytes(width).rstrip(b"\0")


def newest_removals(
    dated: list[Page], grouped: list[Section], history: History, settings: Settings, now: datetime
) -> dict[int, str]:
    """Return for each section when a source was last removed or moved: its sitemap changed then, but no page did.

    Changes in a directory without pages belong to the sections of the nearest directory that has some.
    """
    suffixes = {os.path.splitext(source)[1] for page in dated for source in page.sources}
    removals = history.removals(suffixes) if settings.lastmod != "off" else {}
    if not removals:
        return {}
    sections_in = _by_source_directory(dated, grouped)
    newest: dict[int, str] = {}
    for directory, when in removals.items():
        nearest = directory
        while nearest not in sections_in and nearest != os.path.dirname(nearest):
            nearest = os.path.dirname(nearest)
        if date := past(when, now):
            for position in sections_in.get(nearest, ()):
                newest[position] = max(written(date, settings.lastmod_format), newest.get(position, ""))
    return newest


def _by_source_directory(dated: list[Page], grouped: list[Section]) -> dict[str, set[int]]:
    """Return the sections of the pages from each source directory. Lists alone may be in none."""
    section_of = {page.url: {position} for position, section in enumerate(grouped) for page in section.pages}
    sources = {page.url: page.sources for page in dated}
    real = cache(os.path.realpath)
    found: dict[str, set[int]] = {}
    for page in dated:
        for url in (page.url, *page.lists):
            for source in sources.get(url, ()):
                found.setdefault(real(os.path.dirname(source)), set()).update(section_of.get(page.url, ()))
    return found
