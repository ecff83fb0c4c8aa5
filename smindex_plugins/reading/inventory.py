"""The files of a built site on disk: pages, sitemaps and robots.txt, and their URLs."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from smindex_plugins.base import files, urls
from smindex_plugins.base.files import is_html, open_regular, visible
from smindex_plugins.base.model import Spot
from smindex_plugins.pages.omissions import path_reason
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import (
    FLAT,
    INDEX_NAMES,
    Candidate,
    choose,
)
from smindex_plugins.reading.found import Role
from smindex_plugins.reading.reader import read, unread
from smindex_plugins.reading.versions import MOST_VERSIONS, VERSIONS_FILE, read_versions
from smindex_plugins.writing import robots
from smindex_plugins.writing.names import PEEKED, ROBOTS
from smindex_plugins.writing.robots import Robots

_VOTERS = 1_000
"""How many of its URLs are compared with the files to find the address of a directory."""
_INDEXES = frozenset(name for name in INDEX_NAMES if "index" in name)


@dataclass(slots=True, kw_only=True)
class Inventory:
    """A directory, the URL that serves it, and its relevant files, except for files that servers
    hide.
    """

    path: str
    base: str = ""
    """The URL. Empty until it is known."""
    pages: dict[str, bool] = field(default_factory=dict)
    """The HTML files, and whether a sitemap lists each."""
    sitemaps: list[str] = field(default_factory=list)
    robots: list[Robots] = field(default_factory=list)
    versions: dict[str, frozenset[str]] = field(default_factory=dict)
    """The directories with versions that mike deployed, and the names of these versions."""
    closed: dict[str, str] = field(default_factory=dict)
    """The directories that can't be read, and why."""
    _candidates: dict[str, Candidate] = field(default_factory=dict)
    """The files that were looked at as entry points."""

    @classmethod
    def take(cls, path: str) -> "Inventory":
        """Return the files of a directory. Pages and sitemaps are not opened."""
        site = cls(path=path)

        def close(error: OSError) -> None:
            directory = os.path.relpath(error.filename, path).replace(os.sep, "/")
            site.closed[directory] = error.strerror or str(error)

        for prefix, names in visible(path, close):
            for name in names:
                file = prefix + name
                if is_html(name):
                    site.pages[file] = False
                # crawlers do not read the files of a package in node_modules
                elif path_reason(file):
                    continue
                elif name == ROBOTS:
                    site.robots.append(robots.read(site.absolute(file), file))
                elif name == VERSIONS_FILE:
                    site._take_versions(prefix)
                elif "sitemap" in name and name.removesuffix(".gz").endswith(".xml"):
                    site.sitemaps.append(file)
        return site

    def _take_versions(self, prefix: str) -> None:
        path = self.absolute(prefix + VERSIONS_FILE)
        with suppress(OSError, ValueError):
            content = files.read(path, MOST_VERSIONS)
            versions = read_versions(content)
            if versions:
                self.versions[prefix.rstrip("/")] = versions.names

    @property
    def root_robots(self) -> Robots | None:
        """The robots.txt in the directory itself."""
        for found in self.robots:
            if found.where == ROBOTS:
                return found
        return None

    def unseen(self) -> Iterator[str]:
        """Yield the parts of the site that are not in the directory, as text."""
        if urls.path(self.base) != "/":
            yield f"{urls.origin(self.base)}/{ROBOTS} (not in this directory)"
        if not self.pages:
            yield "the pages (there is no HTML in this directory)"
        for place in self.closed:
            yield f"{place} (it can't be read)"

    def url(self, file: str) -> str:
        """Return the URL of a file."""
        base = self.base or urls.NO_ADDRESS
        return base + urls.from_file_path(file)

    def find(self, url: str) -> str:
        """Return the file of a URL, even if the site moved to another address, or an empty
        string.
        """
        if not url:
            return ""
        return urls.find_file(self.path, self.base, url) or ""

    def find_page(self, url: str) -> str:
        """Return the file that a server sends for the URL of a page, or an empty string."""
        return urls.find_file(self.path, self.base, url, urls.answering_files, self.pages) or ""

    def address(self, document: Document) -> str:
        """Return the address at which most of what a document lists is in the directory, or an
        empty string.
        """
        votes: Counter[str] = Counter()
        listed = document.listed[:_VOTERS]
        find = self.find if document.kind == "sitemapindex" else self.find_page
        for url in listed:
            file = find(url)
            path = urls.bare(urls.page_path(file))
            bare = urls.bare(url)
            if path:
                if bare.endswith(f"/{path}"):
                    votes[bare.removesuffix(path)] += 1
            # The first page of the site is here only if all others are below it.
            elif file and all(each == url or each.startswith(f"{bare}/") for each in listed):
                votes[f"{bare}/"] += 1
        if not votes:
            return ""
        ((address, _),) = votes.most_common(1)
        return address

    def page_url(self, file: str) -> str:
        """Return the URL of a page."""
        return self.base + urls.page_path(file)

    def spot(self, file: str) -> Spot:
        """Return a page as the subject of a finding."""
        return Spot(file, self.absolute(file), self.page_url(file))

    def absolute(self, file: str) -> str:
        """Return the path of a file on this machine."""
        return os.path.join(self.path, file)

    def read(self, file: str) -> Document:
        """Return a sitemap or an index, even if it is invalid.

        Raises:
            OSError: it can't be read.
        """
        path = self.absolute(file)
        document = Document(url=self.url(file), where=file, file=path)
        if not files.is_inside(path, self.path):
            why = "it is a link to outside the directory"
            return unread(document, why, "Replace the link with the file itself.")
        with open_regular(path) as stream:
            return read(stream, document)

    def try_to_read(self, file: str) -> Document:
        """Return a sitemap or an index, even if it can't be read."""
        try:
            return self.read(file)
        except OSError as error:
            document = Document(url=self.url(file), where=file)
            return unread(document, error.strerror or str(error))

    def entry_points(
        self,
        names: Iterable[str],
        first: str = "",
        named: Collection[str] = (),
    ) -> list[list[Candidate]]:
        """Return those of some files that are entry points, as `choose` does. robots.txt names some
        of them.
        """
        candidates = []
        for file in names:
            candidate = self._candidate(file)
            candidates.append(replace(candidate, is_named=file in named))
        return choose(candidates, first)

    def _candidate(self, file: str) -> Candidate:
        if file not in self._candidates:
            start = b""
            with suppress(OSError):
                start = files.read(self.absolute(file), PEEKED)
            self._candidates[file] = Candidate.of(file, start, lambda: self._children(file))
        return self._candidates[file]

    def _children(self, file: str) -> Iterator[str]:
        """Yield the files that an index lists, or their URLs if they are not here."""
        for _, url in self.try_to_read(file).children:
            yield self.find(url) or url

    def others(self, known: Collection[str]) -> tuple[str, ...]:
        """Return the directories of other sites, which have sitemaps but none of the known files.

        Versions of a site are such directories too, even without sitemaps. Only some versions are
        for search engines.
        """
        with_sitemaps = {os.path.dirname(file) for file in self.sitemaps if file not in known}
        others = (with_sitemaps | self._versions()) - _above(known)
        return tuple(f"{directory}/" for directory in others)

    def _versions(self) -> set[str]:
        places = set()
        for directory, names in self.versions.items():
            for name in names:
                places.add(os.path.join(directory, name))
        return places

    def unlisted(self, known: Collection[str]) -> Iterator[tuple[Document, Role]]:
        """Yield the sitemaps that no known file lists: flat ones, which generators write next to an
        index, and others, each with its role.

        Sitemaps of other sites and versions, copies, and indexes of listed files are skipped.
        """
        above = _above(known)
        versions = tuple(f"{directory}/" for directory in self._versions() - above)
        linked = {os.path.realpath(self.absolute(file)) for file in known}
        indexes = [file for file in self.sitemaps if os.path.basename(file) in _INDEXES]
        with_index = {"", *map(os.path.dirname, indexes)}
        for file in self.sitemaps:
            if file in known or file.startswith(versions) or _is_copy(file, known):
                continue
            if os.path.realpath(self.absolute(file)) in linked:
                continue
            document = self.try_to_read(file)
            directory, name = os.path.split(file)
            if name in FLAT and directory in above and document.kind != "sitemapindex":
                yield document, "beside"
            elif self._should_be_listed(document, known, with_index):
                yield document, "unlisted"

    def _should_be_listed(
        self, document: Document, known: Collection[str], with_index: Collection[str]
    ) -> bool:
        """Whether an index or robots.txt should list a sitemap or its children.

        The flat sitemaps in directories with an index need no line.
        """
        if document.kind not in {"urlset", "sitemapindex"}:
            return False
        needed = [document.where]
        if document.kind == "sitemapindex" and document.count:
            needed = [self.find(url) for _, url in document.children]
        for file in needed:
            directory, name = os.path.split(file)
            is_beside_index = name in FLAT and directory in with_index
            if not (file in known or _is_copy(file, known) or is_beside_index):
                break
        else:
            return False
        # A sitemap with only other addresses belongs to another site in a directory of this one.
        return not document.count or any(urls.is_within(url, self.base) for url in document.listed)


def _is_copy(file: str, known: Collection[str]) -> bool:
    return file.removesuffix(".gz") in known or f"{file}.gz" in known


def _above(files: Collection[str]) -> set[str]:
    """Return all directories above some files."""
    above = {""}
    for file in files:
        for at, character in enumerate(file):
            if character == "/":
                above.add(file[:at])
    return above
