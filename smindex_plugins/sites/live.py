"""How a live site is checked: robots.txt, the indexes and sitemaps it names, and on demand the pages they list."""

import io
import itertools
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TypeVar

from smindex_plugins import urls
from smindex_plugins.checks import Child, Listed, Surroundings
from smindex_plugins.limits import MAX_BYTES, MAX_ROBOTS
from smindex_plugins.model import Finding
from smindex_plugins.pages import head as html
from smindex_plugins.sitemaps import USUAL_PATHS, Document, read, robots
from smindex_plugins.sitemaps.consents import Consents
from smindex_plugins.sitemaps.robots import Robots
from smindex_plugins.sites.audit import Audit
from smindex_plugins.sites.fetching import Answer, Fetcher

_AT_ONCE = 4
"""Requests under way at the same time."""
_MOST_FILES = 50_000
"""Sitemaps fetched in one run."""
_MOST_PAGE = 1 << 18
"""Bytes of a page that are fetched: its head is among the first."""
_MOST_FOREIGN = 10
"""Other hosts whose robots.txt is asked about one sitemap."""

_LINK = re.compile(r"<([^<>]*)>([^<]*)")
_CANONICAL = re.compile(r";\s*rel\s*=\s*(?:canonical\b|\"(?:[^\"]*\s)?canonical[\s\"])", re.IGNORECASE)

A = TypeVar("A")
B = TypeVar("B")


class UnreachableError(OSError):
    """The site cannot be asked at all."""


@dataclass(slots=True, kw_only=True)
class Live:
    """A site on the web."""

    url: str
    """Of the site, of an index, or of a sitemap."""
    fetcher: Fetcher
    with_pages: bool = False
    consents: Consents = field(default_factory=Consents)
    """What was said of other origins' robots.txt; those of all others are fetched."""
    _robots: dict[str, Robots | None] = field(default_factory=dict)
    """By origin."""
    _has_read: bool = False
    _judged: list[str] = field(default_factory=list)
    _missing: set[str] = field(default_factory=set)

    def findings(self, audit: Audit) -> Iterator[Finding]:
        """Check everything.

        Raises:
            UnreachableError: the site does not answer, or has no sitemap where one is looked for.
        """
        own_robots = self._robots_of(urls.origin(self.url))
        self._robots = {**self.consents.readable(), **self._robots}
        if own_robots is not None:
            yield from audit.selection.judge(own_robots)
        starts = self._starts(own_robots)
        yield from self._judge(starts, audit)
        yield from audit.selection.wanted(self.consents.unproven(starts[0], self.consents.proven(*self._judged)))
        yield from audit.selection.judge(audit.survey)
        lines = own_robots.sitemaps if own_robots else []
        missing = [line for line in lines if urls.normal(line.url, self.url) in self._missing]
        surroundings = Surroundings(site_url=self.url, root_robots=own_robots, missing=missing)
        yield from audit.selection.judge(surroundings)

    def _starts(self, own_robots: Robots | None) -> list[str]:
        """Find what to begin with: the sitemap that is asked for, or those that robots.txt names, or the usual one."""
        if not self.url.endswith("/"):
            return [self.url]
        named = [urls.normal(line.url, self.url) for line in own_robots.sitemaps] if own_robots else []
        starts = list(dict.fromkeys(filter(None, named)))
        if inside := [url for url in starts if urls.is_within(url, self.url)]:
            return inside
        for name in USUAL_PATHS:
            if self.fetcher.head(self.url + name).is_ok:
                return [self.url + name]
        if starts:
            return starts
        message = f"{self.url}: robots.txt names no sitemap, and there is none under the usual names; give its URL"
        raise UnreachableError(message)

    def _robots_of(self, origin: str) -> Robots | None:
        if origin not in self._robots:
            url = f"{origin}/robots.txt"
            answer = self.fetcher.get(url, MAX_ROBOTS)
            if answer.is_ok:
                self._robots[origin] = robots.parse(answer.content, url, url=url)
            elif answer.failure or _forbids_all(answer.status):
                self._robots[origin] = Robots(where=url, url=url, failure=answer.problem)
            else:
                self._robots[origin] = None
        return self._robots[origin]

    def _judge(self, starts: list[str], audit: Audit) -> Iterator[Finding]:
        """Judge files, and what they list if they are indexes, each file once."""
        waiting = deque((self._start(url), "") for url in starts)
        seen: set[str] = set()
        while waiting and len(seen) < _MOST_FILES:
            batch = [waiting.popleft() for _ in range(min(_AT_ONCE, len(waiting)))]
            fresh = [(child, date) for child, date in batch if child.url not in seen and not seen.add(child.url)]  # type: ignore[func-returns-value] # an idiom
            for (child, date), answer in _at_once(lambda item: self.fetcher.get(item[0].url, MAX_BYTES), fresh):
                if not answer.is_ok:
                    yield from self._unfetched(child, answer, audit, is_start=child.url in starts)
                    continue
                document = self._document(child, answer, date)
                self._judged.append(child.url)
                fetched = _fetched(child, document, answer, is_start=child.url in starts)
                yield from audit.selection.judge(fetched)
                yield from audit.judge(document, self._robots_of(urls.origin(child.url)))
                if document.kind == "sitemapindex":
                    waiting.extend(_children(document))
                else:
                    self._has_read = True
                    yield from self._pages(document, audit)

    def _start(self, url: str) -> Child:
        """Say where a sitemap is named that no index lists: in robots.txt, or by who asks for it."""
        found = self._robots.get(urls.origin(self.url))
        for line in found.sitemaps if found else ():
            if found and urls.normal(line.url, self.url) == url:
                return Child(where=found.where, file="", line=line.line, url=url)
        return Child(where=url, file="", line=0, url=url)

    def _unfetched(self, child: Child, answer: Answer, audit: Audit, *, is_start: bool) -> Iterator[Finding]:
        is_named = child.where != child.url
        if is_start and not is_named and answer.failure and not self._has_read:
            message = f"{child.url}: {answer.failure}"
            raise UnreachableError(message)
        is_missing = answer.status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
        if is_missing:
            self._missing.add(child.url)
            if is_start and is_named:
                return  # which a check of robots.txt tells
        failed = Child(
            where=child.where,
            file="",
            line=child.line,
            url=child.url,
            is_missing=is_missing,
            problem="" if is_missing else answer.problem,
            redirect=answer.redirect,
        )
        yield from audit.selection.judge(failed)

    def _document(self, child: Child, answer: Answer, lastmod: str) -> Document:
        document = read(io.BytesIO(answer.content), Document(url=child.url, lastmod=lastmod))
        document.proven = self._foreign(document).proven(child.url, child.where)
        return document

    def _foreign(self, document: Document) -> Consents:
        """Read the robots.txt of the other origins that a file lists."""
        own = urls.origin(urls.normalise(document.url))
        foreign = dict.fromkeys(urls.origin(url) for url in document.normal if url and not url.startswith(own + "/"))
        asked = ((origin, self._robots_of(origin)) for origin in itertools.islice(foreign, _MOST_FOREIGN))
        return Consents(robots={origin: found for origin, found in asked if found})

    def _pages(self, document: Document, audit: Audit) -> Iterator[Finding]:
        if not self.with_pages:
            return
        positions = [position for position, normal in enumerate(document.normal) if normal]
        for _, page in _at_once(lambda position: self._page(document, position), positions):
            audit.totals.pages += 1
            audit.tell(f"{audit.totals.pages:,} pages: {page.url}")
            yield from audit.selection.judge(page)

    def _page(self, document: Document, position: int) -> Listed:
        """Ask for a page's headers, and for its head only where that may say something."""
        url = document.normal[position]
        answer = self.fetcher.head(url)
        if answer.status in {405, 501}:  # a server that does not know HEAD
            answer = self.fetcher.get(url, _MOST_PAGE)
        said = html.NOTHING
        if answer.is_ok and not answer.redirect:
            said = self._said(url, answer)
        return Listed(
            url=url,
            where=document.where,
            line=document.line(position),
            status=answer.status,
            failure=answer.failure,
            redirect=answer.redirect,
            said=said,
        )

    def _said(self, url: str, answer: Answer) -> html.Said:
        robots_tag = ",".join(answer.headers.get_all("X-Robots-Tag", [])).lower()
        if {"noindex", "none"} & {word.strip().rpartition(":")[2].strip() for word in robots_tag.split(",")}:
            return html.Said(noindex=True)
        canonical = _canonical(answer, url)
        if canonical or answer.headers.get_content_type() not in {"text/html", "application/xhtml+xml"}:
            return html.Said(canonical=canonical or None)
        content = answer.content or self.fetcher.get(url, _MOST_PAGE).content
        return html.read_stream(io.BytesIO(content), url)


def _canonical(answer: Answer, url: str) -> str:
    """Give the other URL that the headers call canonical (RFC 8288, section 3), or nothing."""
    for target, parameters in _LINK.findall(",".join(answer.headers.get_all("Link", []))):
        if _CANONICAL.search(parameters) and (found := urls.normal(target.strip(), url)) != url:
            return found
    return ""


def _children(index: Document) -> Iterator[tuple[Child, str]]:
    for position, normal in enumerate(index.normal):
        if normal:
            yield Child(where=index.where, file="", line=index.line(position), url=normal), index.dates[position]


def _forbids_all(status: int) -> bool:
    """Tell whether a robots.txt that is answered so forbids all (RFC 9309, section 2.3.1)."""
    return status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS


def _fetched(child: Child, document: Document, answer: Answer, *, is_start: bool) -> Child:
    return replace(
        child,
        is_index=document.kind == "sitemapindex" and not is_start,
        redirect=answer.redirect,
        content_type=answer.headers.get_content_type() if "Content-Type" in answer.headers else "",
        content_encoding=answer.headers.get("Content-Encoding", "").strip().lower(),
        is_sitemap=bool(document.kind),
    )


def _at_once(ask: Callable[[A], B], items: Iterable[A]) -> Iterator[tuple[A, B]]:
    """Ask for several things at the same time, and give the answers in order; few are ever under way."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        under_way: deque[tuple[A, Future[B]]] = deque()
        try:
            for item in items:
                under_way.append((item, pool.submit(ask, item)))
                if len(under_way) >= 2 * _AT_ONCE:
                    first, answer = under_way.popleft()
                    yield first, answer.result()
            while under_way:
                first, answer = under_way.popleft()
                yield first, answer.result()
        finally:
            for _, answer in under_way:
                answer.cancel()
