"""Walks from the first sitemaps of a site to all others, on disk and on the web."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from smindex_plugins.base.limits import MAX_URL_LENGTH
from smindex_plugins.base.model import Spot
from smindex_plugins.base.text import ExplainedError, counted
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import Lists
from smindex_plugins.writing.robots import NAME, Robots


class PartlyReadError(ExplainedError):
    """A sitemap cannot be read completely, so some pages of the site are unknown."""

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

    def left_out(self) -> list[str]:
        """Return what was skipped, as text."""
        return [f"{counted(number, noun)} {why}" for (noun, why), number in self.skipped.items()]


class Listing(NamedTuple):
    """The URL of a sitemap or an index, and where it is listed."""

    url: str
    by: Spot | None = None
    """The line of the index or robots.txt that lists it, if there is one."""
    lastmod: str = ""
    """Its date in that index, as written."""
    named_by: Spot | None = None
    """The line of robots.txt that lists it, also if an index lists it too."""
    is_relative: bool = False
    """Whether the index lists it by a relative URL, which is invalid."""

    def mark(self, document: Document) -> None:
        """Write into a document where it is listed."""
        document.listed_by = self.by
        document.named_by = self.named_by
        document.lastmod = self.lastmod


def named_by(robots: Robots | None, base: str) -> list[Listing]:
    """Return the sitemaps that the lines of a robots.txt list. Its URLs may be relative to a base.

    A line that lists a robots.txt lists no sitemap.
    """
    if robots is None:
        return []
    found: dict[str, Listing] = {}
    for line in robots.sitemaps:
        url = line.meant(base)
        if url and not url.endswith(f"/{NAME}"):
            spot = robots.spot(line.line)
            found.setdefault(url, Listing(url, spot, named_by=spot))
    return list(found.values())


@dataclass(slots=True, kw_only=True)
class Walk:
    """The way from the entry points of a site to all its sitemaps."""

    groups: Sequence[Sequence[Listing]]
    """The entry points, the most important first. Everything that one group lists is read before
    the next group."""
    read: Callable[[list[Listing]], Iterable[Document]]
    totals: Totals
    lists: Lists = field(default_factory=Lists)
    most: int = sys.maxsize
    """How many files are read, because indexes on the web can list others endlessly."""
    _known: set[str] = field(default_factory=set)
    _missing: dict[str, Document] = field(default_factory=dict)
    """The missing files that only robots.txt lists so far. An index may follow that lists them
    too."""

    def documents(self) -> Iterator[Document]:
        """Yield every sitemap and index: those of a group, then the entries of indexes among them,
        and so on.

        Each URL is read once, unless it is too long.
        """
        named = {listing.url: listing.named_by for group in self.groups for listing in group}
        for number, group in enumerate(self.groups):
            self.lists.begin_group()
            is_beside = number > 0 and not any(listing.named_by for listing in group)
            waiting = [listing for listing in group if listing.url not in self._known]
            self._known.update(listing.url for listing in waiting)
            while waiting:
                level = waiting
                waiting = []
                relative = {listing.url for listing in level if listing.is_relative}
                for document in self.read(level):
                    if document.is_missing and document.url in relative:
                        lister = document.listing.where
                        why = f"{lister} lists it by a relative URL, and it is missing"
                        self.totals.unseen.append(f"{document.url} ({why})")
                        continue
                    if is_beside and document.role == "listed" and not document.named_by:
                        document.role = "beside"
                    self.lists.add(document)
                    if document.is_missing and document.is_only_named:
                        self._missing[document.url] = document
                    else:
                        yield document
                    waiting += self._listed_by(document, named)
                    del document  # before the next one is read, which can be as large
        yield from self._missing.values()

    def _listed_by(self, document: Document, named: Mapping[str, Spot | None]) -> Iterator[Listing]:
        """Yield what an index lists and what was not read before."""
        for entry, url in document.children:
            spot = document.spot(entry)
            if url in self._missing:
                self._missing[url].listed_by = spot
            if url in self._known or len(url) > MAX_URL_LENGTH:
                continue
            if len(self._known) >= self.most:
                self.totals.skip("listed sitemap", f"because a run requests at most {self.most:,}")
                continue
            self._known.add(url)
            is_relative = not entry.normal
            yield Listing(url, spot, entry.lastmod, named.get(url), is_relative=is_relative)
