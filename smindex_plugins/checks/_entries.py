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
from smindex_plugins.base.limits import MAX_IMAGES, MAX_URL_LENGTH, NEWS_DAYS
from smindex_plugins.base.model import Findings
from smindex_plugins.base.text import counted
from smindex_plugins.pages.hreflang import is_hreflang
from smindex_plugins.reading.document import Document, Entry

# RFC 3986, appendix A: what a URL may contain; a percent sign only before two hexadecimal digits.
_ALLOWED = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);")


def invalid_url(document: Document) -> Findings:
    for entry in document.entries:
        if not entry.normal:
            is_absolute = entry.url.strip().lower().startswith(("https://", "http://"))
            fix = "Correct the invalid part." if is_absolute else ""
            yield INVALID_URL.at(document.spot(entry), f"{_why_invalid(entry.url)}.", fix)


def _why_invalid(url: str) -> str:
    try:
        urls.normalise(url)
    except ValueError as error:
        return str(error)
    return f"{url!r} is not a URL"


def unescaped_url(document: Document) -> Findings:
    for entry in document.entries:
        if entry.url != entry.normal and entry.normal and not _ALLOWED.fullmatch(entry.url):
            problem = f"lists {entry.url!r}, which is not percent-encoded."
            yield UNESCAPED_URL.at(document.spot(entry), problem, f"Use {entry.normal}.")


def twice_escaped_url(document: Document) -> Findings:
    for entry in document.entries:
        if "&" in entry.url and _ENTITY.search(entry.url):
            fix = f"Use {html.unescape(entry.url)}, and escape it only once."
            yield TWICE_ESCAPED_URL.at(
                document.spot(entry), f"lists {entry.url}, whose '&' is escaped twice.", fix
            )


def doubled_slash(document: Document) -> Findings:
    for entry in document.entries:
        # The slashes of the scheme come before this. Those after a colon belong to a URL inside the
        # path.
        place = entry.url.find("//", len("https://"))
        if place > 0 and entry.url[place - 1] != ":" and "?" not in entry.url[:place]:
            yield DOUBLED_SLASH.at(
                document.spot(entry), f"lists {entry.url}, which has // in its path."
            )


def private_host(document: Document) -> Findings:
    first: dict[str, Entry] = {}
    for entry in document.entries if document.file else ():  # what came over HTTP is reachable
        if entry.normal:
            first.setdefault(urls.origin(entry.normal), entry)
    for origin, entry in first.items():
        if who := who_reaches(origin + "/"):
            yield PRIVATE_HOST.at(
                document.spot(entry), f"lists URLs of {origin}, which only {who} can reach."
            )


def url_with_fragment(document: Document) -> Findings:
    for entry in document.entries:
        if "#" in entry.url and entry.normal:
            yield URL_WITH_FRAGMENT.at(
                document.spot(entry), f"lists {entry.url}, which has a fragment."
            )


def control_character(document: Document) -> Findings:
    for entry in document.entries:
        if escape := urls.control_character(entry.normal):
            problem = f"lists {entry.normal}, which contains the control character {escape}."
            yield CONTROL_CHARACTER.at(document.spot(entry), problem)


def url_too_long(document: Document) -> Findings:
    for entry in document.entries:
        if (length := len(entry.url)) > MAX_URL_LENGTH:
            problem = (
                f"lists a URL of {length:,} characters, {entry.url[:80]}…; the protocol allows"
                f" {MAX_URL_LENGTH:,}."
            )
            yield URL_TOO_LONG.at(document.spot(entry), problem)


def outside_scope(document: Document) -> Findings:
    scope = document.scope
    outside = [
        entry for entry in document.entries if entry.normal and not entry.normal.startswith(scope)
    ]
    outside = [entry for entry in outside if urls.origin(entry.normal) not in document.proven]
    origins = {urls.origin(entry.normal) for entry in outside}
    if len(origins) == 1 and len(outside) == document.count and origins != {urls.origin(scope)}:
        first, *others = outside  # all have one cause: the site was built with another address
        yield from _outside(document, first, len(others))
        return
    for entry in outside:
        yield from _outside(document, entry, 0)


def _outside(document: Document, entry: Entry, others: int) -> Findings:
    """Yield the finding about an entry, and as many others on the same host."""
    spot, scope, own, origin = (
        document.spot(entry),
        document.scope,
        *map(urls.origin, (document.scope, entry.normal)),
    )
    more = f" and {counted(others, 'other URL')}" if others else ""
    problem = f"lists {entry.url}{more}, which {'are' if others else 'is'} outside {scope}."
    fix = _fix_of_host(document, origin)
    if origin != own and (why := why_placeholder(f"{origin}/")):
        problem += f" {why[0].upper()}{why[1:]}."
        fix = "Set the site's public address, and build the site again."
    if origin != own and origin.replace("://www.", "://", 1) == own.replace("://www.", "://", 1):
        yield WWW_MISMATCH.at(
            spot, f"lists {entry.normal}{more}, but the sitemap itself is at {scope}."
        )
    elif document.kind == "sitemapindex":
        own_fix = "Move the sitemap below the index, or list it in an index above it."
        yield SITEMAP_OUTSIDE_INDEX.at(spot, problem, fix or own_fix)
    else:
        yield OUTSIDE_SCOPE.at(
            spot, problem, f"List {scope}." if f"{entry.normal}/" == scope else fix
        )


def _fix_of_host(document: Document, other: str) -> str:
    """Return the fix for a URL whose scheme, host or port differs from the file's, or an empty
    string if they match.

    Only the address of a directory can be wrong, and only there can another site's permission be
    unknown.
    """
    if (own := urls.origin(document.scope)) == other:
        return ""
    address = (
        ". If that isn't the site's address, pass the correct one with --site-url"
        if document.file
        else ""
    )
    own_host, other_host = (origin.partition("://")[2].partition(":")[0] for origin in (own, other))
    if own_host == other_host:
        return f"Start the URL with {own}, the address of the file itself{address}."
    proof = f" and pass --cross-site {other}" if document.file else ""
    agreed = f"list the index in {other}/robots.txt{proof}"
    where = "an index" if document.kind == "sitemapindex" else "a sitemap"
    built = address or ". If both are the same site, rebuild it with this address"
    return f"List it in {where} at {other}, or {agreed}. The file itself is at {own}{built}."


def robots_blocks_page(document: Document) -> Findings:
    if document.robots is None or document.kind == "sitemapindex":
        return
    origin = urls.origin(document.robots.url) + "/"
    blocked: dict[str, list[Entry]] = {}
    for entry in document.entries:
        if entry.normal.startswith(origin) and (rule := document.robots.blocks(entry.normal)):
            blocked.setdefault(rule, []).append(entry)
    for rule, (first, *others) in blocked.items():
        more = f" and {counted(len(others), 'other URL')}" if others else ""
        problem = f"lists {first.normal}{more}, which robots.txt blocks with {rule!r}."
        yield ROBOTS_BLOCKS_PAGE.at(document.spot(first), problem, _fix_of_rule(rule, "page"))


def _fix_of_rule(rule: str, what: str) -> str:
    return (
        f"Remove or narrow the rule {rule!r} in robots.txt, or remove the {what}s that it blocks"
        " from the sitemap."
    )


def robots_blocks_image(document: Document) -> Findings:
    if document.robots is None:
        return
    origin = urls.origin(document.robots.url) + "/"
    known: set[str] = set()
    for entry in document.entries:
        for image in set(map(urls.normal, entry.images)) - known:
            known.add(image)
            if image.startswith(origin) and (rule := document.robots.blocks(image)):
                problem = f"lists the image {image}, which robots.txt blocks with {rule!r}."
                yield ROBOTS_BLOCKS_IMAGE.at(
                    document.spot(entry), problem, _fix_of_rule(rule, "image")
                )


def invalid_date(document: Document) -> Findings:
    wrong = {
        text: problem
        for text, (_, problem) in document.read_dates.items()
        if problem and not is_zero(text)
    }
    for entry in document.entries:
        if problem := wrong.get(entry.lastmod):
            yield INVALID_DATE.at(
                document.spot(entry), f"the date {entry.lastmod[:40]!r} is invalid: {problem}."
            )


def future_date(document: Document) -> Findings:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    for text, (date, _) in document.read_dates.items():
        if date and is_future(date, tomorrow):
            entry = next(entry for entry in document.entries if entry.lastmod == text)
            problem = f"the date {text} is in the future."
            yield FUTURE_DATE.at(document.spot(entry), problem)


def zero_date(document: Document) -> Findings:
    # In another time zone, the year 1 can be outside of the calendar.
    zeros = {
        text for text, (date, _) in document.read_dates.items() if is_zero(text) or is_zero(date)
    }
    if not zeros:
        return
    dated = [entry for entry in document.entries if entry.lastmod]
    entries = [entry for entry in dated if entry.lastmod in zeros]
    first = entries[0]
    problem = f"lists {first.url} with the date {first.lastmod}."
    if len(entries) > 1:
        many = f"{len(entries):,} of its {counted(len(dated), 'date')}"
        problem = f"{many} stand for no date, such as {first.lastmod} for {first.url}."
    yield ZERO_DATE.at(document.spot(first), problem)


def stale_index_date(document: Document) -> Findings:
    listed = (
        read_w3c(document.lastmod)[0] if document.lastmod and not is_zero(document.lastmod) else ""
    )
    newest = max((date for date, _ in document.read_dates.values()), default="")
    if listed and newest and is_surely_later(newest, listed):
        problem = (
            f"its date in the index is {document.lastmod}, but it lists a page with the newer date"
            f" {newest}."
        )
        yield STALE_INDEX_DATE.at(document.spot(), problem)


def too_many_images(document: Document) -> Findings:
    for entry in document.entries:
        if (count := len(entry.images)) > MAX_IMAGES:
            problem = f"{entry.url} has {count:,} images; Google reads {MAX_IMAGES:,}."
            yield TOO_MANY_IMAGES.at(
                document.spot(entry), problem, "List the most important images."
            )


def old_news(document: Document) -> Findings:
    limit = utc(datetime.now(UTC) - timedelta(days=NEWS_DAYS))
    for line, text in document.news:
        date, _ = read_w3c(text)
        if date and date < limit[: len(date)]:
            spot = document.spot()._replace(line=line)
            yield OLD_NEWS.at(spot, f"an article is dated {text}, more than two days ago.")


def invalid_hreflang(document: Document) -> Findings:
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


def hreflang_without_self(document: Document) -> Findings:
    for entry in document.entries:
        own, variants = entry.normal, entry.alternates
        if own and variants and all(own not in {url, urls.normal(url)} for _, url in variants):
            problem = f"{own} lists its language variants, but not itself."
            yield HREFLANG_WITHOUT_SELF.at(document.spot(entry), problem)


def hreflang_contradiction(document: Document) -> Findings:
    for entry in document.entries:
        by_code: dict[str, str] = {}
        for code, url in entry.alternates:
            if (first := by_code.setdefault(code.lower(), url)) != url:
                problem = f"{entry.url} has two variants {code!r}: {first} and {url}."
                yield HREFLANG_CONTRADICTION.at(document.spot(entry), problem)
