"""What can be wrong with the entries of one file: their URLs and their dates."""

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from smindex_plugins import urls
from smindex_plugins.addresses import who_reaches
from smindex_plugins.catalogue import (
    DOUBLED_SLASH,
    DUPLICATE_URL,
    FUTURE_DATE,
    INVALID_DATE,
    INVALID_URL,
    NESTED_INDEX,
    OUTSIDE_SCOPE,
    PRIVATE_HOST,
    SITEMAP_OUTSIDE_INDEX,
    STALE_INDEX_DATE,
    TWICE_ESCAPED_URL,
    UNESCAPED_URL,
    URL_TOO_LONG,
    URL_WITH_FRAGMENT,
    WWW_MISMATCH,
)
from smindex_plugins.checks.rule import At, Findings, check, shown
from smindex_plugins.dates import is_future, is_surely_later, read_w3c, utc
from smindex_plugins.limits import MAX_URL_LENGTH
from smindex_plugins.model import Spot
from smindex_plugins.sitemaps import Document, Entry

# RFC 3986, appendix A: what may stand in a URL at all; a percent sign only before two hexadecimal digits.
_ALLOWED = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);")
_SAMPLE = 1_000
"""URLs that show the host of a file. Those of another host are outside its scope."""


def _written(document: Document) -> Iterator[tuple[Entry, str, str]]:
    """Return the entries whose URLs are not in normal form, with the URL and the normal form."""
    return ((entry, entry.url, entry.normal) for entry in document.entries if entry.url != entry.normal)


@check(Document, INVALID_URL)
def invalid_url(document: Document, at: At) -> Findings:
    for entry, url, normal in _written(document):
        if not normal:
            why = _why_invalid(url)
            is_absolute = url.strip().lower().startswith(("https://", "http://"))
            yield at(document.spot(entry), f"{why}.", "Correct the part that is wrong." if is_absolute else "")


def _why_invalid(url: str) -> str:
    try:
        urls.normalise(url)
    except ValueError as error:
        return str(error)
    return f"{shown(url)!r} is not a URL"


@check(Document, UNESCAPED_URL)
def unescaped_url(document: Document, at: At) -> Findings:
    for entry, url, normal in _written(document):
        if normal and not _ALLOWED.fullmatch(url):
            problem = f"lists {shown(url)!r}, which is not percent-encoded."
            yield at(document.spot(entry), problem, f"Write {shown(normal)}.")


@check(Document, TWICE_ESCAPED_URL)
def twice_escaped_url(document: Document, at: At) -> Findings:
    for entry in document.entries:
        url = entry.url
        if "&" in url and _ENTITY.search(url):
            problem = f"lists {shown(url)}, whose '&' is escaped twice."
            fix = f"Write {shown(html.unescape(url))}, and escape that once."
            yield at(document.spot(entry), problem, fix)


@check(Document, DOUBLED_SLASH)
def doubled_slash(document: Document, at: At) -> Findings:
    for entry in document.entries:
        url = entry.url
        # That of the scheme is before this; one after a colon is of a URL inside the path.
        if (place := url.find("//", len("https://"))) > 0 and url[place - 1] != ":" and "?" not in url[:place]:
            yield at(document.spot(entry), f"lists {shown(url)}, which has // in its path.")


@check(Document, PRIVATE_HOST)
def private_host(document: Document, at: At) -> Findings:
    if not document.file:  # over HTTP, it is reached
        return
    for origin in dict.fromkeys(urls.origin(normal) for normal in document.listed[:_SAMPLE]):
        if who := who_reaches(origin + "/"):
            entry = next(each for each in document.entries if each.normal.startswith(origin + "/"))
            problem = f"lists URLs of {origin}, which only {who} can reach."
            yield at(document.spot(entry), problem)


@check(Document, URL_WITH_FRAGMENT)
def url_with_fragment(document: Document, at: At) -> Findings:
    for entry, url, normal in _written(document):
        if normal and "#" in url:
            yield at(document.spot(entry), f"lists {shown(url)}, which has a fragment.")


@check(Document, URL_TOO_LONG)
def url_too_long(document: Document, at: At) -> Findings:
    for entry in document.entries:
        url = entry.url
        if len(url) > MAX_URL_LENGTH:
            problem = f"lists a URL of {len(url):,} characters, {url[:80]}…; the protocol allows {MAX_URL_LENGTH:,}."
            yield at(document.spot(entry), problem)


def _outside(document: Document, *, differs_by_www: bool) -> Iterator[Entry]:
    """Return the entries with URLs outside the scope: those on a host that differs only by www., or all others."""
    scope = document.scope
    own = urls.origin(scope)
    for entry in document.entries:
        if not entry.normal or entry.normal.startswith(scope):
            continue
        scheme, _, host = (origin := urls.origin(entry.normal)).partition("://")
        twin = f"{scheme}://{host.removeprefix('www.') if host.startswith('www.') else 'www.' + host}"
        if (twin == own) is differs_by_www and origin not in document.proven:
            yield entry


@check(Document, WWW_MISMATCH)
def www_mismatch(document: Document, at: At) -> Findings:
    for entry in _outside(document, differs_by_www=True):
        problem = f"lists {shown(entry.normal)}, but the file itself is at {document.scope}."
        yield at(document.spot(entry), problem)


@check(Document, SITEMAP_OUTSIDE_INDEX)
def sitemap_outside_index(document: Document, at: At) -> Findings:
    if document.kind == "sitemapindex":
        for entry in _outside(document, differs_by_www=False):
            problem = f"lists {shown(entry.url)}, which is outside {document.scope}."
            fix = "Move the sitemap below the index, or list it in an index above it."
            fix = _fix_of_host(document, entry) or fix
            yield at(document.spot(entry), problem, fix)


@check(Document, OUTSIDE_SCOPE)
def outside_scope(document: Document, at: At) -> Findings:
    if document.kind != "sitemapindex":
        for entry in _outside(document, differs_by_www=False):
            problem = f"lists {shown(entry.url)}, which is outside {document.scope}."
            yield at(document.spot(entry), problem, _fix_of_host(document, entry))


def _fix_of_host(document: Document, entry: Entry) -> str:
    """Return how to fix a URL with another scheme, host or port than the file's, or an empty string if they are equal.

    Only for a directory can the command have got a wrong address, or not know who agrees.
    """
    own, other = urls.origin(document.scope), urls.origin(entry.normal)
    if own == other:
        return ""
    address = ". If that is not the site's address, give the right one with --site-url" if document.file else ""
    if _host(own) == _host(other):
        return f"Begin the URL with {own}, where the file itself is{address}."
    proof = f" and give --cross-site {other}" if document.file else ""
    agreed = f"let {other}/robots.txt name the index{proof}"
    where = "an index" if document.kind == "sitemapindex" else "a sitemap"
    built = address or ". If both are the same site, build it again with this address"
    return f"List it in {where} at {other}, or {agreed}. The file itself is at {own}{built}."


def _host(origin: str) -> str:
    return origin.partition("://")[2].partition(":")[0]


@check(Document, NESTED_INDEX)
def index_lists_itself(document: Document, at: At) -> Findings:
    if document.kind == "sitemapindex":
        own = urls.normalise(document.url)
        for entry in document.entries:
            if entry.normal == own:
                yield at(document.spot(entry), "it lists itself.", "Remove the entry.")


@check(Document, DUPLICATE_URL)
def duplicate_sitemap(document: Document, at: At) -> Findings:
    seen: set[str] = set()
    if document.kind == "sitemapindex":
        for entry in document.entries:
            if entry.normal in seen:
                problem = f"it lists {shown(entry.normal)} more than once."
                yield at(document.spot(entry), problem, "Remove one of its entries.")
            seen.add(entry.normal or entry.url)


def _first(document: Document, lastmod: str) -> Spot:
    """Return the first entry with a date as the subject of a finding."""
    return document.spot(next(entry for entry in document.entries if entry.lastmod == lastmod))


def _dates(document: Document) -> Iterator[tuple[str, str]]:
    """Return each different date of a file, as written and in the form of `dates`."""
    return ((text, date) for text, (date, _) in document.read_dates.items() if date)


@check(Document, INVALID_DATE)
def invalid_date(document: Document, at: At) -> Findings:
    wrong = {text: problem for text, (_, problem) in document.read_dates.items() if problem}
    for entry in document.entries if wrong else ():
        if (text := entry.lastmod) in wrong:
            yield at(document.spot(entry), f"its date {text[:40]!r} is wrong: {wrong[text]}.")


@check(Document, FUTURE_DATE)
def future_date(document: Document, at: At) -> Findings:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    today = utc(datetime.now(UTC))  # what is not later than this need not be looked at closely
    for text, date in _dates(document):
        if date > today and is_future(date, tomorrow):
            problem = f"its date {text} is in the future."
            yield at(_first(document, text), problem, "Write when the page last changed.")


@check(Document, STALE_INDEX_DATE)
def stale_index_date(document: Document, at: At) -> Findings:
    listed = read_w3c(document.lastmod)[0] if document.lastmod else ""
    newest = max((date for _, date in _dates(document)), default="")
    if listed and newest and is_surely_later(newest, listed):
        yield at(
            document, f"the index gives it the date {document.lastmod}, but a page in it has the newer date {newest}."
        )
