"""Compares the entries of two versions of a site, without asking what happened to its pages."""

from collections.abc import Collection

from smindex_plugins.base.dates import has_time
from smindex_plugins.base.difference import Change, Difference, Sitemaps
from smindex_plugins.compare.version import SiteVersion, read_version
from smindex_plugins.reading.entries import PageEntry, Pages
from smindex_plugins.reading.web import Fetcher


def from_nothing(new: str, *, site_url: str = "", fetcher: Fetcher | None = None) -> Difference:
    """Return the difference between an empty site and a version: everything that it lists."""
    return difference_of(
        SiteVersion(name="nothing"), read_version(new, site_url=site_url, fetcher=fetcher)
    )


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


def difference_of(
    before: SiteVersion, after: SiteVersion, missing: Collection[str] = ()
) -> Difference:
    """Return what differs between the sitemaps of two versions.

    Pages that are ``missing`` in the new version, although it lists them, are removed ones. So are
    pages that another sitemap of the old version than its own list contains, and that no sitemap of
    the new one lists.
    """
    elsewhere = before.elsewhere | after.elsewhere
    pages = [version.pages(elsewhere) for version in (before, after)]
    is_report = before.is_report or after.is_report
    if is_report:
        pages = [
            {url: PageEntry(entry.lastmod) for url, entry in listed.items()} for listed in pages
        ]
    old_pages, new_pages = pages
    others = before.only_second().difference(old_pages, new_pages, after.only_second())
    gone = old_pages.keys() & missing
    difference = compare(
        old_pages, {url: entry for url, entry in new_pages.items() if url not in gone}
    )
    difference.removed = sorted({*difference.removed, *others})
    difference.urls_after = len(new_pages)
    unread = [
        f"{url} ({why})" for version in (before, after) for url, why in version.unread.items()
    ]
    difference.unread = list(dict.fromkeys(unread))
    difference.old, difference.new, difference.base = before.name, after.name, after.base
    difference.not_compared = list(dict.fromkeys([*before.notes(), *after.notes()]))
    if is_report:
        difference.not_compared.append(
            "sitemaps and language variants, which a report doesn't contain"
        )
        return difference
    old, new = (
        {url.removesuffix(".gz"): url for url in version.sitemaps.keys() - elsewhere}
        for version in (before, after)
    )
    same = {
        url
        for name, url in new.items()
        if name in old and _are_equal(before.sitemaps[old[name]], after.sitemaps[url])
    }
    difference.sitemaps = Sitemaps(
        added=sorted(url for name, url in new.items() if name not in old),
        removed=sorted(url for name, url in old.items() if name not in new),
        changed=sorted(url for name, url in new.items() if name in old and url not in same),
    )
    difference.live = {
        url: digest for url, digest in after.digests.items() if url not in same
    } or after.digests
    return difference


def _are_equal(one: Pages, other: Pages) -> bool:
    return one.keys() == other.keys() and all(
        entry.equals(other[url]) for url, entry in one.items()
    )
