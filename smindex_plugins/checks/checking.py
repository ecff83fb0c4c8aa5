"""The public function `check`."""

import os
from collections.abc import Iterator

from smindex_plugins.base import addresses, urls
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.base.urls import is_url
from smindex_plugins.checks.applying import DirectoryCheck, Intent, LiveCheck
from smindex_plugins.checks.audit import Audit
from smindex_plugins.pages.membership import judge
from smindex_plugins.pages.omissions import Omission
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.live import Live


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
        return LiveCheck(live=Live(url=urls.normalise(target))).findings(Audit())

    def why(file: str, base: str) -> str:
        page = Page(url=base + urls.page_path(file), file=os.path.join(target, file), source_name=file, kind="copied")
        site = Site(url=base, directory=target, settings=settings or Settings())
        judged = judge(page, site, frozenset(), [])
        return judged.why if isinstance(judged, Omission) else ""

    intent = Intent(why=why, settings_file="Settings") if settings else None
    directory = Directory(path=target, site_url=site_url and addresses.site_url(site_url))
    return DirectoryCheck(directory=directory, intent=intent).findings(Audit())
