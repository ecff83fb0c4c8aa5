"""Checks of a listed page, based on its file or its server."""

from dataclasses import dataclass, field
from http import HTTPStatus

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    EMPTY_PAGE,
    FALSE_DATE,
    LISTED_ERROR_PAGE,
    MISSING_PAGE,
    NOINDEX_IN_BODY,
    NOINDEX_PAGE,
    PAGE_ERROR,
    PAGE_UNREACHABLE,
)
from smindex_plugins.base.dates import contradicts, utc
from smindex_plugins.base.model import Findings, Head, Spot
from smindex_plugins.base.serving import Served
from smindex_plugins.html.changes import SaidChange
from smindex_plugins.reading.document import Document, Entry

_FIXES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: (
        "Allow search engines to access the page, or remove it from the sitemap."
    ),
    HTTPStatus.FORBIDDEN: "Allow search engines to access the page, or remove it from the sitemap.",
    HTTPStatus.TOO_MANY_REQUESTS: (
        "Make the server accept more requests, or send fewer at a time: --jobs 1."
    ),
}
_FAILED = "Fix the error on the server."
_WITHOUT_CONTENT = {HTTPStatus.NO_CONTENT, HTTPStatus.RESET_CONTENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPage:
    """A listed page, and what is at its URL, on disk or over HTTP."""

    document: Document
    """The sitemap that lists it."""
    entry: Entry
    head: Head = field(default_factory=Head)
    path: str = ""
    """The path of its file, relative to the directory."""
    is_missing: bool = False
    """Whether the directory has no file for it."""
    changed: int | None = None
    """When its source last changed according to git, in seconds since 1970."""
    status: int = 200
    failure: str = ""
    """Why the server did not respond. Empty if it did."""
    redirect: str = ""
    """Where the response redirects to."""
    target_head: Head = field(default_factory=Head)
    """The head of the page that the response redirects to."""
    served: Served | None = None
    """What the host answers according to its files."""
    said_changes: tuple[SaidChange, ...] = ()
    """When the page itself says that it last changed, from each place that says so."""

    @property
    def url(self) -> str:
        """Its normalised URL."""
        return self.entry.normal

    @property
    def spot(self) -> Spot:
        """Its entry as the subject of a finding."""
        return self.document.spot(self.entry)


def missing_page(page: CheckedPage) -> Findings:
    served = page.served
    if served and served.is_missing and served.by_rule:
        problem = (
            f"lists {page.url}, for which a rule returns status {served.status} ({served.where})."
        )
        fix = "Remove the page from the sitemap, or remove the rule."
        yield MISSING_PAGE.at(page.spot, problem, fix)
    elif page.is_missing:
        problem = f"lists {page.url}, but the directory has no file for it."
        yield MISSING_PAGE.at(page.spot, problem)


def page_error(page: CheckedPage) -> Findings:
    status = page.status
    if page.failure or HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return
    where = ""
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        where = " and no Location header"
    problem = f"lists {page.url}, but the server returns status {status}{where}."
    fix = _FIXES.get(status, "") if status < HTTPStatus.INTERNAL_SERVER_ERROR else _FAILED
    yield PAGE_ERROR.at(page.spot, problem, fix)


def page_unreachable(page: CheckedPage) -> Findings:
    if page.failure:
        problem = f"lists {page.url}, which can't be fetched: {page.failure}."
        yield PAGE_UNREACHABLE.at(page.spot, problem)


def empty_page(page: CheckedPage) -> Findings:
    status = f" (status {page.status})" if page.status in _WITHOUT_CONTENT else ""
    if page.head.empty or status:
        problem = f"lists {page.url}, which has no content{status}."
        yield EMPTY_PAGE.at(page.spot, problem)


def noindex_page(page: CheckedPage) -> Findings:
    head = page.head
    if head.noindex:
        tag = f": {head.robots}" if head.robots else ""
        problem = f"lists {page.url}, which is marked noindex{tag}."
        yield NOINDEX_PAGE.at(page.spot, problem)


def noindex_in_body(page: CheckedPage) -> Findings:
    if page.head.noindex_in_body:
        problem = f"lists {page.url}, which has a robots meta tag with noindex in its body."
        yield NOINDEX_IN_BODY.at(page.spot, problem)


def listed_error_page(page: CheckedPage) -> Findings:
    path = page.path or urls.path(page.url).removeprefix("/")
    if urls.is_error_page(path):
        problem = f"lists {page.url}, which is an error page."
        yield LISTED_ERROR_PAGE.at(page.spot, problem)
    elif page.head.not_found:
        problem = f"lists {page.url}, whose title is {page.head.not_found!r}."
        yield LISTED_ERROR_PAGE.at(page.spot, problem)


def false_date(page: CheckedPage) -> Findings:
    lastmod = page.entry.lastmod
    changed = page.changed
    if changed is not None and contradicts(lastmod, changed):
        in_git = utc(changed)
        problem = (
            f"lists {page.entry.url} with the date {lastmod}, but the date in git is {in_git}."
        )
        yield FALSE_DATE.at(page.spot, problem)
