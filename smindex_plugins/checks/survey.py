"""What can be wrong between the files of a site: the same URL twice, links that are not mutual, one date everywhere."""

from collections import Counter
from collections.abc import Iterator, KeysView
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from sys import intern
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
    """The same strings wherever the writing is normal."""
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
    variants: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """Of each page that has some: hreflang code and URL of its language variants."""
    scope: str = ""
    """The directory of the first file, below which all pages of the site are."""
    indexes: list[Spot] = field(default_factory=list)
    in_several: list[Listing] = field(default_factory=list)
    """Sitemaps that more than one index lists, as the later of these do."""
    dated: int = 0
    stamp: str = ""
    """The one date of all pages so far, where they have one."""
    is_stamped: bool = True
    is_proven: bool = False
    """Some files are this tool's own, whose dates are those of git."""
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
        self.sitemaps.append(Entries(spot, document.urls, document.normal, document.lines, is_news))
        for position, variants in document.alternates.items():
            if own := document.normal[position]:
                self._add_variants(own, variants)
        self.is_proven |= document.is_ours
        different = set(document.dates) - {""}
        self.dated += sum(map(bool, document.dates))
        self.stamp = self.stamp or next(iter(different), "")
        self.is_stamped &= different <= {self.stamp}

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
        given = {(intern(code), own if url == own else url) for code, url in variants}
        together = tuple(sorted(given.union(self.variants.get(own, ()))))
        # Variants say the same of each other, so that one of them can keep it for all.
        others = (self.variants.get(url) for _, url in variants)
        self.variants[own] = next((each for each in others if each == together), together)

    def names(self, page: str, variant: str) -> bool:
        """Whether a page names another one as its variant."""
        return any(url == variant for _, url in self.variants.get(page, ()))

    @cached_property
    def repeated(self) -> list[list[Listing]]:
        """The listings of URLs that are equal, or differ in what many servers do not tell apart.

        News may be listed twice: in a sitemap of their own, and in that of their section.
        """
        sitemaps = [entries for entries in self.sitemaps if not entries.is_news]
        counts = Counter(folded for entries in sitemaps for folded in map(_folded, entries.normal))
        groups: dict[str, list[Listing]] = {folded: [] for folded, count in counts.items() if count > 1 and folded}
        for folded, listing in islice(_listings(sitemaps, groups.keys()), _MOST_SEEN):
            groups[folded].append(listing)
        return [group for group in groups.values() if len(group) > 1]


def _folded(normal: str) -> str:
    """Return one form for the URLs that many servers answer with one page."""
    return normal.lower().removesuffix("index.html").rstrip("/")


def _listings(sitemaps: list[Entries], wanted: KeysView[str]) -> Iterator[tuple[str, Listing]]:
    for entries in sitemaps if wanted else ():
        for position, folded in enumerate(map(_folded, entries.normal)):
            if folded in wanted:
                yield folded, entries.listing(position)


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
    for entries in survey.sitemaps if survey.variants else ():
        for position, own in enumerate(entries.normal):
            for code, url in survey.variants.get(own, ()):
                # What is listed elsewhere cannot be asked whether it says the same.
                if url != own and urls.is_within(url, survey.scope) and not survey.names(url, own):
                    problem = f"{own} names {url} as its variant {code!r}, which does not name it in return."
                    yield at(entries.spot, problem, line=entries.listing(position).line)


@check(Survey, "warning", fix="Write when each page last changed, or leave the dates out.")
def build_stamp(survey: Survey, at: At) -> Findings:
    """The pages of a site did not all change at the same moment."""
    if survey.is_stamped and survey.dated >= _STAMPED and not survey.is_proven:
        problem = f"all {survey.dated:,} dates of the site are {survey.stamp}, as if it were that of the build."
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
