"""The sitemap that the generator itself wrote: evidence of the site's address and its URLs."""

import os
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from smindex_plugins.base import addresses, urls
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import usual_files
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.writing import robots
from smindex_plugins.writing.names import ROBOTS

_ENDS = (".html", "/")
"""The ends of paths that the URLs of a site can omit."""


@dataclass(frozen=True, kw_only=True)
class OwnSitemap:
    """The sitemap of a generator in its output.

    A file that this package wrote is not evidence of anything.
    """

    directory: str
    _by_address: dict[str, Mapping[str, str]] = field(
        default_factory=dict, init=False, compare=False
    )
    _ends_by_address: dict[str, Collection[str]] = field(
        default_factory=dict, init=False, compare=False
    )

    def url(self, file: str, site_url: str) -> str:
        """Return the URL of a file: its listed URL, or a URL in the style of most listed URLs."""
        listed = self.listed(site_url)
        if file in listed:
            return listed[file]
        path = urls.page_path(file)
        end = _end(path)
        if end in self._omitted_ends(site_url):
            path = path.removesuffix(end)
        return site_url + path

    def _omitted_ends(self, site_url: str) -> Collection[str]:
        """Return the ends of paths that most listed URLs omit, found once for all files."""
        if site_url not in self._ends_by_address:
            self._ends_by_address[site_url] = _rarely_listed(self.listed(site_url))
        return self._ends_by_address[site_url]

    def listed(self, site_url: str) -> Mapping[str, str]:
        """Return the files of the pages that it lists below an address, each with its only URL."""
        if site_url not in self._by_address:
            self._by_address[site_url] = self._files_at(site_url) if site_url else {}
        return self._by_address[site_url]

    def _files_at(self, site_url: str) -> Mapping[str, str]:
        found: dict[str, set[str]] = {}
        _, listed = self._read
        for url in listed:
            if "?" in url or not urls.is_within(url, site_url):
                continue
            file = urls.find_file(self.directory, site_url, url, urls.answering_files)
            if file:
                found.setdefault(file, set()).add(url)
        return {file: alike.pop() for file, alike in found.items() if len(alike) == 1}

    def note(self, site_url: str) -> str:
        """Return a note about the style of its URLs, or an empty string for the usual style."""
        for file, url in self.listed(site_url).items():
            if url != site_url + urls.page_path(file):
                document, _ = self._read
                return f"as in {document.where}, such as {url} (`clean_urls` can decide instead)"
        return ""

    @cached_property
    def address(self) -> tuple[str, str]:
        """The address of the site, and the file that gives it, or empty strings."""
        document, listed = self._read
        origins = set(map(urls.origin, listed))
        if len(origins) > 1 or any(map(addresses.who_reaches, origins)):
            return "", ""
        address = self._inventory.address(document)
        if address:
            return address, document.where
        directories = set(map(urls.directory, self._in_robots))
        roots = [url for url in directories if urls.path(url) == "/"]
        if len(roots) != 1:
            return "", ""
        return roots[0], ROBOTS

    @property
    def hosts(self) -> str:
        """The hosts of the URLs that it lists, as a sentence after another, or an empty string."""
        document, listed = self._read
        if not listed:
            return ""
        origins = sorted(set(map(urls.origin, listed)))
        hosts = " and ".join(origins)
        return f" {document.where} lists URLs of {hosts}."

    @cached_property
    def _in_robots(self) -> list[str]:
        """The URLs in the `Sitemap:` lines of robots.txt."""
        file = os.path.join(self.directory, ROBOTS)
        with suppress(OSError):
            named = robots.read(file).named()
            return sorted(named - {""})
        return []

    @property
    def _inventory(self) -> Inventory:
        return Inventory(path=self.directory)

    @cached_property
    def _read(self) -> tuple[Document, list[str]]:
        """The first entry point of the generator that lists something, and all listed pages."""
        inventory = self._inventory
        named = [file for file in map(inventory.find, self._in_robots) if file]
        with suppress(OSError):
            named += usual_files(os.listdir(self.directory))
        first = Document(url="", where="")
        all_listed: dict[str, None] = {}
        groups = inventory.entry_points(dict.fromkeys(named))
        for entry_point in chain.from_iterable(groups):
            document = inventory.try_to_read(entry_point.place)
            if document.is_ours:
                continue
            documents = [document]
            if document.kind == "sitemapindex":
                documents = []
                for _, url in document.children:
                    child = inventory.find(url)
                    if child:
                        documents.append(inventory.try_to_read(child))
            is_ours = any(each.is_ours for each in documents)
            listed: list[str] = []
            for each in documents:
                if each.kind in {"urlset", "text"}:
                    listed += each.listed
            if is_ours or not listed:
                continue
            if not all_listed:
                first = document
            all_listed |= dict.fromkeys(listed)
        return first, list(all_listed)


def _rarely_listed(listed: Mapping[str, str]) -> Collection[str]:
    """Return the ends of the paths of listed files that most of their URLs omit."""
    files: Counter[str] = Counter()
    with_end: Counter[str] = Counter()
    for file, url in listed.items():
        end = _end(urls.page_path(file))
        files[end] += 1
        with_end[end] += url.endswith(end)
    return {end for end, count in files.items() if with_end[end] * 2 < count}


def _end(path: str) -> str:
    """Return the end of a path that its URL can omit, or an empty string."""
    for end in _ENDS:
        if path.endswith(end):
            return end
    return ""
