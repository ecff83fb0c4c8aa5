"""Reads a built site in a directory: its robots.txt, and its sitemaps from the first ones to all
others.
"""

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from smindex_plugins.base import urls
from smindex_plugins.base.files import open_regular
from smindex_plugins.base.text import ExplainedError
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import INDEX_NAMES, Lists, usual_files
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.reading.walking import Listing, Totals, Walk, named_by
from smindex_plugins.writing import robots
from smindex_plugins.writing.names import is_index, numbered
from smindex_plugins.writing.robots import Consents

_SITEMAP_SUFFIXES = (".xml", ".txt", ".gz")


class NoSitemapError(ExplainedError, FileNotFoundError):
    """There is no sitemap at the expected location."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A built site on disk."""

    path: str
    """The path of the directory or a file. For a file, only the file and its entries are
    checked."""
    site_url: str = ""
    """The URL that serves it. If empty, it is derived from the files."""
    index_filename: str = ""
    """The file to start with, if its name was given."""
    consents: Consents = field(default_factory=Consents)
    """The consents of other sites to be listed here."""

    def documents(self) -> Iterator[Document]:
        """Yield every sitemap and index, including missing, external and unlisted ones.

        Raises:
            NoSitemapError: there is no sitemap in the directory, or the file is not one.
            UnknownAddressError: the URL of the directory is unknown.
            OSError: the first file cannot be read.
        """
        yield from self.traverse(*self.look(), set(), Totals())

    def traverse(
        self, inventory: Inventory, groups: list[list[Listing]], known: set[str], totals: Totals
    ) -> Iterator[Document]:
        """Yield every sitemap and index, and add its file to the known files."""
        indexes: list[str] = []
        lists = Lists()

        def read(listings: list[Listing]) -> Iterator[Document]:
            for listing in listings:
                url = listing.url
                file = (
                    ""
                    if urls.origin(url) in self.consents.proven(*indexes)
                    else inventory.find(url)
                )
                if file in known and urls.bare_host(urls.origin(url)) == urls.bare_host(
                    urls.origin(inventory.base)
                ):
                    continue
                if file and file not in known:
                    document = inventory.try_to_read(file)
                    known.add(file)
                else:
                    is_here = urls.is_within(url, inventory.base)
                    document = Document(
                        url=url, is_missing=is_here, role="listed" if is_here else "elsewhere"
                    )
                listing.mark(document)
                document.proven = self.consents.proven(document.url, *indexes)
                if document.kind == "sitemapindex":
                    indexes.append(document.url)
                yield document

        yield from Walk(groups=groups, read=read, totals=totals, lists=lists).documents()
        lists.begin_group()
        for document in inventory.unlisted(known):
            lists.add(document)
            yield document

    def look(self) -> tuple[Inventory, list[list[Listing]]]:
        """Return the content of the directory, and the sitemaps to start with in groups, the most
        important first.

        Raises:
            NoSitemapError: there is none.
            UnknownAddressError: the URL of the directory is unknown.
            OSError: the first file cannot be read.
        """
        if os.path.isfile(self.path):
            path, name = os.path.split(self.path)
            inventory, first = Inventory(path=path or "."), [name]
            is_named_so = name.endswith(_SITEMAP_SUFFIXES) and name != robots.NAME
            if not is_named_so and inventory.try_to_read(name).kind not in {
                "urlset",
                "sitemapindex",
            }:
                problem = (
                    f"{self.path}: it is not a sitemap. Pass a sitemap, an index, or the built"
                    " site's directory"
                )
                raise NoSitemapError(problem)
        else:
            inventory = Inventory.take(self.path)
            inventory.base = self.site_url
            first = _usual_files(inventory, self.index_filename)
        groups = inventory.entry_points(first, self.index_filename)
        # only an error of the first file stops the check
        open_regular(inventory.absolute(groups[0][0].place)).close()
        files = [each.place for group in groups for each in group]
        inventory.base = base = self.site_url or find_site_url(inventory, files)
        lines: dict[str, Listing] = {}
        missing: list[Listing] = []
        # elsewhere, crawlers do not read it
        if (root := inventory.root_robots) and urls.path(base) == "/":
            root.url = base + robots.NAME
            for listing in named_by(root, base):
                if file := inventory.find(listing.url):
                    lines.setdefault(file, listing._replace(url=inventory.url(file)))
                elif urls.is_within(listing.url, base):
                    missing.append(listing)
            groups = inventory.entry_points(
                [*dict.fromkeys([*first, *lines])], self.index_filename, lines
            )
        starts = [
            [lines.get(each.place) or Listing(inventory.url(each.place)) for each in group]
            for group in groups
        ]
        reached = {listing.url for group in starts for listing in group}
        # Whatever lists them, the lines of robots.txt are known when they are read.
        starts.append(
            [*missing, *(listing for listing in lines.values() if listing.url not in reached)]
        )
        return inventory, [group for group in starts if group]


def _usual_files(inventory: Inventory, index_filename: str) -> list[str]:
    """Return the files that may list the pages: those with usual names, those in robots.txt, or the
    topmost sitemaps.

    Raises:
        NoSitemapError: there is none.
        FileNotFoundError: there is no such directory.
    """
    if not os.path.isdir(inventory.path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), inventory.path)
    names, sitemaps = os.listdir(inventory.path), inventory.sitemaps
    usual = usual_files(names, index_filename)
    known_names = {index_filename, *INDEX_NAMES}
    usual = [name for name in usual if name in known_names or is_index(inventory.absolute(name))]
    if index_filename and index_filename not in usual and not numbered(usual, index_filename):
        there = f"; there is {sitemaps[0]}" if sitemaps else ""
        message = f"{inventory.path}: there is no {index_filename} in it{there}"
        raise NoSitemapError(message)
    named = [
        inventory.find(listing.url) for listing in named_by(inventory.root_robots, inventory.base)
    ]
    deeper = [file for file in sitemaps if os.path.basename(file) in INDEX_NAMES]
    deeper.sort(key=lambda file: (file.count("/"), INDEX_NAMES.index(os.path.basename(file))))
    beside = [file for file in deeper if os.path.dirname(file) == os.path.dirname(deeper[0])]
    highest = min((file.count("/") for file in sitemaps), default=0)
    topmost = [file for file in sitemaps if file.count("/") == highest]
    if found := usual or list(filter(None, named)) or beside or topmost:
        return found
    fix = "Add the plugin and build the site again, or run `smindex build` on it"
    if not inventory.pages:
        fix = (
            "Pass the directory of the built site, or run the command in the project that builds it"
        )
    what = "there is no sitemap in it" + ("" if inventory.pages else ", and no HTML")
    message = f"{inventory.path}: {what}. {fix}"
    raise NoSitemapError(message)


def find_site_url(inventory: Inventory, starts: list[str]) -> str:
    """Return the URL that serves a directory, from the URLs in its first files and the files that
    exist.

    Raises:
        UnknownAddressError: the URLs don't match the files.
        OSError: the first file cannot be read.
    """
    first = inventory.read(starts[0])
    if address := inventory.address(first):
        return address
    relative = [url for entry, url in first.children if not entry.normal]
    for file in filter(None, [*map(inventory.find, relative), *starts[1:]]):
        if address := inventory.address(inventory.try_to_read(file)):
            return address
    if first.kind != "sitemapindex" and first.listed:
        return urls.origin(first.listed[0]) + "/"
    if first.listed:
        problem = "none of the sitemaps it lists is in the directory, so its address is unknown"
        message = f"{first.file}: {problem}; pass --site-url"
        raise urls.UnknownAddressError(message)
    return urls.NO_ADDRESS
