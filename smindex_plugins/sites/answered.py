"""A listed page of a live site, as its server sends it."""

import re
from dataclasses import replace
from email.message import Message

from smindex_plugins import urls
from smindex_plugins.checks import Page
from smindex_plugins.html import directives, parse_head, refresh_target
from smindex_plugins.limits import MAX_PAGE_READ
from smindex_plugins.model import Head
from smindex_plugins.sitemaps import Document, Entry
from smindex_plugins.web import Answer, Fetcher

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_LINK = re.compile(r"<([^<>]*)>([^<]*)")
_CANONICAL = re.compile(r";\s*rel\s*=\s*(?:canonical\b|\"(?:[^\"]*\s)?canonical[\s\"])", re.IGNORECASE)


def fetch_page(fetcher: Fetcher, document: Document, entry: Entry) -> Page | None:
    """Return what is at the URL of an entry: for HTML all that search engines read, for other files the headers.

    The result is None if the time for the whole run is over.
    """
    url = entry.normal
    answer = fetcher.get(url, MAX_PAGE_READ, wants=_is_html)
    if answer.is_late:
        return None
    is_page = answer.status // 100 == 2 and not answer.redirect  # noqa: PLR2004 - HTTP's successes
    return Page(
        document=document,
        entry=entry,
        status=answer.status,
        failure=answer.failure,
        redirect=answer.redirect,
        head=_said(url, answer) if is_page else Head(),
    )


def _is_html(headers: Message) -> bool:
    """Whether a browser would show an answer as a page. It does so, too, if the answer has no type."""
    return "Content-Type" not in headers or headers.get_content_type() in _HTML_TYPES


def _said(url: str, answer: Answer) -> Head:
    for header in answer.headers.get_all("X-Robots-Tag", []):
        if directives.header_forbids_indexing(header):
            return Head(noindex=True, robots=f"X-Robots-Tag: {header}")
    refresh = refresh_target(answer.headers.get("Refresh", ""), url)
    canonical = _canonical(answer, url)
    said = parse_head(answer.content, url) if _is_html(answer.headers) else Head()
    return replace(said, refresh=refresh or said.refresh, canonical=canonical or said.canonical)


def _canonical(answer: Answer, url: str) -> str:
    """Return the other URL that the headers name as canonical (RFC 8288, section 3), or an empty string."""
    for target, parameters in _LINK.findall(",".join(answer.headers.get_all("Link", []))):
        if _CANONICAL.search(parameters) and (found := urls.normal(target.strip(), url)) != url:
            return found
    return ""
