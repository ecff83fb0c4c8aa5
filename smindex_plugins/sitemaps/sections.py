"""Which section each page belongs to, where its sitemap stands, how a large one is cut, and when one lost a page."""

import hashlib
import itertools
import os
import re
import zlib
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import TypeVar

from smindex_plugins import urls
from smindex_plugins.dates import past, written
from smindex_plugins.history import History
from smindex_plugins.model import NamedSection, Page
from smindex_plugins.settings import Settings

Content = TypeVar("Content")
_SIZE = 4
"""Bytes of a hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Pages that share a sitemap. ``stem`` is that sitemap's URL path below the index, without its suffix."""

    stem: str
    pages: list[Page]
    base: str = ""
    """The root of the other site to which all of the pages belong."""


def stem_of(origin: str) -> str:
    """Return the name of the sitemap of another site's pages, without its suffix."""
    return "sitemap-" + re.sub(r"[^a-z0-9.-]+", "-", origin.partition("://")[2]).strip("-")


def _free(stem: str, what: str, taken: Container[str]) -> str:
    while stem in taken:
        stem += "-" + hashlib.sha256(what.encode()).hexdigest()[:8]
    return stem


def group(pages: list[Page], base: str, settings: Settings, reserved: frozenset[str]) -> list[Section]:
    """Put every page into exactly one section; sections are sorted by the path of their sitemap.

    The pages are sorted by URL, and so are those of a section. Pages that are not under the directory URL ``base`` are
    of other sites, which have a sitemap each: "all URLs" of one "must be from a single host", says
    https://www.sitemaps.org/protocol.html#location. No section has one of the stems ``reserved``, which are those of
    other files.
    """
    own: list[Page] = []
    by_origin: dict[str, list[Page]] = {}
    for page in pages:
        (own if urls.is_within(page.url, base) else by_origin.setdefault(urls.origin(page.url), [])).append(page)
    placement = settings.sitemap_placement
    by_name, rest = _by_name(own, base, settings.sections)
    by_directory = _merge_small(_by_directory(rest, base, settings.section_depth), settings.section_min_pages)
    sections: dict[str, Section] = {}
    for origin, members in sorted(by_origin.items()):
        stem = _free(stem_of(origin), origin, sections)
        sections[stem] = Section(stem=stem, pages=members, base=f"{origin}/")
    wanted = [(_named_stem(name, members, base, placement), name, members) for name, members in by_name]
    wanted += [(_directory_stem(path, placement), path, members) for path, members in sorted(by_directory.items())]
    for wish, name, members in wanted:
        stem = _free(wish, name, reserved | sections.keys())
        sections[stem] = Section(stem=stem, pages=members)
    return [sections[stem] for stem in sorted(sections)]


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


def _by_directory(pages: list[Page], base: str, depth: int) -> dict[str, list[Page]]:
    directories: dict[str, list[Page]] = {"": []}
    for page in pages:
        directory = "/".join(_directories(page, base, depth))
        if directory not in directories:
            directory = _on_disk(directory)
        directories.setdefault(directory, []).append(page)
    return directories


def _merge_small(directories: dict[str, list[Page]], min_pages: int) -> dict[str, list[Page]]:
    """Move a directory's pages to its parent where they are too few, the deepest directories first."""
    for depth in range(max(path.count("/") for path in directories), -1, -1):
        for directory in [path for path in directories if path and path.count("/") == depth]:
            if len(directories[directory]) < min_pages:
                parent = directory.rpartition("/")[0]
                directories.setdefault(parent, []).extend(directories.pop(directory))
    return {path: sorted(members, key=attrgetter("url")) for path, members in directories.items() if members}


def _named_stem(name: str, pages: Iterable[Page], base: str, placement: str) -> str:
    if placement == "root":
        return f"sitemap-{name}"
    directories = [_directories(page, base) for page in pages]
    same = itertools.takewhile(lambda segments: len(set(segments)) == 1, zip(*directories, strict=False))
    directory = _on_disk("/".join(segments[0] for segments in same))
    return f"{directory}/sitemap-{name}" if directory else f"sitemap-{name}"


def _directories(page: Page, base: str, most: int = -1) -> list[str]:
    """Return the outer directories of a page; one whose URL the server maps elsewhere may be in none on disk."""
    return [] if page.details.mapped else urls.relative_path(page.url, base).split("/", most)[:-1]


def _directory_stem(directory: str, placement: str) -> str:
    if not directory:
        return "sitemap-root"
    return f"{directory}/sitemap" if placement == "section" else "sitemap-" + directory.replace("/", "-")


def _on_disk(directory: str) -> str:
    """Return the deepest part of a URL directory that a directory on disk can serve, which has no encoded slash."""
    while directory and (urls.file_path(directory) is None or "" in directory.split("/")):
        directory = directory.rpartition("/")[0]
    return directory


def cut(
    section: Section, base: str, taken: Container[str], write: Callable[[list[Page]], Content | None]
) -> Iterator[tuple[str, list[Page], Content]]:
    """Divide a section until ``write`` makes a file of each part; each part comes with its stem, pages and file.

    ``write`` gives None for pages that are too many for one file, never for a single page. No part but the first, which
    has the section's own stem, has a stem that is ``taken``.

    Pages are not counted off but halved by a hash of their paths, bit by bit, so that none moves when another comes or
    goes: one page more changes the part it falls in, or divides it into two, of which the first keeps the name.
    """
    scope = urls.directory(f"{base}{section.stem}")
    waiting: list[tuple[str, list[Page], list[bytes], int]] = [(section.stem, section.pages, [], 0)]
    while waiting:
        stem, pages, keys, known = waiting.pop()
        content = write(pages)
        if content is not None:
            yield stem, pages, content
            continue
        keys = keys or [_key(page.url[len(scope) :]) for page in pages]
        if min(keys) == max(keys):  # no path tells them apart, so their numbers follow all bytes that keys can have
            known = max(known, *(_SIZE + _SIZE * page.url.count("/", len(scope)) for page in pages))
            keys = [key.ljust(known, b"\0") + number.to_bytes(_SIZE) for number, key in enumerate(keys)]
        middle = _middle(min(keys), max(keys))
        own_stem = f"{section.stem}-{middle.hex().rstrip('0')}"
        while own_stem in taken:
            own_stem += "-part"
        known = len(middle) + -len(middle) % _SIZE
        for its_stem, chosen in ((own_stem, [key >= middle for key in keys]), (stem, [key < middle for key in keys])):
            half = [*itertools.compress(pages, chosen)], [*itertools.compress(keys, chosen)]
            waiting.append((its_stem, *half, known))


def _key(path: str) -> bytes:
    """Return the hashes of a path's segments, the outer directories first, so that these stay together if they can.

    CRC-32 is the same on every machine and in every Python, tells names that differ in a digit well apart, and takes a
    third of the time of anything in hashlib. It is no secret: names chosen to collide make uneven parts, nothing worse.
    """
    return b"".join([zlib.crc32(segment).to_bytes(_SIZE) for segment in path.encode().split(b"/")]).rstrip(b"\0")


def _middle(least: bytes, most: bytes) -> bytes:
    """Return the least key that has the first bit in which two keys differ, as if both ended in zeros."""
    width = max(len(least), len(most))
    low, high = (int.from_bytes(key.ljust(width, b"\0")) for key in (least, most))
    bit = 1 << (low ^ high).bit_length() - 1
    return (high & -bit).to_bytes(width).rstrip(b"\0")


def newest_removals(
    dated: list[Page], grouped: list[Section], history: History, settings: Settings, now: datetime
) -> dict[int, str]:
    """Return, by section, when a source was last removed or moved: its sitemap changed then, though no page did.

    What happened in a directory that has no pages any more belongs to the sections of the nearest one that has.
    """
    removals = history.removals() if settings.lastmod != "off" else {}
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
    """Return the sections of the pages that are made from each directory, be it of a list alone, or of no section."""
    section_of = {page.url: {position} for position, section in enumerate(grouped) for page in section.pages}
    sources = {page.url: page.sources for page in dated}
    real = cache(os.path.realpath)
    found: dict[str, set[int]] = {}
    for page in dated:
        for url in (page.url, *page.details.lists):
            for source in sources.get(url, ()):
                found.setdefault(real(os.path.dirname(source)), set()).update(section_of.get(page.url, ()))
    return found
