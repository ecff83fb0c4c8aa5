"""The data of pages in sitemaps, merged from all their entries, and a hash of it."""

import hashlib
import json
from collections.abc import Iterable
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
        if known := pages.get(url):
            newest = max(known.lastmod, entry.lastmod, key=lambda date: read_w3c(date)[0])
            pages[url] = PageEntry(newest, tuple(sorted({*known.variants, *entry.variants})))
        else:
            pages[url] = entry


def digest(kind: str, pages: Pages) -> str:
    """Return a hash of the entries of a sitemap or an index, independent of format and
    compression.
    """
    return hashlib.sha256(json.dumps([kind, sorted(pages.items())]).encode()).hexdigest()


def pages_of(entries: Iterable[Entry]) -> Pages:
    """Return the data of each valid URL."""
    pages: Pages = {}
    valid = (entry for entry in entries if entry.normal)
    merge(pages, ((entry.normal, PageEntry(entry.lastmod, _variants(entry))) for entry in valid))
    return pages


def _variants(entry: Entry) -> tuple[tuple[str, str], ...]:
    return tuple(
        sorted(
            {
                (language.strip().lower(), urls.normal(url) or url)
                for language, url in entry.alternates
            }
        )
    )
