"""What can be wrong between the files of a site: the same URL twice, links that are not mutual, one date everywhere."""

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from smindex_plugins import urls
from smindex_plugins.checks.rule import Check, Flaws, Spot, flaw
from smindex_plugins.checks.rule import old_check as check
from smindex_plugins.limits import MAX_INDEXES
from smindex_plugins.sitemaps.listing import Document

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


@dataclass(slots=True, kw_only=True, eq=False)
class Survey:
    """What is kept of every file so that all can be compared: eight bytes a URL; where two match, it is read again."""

    reread: Callable[[set[int]], Iterable[Document]]
    """Reads some of the sitemaps again, by their numbers in the order in which they were added."""
    hashes: list["array[int]"] = field(default_factory=list)
    links: "array[int]" = field(default_factory=lambda: array("q"))
    """Of every link from one variant to another, in the order in which they were added."""
    returns: "array[int]" = field(default_factory=lambda: array("q"))
    """Of the links that these ask for in return."""
    scope: str = ""
    """The directory of the first file, below which all pages of the site are."""
    indexes: list[Spot] = field(default_factory=list)
    in_several: list[Listing] = field(default_factory=list)
    """Sitemaps that more than one index lists, as the later of these do."""
    pages: int = 0
    sitemaps: int = 0
    dated: int = 0
    stamp: str = ""
    """The one date of all pages so far, where they have one."""
    stamped: Spot | None = None
    """The first of the files that have it."""
    is_stamped: bool = True
    is_proven: bool = False
    """Some files are this tool's own, whose dates are those of git."""
    _children: set[int] = field(default_factory=set)
    """Hashes of the sitemaps that indexes list."""
    _groups: list[list[Listing]] | None = None

    def add(self, document: Document) -> None:
        """Take note of a file that has just been judged."""
        self.scope = self.scope or document.scope
        if document.kind == "sitemapindex":
            self._add_index(document)
            return
        self.sitemaps += 1
        self.pages += document.count
        # News are listed in a sitemap of their own and in that of their section.
        is_news = bool(document.news) and len(document.news) == document.count
        self.hashes.append(array("q", () if is_news else map(hash, map(_folded, document.normal))))
        for position, variants in document.alternates.items():
            self._add_links(document.normal[position], variants)
        self._add_dates(document)

    def _add_index(self, document: Document) -> None:
        spot = Spot(document.where, document.file)
        self.indexes.append(spot)
        if hash(urls.normalise(document.url)) in self._children:
            return  # a fault of its own, of which this would be a consequence
        for position, normal in enumerate(document.normal):
            if hash(normal) in self._children and len(self.in_several) < _MOST_SEEN:
                self.in_several.append(Listing(document.urls[position], normal, spot, document.line(position)))
        self._children.update(hash(normal) for normal in document.normal if normal)

    def _add_links(self, own: str, variants: list[tuple[str, str]]) -> None:
        for _, url in variants:
            # What is listed elsewhere cannot be asked whether it says the same.
            if own and url != own and urls.is_within(url, self.scope):
                self.links.append(hash((own, url)))
                self.returns.append(hash((url, own)))

    def _add_dates(self, document: Document) -> None:
        self.is_proven |= document.is_ours
        different = set(document.dates) - {""}
        self.dated += sum(map(bool, document.dates))
        self.stamp = self.stamp or next(iter(different), "")
        self.stamped = self.stamped or Spot(document.where, document.file)
        self.is_stamped &= different <= {self.stamp}

    def repeated(self) -> list[list[Listing]]:
        """Give the listings of URLs that are equal, or differ in what many servers do not tell apart."""
        if self._groups is None:
            hashes = _repeated(self.hashes)
            numbers = {number for number, own in enumerate(self.hashes) if hashes and not hashes.isdisjoint(own)}
            groups: dict[str, list[Listing]] = {}
            for listing in _listings(self.reread(numbers) if numbers else (), hashes):
                groups.setdefault(_folded(listing.normal), []).append(listing)
            self._groups = [group for group in groups.values() if len(group) > 1]
        return self._groups


def _folded(normal: str) -> str:
    """Give one form to the URLs that many servers answer with one page."""
    return normal.lower().removesuffix("index.html").rstrip("/")


def _repeated(hashes: Iterable["array[int]"]) -> set[int]:
    ordered: list[int] = []
    for own in hashes:
        ordered.extend(own)
    ordered.sort()
    return {first for first, second in pairwise(ordered) if first == second} - {hash("")}


def _listings(documents: Iterable[Document], hashes: set[int]) -> Iterator[Listing]:
    seen = 0
    for document in documents:
        spot = Spot(document.where, document.file)
        for position, normal in enumerate(document.normal):
            if hash(_folded(normal)) in hashes:
                yield Listing(document.urls[position], normal, spot, document.line(position))
                seen += 1
                if seen == _MOST_SEEN:
                    return


@check("error")
def duplicate_url(survey: Survey) -> Flaws:
    """A URL is listed once, in one sitemap."""
    for group in survey.repeated():
        first: dict[str, Listing] = {}
        for listing in group:
            earlier = first.setdefault(listing.url, listing)
            if earlier is not listing:
                other = "it" if earlier.spot == listing.spot else earlier.spot.where
                line = f" in line {earlier.line}" if earlier.line else ""
                problem = f"lists {listing.url[:200]}, which {other} lists{line} already."
                yield flaw(listing.spot, problem, "Keep one of the two.", listing.line)


@check("warning")
def twin_url(survey: Survey) -> Flaws:
    """No two URLs differ only in a trailing slash, index.html, letter case, or how they are escaped."""
    for group in survey.repeated():
        different = {listing.url: listing for listing in reversed(group)}
        first = group[0]
        for listing in different.values():
            if listing.url != first.url:
                two = f"{listing.url[:200]}, which differs from {first.url[:200]}"
                problem = f"lists {two} only in {_difference(listing, first)}."
                yield flaw(listing.spot, problem, "Keep the one that is canonical.", listing.line)


def _difference(one: Listing, other: Listing) -> str:
    if one.normal == other.normal:
        return "how it is written"
    if one.normal.lower() == other.normal.lower():
        return "letter case"
    return "index.html" if "/index.html" in one.normal[-11:] + other.normal[-11:] else "the slash at its end"


@check("warning")
def hreflang_not_mutual(survey: Survey) -> Flaws:
    """A page that another one names as its language variant names that page in return."""
    missing = set(survey.returns).difference(survey.links)
    if not missing:
        return
    for document in survey.reread(set(range(len(survey.hashes)))):
        for position, variants in document.alternates.items():
            own = document.normal[position]
            for code, url in variants:
                if url != own and hash((url, own)) in missing:
                    problem = f"{own} names {url} as its variant {code!r}, which does not name it in return."
                    yield flaw(document, problem, "Let both name each other, or neither.", document.line(position))


@check("warning")
def build_stamp(survey: Survey) -> Flaws:
    """The pages of a site did not all change at the same moment."""
    is_stamped = survey.is_stamped and survey.dated >= _STAMPED and not survey.is_proven
    if is_stamped and survey.stamped is not None:
        problem = f"all {survey.dated:,} dates of the site are {survey.stamp}, as if it were that of the build."
        yield flaw(survey.stamped, problem, "Write when each page last changed, or leave the dates out.")


@check("warning")
def sitemap_in_two_indexes(survey: Survey) -> Flaws:
    """A sitemap is listed by one index."""
    for listing in survey.in_several:
        problem = f"lists {listing.url[:200]}, which another index lists already."
        yield flaw(listing.spot, problem, "Keep it in one of them.", listing.line)


@check("warning")
def too_many_indexes(survey: Survey) -> Flaws:
    """A site has at most 500 sitemap indexes, which is Google's limit."""
    if len(survey.indexes) > MAX_INDEXES:
        problem = f"the site has {len(survey.indexes):,} indexes; Google takes {MAX_INDEXES:,}."
        yield flaw(survey.indexes[0], problem, "List more sitemaps in each.")


SITE_CHECKS: tuple[Check[Survey], ...] = (
    duplicate_url,
    twin_url,
    hreflang_not_mutual,
    build_stamp,
    sitemap_in_two_indexes,
    too_many_indexes,
)
