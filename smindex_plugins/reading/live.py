"""Reads a live site: its robots.txt, the indexes and sitemaps that it lists, and single pages."""

import codecs
import io
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.message import Message
from http import HTTPStatus
from itertools import chain, islice
from typing import TypeVar

from smindex_plugins.base import files, urls
from smindex_plugins.base.limits import MAX_BYTES, MAX_FILES, MAX_PAGE_READ, MAX_ROBOTS
from smindex_plugins.base.model import Head
from smindex_plugins.base.text import ExplainedError
from smindex_plugins.html import directives
from smindex_plugins.html.page import parse_head, refresh_target
from smindex_plugins.reading.answer import Answer
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import (
    USUAL_PATHS,
    Candidate,
    choose,
)
from smindex_plugins.reading.found import Delivery, Found, Listing, Reached
from smindex_plugins.reading.reader import read
from smindex_plugins.reading.walking import PartlyReadError, Totals, Walk, named_by
from smindex_plugins.reading.web import AT_ONCE, Fetcher
from smindex_plugins.writing import robots
from smindex_plugins.writing.names import PEEKED, ROBOTS, is_marked
from smindex_plugins.writing.robots import Consents, Robots

_MOST_FOREIGN = 10
"""The maximum number of other hosts whose robots.txt is fetched for one sitemap."""
_MOST_COMPARED = 2 * AT_ONCE
"""The most files that are kept in memory to compare them as entry points."""
_MOST_DELAY = 10.0
"""The longest Crawl-delay that is honoured, in seconds."""
_PAGES_AHEAD = 16
"""How many pages per thread may wait for earlier ones."""
_PAGE_NAME = re.compile(r"[^.]*|.+\.(?:[sx]?html?|php|aspx?|jsp)", re.IGNORECASE)
"""The last part of a path of a page, not of a sitemap."""
_PORT = re.compile(r":\d+\Z")
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_LINK = re.compile(r"<([^<>]*)>([^<]*)")
_CANONICAL = re.compile(
    r";\s*rel\s*=\s*(?:canonical\b|\"(?:[^\"]*\s)?canonical[\s\"])", re.IGNORECASE
)
_GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
_PAGE = re.compile(
    rb"(?:\s++|<\?xml(?>.*?\?>)|<!--(?>.*?-->))*+<(?:!doctype\s+html|html|head|body|title|h1)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
"""The start of an HTML page, which may lack its first tags."""
_PASSWORD = re.compile(rb"<input\b[^>]*\btype\s*=\s*[\"']?password\b", re.IGNORECASE)
"""A field for a password in a page."""

A = TypeVar("A")
B = TypeVar("B")


class UnreachableError(ExplainedError):
    """The site is unreachable."""


class NoLiveSitemapError(UnreachableError):
    """The site is reachable, and its responses show that it has no sitemap."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(_advised(url, why))
        self.why = why


@dataclass(slots=True, kw_only=True)
class Live:
    """A site on the web."""

    url: str
    """The normalized URL of the site, an index or a sitemap."""
    fetcher: Fetcher = field(default_factory=Fetcher)
    consents: Consents = field(default_factory=Consents)
    """The given robots.txt files of other origins. All others are fetched."""
    unread: dict[str, str] = field(default_factory=dict)
    """The usual URLs of sitemaps for which the server sends an error, so that one can be there,
    each with the error."""
    why_none: str = ""
    """Why the site has no sitemap, if its responses show that. Missing ones may be listed."""
    within: str = ""
    """The URL of the site, if only sitemaps elsewhere on its host may list its pages."""
    _robots: dict[str, Robots | None] = field(default_factory=dict)
    """The robots.txt of each origin, or None if it has none."""
    _answers: dict[str, Answer] = field(default_factory=dict)
    """The responses for sitemaps that were fetched to find the first one."""

    def files(self) -> Iterator[Found]:
        """Yield every sitemap and index, including those that are missing or can't be fetched.

        Raises:
            UnreachableError: the site does not respond, or has no sitemap at the expected
                locations. It is a NoLiveSitemapError if its responses show that it has none.
            PartlyReadError: some were not requested.
        """
        totals = Totals()
        groups, _ = self.begin(totals)
        yield from self.traverse(groups, totals)
        skipped = totals.skipped_in_words()
        if skipped:
            raise PartlyReadError(self.url, f"not read: {skipped[0]}")

    def entry_files(self) -> Iterator[Found]:
        """Yield the indexes and sitemaps to start with, without those that only repeat the pages of
        others.

        Raises:
            UnreachableError: the site does not respond, or has no sitemap at the expected
                locations.
        """
        totals = Totals()
        groups, _ = self.begin(totals)
        if len(groups) == 1:
            for listing in groups[0]:
                reached = _reached(listing, self._fetch(listing.url))
                yield Found(document=reached.document, listing=listing, delivery=reached.delivery)
            return
        starts = {listing.url for listing in chain.from_iterable(groups)}
        for found in self.traverse(groups, totals):  # the pages show what repeats others
            is_start = found.document.url in starts
            is_entry_point = found.listing.by is None or found.listing.is_only_named
            is_there = found.share.counts and not found.delivery.is_missing
            if is_start and is_entry_point and is_there:
                yield found

    def why_kept_out(self, url: str) -> str:
        """Return why the robots.txt of its origin prevents requesting a URL, or an empty string."""
        found = self.robots_of(urls.origin(url))
        if found is None or not found.keeps_out(url):
            return ""
        if found.failure:
            return f"can't be fetched: {found.failure}"
        return "forbids it"

    def answer(self, url: str) -> Answer:
        """Return the response for a page. Redirects are not followed."""
        return self.fetcher.send("GET", url, most=MAX_PAGE_READ, wants=_is_html)

    def page(self, url: str) -> Answer:
        """Return the response for a page after its redirects.

        For HTML, everything that search engines read is fetched, and for other files only the
        headers.
        """
        return self.fetcher.get(url, MAX_PAGE_READ, wants=_is_html)

    def head(self, url: str, answer: Answer) -> Head:
        """Return what the head of a page and its response headers declare."""
        return _head(url, answer)

    def each(self, ask: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """Yield the responses for some items in order. Several are requested at the same time."""
        threads = self.fetcher.at_once
        return _in_order(ask, items, threads, _PAGES_AHEAD * threads)

    def begin(self, totals: Totals) -> tuple[list[list[Listing]], Robots | None]:
        """Return the sitemaps to start with in groups, the most important first, and the robots.txt
        of the site.

        These are the requested sitemap, the ones in robots.txt, or those with usual names.

        Raises:
            UnreachableError: there is none.
        """
        self.fetcher.allow(self.url)
        url = _find_site(self.url, self.fetcher)
        origin = urls.origin(url)
        robots_answer = self.fetcher.get(f"{origin}/{ROBOTS}", MAX_ROBOTS)
        own_robots = self._read_robots(origin, robots_answer)
        self._robots[origin] = own_robots
        is_moved = not self.url.startswith(url.rstrip("/"))  # a missing slash makes no difference
        if is_moved:
            totals.unseen.append(f"{self.url} itself (it leads to {url})")

        named = named_by(own_robots, url)
        if not url.endswith("/"):
            requested = [listing for listing in named if listing.url == url]
            return [requested or [Listing(url)]], own_robots
        inside = [listing for listing in named if urls.is_within(listing.url, url)]
        if inside and not self._are_missing(inside):
            listings = [*inside, *self._unnamed_index(url, inside)]
            return self._in_groups(listings), own_robots
        tried = self._try_usual(url)
        usual = self._usual(tried)
        if usual:
            self._note_unread(tried, totals)
            return self._in_groups([*usual, *inside]), own_robots

        robots_doubt = _doubt(robots_answer)
        doubt = _first_doubt({**tried, url: self.page(url)})
        why = f"{_about_robots(robots_answer, robots_doubt, named)}, {_about_usual(tried)}"
        if is_moved:
            why = f"it leads to {url}; {why}"
        elif not (robots_doubt or doubt):
            self.why_none = why
        if named:
            self.within = url
            return self._in_groups(named), own_robots
        if self.why_none:
            raise NoLiveSitemapError(self.url, why)
        if doubt:
            why = f"{why} ({doubt})"
        raise UnreachableError(_advised(self.url, why))

    def _note_unread(self, tried: Mapping[str, Answer], totals: Totals) -> None:
        """Note at which usual URLs of sitemaps the server sends an error."""
        for place, answer in tried.items():
            if answer.failure or _is_refused(answer):
                self.unread[place] = answer.problem
        for place, problem in self.unread.items():
            totals.unseen.append(f"{place} ({problem})")

    def _try_usual(self, url: str) -> dict[str, Answer]:
        """Return the responses for the usual URLs of a site's sitemaps."""
        places = [url + name for name in USUAL_PATHS]
        answers = _in_order(self._fetch, places, AT_ONCE, AT_ONCE)
        return dict(zip(places, answers, strict=True))

    def _are_missing(self, listings: Sequence[Listing]) -> bool:
        """Whether the server has none of some sitemaps. If there are many, they are not
        requested.
        """
        if len(listings) > _MOST_COMPARED:
            return False
        self._ask_for(listings)
        return all(self._answers[listing.url].status in _GONE for listing in listings)

    def _ask_for(self, listings: Iterable[Listing]) -> None:
        """Fetch some sitemaps, and keep the responses."""
        asked = [listing.url for listing in listings if listing.url not in self._answers]
        answers = _in_order(self._fetch, asked, AT_ONCE, AT_ONCE)
        self._answers.update(zip(asked, answers, strict=True))

    def _unnamed_index(self, url: str, named: list[Listing]) -> list[Listing]:
        """Return the index of this tool at its usual place, if robots.txt only names other sitemaps
        of the site.
        """
        place = url + USUAL_PATHS[0]
        if len(named) >= _MOST_COMPARED or any(listing.url == place for listing in named):
            return []
        answer = self.fetcher.get(place, MAX_BYTES)
        if not answer.is_ok:
            return []
        start = files.unpacked(answer.content[:PEEKED], PEEKED)
        if not is_marked(start):
            return []
        self._answers[place] = answer
        return [Listing(place)]

    def _usual(self, tried: Mapping[str, Answer]) -> list[Listing]:
        """Return the URLs with a usual name at which the server sends a file, not a page.

        Keep the responses.
        """
        found: list[Listing] = []
        ends: set[str] = set()
        for url, answer in tried.items():
            is_other = answer.url != url and answer.url in tried
            if not answer.is_ok or _is_page(answer) or is_other or answer.url in ends:
                continue
            ends.add(answer.url)
            self._answers[url] = answer
            found.append(Listing(url))
        return found

    def _in_groups(self, listings: list[Listing]) -> list[list[Listing]]:
        """Return the entry points among sitemaps in groups.

        If there are many, they are not compared beforehand.
        """
        if len(listings) == 1 or len(listings) > _MOST_COMPARED:
            return [listings]
        by_url = {listing.url: listing for listing in listings}
        self._ask_for(listings)

        candidates = []
        for listing in listings:
            answer = self._answers[listing.url]
            candidates.append(_candidate(listing, answer))
        groups = []
        reached = set()
        for candidates_of_group in choose(candidates):
            group = []
            for candidate in candidates_of_group:
                group.append(by_url[candidate.place])
                reached.add(candidate.place)
            groups.append(group)
        others = []
        for listing in listings:
            if listing.url in reached:
                continue
            if listing.named_by:
                others.append(listing)
            else:
                self._answers.pop(listing.url)
        if others:
            groups.append(others)
        return groups

    def _fetch(self, url: str) -> Answer:
        earlier = self._answers.pop(url, None)
        if earlier is not None:
            return earlier
        return self.fetcher.get(url, MAX_BYTES)

    def robots_of(self, origin: str) -> Robots | None:
        """Return the robots.txt of an origin, or None if it has none."""
        if origin not in self._robots:
            given = self.consents.readable()
            if origin in given:
                self._robots[origin] = given[origin]
            else:
                answer = self.fetcher.get(f"{origin}/{ROBOTS}", MAX_ROBOTS)
                self._robots[origin] = self._read_robots(origin, answer)
        return self._robots[origin]

    def _read_robots(self, origin: str, answer: Answer) -> Robots | None:
        url = f"{origin}/{ROBOTS}"
        if answer.is_ok:
            found = robots.parse(answer.content, url, url=url)
            self.fetcher.delays[origin] = min(found.delay, _MOST_DELAY)
            return found
        # RFC 9309, section 2.3.1
        if answer.failure or _is_refused(answer):
            return Robots(where=url, url=url, failure=answer.problem)
        return None

    def proven(self, found: Found) -> frozenset[str]:
        """Return the other origins that a file may list, because their robots.txt lists it or its
        index.
        """
        document = found.document
        own = urls.origin(document.url) + "/"
        foreign = [url for url in document.listed if not url.startswith(own)]
        origins = dict.fromkeys(map(urls.origin, foreign))
        consents = {}
        for origin in islice(origins, _MOST_FOREIGN):
            theirs = self.robots_of(origin)
            if theirs:
                consents[origin] = theirs
        return Consents(consents).proven(document.url, found.lister.where)

    def traverse(self, groups: list[list[Listing]], totals: Totals) -> Iterator[Found]:
        """Yield the sitemaps, each fetched once.

        Raises:
            UnreachableError: the requested one can't be fetched.
        """

        def fetch(listing: Listing) -> Answer:
            return self._fetch(listing.url)

        def read_all(listings: list[Listing]) -> Iterator[Reached]:
            for first in range(0, len(listings), AT_ONCE):
                batch = listings[first : first + AT_ONCE]
                # so no page is requested in the meantime
                answers = list(_in_order(fetch, batch, AT_ONCE, AT_ONCE))
                for listing, answer in zip(batch, answers, strict=True):
                    if answer.is_late and listing.by:
                        totals.skip("sitemap", self.late)
                    else:
                        yield _reached(listing, answer)

        return Walk(groups=groups, read=read_all, totals=totals, most=MAX_FILES).files()

    @property
    def late(self) -> str:
        """Why something was not requested after the time limit of the run, as text that follows a
        count.
        """
        return f"not requested in time (--deadline {self.fetcher.deadline:g})"


def _find_site(url: str, fetcher: Fetcher) -> str:
    """Return the URL to start with. An address can redirect, lack its trailing slash, or be a page.

    Raises:
        UnreachableError: there is no connection to the server.
    """
    name = url.partition("?")[0].rpartition("/")[2]
    if not _PAGE_NAME.fullmatch(name):
        return url
    answer = fetcher.get(url, MAX_BYTES if name else 0)
    if not answer.is_reached:
        raise _unreachable(url, answer)
    if name:
        is_page = answer.is_ok and _is_page(answer)
        return _directory_of_page(answer.url) if is_page else url
    if answer.failure:
        return url
    # On the same host, an address can lead to its default language or to its first page.
    same_path = urls.origin(answer.url) + urls.path(url)
    if answer.url.startswith(same_path):
        return same_path
    return urls.directory(answer.url)


def _directory_of_page(url: str) -> str:
    page = url.partition("?")[0]
    name = page.rpartition("/")[2]
    if "." in name:
        return urls.directory(page)
    return page.rstrip("/") + "/"


def _unreachable(url: str, answer: Answer) -> UnreachableError:
    """Return the error for a response that is missing or can't be read."""
    problem = answer.failure
    if not answer.is_reached:
        host = urls.origin(answer.url).partition("://")[2]
        host = _PORT.sub("", host)
        problem = f"can't reach {host}: {problem}"
    if answer.redirect:
        problem = f"it redirects to {answer.url}; {problem}"
    return UnreachableError(f"{url}: {problem}")


def _advised(url: str, why: str) -> str:
    return f"{url}: {why}; pass the URL of the sitemap or the index"


def _about_robots(answer: Answer, doubt: str, named: Sequence[Listing]) -> str:
    """Return why a robots.txt leads to no sitemap of a site."""
    if doubt:
        return f"robots.txt can't be fetched ({doubt})"
    if not answer.is_ok:
        return "there is no robots.txt"
    if named:
        return "the sitemaps in robots.txt are missing or list no page of the site"
    return "robots.txt lists no sitemap"


def _about_usual(tried: Mapping[str, Answer]) -> str:
    """Return why the usual names of sitemaps lead to none."""
    pages = [usual for usual, answer in tried.items() if answer.is_ok]
    if pages:
        return (
            "and at the usual names of sitemaps the server returns only HTML pages, such as"
            f" {pages[0]}"
        )
    return f"and no sitemap has one of the usual names, {', '.join(USUAL_PATHS)}"


def _first_doubt(places: Mapping[str, Answer]) -> str:
    """Return the first place where a sitemap can be, with the reason, or an empty string."""
    for place, answer in places.items():
        doubt = _doubt(answer)
        if doubt:
            return f"{place}: {doubt}"
    return ""


def _doubt(answer: Answer) -> str:
    """Return why the response for a place where a sitemap can be leaves open whether there is one.

    A missing file and a page in its place show that there is none. A page to which it redirects can
    be a login.
    """
    if answer.status in _GONE:
        return ""
    if not answer.is_ok:
        return answer.problem
    if not _is_page(answer):
        return ""
    if answer.redirect:
        return f"it redirects to the page {answer.redirect}"
    if _PASSWORD.search(answer.content):
        return "its page asks for a password"
    return ""


def _reached(listing: Listing, answer: Answer) -> Reached:
    """Return a sitemap or an index as sent by its server.

    Raises:
        UnreachableError: it is the requested one, and the server does not send it.
    """
    document = Document(url=listing.url)
    redirect = answer.redirect or None
    if answer.is_ok:
        content_type = None
        if "Content-Type" in answer.headers:
            content_type = answer.headers.get_content_type()
        document = read(io.BytesIO(answer.content), document)
        delivery = Delivery(redirect=redirect, content_type=content_type)
    elif answer.failure and not listing.by:
        raise _unreachable(listing.url, answer)
    elif answer.status in _GONE:
        delivery = Delivery(is_missing=True, redirect=redirect)
    else:
        delivery = Delivery(failure=answer.problem, redirect=redirect)
    return Reached(document=document, listing=listing, delivery=delivery)


def _candidate(listing: Listing, answer: Answer) -> Candidate:
    """Return a response as a file that can be an entry point."""

    def children() -> Iterator[str]:
        document = read(io.BytesIO(answer.content), Document(url=listing.url))
        for _, url in document.children:
            yield url

    content = answer.content if answer.is_ok else b""
    return Candidate.of(listing.url, content, children, is_named=listing.named_by is not None)


def _is_refused(answer: Answer) -> bool:
    """Whether a response leaves open what is there, because the server or its limits prevent a
    better one.
    """
    return (
        answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        or answer.status == HTTPStatus.TOO_MANY_REQUESTS
    )


def _is_page(answer: Answer) -> bool:
    """Whether a response is an HTML page, regardless of its content type."""
    start = answer.content[:PEEKED].removeprefix(codecs.BOM_UTF8)
    return _PAGE.match(start) is not None


def _is_html(headers: Message) -> bool:
    """Whether a browser would show a response as a page, as it also does without a content type."""
    return "Content-Type" not in headers or headers.get_content_type() in _HTML_TYPES


def _head(url: str, answer: Answer) -> Head:
    """Return what the head of a page and its response headers declare."""
    headers = answer.headers
    for header in headers.get_all("X-Robots-Tag", []):
        if directives.header_forbids_indexing(header):
            return Head(noindex=True, robots=f"X-Robots-Tag: {header}")
    head = parse_head(answer.content, url) if _is_html(headers) else Head()
    refresh = refresh_target(headers.get("Refresh", ""), url)
    canonical = _canonical(headers, url)
    return replace(head, refresh=refresh or head.refresh, canonical=canonical or head.canonical)


def _canonical(headers: Message, url: str) -> str:
    """Return another URL that response headers declare as the canonical one, or an empty string."""
    # RFC 8288, section 3
    links = ",".join(headers.get_all("Link", []))
    for target, parameters in _LINK.findall(links):
        if _CANONICAL.search(parameters):
            canonical = urls.normal(target.strip(), url)
            if canonical and canonical != url:
                return canonical
    return ""


def _in_order(ask: Callable[[A], B], items: Iterable[A], threads: int, ahead: int) -> Iterator[B]:
    """Yield the answers for some items in order. Only a few are requested ahead of the next one."""
    from concurrent.futures import Future, ThreadPoolExecutor  # noqa: PLC0415 - takes 5 ms to load, and directories need no threads

    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[B]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(ask, item))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
