"""Steps two and three: from counted pages to sections, and from counted hashes to shards, each of them for one task.

A shard is a part of a section with no more pages than one sitemap can list, which `sections.split` comes to as well. So
a task that goes on from there makes the very files that it would make with all of the section in memory.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from smindex_plugins import urls
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import sections

BITS = 16
"""Of hashes, that are counted: enough for all files of one index, and few enough for one driver."""


class Counted(NamedTuple):
    """The distinct pages of a directory, or of one of the user's own sections."""

    named: str | None
    """The user's own section; those of all its directories are counted together."""
    directory: str
    pages: int
    first: str
    """The least URL of these pages, and then the greatest."""
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A section, of whose pages only the number is known."""

    stem: str
    pages: int
    shift: int
    """By how many bits the hashes of its URLs are shifted to the right, so that those remain that are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Where the pages are that were counted together."""

    named: str | None
    directory: str
    section: int
    """The number of the section in the order of stems."""


def plan_sections(counts: Iterable[Counted], site_url: str, settings: Settings) -> tuple[list[Planned], list[Home]]:
    """Return the sections in the order of their stems, as `sections.group` makes them, and which pages are in each."""
    counted = list(counts)
    by_name = {each.named: each for each in counted if each.named is not None}
    named = {section.name: by_name[section.name] for section in settings.sections if section.name in by_name}
    sizes = {each.directory: each.pages for each in counted if each.named is None}
    homes = sections.home_directories(sizes, settings.section_min_pages)
    directories = sorted(set(homes.values()))
    paths = {
        name: [urls.relative_path(url, site_url) for url in (each.first, each.last)] for name, each in named.items()
    }
    stems = sections.name_stems(paths, directories, settings, reserved(settings))
    numbers = {stem: number for number, stem in enumerate(sorted(stems))}
    by_directory = dict(zip(directories, stems[len(named) :], strict=True))
    found = [Home(named=name, directory="", section=numbers[stem]) for name, stem in zip(named, stems, strict=False)]
    found += [Home(named=None, directory=path, section=numbers[by_directory[home]]) for path, home in homes.items()]
    pages = [0] * len(stems)
    for home in found:
        pages[home.section] += sizes[home.directory] if home.named is None else named[home.named].pages
    whole, divided = sections.HASH_BITS, sections.HASH_BITS - BITS
    planned = [
        Planned(stem=stem, pages=pages[number], shift=divided if pages[number] > settings.max_urls else whole)
        for stem, number in numbers.items()
    ]
    return planned, found


def reserved(settings: Settings) -> frozenset[str]:
    """Return the stems that no section's sitemap may have."""
    return frozenset({settings.index_filename.removesuffix(".xml")})


class Shard(NamedTuple):
    """A part of a section that one task makes sitemaps of."""

    stem: str
    """The section's."""
    bits: str
    """What the hashes of its URLs begin with, where the task goes on to split."""
    taken: frozenset[str]
    """The stems of sections that are called as parts of others are."""


class Bucket(NamedTuple):
    """The pages of a section with some hashes, and the shard that they are in."""

    section: int
    bucket: int
    place: int
    """The shard's, in the order in which its files are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The shards of a run in the order in which their files are listed, and where the pages of each are."""

    sections: list[Planned]
    shards: list[Shard]
    buckets: list[Bucket]
    named: frozenset[str]
    """The user's own sections that have pages."""


def plan_shards(
    planned: list[Planned], homes: list[Home], counts: Iterable[tuple[int, int, int]], settings: Settings
) -> Plan:
    """Return the shards, with how many pages of a large section have which highest bits: section, bits and pages."""
    stems = [*reserved(settings), *(section.stem for section in planned)]
    taken = frozenset(stem for stem in stems if re.search(rf"{sections.PART}\Z", stem))
    counted: dict[int, list[tuple[int, int]]] = {}
    for number, bucket, pages in counts:
        counted.setdefault(number, []).append((bucket, pages))
    shards, buckets = list[Shard](), list[Bucket]()
    for number, section in enumerate(planned):
        for bits, some in _halved(sorted(counted.get(number, [(0, section.pages)])), settings.max_urls):
            buckets += [Bucket(number, bucket, len(shards)) for bucket in some]
            shards.append(Shard(section.stem, bits, taken))
    named = frozenset(home.named for home in homes if home.named is not None)
    return Plan(sections=planned, shards=shards, buckets=buckets, named=named)


def _halved(counts: list[tuple[int, int]], most: int, bits: str = "") -> Iterator[tuple[str, list[int]]]:
    """Halve counted pages as `sections.split` halves pages, as far as the counted bits tell them apart."""
    if len(bits) == BITS or sum(pages for _, pages in counts) <= most:
        yield bits, [bucket for bucket, _ in counts]
        return
    for digit in "01":
        if half := [each for each in counts if sections.is_one(each[0], len(bits), BITS) == (digit == "1")]:
            yield from _halved(half, most, bits + digit)
