"""Compares two versions of a site by their sitemaps."""

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from smindex_plugins.announcing.fates import Gone, fates, in_directory, on_server
from smindex_plugins.announcing.version import PageEntry, Pages, SiteVersion, read_version
from smindex_plugins.dates import has_time
from smindex_plugins.serving import Serving
from smindex_plugins.sites import Directory, Live
from smindex_plugins.web import Fetcher


class Change(NamedTuple):
    """A page in both versions with different dates or variants."""

    url: str
    before: str
    """Its date in the old version, as written; empty if it has none."""
    after: str
    """Its date in the new version."""
    variants: tuple[str, ...] = ()
    """The languages whose variants were added, removed, or have another URL."""


Renames = Callable[[list[str], str], tuple[Mapping[str, tuple[str, str]], list[str]]]
"""Takes lost URLs of a site, and the site's URL. Returns the URLs of renamed pages, each with its new URL and the text
of the redirect to add, and notes on what could not be determined."""


@dataclass(slots=True, kw_only=True)
class Sitemaps:
    """The sitemaps that differ, by their URLs."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """Their pages, or the data of a page, differ."""


@dataclass(slots=True, kw_only=True)
class Difference:
    """The differences between two versions of a site. All lists are sorted by URL."""

    old: str = ""
    """The directory, file or URL of the old version, as given."""
    new: str = ""
    base: str = ""
    """The URL that serves the new version if it is a directory."""
    added: list[str] = field(default_factory=list)
    """URLs of pages that only the new version lists."""
    removed: list[str] = field(default_factory=list)
    """URLs of pages that only the old version lists."""
    gone: list[Gone] = field(default_factory=list)
    """What happened to the removed URLs. Empty if that is unknown, as `not_compared` then explains."""
    changed: list[Change] = field(default_factory=list)
    sitemaps: Sitemaps = field(default_factory=Sitemaps)
    urls_before: int = 0
    """How many pages the old version lists."""
    urls_after: int = 0
    undated: int = 0
    """Pages without a date in one of the versions. Their changes are not detected."""
    days: int = 0
    """Pages with the same day in both versions, one without a time. A second change on that day is not detected."""
    not_compared: list[str] = field(default_factory=list)
    """What was not compared, as text."""
    live: dict[str, str] = field(default_factory=dict)
    """A hash of the entries of each index and each sitemap that differs, by URL. They show when the new version is
    live."""

    def __bool__(self) -> bool:
        """Whether anything differs."""
        sitemaps = self.sitemaps
        return any([self.added, self.removed, self.changed, sitemaps.added, sitemaps.removed, sitemaps.changed])

    def announced(self) -> list[str]:
        """Return the URLs to send to search engines, sorted.

        Pages that only lost their date are excluded, because that doesn't mean that their content changed.
        """
        changed = (change.url for change in self.changed if change.after or change.variants)
        return sorted([*self.added, *self.removed, *changed])

    def only(self, kept: Collection[str]) -> "Difference":
        """Return a copy with only these URLs."""
        return replace(
            self,
            added=[url for url in self.added if url in kept],
            removed=[url for url in self.removed if url in kept],
            gone=[each for each in self.gone if each.url in kept],
            changed=[change for change in self.changed if change.url in kept],
        )

    @property
    def lost(self) -> list[Gone]:
        """The removed URLs that lead nowhere, including renamed pages."""
        return [each for each in self.gone if each.fate in {"lost", "renamed"}]

    @property
    def is_first(self) -> bool:
        """Whether no page of the new version was listed before."""
        return bool(self.urls_after) and len(self.added) == self.urls_after


def diff(
    old: str,
    new: str | SiteVersion,
    *,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
    project: str = "",
    why: Callable[[str, str], str] = lambda _, __: "",
    renames: Renames = lambda _, __: ({}, []),
) -> Difference:
    """Return the differences between two versions of a site according to their sitemaps.

    Each version is a directory, an index file in it, an http(s) URL, or the file of an earlier report in JSON. The
    new one can also be a version that was already read. ``site_url`` is the public URL of a directory, if its files
    don't show it. The order of entries, the compression of a sitemap, and which sitemap lists a page are ignored, and
    so are dates that only gained or lost their time. Removed pages are looked up in the directory, or requested from
    the live site. ``project`` is the directory with the configuration of its host, ``why`` returns why a file at a
    URL is omitted on purpose, and ``renames`` finds renamed pages.

    Raises:
        FileNotFoundError: there is no such directory, or no sitemap in it.
        OSError: a sitemap cannot be read completely, or the live site does not respond.
        ValueError: a URL is invalid, a file is not a report, or the URL of the directory is unknown.
    """
    before = read_version(old, site_url=site_url, fetcher=fetcher, tell=tell)
    if isinstance(new, str):
        new = read_version(new, site_url=site_url, fetcher=fetcher, tell=tell)
    difference, site = _difference(before, new), new.site
    if not difference.removed:
        return difference
    listed, look = new.pages(before.elsewhere | new.elsewhere), None
    if isinstance(site, Live):
        look = on_server(site, listed)
    elif isinstance(site, Directory):
        path = os.path.dirname(site.path) or "." if os.path.isfile(site.path) else site.path
        serving = Serving.read(path, project)
        look = in_directory(path, new.base, listed, serving, why)
        if look:
            rules = (f"a rule that hosts skip ({each.place}: {each.problem})" for each in serving.findings)
            difference.not_compared += rules
    if look:
        gone = list(fates(difference.removed, listed, look, site if isinstance(site, Live) else None))
        lost = [each.url for each in gone if each.fate == "lost" and not each.to]
        found, notes = renames(lost, new.base) if lost and isinstance(site, Directory) else ({}, [])
        difference.gone = [Gone(each.url, "renamed", *found[each.url]) if each.url in found else each for each in gone]
        difference.not_compared += notes
    else:
        pages = "a report doesn't contain the pages" if new.is_report else f"{new.name} doesn't contain the pages"
        difference.not_compared.append(f"what happened to removed pages ({pages})")
    return difference


def everything(new: str, *, site_url: str = "", fetcher: Fetcher | None = None) -> Difference:
    """Return the difference between an empty site and a version: everything that it lists."""
    return _difference(SiteVersion(name="nothing"), read_version(new, site_url=site_url, fetcher=fetcher))


def compare(before: Pages, after: Pages) -> Difference:
    """Return what differs between two lists of entries by URL."""
    difference = Difference(
        added=sorted(after.keys() - before.keys()),
        removed=sorted(before.keys() - after.keys()),
        urls_before=len(before),
        urls_after=len(after),
    )
    for url in sorted(before.keys() & after.keys()):
        one, other = before[url], after[url]
        if not one.equals(other):
            languages = sorted({language for language, _ in {*one.variants} ^ {*other.variants}})
            difference.changed.append(Change(url, one.lastmod, other.lastmod, tuple(languages)))
        elif not one.lastmod:
            difference.undated += 1
        elif not (has_time(one.lastmod) and has_time(other.lastmod)):
            difference.days += 1
    return difference


def _difference(before: SiteVersion, after: SiteVersion) -> Difference:
    elsewhere = before.elsewhere | after.elsewhere
    pages = [version.pages(elsewhere) for version in (before, after)]
    is_report = before.is_report or after.is_report
    if is_report:
        pages = [{url: PageEntry(entry.lastmod) for url, entry in listed.items()} for listed in pages]
    difference = compare(*pages)
    difference.old, difference.new, difference.base = before.name, after.name, after.base
    difference.not_compared = list(dict.fromkeys([*before.notes(), *after.notes()]))
    if is_report:
        difference.not_compared.append("sitemaps and language variants, which a report doesn't contain")
        return difference
    old, new = (
        {url.removesuffix(".gz"): url for url in version.sitemaps.keys() - elsewhere} for version in (before, after)
    )
    same = {
        url for name, url in new.items() if name in old and _are_equal(before.sitemaps[old[name]], after.sitemaps[url])
    }
    difference.sitemaps = Sitemaps(
        added=sorted(url for name, url in new.items() if name not in old),
        removed=sorted(url for name, url in old.items() if name not in new),
        changed=sorted(url for name, url in new.items() if name in old and url not in same),
    )
    difference.live = {url: digest for url, digest in after.digests.items() if url not in same} or after.digests
    return difference


def _are_equal(one: Pages, other: Pages) -> bool:
    return one.keys() == other.keys() and all(entry.equals(other[url]) for url, entry in one.items())
