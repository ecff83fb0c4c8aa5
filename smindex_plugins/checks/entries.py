"""What can be wrong with the entries of one file: their URLs and their dates."""

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from smindex_plugins import urls
from smindex_plugins.catalogue import FUTURE_DATE, SITEMAP_OUTSIDE_INDEX
from smindex_plugins.checks.rule import At, Findings, check, shown
from smindex_plugins.dates import has_day, is_future, is_surely_later, read_w3c, utc
from smindex_plugins.limits import MAX_URL_LENGTH, MIN_URL_LENGTH, YANDEX_URL_LENGTH
from smindex_plugins.sitemaps import Document

# RFC 3986, appendix A: what may stand in a URL at all; a percent sign only before two hexadecimal digits.
_ALLOWED = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);")
_PRIVATE = re.compile(
    r"(?:localhost|[^:/]*\.localhost|[^:/]*\.local|[^:/]*\.internal|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}"
    r"|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[::1?\])(?::\d+)?"
)
"""https://www.rfc-editor.org/rfc/rfc6761, https://www.rfc-editor.org/rfc/rfc1918, and what else no resolver finds."""

_SAMPLE = 1_000
"""URLs that tell the host of a file, for those of another host are outside its scope."""

_OLDEST = "1995"
"""Nothing on the web is older and still there; a date before it is most often the computer's zero."""


def _written(document: Document) -> Iterator[tuple[int, str, str]]:
    """Return the position, the URL and its normal form of the entries whose URL is not in that form already."""
    for position, (url, normal) in enumerate(zip(document.urls, document.normal, strict=True)):
        if url is not normal and url != normal:
            yield position, url, normal


@check(
    Document,
    "error",
    "Invalid URL; Invalid URL in sitemap index file: incomplete URL",
    fix="List absolute URLs, with scheme and host.",
)
def invalid_url(document: Document, at: At) -> Findings:
    """A URL is absolute, http or https, with a host and without a user."""
    for position, url, normal in _written(document):
        if not normal:
            yield at(document, f"{_why_invalid(url)}.", line=document.line(position))


def _why_invalid(url: str) -> str:
    try:
        urls.normalise(url[:MAX_URL_LENGTH])
    except ValueError as error:
        return str(error)
    return f"{shown(url)!r} is no URL"


@check(Document, "error", "Invalid URL", fix="Percent-encode it.")
def unescaped_url(document: Document, at: At) -> Findings:
    """A URL holds only the characters of RFC 3986; others, spaces above all, are percent-encoded."""
    for position, url, normal in _written(document):
        if normal and not _ALLOWED.fullmatch(url):
            problem = f"lists {shown(url)!r}, which is not percent-encoded."
            yield at(document, problem, f"Write {shown(normal)}.", document.line(position))


@check(Document, "error", "Invalid URL", fix="Escape it once.")
def twice_escaped_url(document: Document, at: At) -> Findings:
    """A URL is escaped for XML once: & is &amp;, and not &amp;amp;."""
    for position, url in enumerate(() if document.is_plain else document.urls):
        if "&" in url and _ENTITY.search(url):
            problem = f"lists {shown(url)}, whose '&' is escaped twice."
            fix = f"Write {shown(html.unescape(url))}, and escape that once."
            yield at(document, problem, fix, document.line(position))


@check(Document, "warning", fix="Write one slash.")
def doubled_slash(document: Document, at: At) -> Findings:
    """A URL's path has no // in it, which comes from an address and a path that both have the slash."""
    together = "\n".join(document.urls)
    if together.count("//") == together.count("://"):
        return
    for position, url in enumerate(document.urls):
        # That of the scheme is before this; one after a colon is of a URL inside the path.
        if (place := url.find("//", len("https://"))) > 0 and url[place - 1] != ":" and "?" not in url[:place]:
            yield at(document, f"lists {shown(url)}, with an empty step in its path.", line=document.line(position))


@check(Document, "error", "URLs not accessible", fix="Build the site with its public address.")
def private_host(document: Document, at: At) -> Findings:
    """A built site lists no URLs of this machine or of a private network, as one built for development does."""
    if not document.file:  # over HTTP, it is reached
        return
    for origin in dict.fromkeys(urls.origin(normal) for normal in document.normal[:_SAMPLE] if normal):
        if _PRIVATE.fullmatch(origin.partition("://")[2]):
            position = next(n for n, normal in enumerate(document.normal) if normal.startswith(origin + "/"))
            problem = f"lists URLs of {origin}, which only this machine or network reaches."
            yield at(document, problem, line=document.line(position))


@check(Document, "error", "Invalid URL", fix="Cut it at the #.")
def url_with_fragment(document: Document, at: At) -> Findings:
    """A URL has no fragment: what is behind a # is never requested."""
    for position, url, normal in _written(document):
        if normal and "#" in url:
            yield at(document, f"lists {shown(url)}, with a fragment.", line=document.line(position))


@check(Document, "error", "Invalid URL", fix="Shorten its path.")
def url_too_long(document: Document, at: At) -> Findings:
    """A URL has less than 2,048 characters."""
    for position, url in enumerate(document.urls):
        if len(url) > MAX_URL_LENGTH:
            problem = f"lists a URL of {len(url):,} characters, {url[:80]}…; the protocol allows {MAX_URL_LENGTH:,}."
            yield at(document, problem, line=document.line(position))


@check(Document, "warning", fix="Write it with its trailing slash.")
def url_too_short(document: Document, at: At) -> Findings:
    """A URL has at least 12 characters, as the schema has it."""
    for position, url in enumerate(document.urls):
        if len(url) < MIN_URL_LENGTH and document.normal[position]:
            yield at(document, f"lists {url}, which is shorter than the schema allows.", line=document.line(position))


@check(Document, "notice", fix="Shorten its path.", advice=True)
def url_too_long_for_yandex(document: Document, at: At) -> Findings:
    """Yandex takes URLs of at most 1,024 characters."""
    for position, url in enumerate(document.urls):
        if YANDEX_URL_LENGTH < len(url) <= MAX_URL_LENGTH:
            problem = f"lists a URL of {len(url):,} characters; Yandex takes {YANDEX_URL_LENGTH:,}."
            yield at(document, problem, line=document.line(position))


def _outside(document: Document, *, differs_by_www: bool) -> Iterator[int]:
    """Return the positions of the URLs outside the scope: those of a host that differs by www. alone, or all others."""
    scope = document.scope
    own = urls.origin(scope)
    for position, normal in enumerate(document.normal):
        if normal and not normal.startswith(scope):
            scheme, _, host = (origin := urls.origin(normal)).partition("://")
            twin = f"{scheme}://{host.removeprefix('www.') if host.startswith('www.') else 'www.' + host}"
            if (twin == own) is differs_by_www and origin not in document.proven:
                yield position


@check(
    Document,
    "error",
    "Path mismatch: Missing www; Path mismatch: Includes www",
    fix="Write all URLs with www., or none.",
)
def www_mismatch(document: Document, at: At) -> Findings:
    """URLs have www. where their sitemap has it, and have it not where it has not."""
    for position in _outside(document, differs_by_www=True):
        problem = f"lists {shown(document.normal[position])}, and itself is at {document.scope}."
        yield at(document, problem, line=document.line(position))


@check(Document, SITEMAP_OUTSIDE_INDEX)
def _sitemap_outside_index(document: Document, at: At) -> Findings:
    if document.kind == "sitemapindex":
        for position in _outside(document, differs_by_www=False):
            problem = f"lists {shown(document.urls[position])}, which is outside {document.scope}."
            fix = "Move the sitemap below the index, or list it elsewhere."
            yield at(document, problem, fix, document.line(position))


@check(Document, "error", "URL not allowed", fix="List the page in a sitemap of its own directory or above.")
def outside_scope(document: Document, at: At) -> Findings:
    """A sitemap lists only URLs on its own scheme, host and port, under its own directory."""
    if document.kind != "sitemapindex":
        for position in _outside(document, differs_by_www=False):
            problem = f"lists {shown(document.urls[position])}, which is outside {document.scope}."
            yield at(document, problem, line=document.line(position))


@check(Document, "error", "Incorrect sitemap index format: Nested sitemap indexes", fix="Remove the entry.")
def index_lists_itself(document: Document, at: At) -> Findings:
    """An index does not list itself."""
    if document.kind == "sitemapindex":
        own = urls.normalise(document.url)
        for position, normal in enumerate(document.normal):
            if normal == own:
                yield at(document, "it lists itself.", line=document.line(position))


@check(Document, "error", fix="Remove the copy.")
def duplicate_sitemap(document: Document, at: At) -> Findings:
    """An index lists each sitemap once."""
    seen: set[str] = set()
    if document.kind == "sitemapindex":
        for position, normal in enumerate(document.normal):
            if normal and normal in seen:
                yield at(document, f"it lists {shown(normal)} more than once.", line=document.line(position))
            seen.add(normal)


@check(Document, "notice", fix="Submit that sitemap itself, unless more are to come.", advice=True)
def index_of_one(document: Document, at: At) -> Findings:
    """An index of one sitemap says no more than the sitemap alone."""
    if document.kind == "sitemapindex" and document.count == 1:
        yield at(document, "it lists a single sitemap.")


@check(Document, "notice", fix="Submit the sitemaps that it lists one by one there.", advice=True)
def index_not_for_baidu(document: Document, at: At) -> Findings:
    """Baidu and Toutiao do not process an index."""
    if document.kind == "sitemapindex":
        yield at(document, "Baidu and Toutiao do not process it.")


def _dates(document: Document) -> Iterator[tuple[str, str]]:
    """Return each different date of a file, as written and as `dates` writes it."""
    return ((text, date) for text, (date, _) in document.read_dates.items() if date)


@check(Document, "error", "Invalid date", fix="Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, or leave it out.")
def invalid_date(document: Document, at: At) -> Findings:
    """A <lastmod> is a real W3C date, and one with a time has a zone."""
    wrong = {text: problem for text, (_, problem) in document.read_dates.items() if problem}
    for position, text in enumerate(document.dates if wrong else ()):
        if text in wrong:
            yield at(document, f"its date {text[:40]!r} is wrong: {wrong[text]}.", line=document.line(position))


@check(Document, "warning", fix="Write the day too, and the seconds of a time.")
def short_date(document: Document, at: At) -> Findings:
    """A <lastmod> has at least a day, and a time in it has seconds, as the schema has it."""
    for text, date in _dates(document):
        if date is not text and (not has_day(text) or re.match(r".{16}(Z|[+-])", text)):
            problem = f"its date {text!r} is allowed by the W3C and not by the schema of sitemaps."
            yield at(document, problem, f"Write {date}.", document.line(document.dates.index(text)))


@check(Document, FUTURE_DATE)
def _future_date(document: Document, at: At) -> Findings:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    today = utc(datetime.now(UTC))  # what is not later than this need not be looked at closely
    for text, date in _dates(document):
        if date > today and is_future(date, tomorrow):
            problem = f"its date {text} is in the future."
            line = document.line(document.dates.index(text))
            yield at(document, problem, "Write when the page last changed.", line)


@check(Document, "warning", fix="Leave the date out.")
def ancient_date(document: Document, at: At) -> Findings:
    """No <lastmod> is older than the web."""
    for text, date in _dates(document):
        if date < _OLDEST:
            problem = f"its date {text} is before {_OLDEST}; it is most often a missing date written as zero."
            yield at(document, problem, line=document.line(document.dates.index(text)))


@check(Document, "warning", fix="Date the sitemap in the index by its newest change.")
def stale_index_date(document: Document, at: At) -> Findings:
    """No page is newer than its index says that the sitemap is."""
    listed = read_w3c(document.lastmod)[0] if document.lastmod else ""
    newest = max((date for _, date in _dates(document)), default="")
    if listed and newest and is_surely_later(newest, listed):
        yield at(document, f"the index dates it {document.lastmod}, and a page in it is of {newest}.")
