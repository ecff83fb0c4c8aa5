"""What can be wrong between the files of a site: the same URL twice, links that are not mutual, one date everywhere."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice, pairwise
from typing import NamedTuple

from smindex_plugins import urls
from smindex_plugins.catalogue import (
    BUILD_STAMP,
    DUPLICATE_URL,
    HREFLANG_NOT_MUTUAL,
    LISTED_BESIDE_INDEX,
    REDUNDANT_SITEMAP,
    TWIN_URL,
)
from smindex_plugins.checks.rule import At, Findings, check, shown
from smindex_plugins.model import Spot
from smindex_plugins.sitemaps import Document, Robots
from smindex_plugins.text import counted

_MOST_SEEN = 200_000
"""How many listings of a repeated URL are compared. One finding is as good as another."""
_OURS = "ours"
"""Stands for all indexes by this tool. A large site has several."""
_SHOWN = 3
"""How many URLs of a copy a finding names."""
_STAMPED = 10
"""How many pages must share a date before it counts as the date of the build."""


class Listing(NamedTuple):
    """Where a URL is listed."""

    url: str
    """The URL as written."""
    normal: str
    spot: Spot
    """The entry as the subject of a finding."""


class Copy(NamedTuple):
    """A sitemap or another index that lists mostly what the index of the site lists."""

    sitemaps: "list[Entries]"
    of: str
    """The names of the index and of the copy, in messages."""
    where: Spot
    named_in: Spot | None
    """The line of a robots.txt that names it, if there is one."""
    shared: int
    """How many of its URLs the index has too."""
    others: list[Listing]
    """The URLs of the site that the index does not have."""


class Entries(NamedTuple):
    """What is kept from one sitemap: its URLs and their lines."""

    spot: Spot
    urls: list[tuple[str, str, int]]
    """The URL of each entry as written, the normalised URL, and the line."""
    is_news: bool

    def listing(self, position: int) -> Listing:
        """Return where an entry is listed."""
        url, normal, line = self.urls[position]
        return Listing(url, normal, self.spot._replace(url=normal, line=line))


@dataclass(kw_only=True, eq=False)
class Survey:
    """What is kept from every file for the comparison of all: about 150 bytes a URL."""

    sitemaps: list[Entries] = field(default_factory=list)
    unanswered: dict[int, list[tuple[str, str, str]]] = field(default_factory=dict)
    """Pages, hreflang codes and URLs of variants that have not named the page in return yet, by hashes of both URLs."""
    scope: str = ""
    """The directory of the first file. All pages of the site are below it."""
    indexes: list[Spot] = field(default_factory=list)
    flats: list[Entries] = field(default_factory=list)
    """Sitemaps beside an index that does not list them, as MkDocs writes one."""
    dated: int = 0
    stamps: set[str] = field(default_factory=set)
    """The different dates of pages, at most two for each file."""
    is_proven: bool = False
    """Whether some files are from this tool, whose dates are git's."""
    _named: set[int] = field(default_factory=set)
    """The type of two hashes, of a page and its variant. They take a quarter of the memory of two URLs."""
    _children: dict[str, str] = field(default_factory=dict)
    """The sitemaps that indexes list, each with its index, or with `_OURS`."""
    _lines: dict[str, Spot] = field(default_factory=dict)
    """The URLs that robots.txt names, each with its line."""

    def add(self, document: Document, robots: Robots | None = None) -> None:
        """Record a checked file, with the robots.txt of its host."""
        self.scope = self.scope or document.scope
        if robots is not None:
            for line in robots.sitemaps:
                spot = Spot(robots.where, robots.file, robots.url, line=line.line)
                self._lines.setdefault(urls.normal(line.url), spot)
        if document.kind == "sitemapindex":
            self._add_index(document)
            return
        self.sitemaps.append(_entries(document))
        for entry in document.entries:
            if entry.normal:
                self._add_variants(entry.normal, entry.alternates)
        self.is_proven |= document.is_ours
        self.dated += sum(bool(entry.lastmod) for entry in document.entries)
        self.stamps.update(islice(document.read_dates, 2))

    def add_flat(self, document: Document) -> None:
        """Record a sitemap that a generator wrote beside the index and that nothing lists."""
        self.flats.append(_entries(document))

    def _add_index(self, document: Document) -> None:
        self.indexes.append(Spot(document.where, document.file, document.url))
        if urls.normalise(document.url) in self._children:
            return  # a fault of its own, of which this would be a consequence
        group = _OURS if document.is_ours else urls.normalise(document.url)
        self._children = dict.fromkeys(document.listed, group) | self._children

    def _add_variants(self, own: str, variants: Iterable[tuple[str, str]]) -> None:
        for code, url in variants:
            if url == own:
                continue
            asked, answer = hash((own, url)), hash((url, own))
            self._named.add(asked)
            self.unanswered.pop(answer, None)
            # What is listed elsewhere cannot be asked whether it says the same.
            if answer not in self._named and urls.is_within(url, self.scope):
                self.unanswered.setdefault(asked, []).append((own, code, url))

    @cached_property
    def copies(self) -> list[Copy]:
        """The sitemaps and indexes that legitimately repeat the pages of the index.

        That is a flat sitemap beside it, or another index, if most of its URLs are in the sitemaps of the index. If one
        of two indexes is from this tool, that is the index of the site.
        """
        groups: dict[str, list[Entries]] = defaultdict(list)
        for entries in self.sitemaps:
            own = urls.normal(entries.spot.url)
            groups[self._children.get(own, own)].append(entries)
        indexes = set(self._children.values()) & groups.keys()
        if not indexes or len(groups) + len(self.flats) == 1:
            return []
        main = _OURS if _OURS in indexes else max(indexes, key=lambda key: sum(len(each.urls) for each in groups[key]))
        name = next(spot.where for spot in self.indexes if main in {_OURS, urls.normal(spot.url)})
        listed = {hash(_folded(normal)) for entries in groups.pop(main) for _, normal, _ in entries.urls}
        candidates = [(key, group) for key, group in groups.items() if not any(entries.is_news for entries in group)]
        found = [self._copy(key, group, listed, name) for key, group in candidates]
        copies = [copy for copy in found if 2 * copy.shared > sum(len(each.urls) for each in copy.sitemaps)]
        return [*copies, *(self._copy(flat.spot.url, [flat], listed, name) for flat in self.flats)]

    def _copy(self, url: str, group: list[Entries], listed: set[int], of: str) -> Copy:
        others = [
            (entries, position)
            for entries in group
            for position, (_, normal, _) in enumerate(entries.urls)
            if normal and hash(_folded(normal)) not in listed
        ]
        here = (each for each in others if urls.is_within(each[0].urls[each[1]][1], self.scope))
        return Copy(
            sitemaps=group,
            of=of,
            where=next((spot for spot in self.indexes if urls.normal(spot.url) == url), group[0].spot),
            named_in=self._lines.get(url),
            shared=sum(len(entries.urls) for entries in group) - len(others),
            others=list({entries.urls[position][1]: entries.listing(position) for entries, position in here}.values()),
        )

    @cached_property
    def repeated(self) -> list[list[Listing]]:
        """The listings of URLs that are equal, or that many servers treat as equal.

        News may be listed twice: in their own sitemap and in that of their section. So may URLs in a copy of the index.
        """
        copied = [entries for copy in self.copies for entries in copy.sitemaps]
        sitemaps = [entries for entries in self.sitemaps if not (entries.is_news or entries in copied)]
        groups = [sitemaps, *(copy.sitemaps for copy in self.copies if copy.sitemaps[0] not in self.flats)]
        return [listings for group in groups for listings in _repeated(group)]


def _entries(document: Document) -> Entries:
    is_news = bool(document.news) and len(document.news) == document.count
    spot = Spot(document.where, document.file, document.url)
    return Entries(spot, [(entry.url, entry.normal, entry.line) for entry in document.entries], is_news)


def _repeated(sitemaps: list[Entries]) -> list[list[Listing]]:
    # Numbers take less room than URLs; two URLs of one number are told apart by what they are grouped by.
    hashes = sorted(hash(_folded(normal)) for entries in sitemaps for _, normal, _ in entries.urls if normal)
    several = {one for one, other in pairwise(hashes) if one == other}
    groups: dict[str, list[Listing]] = defaultdict(list)
    listings = (
        (folded, entries.listing(position))
        for entries in (sitemaps if several else ())
        for position, folded in enumerate(_folded(normal) for _, normal, _ in entries.urls)
        if hash(folded) in several
    )
    for folded, listing in islice(listings, _MOST_SEEN):
        groups[folded].append(listing)
    return [group for group in groups.values() if len(group) > 1]


def _folded(normal: str) -> str:
    """Return one form for all URLs that many servers answer with one page."""
    return normal.lower().removesuffix("index.html").rstrip("/")


@check(Survey, DUPLICATE_URL)
def duplicate_url(survey: Survey, at: At) -> Findings:
    for group in survey.repeated:
        first: dict[str, Listing] = {}
        for listing in group:
            earlier = first.setdefault(listing.url, listing)
            if earlier is not listing:
                other = "it" if earlier.spot.where == listing.spot.where else earlier.spot.where
                line = f" in line {earlier.spot.line}" if earlier.spot.line else ""
                yield at(listing.spot, f"lists {shown(listing.url)}, which {other} already lists{line}.")


@check(Survey, TWIN_URL)
def twin_url(survey: Survey, at: At) -> Findings:
    for first, *others in survey.repeated:
        for listing in {other.url: other for other in reversed(others) if other.url != first.url}.values():
            two = f"{shown(listing.url)}, which differs from {shown(first.url)}"
            yield at(listing.spot, f"lists {two} only in {_difference(listing, first)}.")


def _difference(one: Listing, other: Listing) -> str:
    if one.normal == other.normal:
        return "its escapes"
    if one.normal.lower() == other.normal.lower():
        return "letter case"
    return "index.html" if "/index.html" in one.normal[-11:] + other.normal[-11:] else "the trailing slash"


@check(Survey, REDUNDANT_SITEMAP)
def redundant_sitemap(survey: Survey, at: At) -> Findings:
    for copy in survey.copies:
        if copy.named_in:  # if not, no search engine is told of it
            pages = counted(copy.shared, "page")
            problem = f"it names {copy.where.where}, which lists {pages} that {copy.of} lists too."
            yield at(copy.named_in, problem)


@check(Survey, LISTED_BESIDE_INDEX)
def listed_beside_index(survey: Survey, at: At) -> Findings:
    for copy in survey.copies:
        if copy.others:
            named = ", ".join(shown(listing.url) for listing in copy.others[:_SHOWN])
            more = f" and {len(copy.others) - _SHOWN:,} more" if len(copy.others) > _SHOWN else ""
            pages = counted(len(copy.others), "page")
            yield at(copy.others[0].spot, f"lists {pages} that {copy.of} leaves out: {named}{more}.")


@check(Survey, HREFLANG_NOT_MUTUAL)
def hreflang_not_mutual(survey: Survey, at: At) -> Findings:
    claims: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for own, code, url in chain.from_iterable(survey.unanswered.values()):
        claims[own].add((code, url))
    for entries in survey.sitemaps if claims else ():
        for position, (_, own, _) in enumerate(entries.urls):
            for code, url in sorted(claims.get(own, ())):
                problem = f"{own} names {url} as its variant {code!r}, but that page does not name it in return."
                yield at(entries.listing(position).spot, problem)


@check(Survey, BUILD_STAMP)
def build_stamp(survey: Survey, at: At) -> Findings:
    if len(survey.stamps) == 1 and survey.dated >= _STAMPED and not survey.is_proven:
        problem = f"all {survey.dated:,} dates of the site are {min(survey.stamps)}, probably that of the build."
        yield at(survey.sitemaps[0].spot, problem)
