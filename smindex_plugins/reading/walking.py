"""Walks from the first sitemaps of a site to all others, on disk and on the web."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from smindex_plugins.base.limits import MAX_URL_LENGTH
from smindex_plugins.base.model import Spot
from smindex_plugins.base.text import ExplainedError, counted
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import Lists
from smindex_plugins.reading.found import Found, Listing, Reached, Role
from smindex_plugins.writing.names import ROBOTS
from smindex_plugins.writing.robots import Robots


class PartlyReadError(ExplainedError):
    """A sitemap can't be read completely, so some pages of the site are unknown."""

    def __init__(self, where: str, why: str, *, is_missing: bool = False) -> None:
        super().__init__(f"{where}: {why.rstrip('.')}")
        self.where = where
        self.why = why.rstrip(".")
        self.is_missing = is_missing


@dataclass(slots=True, kw_only=True)
class Totals:
    """How much was checked."""

    indexes: int = 0
    sitemaps: int = 0
    urls: int = 0
    undated: int = 0
    """Listed URLs without a date."""
    pages: int = 0
    """Listed pages whose own file or response was checked."""
    required: int | None = None
    """How many required URLs were looked for, if there are any."""
    links: int | None = None
    """How many links from listed pages to other pages of the site were read, if requested."""
    dates: int | None = None
    """How many dates were compared with git, if requested."""
    uncompared: Counter[str] = field(default_factory=Counter)
    """Why the others were not compared, as text that follows a count."""
    unseen: list[str] = field(default_factory=list)
    """What was not checked, as text."""
    skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many items were not checked, by noun and reason."""

    def skip(self, noun: str, why: str) -> None:
        """Count an item that is not checked."""
        self.skipped[noun, why] += 1

    def skipped_in_words(self) -> list[str]:
        """Return what was skipped, as text."""
        return [f"{counted(number, noun)} {why}" for (noun, why), number in self.skipped.items()]


def named_by(robots: Robots | None, base: str) -> list[Listing]:
    """Return the sitemaps that the lines of a robots.txt list. Its URLs may be relative to a base.

    A line that lists a robots.txt lists no sitemap.
    """
    if robots is None:
        return []
    found: dict[str, Listing] = {}
    for line in robots.sitemaps:
        url = line.meant(base)
        if url and not url.endswith(f"/{ROBOTS}"):
            spot = robots.spot(line.line)
            found.setdefault(url, Listing(url, spot, named_by=spot))
    return list(found.values())


@dataclass(slots=True, kw_only=True)
class Walk:
    """The way from the entry points of a site to all its sitemaps."""

    groups: Sequence[Sequence[Listing]]
    """The entry points, the most important first. Everything that one group lists is read before
    the next group."""
    read: Callable[[list[Listing]], Iterable[Reached]]
    totals: Totals
    lists: Lists = field(default_factory=Lists)
    most: int = sys.maxsize
    """How many files are read, because indexes on the web can list others endlessly."""
    _known: set[str] = field(default_factory=set)
    _missing: dict[str, Found] = field(default_factory=dict)
    """The missing files that only robots.txt lists so far. An index may follow that lists them
    too."""

    def files(self) -> Iterator[Found]:
        """Yield every sitemap and index: those of a group, then the entries of indexes among them,
        and so on.

        Each URL is read once, unless it is too long.
        """
        named = {}
        for listing in chain.from_iterable(self.groups):
            named[listing.url] = listing.named_by
        for number, group in enumerate(self.groups):
            self.lists.begin_group()
            is_beside = number > 0 and not any(listing.named_by for listing in group)
            waiting = [listing for listing in group if listing.url not in self._known]
            self._known.update(listing.url for listing in waiting)
            while waiting:
                level = waiting
                waiting = []
                relative = {listing.url for listing in level if listing.is_relative}
                for reached in self.read(level):
                    found = self._found(reached, is_beside=is_beside)
                    url = found.document.url
                    if found.delivery.is_missing and url in relative:
                        why = f"{found.lister.where} lists it by a relative URL, and it is missing"
                        self.totals.unseen.append(f"{url} ({why})")
                        continue
                    if found.delivery.is_missing and found.listing.is_only_named:
                        self._missing[url] = found
                    else:
                        yield found
                    waiting += self._listed_by(found.document, named)
                    del reached, found  # before the next one is read, which can be as large
        yield from self._missing.values()

    def _found(self, reached: Reached, *, is_beside: bool) -> Found:
        """Return a file with what it adds to the pages of the site."""
        role: Role = "listed"
        if reached.is_elsewhere:
            role = "elsewhere"
        elif is_beside and not reached.listing.named_by:
            role = "beside"
        return Found(
            document=reached.document,
            listing=reached.listing,
            delivery=reached.delivery,
            role=role,
            proven=reached.proven,
            share=self.lists.add(reached.document, role),
        )

    def _listed_by(self, document: Document, named: Mapping[str, Spot | None]) -> Iterator[Listing]:
        """Yield what an index lists and what was not read before."""
        for entry, url in document.children:
            spot = document.spot(entry)
            if url in self._missing:
                missing = self._missing[url]
                listing = missing.listing._replace(by=spot)
                self._missing[url] = replace(missing, listing=listing)
            if url in self._known or len(url) > MAX_URL_LENGTH:
                continue
            if len(self._known) >= self.most:
                self.totals.skip("listed sitemap", f"because a run requests at most {self.most:,}")
                continue
            self._known.add(url)
            is_relative = not entry.normal
            yield Listing(url, spot, entry.lastmod, named.get(url), is_relative=is_relative)
