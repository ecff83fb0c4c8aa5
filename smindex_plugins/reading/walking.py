"""Walks from the first sitemaps of a site to all others, on disk and on the web."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from smindex_plugins.base.limits import MAX_URL_LENGTH
from smindex_plugins.base.model import Spot
from smindex_plugins.base.text import ExplainedError, counted
from smindex_plugins.reading.document import Document
from smindex_plugins.writing.robots import NAME, Robots


class PartlyReadError(ExplainedError):
    """A sitemap cannot be read completely, so some pages of the site are unknown."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why.rstrip('.')}")


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


def named_by(robots: Robots | None, base: str) -> list[Listing]:
    """Return the sitemaps that the lines of a robots.txt list. Its URLs may be relative to a base.

    A line that lists a robots.txt lists no sitemap.
    """
    found: dict[str, Listing] = {}
    if robots:
        for line in robots.sitemaps:
            url = line.meant(base)
            found.setdefault(url, Listing(url, robots.spot(line.line)))
    return [listing for url, listing in found.items() if url and not url.endswith(f"/{NAME}")]


def walk(
    starts: Iterable[Listing],
    read: Callable[[list[Listing]], Iterable[Document]],
    totals: Totals,
    most: int = sys.maxsize,
) -> Iterator[Document]:
    """Yield every sitemap and index: first the given ones, then the entries of indexes among them, and so on.

    Each URL is read once, unless it is too long. At most ``most`` are read, because indexes on the web can list others
    endlessly.
    """
    waiting = list(starts)
    known = {listing.url for listing in waiting}
    while waiting:
        level, waiting = waiting, []
        for document in read(level):
            yield document
            for entry in document.entries if document.kind == "sitemapindex" else ():
                if not entry.normal or entry.normal in known or len(entry.normal) > MAX_URL_LENGTH:
                    continue
                if len(known) < most:
                    known.add(entry.normal)
                    waiting.append(Listing(entry.normal, document.spot(entry), entry.lastmod))
                else:
                    totals.skip("listed sitemap", f"because a run requests at most {most:,}")
            del document  # before the next one is read, which can be as large
