"""How a built site in a directory is checked: its sitemaps, its robots.txt, and the pages that it holds."""

import errno
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from smindex_plugins import urls
from smindex_plugins.checks import Child, Spot, Surroundings
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import INDEX_NAMES, Consents, Document, Robots, index_files, is_index, numbered, robots
from smindex_plugins.sites.audit import Audit
from smindex_plugins.sites.served import Pages, Tree, compare
from smindex_plugins.sites.sources import Sources
from smindex_plugins.sites.stock import Stock, take_stock, unlisted_sitemaps

_VOTERS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A built site on disk, to be checked."""

    path: str
    """Of the directory; or of a file, of which and of what it lists nothing but itself is checked."""
    site_url: str = ""
    """The URL that serves it; if it is not given, the files tell."""
    index_filename: str = ""
    """The file to begin with, where its name was given."""
    sources: str = ""
    """A git work tree with the pages' sources, to compare dates with their history."""
    consents: Consents = field(default_factory=Consents)
    """Of other sites, to be listed here."""

    def findings(self, audit: Audit) -> Iterator[Finding]:
        """Check everything.

        Raises:
            FileNotFoundError: there is no sitemap in the directory.
            UnknownAddressError: nothing tells where it is served.
            OSError: a file cannot be read.
        """
        if os.path.isfile(self.path):
            path, *starts = os.path.split(self.path)
            path, stock = path or ".", Stock()
        else:
            path, stock = self.path, take_stock(self.path)
            starts = _starts(Tree(path, self.site_url), self.index_filename, stock)
        tree = Tree(path, self.site_url or find_site_url(Tree(path), starts[0]))
        # Crawlers read only the one at the root of the host.
        read = tree.base + robots.NAME if urls.path(tree.base) == "/" else ""
        all_robots = [replace(each, url=read) if each.where == robots.NAME else each for each in stock.robots]
        root_robots = next((each for each in all_robots if each.url), None)
        for each in all_robots:
            yield from audit.selection.judge(each)

        pages = Pages(
            tree=tree,
            unlisted=dict.fromkeys(stock.pages),
            sources=Sources(directory=self.sources) if self.sources else None,
        )
        judged: dict[str, str] = {}
        for document, children in _walk(tree, [*starts, *_named_in(root_robots, tree)], self.consents):
            judged[document.where] = document.url
            yield from audit.judge(document, root_robots)
            for child in children:
                yield from audit.selection.judge(child)
            if stock.pages and document.kind != "sitemapindex":
                yield from pages.judge(document, audit)

        missing, mapped, alone = compare(pages)
        for page in missing:
            yield from audit.selection.judge(page)
        unproven = self.consents.unproven(tree.url(starts[0]), self.consents.proven(*judged.values()))
        yield from audit.selection.wanted(unproven)
        yield from audit.selection.judge(audit.survey)
        if audit.survey.is_proven:  # when this tool wrote the files, it decided which pages they list, and said why
            mapped, alone = {}, {}
        left_out = stock.left_out(judged)
        kept = {file: why for file, why in alone.items() if not file.startswith(left_out)}
        surroundings = Surroundings(
            site_url=tree.base,
            listed=pages.listed,
            mapped=mapped,
            alone={Spot(file, tree.absolute(file)): why for file, why in kept.items()},
            sitemaps=unlisted_sitemaps(stock, tree, judged, left_out),
            robots=all_robots,
            missing=[
                (each, line)
                for each in all_robots
                for line in each.sitemaps
                if each.url
                and urls.is_within(url := urls.normal(line.url, tree.base), tree.base)
                and not tree.find(url)
            ],
        )
        yield from audit.selection.judge(surroundings)


def _starts(tree: Tree, index_filename: str, stock: Stock) -> list[str]:
    """Return the files to begin with: the index, or what robots.txt names, or the highest of the sitemaps.

    Raises:
        FileNotFoundError: there is none.
    """
    if index_filename and os.path.lexists(tree.absolute(index_filename)):
        return [index_filename]
    there = os.listdir(tree.path) if os.path.isdir(tree.path) else []
    several = numbered(there, index_filename) if index_filename else index_files(there)
    found = [name for name in several if name in INDEX_NAMES or is_index(tree.absolute(name))]
    if not found and not index_filename:
        found = _named_in(next((each for each in stock.robots if each.where == robots.NAME), None), tree)
        deeper = [path for path in stock.sitemaps if os.path.basename(path) in INDEX_NAMES]
        usual = sorted(deeper, key=lambda path: (path.count("/"), INDEX_NAMES.index(os.path.basename(path))))[:1]
        highest = min((path.count("/") for path in stock.sitemaps), default=0)
        found = found or usual or [path for path in stock.sitemaps if path.count("/") == highest]
    if not found:
        missing = tree.absolute(index_filename or INDEX_NAMES[0])
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), missing)
    return found


def _named_in(found: Robots | None, tree: Tree) -> list[str]:
    """Return the files that the Sitemap lines of a robots.txt name."""
    located = (tree.find(urls.normal(line.url, tree.base)) for line in found.sitemaps) if found else ()
    return list(dict.fromkeys(filter(None, located)))


def find_site_url(tree: Tree, start: str) -> str:
    """Find where a directory is served, from the URLs that its first file lists and the files that are there.

    Raises:
        UnknownAddressError: the two have nothing in common.
        OSError: the file cannot be read.
    """
    document = tree.read(start)
    listed = list(filter(None, document.normal[:_VOTERS]))
    votes: Counter[str] = Counter()
    for url in listed:
        file = tree.find(url) if document.kind == "sitemapindex" else tree.find_page(url)
        path = urls.page_path(file)
        if file and url.endswith("/" + path):
            votes[url.removesuffix(path)] += 1
    if votes:
        return votes.most_common(1)[0][0]
    if document.kind != "sitemapindex" and listed:
        return urls.origin(listed[0]) + "/"
    if listed:
        problem = "none of the sitemaps it lists is in the directory, so its address is unknown"
        message = f"{document.file}: {problem}; give --site-url"
        raise urls.UnknownAddressError(message)
    return urls.NO_ADDRESS


def _walk(tree: Tree, starts: list[str], consents: Consents) -> Iterator[tuple[Document, list[Child]]]:
    """Read the sitemaps from some on, each once, and find what those of them that are indexes list.

    Raises:
        OSError: the first of them cannot be read.
    """
    waiting = [(start, "") for start in reversed(starts)]
    seen: set[str] = set()
    indexes: list[str] = []
    while waiting:
        path, lastmod = waiting.pop()
        if path in seen:
            continue
        document = tree.try_to_read(path, lastmod) if seen else tree.read(path, lastmod)
        seen.add(path)
        document.proven = consents.proven(document.url, *indexes)
        children: list[Child] = []
        below: list[tuple[str, str]] = []
        for position, url in enumerate(document.normal if document.kind == "sitemapindex" else ()):
            if not url:
                continue
            if file := "" if urls.origin(url) in document.proven else tree.find(url):
                below.append((file, document.dates[position]))
            child = Child(
                url=url,
                where=document.where,
                file=document.file,
                line=document.line(position),
                is_missing=not file and urls.is_within(url, tree.base),
                is_index=bool(file) and file != path and is_index(tree.absolute(file)),
            )
            children.append(child)
        indexes += [document.url] if document.kind == "sitemapindex" else []
        yield document, children
        waiting += reversed(below)
