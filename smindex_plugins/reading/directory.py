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
from smindex_plugins.reading.found import Delivery, Found, Listing, Reached
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.reading.walking import Totals, Walk, named_by
from smindex_plugins.writing.names import ROBOTS, is_index, numbered
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

    def files(self) -> Iterator[Found]:
        """Yield every sitemap and index, including missing, external and unlisted ones.

        Raises:
            NoSitemapError: there is no sitemap in the directory, or the file is not one.
            UnknownAddressError: the URL of the directory is unknown.
            OSError: the first file can't be read.
        """
        yield from self.traverse(*self.look(), set(), Totals())

    def traverse(
        self,
        inventory: Inventory,
        groups: list[list[Listing]],
        known: set[str],
        totals: Totals,
    ) -> Iterator[Found]:
        """Yield every sitemap and index, and add its file to the known files."""
        indexes: list[str] = []
        lists = Lists()

        def read(listings: list[Listing]) -> Iterator[Reached]:
            own_host = urls.bare_host(urls.origin(inventory.base))
            for listing in listings:
                url = listing.url
                origin = urls.origin(url)
                file = ""
                if origin not in self.consents.proven(*indexes):
                    file = inventory.find(url)
                if file in known and urls.bare_host(origin) == own_host:
                    continue
                document = Document(url=url)
                is_here = file != "" and file not in known
                if is_here:
                    document = inventory.try_to_read(file)
                    known.add(file)
                is_missing = not is_here and urls.is_within(url, inventory.base)
                yield Reached(
                    document=document,
                    listing=listing,
                    delivery=Delivery(is_missing=is_missing),
                    is_elsewhere=not is_here and not is_missing,
                    proven=self.consents.proven(document.url, *indexes),
                )
                if document.kind == "sitemapindex":
                    indexes.append(document.url)
                del document  # before the next one is read, which can be as large

        yield from Walk(groups=groups, read=read, totals=totals, lists=lists).files()
        lists.begin_group()
        for document, role in inventory.unlisted(known):
            yield Found(
                document=document,
                listing=Listing(document.url),
                role=role,
                share=lists.add(document, role),
            )

    def look(self) -> tuple[Inventory, list[list[Listing]]]:
        """Return the content of the directory, and the sitemaps to start with in groups, the most
        important first.

        Raises:
            NoSitemapError: there is none.
            UnknownAddressError: the URL of the directory is unknown.
            OSError: the first file can't be read.
        """
        if os.path.isfile(self.path):
            inventory = self._only_file()
            first = [os.path.basename(self.path)]
        else:
            inventory = Inventory.take(self.path)
            inventory.base = self.site_url
            first = _usual_files(inventory, self.index_filename)
        groups = inventory.entry_points(first, self.index_filename)
        places = [candidate.place for group in groups for candidate in group]
        # only an error of the first file stops the check
        open_regular(inventory.absolute(places[0])).close()
        inventory.base = self.site_url or find_site_url(inventory, places)

        lines, missing = _named_files(inventory)
        if lines:
            files = dict.fromkeys([*first, *lines])
            groups = inventory.entry_points(files, self.index_filename, lines)

        starts = []
        reached = set()
        for group in groups:
            listings = []
            for candidate in group:
                url = inventory.url(candidate.place)
                listings.append(lines.get(candidate.place, Listing(url)))
                reached.add(url)
            starts.append(listings)
        # Whatever lists them, the lines of robots.txt are known when they are read.
        others = [listing for listing in lines.values() if listing.url not in reached]
        if missing or others:
            starts.append([*missing, *others])
        return inventory, starts

    def _only_file(self) -> Inventory:
        """Return the directory of a single sitemap or index, without its other files.

        Raises:
            NoSitemapError: it is another file.
        """
        path, name = os.path.split(self.path)
        inventory = Inventory(path=path or ".")
        if name.endswith(_SITEMAP_SUFFIXES) and name != ROBOTS:
            return inventory
        if inventory.try_to_read(name).kind not in {"urlset", "sitemapindex"}:
            problem = (
                f"{self.path}: it is not a sitemap. Pass a sitemap, an index, or the built site's"
                " directory"
            )
            raise NoSitemapError(problem)
        return inventory


def _named_files(inventory: Inventory) -> tuple[dict[str, Listing], list[Listing]]:
    """Return the sitemaps that robots.txt names, by file, and those that the site lacks."""
    there: dict[str, Listing] = {}
    missing: list[Listing] = []
    root = inventory.root_robots
    # elsewhere, crawlers do not read it
    if root is None or urls.path(inventory.base) != "/":
        return there, missing
    root.url = inventory.base + ROBOTS
    for listing in named_by(root, inventory.base):
        file = inventory.find(listing.url)
        if file:
            there.setdefault(file, listing._replace(url=inventory.url(file)))
        elif urls.is_within(listing.url, inventory.base):
            missing.append(listing)
    return there, missing


def _usual_files(inventory: Inventory, index_filename: str) -> list[str]:
    """Return the files that may list the pages: those with usual names, those in robots.txt, or the
    topmost sitemaps.

    Raises:
        NoSitemapError: there is none.
        FileNotFoundError: there is no such directory.
    """
    if not os.path.isdir(inventory.path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), inventory.path)
    sitemaps = inventory.sitemaps
    known_names = {index_filename, *INDEX_NAMES}
    usual = usual_files(os.listdir(inventory.path), index_filename)
    usual = [name for name in usual if name in known_names or is_index(inventory.absolute(name))]
    if index_filename and index_filename not in usual and not numbered(usual, index_filename):
        there = f"; there is {sitemaps[0]}" if sitemaps else ""
        message = f"{inventory.path}: there is no {index_filename} in it{there}"
        raise NoSitemapError(message)
    lines = named_by(inventory.root_robots, inventory.base)
    named = list(filter(None, [inventory.find(listing.url) for listing in lines]))
    for found in (usual, named, _first_indexes(sitemaps), _topmost(sitemaps)):
        if found:
            return found
    what = "there is no sitemap in it"
    fix = "Add the plugin and build the site again, or run `smindex build` on it"
    if not inventory.pages:
        what = "there is no sitemap in it, and no HTML"
        fix = (
            "Pass the directory of the built site, or run the command in the project that builds it"
        )
    message = f"{inventory.path}: {what}. {fix}"
    raise NoSitemapError(message)


def _first_indexes(sitemaps: list[str]) -> list[str]:
    """Return the sitemaps with a usual name in the first directory with any, the highest first."""

    def rank(file: str) -> tuple[int, int]:
        return _depth(file), INDEX_NAMES.index(os.path.basename(file))

    indexes = [file for file in sitemaps if os.path.basename(file) in INDEX_NAMES]
    indexes.sort(key=rank)
    if not indexes:
        return []
    directory = os.path.dirname(indexes[0])
    return [file for file in indexes if os.path.dirname(file) == directory]


def _topmost(sitemaps: list[str]) -> list[str]:
    highest = min(map(_depth, sitemaps), default=0)
    return [file for file in sitemaps if _depth(file) == highest]


def _depth(file: str) -> int:
    return file.count("/")


def find_site_url(inventory: Inventory, starts: list[str]) -> str:
    """Return the URL that serves a directory, from the URLs in its first files and the files that
    exist.

    Raises:
        UnknownAddressError: the URLs don't match the files.
        OSError: the first file can't be read.
    """
    first = inventory.read(starts[0])
    address = inventory.address(first)
    if address:
        return address
    children = [inventory.find(url) for entry, url in first.children if not entry.normal]
    for file in filter(None, [*children, *starts[1:]]):
        document = inventory.try_to_read(file)
        address = inventory.address(document)
        if address:
            return address
    if first.kind != "sitemapindex" and first.listed:
        return urls.origin(first.listed[0]) + "/"
    if first.listed:
        problem = "none of the sitemaps it lists is in the directory, so its address is unknown"
        message = f"{first.file}: {problem}; pass --site-url"
        raise urls.UnknownAddressError(message)
    return urls.NO_ADDRESS
