"""Compares two versions of a site by their sitemaps."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.difference import Difference, Gone
from smindex_plugins.base.hosting import read_serving
from smindex_plugins.base.serving import Serving
from smindex_plugins.base.text import ExplainedError
from smindex_plugins.compare._fates import Step, fates, in_directory, on_server
from smindex_plugins.compare._missing import missing_pages
from smindex_plugins.compare.comparing import difference_of
from smindex_plugins.compare.version import SiteVersion, read_old_version, read_version
from smindex_plugins.pages.host import unread_rules
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.entries import Pages
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

    If the old version is a live site that has no sitemap yet, every page is new, and
    ``first_deployment`` of the result is the reason.

    Raises:
        FileNotFoundError: there is no such directory, or no sitemap in it.
        OSError: a sitemap can't be read completely, or the live site does not respond.
        ValueError: a URL is invalid, a file is not a report, or the URL of the directory is
            unknown.
    """
    before = read_old_version(old, site_url=site_url, fetcher=fetcher, tell=tell)
    if isinstance(new, str):
        new = read_version(new, site_url=site_url, fetcher=fetcher, tell=tell)
    if before.why_none:
        _refuse_other_site(before, new)
    listed = new.pages(before.elsewhere | new.elsewhere)
    asked = _ask(new, listed, why)
    difference = difference_of(before, new, asked.missing)
    difference.not_compared += asked.notes
    if difference.removed:
        _trace_removed(difference, new, listed, asked, renames)
    return difference


def _refuse_other_site(before: SiteVersion, new: SiteVersion) -> None:
    """Refuse a first deployment if the new version has a different address, where an earlier one
    can be.

    Raises:
        ExplainedError: its address is another one.
    """
    address = urls.normalise(before.name).rstrip("/")
    if new.base and address != new.base.rstrip("/"):
        problem = f"it has no sitemap, and the address of {new.name} is another one, {new.base}"
        message = f"{before.name}: {problem}. Pass that address"
        raise ExplainedError(message)


class _Asked(NamedTuple):
    """What the new version says about URLs."""

    look: Callable[[str], Step] | None = None
    """Looks up one URL. None if only the sitemaps are known."""
    missing: Mapping[str, Gone] = {}
    """Listed pages that are not there, by URL."""
    notes: Sequence[str] = ()
    serving: Serving | None = None
    """How the host of a directory answers."""


def _ask(new: SiteVersion, listed: Pages, why: Callable[[str, str], str]) -> _Asked:
    """Return how to look up URLs of the new version, and the listed pages that it lacks."""
    site = new.site
    if isinstance(site, Live):
        return _Asked(on_server(site, listed))
    if not isinstance(site, Directory):
        return _Asked()
    path = site.path
    if os.path.isfile(path):
        path = os.path.dirname(path) or "."
    serving = read_serving(path, new.base)
    look = in_directory(path, new.base, listed, serving, why)
    if look is None:
        return _Asked(serving=serving)
    inventory = new.inventory
    if inventory is None or not inventory.pages:
        inventory = Inventory.take(path)
    inventory.base = new.base
    missing, notes = missing_pages(inventory, listed, look)
    return _Asked(look, missing, notes, serving)


def _trace_removed(
    difference: Difference, new: SiteVersion, listed: Pages, asked: _Asked, renames: Renames
) -> None:
    """Set what happened to the removed pages of a difference, or note that it is not known."""
    if asked.look is None:
        name = "a report" if new.is_report else new.name
        pages = f"{name} doesn't contain the pages"
        difference.not_compared.append(f"what happened to removed pages ({pages})")
        return
    live = new.site if isinstance(new.site, Live) else None
    removed = [url for url in difference.removed if url not in asked.missing]
    there = listed.keys() - asked.missing.keys()
    gone = list(fates(removed, there, asked.look, live))
    for url, fate in asked.missing.items():
        if url in difference.removed:
            gone.append(fate)
    gone.sort(key=lambda each: each.url)

    lost = [each.url for each in gone if each.fate == "lost" and not each.to]
    if lost and isinstance(new.site, Directory):
        found, notes = renames(lost, new.base)
        gone = [_renamed(each, found) for each in gone]
        difference.not_compared += notes
    difference.gone = gone
    if asked.serving:
        for each in unread_rules(asked.serving):
            rule = f"a rule that hosts skip ({each.place}: {each.problem})"
            difference.not_compared.append(rule)


def _renamed(gone: Gone, found: Mapping[str, tuple[str, str]]) -> Gone:
    """Return the fate of a URL whose page may have been renamed."""
    if gone.url not in found:
        return gone
    to, why = found[gone.url]
    return Gone(gone.url, "renamed", to, why)
