"""Compares two versions of a site by their sitemaps."""

import os
from collections.abc import Callable, Mapping

from smindex_plugins.base.difference import Difference, Gone
from smindex_plugins.base.serving import Serving
from smindex_plugins.compare._fates import Step, fates, in_directory, on_server
from smindex_plugins.compare._missing import missing_pages
from smindex_plugins.compare.comparing import difference_of
from smindex_plugins.compare.version import SiteVersion, read_version
from smindex_plugins.pages.host import unread_rules
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.reading.live import Live
from smindex_plugins.reading.web import Fetcher

Renames = Callable[[list[str], str], tuple[Mapping[str, tuple[str, str]], list[str]]]
"""Takes lost URLs of a site, and the site's URL. Returns the URLs of renamed pages, each with its
new URL and the text of the redirect to add, and notes on what could not be determined."""


def diff(
    old: str,
    new: str | SiteVersion,
    *,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
    why: Callable[[str, str], str] = lambda _, __: "",
    renames: Renames = lambda _, __: ({}, []),
) -> Difference:
    """Return the differences between two versions of a site according to their sitemaps.

    Each version is a directory, an index file in it, an http(s) URL, or the file of an earlier
    report in JSON. The new one can also be a version that was already read. ``site_url`` is the
    public URL of a directory, if its files don't show it. The order of entries, the compression of
    a sitemap, and which sitemap lists a page are ignored, and so are dates that only gained or lost
    their time. Removed pages are looked up in the directory, or requested from the live site.
    ``why`` returns why a file at a URL is omitted on purpose, and ``renames`` finds renamed pages.

    Raises:
        FileNotFoundError: there is no such directory, or no sitemap in it.
        OSError: a sitemap cannot be read completely, or the live site does not respond.
        ValueError: a URL is invalid, a file is not a report, or the URL of the directory is
            unknown.
    """
    before = read_version(old, site_url=site_url, fetcher=fetcher, tell=tell)
    if isinstance(new, str):
        new = read_version(new, site_url=site_url, fetcher=fetcher, tell=tell)
    site, listed = new.site, new.pages(before.elsewhere | new.elsewhere)
    look: Callable[[str], Step] | None = None
    missing: dict[str, Gone] = {}
    notes: list[str] = []
    serving: Serving | None = None
    if isinstance(site, Live):
        look = on_server(site, listed)
    elif isinstance(site, Directory):
        path = os.path.dirname(site.path) or "." if os.path.isfile(site.path) else site.path
        serving = Serving.read(path, new.base)
        if look := in_directory(path, new.base, listed, serving, why):
            inventory = (
                new.inventory if new.inventory and new.inventory.pages else Inventory.take(path)
            )
            inventory.base = new.base
            missing, notes = missing_pages(inventory, listed, look)
    difference = difference_of(before, new, missing)
    difference.not_compared += notes
    if not difference.removed:
        return difference
    if look:
        removed = [url for url in difference.removed if url not in missing]
        there = listed.keys() - missing.keys()
        gone = list(fates(removed, there, look, site if isinstance(site, Live) else None))
        gone += (each for url, each in missing.items() if url in difference.removed)
        gone.sort(key=lambda each: each.url)
        lost = [each.url for each in gone if each.fate == "lost" and not each.to]
        found, notes = renames(lost, new.base) if lost and isinstance(site, Directory) else ({}, [])
        difference.gone = [
            Gone(each.url, "renamed", *found[each.url]) if each.url in found else each
            for each in gone
        ]
        difference.not_compared += notes
        if serving:
            rules = (
                f"a rule that hosts skip ({each.place}: {each.problem})"
                for each in unread_rules(serving)
            )
            difference.not_compared += rules
    else:
        pages = (
            "a report doesn't contain the pages"
            if new.is_report
            else f"{new.name} doesn't contain the pages"
        )
        difference.not_compared.append(f"what happened to removed pages ({pages})")
    return difference
