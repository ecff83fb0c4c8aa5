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
from smindex_plugins.html.page import says_not_found
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
        yield MISSING_PAGE.at(
            page.spot, problem, "Remove the page from the sitemap, or remove the rule."
        )
    elif page.is_missing:
        yield MISSING_PAGE.at(page.spot, f"lists {page.url}, but the directory has no file for it.")


def page_error(page: CheckedPage) -> Findings:
    status = page.status
    if not (page.failure or HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES):
        where = (
            " and no Location header"
            if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST
            else ""
        )
        fix = _FIXES.get(status, "") if status < HTTPStatus.INTERNAL_SERVER_ERROR else _FAILED
        yield PAGE_ERROR.at(
            page.spot, f"lists {page.url}, but the server returns status {status}{where}.", fix
        )


def page_unreachable(page: CheckedPage) -> Findings:
    if page.failure:
        yield PAGE_UNREACHABLE.at(
            page.spot, f"lists {page.url}, which cannot be fetched: {page.failure}."
        )


def empty_page(page: CheckedPage) -> Findings:
    status = f" (status {page.status})" if page.status in _WITHOUT_CONTENT else ""
    if page.head.empty or status:
        yield EMPTY_PAGE.at(page.spot, f"lists {page.url}, which has no content{status}.")


def noindex_page(page: CheckedPage) -> Findings:
    if page.head.noindex:
        tag = f": {page.head.robots}" if page.head.robots else ""
        yield NOINDEX_PAGE.at(page.spot, f"lists {page.url}, which is marked noindex{tag}.")


def noindex_in_body(page: CheckedPage) -> Findings:
    if page.head.noindex_in_body:
        yield NOINDEX_IN_BODY.at(
            page.spot, f"lists {page.url}, which has a robots meta tag with noindex in its body."
        )


def listed_error_page(page: CheckedPage) -> Findings:
    if urls.is_error_page(page.path or urls.path(page.url).removeprefix("/")):
        yield LISTED_ERROR_PAGE.at(page.spot, f"lists {page.url}, which is an error page.")
    elif says_not_found(page.head.title):
        title = " ".join(page.head.title.split())
        yield LISTED_ERROR_PAGE.at(page.spot, f"lists {page.url}, whose title is {title!r}.")


def false_date(page: CheckedPage) -> Findings:
    lastmod, changed = page.entry.lastmod, page.changed
    if changed is not None and contradicts(lastmod, changed):
        problem = (
            f"lists {page.entry.url} with the date {lastmod}, but the date in git is"
            f" {utc(changed)}."
        )
        yield FALSE_DATE.at(page.spot, problem)
