"""Compares the pages of a directory with its sitemaps.

The path of a page's file can differ from its URL. The server can map URLs to other files, which is
unknown here, and a page can declare its URL by a canonical link.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from smindex_plugins.base import files, urls
from smindex_plugins.base.files import is_html, page_name
from smindex_plugins.base.limits import MAX_PAGE_READ
from smindex_plugins.base.model import Finding, Findings, Head
from smindex_plugins.base.serving import Served, Serving
from smindex_plugins.base.text import counted, listed
from smindex_plugins.checks._dates import Dates
from smindex_plugins.checks._leads import Lead
from smindex_plugins.checks._links import Links
from smindex_plugins.checks._pages import CheckedPage
from smindex_plugins.checks._site import SiteFacts
from smindex_plugins.html.changes import SaidChange, said_changes
from smindex_plugins.html.page import parse_head
from smindex_plugins.pages.host import host_reason, noindex_header
from smindex_plugins.pages.omissions import NotListed, head_reason, path_reason
from smindex_plugins.reading.document import Document, Entry
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
        base = self.inventory.base
        answers: dict[Entry, Served] = {}
        for entry in document.entries:
            if entry.normal and urls.is_within(entry.normal, base):
                answers[entry] = self.serving.answer(entry.normal, self.inventory.find_page)
        changes: dict[Entry, int] = {}
        if self.dates:
            changes = self.dates.changes(entry for entry, served in answers.items() if served.file)

        totals = self.totals
        for entry, served in answers.items():
            if served.is_missing and not served.where:
                missing = CheckedPage(document=document, entry=entry, is_missing=True)
                self.lacking.setdefault(entry.normal, missing)
                continue
            totals.pages += 1
            if totals.pages % 500 == 1:
                self.tell(f"{counted(totals.pages, 'page')}: {entry.normal}")
            page = self._page(document, entry, served, changes.get(entry))
            if served.status is None and served.file:
                self.unshown.append(served.file)
            yield from self.judge_page(page)

    def _page(
        self, document: Document, entry: Entry, served: Served, changed: int | None
    ) -> CheckedPage:
        """Read the file of a listed page."""
        file = served.file
        if file in self.inventory.pages:
            self.inventory.pages[file] = True
        content = self._read(file)
        if content and self.links:
            self.links.read(file, entry.normal, document.spot(entry), content)
        head = _head(content, entry.normal)
        if header := noindex_header(self.serving, entry.normal):
            robots = f"X-Robots-Tag: {header.value} in {header.where}"
            head = replace(head, noindex=True, robots=robots)
        said: tuple[SaidChange, ...] = ()
        if content and entry.lastmod:
            said = said_changes(content, entry.normal)
        return CheckedPage(
            document=document,
            entry=entry,
            path=file,
            head=head,
            changed=changed,
            served=served,
            said_changes=said,
        )

    def compare(self) -> dict[str, str]:
        """Return the unlisted pages, each with a valid reason or an empty string.

        A page belongs to the missing URL that it declares as canonical. If the server maps URLs to
        files, an unlisted page with the same name can also belong to a missing URL. Such pairs are
        only counted. The pages that remain in ``lacking`` are missing.
        """
        totals = self.totals
        listed_pages = totals.pages + len(self.lacking)
        unlisted = self._unlisted()
        mapped = self._mapped(unlisted)
        for url, file in mapped.items():
            del self.lacking[url]
            del unlisted[file]
        if mapped and not self.site.is_ours:
            url, file = next(iter(mapped.items()))
            problem = "none has a file at its URL, but unlisted files have the same names, such as"
            fix = "correct --site-url or the URLs, unless the server maps them"
            pages = f"{len(mapped):,} of {listed_pages:,} listed pages"
            totals.unseen.append(f"{pages} ({problem} {file} for {url}; {fix})")
        if totals.pages or not unlisted:
            return unlisted

        reasons = Counter(filter(None, unlisted.values()))
        if not totals.urls and reasons.total() == len(unlisted):
            self.site.omitted = reasons
        pages = counted(len(unlisted), "page")
        why = f" ({listed(reasons)})" if reasons else ""
        totals.unseen.append(f"{pages} that no sitemap lists{why}")
        return {}

    def _unlisted(self) -> dict[str, str]:
        """Return the unlisted pages, each with a reason or an empty string.

        One that declares a missing URL as canonical is the page of that URL, which is then found.
        """
        unlisted: dict[str, str] = {}
        for file, is_listed in self.inventory.pages.items():
            if is_listed:
                continue
            url = self.inventory.base + urls.page_path(file)
            head = _head(self._read(file), url)
            target = head.refresh or head.canonical
            if self.links and target:
                self.links.targets[file] = target
            if head.canonical in self.lacking and not (head.refresh or head.noindex):
                del self.lacking[head.canonical]
                continue
            reason = self._reason(file, head, url)
            self._note(file, head, url, reason)
            unlisted[file] = reason
        return unlisted

    def _mapped(self, unlisted: Mapping[str, str]) -> dict[str, str]:
        """Return the missing URLs, each with an unlisted file of the same name, if there is one."""
        by_name: dict[str, list[str]] = defaultdict(list)
        for file, reason in unlisted.items():
            if not reason:
                by_name[page_name(file)].append(file)
        mapped: dict[str, str] = {}
        for url in self.lacking:
            path = urls.file_path(urls.relative_path(url, self.inventory.base))
            same = by_name[page_name(path or "")]
            if same:
                mapped[url] = same.pop(0)
        return mapped

    def _note(self, file: str, head: Head, url: str, reason: str) -> None:
        """Record an unlisted page that names another one."""
        if reason == NotListed.CANONICAL_ELSEWHERE and head.canonical:
            spot = self.inventory.spot(file)
            lead = Lead(spot=spot, url=url, to=head.canonical, by="canonical")
            self.site.leads.append(lead)

    def _read(self, file: str) -> bytes | None:
        """Return as much of an HTML file as search engines read, or None for other files."""
        if not is_html(file):
            return None
        try:
            return files.read(self.inventory.absolute(file), MAX_PAGE_READ)
        except OSError:
            return None

    def _reason(self, file: str, head: Head, url: str) -> str:
        if by_path := path_reason(file):
            return by_path
        if by_head := head_reason(head, url, is_copied=True):
            return by_head
        if head.canonical and self._is_other(head.canonical, file, url):
            return NotListed.CANONICAL_ELSEWHERE
        by_host, _ = host_reason(self.serving, url)
        return by_host

    def _is_other(self, canonical: str, file: str, url: str) -> bool:
        """Whether the canonical URL of a page is that of another page."""
        if urls.bare(canonical) != urls.bare(url):
            return True
        return self.inventory.find_page(canonical) not in {"", file}


def _head(content: bytes | None, url: str) -> Head:
    return Head() if content is None else parse_head(content, url)
