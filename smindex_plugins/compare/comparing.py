"""Compares the entries of two versions of a site, without asking what happened to its pages."""

from collections.abc import Collection

from smindex_plugins.base.dates import has_time, read_w3c
from smindex_plugins.base.difference import Change, Difference, Sitemaps
from smindex_plugins.compare.version import SiteVersion, read_version
from smindex_plugins.reading.entries import PageEntry, Pages
from smindex_plugins.reading.web import Fetcher


def from_nothing(new: str, *, site_url: str = "", fetcher: Fetcher | None = None) -> Difference:
    """Return the difference between an empty site and a version: everything that it lists."""
    version = read_version(new, site_url=site_url, fetcher=fetcher)
    return difference_of(SiteVersion(name="nothing"), version)


def compare(before: Pages, after: Pages) -> Difference:
    """Return what differs between two lists of entries by URL."""
    difference = Difference(
        added=sorted(after.keys() - before.keys()),
        removed=sorted(before.keys() - after.keys()),
        urls_before=len(before),
        urls_after=len(after),
    )
    for url in sorted(before.keys() & after.keys()):
        one = before[url]
        other = after[url]
        if not one.equals(other):
            variants = _changed_languages(one, other)
            change = Change(url, one.lastmod or None, other.lastmod or None, variants)
            difference.changed.append(change)
        elif not read_w3c(one.lastmod)[0]:
            difference.undated += 1
        elif not (has_time(one.lastmod) and has_time(other.lastmod)):
            difference.days += 1
    return difference


def _changed_languages(one: PageEntry, other: PageEntry) -> tuple[str, ...]:
    """Return the languages whose variants only one of two entries has, sorted."""
    changed = set(one.variants) ^ set(other.variants)
    languages = {language for language, _ in changed}
    return tuple(sorted(languages))


def difference_of(
    before: SiteVersion, after: SiteVersion, missing: Collection[str] = ()
) -> Difference:
    """Return what differs between the sitemaps of two versions.

    Pages that are ``missing`` in the new version, although it lists them, are removed ones. So are
    pages that another sitemap of the old version than its own list contains, and that no sitemap of
    the new one lists.
    """
    elsewhere = before.elsewhere | after.elsewhere
    old_pages = before.pages(elsewhere)
    new_pages = after.pages(elsewhere)
    is_report = before.is_report or after.is_report
    if is_report:
        old_pages = _only_dates(old_pages)
        new_pages = _only_dates(new_pages)
    gone = old_pages.keys() & missing
    there = {url: entry for url, entry in new_pages.items() if url not in gone}
    difference = compare(old_pages, there)
    others = before.only_second().difference(old_pages, new_pages, after.only_second())
    difference.removed = sorted({*difference.removed, *others})
    difference.urls_after = len(new_pages)
    difference.unread = _unread(before, after)
    difference.old = before.name
    difference.new = after.name
    difference.base = after.base
    difference.first_deployment = before.why_none
    difference.not_compared = list(dict.fromkeys([*before.notes(), *after.notes()]))
    if is_report:
        what = "sitemaps and language variants, which a report doesn't contain"
        difference.not_compared.append(what)
    else:
        _compare_sitemaps(difference, before, after, elsewhere)
    return difference


def _only_dates(pages: Pages) -> Pages:
    """Return entries as a report has them."""
    return {url: PageEntry(entry.lastmod) for url, entry in pages.items()}


def _unread(before: SiteVersion, after: SiteVersion) -> list[str]:
    """Return the sitemaps of both versions that were not read, each once, with the reason."""
    found: dict[str, None] = {}
    for version in (before, after):
        for url, why in version.unread.items():
            found[f"{url} ({why})"] = None
    return list(found)


def _compare_sitemaps(
    difference: Difference, before: SiteVersion, after: SiteVersion, elsewhere: Collection[str]
) -> None:
    """Set which sitemaps differ, and the hashes of those that differ."""
    old = _by_name(before, elsewhere)
    new = _by_name(after, elsewhere)
    sitemaps = Sitemaps()
    same = set()
    for name, url in new.items():
        if name not in old:
            sitemaps.added.append(url)
        elif _are_equal(before.sitemaps[old[name]], after.sitemaps[url]):
            same.add(url)
        else:
            sitemaps.changed.append(url)
    sitemaps.removed = [url for name, url in old.items() if name not in new]
    for urls in (sitemaps.added, sitemaps.changed, sitemaps.removed):
        urls.sort()
    difference.sitemaps = sitemaps
    differing = {url: digest for url, digest in after.digests.items() if url not in same}
    difference.live = differing or after.digests


def _by_name(version: SiteVersion, elsewhere: Collection[str]) -> dict[str, str]:
    """Return the sitemaps of a version by their URLs without compression."""
    own = version.sitemaps.keys() - elsewhere
    return {url.removesuffix(".gz"): url for url in own}


def _are_equal(one: Pages, other: Pages) -> bool:
    if one.keys() != other.keys():
        return False
    return all(entry.equals(other[url]) for url, entry in one.items())
