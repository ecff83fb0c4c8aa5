"""What can be wrong with a listed page, according to its file or its server."""

from dataclasses import dataclass, field
from http import HTTPStatus

from smindex_plugins import urls
from smindex_plugins.catalogue import (
    CANONICAL_ELSEWHERE,
    EMPTY_PAGE,
    LISTED_ERROR_PAGE,
    MISSING_PAGE,
    NOINDEX_PAGE,
    PAGE_ERROR,
    PAGE_REDIRECTS,
    PAGE_UNREACHABLE,
)
from smindex_plugins.checks.rule import At, Findings, check, shown
from smindex_plugins.model import Head

_WITHOUT_CONTENT = {HTTPStatus.NO_CONTENT, HTTPStatus.RESET_CONTENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A listed page, and what is at its URL, on disk or over HTTP."""

    url: str
    """Its normalised URL."""
    where: str
    """The sitemap that lists it."""
    file: str = ""
    line: int = 0
    is_missing: bool = False
    """Whether the directory has no file for it."""
    status: int = 200
    failure: str = ""
    """Why no answer came, if so."""
    redirect: str = ""
    """Where the answer redirects to."""
    said: Head = field(default_factory=Head)
    path: str = ""
    """The path of its file, relative to the directory."""


def has_nothing_wrong(said: Head, path: str) -> bool:
    """Whether no check below finds anything in a page that is in a directory, as is true of most, of millions."""
    return said == Head() and not urls.is_error_page(path)


@check(Listed, MISSING_PAGE)
def missing_page(page: Listed, at: At) -> Findings:
    if page.is_missing:
        yield at(page, f"lists {page.url}, but the directory has no such page.", line=page.line)


@check(Listed, PAGE_ERROR)
def page_error(page: Listed, at: At) -> Findings:
    if page.status >= 300 or 0 < page.status < 200:  # noqa: PLR2004 - where successes begin in HTTP, and end
        without = " and no Location header" if page.status < 400 else ""  # noqa: PLR2004 - and redirects
        yield at(page, f"lists {page.url}, but the server answers with status {page.status}{without}.", line=page.line)


@check(Listed, EMPTY_PAGE)
def empty_page(page: Listed, at: At) -> Findings:
    if page.said.empty or page.status in _WITHOUT_CONTENT:
        status = f" (status {page.status})" if page.status in _WITHOUT_CONTENT else ""
        yield at(page, f"lists {page.url}, which has no content{status}.", line=page.line)


@check(Listed, PAGE_UNREACHABLE)
def page_unreachable(page: Listed, at: At) -> Findings:
    if page.failure:
        yield at(page, f"lists {page.url}, which cannot be fetched: {page.failure}.", line=page.line)


@check(Listed, PAGE_REDIRECTS)
def page_redirects(page: Listed, at: At) -> Findings:
    target = page.redirect or page.said.refresh
    if target and target != page.url:
        yield at(page, f"lists {page.url}, which redirects to {target}.", line=page.line)


@check(Listed, NOINDEX_PAGE)
def noindex_page(page: Listed, at: At) -> Findings:
    if page.said.noindex:
        said = f": {shown(page.said.robots)}" if page.said.robots else ""
        yield at(page, f"lists {page.url}, which is marked noindex{said}.", line=page.line)


@check(Listed, CANONICAL_ELSEWHERE)
def canonical_elsewhere(page: Listed, at: At) -> Findings:
    canonical = page.said.canonical
    if canonical and canonical != page.url:
        yield at(page, f"lists {page.url}, whose canonical URL is {canonical}.", line=page.line)


@check(Listed, LISTED_ERROR_PAGE)
def listed_error_page(page: Listed, at: At) -> Findings:
    if urls.is_error_page(page.path or urls.path(page.url).removeprefix("/")):
        yield at(page, f"lists {page.url}, which is an error page.", line=page.line)
