"""Which section each page belongs to, where a section's sitemap stands, and where a large section is cut."""

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from smindex_plugins import urls
from smindex_plugins.model import NamedSection, Page

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Pages that share a sitemap. ``stem`` is that sitemap's URL path below the index, without its suffix."""

    stem: str
    pages: list[Page]


def group(
    pages: Iterable[Page],
    base: str,
    *,
    depth: int,
    min_pages: int,
    named: Iterable[NamedSection],
    placement: str,
    reserved: frozenset[str],
) -> list[Section]:
    """Put every page, all of them under the directory URL ``base``, into exactly one section.

    Pages are sorted by URL, sections by the path of their sitemap, so the order of the input does not matter.
    No section has one of the stems ``reserved``, which are those of other files.
    """
    by_name, rest = _by_name(sorted(pages, key=lambda page: page.url), base, tuple(named))
    by_directory = _merge_small(_by_directory(rest, base, depth), min_pages)
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


def cut(items: Iterable[Item], size: Callable[[Item], int], most_items: int, most_bytes: int) -> Iterator[list[Item]]:
    """Cut a section into consecutive parts, each within both limits. An item must not be over the limit by itself."""
    part: list[Item] = []
    room = most_bytes
    for item in items:
        needed = size(item)
        if part and (len(part) == most_items or needed > room):
            yield part
            part, room = [], most_bytes
        part.append(item)
        room -= needed
    if part:
        yield part


def part_stems(section: Section, parts: int, taken: set[str]) -> list[str]:
    """Name the sitemaps of a section that is cut into this many parts, around the names that are taken."""
    if parts == 1:
        return [section.stem]
    numbered = (f"{section.stem}-{number}" for number in itertools.count(1))
    return list(itertools.islice((stem for stem in numbered if stem not in taken), parts))


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


def _by_directory(pages: Iterable[Page], base: str, depth: int) -> dict[str, list[Page]]:
    directories: dict[str, list[Page]] = {"": []}
    for page in pages:
        segments = _directories(page, base)[:depth]
        directory = "/".join(segments)
        members = directories.get(directory)
        if members is None:
            members = directories.setdefault(_on_disk(directory), [])
        members.append(page)
    return directories


def _merge_small(directories: dict[str, list[Page]], min_pages: int) -> dict[str, list[Page]]:
    """Give a directory's pages to its parent where they are too few, the deepest directories first."""
    deepest = max(path.count("/") for path in directories)
    for depth in range(deepest, -1, -1):
        for directory in [path for path in directories if path and path.count("/") == depth]:
            if len(directories[directory]) < min_pages:
                parent = directory.rpartition("/")[0]
                directories.setdefault(parent, []).extend(directories.pop(directory))
    for members in directories.values():
        members.sort(key=lambda page: page.url)
    return {directory: members for directory, members in directories.items() if members}


def _named_stem(name: str, pages: list[Page], base: str, placement: str) -> str:
    if placement == "root":
        return f"sitemap-{name}"
    directories = [_directories(page, base) for page in pages]
    common = [segments[0] for segments in itertools.takewhile(_all_equal, zip(*directories, strict=False))]
    directory = _on_disk("/".join(common))
    return f"{directory}/sitemap-{name}" if directory else f"sitemap-{name}"


def _directories(page: Page, base: str) -> list[str]:
    """Name the directories in which a page is; one whose URL the server maps elsewhere may be in none on disk."""
    return [] if page.mapped else urls.relative_path(page.url, base).split("/")[:-1]


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
