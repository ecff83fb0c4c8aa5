"""Groups pages into sections, splits large sections, and finds when a section lost a page."""

import hashlib
import os
import re
import sys
import unicodedata
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import NamedTuple, TypeVar

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.dates import past, written
from smindex_plugins.base.model import NamedSection, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.history.history import History

Content = TypeVar("Content")
HASH_BITS = 32
PART = r"-[01]*1(?:-part)*"
"""The suffix that all parts of a section except the first add to its stem, as a regular
expression."""


class Section(NamedTuple):
    """Pages that share a sitemap.

    ``stem`` is the URL path of that sitemap below the index, without its suffix.
    """

    stem: str
    pages: list[Page]
    base: str = ""
    """The root of another site, if all pages belong to it."""


def stem_of(origin: str) -> str:
    """Return the name of the sitemap of another site's pages, without its suffix."""
    return "sitemap-" + re.sub(r"[^a-z0-9.-]+", "-", origin.partition("://")[2]).strip("-")


def _free(stem: str, what: str, *taken: Container[str]) -> str:
    while any(stem in each for each in taken):
        stem += f"-{_short_hash(what)}"
    return stem


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def group(
    pages: list[Page], base: str, settings: Settings, reserved: frozenset[str]
) -> list[Section]:
    """Return the sections, with every page in exactly one, sorted by the path of their sitemap.

    The pages, also within a section, are sorted by URL. Pages that are not under the directory URL
    ``base`` belong to other sites, which each have a sitemap: "all URLs" of one "must be from a
    single host", according to https://www.sitemaps.org/protocol.html#location. No section gets one
    of the stems in ``reserved``, which other files use.
    """
    by_origin: defaultdict[str, list[Page]] = defaultdict(list)
    by_name: dict[str, list[Page]] = {section.name: [] for section in settings.sections}
    by_category: defaultdict[str, list[Page]] = defaultdict(list)
    rest: list[Page] = []
    directories: list[str] = []
    for page in pages:
        if not urls.is_within(page.url, base):
            by_origin[urls.origin(page.url)].append(page)
            continue
        name = first_named(urls.relative_path(page.url, base), settings.sections)
        if name:
            by_name[name].append(page)
        elif page.section and settings.section_by == "category":
            by_category[page.section].append(page)
        else:
            rest.append(page)
            segments = path_of(page, base).split("/", settings.section_depth)
            directory = "/".join(segments[:-1])
            directories.append(sys.intern(directory))  # because a site can have a million pages
    homes = home_directories(Counter(directories), settings.section_min_pages)
    by_directory: dict[str, list[Page]] = {home: [] for home in sorted(set(homes.values()))}
    for directory, page in zip(directories, rest, strict=True):
        by_directory[homes[directory]].append(page)

    sections: dict[str, Section] = {}
    for origin, members in sorted(by_origin.items()):
        stem = _free(stem_of(origin), origin, sections)
        sections[stem] = Section(stem=stem, pages=members, base=f"{origin}/")
    by_name = {name: members for name, members in by_name.items() if members}
    paths = {name: [path_of(page, base) for page in members] for name, members in by_name.items()}
    stems = name_stems(paths, by_directory, settings, reserved | sections.keys())
    for stem, members in zip(stems, [*by_name.values(), *by_directory.values()], strict=True):
        sections[stem] = Section(stem=stem, pages=members)
    for category, members in sorted(by_category.items()):
        stem = _free(f"sitemap-{_slug(category)}", category, reserved, sections)
        sections[stem] = Section(stem=stem, pages=members)
    return [sections[stem] for stem in sorted(sections)]


def _slug(name: str) -> str:
    """Return a name as a part of a file name, without accents, or a hash of it if it has no Latin
    letters.
    """
    decomposed = unicodedata.normalize("NFKD", name)
    latin = decomposed.encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9._-]+", "-", latin).strip("-.")
    return slug or _short_hash(name)


def first_named(path: str, named: tuple[NamedSection, ...]) -> str | None:
    """Return the name of the user's first section that a path below the index matches."""
    for section in named:
        if patterns.matches(path, section.urls):
            return section.name
    return None


def home_directories(counts: Mapping[str, int], min_pages: int) -> dict[str, str]:
    """Return the section directory for each directory of pages: itself, or the nearest possible
    parent.

    A section directory must be possible on disk. Its pages go to its parent if they are too few,
    the deepest first.
    """
    homes = {path: on_disk(path) for path in counts}
    sizes: defaultdict[str, int] = defaultdict(int)
    for path, home in homes.items():
        sizes[home] += counts[path]
    parents: dict[str, str] = {}
    deepest = max((path.count("/") for path in sizes), default=0)
    for depth in range(deepest, -1, -1):
        for path in list(sizes):
            if path and path.count("/") == depth and sizes[path] < min_pages:
                parent = path.rpartition("/")[0]
                parents[path] = parent
                sizes[parent] += sizes.pop(path)
    for path, home in homes.items():
        nearest = home
        while nearest in parents:
            nearest = parents[nearest]
        homes[path] = nearest
    return homes


def name_stems(
    named: Mapping[str, Iterable[str]],
    directories: Iterable[str],
    settings: Settings,
    taken: Container[str],
) -> list[str]:
    """Return the stems of sections: first of named sections, by the paths of their pages, then of
    directories.

    The first and the last path in order are enough. The stems in ``taken`` are not used.
    """
    is_at_root = settings.sitemap_placement == "root"
    given: dict[str, None] = {}
    for name, paths in named.items():
        stem = f"sitemap-{name}"
        if not is_at_root:
            common = os.path.commonprefix([path.split("/")[:-1] for path in paths])  # noqa: RUF071 - of lists
            above = on_disk("/".join(common))
            stem = f"{above}/{stem}".lstrip("/")
        given[_free(stem, name, taken, given)] = None
    for path in directories:
        if not path:
            stem = "sitemap-root"
        elif is_at_root:
            stem = "sitemap-" + path.replace("/", "-")
        else:
            stem = f"{path}/sitemap"
        given[_free(stem, path, taken, given)] = None
    return list(given)


def path_of(page: Page, base: str) -> str:
    """Return the path of a page below the index.

    A page whose URL the server maps has no directory on disk.
    """
    if page.mapped:
        return ""
    return urls.relative_path(page.url, base)


def on_disk(directory: str) -> str:
    """Return the deepest part of a URL directory that can exist on disk, which has no encoded
    slash.
    """
    while directory and (urls.file_path(directory) is None or "" in directory.split("/")):
        directory = directory.rpartition("/")[0]
    return directory


def split(
    section: Section,
    taken: Container[str],
    write: Callable[[list[Page]], Content | None],
    bits: str = "",
) -> Iterator[tuple[str, list[Page], Content]]:
    """Halve a section by a hash of its URLs until ``write`` renders each part, and yield its stem,
    pages and content.

    ``write`` returns None for too many pages for one file, but never for a single page. Adding or
    removing a page changes its part, or splits it into two, of which the first keeps the name. All
    other files are unchanged. For the pages of one part alone, pass its ``bits`` to continue the
    split.
    """
    pages = section.pages
    content = write(pages)
    if content is not None:
        yield part_stem(section.stem, bits, taken), pages, content
        return
    halves: dict[str, list[Page]] = {"0": [], "1": []}
    for number, page in enumerate(pages):
        if len(bits) < HASH_BITS:
            is_second = is_one(url_hash(page.url), len(bits))
        else:  # pages with the same hash are distinguished by their order
            is_second = 2 * number >= len(pages)
        halves["1" if is_second else "0"].append(page)
    for digit, half in halves.items():
        if half:
            yield from split(section._replace(pages=half), taken, write, bits + digit)


def url_hash(url: str) -> int:
    """Return the hash by which a section is split.

    It need not be secret: collisions only make parts uneven.
    """
    return zlib.crc32(url.encode())


def is_one(number: int, bit: int, width: int = HASH_BITS) -> bool:
    """Whether a bit of a number is 1, counted from the highest of its width."""
    return bool(number >> (width - 1 - bit) & 1)


def part_stem(stem: str, bits: str, taken: Container[str]) -> str:
    """Return the stem of the part of a section whose hashes start with these bits."""
    part = stem
    if "1" in bits:
        part = f"{stem}-{bits}".rstrip("0")
    while part != stem and part in taken:
        part += "-part"
    return part


def newest_removals(
    dated: list[Page], grouped: list[Section], history: History, settings: Settings, now: datetime
) -> dict[int, str]:
    """Return when a source of each section was last removed or moved, which changed its sitemap but
    no page.

    Changes in a directory without pages belong to the sections of the nearest directory with pages.
    """
    newest: dict[int, str] = {}
    if settings.lastmod == "off":
        return newest
    suffixes = set()
    for page in dated:
        for source in page.sources:
            _, suffix = os.path.splitext(source)
            suffixes.add(suffix)
    removals = history.removals(suffixes)
    if not removals:
        return newest
    sections_in = _by_source_directory(dated, grouped)
    for directory, when in removals.items():
        nearest = directory
        while nearest not in sections_in and nearest != os.path.dirname(nearest):
            nearest = os.path.dirname(nearest)
        date = past(when, now)
        if not date:
            continue
        lastmod = written(date, settings.lastmod_format)
        for position in sections_in.get(nearest, ()):
            newest[position] = max(lastmod, newest.get(position, ""))
    return newest


def _by_source_directory(dated: list[Page], grouped: list[Section]) -> dict[str, set[int]]:
    """Return the sections of the pages from each source directory.

    Generated lists may have no source directory.
    """
    section_of: dict[str, int] = {}
    for position, section in enumerate(grouped):
        for page in section.pages:
            section_of[page.url] = position
    sources = {page.url: page.sources for page in dated}
    real = cache(os.path.realpath)
    found: dict[str, set[int]] = {}
    for page in dated:
        for url in (page.url, *page.lists):
            for source in sources.get(url, ()):
                directory = real(os.path.dirname(source))
                positions = found.setdefault(directory, set())
                if page.url in section_of:
                    positions.add(section_of[page.url])
    return found
