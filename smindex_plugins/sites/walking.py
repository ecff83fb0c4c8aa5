"""Walks from the first sitemaps of a site to all others, on disk and on the web."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from smindex_plugins import urls
from smindex_plugins.limits import MAX_URL_LENGTH
from smindex_plugins.model import Spot
from smindex_plugins.sitemaps import Document, Robots
from smindex_plugins.sites.audit import Totals
from smindex_plugins.text import ExplainedError


class PartlyReadError(ExplainedError):
    """A sitemap cannot be read completely, so some pages of the site are unknown."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why.rstrip('.')}")


class Listing(NamedTuple):
    """The URL of a sitemap or an index, and where it is listed."""

    url: str
    by: Spot | None = None
    """The line of the index or robots.txt that lists it, if there is one."""
    lastmod: str = ""
    """Its date in that index, as written."""


def named_by(robots: Robots | None, base: str) -> list[Listing]:
    """Return the sitemaps that the lines of a robots.txt list. Its URLs may be relative to a base."""
    found: dict[str, Listing] = {}
    if robots:
        for line in robots.sitemaps:
            url = urls.normal(line.url, base)
            found.setdefault(url, Listing(url, robots.spot(line.line)))
    return [listing for listing in found.values() if listing.url]


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
