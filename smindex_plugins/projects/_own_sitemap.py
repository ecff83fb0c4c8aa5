"""The sitemap that the generator itself wrote into its output: evidence of the site's address and
of its URLs.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from smindex_plugins.base import addresses, urls
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import usual_files
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.writing import robots


@dataclass(frozen=True, kw_only=True)
class OwnSitemap:
    """The sitemap of a generator in its output.

    A file that this package wrote is not evidence of anything.
    """

    directory: str
    _by_address: dict[str, Mapping[str, str]] = field(
        default_factory=dict, init=False, compare=False
    )

    def url(self, file: str, site_url: str) -> str:
        """Return the URL of a file: its listed URL, or a URL in the style of most listed URLs."""
        path, listed = urls.page_path(file), self.listed(site_url)
        if file in listed or not listed:
            return listed.get(file, site_url + path)
        end = ".html" if path.endswith(".html") else "/"
        alike = [(each, url) for each, url in listed.items() if urls.page_path(each).endswith(end)]
        with_end = sum(url.endswith(end) for _, url in alike)
        return site_url + (path if with_end * 2 >= len(alike) else path.removesuffix(end))

    def listed(self, site_url: str) -> Mapping[str, str]:
        """Return the files of the pages that it lists below an address, each with its URL, if that
        is a single one.
        """
        if site_url not in self._by_address:
            found: dict[str, set[str]] = {}
            for url in self._read[1] if site_url else ():
                is_here = urls.is_within(url, site_url) and "?" not in url
                file = (
                    urls.find_file(self.directory, site_url, url, urls.answering_files)
                    if is_here
                    else None
                )
                if file:
                    found.setdefault(file, set()).add(url)
            self._by_address[site_url] = {
                file: each.pop() for file, each in found.items() if len(each) == 1
            }
        return self._by_address[site_url]

    def note(self, site_url: str) -> str:
        """Return a note about the style of its URLs for the user, or an empty string for the usual
        style.
        """
        pages = self.listed(site_url).items()
        other = next((url for file, url in pages if url != site_url + urls.page_path(file)), "")
        return (
            other
            and f"as in {self._read[0].where}, such as {other} (`clean_urls` can decide instead)"
        )

    @cached_property
    def address(self) -> tuple[str, str]:
        """The address of the site, and the file that gives it, or empty strings."""
        document, listed = self._read
        origins = set(map(urls.origin, listed))
        if len(origins) > 1 or any(map(addresses.who_reaches, origins)):
            return "", ""
        if address := self._inventory.address(document):
            return address, document.where
        roots = {url for url in map(urls.directory, self._in_robots) if urls.path(url) == "/"}
        return (roots.pop(), robots.NAME) if len(roots) == 1 else ("", "")

    @property
    def hosts(self) -> str:
        """The hosts of the URLs that it lists, as a sentence after another, or an empty string."""
        document, listed = self._read
        return (
            f" {document.where} lists URLs of"
            f" {' and '.join(sorted(set(map(urls.origin, listed))))}."
            if listed
            else ""
        )

    @cached_property
    def _in_robots(self) -> list[str]:
        """The URLs in the `Sitemap:` lines of robots.txt."""
        with suppress(OSError):
            return sorted(robots.read(os.path.join(self.directory, robots.NAME)).named() - {""})
        return []

    @property
    def _inventory(self) -> Inventory:
        return Inventory(path=self.directory)

    @cached_property
    def _read(self) -> tuple[Document, list[str]]:
        """The first entry point of the generator that lists something, and the pages that all of
        them list.
        """
        inventory = self._inventory
        named = list(filter(None, map(inventory.find, self._in_robots)))
        with suppress(OSError):
            named += usual_files(os.listdir(self.directory))
        first = Document(url="", where="")
        all_listed: list[str] = []
        for file in (
            each.place for group in inventory.entry_points(dict.fromkeys(named)) for each in group
        ):
            document = inventory.try_to_read(file)
            documents = [document]
            if document.kind == "sitemapindex":
                children = (inventory.find(url) for _, url in document.children)
                documents = [inventory.try_to_read(child) for child in children if child]
            listed = [
                url for each in documents if each.kind in {"urlset", "text"} for url in each.listed
            ]
            if listed and not document.is_ours and not any(each.is_ours for each in documents):
                first = first if all_listed else document
                all_listed += listed
        return first, list(dict.fromkeys(all_listed))
