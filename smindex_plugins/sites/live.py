"""How a live site is checked: robots.txt, the indexes and sitemaps that it names, and their pages on request."""

import io
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from http import HTTPStatus
from typing import TypeVar

from smindex_plugins import urls
from smindex_plugins.checks import Child, Surroundings
from smindex_plugins.limits import MAX_AT_ONCE, MAX_BYTES, MAX_FILES, MAX_ROBOTS
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import Consents, Document, Entry, Robots, read, robots
from smindex_plugins.sites.answered import fetch_page
from smindex_plugins.sites.audit import Audit, Totals
from smindex_plugins.sites.beginning import find_site, is_moved, starts, unreachable
from smindex_plugins.sites.partly import PartlyReadError
from smindex_plugins.sites.waiting import Waiting
from smindex_plugins.text import counted
from smindex_plugins.web import AT_ONCE, Answer, Fetcher

_MOST_FOREIGN = 10
"""The most other hosts whose robots.txt is fetched for one sitemap."""
_MOST_DELAY = 10.0
"""The longest Crawl-delay that is honoured, in seconds."""
_MOST_AHEAD = 16
"""How many answers of a thread may wait until those before them came."""

A = TypeVar("A")
B = TypeVar("B")
RobotsOf = Callable[[str], Robots | None]
"""Returns the robots.txt of an origin, or None if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A site on the web that is to be checked."""

    url: str
    """The normalised URL of the site, an index or a sitemap."""
    fetcher: Fetcher = field(default_factory=Fetcher)
    with_pages: bool = False
    consents: Consents = field(default_factory=Consents)
    """The robots.txt files of other origins that were given. All others are fetched."""

    def findings(self, audit: Audit) -> Iterator[Finding]:
        """Check everything.

        Raises:
            UnreachableError: the site does not answer, or has no sitemap where one is looked for.
        """
        self.fetcher.allow(self.url)
        url = find_site(self.url, self.fetcher)

        if is_moved(self.url, url):
            audit.totals.unseen.append(f"{self.url} itself (it leads to {url})")

        @cache
        def robots_of(origin: str) -> Robots | None:
            given = self.consents.readable() if origin != urls.origin(url) else {}
            return given[origin] if origin in given else self._robots_of(origin)

        own_robots = robots_of(urls.origin(url))
        if own_robots is not None:
            yield from audit.selection.judge(own_robots)
        begun, fetched = starts(self.url, url, own_robots, self.fetcher)
        judged: list[str] = []
        missing: set[str] = set()
        asked: set[int] = set()  # hashes of pages, which take half the room of their URLs
        for child, document in self._walk(begun, fetched, audit.totals):
            if child.is_missing:
                missing.add(child.url)
            is_told = child.is_missing and own_robots and child.where == own_robots.where  # by the check of that
            if document is not None:
                judged.append(child.url)
            yield from () if is_told else audit.judge_child(child)
            yield from self._judged(child, document, audit, robots_of, asked) if document is not None else ()
            del document  # before the next one is read, which may be as large

        lines = [(own_robots, line) for line in own_robots.sitemaps] if own_robots else []
        gone = [(found, line) for found, line in lines if urls.normal(line.url, url) in missing]
        yield from audit.selection.wanted(self.consents.unproven(begun[0].url, self.consents.proven(*judged)))
        yield from audit.selection.judge(Surroundings(site_url=url, missing=gone))
        yield from audit.compare()
        self._count_unseen(audit.totals, own_robots)

    def documents(self) -> Iterator[tuple[str, Document | None]]:
        """Yield every index and sitemap with its URL, or with nothing where robots.txt alone names what is not there.

        Raises:
            UnreachableError: the site does not answer, or has no sitemap where one is looked for.
            PartlyReadError: one of its sitemaps cannot be read to its end.
        """
        self.fetcher.allow(self.url)
        url = find_site(self.url, self.fetcher)
        own_robots = self._robots_of(urls.origin(url))
        begun, fetched = starts(self.url, url, own_robots, self.fetcher)
        totals = Totals()
        for child, document in self._walk(begun, fetched, totals):
            if document is None and not (child.is_missing and own_robots and child.where == own_robots.where):
                raise PartlyReadError(child.url, child.problem or "there is no such file")
            yield child.url, document
        self._count_unseen(totals, None)
        if totals.unseen:
            raise PartlyReadError(self.url, f"not read: {totals.unseen[0]}")

    def _judged(
        self, child: Child, document: Document, audit: Audit, robots_of: RobotsOf, asked: set[int]
    ) -> Iterator[Finding]:
        """Yield what is wrong with a file and with the pages that it lists."""
        document.proven = _foreign(document, robots_of).proven(child.url, child.where)
        yield from audit.judge(document, robots_of(urls.origin(child.url)))
        if self.with_pages and document.kind != "sitemapindex":
            yield from self._pages(document, audit, robots_of, asked)

    def _count_unseen(self, totals: Totals, own_robots: Robots | None) -> None:
        if late := +totals.late:
            what = " and ".join(counted(number, noun) for noun, number in late.items())
            totals.unseen.append(f"{what} that were not requested in time (--deadline {self.fetcher.deadline:g})")
        if totals.forbidden:
            why = (
                "because robots.txt cannot be fetched"
                if own_robots and own_robots.failure
                else "that robots.txt forbids"
            )
            totals.unseen.append(f"{counted(totals.forbidden, 'page')} {why}")

    def _robots_of(self, origin: str) -> Robots | None:
        url = f"{origin}/{robots.NAME}"
        answer = self.fetcher.get(url, MAX_ROBOTS)
        if answer.is_ok:
            found = robots.parse(answer.content, url, url=url)
            self.fetcher.delays[origin] = min(found.delay, _MOST_DELAY)
            return found
        # RFC 9309, section 2.3.1
        forbids_all = answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS
        return Robots(where=url, url=url, failure=answer.problem) if answer.failure or forbids_all else None

    def _walk(
        self, begun: list[Child], fetched: dict[str, Answer], totals: Totals
    ) -> Iterator[tuple[Child, Document | None]]:
        """Yield the sitemaps, each fetched once, with the result of the fetch and the content.

        Raises:
            UnreachableError: the one that was asked for cannot be fetched.
        """
        waiting = Waiting(begun)
        starts_at = {child.url for child in begun}
        while batch := waiting.take(AT_ONCE):
            for (child, lastmod), answer in zip(batch, self._fetched(batch, fetched), strict=True):
                if self.fetcher.is_over and child.where != child.url:  # the one that was asked for
                    totals.late["sitemap"] += 1
                    continue
                if not answer.is_ok:
                    yield _unfetched(child, answer), None
                    continue
                document = read(io.BytesIO(answer.content), Document(url=child.url, lastmod=lastmod))
                answer.content = b""
                yield _fetched(child, answer, document, is_start=child.url in starts_at), document
                if document.kind == "sitemapindex":
                    waiting.add_all(document)
                del document  # before the next one is read, which may be as large
            if self.fetcher.is_over:
                break
        totals.late["sitemap"] += len(waiting)
        if waiting.left_out:
            left_out = counted(waiting.left_out, "listed sitemap")
            totals.unseen.append(f"{left_out}, because a run requests at most {MAX_FILES:,}")

    def _fetched(self, batch: list[tuple[Child, str]], fetched: dict[str, Answer]) -> Iterator[Answer]:
        """Fetch some sitemaps at the same time. Large ones are fetched alone."""
        asked = [child.url for child, _ in batch]
        answers = _at_once(lambda url: fetched.pop(url, None) or self.fetcher.get(url, MAX_AT_ONCE), asked, AT_ONCE)
        for url, answer in zip(asked, answers, strict=True):
            yield self.fetcher.get(url, MAX_BYTES) if len(answer.content) == MAX_AT_ONCE + 1 else answer

    def _pages(self, document: Document, audit: Audit, robots_of: RobotsOf, asked: set[int]) -> Iterator[Finding]:
        """Yield what is wrong with the listed pages, except those that were listed before or that robots.txt blocks."""
        allowed: list[Entry] = []
        for entry in document.entries:
            url = entry.normal
            if not url or hash(url) in asked:
                continue
            asked.add(hash(url))
            found = None if self.fetcher.is_over else robots_of(urls.origin(url))
            if found and found.keeps_out(url):
                audit.totals.forbidden += 1
            else:
                allowed.append(entry)
        delay = self.fetcher.delays[urls.origin(urls.normalise(document.url))]
        pace = f", one in {delay:g} s, as robots.txt asks" if delay else ""
        in_time = itertools.takewhile(lambda _: not self.fetcher.is_over, allowed)
        audit.totals.late["page"] += len(allowed)
        for page in filter(None, _at_once(partial(fetch_page, self.fetcher, document), in_time, self.fetcher.at_once)):
            audit.totals.late["page"] -= 1
            audit.totals.pages += 1
            audit.tell(f"{audit.totals.pages:,} pages{pace}: {page.url}")
            yield from audit.selection.judge(page)


def _unfetched(child: Child, answer: Answer) -> Child:
    if answer.failure and child.where == child.url:
        raise unreachable(child.url, answer)
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
    )


def _foreign(document: Document, robots_of: RobotsOf) -> Consents:
    """Return the robots.txt files of the other origins that a file lists."""
    own = urls.origin(urls.normalise(document.url))
    foreign = dict.fromkeys(urls.origin(url) for url in document.listed if not url.startswith(own + "/"))
    asked = ((origin, robots_of(origin)) for origin in itertools.islice(foreign, _MOST_FOREIGN))
    return Consents(robots={origin: found for origin, found in asked if found})


def _at_once(ask: Callable[[A], B], items: Iterable[A], most: int) -> Iterator[B]:
    """Yield the answers to several requests in order. Only a few run at the same time."""
    pool = ThreadPoolExecutor(most)
    asked: deque[Future[B]] = deque()
    try:
        for item in items:
            asked.append(pool.submit(ask, item))
            if len(asked) > _MOST_AHEAD * most:  # so one slow answer does not keep the others waiting
                yield asked.popleft().result()
        while asked:
            yield asked.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
