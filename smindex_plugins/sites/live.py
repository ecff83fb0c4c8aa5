"""How a live site is checked: robots.txt, the indexes and sitemaps it names, and on demand the pages they list."""

import io
import itertools
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from http import HTTPStatus
from typing import TypeVar

from smindex_plugins import urls
from smindex_plugins.checks import Child, Listed, Surroundings
from smindex_plugins.limits import MAX_BYTES, MAX_ROBOTS
from smindex_plugins.model import Finding
from smindex_plugins.pages import head
from smindex_plugins.sitemaps import USUAL_PATHS, Consents, Document, Robots, read, robots
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A site on the web, to be checked."""

    url: str
    """Of the site, of an index, or of a sitemap; normalised."""
    fetcher: Fetcher = field(default_factory=Fetcher)
    with_pages: bool = False
    consents: Consents = field(default_factory=Consents)
    """What was said of other origins' robots.txt; those of all others are fetched."""

    def findings(self, audit: Audit) -> Iterator[Finding]:
        """Check everything.

        Raises:
            UnreachableError: the site does not answer, or has no sitemap where one is looked for.
        """

        @cache
        def robots_of(origin: str) -> Robots | None:
            given = self.consents.readable() if origin != urls.origin(self.url) else {}
            return given[origin] if origin in given else self._robots_of(origin)

        own_robots = robots_of(urls.origin(self.url))
        if own_robots is not None:
            yield from audit.selection.judge(own_robots)
        starts = self._starts(own_robots)
        judged: list[str] = []
        missing: set[str] = set()
        for child, document in self._walk(starts):
            if child.is_missing:
                missing.add(child.url)
            if not (child.is_missing and own_robots and child.where == own_robots.where):  # of which its check tells
                yield from audit.selection.judge(child)
            if document is not None:
                judged.append(child.url)
                document.proven = _foreign(document, robots_of).proven(child.url, child.where)
                yield from audit.judge(document, robots_of(urls.origin(child.url)))
                if self.with_pages and document.kind != "sitemapindex":
                    yield from self._pages(document, audit)

        yield from audit.selection.wanted(self.consents.unproven(starts[0].url, self.consents.proven(*judged)))
        yield from audit.selection.judge(audit.survey)
        lines = [(own_robots, line) for line in own_robots.sitemaps] if own_robots else []
        gone = [(found, line) for found, line in lines if urls.normal(line.url, self.url) in missing]
        yield from audit.selection.judge(Surroundings(site_url=self.url, missing=gone))

    def _robots_of(self, origin: str) -> Robots | None:
        url = f"{origin}/{robots.NAME}"
        answer = self.fetcher.get(url, MAX_ROBOTS)
        if answer.is_ok:
            return robots.parse(answer.content, url, url=url)
        # RFC 9309, section 2.3.1
        forbids_all = answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS
        return Robots(where=url, url=url, failure=answer.problem) if answer.failure or forbids_all else None

    def _starts(self, own_robots: Robots | None) -> list[Child]:
        """Find what to begin with: the sitemap that is asked for, or those that robots.txt names, or the usual one.

        Raises:
            UnreachableError: there is none.
        """
        url, named = self.url, dict[str, Child]()
        for line in own_robots.sitemaps if own_robots else ():
            if normal := urls.normal(line.url, url):
                named.setdefault(normal, Child(url=normal, where=f"{urls.origin(url)}/{robots.NAME}", line=line.line))
        if not url.endswith("/"):
            return [named.get(url, Child(url=url, where=url))]
        if inside := [child for child in named.values() if urls.is_within(child.url, url)]:
            return inside
        for usual in (url + name for name in USUAL_PATHS):
            if self.fetcher.head(usual).is_ok:
                return [Child(url=usual, where=usual)]
        if not named:
            message = f"{url}: robots.txt names no sitemap, and there is none under the usual names; give its URL"
            raise UnreachableError(message)
        return list(named.values())

    def _walk(self, starts: list[Child]) -> Iterator[tuple[Child, Document | None]]:
        """Fetch the sitemaps from some on, each once, and say what became of each, and what it holds.

        Raises:
            UnreachableError: the one that was asked for cannot be fetched.
        """
        waiting = deque((child, "") for child in starts)
        seen: set[str] = set()
        while waiting and len(seen) < _MOST_FILES:
            batch: dict[str, tuple[Child, str]] = {}
            while waiting and len(batch) < _AT_ONCE:
                child, lastmod = waiting.popleft()
                if child.url not in seen:
                    batch[child.url] = child, lastmod
                    seen.add(child.url)
            answers = _at_once(lambda url: self.fetcher.get(url, MAX_BYTES), batch)
            for (child, lastmod), answer in zip(batch.values(), answers, strict=True):
                if not answer.is_ok:
                    yield _unfetched(child, answer), None
                    continue
                document = read(io.BytesIO(answer.content), Document(url=child.url, lastmod=lastmod))
                yield _fetched(child, answer, document, is_start=child in starts), document
                if document.kind == "sitemapindex":
                    waiting.extend(
                        (Child(url=url, where=document.where, line=document.line(position)), document.dates[position])
                        for position, url in enumerate(document.normal)
                        if url
                    )

    def _pages(self, document: Document, audit: Audit) -> Iterator[Finding]:
        positions = [position for position, normal in enumerate(document.normal) if normal]
        for page in _at_once(lambda position: self._page(document, position), positions):
            audit.totals.pages += 1
            audit.tell(f"{audit.totals.pages:,} pages: {page.url}")
            yield from audit.selection.judge(page)

    def _page(self, document: Document, position: int) -> Listed:
        """Ask for a page's headers, and for its head only where that may say something."""
        url = document.normal[position]
        answer = self.fetcher.head(url)
        if answer.status in {405, 501}:  # a server that does not know HEAD
            answer = self.fetcher.get(url, _MOST_PAGE)
        return Listed(
            url=url,
            where=document.where,
            line=document.line(position),
            status=answer.status,
            failure=answer.failure,
            redirect=answer.redirect,
            said=self._said(url, answer) if answer.is_ok and not answer.redirect else head.NOTHING,
        )

    def _said(self, url: str, answer: Answer) -> head.Said:
        robots_tag = ",".join(answer.headers.get_all("X-Robots-Tag", [])).lower()
        if {"noindex", "none"} & {word.strip().rpartition(":")[2].strip() for word in robots_tag.split(",")}:
            return head.Said(noindex=True)
        canonical = _canonical(answer, url)
        if canonical or answer.headers.get_content_type() not in {"text/html", "application/xhtml+xml"}:
            return head.Said(canonical=canonical or None)
        content = answer.content or self.fetcher.get(url, _MOST_PAGE).content
        return head.read_stream(io.BytesIO(content), url)


def _unfetched(child: Child, answer: Answer) -> Child:
    if answer.failure and child.where == child.url:
        message = f"{child.url}: {answer.failure}"
        raise UnreachableError(message)
    is_missing = answer.status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
    problem = "" if is_missing else answer.problem
    return replace(child, is_missing=is_missing, problem=problem, redirect=answer.redirect)


def _fetched(child: Child, answer: Answer, document: Document, *, is_start: bool) -> Child:
    is_typed = document.kind and "Content-Type" in answer.headers
    return replace(
        child,
        is_index=document.kind == "sitemapindex" and not is_start,
        redirect=answer.redirect,
        content_type=answer.headers.get_content_type() if is_typed else "",
        content_encoding=answer.headers.get("Content-Encoding", "").strip().lower(),
    )


def _foreign(document: Document, robots_of: Callable[[str], Robots | None]) -> Consents:
    """Read the robots.txt of the other origins that a file lists."""
    own = urls.origin(urls.normalise(document.url))
    foreign = dict.fromkeys(urls.origin(url) for url in document.normal if url and not url.startswith(own + "/"))
    asked = ((origin, robots_of(origin)) for origin in itertools.islice(foreign, _MOST_FOREIGN))
    return Consents(robots={origin: found for origin, found in asked if found})


def _canonical(answer: Answer, url: str) -> str:
    """Return the other URL that the headers call canonical (RFC 8288, section 3), or nothing."""
    for target, parameters in _LINK.findall(",".join(answer.headers.get_all("Link", []))):
        if _CANONICAL.search(parameters) and (found := urls.normal(target.strip(), url)) != url:
            return found
    return ""


def _at_once(ask: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
    """Ask for several things at the same time, and return the answers in order; few are ever under way."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        remaining = iter(items)
        while batch := list(itertools.islice(remaining, 16 * _AT_ONCE)):
            yield from pool.map(ask, batch)
