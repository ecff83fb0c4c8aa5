"""How a built site in a directory is checked: its sitemaps, its robots.txt and its pages."""

import errno
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from smindex_plugins import urls
from smindex_plugins.checks import Child, Surroundings
from smindex_plugins.model import Finding, Spot
from smindex_plugins.pages import Reason
from smindex_plugins.sitemaps import INDEX_NAMES, Consents, Document, Robots, index_files, is_index, numbered, robots
from smindex_plugins.sites.audit import Audit
from smindex_plugins.sites.linkage import Linkage, linked_pages
from smindex_plugins.sites.partly import PartlyReadError
from smindex_plugins.sites.served import Intent, Pages, Tree, compare
from smindex_plugins.sites.sources import Sources
from smindex_plugins.sites.stock import Stock, flat_sitemaps, take_stock, unlisted_sitemaps
from smindex_plugins.text import ExplainedError

_VOTERS = 1_000
_SITEMAP_SUFFIXES = (".xml", ".txt", ".gz")


class NoSitemapError(ExplainedError, FileNotFoundError):
    """There is no sitemap in the expected place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A built site on disk, to be checked."""

    path: str
    """The path of the directory. It can be the path of a file; then only that file and what it lists is checked."""
    site_url: str = ""
    """The URL that serves it. If it is empty, the files show it."""
    index_filename: str = ""
    """The file to begin with, if its name was given."""
    sources: Sources | None = None
    """A git work tree with the pages' sources, to compare dates with their history."""
    consents: Consents = field(default_factory=Consents)
    """The consents of other sites to be listed here."""
    with_links: bool = False
    """Whether the links of listed pages are read."""
    intent: Intent | None = None
    """What the site's own settings leave out, if that is known."""

    def findings(self, audit: Audit) -> Iterator[Finding]:
        """Yield everything that is wrong.

        Raises:
            NoSitemapError: there is no sitemap in the directory, or the file is none.
            UnknownAddressError: nothing tells where it is served.
            OSError: a file cannot be read.
        """
        path, stock, starts = self._begin()
        tree = Tree(path, self.site_url or find_site_url(Tree(path), starts[0]))
        # Crawlers read only the one at the root of the host.
        read = tree.base + robots.NAME if urls.path(tree.base) == "/" else ""
        all_robots = [replace(each, url=read) if each.where == robots.NAME else each for each in stock.robots]
        root_robots = next((each for each in all_robots if each.url), None)
        if not os.path.isfile(self.path):
            audit.totals.unseen += _unseen(tree, stock)
        for each in all_robots:
            yield from audit.selection.judge(each)

        linkage = Linkage(tree.base, frozenset(stock.pages)) if self.with_links else None
        pages = Pages(tree=tree, files=stock.pages, sources=self.sources, linkage=linkage)
        judged: dict[str, str] = {}
        for document, children in _walk(tree, [*starts, *_named_in(root_robots, tree)], self.consents):
            judged[document.where] = document.url
            yield from audit.judge(document, root_robots)
            for child in children:
                yield from audit.judge_child(child)
            if stock.pages and document.kind != "sitemapindex":
                yield from pages.judge(document, audit)
        missing, mapped, alone = compare(pages)
        pages.files.clear()  # a million of them take as much memory as what is compared next
        for page in missing:
            yield from audit.selection.judge(page)
        unproven = self.consents.unproven(tree.url(starts[0]), self.consents.proven(*judged.values()))
        yield from audit.selection.wanted(unproven)
        left_out = stock.left_out(judged)
        for flat in flat_sitemaps(stock, tree, judged, left_out):
            yield from audit.judge_flat(flat)
        yield from audit.compare()
        apart = (*left_out, *stock.apart(judged))
        kept = {file: why for file, why in alone.items() if not file.startswith(apart)}
        kept |= {file: Reason.REDIRECT for file, why in kept.items() if not why and stock.leads_on(file)}
        if mapped and not audit.survey.is_proven:
            url, file = next(iter(mapped.items()))
            problem = "none has a file at its URL, but files of the same names are in no sitemap"
            fix = "correct --site-url or the URLs, unless the server maps them"
            audit.totals.unseen.append(
                f"{len(mapped):,} of {pages.listed:,} listed pages ({problem}, such as {file} for {url}; {fix})"
            )
        known = self._known_of_pages(kept, tree, audit)
        surroundings = Surroundings(
            site_url=tree.base,
            sitemaps=unlisted_sitemaps(stock, tree, judged, left_out),
            robots=all_robots,
            closed={Spot(place, tree.absolute(place)): why for place, why in stock.closed.items()},
            missing=[
                (each, line)
                for each in all_robots
                for line in each.sitemaps
                if each.url
                and urls.is_within(url := urls.normal(line.url, tree.base), tree.base)
                and not tree.find(url)
            ],
            **known,
        )
        yield from audit.selection.judge(surroundings)
        if linkage:
            linkage.follow()
            audit.totals.links = linkage.count
            audit.totals.unseen += linkage.unseen(surroundings)
            yield from audit.selection.judge(linked_pages(linkage, surroundings))

    def documents(self) -> Iterator[tuple[str, Document | None]]:
        """Yield every index and sitemap with its URL, or with nothing what an index lists and others serve.

        Raises:
            NoSitemapError: there is no sitemap in the directory, or the file is none.
            UnknownAddressError: nothing tells where it is served.
            PartlyReadError: a sitemap that belongs to the directory is not there.
            OSError: a file cannot be read.
        """
        path, _, starts = self._begin(is_quick=True)
        tree = Tree(path, self.site_url or find_site_url(Tree(path), starts[0]))
        if not os.path.isfile(self.path) and urls.path(tree.base) == "/" and os.path.isfile(tree.absolute(robots.NAME)):
            starts += _named_in(robots.read(tree.absolute(robots.NAME)), tree)
        for document, children in _walk(tree, starts, self.consents):
            yield document.url, document
            joined = {each.normal for each in document.entries[document.own :]} if document.own is not None else set()
            for child in children:
                if child.is_missing and child.url not in joined:
                    raise PartlyReadError(child.url, f"{document.file} lists it, and there is no such file")
                if not tree.find(child.url):
                    yield child.url, None

    def with_flat(self) -> Iterator[tuple[Document, bool]]:
        """Yield the sitemaps and indexes as they are read, and whether each is a flat one beside the index.

        Raises:
            NoSitemapError: there is no sitemap in the directory.
            UnknownAddressError: nothing tells where it is served.
            OSError: a file cannot be read.
        """
        path, stock, starts = self._begin()
        tree = Tree(path, self.site_url or find_site_url(Tree(path), starts[0]))
        read: set[str] = set()
        for document, _ in _walk(tree, starts, self.consents):
            read.add(document.where)
            yield document, False
        yield from ((flat, True) for flat in flat_sitemaps(stock, tree, read, stock.left_out(read)))

    def _begin(self, *, is_quick: bool = False) -> tuple[str, Stock, list[str]]:
        """Return the directory, what is in it, and the files to begin with; quickly, what is in it is not looked at."""
        if not os.path.isfile(self.path):
            if is_quick:
                with suppress(NoSitemapError):  # for then it takes a look at all that is in it
                    return self.path, Stock(), _starts(Tree(self.path, self.site_url), self.index_filename, Stock())
            stock = take_stock(self.path)
            return self.path, stock, _starts(Tree(self.path, self.site_url), self.index_filename, stock)
        path, name = os.path.split(self.path)
        is_named_so = self.path.endswith(_SITEMAP_SUFFIXES) and name != robots.NAME
        if not (is_named_so or Tree(path or ".").try_to_read(name).kind in {"urlset", "sitemapindex"}):
            problem = f"{self.path}: it is no sitemap. Name a sitemap, an index, or the directory of the built site"
            raise NoSitemapError(problem)
        return path or ".", Stock(), [name]

    def _known_of_pages(self, alone: dict[str, str], tree: Tree, audit: Audit) -> dict[str, Any]:
        """Return what is known about unlisted pages, and about the dates of listed ones."""
        known: dict[str, Any] = {}
        if self.sources is not None:
            audit.totals.dates, audit.totals.uncompared = self.sources.compared, self.sources.uncompared
            known = {"uncompared": self.sources.uncompared}
            known["sources"] = self.sources.directory if self.sources.is_no_help() else ""
        if audit.survey.is_proven:  # this tool wrote the files, and its settings decided what they list
            alone = {file: why or self._intended(file, tree) for file, why in alone.items()}
            known["nor_settings"] = _nor_settings(self.intent) if self.intent else ""
            known["has_filter"] = self.intent is not None and self.intent.settings.filter is not None
        spots = {file: Spot(file, tree.absolute(file), tree.base + urls.page_path(file)) for file in alone}
        for file, why in alone.items():
            audit.leave(spots[file], why)
        if audit.survey.is_proven and not self.intent:
            alone = {file: why for file, why in alone.items() if why}
        return known | {"alone": {spots[file]: why for file, why in alone.items()}}

    def _intended(self, file: str, tree: Tree) -> str:
        return self.intent.why(file, tree.base) if self.intent else ""


def _nor_settings(intent: Intent) -> str:
    """Return the end of a message about an unlisted page: whether the site's configuration explains it."""
    if not intent.settings_file:
        return ", and there is no configuration beside the directory that could say it"
    if intent.problem:
        return f", and {intent.settings_file} cannot be read: {intent.problem}"
    return f", nor does {intent.settings_file}"


def _starts(tree: Tree, index_filename: str, stock: Stock) -> list[str]:
    """Return the files to begin with: the index, the files that robots.txt names, or the topmost sitemaps.

    Raises:
        NoSitemapError: there is none.
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
        raise _no_sitemap(tree.path, index_filename, stock)
    return found


def _no_sitemap(path: str, index_filename: str, stock: Stock) -> Exception:
    if not os.path.isdir(path):
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if index_filename:
        there = f"; there is {stock.sitemaps[0]}" if stock.sitemaps else ""
        return NoSitemapError(f"{path}: there is no {index_filename} in it{there}")
    if not stock.pages:
        which = "Name the directory of the built site, or run the command in the project that builds it"
        return NoSitemapError(f"{path}: there is no sitemap in it, and no HTML. {which}")
    made = "Add the plugin and build the site again, or run `smindex build` on it"
    return NoSitemapError(f"{path}: there is no sitemap in it. {made}")


def _unseen(tree: Tree, stock: Stock) -> Iterator[str]:
    """Return what belongs to the site but is not in the directory, in words."""
    if urls.path(tree.base) != "/":
        yield f"{urls.origin(tree.base)}/{robots.NAME} (not in this directory)"
    if not stock.pages:
        yield "the pages (there is no HTML in this directory)"
    yield from (f"{place} (it cannot be read)" for place in stock.closed)


def _named_in(found: Robots | None, tree: Tree) -> list[str]:
    """Return the files that the Sitemap lines of a robots.txt name."""
    located = (tree.find(urls.normal(line.url, tree.base)) for line in found.sitemaps) if found else ()
    return list(dict.fromkeys(filter(None, located)))


def find_site_url(tree: Tree, start: str) -> str:
    """Return the URL that serves a directory, from the URLs in its first file and the files that exist.

    Raises:
        UnknownAddressError: the two have nothing in common.
        OSError: the file cannot be read.
    """
    document = tree.read(start)
    listed = document.listed[:_VOTERS]
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
    """Yield the sitemaps, each once, with those that their indexes list.

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
        for entry in document.entries if document.kind == "sitemapindex" else ():
            if not (url := entry.normal):
                continue
            if file := "" if urls.origin(url) in document.proven else tree.find(url):
                below.append((file, entry.lastmod))
            child = Child(
                url=url,
                where=document.where,
                file=document.file,
                line=entry.line,
                is_missing=not file and urls.is_within(url, tree.base),
                is_index=bool(file) and file != path and is_index(tree.absolute(file)),
            )
            children.append(child)
        indexes += [document.url] if document.kind == "sitemapindex" else []
        yield document, children
        waiting += reversed(below)
