"""What can be wrong with a listed page, according to its file or its server."""

from dataclasses import dataclass, field
from http import HTTPStatus

from smindex_plugins import urls
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


@check(
    Listed,
    "warning",
    "Not found (404)",
    fix="Build the page, or build the sitemaps again without it.",
    runs=("directory",),
)
def missing_page(page: Listed, at: At) -> Findings:
    """The directory of the site has a file for every listed page."""
    if page.is_missing:
        yield at(page, f"lists {page.url}, but the directory has no such page.", line=page.line)


@check(Listed, "error", "Not found (404)", fix="Publish the page, or leave it out of the sitemap.", runs=("pages",))
def page_error(page: Listed, at: At) -> Findings:
    """The server does not answer a listed page with an error."""
    if page.status >= 400 or 0 < page.status < 200:  # noqa: PLR2004 - where errors begin in HTTP, and successes
        yield at(page, f"lists {page.url}, but the server answers with status {page.status}.", line=page.line)


@check(
    Listed,
    "error",
    "Redirect error",
    fix="Make the server send the page, or name the new URL in a Location header.",
    runs=("pages",),
)
def broken_redirect(page: Listed, at: At) -> Findings:
    """A listed page that redirects says where it leads."""
    if 300 <= page.status < 400:  # noqa: PLR2004 - HTTP's redirects
        problem = f"lists {page.url}, but the server answers with status {page.status} and no Location header."
        yield at(page, problem, line=page.line)


@check(Listed, "warning", fix="Make the server answer with 200.", runs=("pages",))
def unusual_status(page: Listed, at: At) -> Findings:
    """The server answers a listed page with 200, not with another status of success."""
    if 200 < page.status < 300 and page.status not in _WITHOUT_CONTENT:  # noqa: PLR2004 - HTTP's successes
        yield at(page, f"lists {page.url}, but the server answers with status {page.status}.", line=page.line)


@check(Listed, "warning", "Soft 404", fix="Add content to it, or leave it out of the sitemap.")
def empty_page(page: Listed, at: At) -> Findings:
    """A listed page has visible content."""
    if page.said.empty or page.status in _WITHOUT_CONTENT:
        status = f" (status {page.status})" if page.status in _WITHOUT_CONTENT else ""
        yield at(page, f"lists {page.url}, which has no content{status}.", line=page.line)


@check(Listed, "error", "URLs not accessible", fix="Make sure that the server sends the page.", runs=("pages",))
def page_unreachable(page: Listed, at: At) -> Findings:
    """The server answers when a listed page is requested."""
    if page.failure:
        yield at(page, f"lists {page.url}, which cannot be fetched: {page.failure}.", line=page.line)


@check(Listed, "warning", "URLs not followed", fix="List the URL that it leads to.")
def page_redirects(page: Listed, at: At) -> Findings:
    """A listed page does not redirect."""
    target = page.redirect or page.said.refresh
    if target and target != page.url:
        yield at(page, f"lists {page.url}, which redirects to {target}.", line=page.line)


@check(
    Listed,
    "warning",
    "Excluded by 'noindex' tag",
    fix="If search engines should find the page, remove the noindex. If not, leave it out of the sitemap.",
)
def noindex_page(page: Listed, at: At) -> Findings:
    """A listed page is not marked noindex."""
    if page.said.noindex:
        said = f": {shown(page.said.robots)}" if page.said.robots else ""
        yield at(page, f"lists {page.url}, which is marked noindex{said}.", line=page.line)


@check(Listed, "warning", "Alternate page with proper canonical tag", fix="List the canonical URL.")
def canonical_elsewhere(page: Listed, at: At) -> Findings:
    """A listed page has no canonical URL other than its own."""
    canonical = page.said.canonical
    if canonical and canonical != page.url:
        yield at(page, f"lists {page.url}, whose canonical URL is {canonical}.", line=page.line)


@check(Listed, "warning", "Soft 404", fix="Leave it out of the sitemap.")
def listed_error_page(page: Listed, at: At) -> Findings:
    """No sitemap lists an error page."""
    if urls.is_error_page(page.path or urls.path(page.url).removeprefix("/")):
        yield at(page, f"lists {page.url}, which is an error page.", line=page.line)
