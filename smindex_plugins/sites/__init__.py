"""A whole site as it is found, on disk or on the web, handed to the checks."""

from collections.abc import Iterator

from smindex_plugins import addresses, urls
from smindex_plugins.model import Finding
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import is_url
from smindex_plugins.sites.audit import Audit, Totals
from smindex_plugins.sites.beginning import UnreachableError
from smindex_plugins.sites.directory import Directory, NoSitemapError
from smindex_plugins.sites.live import Live
from smindex_plugins.sites.partly import PartlyReadError
from smindex_plugins.sites.served import Intent
from smindex_plugins.sites.sources import Sources, candidates, names
from smindex_plugins.sites.told import Told
from smindex_plugins.sites.versions import MOST_VERSIONS, VERSIONS_FILE, Version, Versions, read_versions

__all__ = [
    "MOST_VERSIONS",
    "VERSIONS_FILE",
    "Audit",
    "Directory",
    "Intent",
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
    """Return what is wrong with a site's sitemaps, its robots.txt and its pages, as it is found.

    The target is a directory as it is uploaded, one sitemap or index in it, or the http(s) URL of a site, a sitemap or
    an index on the web; of a live site the pages are not fetched. ``site_url`` is the http(s) URL that serves the
    directory, which the files themselves tell where it is not given. ``settings`` are the options with which `publish`
    wrote the sitemaps of a directory: with them, pages that are in no sitemap for no reason are found there too. All
    checks are made but those that find what is true of many good sites, and nothing is written.

    Raises:
        FileNotFoundError: there is no such directory, or as a `NoSitemapError` no sitemap in it.
        OSError: a file cannot be read, or as an `UnreachableError` the site on the web cannot be asked.
        ValueError: a URL is none, or nothing tells which URL serves the directory.
    """
    if is_url(target):
        return Live(url=urls.normalise(target)).findings(Audit())
    intent = Told(target, settings) if settings else None
    return Directory(path=target, site_url=site_url and addresses.site_url(site_url), intent=intent).findings(Audit())
