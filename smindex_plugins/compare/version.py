"""Reads the pages of one version of a site: a directory, a live site, or an earlier report in JSON."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from smindex_plugins.base import addresses, files, urls
from smindex_plugins.base.text import counted
from smindex_plugins.base.urls import is_url
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entries import PageEntry, Pages, digest, merge, pages_of
from smindex_plugins.reading.live import Live
from smindex_plugins.reading.walking import PartlyReadError
from smindex_plugins.reading.web import Fetcher

_FEEDS = {"RSS feed", "Atom feed"}


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
        if why := document.why_unread:
            raise PartlyReadError(document.file or document.where, why)
        pages = pages_of(document.entries)
        self.digests[url] = digest(document.kind, pages)
        if document.kind != "sitemapindex":
            self.sitemaps[url] = pages
            self.invalid += sum(not entry.normal for entry in document.entries)

    def pages(self, elsewhere: set[str]) -> Pages:
        """Return the data of each page from all its sitemaps, except for sitemaps that are elsewhere."""
        pages: Pages = {}
        for sitemap, listed in self.sitemaps.items():
            if sitemap not in elsewhere:
                merge(pages, listed.items())
        return pages

    def notes(self) -> Iterator[str]:
        """Yield what is not compared."""
        yield from (f"{url} (it is not part of {self.name})" for url in sorted(self.elsewhere))
        if self.invalid:
            yield f"{counted(self.invalid, 'URL')} of {self.name} that no client can request"


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
