"""Checks a built site in a directory: its robots.txt, sitemaps and pages."""

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from smindex_plugins import urls
from smindex_plugins.files import open_regular
from smindex_plugins.history import History
from smindex_plugins.model import Finding, Spot
from smindex_plugins.pages import Reason
from smindex_plugins.serving import Serving
from smindex_plugins.sitemaps import INDEX_NAMES, Consents, Document, index_files, is_index, numbered, robots
from smindex_plugins.sites.audit import Audit, Totals
from smindex_plugins.sites.inventory import Inventory
from smindex_plugins.sites.links import Links
from smindex_plugins.sites.pages import Pages
from smindex_plugins.sites.sources import Sources
from smindex_plugins.sites.walking import Listing, named_by, walk
from smindex_plugins.text import ExplainedError

_SITEMAP_SUFFIXES = (".xml", ".txt", ".gz")


class NoSitemapError(ExplainedError, FileNotFoundError):
    """There is no sitemap at the expected location."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """The pages that a site's settings omit on purpose."""

    why: Callable[[str, str], str]
    """Returns why a file is omitted from the directory with a URL, as text, or an empty string."""
    settings_file: str = ""
    """The file with the settings. Empty if none was found."""
    problem: str = ""
    """Why it cannot be read."""
    has_filter: bool = False
    """Whether a user's function filters pages too. A check doesn't call it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A built site on disk."""

    path: str
    """The path of the directory or a file. For a file, only the file and its entries are checked."""
    site_url: str = ""
    """The URL that serves it. If empty, it is derived from the files."""
    index_filename: str = ""
    """The file to start with, if its name was given."""
    sources: Sources | None = None
    """A git work tree with the pages' sources, to compare dates with their history."""
    consents: Consents = field(default_factory=Consents)
    """The consents of other sites to be listed here."""
    with_links: bool = False
    """Whether the links of listed pages are read."""
    intent: Intent | None = None
    """The pages that its settings omit, if they are known."""
    serving: Serving | None = None
    """The rules of its host, if they were already read."""

    def findings(self, audit: Audit) -> Iterator[Finding]:
        """Yield all problems.

        Raises:
            NoSitemapError: there is no sitemap in the directory, or the file is not one.
            UnknownAddressError: the URL of the directory is unknown.
            OSError: the first file cannot be read.
        """
        inventory, starts = self._look()
        totals, site = audit.totals, audit.site
        if not os.path.isfile(self.path):
            totals.unseen += inventory.unseen()
        for found in inventory.robots:
            yield from audit.selection.judge(found)
        site.robots = next((found for found in inventory.robots if found.url), None)

        serving = self.serving or Serving.read(inventory.path)
        yield from audit.selection.wanted(serving.findings)
        links = Links(inventory=inventory) if self.with_links else None
        pages = Pages(inventory=inventory, serving=serving, audit=audit, sources=self.sources, links=links)
        known: set[str] = set()
        for document in self._documents(inventory, starts, known):
            is_listed = document.role == "listed" and document.kind != ""
            document.robots = site.robots if is_listed else None
            yield from audit.judge(document)
            if is_listed and document.kind != "sitemapindex" and inventory.pages:
                yield from pages.judge(document)
        unlisted = pages.compare()
        for page in pages.lacking.values():
            yield from audit.selection.judge(page)

        site.closed = {Spot(place, inventory.absolute(place)): why for place, why in inventory.closed.items()}
        self._explain(unlisted, known, inventory, audit)
        if self.sources:
            totals.dates, totals.uncompared = self.sources.compared, self.sources.uncompared
            site.uncompared = self.sources.uncompared
            site.sources = self.sources.directory if self.sources.is_no_help() else ""
        if links:
            links.follow()
            site.orphans, site.linked, totals.links = links.orphans(), links.linked, links.count
            totals.unseen += links.unseen()
            if site.has_filter:
                why = "`filter` may have omitted them, and a check doesn't call it"
                totals.unseen.append(f"linked pages that are not listed ({why})")
        directory = self.sources.directory if self.sources else inventory.path
        site.commit_times = partial(History().commit_times, os.path.abspath(directory))
        inventory.pages.clear()  # to free memory for the comparison of all URLs
        yield from audit.finish(starts[0].url, self.consents)

    def documents(self) -> Iterator[Document]:
        """Yield every sitemap and index, including missing, external and unlisted ones.

        Raises:
            NoSitemapError: there is no sitemap in the directory, or the file is not one.
            UnknownAddressError: the URL of the directory is unknown.
            OSError: the first file cannot be read.
        """
        yield from self._documents(*self._look(), set())

    def _documents(self, inventory: Inventory, starts: list[Listing], known: set[str]) -> Iterator[Document]:
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

    def _explain(self, unlisted: dict[str, str], known: set[str], inventory: Inventory, audit: Audit) -> None:
        """Record why pages are unlisted: because of the page, or the settings that wrote the sitemaps."""
        site = audit.site
        intent = self.intent if site.is_ours else None
        if intent:
            site.settings_file, site.settings_problem = intent.settings_file, intent.problem
            site.has_filter = intent.has_filter
        others = inventory.others(known)
        redirects = {os.path.join(directory, "index.html") for directory in inventory.versions}  # mike's, by scripts
        why: dict[str, str] = {}
        for file, reason in unlisted.items():
            if not file.startswith(others):
                why[file] = reason or (Reason.REDIRECT if file in redirects else "")
                if intent and not why[file]:
                    why[file] = intent.why(file, inventory.base)
        if not all(why.values()):
            path = os.path.abspath(inventory.path)
            pages = {os.path.join(path, file): file for file in inventory.pages}
            ignored = {pages[each] for each in History().ignored(pages, path)}
            why |= {file: Reason.IGNORED for file, reason in why.items() if not reason and file in ignored}
        for file, reason in why.items():
            spot = Spot(file, inventory.absolute(file), inventory.base + urls.page_path(file))
            audit.leave(spot, reason)
            if reason or intent or not site.is_ours:
                site.unlisted[spot] = reason

    def _look(self) -> tuple[Inventory, list[Listing]]:
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
