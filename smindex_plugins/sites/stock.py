"""The files of a directory: pages, sitemaps, robots.txt, versions; and which of the sitemaps nothing lists."""

import contextlib
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import partial

from smindex_plugins import files
from smindex_plugins.files import visible
from smindex_plugins.pages import HTML
from smindex_plugins.sitemaps import INDEX_NAMES, Document, Robots, robots
from smindex_plugins.sites.served import Tree
from smindex_plugins.sites.versions import MOST_VERSIONS, VERSIONS_FILE, Versions, read_versions

_FLAT = ("sitemap.xml", "sitemap.xml.gz")
"""The names under which generators write all pages into one sitemap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The files of a directory that matter here, by kind."""

    pages: dict[str, bool | None] = field(default_factory=dict)
    """Those with HTML, and whether their directories say that they are regular files. See `served.Pages`."""
    sitemaps: list[str] = field(default_factory=list)
    robots: list[Robots] = field(default_factory=list)
    versions: dict[str, Versions] = field(default_factory=dict)
    """The versions.json files of mike, by their directory with its slash."""
    closed: dict[str, str] = field(default_factory=dict)
    """Directories that cannot be read, and why."""

    def left_out(self, judged: Collection[str]) -> tuple[str, ...]:
        """Return the directories of mike's versions without listed pages. Only some versions are for search engines."""
        found: list[str] = []
        for prefix, versions in self.versions.items():
            listed = {path[len(prefix) :].partition("/")[0] for path in judged if path.startswith(prefix)}
            found += (f"{prefix}{name}/" for name in versions.names - listed)
        return tuple(found)

    def leads_on(self, file: str) -> bool:
        """Whether a page is the one above mike's versions, which leads to one of them by a script."""
        return file.endswith("index.html") and file.removesuffix("index.html") in self.versions

    def apart(self, judged: Collection[str]) -> tuple[str, ...]:
        """Return the directories whose sitemaps were not checked. They seem to be sites of their own.

        Their pages are in those sitemaps. If nothing lists these, that is another finding.
        """
        places = {path.rpartition("/")[0] + "/" for path in self.sitemaps if path not in judged and "/" in path}
        return tuple(places - _above(judged))


def take_stock(directory: str) -> Stock:
    """Return those files, without opening pages and sitemaps, and without files that servers hide."""
    stock = Stock()
    close = partial(_close, stock, directory)
    above = os.path.join(directory, "")
    for prefix, names in visible(directory, onerror=close):
        for name in names:
            path = above + prefix + name
            if name.lower().endswith(HTML):
                if os.path.isfile(path):
                    stock.pages[prefix + name] = not os.path.islink(path)
            elif name == VERSIONS_FILE and os.path.isfile(path):
                with contextlib.suppress(OSError, ValueError):
                    if versions := read_versions(files.read(path, MOST_VERSIONS)):
                        stock.versions[prefix] = versions
            elif name == robots.NAME:
                is_file = os.path.isfile(path)
                stock.robots.append(robots.read(path, prefix + name) if is_file else Robots(where=prefix + name))
            elif "sitemap" in name and name.removesuffix(".gz").endswith(".xml"):
                stock.sitemaps.append(prefix + name)
    return stock


def _close(stock: Stock, directory: str, error: OSError) -> None:
    where = os.path.relpath(error.filename, directory).replace(os.sep, "/")
    stock.closed[where] = error.strerror or str(error)


def unlisted_sitemaps(stock: Stock, tree: Tree, judged: Collection[str], left_out: tuple[str, ...]) -> list[Document]:
    """Return the sitemaps of the site that were not checked because nothing lists them, but should have been."""
    others = [path for path in stock.sitemaps if path not in judged and not path.startswith(left_out)]
    others = [path for path in others if not _is_conventional(path, judged, stock)]
    linked = {os.path.realpath(tree.absolute(path)) for path in judged} if others else set()
    documents = [tree.try_to_read(path) for path in others if os.path.realpath(tree.absolute(path)) not in linked]
    joined = _joined([each for each in documents if each.kind == "sitemapindex" and each.count], stock, tree, judged)
    lists = [each for each in documents if each.kind in {"urlset", "sitemapindex"} and each.where not in joined]
    # What lists only other addresses is that of another site, which lies in a directory of this one.
    return [each for each in lists if not each.count or any(url.startswith(tree.base) for url in each.listed)]


def flat_sitemaps(stock: Stock, tree: Tree, judged: Collection[str], left_out: tuple[str, ...]) -> Iterator[Document]:
    """Yield the flat sitemaps that a generator wrote beside a checked index.

    Some may be empty, or none at all.
    """
    places = _above(judged)
    for path in stock.sitemaps:
        directory, slash, name = path.rpartition("/")
        is_flat = name in _FLAT and path not in judged and not path.startswith(left_out)
        if is_flat and directory + slash in places:
            document = tree.try_to_read(path)
            if document.kind != "sitemapindex":
                yield document


def _above(paths: Collection[str]) -> set[str]:
    """Return all directories above some files, each with its slash."""
    return {"", *(path[: at + 1] for path in paths for at, character in enumerate(path) if character == "/")}


def _joined(indexes: list[Document], stock: Stock, tree: Tree, judged: Collection[str]) -> set[str]:
    """Return the indexes that list only what the site's own index lists too, directly or through each other."""
    found = {index.where: [tree.find(url) for url in index.listed] for index in indexes}
    while True:
        known = {*judged, *found}
        kept = {
            index: listed
            for index, listed in found.items()
            if all(path in known or (path and _is_conventional(path, known, stock)) for path in listed)
        }
        if len(kept) == len(found):
            return set(found)
        found = kept


def _is_conventional(path: str, judged: Collection[str], stock: Stock) -> bool:
    """Whether a sitemap may be unlisted: a generator's flat one, or a compressed copy of a listed one."""
    if path.removesuffix(".gz") in judged or path + ".gz" in judged:
        return True
    directory, _, name = path.rpartition("/")
    beside = {f"{directory}/{index}" for index in INDEX_NAMES if "index" in index}
    return name in _FLAT and (not directory or not beside.isdisjoint(stock.sitemaps))
