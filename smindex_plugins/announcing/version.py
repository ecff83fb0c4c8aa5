"""Reads the pages of one version of a site: a directory, a live site, or an earlier report in JSON."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from smindex_plugins import addresses, files, urls
from smindex_plugins.dates import is_same, read_w3c
from smindex_plugins.sitemaps import Document, Entry, is_url
from smindex_plugins.sites import Directory, Live, PartlyReadError
from smindex_plugins.text import counted
from smindex_plugins.web import Fetcher

_FEEDS = {"RSS feed", "Atom feed"}


class PageEntry(NamedTuple):
    """The data of a page in sitemaps."""

    lastmod: str = ""
    """Its date as written."""
    variants: tuple[tuple[str, str], ...] = ()
    """The language and the URL of each variant, sorted."""

    def equals(self, other: "PageEntry") -> bool:
        """Whether another version has the same data for the page."""
        return self == other or (self.variants == other.variants and is_same(self.lastmod, other.lastmod))


Pages: TypeAlias = dict[str, PageEntry]


@dataclass(slots=True, kw_only=True)
class SiteVersion:
    """The content of one version's sitemaps."""

    name: str
    sitemaps: dict[str, Pages] = field(default_factory=dict)
    """The pages of each sitemap, by its URL."""
    digests: dict[str, str] = field(default_factory=dict)
    """A hash of the entries of each index and sitemap, by URL."""
    elsewhere: set[str] = field(default_factory=set)
    """Files that its indexes and robots.txt list but that are not part of it: sitemaps of other builds, and feeds."""
    joined: set[str] = field(default_factory=set)
    """Entries of other builds that were joined to its indexes."""
    invalid: int = 0
    """Entries whose URL is invalid."""
    site: Directory | Live | None = None
    """Where it was read from, if it is not a report."""
    base: str = ""
    """The URL that serves it, if it is a directory."""
    is_report: bool = False
    """Whether it is an earlier report, which has no sitemaps and no variants."""

    def add(self, document: Document) -> None:
        """Add a sitemap or an index, or note that it is not part of this version.

        Raises:
            PartlyReadError: it cannot be read completely.
        """
        url = document.url
        if document.file and not self.base:
            self.base = url.removesuffix(urls.from_file_path(document.where))
        if document.own is not None:
            self.joined.update(entry.normal for entry in document.entries[document.own :])
        if document.role in {"flat", "unlisted"}:
            return
        is_absent = document.is_missing and (url in self.joined or document.is_named_by_robots)
        if is_absent or document.role == "elsewhere" or document.kind in _FEEDS:
            self.elsewhere.add(url)
            return
        if why := why_unread(document):
            raise PartlyReadError(document.file or document.where, why)
        pages = _pages(document.entries)
        self.digests[url] = _digest(document.kind, pages)
        if document.kind != "sitemapindex":
            self.sitemaps[url] = pages
            self.invalid += sum(not entry.normal for entry in document.entries)

    def pages(self, elsewhere: set[str]) -> Pages:
        """Return the data of each page from all its sitemaps, except for sitemaps that are elsewhere."""
        pages: Pages = {}
        for sitemap, listed in self.sitemaps.items():
            if sitemap not in elsewhere:
                _merge(pages, listed.items())
        return pages

    def notes(self) -> Iterator[str]:
        """Yield what is not compared."""
        yield from (f"{url} (it is not part of {self.name})" for url in sorted(self.elsewhere))
        if self.invalid:
            yield f"{counted(self.invalid, 'URL')} of {self.name} that no client can request"


def _merge(pages: Pages, more: Iterable[tuple[str, PageEntry]]) -> None:
    """Add entries to pages. If a page has two dates, the newer one is used."""
    for url, entry in more:
        if known := pages.get(url):
            newest = max(known.lastmod, entry.lastmod, key=lambda date: read_w3c(date)[0])
            pages[url] = PageEntry(newest, tuple(sorted({*known.variants, *entry.variants})))
        else:
            pages[url] = entry


def read_version(
    source: str,
    *,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> SiteVersion:
    """Read all sitemaps of a directory, an index file or a URL, or the pages of an earlier report.

    Raises:
        OSError: a sitemap cannot be read completely, or there is none.
        ValueError: the URL is invalid, the file is not a report, or the URL of the directory is unknown.
    """
    site: Directory | Live
    if is_url(source):
        site = Live(url=urls.normalise(source), fetcher=fetcher or Fetcher())
    elif source.endswith(".json"):
        return _read_report(source)
    else:
        site = Directory(path=source, site_url=site_url and addresses.site_url(site_url))
    version = SiteVersion(name=source, site=site)
    for document in site.documents():
        version.add(document)
        tell(f"{source}: {counted(len(version.sitemaps), 'sitemap')}")
    return version


def _read_report(path: str) -> SiteVersion:
    try:
        pages = json.loads(files.read(path))["pages"]
        listed = {str(page["url"]): PageEntry(str(page["lastmod"] or "")) for page in pages if page["url"]}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"{path}: it is not a report. Write one with `smindex report -o {path}`"
        raise ValueError(message) from error
    return SiteVersion(name=path, sitemaps={"": listed}, is_report=True)


def why_unread(document: Document) -> str:
    """Return why not every entry of a sitemap is known, or an empty string."""
    if document.failure:
        return document.failure
    if document.is_missing:
        lister = document.listing.file
        return f"{lister} lists it, but there is no such file" if lister else "there is no such file"
    if document.is_whole:
        return ""
    return document.findings[-1].problem if document.findings else "it cannot be read to its end"


def digest(document: Document) -> str:
    """Return a hash of the entries of a sitemap or an index, independent of format and compression."""
    return _digest(document.kind, _pages(document.entries))


def _digest(kind: str, pages: Pages) -> str:
    return hashlib.sha256(json.dumps([kind, sorted(pages.items())]).encode()).hexdigest()


def _pages(entries: Iterable[Entry]) -> Pages:
    pages: Pages = {}
    valid = (entry for entry in entries if entry.normal)
    _merge(pages, ((entry.normal, PageEntry(entry.lastmod, _variants(entry))) for entry in valid))
    return pages


def _variants(entry: Entry) -> tuple[tuple[str, str], ...]:
    return tuple(sorted({(language.strip().lower(), urls.normal(url) or url) for language, url in entry.alternates}))
