"""The public function `check`."""

from collections.abc import Iterator

from smindex_plugins.base import addresses, urls
from smindex_plugins.base.model import Finding
from smindex_plugins.base.urls import is_url
from smindex_plugins.checks.applying import DirectoryCheck, LiveCheck
from smindex_plugins.checks.audit import Audit
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.live import Live
from smindex_plugins.record.find import find_record


def check(target: str, *, site_url: str = "") -> Iterator[Finding]:
    """Return the problems of a site's sitemaps, robots.txt and pages.

    The target is a built directory, one sitemap or index in it, or the http(s) URL of a live site,
    a sitemap or an index. The pages of a live site are not fetched. ``site_url`` is the http(s) URL
    that serves the directory; by default, it is derived from the files. If `publish` recorded the
    build of a directory, unlisted pages without a reason are reported too. Nothing is written.

    Raises:
        FileNotFoundError: there is no such directory, or as a `NoSitemapError` no sitemap in it.
        OSError: a file can't be read, or as an `UnreachableError` the live site does not respond.
        ValueError: a URL is invalid, or the URL of the directory is unknown.
    """
    audit = Audit()
    if is_url(target):
        live = Live(url=urls.normalise(target))
        return LiveCheck(live=live).findings(audit)
    address = addresses.site_url(site_url) if site_url else ""
    directory = Directory(path=target, site_url=address)
    record = find_record(target)
    return DirectoryCheck(directory=directory, record=record).findings(audit)
