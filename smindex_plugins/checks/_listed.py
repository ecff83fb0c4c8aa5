"""Compares the pages of a directory with its sitemaps.

The path of a page's file can differ from its URL. The server can map URLs to other files, which is
unknown here, and a page can declare its URL by a canonical link.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from smindex_plugins.base import files, urls
from smindex_plugins.base.files import is_html, page_name
from smindex_plugins.base.limits import MAX_PAGE_READ
from smindex_plugins.base.model import Finding, Findings, Head
from smindex_plugins.base.serving import Serving
from smindex_plugins.base.text import counted, listed
from smindex_plugins.checks._dates import Dates
from smindex_plugins.checks._leads import Lead
from smindex_plugins.checks._links import Links
from smindex_plugins.checks._pages import CheckedPage
from smindex_plugins.checks._site import SiteFacts
from smindex_plugins.html.changes import said_changes
from smindex_plugins.html.page import parse_head
from smindex_plugins.pages.host import host_reason, noindex_header
from smindex_plugins.pages.omissions import NotListed, head_reason, path_reason
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.inventory import Inventory
from smindex_plugins.reading.walking import Totals


@dataclass(slots=True, kw_only=True)
class Pages:
    """The pages of a directory, while its sitemaps are read."""

    inventory: Inventory
    serving: Serving
    site: SiteFacts
    totals: Totals
    judge_page: Callable[[CheckedPage], Findings]
    """Yields the problems of a listed page."""
    tell: Callable[[str], None]
    """Receives a line about the progress from time to time."""
    dates: Dates | None = None
    """The comparison of dates with git, if it is requested."""
    links: Links | None = None
    """The links of the pages, if they are read."""
    unshown: list[str] = field(default_factory=list)
    """The files of listed pages of which nothing shows whether the host sends them."""
    lacking: dict[str, CheckedPage] = field(default_factory=dict)
    """The listed pages without a file at their URL, by that URL."""

    def judge(self, document: Document) -> Iterator[Finding]:
        """Yield the problems of the pages of the directory that a sitemap lists."""
        totals, base = self.totals, self.inventory.base
        entries = [
            entry
            for entry in document.entries
            if entry.normal and urls.is_within(entry.normal, base)
        ]
        found = {
            entry: self.serving.answer(entry.normal, self.inventory.find_page) for entry in entries
        }
        changes = (
            self.dates.changes(entry for entry, served in found.items() if served.file)
            if self.dates
            else {}
        )
        for entry, served in found.items():
            file = served.file
            if served.is_missing and not served.where:
                self.lacking.setdefault(
                    entry.normal, CheckedPage(document=document, entry=entry, is_missing=True)
                )
                continue
            totals.pages += 1
            if totals.pages % 500 == 1:
                self.tell(f"{totals.pages:,} pages: {entry.normal}")
            if file in self.inventory.pages:
                self.inventory.pages[file] = True
            content = self._read(file)
            if content and self.links:
                self.links.read(file, document.spot(entry), content)
            head = Head() if content is None else parse_head(content, entry.normal)
            if header := noindex_header(self.serving, entry.normal):
                head = replace(
                    head, noindex=True, robots=f"X-Robots-Tag: {header.value} in {header.where}"
                )
            page = CheckedPage(
                document=document,
                entry=entry,
                path=file,
                head=head,
                changed=changes.get(entry),
                served=served,
                said_changes=(
                    said_changes(content, entry.normal) if content and entry.lastmod else ()
                ),
            )
            if served.status is None and file:
                self.unshown.append(file)
            yield from self.judge_page(page)

    def compare(self) -> dict[str, str]:
        """Return the unlisted pages, each with a valid reason or an empty string.

        A page belongs to the missing URL that it declares as canonical. If the server maps URLs to
        files, an unlisted page with the same name can also belong to a missing URL. Such pairs are
        only counted. The pages that remain in ``lacking`` are missing.
        """
        lacking, unlisted, totals = self.lacking, dict[str, str](), self.totals
        listed_pages = totals.pages + len(lacking)
        by_name: dict[str, list[str]] = defaultdict(list)
        for file in (file for file, is_listed in self.inventory.pages.items() if not is_listed):
            url, content = self.inventory.base + urls.page_path(file), self._read(file)
            head = Head() if content is None else parse_head(content, url)
            if self.links and (target := head.refresh or head.canonical):
                self.links.targets[file] = target
            if head.canonical in lacking and not (head.refresh or head.noindex):
                del lacking[head.canonical]
                continue
            unlisted[file] = self._reason(file, head, url)
            self._note(file, head, url, unlisted[file])
            if not unlisted[file]:
                by_name[page_name(file)].append(file)
        mapped: dict[str, str] = {}
        for url in lacking:
            if same := by_name[
                page_name(urls.file_path(urls.relative_path(url, self.inventory.base)) or "")
            ]:
                mapped[url] = same.pop(0)
                del unlisted[mapped[url]]
        if mapped and not self.site.is_ours:
            url, file = next(iter(mapped.items()))
            problem = "none has a file at its URL, but unlisted files have the same names, such as"
            fix = "correct --site-url or the URLs, unless the server maps them"
            pages = f"{len(mapped):,} of {listed_pages:,} listed pages"
            totals.unseen.append(f"{pages} ({problem} {file} for {url}; {fix})")
        self.lacking = {url: page for url, page in lacking.items() if url not in mapped}
        if totals.pages or not unlisted:
            return unlisted
        reasons = Counter(filter(None, unlisted.values()))
        if not totals.urls and reasons.total() == len(unlisted):
            self.site.left_out = reasons
        why = f" ({listed(reasons)})" if reasons else ""
        totals.unseen.append(f"{counted(len(unlisted), 'page')} that no sitemap lists{why}")
        return {}

    def _note(self, file: str, head: Head, url: str, reason: str) -> None:
        """Record an unlisted page that names another one."""
        if reason == NotListed.CANONICAL_ELSEWHERE and head.canonical:
            lead = Lead(spot=self.inventory.spot(file), url=url, to=head.canonical, by="canonical")
            self.site.leads.append(lead)

    def _read(self, file: str) -> bytes | None:
        """Return as much of an HTML file as search engines read, or None for other files."""
        try:
            return (
                files.read(self.inventory.absolute(file), MAX_PAGE_READ) if is_html(file) else None
            )
        except OSError:
            return None

    def _reason(self, file: str, head: Head, url: str) -> str:
        if reason := path_reason(file):
            return reason
        is_elsewhere = head.canonical and (
            urls.bare(head.canonical) != urls.bare(url)
            or self.inventory.find_page(head.canonical) not in {"", file}
        )
        own = head_reason(head, url, is_copied=True) or (
            NotListed.CANONICAL_ELSEWHERE if is_elsewhere else ""
        )
        return own or host_reason(self.serving, url)[0]
