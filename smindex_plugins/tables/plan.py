"""Steps two and three: from counted pages to sections, and from counted keys to shards, each of them for one task.

A shard is a part of a section with no more pages than one sitemap can list, cut off where `sections.cut` would cut. So
a task that cuts a shard from there on makes the very files that it would make with all of the section in memory.
"""

import bisect
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from smindex_plugins import urls
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import sections
from smindex_plugins.sitemaps.sections import Names, Node

_BITS = 16
"""Of keys, that are counted in one round: enough for all files of one index, and few enough for one driver."""
ROUNDS_A_SEGMENT = 2
"""The rounds in which all bits of the hash of a segment are counted."""


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
    above: int
    """The segments of URLs between the address of the site and the section's scope, which no key of it begins with."""


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
    planned = [
        Planned(stem=stem, pages=pages[number], above=_above(stem, site_url)) for stem, number in numbers.items()
    ]
    return planned, found


def reserved(settings: Settings) -> frozenset[str]:
    """Return the stems that no section's sitemap may have."""
    return frozenset({settings.index_filename.removesuffix(".xml")})


def _above(stem: str, site_url: str) -> int:
    return sections.scope_of(stem, site_url).count("/") - site_url.count("/")


class Shard(NamedTuple):
    """A part of a section that one task makes sitemaps of."""

    stem: str
    """The section's."""
    begin: Node
    """Where in the section's tree the task begins to cut."""
    taken: frozenset[str]
    """The stems of other sections that a part of this one could take for its own."""


class Open(NamedTuple):
    """A part of a section that has too many pages for a shard, so that its keys are counted further."""

    node: int
    section: int
    begin: Node
    prefix: bytes
    """What all its keys begin with."""


class Bucket(NamedTuple):
    """Where the pages go on whose keys have certain bits: to a shard, or to a node whose keys are counted further."""

    node: int
    bits: int
    shard: int | None
    child: int | None


@dataclass
class Plan:
    """The shards of a run, made round by round: count the keys of every node that is open, and `add` the counts."""

    planned: list[Planned]
    settings: Settings
    longest: int
    """The most segments that a key has: behind them nothing tells pages apart."""
    named: frozenset[str] = frozenset()
    """The user's own sections that have pages."""
    buckets: list[Bucket] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    small: dict[int, int] = field(default_factory=dict)
    """The sections that are one shard as they are, by their numbers."""
    rounds: int = 0
    """How many are done; the next counts the bits of segment ``rounds // ROUNDS_A_SEGMENT`` below the section."""

    def __post_init__(self) -> None:
        self._found: list[tuple[int, bytes, Node]] = []
        """Shards by the number of their section and the least key, in which order their files are listed."""
        self._nodes = len(self.planned)
        for number, section in enumerate(self.planned):
            begin = Node(section.stem)
            if section.pages > self.settings.max_urls:
                self.open.append(Open(number, number, begin, b""))
            else:
                self.small[number] = len(self._found)
                self._found.append((number, b"", begin))

    def add(self, counts: Iterable[tuple[int, int, int]]) -> None:
        """Take how many pages have which bits in this round, by the open node: its number, the bits, the pages."""
        by_node: dict[int, list[tuple[int, int]]] = {}
        for node, bits, pages in counts:
            by_node.setdefault(node, []).append((bits, pages))
        opened, self.open = self.open, []
        self.rounds += 1
        for each in opened:
            self._divide(each, sorted(by_node.get(each.node, [])))

    def _divide(self, node: Open, buckets: list[tuple[int, int]]) -> None:
        most = self.settings.max_urls

        def fits(some: list[tuple[int, int]]) -> list[tuple[int, int]] | None:
            return some if len(some) == 1 or sum(pages for _, pages in some) <= most else None

        def keys(some: list[tuple[int, int]]) -> list[bytes]:
            return [_key(node.prefix, bits) for bits, _ in some]

        names = Names(self.planned[node.section].stem, self._taken(node.section))
        if not buckets:
            return
        for begin, some, _ in sections.divide(
            buckets, fits, keys_of=keys, width=lambda _: 0, names=names, begin=node.begin
        ):
            prefix = _key(node.prefix, some[0][0])
            is_last = self.rounds >= ROUNDS_A_SEGMENT * self.longest
            if sum(pages for _, pages in some) <= most or is_last:
                target: tuple[int | None, int | None] = (len(self._found), None)
                self._found.append((node.section, prefix, begin))
            else:
                target = (None, self._nodes)
                self.open.append(Open(self._nodes, node.section, begin, prefix))
                self._nodes += 1
            self.buckets += [Bucket(node.node, bits, *target) for bits, _ in some]

    def shards(self) -> list[Shard]:
        """Return the shards by the numbers that the buckets have for them."""
        return [Shard(self.planned[number].stem, begin, self._taken(number)) for number, _, begin in self._found]

    def order(self) -> list[int]:
        """Return the numbers of the shards in the order in which their files are listed."""
        return sorted(range(len(self._found)), key=lambda shard: self._found[shard][:2])

    def _taken(self, section: int) -> frozenset[str]:
        """Return the stems of others that begin as those of this section's parts do."""
        begin = self.planned[section].stem + "-"
        at = bisect.bisect_left(self.planned, begin, key=attrgetter("stem"))
        others = itertools.takewhile(
            lambda stem: stem.startswith(begin), (each.stem for each in itertools.islice(self.planned, at, None))
        )
        return frozenset([*others, *(stem for stem in reserved(self.settings) if stem.startswith(begin))])


def _key(prefix: bytes, bits: int) -> bytes:
    return prefix + bits.to_bytes(_BITS // 8)
