"""Step three: from page counts to sections, and from hash counts to shards, one for each task.

A shard is a part of a section with no more pages than one sitemap can list, which `sections.split`
also reaches. A task that continues from there therefore creates the same files as with the whole
section in memory.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.settings import Settings
from smindex_plugins.tables._rows import BITS, NAMED
from smindex_plugins.writing import sections


class Shard(NamedTuple):
    """The pages of a section whose hashes start with these bits."""

    stem: str
    """The stem of the section."""
    bits: str
    """Where `sections.split` continues."""
    taken: frozenset[str]
    """The stems of sections that look like the stem of a part."""


def reserved(settings: Settings) -> frozenset[str]:
    """Return the stems that no section's sitemap may have."""
    return frozenset({settings.index_filename.removesuffix(".xml")})


def name_sections(
    homes: Iterable[str],
    ends: Mapping[str, tuple[str, str]],
    site_url: str,
    settings: Settings,
) -> dict[str, str]:
    """Return the stem of each section by its home, in the order of the stems, as in
    `sections.group`.

    ``ends`` are the first and the last URL of each of the user's own sections, by home.
    """
    own = []
    paths = {}
    for section in settings.sections:
        home = NAMED + section.name
        if home in ends:
            own.append(home)
            paths[section.name] = [urls.relative_path(url, site_url) for url in ends[home]]
    directories = sorted(home for home in homes if home not in ends)
    stems = sections.name_stems(paths, directories, settings, reserved(settings))
    named = zip([*own, *directories], stems, strict=True)
    return dict(sorted(named, key=lambda home_and_stem: home_and_stem[1]))


def divide(
    stems: list[str],
    counts: Iterable[tuple[int, int, int]],
    settings: Settings,
) -> tuple[list[Shard], list[tuple[int, int, int]]]:
    """Return the shards in the order of their files in the index, and the shard of each group of
    pages.

    Groups are identified by the number of their section and the bits of their hashes: ``counts``
    contains the number of their pages, and the second result the number of their shard.
    """
    ends_like_part = re.compile(rf"{sections.PART}\Z")
    all_stems = (*reserved(settings), *stems)
    taken = frozenset(stem for stem in all_stems if ends_like_part.search(stem))
    by_section: dict[int, list[tuple[int, int]]] = {}
    for section, bits, pages in counts:
        by_section.setdefault(section, []).append((bits, pages))
    shards: list[Shard] = []
    places = []
    for section, counted in sorted(by_section.items()):
        for start, groups in _halve(sorted(counted), settings.max_urls):
            places += [(section, bits, len(shards)) for bits in groups]
            shards.append(Shard(stems[section], start, taken))
    return shards, places


def _halve(
    counts: list[tuple[int, int]],
    most: int,
    bits: str = "",
) -> Iterator[tuple[str, list[int]]]:
    """Halve page counts as `sections.split` halves pages, as far as the counted bits distinguish
    them.
    """
    if len(bits) == BITS or sum(pages for _, pages in counts) <= most:
        yield bits, [group for group, _ in counts]
        return
    zeros: list[tuple[int, int]] = []
    ones: list[tuple[int, int]] = []
    for group, pages in counts:
        half = ones if sections.is_one(group, len(bits), BITS) else zeros
        half.append((group, pages))
    for digit, half in (("0", zeros), ("1", ones)):
        if half:
            yield from _halve(half, most, bits + digit)
