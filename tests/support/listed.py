"""What sitemaps list, as lxml reads them: the reference for the reader of the package.

And random sites to publish.
"""

import gzip
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hypothesis import strategies as st
from lxml import etree

from smindex_plugins.base import urls
from smindex_plugins.base.model import IndexEntry, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.checks.checked import CheckedFile
from smindex_plugins.reading.document import Document, Entry
from smindex_plugins.reading.found import Found
from smindex_plugins.report import Report
from tests.support.history import publish_as_given
from tests.support.planted import EXTENSIONS, NAMESPACE

SITEMAP, IMAGE, LINK = (
    f"{{{uri}}}" for uri in (NAMESPACE, EXTENSIONS["image"], EXTENSIONS["xhtml"])
)
INDEX = "sitemap_index.xml"
BASE = "https://e.org/docs/"

_NAMES = st.sampled_from(
    ["a", "b", "größe", "x y", "it's", "r&d", "~u", "root", "sitemap", "index.html"]
)
SITES = st.dictionaries(
    st.lists(_NAMES, min_size=1, max_size=4).map("/".join),
    st.sampled_from([None, "2026-05-10", "2026-05-10T12:30:15Z", "1999-12-31"]),
    min_size=1,
    max_size=25,
)
"""Sites: the date of each page by its path."""
OPTIONS = st.fixed_dictionaries(
    {
        "section_by": st.sampled_from(["directory", "category"]),
        "section_depth": st.integers(0, 3),
        "section_min_pages": st.integers(1, 3),
        "sitemap_placement": st.sampled_from(["section", "root"]),
        "gzip": st.booleans(),
        "max_urls": st.sampled_from([1, 3, 10, 50_000]),
        "index_filename": st.sampled_from([INDEX, "sitemap-root.xml", "sitemap-a.xml"]),
        "sections": st.sampled_from(
            [[], [{"name": "a", "urls": ["**/a/"]}, {"name": "x", "urls": ["a/*"]}]]
        ),
    }
)
"""Options that decide which files there are, and what they are called."""


@dataclass(frozen=True)
class Listed:
    """A sitemap that an index lists."""

    url: str
    pages: tuple[Page, ...]
    size: int


def pages_of(site: Mapping[str, str | None] | Iterable[str]) -> list[Page]:
    """Give the pages of a site by their paths, with their dates if it has any.

    Their names are their categories.
    """
    dates = site if isinstance(site, Mapping) else dict.fromkeys(site)
    return [
        Page(url=BASE + urls.from_file_path(path), lastmod=date, section=path.partition("/")[2])
        for path, date in dates.items()
    ]


def publish(
    directory: Path, pages: Iterable[Page], base: str = BASE, /, **settings: object
) -> Report:
    """Publish pages with the dates that they come with."""
    site = Site(
        url=base,
        directory=str(directory),
        settings=Settings.load(settings),
        beside=str(directory.parent),
    )
    return publish_as_given(pages, site)


def read_back(directory: Path, index_urls: Iterable[str] = (BASE + INDEX,)) -> list[Listed]:
    """Read every sitemap that the indexes of a published site list."""
    return sitemaps(directory, BASE, [urls.relative_path(url, BASE) for url in index_urls])


def files_in(directory: Path) -> dict[str, bytes]:
    """Give the content of every file below a directory, by its path."""
    found = (path for path in sorted(directory.rglob("*")) if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in found}


def listed(directory: Path, base: str = BASE) -> dict[str, str | None]:
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


def document(
    kind: Literal["urlset", "sitemapindex"], url: str, *listed: str, size: int = 0
) -> Document:
    """Give what the reader makes of a file that lists some URLs."""
    return Document(
        url=url, kind=kind, entries=[Entry(each, urls.normal(each)) for each in listed], size=size
    )


def checked(document: Document) -> CheckedFile:
    """Give a file to the checks that the user passed, without a robots.txt."""
    return CheckedFile(found=Found.alone(document))


def read_entries(content: bytes) -> list[IndexEntry]:
    """Read an index."""
    return [
        IndexEntry(url=url, lastmod=date)
        for _, url, date in _entries(content, "sitemapindex", "sitemap")
    ]


def read_pages(content: bytes) -> tuple[Page, ...]:
    """Read a sitemap with everything that its entries say."""
    return tuple(
        Page(
            url=url,
            lastmod=date,
            alternates=tuple(
                (link.get("hreflang", ""), link.get("href", ""))
                for link in entry.iterchildren(f"{LINK}link")
            ),
            images=tuple(
                image.findtext(f"{IMAGE}loc") or "" for image in entry.iterchildren(f"{IMAGE}image")
            ),
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
