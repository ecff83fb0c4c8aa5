"""The files of a directory: pages, sitemaps, robots.txt, versions; and which of the sitemaps nothing lists."""

import contextlib
import os
from collections.abc import Collection
from dataclasses import dataclass, field

from smindex_plugins.sitemaps import INDEX_NAMES, Document, Robots, robots
from smindex_plugins.sites.served import HTML, Tree
from smindex_plugins.sites.versions import MOST_VERSIONS, VERSIONS_FILE, Versions, read_versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The files of a directory that matter here, by what they are."""

    pages: list[str] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    robots: list[Robots] = field(default_factory=list)
    versions: dict[str, Versions] = field(default_factory=dict)
    """What mike wrote, by the directory in which it stands, with its slash."""

    def left_out(self, judged: Collection[str]) -> tuple[str, ...]:
        """Return the directories of mike's versions of which nothing is listed: only some are for search engines."""
        found: list[str] = []
        for prefix, versions in self.versions.items():
            listed = {path[len(prefix) :].partition("/")[0] for path in judged if path.startswith(prefix)}
            found += (f"{prefix}{name}/" for name in versions.names - listed)
        return tuple(found)


def take_stock(directory: str) -> Stock:
    """Find those files, without a look into pages and sitemaps."""
    stock = Stock()
    for top, directories, names in os.walk(directory):
        directories.sort()
        here = os.path.relpath(top, directory).replace(os.sep, "/")
        prefix = "" if here == "." else here + "/"
        for name in sorted(names):
            path = os.path.join(top, name)
            if name.endswith(HTML):
                if os.path.isfile(path):  # and neither a pipe nor a broken link
                    stock.pages.append(prefix + name)
            elif name == VERSIONS_FILE and os.path.isfile(path):
                with contextlib.suppress(OSError, ValueError), open(path, "rb") as stream:
                    if versions := read_versions(stream.read(MOST_VERSIONS)):
                        stock.versions[prefix] = versions
            elif name == robots.NAME:
                is_file = os.path.isfile(path)
                stock.robots.append(robots.read(path, prefix + name) if is_file else Robots(where=prefix + name))
            elif "sitemap" in name and name.removesuffix(".gz").endswith(".xml"):
                stock.sitemaps.append(prefix + name)
    return stock


def unlisted_sitemaps(stock: Stock, tree: Tree, judged: Collection[str], left_out: tuple[str, ...]) -> list[Document]:
    """Return the sitemaps of the site that were not judged, because nothing lists them, and should have been."""
    others = [path for path in stock.sitemaps if path not in judged and not path.startswith(left_out)]
    others = [path for path in others if not _is_conventional(path, judged, stock)]
    linked = {os.path.realpath(tree.absolute(path)) for path in judged} if others else set()
    documents = [tree.try_to_read(path) for path in others if os.path.realpath(tree.absolute(path)) not in linked]
    joined = _joined([each for each in documents if each.kind == "sitemapindex" and each.count], stock, tree, judged)
    lists = [each for each in documents if each.kind in {"urlset", "sitemapindex"} and each.where not in joined]
    # What lists only other addresses is that of another site, which lies in a directory of this one.
    return [each for each in lists if not each.count or any(url.startswith(tree.base) for url in each.normal)]


def _joined(indexes: list[Document], stock: Stock, tree: Tree, judged: Collection[str]) -> set[str]:
    """Return the indexes that list nothing but what the site's own index lists too, also by way of one another."""
    found = {index.where: [tree.find(url) for url in index.normal] for index in indexes}
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
    """Whether a sitemap may stand there unlisted: a generator's flat one, or a listed one packed."""
    if path.removesuffix(".gz") in judged or path + ".gz" in judged:
        return True
    directory, _, name = path.rpartition("/")
    beside = {f"{directory}/{index}" for index in INDEX_NAMES if "index" in index}
    return name in {"sitemap.xml", "sitemap.xml.gz"} and (not directory or not beside.isdisjoint(stock.sitemaps))
