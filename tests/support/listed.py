"""What sitemaps list, as lxml reads them: the reference for the reader of the package."""

import gzip
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lxml import etree

from smindex_plugins import urls
from smindex_plugins.model import IndexEntry, Page
from smindex_plugins.sitemaps import Document, Entry
from tests.support.planted import EXTENSIONS, NAMESPACE

SITEMAP, IMAGE, LINK = (f"{{{uri}}}" for uri in (NAMESPACE, EXTENSIONS["image"], EXTENSIONS["xhtml"]))
INDEX = "sitemap_index.xml"


@dataclass(frozen=True)
class Listed:
    """A sitemap that an index lists."""

    url: str
    pages: tuple[Page, ...]
    size: int


def listed(directory: Path, base: str = "https://e.org/docs/") -> dict[str, str | None]:
    """Give the pages of all sitemaps, by their paths, with their dates."""
    pages = [page for sitemap in sitemaps(directory, base) for page in sitemap.pages]
    return {page.url.removeprefix(base): page.lastmod for page in pages}


def sitemaps(directory: Path, base: str, indexes: Iterable[str] = (INDEX,)) -> list[Listed]:
    """Read every sitemap that indexes list and that is in the directory."""
    return [
        Listed(entry.url, read_pages(content), len(content))
        for index in indexes
        for entry in read_entries((directory / index).read_bytes())
        if (path := urls.find_file(str(directory), base, entry.url))
        for content in [_unpacked(directory / path)]
    ]


def document(kind: Literal["urlset", "sitemapindex"], url: str, *listed: str, size: int = 0) -> Document:
    """Give what the reader makes of a file that lists some URLs."""
    return Document(url=url, kind=kind, entries=[Entry(each, urls.normal(each)) for each in listed], size=size)


def read_entries(content: bytes) -> list[IndexEntry]:
    """Read an index."""
    return [IndexEntry(url=url, lastmod=date) for _, url, date in _entries(content, "sitemapindex", "sitemap")]


def read_pages(content: bytes) -> tuple[Page, ...]:
    """Read a sitemap with everything that its entries say."""
    return tuple(
        Page(
            url=url,
            lastmod=date,
            alternates=tuple(
                (link.get("hreflang", ""), link.get("href", "")) for link in entry.iterchildren(f"{LINK}link")
            ),
            images=tuple(image.findtext(f"{IMAGE}loc") or "" for image in entry.iterchildren(f"{IMAGE}image")),
        )
        for entry, url, date in _entries(content, "urlset", "url")
    )


def _unpacked(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _entries(content: bytes, root: str, name: str) -> list[tuple[etree._Element, str, str | None]]:
    tree = etree.fromstring(content, etree.XMLParser(huge_tree=True))
    assert tree.tag == SITEMAP + root
    return [
        (entry, entry.findtext(f"{SITEMAP}loc") or "", entry.findtext(f"{SITEMAP}lastmod"))
        for entry in tree.iterchildren(SITEMAP + name)
    ]
