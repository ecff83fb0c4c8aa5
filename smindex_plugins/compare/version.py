"""Reads the pages of one version of a site: a directory, a live site, or an earlier report in
JSON.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from smindex_plugins.base import addresses, files, urls
from smindex_plugins.base.text import counted
from smindex_plugins.base.urls import is_url
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.entries import PageEntry, Pages, digest, merge, pages_of
from smindex_plugins.reading.found import Found
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.reading.live import Live, NoLiveSitemapError
from smindex_plugins.reading.walking import PartlyReadError, Totals
from smindex_plugins.reading.web import Fetcher

_FEEDS = {"RSS feed", "Atom feed"}
_UNREAD = re.compile(r"[\d,]+ (?:file|(?:listed )?sitemap)s? ")
"""The start of what a report says about sitemaps that were not read."""


@dataclass(slots=True, kw_only=True)
class SiteVersion:
    """The content of one version's sitemaps."""

    name: str
    sitemaps: dict[str, Pages] = field(default_factory=dict)
    """The pages of each sitemap, by its URL."""
    digests: dict[str, str] = field(default_factory=dict)
    """A hash of the entries of each index and sitemap, by URL."""
    second: dict[str, Pages] = field(default_factory=dict)
    """The pages of sitemaps that are not its own list: copies of it, and sitemaps that nothing
    lists. By URL."""
    elsewhere: set[str] = field(default_factory=set)
    """Files that its indexes and robots.txt list but that are not part of it: sitemaps of other
    builds, and feeds."""
    absent: set[str] = field(default_factory=set)
    """Files that the robots.txt of a live site lists, and that do not exist."""
    unread: dict[str, str] = field(default_factory=dict)
    """Sitemaps of unknown content by their URL, and why. Pages that they list can be lost."""
    joined: set[str] = field(default_factory=set)
    """Entries of other builds that were joined to its indexes."""
    invalid: int = 0
    """Entries whose URL is invalid."""
    site: Directory | Live | None = None
    """Where it was read from, if it is not a report."""
    base: str = ""
    """The URL that serves it, if it is a directory."""
    inventory: Inventory | None = None
    """The files of the directory."""
    is_report: bool = False
    """Whether it is an earlier report, which has no sitemaps and no variants."""
    why_none: str = ""
    """Why there is no such version, if it is a live site whose responses show that."""
    outside: int = 0
    """Entries for pages outside the site, in sitemaps elsewhere on its host."""
    _relative: dict[str, str] = field(default_factory=dict)
    """Files that an index lists by a relative URL, each with the index."""

    def add(self, found: Found) -> None:
        """Add a sitemap or an index, or note that it is not part of this version.

        Raises:
            PartlyReadError: it can't be read completely.
        """
        document = found.document
        url = document.url
        if document.file and not self.base:
            self.base = url.removesuffix(urls.from_file_path(document.where))
        if document.own is not None:
            self.joined.update(entry.normal for entry in document.entries[document.own :])
        # it never lists all pages, so nothing is lost if a page leaves it
        if document.kind in _FEEDS:
            self.elsewhere.add(url)
            return
        is_joined = url in self.joined
        why = found.why_unread
        is_missing = found.delivery.is_missing
        is_absent = is_missing and (is_joined or found.listing.is_only_named)
        if found.role == "elsewhere" or is_absent:
            self._leave_out(found)
        elif not why:
            self._keep(found)
        elif found.role == "listed":
            raise PartlyReadError(document.file or document.where, why, is_missing=is_missing)
        elif not document.is_other_file:
            self.unread[url] = why

    def _keep(self, found: Found) -> None:
        """Add the content of a sitemap or an index."""
        document = found.document
        for entry, child in document.children:
            if not entry.normal:
                self._relative[child] = document.where
        is_index = document.kind == "sitemapindex"
        pages = pages_of(document.entries)
        whole_digest = digest(document.kind, pages)
        if isinstance(self.site, Live) and self.site.within:
            within = self.site.within
            inside = {url: entry for url, entry in pages.items() if urls.is_within(url, within)}
            if not is_index:
                self.outside += len(pages) - len(inside)
            pages = inside
            if not pages:
                return
        if not found.share.counts:
            self.second[document.url] = {} if is_index else pages
            return
        self.digests[document.url] = whole_digest
        if not is_index:
            self.sitemaps[document.url] = pages
            self.invalid += sum(not entry.normal for entry in document.entries)

    def _leave_out(self, found: Found) -> None:
        """Note that a listed file is not part of this version."""
        document = found.document
        is_live = not isinstance(self.site, Directory)
        if found.delivery.is_missing and is_live and document.url not in self.joined:
            self.absent.add(document.url)
            return
        self.elsewhere.add(document.url)
        self.unread[document.url] = f"it is not part of {self.name}"

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added but files that do not exist."""
        return not (self.digests or self.second or self.elsewhere or self.unread)

    def finish(self) -> None:
        """Note which sitemaps were not read, after all were added."""
        # such a sitemap can be left over from earlier builds
        if self.inventory and self.inventory.pages:
            find_page = self.inventory.find_page
            for sitemap, pages in self.second.items():
                there = {url: entry for url, entry in pages.items() if find_page(url)}
                self.second[sitemap] = there
        read = self.digests.keys() | self.second.keys()
        for url, where in self._relative.items():
            if url not in read:
                self.unread[url] = f"{where} lists it by a relative URL, and it is missing"
        if isinstance(self.site, Live):
            self.unread |= self.site.unread
        if not self.sitemaps:
            self.unread[self.name] = "none of its sitemaps was read"

    def pages(self, elsewhere: set[str]) -> Pages:
        """Return the data of each page from all its sitemaps, except for sitemaps that are
        elsewhere.
        """
        pages: Pages = {}
        for sitemap, listed in self.sitemaps.items():
            if sitemap not in elsewhere:
                merge(pages, listed.items())
        return pages

    def only_second(self) -> set[str]:
        """Return the URLs of pages that only other sitemaps than its own list contain."""
        pages = set().union(*self.second.values())
        if not pages:
            return pages
        return pages.difference(*self.sitemaps.values())

    def notes(self) -> Iterator[str]:
        """Yield what is not compared."""
        skipped = self.elsewhere | self.absent
        for url in sorted(skipped):
            yield f"{url} (it is not part of {self.name})"
        for url in sorted(self.unread.keys() - skipped):
            yield f"{url} ({self.unread[url]})"
        if self.invalid:
            yield f"{counted(self.invalid, 'URL')} of {self.name} that no client can request"
        if self.outside:
            yield f"{counted(self.outside, 'page')} outside {self.name}, which its host lists"


def read_version(
    source: str,
    *,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> SiteVersion:
    """Read all sitemaps of a directory, an index file or a URL, or the pages of an earlier report.

    Raises:
        NoLiveSitemapError: it is a live site, and its responses show that it has no sitemap.
        OSError: a sitemap can't be read completely, or there is none.
        ValueError: the URL is invalid, the file is not a report, or the URL of the directory is
            unknown.
    """
    site: Directory | Live
    if is_url(source):
        site = Live(url=urls.normalise(source), fetcher=fetcher or Fetcher())
    elif source.endswith(".json"):
        return _read_report(source)
    else:
        site = Directory(path=source, site_url=site_url and addresses.site_url(site_url))
    version = SiteVersion(name=source, site=site)
    read: Iterator[Found]
    if isinstance(site, Directory):
        version.inventory, groups = site.look()
        read = site.traverse(version.inventory, groups, set(), Totals())
    else:
        read = site.files()
    for found in read:
        version.add(found)
        tell(f"{source}: {counted(len(version.sitemaps), 'sitemap')}")
    if isinstance(site, Live) and site.why_none and version.is_empty:
        raise NoLiveSitemapError(source, site.why_none)
    version.finish()
    return version


def read_old_version(
    source: str,
    *,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> SiteVersion:
    """Read the version to compare with, which is empty if a live site has no sitemap yet.

    Raises:
        OSError: as `read_version`, also if the user passed the URL of a sitemap that is missing.
        ValueError: as `read_version`.
    """
    try:
        return read_version(source, site_url=site_url, fetcher=fetcher, tell=tell)
    except NoLiveSitemapError as error:
        return SiteVersion(name=source, why_none=error.why)
    except PartlyReadError as error:
        raise _with_site(error, source) from error


def _with_site(error: PartlyReadError, source: str) -> PartlyReadError:
    """Return the error for a version. If the user passed the URL of a missing sitemap, it has the
    URL to pass instead.
    """
    if not (is_url(source) and error.is_missing and error.where == urls.normalise(source)):
        return error
    name = source.rpartition("/")[2]
    site = urls.directory(source) if "." in name else f"{source}/"
    why = f"{error.why}. If the site has no sitemap yet, pass the URL of the site, {site}"
    return PartlyReadError(error.where, why)


def _read_report(path: str) -> SiteVersion:
    listed: Pages = {}
    try:
        report = json.loads(files.read(path))
        for page in report["pages"]:
            if page["url"]:
                listed[str(page["url"])] = PageEntry(str(page["lastmod"] or ""))
        not_checked = [str(each) for each in report["summary"]["not_checked"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"{path}: it is not a report. Write one with `smindex report -o {path}`"
        raise ValueError(message) from error
    version = SiteVersion(name=path, sitemaps={"": listed}, is_report=True)
    why = ", ".join(each for each in not_checked if _UNREAD.match(each))
    if why:
        version.unread[path] = f"it was made without {why}"
    return version
