"""A directory and the URL that serves it: which file belongs to which URL, and which pages no sitemap lists.

The file of a page need not have the path of its URL. The server can map URLs to other files, which cannot be seen here,
and the page can say so itself by its canonical URL.
"""

import os
from collections import defaultdict
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from smindex_plugins import files, urls
from smindex_plugins.checks import Page
from smindex_plugins.files import HTML, is_inside, open_regular
from smindex_plugins.html import parse_head, read_head
from smindex_plugins.limits import MAX_PAGE_READ
from smindex_plugins.model import Finding, Head
from smindex_plugins.pages import Reason, head_reason
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import Document, read, unread
from smindex_plugins.sites.audit import Audit
from smindex_plugins.sites.linkage import Linkage
from smindex_plugins.sites.sources import Sources


class Intent(Protocol):
    """What is intentionally in no sitemap, according to something other than the pages."""

    @property
    def settings_file(self) -> str:
        """The file that decides, or an empty string if none was found."""

    @property
    def problem(self) -> str:
        """Why that file cannot be read, or an empty string."""

    @property
    def settings(self) -> Settings:
        """The options that the sitemaps were written with, if they are known."""

    def why(self, file: str, site_url: str) -> str:
        """Return why the page in a file is left out on purpose, in words, or an empty string."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A directory on disk and the URL that serves it, which is empty until it is known."""

    path: str
    base: str = ""

    def url(self, file: str) -> str:
        """Return the URL of a file."""
        return (self.base or urls.NO_ADDRESS) + urls.from_file_path(file)

    def find(self, url: str) -> str:
        """Return the file of a URL, even if the site has moved to another address, or None."""
        return (url and urls.find_file(self.path, self.base, url)) or ""

    def find_page(self, url: str, known: Container[str] = ()) -> str:
        """Return the file that a server sends for the URL of a page, or an empty string. Some may be known already."""
        return urls.find_file(self.path, self.base, url, urls.answering_files, known) or ""

    def absolute(self, file: str) -> str:
        """Return the path of a file on this machine."""
        return os.path.join(self.path, file)

    def read(self, file: str, lastmod: str = "") -> Document:
        """Return a sitemap or an index, however wrong it is.

        Raises:
            OSError: it cannot be read.
        """
        path = self.absolute(file)
        document = Document(url=self.url(file), where=file, file=path, lastmod=lastmod)
        if not is_inside(path, self.path):
            return unread(document, "it is a link that leads out of the directory", "Put the file itself there.")
        with open_regular(path) as stream:
            return read(stream, document)

    def try_to_read(self, file: str, lastmod: str = "") -> Document:
        """Return a sitemap or an index that may be unreadable."""
        try:
            return self.read(file, lastmod)
        except OSError as error:
            document = Document(url=self.url(file), where=file, lastmod=lastmod)
            return unread(document, error.strerror or str(error))

    def content(self, file: str) -> bytes:
        """Return as much of a page in a file as search engines read."""
        try:
            return files.read(self.absolute(file), MAX_PAGE_READ)
        except OSError:
            return b""


@dataclass(slots=True, kw_only=True)
class Pages:
    """The pages of a directory, compared with the listed URLs."""

    tree: Tree
    files: dict[str, bool | None]
    """The files of all pages, and whether their directories call them regular ones. None once they are listed."""
    sources: Sources | None = None
    listed: int = 0
    linkage: Linkage | None = None
    """What the links of listed pages show, if they are read."""
    lacking: list[Page] = field(default_factory=list)
    """Listed pages without a file at their URL."""

    def find(self, url: str) -> str:
        """Return the file that a server sends for the URL of a page, or an empty string."""
        return self.tree.find_page(url, self.files)

    def judge(self, document: Document, audit: Audit) -> Iterator[Finding]:
        """Yield what the comparison of a sitemap with the files shows."""
        here = (entry for entry in document.entries if entry.normal and urls.is_within(entry.normal, self.tree.base))
        listed = [(entry, self.find(entry.normal)) for entry in here]
        changes = self.sources.changes([(entry, file) for entry, file in listed if file]) if self.sources else {}
        for entry, file in listed:
            audit.totals.pages += 1
            self.listed += 1
            if self.listed % 500 == 1:
                audit.tell(f"{audit.totals.pages:,} pages: {entry.normal}")
            if not file:
                self.lacking.append(Page(document=document, entry=entry, is_missing=True))
                continue
            if file in self.files:
                self.files[file] = None
            if self.linkage and file.lower().endswith(HTML):
                content = self.tree.content(file)
                self.linkage.read(file, document.spot(entry), content)
                head = parse_head(content, entry.normal) if content else Head()
            else:
                head = self.head(file, entry.normal)
            page = Page(document=document, entry=entry, head=head, path=file, changed=changes.get(entry))
            yield from audit.selection.judge(page)

    def head(self, file: str, url: str) -> Head:
        """Return what the page in a file says about itself at a URL."""
        try:
            return read_head(self.tree.absolute(file), url) if file.lower().endswith(HTML) else Head()
        except OSError:
            return Head()


def compare(pages: Pages) -> tuple[list[Page], dict[str, str], dict[str, str]]:
    """Return the missing listed pages, the URLs that may have another file, and the unlisted pages.

    A page belongs to the URL that it names as canonical. A page of the same name in another directory may belong to a
    URL too, if the server maps URLs to files. Such pairs are counted, and neither of the two is judged. Each unlisted
    page has the reason why that may be right, or an empty string.
    """
    lacking = dict.fromkeys(page.url for page in pages.lacking)
    alone: dict[str, str] = {}
    for file in [file for file, is_known in pages.files.items() if is_known is not None]:
        own = pages.tree.base + urls.page_path(file)
        said = pages.head(file, own)
        if pages.linkage and (target := said.refresh or said.canonical):
            pages.linkage.leads[file] = target
        if said.canonical in lacking and not (said.refresh or said.noindex):
            del lacking[said.canonical]
        else:
            alone[file] = _reason(file, said, own, pages)
    by_name: dict[str, list[str]] = defaultdict(list)
    for file, reason in alone.items():
        if not reason:
            by_name[_name(file)].append(file)
    mapped: dict[str, str] = {}
    for url in lacking:
        if same := by_name[_name(urls.file_path(urls.relative_path(url, pages.tree.base)) or "")]:
            mapped[url] = same.pop(0)
            del alone[mapped[url]]
    has_files = len(pages.lacking) < pages.listed
    missing = [page for page in pages.lacking if page.url in lacking and page.url not in mapped]
    return missing, mapped, alone if has_files else {}


def _name(path: str) -> str:
    """Return the name of a page from its path: the name of the file, or of its directory."""
    for ending in ("index.html", "index.htm", *HTML):
        path = path.removesuffix(ending)
    return path.rstrip("/").rpartition("/")[2]


def _reason(file: str, said: Head, own: str, pages: Pages) -> str:
    if urls.is_error_page(file):
        return Reason.ERROR_PAGE
    is_elsewhere = said.canonical and (
        _bare(said.canonical) != _bare(own) or pages.find(said.canonical) not in {"", file}
    )
    return head_reason(said, own, is_copied=True) or (Reason.CANONICAL_ELSEWHERE if is_elsewhere else "")


def _bare(url: str) -> str:
    return url.removesuffix("index.html").removesuffix(".html").rstrip("/")
