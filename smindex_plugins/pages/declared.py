"""A rendered file as a page, at the URL that its host declares for it."""

import os
from dataclasses import replace
from typing import Protocol

from smindex_plugins import urls
from smindex_plugins.model import Details, Page
from smindex_plugins.pages.strays import HTML


class Place(Protocol):
    """Where a site is: its normalised URL, with its slash, and its directory."""

    site_url: str
    directory: str


def declared_page(site: Place, name: str, declared: str | None, sources: tuple[str, ...], details: Details) -> Page:
    """Return a file, by its path in the directory, as a page at the URL declared for it, or else at its own."""
    own = _join(site, urls.from_file_path(name))
    url = _join(site, declared) if declared else own
    bare = own[: own.rindex(".")] if own.endswith(HTML) else own
    details = replace(details, mapped=url not in {own, own.rstrip("/"), bare, bare + "/"})
    return Page(url=url, file=os.path.join(site.directory, name), sources=sources, details=details)


def _join(site: Place, declared: str) -> str:
    """Join a URL to the site's as themes do, without the file name that servers add."""
    joined = site.site_url + declared.lstrip("/")
    url = urls.normalise(joined)
    return url.removesuffix("index.html") if url.endswith("/index.html") else url
