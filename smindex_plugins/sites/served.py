"""A directory and the URL that serves it: which file answers for which URL, and the pages that no sitemap lists.

The file of a page need not have the URL's path: a server can map the one to the other in a way that cannot be seen
here, and the page itself can say so, by its canonical URL.
"""

import errno
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.checks import Listed, Proven
from smindex_plugins.model import Finding
from smindex_plugins.pages import Reason, head, renounced
from smindex_plugins.sitemaps import Document, output, read, unread
from smindex_plugins.sites.audit import Audit
from smindex_plugins.sites.sources import Sources

HTML = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class Tree:
    """A directory on disk, and the URL that serves it, or nothing until that is known."""

    path: str
    base: str = ""

    def url(self, file: str) -> str:
        """Return the URL of a file."""
        return (self.base or urls.NO_ADDRESS) + urls.from_file_path(file)

    def find(self, url: str) -> str:
        """Return the file that has a URL, also where the site has moved to another address, or nothing."""
        return (url and urls.find_file(self.path, self.base, url)) or ""

    def find_page(self, url: str) -> str:
        """Return the file with which a server answers for the URL of a page, or nothing."""
        return urls.find_file(self.path, self.base, url, urls.answering_files) or ""

    def absolute(self, file: str) -> str:
        """Return the path of a file on this machine."""
        return os.path.join(self.path, file)

    def read(self, file: str, lastmod: str = "") -> Document:
        """Read a sitemap or an index, however wrong it is.

        Raises:
            OSError: it cannot be read.
        """
        path = self.absolute(file)
        document = Document(url=self.url(file), where=file, file=path, lastmod=lastmod)
        if not output.is_inside(path, self.path):
            return unread(document, "it is a link that leads out of the directory", "Put the file itself there.")
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise OSError(errno.EINVAL, "it is no regular file")
        with open(path, "rb") as stream:
            return read(stream, document)

    def try_to_read(self, file: str, lastmod: str = "") -> Document:
        """Read a sitemap or an index that may well be unreadable."""
        try:
            return self.read(file, lastmod)
        except OSError as error:
            document = Document(url=self.url(file), where=file, lastmod=lastmod)
            return unread(document, error.strerror or str(error))

    def said(self, file: str, url: str) -> head.Said:
        """Return what the page in a file says of itself."""
        try:
            return head.read(self.absolute(file), url) if file.endswith(HTML) else head.NOTHING
        except OSError:
            return head.NOTHING


@dataclass(slots=True, kw_only=True)
class Pages:
    """The pages of a directory beside the URLs that are listed."""

    tree: Tree
    unlisted: dict[str, None]
    """Files of pages, less those that answer for a URL that was listed so far."""
    sources: Sources | None = None
    listed: int = 0
    lacking: list[Listed] = field(default_factory=list)
    """Listed pages without a file at their URL."""

    def judge(self, document: Document, audit: Audit) -> Iterator[Finding]:
        """Compare what a sitemap lists with the files."""
        files: dict[int, str] = {}
        for position, url in enumerate(document.normal):
            if not url or not urls.is_within(url, self.tree.base):
                continue
            audit.totals.pages += 1
            self.listed += 1
            file = self.tree.find_page(url)
            page = Listed(
                url=url,
                where=document.where,
                file=document.file,
                line=document.line(position),
                is_missing=not file,
                said=self.tree.said(file, url),
                path=file,
            )
            if file:
                files[position] = file
                self.unlisted.pop(file, None)
                yield from audit.selection.judge(page)
            else:
                self.lacking.append(page)
            if position % 500 == 0:
                audit.tell(f"{audit.totals.pages:,} pages: {url}")
        if self.sources is not None:
            changes = self.sources.changes(list(files.values()))
            proven = {position: changes[file] for position, file in files.items() if file in changes}
            yield from audit.selection.judge(Proven(document=document, changes=proven))


def compare(pages: Pages) -> tuple[list[Listed], dict[str, str], dict[str, str]]:
    """Return the listed pages that are missing, URLs with pages that may answer for them, and pages that nothing lists.

    A page answers for the URL that it calls canonical. A page of the same name in another directory may answer for a
    URL too, if the server maps URLs to files: such pairs are counted, and neither of the two is judged. The last have
    the reason why they may be unlisted, or nothing.
    """
    lacking = dict.fromkeys(page.url for page in pages.lacking)
    alone: dict[str, str] = {}
    for file in pages.unlisted:
        own = pages.tree.base + urls.page_path(file)
        said = pages.tree.said(file, own)
        if said.canonical in lacking and not (said.refresh or said.noindex):
            del lacking[said.canonical]
        else:
            alone[file] = _reason(file, said, own)
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
    """Return what a path calls its page, whether by the name of a file or of a directory."""
    for ending in ("index.html", "index.htm", *HTML):
        path = path.removesuffix(ending)
    return path.rstrip("/").rpartition("/")[2]


def _reason(file: str, said: head.Said, own: str) -> str:
    if urls.is_error_page(file):
        return Reason.ERROR_PAGE
    is_elsewhere = said.canonical and _bare(said.canonical) != _bare(own)
    return renounced(said, own, may_be_fragment=True) or (Reason.CANONICAL_ELSEWHERE if is_elsewhere else "")


def _bare(url: str) -> str:
    return url.removesuffix("index.html").removesuffix(".html").rstrip("/")
