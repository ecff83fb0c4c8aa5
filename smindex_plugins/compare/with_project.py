"""Compares two versions of a site with what its project reveals about removed pages."""

import os
from collections.abc import Callable
from functools import partial

from smindex_plugins.base.difference import Difference
from smindex_plugins.base.text import WrongOptionsError
from smindex_plugins.base.urls import is_url
from smindex_plugins.compare.diff import diff
from smindex_plugins.compare.version import SiteVersion
from smindex_plugins.projects.find import find_site
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.projects.renames import renames
from smindex_plugins.reading.web import Fetcher
from smindex_plugins.record.find import Record, find_record


def diff_with_project(
    old: str,
    new: str | SiteVersion,
    *,
    site: BuiltSite | None = None,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Difference:
    """Return the differences between two versions of a site, with what its project reveals about
    removed pages.

    ``site`` is the new version with its project. By default, the project of the directory or file
    is used.

    Raises:
        OSError: a sitemap can't be read completely, or the live site does not respond.
        ValueError: a URL is invalid, a file is not a report, or the URL of a directory is unknown.
    """
    path = new if isinstance(new, str) else new.name
    problem = ""
    is_built_here = not is_url(path) and not path.endswith(".json")
    if site is None and is_built_here:
        directory = path
        if os.path.isfile(path):
            directory = os.path.dirname(path) or "."
        try:
            site = find_site(directory, site_url=site_url or None)
        except WrongOptionsError as error:
            problem = str(error).replace("\n", " ")
    run = partial(diff, old, new, site_url=site_url, fetcher=fetcher, tell=tell)
    if site:
        record = find_record(site.directory, site.project)
        difference = run(why=partial(_why, record), renames=partial(renames, site, record))
    else:
        difference = run()
    if problem and difference.removed:
        what = f"information about removed pages from the project ({problem})"
        difference.not_compared.append(what)
    return difference


def _why(record: Record | None, file: str, _: str) -> str:
    """Return why the build omitted a rendered file, or an empty string."""
    if record is None:
        return ""
    fact = record.by_file.get(file)
    if fact is None or fact.omission is None:
        return ""
    return fact.omission.why
