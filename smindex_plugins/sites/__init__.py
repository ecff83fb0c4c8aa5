"""Checks a whole site, on disk or on the web."""

import os
from collections.abc import Iterator

from smindex_plugins import addresses, urls
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages import Omission, judge
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps import is_url
from smindex_plugins.sites.audit import Audit, Totals
from smindex_plugins.sites.directory import Directory, Intent, NoSitemapError
from smindex_plugins.sites.inventory import Inventory
from smindex_plugins.sites.live import Live, UnreachableError
from smindex_plugins.sites.sources import LANGUAGE, Sources, candidates, names
from smindex_plugins.sites.versions import MOST_VERSIONS, VERSIONS_FILE, Version, Versions, read_versions
from smindex_plugins.sites.walking import PartlyReadError

__all__ = [
    "LANGUAGE",
    "MOST_VERSIONS",
    "VERSIONS_FILE",
    "Audit",
    "Directory",
    "Intent",
    "Inventory",
    "Live",
    "NoSitemapError",
    "PartlyReadError",
    "Sources",
    "Totals",
    "UnreachableError",
    "Version",
    "Versions",
    "candidates",
    "check",
    "names",
    "read_versions",
]


def check(target: str, *, site_url: str = "", settings: Settings | None = None) -> Iterator[Finding]:
    """Return the problems of a site's sitemaps, robots.txt and pages.

    The target is a built directory, one sitemap or index in it, or the http(s) URL of a live site, a sitemap or an
    index. The pages of a live site are not fetched. ``site_url`` is the http(s) URL that serves the directory; by
    default, it is derived from the files. ``settings`` are the options with which `publish` wrote the sitemaps of a
    directory. With them, unlisted pages without a reason are reported too. Nothing is written.

    Raises:
        FileNotFoundError: there is no such directory, or as a `NoSitemapError` no sitemap in it.
        OSError: a file cannot be read, or as an `UnreachableError` the live site does not respond.
        ValueError: a URL is invalid, or the URL of the directory is unknown.
    """
    if is_url(target):
        return Live(url=urls.normalise(target)).findings(Audit())

    def why(file: str, base: str) -> str:
        page = Page(url=base + urls.page_path(file), file=os.path.join(target, file), source_name=file, kind="copied")
        site = Site(url=base, directory=target, settings=settings or Settings())
        judged = judge(page, site, frozenset(), [])
        return judged.why if isinstance(judged, Omission) else ""

    intent = Intent(why=why, settings_file="Settings") if settings else None
    return Directory(path=target, site_url=site_url and addresses.site_url(site_url), intent=intent).findings(Audit())
