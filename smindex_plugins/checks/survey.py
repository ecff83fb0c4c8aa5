"""What can be wrong between the files of a site: the same URL twice, links that are not mutual, one date everywhere."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from smindex_plugins import urls
from smindex_plugins.catalogue import HREFLANG_NOT_MUTUAL
from smindex_plugins.checks.rule import At, Findings, Spot, check, shown
from smindex_plugins.limits import MAX_INDEXES
from smindex_plugins.sitemaps import Document

if TYPE_CHECKING:
    from array import array

_MOST_SEEN = 200_000
"""Listings of repeated URLs that are compared; one finding in so many is as good as another."""
_STAMPED = 10
"""Pages that must share one date before it is taken for that of the build."""


class Listing(NamedTuple):
    """Where a URL is listed."""

    url: str
    """As written."""
    normal: str
    spot: Spot
    line: int


class Entries(NamedTuple):
    """What is kept of one sitemap: its URLs and their lines, in columns."""

    spot: Spot
    urls: list[str]
    """As written."""
    normal: list[str]
    """The same list, or failing that the same strings, where the writing is normal."""
    lines: "array[int]"
    is_news: bool

    def listing(self, position: int) -> Listing:
        """Return where an entry is listed."""
        line = self.lines[position] if position < len(self.lines) else 0
        return Listing(self.urls[position], self.normal[position], self.spot, line)


@dataclass(kw_only=True, eq=False)
class Survey:
    """What is kept of every file so that all can be compared: some 150 bytes a URL."""

    sitemaps: list[Entries] = field(default_factory=list)
    unanswered: dict[int, list[tuple[str, str, str]]] = field(default_factory=dict)
    """Pages, hreflang codes and URLs of variants that do not name the page in return so far, by hashes of the two."""
    scope: str = ""
    """The directory of the first file, below which all pages of the site are."""
    indexes: list[Spot] = field(default_factory=list)
    in_several: list[Listing] = field(default_factory=list)
    """Sitemaps that more than one index lists, as the later of these do."""
    dated: int = 0
    stamps: set[str] = field(default_factory=set)
    """Their different dates, of each file two at most."""
    is_proven: bool = False
    """Some files are this tool's own, whose dates are those of git."""
    _named: set[int] = field(default_factory=set)
    """Hashes of a page and its variant: they take a quarter of the room that the two take."""
    _children: set[str] = field(default_factory=set)
    """The sitemaps that indexes list."""

    def add(self, document: Document) -> None:
        """Take note of a file that has just been judged."""
        self.scope = self.scope or document.scope
        if document.kind == "sitemapindex":
            self._add_index(document)
            return
        document.line(0)  # which counts them, where that was put off
        is_news = bool(document.news) and len(document.news) == document.count
        spot = Spot(document.where, document.file)
        normal = document.urls if document.normal == document.urls else document.normal
        self.sitemaps.append(Entries(spot, document.urls, normal, document.lines, is_news))
        for position, variants in document.alternates.items():
            if own := document.normal[position]:
                self._add_variants(own, variants)
        self.is_proven |= document.is_ours
        self.dated += sum(map(bool, document.dates))
        self.stamps.update(islice(set(document.dates) - {""}, 2))

    def _add_index(self, document: Document) -> None:
        spot = Spot(document.where, document.file)
        self.indexes.append(spot)
        if urls.normalise(document.url) in self._children:
            return  # a fault of its own, of which this would be a consequence
        for position, normal in enumerate(document.normal):
            if normal in self._children and len(self.in_several) < _MOST_SEEN:
                self.in_several.append(Listing(document.urls[position], normal, spot, document.line(position)))
        self._children.update(filter(None, document.normal))

    def _add_variants(self, own: str, variants: list[tuple[str, str]]) -> None:
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
    def repeated(self) -> list[list[Listing]]:
        """The listings of URLs that are equal, or differ in what many servers do not tell apart.

        News may be listed twice: in a sitemap of their own, and in that of their section.
        """
        sitemaps = [entries for entries in self.sitemaps if not entries.is_news]
        # Numbers take less room than URLs; two URLs of one number are told apart by what they are grouped by.
        hashes = sorted(hash(_folded(normal)) for entries in sitemaps for normal in entries.normal if normal)
        several = {one for one, other in pairwise(hashes) if one == other}
        groups: dict[str, list[Listing]] = defaultdict(list)
        listings = (
            (folded, entries.listing(position))
            for entries in (sitemaps if several else ())
            for position, folded in enumerate(map(_folded, entries.normal))
            if hash(folded) in several
        )
        for folded, listing in islice(listings, _MOST_SEEN):
            groups[folded].append(listing)
        return [group for group in groups.values() if len(group) > 1]


def _folded(normal: str) -> str:
    """Return one form for the URLs that many servers answer with one page."""
    return normal.lower().removesuffix("index.html").rstrip("/")


@check(Survey, "error", fix="Keep one of the two.")
def duplicate_url(survey: Survey, at: At) -> Findings:
    """A URL is listed once, in one sitemap."""
    for group in survey.repeated:
        first: dict[str, Listing] = {}
        for listing in group:
            earlier = first.setdefault(listing.url, listing)
            if earlier is not listing:
                other = "it" if earlier.spot == listing.spot else earlier.spot.where
                line = f" in line {earlier.line}" if earlier.line else ""
                problem = f"lists {shown(listing.url)}, which {other} lists{line} already."
                yield at(listing.spot, problem, line=listing.line)


@check(Survey, "warning", fix="Keep the one that is canonical.")
def twin_url(survey: Survey, at: At) -> Findings:
    """No two URLs differ only in a trailing slash, index.html, letter case, or how they are escaped."""
    for first, *others in survey.repeated:
        for listing in {other.url: other for other in reversed(others) if other.url != first.url}.values():
            two = f"{shown(listing.url)}, which differs from {shown(first.url)}"
            yield at(listing.spot, f"lists {two} only in {_difference(listing, first)}.", line=listing.line)


def _difference(one: Listing, other: Listing) -> str:
    if one.normal == other.normal:
        return "how it is written"
    if one.normal.lower() == other.normal.lower():
        return "letter case"
    return "index.html" if "/index.html" in one.normal[-11:] + other.normal[-11:] else "the slash at its end"


@check(Survey, HREFLANG_NOT_MUTUAL)
def _hreflang_not_mutual(survey: Survey, at: At) -> Findings:
    claims: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for own, code, url in chain.from_iterable(survey.unanswered.values()):
        claims[own].add((code, url))
    for entries in survey.sitemaps if claims else ():
        for position, own in enumerate(entries.normal):
            for code, url in sorted(claims.get(own, ())):
                problem = f"{own} names {url} as its variant {code!r}, which does not name it in return."
                yield at(entries.spot, problem, line=entries.listing(position).line)


@check(Survey, "warning", fix="Write when each page last changed, or leave the dates out.")
def build_stamp(survey: Survey, at: At) -> Findings:
    """The pages of a site did not all change at the same moment."""
    if len(survey.stamps) == 1 and survey.dated >= _STAMPED and not survey.is_proven:
        problem = f"all {survey.dated:,} dates of the site are {min(survey.stamps)}, as if it were that of the build."
        yield at(survey.sitemaps[0].spot, problem)


@check(Survey, "warning", fix="Keep it in one of them.")
def sitemap_in_two_indexes(survey: Survey, at: At) -> Findings:
    """A sitemap is listed by one index."""
    for listing in survey.in_several:
        yield at(listing.spot, f"lists {shown(listing.url)}, which another index lists already.", line=listing.line)


@check(Survey, "warning", fix="List more sitemaps in each.")
def too_many_indexes(survey: Survey, at: At) -> Findings:
    """A site has at most 500 sitemap indexes, which is Google's limit."""
    if len(survey.indexes) > MAX_INDEXES:
        problem = f"the site has {len(survey.indexes):,} indexes; Google takes {MAX_INDEXES:,}."
        yield at(survey.indexes[0], problem)
