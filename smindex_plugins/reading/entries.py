"""The data of pages in sitemaps, merged from all their entries, and a hash of it."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from smindex_plugins.base import urls
from smindex_plugins.base.dates import is_same, read_w3c
from smindex_plugins.reading.document import Entry


class PageEntry(NamedTuple):
    """The data of a page in sitemaps."""

    lastmod: str = ""
    """Its date as written."""
    variants: tuple[tuple[str, str], ...] = ()
    """The language and the URL of each variant, sorted."""

    def equals(self, other: "PageEntry") -> bool:
        """Whether another version has the same data for the page."""
        return self == other or (
            self.variants == other.variants and is_same(self.lastmod, other.lastmod)
        )


Pages: TypeAlias = dict[str, PageEntry]


def merge(pages: Pages, more: Iterable[tuple[str, PageEntry]]) -> None:
    """Add entries to pages. If a page has two dates, the newer one is used."""
    for url, entry in more:
        known = pages.get(url)
        if known is None:
            pages[url] = entry
            continue
        newest = max(known.lastmod, entry.lastmod, key=lambda date: read_w3c(date)[0])
        variants = {*known.variants, *entry.variants}
        pages[url] = PageEntry(newest, tuple(sorted(variants)))


def digest(kind: str, pages: Pages) -> str:
    """Return a hash of the entries of a sitemap or an index, independent of format and
    compression.
    """
    content = json.dumps([kind, sorted(pages.items())])
    return hashlib.sha256(content.encode()).hexdigest()


def pages_of(entries: Iterable[Entry]) -> Pages:
    """Return the data of each valid URL."""
    pages: Pages = {}
    merge(pages, _valid(entries))
    return pages


def _valid(entries: Iterable[Entry]) -> Iterator[tuple[str, PageEntry]]:
    for entry in entries:
        if entry.normal:
            yield entry.normal, PageEntry(entry.lastmod, _variants(entry))


def _variants(entry: Entry) -> tuple[tuple[str, str], ...]:
    variants = set()
    for language, url in entry.alternates:
        variants.add((language.strip().lower(), urls.normal(url) or url))
    return tuple(sorted(variants))
