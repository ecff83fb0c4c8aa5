"""Checks of the entries of one file: URLs, dates, images, articles, and language variants."""

import html
import re
from datetime import UTC, datetime, timedelta

from smindex_plugins.base import urls
from smindex_plugins.base.addresses import who_reaches, why_placeholder
from smindex_plugins.base.catalogue import (
    CONTROL_CHARACTER,
    DOUBLED_SLASH,
    FUTURE_DATE,
    HREFLANG_CONTRADICTION,
    HREFLANG_WITHOUT_SELF,
    INVALID_DATE,
    INVALID_HREFLANG,
    INVALID_URL,
    OLD_NEWS,
    OUTSIDE_SCOPE,
    PRIVATE_HOST,
    ROBOTS_BLOCKS_IMAGE,
    ROBOTS_BLOCKS_PAGE,
    SITEMAP_OUTSIDE_INDEX,
    STALE_INDEX_DATE,
    TOO_MANY_IMAGES,
    TWICE_ESCAPED_URL,
    UNESCAPED_URL,
    URL_TOO_LONG,
    URL_WITH_FRAGMENT,
    WWW_MISMATCH,
    ZERO_DATE,
)
from smindex_plugins.base.dates import is_future, is_surely_later, is_zero, read_w3c, utc
from smindex_plugins.base.language_codes import is_hreflang
from smindex_plugins.base.limits import MAX_IMAGES, MAX_URL_LENGTH, NEWS_DAYS
from smindex_plugins.base.model import Findings
from smindex_plugins.base.text import counted
from smindex_plugins.checks.checked import CheckedFile
from smindex_plugins.reading.document import Document, Entry

# RFC 3986, appendix A: what a URL may contain; a percent sign only before two hexadecimal digits.
_ALLOWED = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);")


def invalid_url(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        if not entry.normal:
            written = entry.url.strip().lower()
            is_absolute = written.startswith(("https://", "http://"))
            fix = "Correct the invalid part." if is_absolute else ""
            why = _why_invalid(entry.url)
            yield INVALID_URL.at(document.spot(entry), f"{why}.", fix)


def _why_invalid(url: str) -> str:
    try:
        urls.normalise(url)
    except ValueError as error:
        return str(error)
    return f"{url!r} is not a URL"


def unescaped_url(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        if entry.url != entry.normal and entry.normal and not _ALLOWED.fullmatch(entry.url):
            problem = f"lists {entry.url!r}, which is not percent-encoded."
            fix = f"Use {entry.normal}."
            yield UNESCAPED_URL.at(document.spot(entry), problem, fix)


def twice_escaped_url(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        if "&" in entry.url and _ENTITY.search(entry.url):
            problem = f"lists {entry.url}, whose '&' is escaped twice."
            unescaped = html.unescape(entry.url)
            fix = f"Use {unescaped}, and escape it only once."
            yield TWICE_ESCAPED_URL.at(document.spot(entry), problem, fix)


def doubled_slash(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        # The slashes of the scheme come before this. Those after a colon belong to a URL inside the
        # path.
        place = entry.url.find("//", len("https://"))
        if place > 0 and entry.url[place - 1] != ":" and "?" not in entry.url[:place]:
            problem = f"lists {entry.url}, which has // in its path."
            yield DOUBLED_SLASH.at(document.spot(entry), problem)


def private_host(file: CheckedFile) -> Findings:
    document = file.document
    if not document.file:
        return  # what came over HTTP is reachable
    first: dict[str, Entry] = {}
    for entry in document.entries:
        if entry.normal:
            origin = urls.origin(entry.normal)
            first.setdefault(origin, entry)
    for origin, entry in first.items():
        if who := who_reaches(origin + "/"):
            problem = f"lists URLs of {origin}, which only {who} can reach."
            yield PRIVATE_HOST.at(document.spot(entry), problem)


def url_with_fragment(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        if "#" in entry.url and entry.normal:
            problem = f"lists {entry.url}, which has a fragment."
            yield URL_WITH_FRAGMENT.at(document.spot(entry), problem)


def control_character(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        if escape := urls.control_character(entry.normal):
            problem = f"lists {entry.normal}, which contains the control character {escape}."
            yield CONTROL_CHARACTER.at(document.spot(entry), problem)


def url_too_long(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        if (length := len(entry.url)) > MAX_URL_LENGTH:
            start = entry.url[:80]
            problem = (
                f"lists a URL of {length:,} characters, {start}…; the protocol allows"
                f" {MAX_URL_LENGTH:,}."
            )
            yield URL_TOO_LONG.at(document.spot(entry), problem)


def outside_scope(file: CheckedFile) -> Findings:
    document = file.document
    scope = document.scope
    above: list[Entry] = []
    for entry in document.entries:
        if entry.normal and not entry.normal.startswith(scope):
            above.append(entry)
    outside: list[Entry] = []
    origins: set[str] = set()
    for entry in above:
        origin = urls.origin(entry.normal)
        if origin not in file.proven:
            outside.append(entry)
            origins.add(origin)

    lists_nothing_else = len(outside) == document.count
    if len(origins) == 1 and lists_nothing_else and origins != {urls.origin(scope)}:
        # All have one cause: the site was built with another address.
        others = len(outside) - 1
        yield from _outside(document, outside[0], others)
        return
    for entry in outside:
        yield from _outside(document, entry, 0)


def _outside(document: Document, entry: Entry, others: int) -> Findings:
    """Yield the finding about an entry, and as many others on the same host."""
    spot = document.spot(entry)
    scope = document.scope
    own = urls.origin(scope)
    origin = urls.origin(entry.normal)
    more = ""
    verb = "is"
    if others:
        more = f" and {counted(others, 'other URL')}"
        verb = "are"
    if origin != own and _without_www(origin) == _without_www(own):
        problem = f"lists {entry.normal}{more}, but the sitemap itself is at {scope}."
        yield WWW_MISMATCH.at(spot, problem)
        return

    problem = f"lists {entry.url}{more}, which {verb} outside {scope}."
    fix = _fix_of_host(document, origin)
    if origin != own and (why := why_placeholder(f"{origin}/")):
        problem += f" {why[0].upper()}{why[1:]}."
        fix = "Set the site's public address, and build the site again."
    if document.kind == "sitemapindex":
        own_fix = "Move the sitemap below the index, or list it in an index above it."
        yield SITEMAP_OUTSIDE_INDEX.at(spot, problem, fix or own_fix)
        return
    if f"{entry.normal}/" == scope:
        fix = f"List {scope}."
    yield OUTSIDE_SCOPE.at(spot, problem, fix)


def _without_www(origin: str) -> str:
    return origin.replace("://www.", "://", 1)


def _fix_of_host(document: Document, other: str) -> str:
    """Return the fix if a URL has another scheme, host or port than its file, or an empty string.

    Only the address of a directory can be wrong, and only there can another site's permission be
    unknown.
    """
    own = urls.origin(document.scope)
    if own == other:
        return ""
    is_on_disk = bool(document.file)
    if _host(own) == _host(other):
        start = f"Start the URL with {own}, the address of the file itself"
        if is_on_disk:
            return (
                f"{start}. If that isn't the site's address, pass the correct one with --site-url."
            )
        return f"{start}."

    agreed = f"list the index in {other}/robots.txt"
    built = "If both are the same site, rebuild it with this address"
    if is_on_disk:
        agreed += f" and pass --cross-site {other}"
        built = "If that isn't the site's address, pass the correct one with --site-url"
    where = "an index" if document.kind == "sitemapindex" else "a sitemap"
    return f"List it in {where} at {other}, or {agreed}. The file itself is at {own}. {built}."


def _host(origin: str) -> str:
    """Return the host of an origin, without its port."""
    return origin.partition("://")[2].partition(":")[0]


def robots_blocks_page(file: CheckedFile) -> Findings:
    document = file.document
    robots = file.robots
    if robots is None or document.kind == "sitemapindex":
        return
    origin = urls.origin(robots.url) + "/"
    blocked: dict[str, list[Entry]] = {}
    for entry in document.entries:
        if entry.normal.startswith(origin) and (rule := robots.blocks(entry.normal)):
            blocked.setdefault(rule, []).append(entry)
    for rule, (first, *others) in blocked.items():
        more = f" and {counted(len(others), 'other URL')}" if others else ""
        problem = f"lists {first.normal}{more}, which robots.txt blocks with {rule!r}."
        fix = _fix_of_rule(rule, "page")
        yield ROBOTS_BLOCKS_PAGE.at(document.spot(first), problem, fix)


def _fix_of_rule(rule: str, what: str) -> str:
    return (
        f"Remove or narrow the rule {rule!r} in robots.txt, or remove the {what}s that it blocks"
        " from the sitemap."
    )


def robots_blocks_image(file: CheckedFile) -> Findings:
    document = file.document
    robots = file.robots
    if robots is None:
        return
    origin = urls.origin(robots.url) + "/"
    known: set[str] = set()
    for entry in document.entries:
        for image in map(urls.normal, entry.images):
            if image in known:
                continue
            known.add(image)
            if image.startswith(origin) and (rule := robots.blocks(image)):
                problem = f"lists the image {image}, which robots.txt blocks with {rule!r}."
                fix = _fix_of_rule(rule, "image")
                yield ROBOTS_BLOCKS_IMAGE.at(document.spot(entry), problem, fix)


def invalid_date(file: CheckedFile) -> Findings:
    document = file.document
    wrong: dict[str, str] = {}
    for text, (_, why) in document.read_dates.items():
        if why and not is_zero(text):
            wrong[text] = why
    for entry in document.entries:
        if entry.lastmod in wrong:
            start = entry.lastmod[:40]
            problem = f"the date {start!r} is invalid: {wrong[entry.lastmod]}."
            yield INVALID_DATE.at(document.spot(entry), problem)


def future_date(file: CheckedFile) -> Findings:
    document = file.document
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    for text, (date, _) in document.read_dates.items():
        if date and is_future(date, tomorrow):
            entry = next(entry for entry in document.entries if entry.lastmod == text)
            problem = f"the date {text} is in the future."
            yield FUTURE_DATE.at(document.spot(entry), problem)


def zero_date(file: CheckedFile) -> Findings:
    document = file.document
    zeros: set[str] = set()
    for text, (date, _) in document.read_dates.items():
        # In another time zone, the year 1 can be outside of the calendar.
        if is_zero(text) or is_zero(date):
            zeros.add(text)
    if not zeros:
        return
    dated = [entry for entry in document.entries if entry.lastmod]
    entries = [entry for entry in dated if entry.lastmod in zeros]
    first = entries[0]
    problem = f"lists {first.url} with the date {first.lastmod}."
    if len(entries) > 1:
        dates = counted(len(dated), "date")
        many = f"{len(entries):,} of its {dates}"
        problem = f"{many} stand for no date, such as {first.lastmod} for {first.url}."
    yield ZERO_DATE.at(document.spot(first), problem)


def stale_index_date(file: CheckedFile) -> Findings:
    document = file.document
    lastmod = file.found.listing.lastmod
    if not lastmod or is_zero(lastmod):
        return
    listed, _ = read_w3c(lastmod)
    newest = max((date for date, _ in document.read_dates.values()), default="")
    if listed and newest and is_surely_later(newest, listed):
        problem = (
            f"its date in the index is {lastmod}, but it lists a page with the newer date {newest}."
        )
        yield STALE_INDEX_DATE.at(document.spot(), problem)


def too_many_images(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        if (count := len(entry.images)) > MAX_IMAGES:
            problem = f"{entry.url} has {count:,} images; Google reads {MAX_IMAGES:,}."
            fix = "List the most important images."
            yield TOO_MANY_IMAGES.at(document.spot(entry), problem, fix)


def old_news(file: CheckedFile) -> Findings:
    document = file.document
    oldest = datetime.now(UTC) - timedelta(days=NEWS_DAYS)
    limit = utc(oldest)
    for line, text in document.news:
        date, _ = read_w3c(text)
        if date and date < limit[: len(date)]:
            spot = document.spot()._replace(line=line)
            problem = f"an article is dated {text}, more than two days ago."
            yield OLD_NEWS.at(spot, problem)


def invalid_hreflang(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        for code, url in entry.alternates:
            if not urls.normal(url):
                problem = (
                    f"{entry.url} lists its variant {code!r} with {url!r}, which is not an absolute"
                    " URL."
                )
                yield INVALID_HREFLANG.at(document.spot(entry), problem, "Use its absolute URL.")
            if not is_hreflang(code):
                problem = f"{entry.url} lists its variant {url} with the invalid code {code!r}."
                yield INVALID_HREFLANG.at(document.spot(entry), problem)


def hreflang_without_self(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        own = entry.normal
        variants = entry.alternates
        if own and variants and all(own not in {url, urls.normal(url)} for _, url in variants):
            problem = f"{own} lists its language variants, but not itself."
            yield HREFLANG_WITHOUT_SELF.at(document.spot(entry), problem)


def hreflang_contradiction(file: CheckedFile) -> Findings:
    document = file.document
    for entry in document.entries:
        by_code: dict[str, str] = {}
        for code, url in entry.alternates:
            if (first := by_code.setdefault(code.lower(), url)) != url:
                problem = f"{entry.url} has two variants {code!r}: {first} and {url}."
                yield HREFLANG_CONTRADICTION.at(document.spot(entry), problem)
