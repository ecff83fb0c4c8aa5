"""Reads a built site in a directory: its robots.txt, and its sitemaps from the first ones to all others."""

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from smindex_plugins.base import urls
from smindex_plugins.base.files import open_regular
from smindex_plugins.base.text import ExplainedError
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import INDEX_NAMES, index_files
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.reading.walking import Listing, Totals, named_by, walk
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
    """The path of the directory or a file. For a file, only the file and its entries are checked."""
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
        yield from self.traverse(*self.look(), set())

    def traverse(self, inventory: Inventory, starts: list[Listing], known: set[str]) -> Iterator[Document]:
        """Yield every sitemap and index, and add its file to the known files."""
        indexes: list[str] = []

        def read(listings: list[Listing]) -> Iterator[Document]:
            for url, by, lastmod in listings:
                file = "" if urls.origin(url) in self.consents.proven(*indexes) else inventory.find(url)
                if file in known:
                    continue
                if file:
                    document = inventory.try_to_read(file)
                    known.add(file)
                else:
                    is_here = urls.is_within(url, inventory.base)
                    document = Document(url=url, is_missing=is_here, role="listed" if is_here else "elsewhere")
                document.listed_by, document.lastmod = by, lastmod
                document.proven = self.consents.proven(document.url, *indexes)
                if document.kind == "sitemapindex":
                    indexes.append(document.url)
                yield document

        yield from walk(starts, read, Totals())
        yield from inventory.unlisted(known)

    def look(self) -> tuple[Inventory, list[Listing]]:
        """Return the content of the directory, and the sitemaps to start with.

        Raises:
            NoSitemapError: there is none.
            UnknownAddressError: the URL of the directory is unknown.
            OSError: the first file cannot be read.
        """
        if os.path.isfile(self.path):
            path, name = os.path.split(self.path)
            inventory, first = Inventory(path=path or "."), [name]
            is_named_so = name.endswith(_SITEMAP_SUFFIXES) and name != robots.NAME
            if not is_named_so and inventory.try_to_read(name).kind not in {"urlset", "sitemapindex"}:
                problem = f"{self.path}: it is not a sitemap. Pass a sitemap, an index, or the built site's directory"
                raise NoSitemapError(problem)
        else:
            inventory = Inventory.take(self.path)
            inventory.base = self.site_url
            first = _first_files(inventory, self.index_filename)
        open_regular(inventory.absolute(first[0])).close()  # only an error of the first file stops the check
        inventory.base = base = self.site_url or find_site_url(inventory, first[0])
        starts = [Listing(inventory.url(file)) for file in first]
        if (root := inventory.root_robots) and urls.path(base) == "/":  # elsewhere, crawlers do not read it
            root.url = base + robots.NAME
            named = named_by(root, base)
            starts += [each for each in named if urls.is_within(each.url, base) or inventory.find(each.url)]
        return inventory, starts


def _first_files(inventory: Inventory, index_filename: str) -> list[str]:
    """Return the files to start with: the index, the files that robots.txt lists, or the topmost sitemaps.

    Raises:
        NoSitemapError: there is none.
        FileNotFoundError: there is no such directory.
    """
    if not os.path.isdir(inventory.path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), inventory.path)
    if index_filename and os.path.lexists(inventory.absolute(index_filename)):
        return [index_filename]
    names, sitemaps = os.listdir(inventory.path), inventory.sitemaps
    usual = numbered(names, index_filename) if index_filename else index_files(names)
    usual = [name for name in usual if name in INDEX_NAMES or is_index(inventory.absolute(name))]
    if index_filename and not usual:
        there = f"; there is {sitemaps[0]}" if sitemaps else ""
        message = f"{inventory.path}: there is no {index_filename} in it{there}"
        raise NoSitemapError(message)
    named = [inventory.find(listing.url) for listing in named_by(inventory.root_robots, inventory.base)]
    deeper = [file for file in sitemaps if os.path.basename(file) in INDEX_NAMES]
    deeper.sort(key=lambda file: (file.count("/"), INDEX_NAMES.index(os.path.basename(file))))
    highest = min((file.count("/") for file in sitemaps), default=0)
    topmost = [file for file in sitemaps if file.count("/") == highest]
    if found := usual or list(filter(None, named)) or deeper[:1] or topmost:
        return found
    fix = "Add the plugin and build the site again, or run `smindex build` on it"
    if not inventory.pages:
        fix = "Pass the directory of the built site, or run the command in the project that builds it"
    what = "there is no sitemap in it" + ("" if inventory.pages else ", and no HTML")
    message = f"{inventory.path}: {what}. {fix}"
    raise NoSitemapError(message)


def find_site_url(inventory: Inventory, start: str) -> str:
    """Return the URL that serves a directory, from the URLs in its first file and the files that exist.

    Raises:
        UnknownAddressError: the URLs don't match the files.
        OSError: the file cannot be read.
    """
    document = inventory.read(start)
    if address := inventory.address(document):
        return address
    if document.kind != "sitemapindex" and document.listed:
        return urls.origin(document.listed[0]) + "/"
    if document.listed:
        problem = "none of the sitemaps it lists is in the directory, so its address is unknown"
        message = f"{document.file}: {problem}; pass --site-url"
        raise urls.UnknownAddressError(message)
    return urls.NO_ADDRESS
