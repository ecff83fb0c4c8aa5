"""What can be wrong with the entries of one file: their URLs and their dates."""

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from smindex_plugins import urls
from smindex_plugins.checks.rule import Check, Flaws, check, flaw
from smindex_plugins.dates import has_day, is_future, is_surely_later, read_w3c, utc
from smindex_plugins.limits import MAX_URL_LENGTH, MIN_URL_LENGTH, YANDEX_URL_LENGTH
from smindex_plugins.sitemaps.listing import Document

_SHOWN = 200
"""Characters of a URL that a message repeats."""

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


def _shown(url: str) -> str:
    return url if len(url) <= _SHOWN else f"{url[:_SHOWN]}…"


def _www(url: str) -> str:
    """Give a URL with or without www., whichever it is not."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.removeprefix('www.') if rest.startswith('www.') else 'www.' + rest}"


def _written(document: Document) -> Iterator[tuple[int, str, str]]:
    """Give the position, the URL and its normal form of the entries whose URL is not in that form already."""
    for position, (url, normal) in enumerate(zip(document.urls, document.normal, strict=True)):
        if url is not normal and url != normal:
            yield position, url, normal


@check("error", "Invalid URL; Invalid URL in sitemap index file: incomplete URL")
def invalid_url(document: Document) -> Flaws:
    """A URL is absolute, http or https, with a host and without a user."""
    for position, url, normal in _written(document):
        if not normal:
            fix = "List absolute URLs, with scheme and host."
            yield flaw(document, f"{_why_invalid(url)}.", fix, document.line(position))


def _why_invalid(url: str) -> str:
    try:
        urls.normalise(url[:MAX_URL_LENGTH])
    except ValueError as error:
        return str(error)
    return f"{_shown(url)!r} is no URL"


@check("error", "Invalid URL")
def unescaped_url(document: Document) -> Flaws:
    """A URL holds only the characters of RFC 3986; others, spaces above all, are percent-encoded."""
    for position, url, normal in _written(document):
        if normal and not _ALLOWED.fullmatch(url):
            fix = f"Write {_shown(normal)}."
            yield flaw(document, f"lists {_shown(url)!r}, which is not percent-encoded.", fix, document.line(position))


@check("error", "Invalid URL")
def twice_escaped_url(document: Document) -> Flaws:
    """A URL is escaped for XML once: & is &amp;, and not &amp;amp;."""
    for position, url in enumerate(() if document.is_plain else document.urls):
        if "&" in url and _ENTITY.search(url):
            problem = f"lists {_shown(url)}, whose '&' is escaped twice."
            yield flaw(
                document, problem, f"Write {_shown(html.unescape(url))}, and escape that once.", document.line(position)
            )


@check("warning")
def doubled_slash(document: Document) -> Flaws:
    """A URL's path has no // in it, which comes from an address and a path that both have the slash."""
    together = "\n".join(document.urls)
    if together.count("//") == together.count("://"):
        return
    for position, url in enumerate(document.urls):
        # That of the scheme is before this; one after a colon is of a URL inside the path.
        if (place := url.find("//", len("https://"))) > 0 and url[place - 1] != ":" and "?" not in url[:place]:
            problem = f"lists {_shown(url)}, with an empty step in its path."
            yield flaw(document, problem, "Write one slash.", document.line(position))


@check("error", "URLs not accessible")
def private_host(document: Document) -> Flaws:
    """A built site lists no URLs of this machine or of a private network, as one built for development does."""
    if not document.file:  # over HTTP, it is reached
        return
    for origin in dict.fromkeys(urls.origin(normal) for normal in document.normal[:_SAMPLE] if normal):
        if _PRIVATE.fullmatch(origin.partition("://")[2]):
            position = next(n for n, normal in enumerate(document.normal) if normal.startswith(origin + "/"))
            problem = f"lists URLs of {origin}, which only this machine or network reaches."
            fix = "Build the site with its public address."
            yield flaw(document, problem, fix, document.line(position))


@check("error", "Invalid URL")
def url_with_fragment(document: Document) -> Flaws:
    """A URL has no fragment: what is behind a # is never requested."""
    for position, url, normal in _written(document):
        if normal and "#" in url:
            yield flaw(document, f"lists {_shown(url)}, with a fragment.", "Cut it at the #.", document.line(position))


@check("error", "Invalid URL")
def url_too_long(document: Document) -> Flaws:
    """A URL has less than 2,048 characters."""
    for position, url in enumerate(document.urls):
        if len(url) > MAX_URL_LENGTH:
            problem = f"lists a URL of {len(url):,} characters, {url[:80]}…; the protocol allows {MAX_URL_LENGTH:,}."
            yield flaw(document, problem, "Shorten its path.", document.line(position))


@check("warning")
def url_too_short(document: Document) -> Flaws:
    """A URL has at least 12 characters, as the schema has it."""
    for position, url in enumerate(document.urls):
        if len(url) < MIN_URL_LENGTH and document.normal[position]:
            problem = f"lists {url}, which is shorter than the schema allows."
            yield flaw(document, problem, "Write it with its trailing slash.", document.line(position))


@check("notice", advice=True)
def url_too_long_for_yandex(document: Document) -> Flaws:
    """Yandex takes URLs of at most 1,024 characters."""
    for position, url in enumerate(document.urls):
        if YANDEX_URL_LENGTH < len(url) <= MAX_URL_LENGTH:
            problem = f"lists a URL of {len(url):,} characters; Yandex takes {YANDEX_URL_LENGTH:,}."
            yield flaw(document, problem, "Shorten its path.", document.line(position))


def _outside(document: Document) -> Iterator[tuple[int, str]]:
    scope = document.scope
    for position, normal in enumerate(document.normal):
        if normal and not normal.startswith(scope):
            yield position, normal


@check("error", "Path mismatch: Missing www; Path mismatch: Includes www")
def www_mismatch(document: Document) -> Flaws:
    """URLs have www. where their sitemap has it, and have it not where it has not."""
    for position, normal in _outside(document):
        origin = urls.origin(normal)
        if _www(origin) == urls.origin(document.scope) and origin not in document.proven:
            problem = f"lists {_shown(normal)}, and itself is at {document.scope}."
            fix = "Write all URLs with www., or none."
            yield flaw(document, problem, fix, document.line(position))


@check("error", "URL not allowed")
def sitemap_outside_index(document: Document) -> Flaws:
    """An index lists only sitemaps on its own scheme, host and port, in its own directory or deeper."""
    if document.kind == "sitemapindex":
        yield from _out_of_scope(document, "Move the sitemap below the index, or list it elsewhere.")


@check("error", "URL not allowed")
def outside_scope(document: Document) -> Flaws:
    """A sitemap lists only URLs on its own scheme, host and port, under its own directory."""
    if document.kind != "sitemapindex":
        yield from _out_of_scope(document, "List the page in a sitemap of its own directory or above.")


def _out_of_scope(document: Document, fix: str) -> Flaws:
    for position, normal in _outside(document):
        origin = urls.origin(normal)
        if _www(origin) != urls.origin(document.scope) and origin not in document.proven:
            problem = f"lists {_shown(document.urls[position])}, which is outside {document.scope}."
            yield flaw(document, problem, fix, document.line(position))


@check("error", "Incorrect sitemap index format: Nested sitemap indexes")
def index_lists_itself(document: Document) -> Flaws:
    """An index does not list itself."""
    own = urls.normalise(document.url)
    if document.kind == "sitemapindex":
        for position, normal in enumerate(document.normal):
            if normal == own:
                yield flaw(document, "it lists itself.", "Remove the entry.", document.line(position))


@check("error")
def duplicate_sitemap(document: Document) -> Flaws:
    """An index lists each sitemap once."""
    seen: set[str] = set()
    if document.kind == "sitemapindex":
        for position, normal in enumerate(document.normal):
            if normal and normal in seen:
                problem = f"it lists {_shown(normal)} more than once."
                yield flaw(document, problem, "Remove the copy.", document.line(position))
            seen.add(normal)


@check("notice", advice=True)
def index_of_one(document: Document) -> Flaws:
    """An index of one sitemap says no more than the sitemap alone."""
    if document.kind == "sitemapindex" and document.count == 1:
        yield flaw(document, "it lists a single sitemap.", "Submit that sitemap itself, unless more are to come.")


@check("notice", advice=True)
def index_not_for_baidu(document: Document) -> Flaws:
    """Baidu and Toutiao do not process an index."""
    if document.kind == "sitemapindex":
        yield flaw(
            document, "Baidu and Toutiao do not process it.", "Submit the sitemaps that it lists one by one there."
        )


def _dates(document: Document) -> Iterator[tuple[str, str]]:
    """Give each different date of a file, as written and as `dates` writes it."""
    return ((text, date) for text, (date, _) in document.read_dates.items() if date)


@check("error", "Invalid date")
def invalid_date(document: Document) -> Flaws:
    """A <lastmod> is a real W3C date, and one with a time has a zone."""
    wrong = {text: problem for text, (_, problem) in document.read_dates.items() if problem}
    for position, text in enumerate(document.dates if wrong else ()):
        if text in wrong:
            fix = "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, or leave it out."
            yield flaw(document, f"its date {text[:40]!r} is wrong: {wrong[text]}.", fix, document.line(position))


@check("warning")
def short_date(document: Document) -> Flaws:
    """A <lastmod> has at least a day, and a time in it has seconds, as the schema has it."""
    for text, date in _dates(document):
        if date is not text and (not has_day(text) or re.match(r".{16}(Z|[+-])", text)):
            problem = f"its date {text!r} is allowed by the W3C and not by the schema of sitemaps."
            yield flaw(document, problem, f"Write {date}.", _first_line(document, text))


def _first_line(document: Document, date: str) -> int:
    return document.line(document.dates.index(date))


@check("warning")
def future_date(document: Document) -> Flaws:
    """No <lastmod> is in the future."""
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    today = utc(datetime.now(UTC))  # what is not later than this need not be looked at closely
    for text, date in _dates(document):
        if date > today and is_future(date, tomorrow):
            problem = f"its date {text} is in the future."
            yield flaw(document, problem, "Write when the page last changed.", _first_line(document, text))


@check("warning")
def ancient_date(document: Document) -> Flaws:
    """No <lastmod> is older than the web."""
    for text, date in _dates(document):
        if date < _OLDEST:
            problem = f"its date {text} is before {_OLDEST}; it is most often a missing date written as zero."
            yield flaw(document, problem, "Leave the date out.", _first_line(document, text))


@check("warning")
def stale_index_date(document: Document) -> Flaws:
    """No page is newer than its index says that the sitemap is."""
    listed = read_w3c(document.lastmod)[0] if document.lastmod else ""
    newest = max((date for _, date in _dates(document)), default="")
    if listed and newest and is_surely_later(newest, listed):
        problem = f"the index dates it {document.lastmod}, and a page in it is of {newest}."
        yield flaw(document, problem, "Date the sitemap in the index by its newest change.")


ENTRY_CHECKS: tuple[Check[Document], ...] = (
    invalid_url,
    unescaped_url,
    twice_escaped_url,
    doubled_slash,
    private_host,
    url_with_fragment,
    url_too_long,
    url_too_short,
    url_too_long_for_yandex,
    www_mismatch,
    sitemap_outside_index,
    outside_scope,
    index_lists_itself,
    duplicate_sitemap,
    index_of_one,
    index_not_for_baidu,
    invalid_date,
    short_date,
    future_date,
    ancient_date,
    stale_index_date,
)
