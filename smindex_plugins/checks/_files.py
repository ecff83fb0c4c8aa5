"""Checks of one sitemap or index as a file: its location, size and content."""

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    DUPLICATE_URL,
    EMPTY_SITEMAP,
    FEED_AS_SITEMAP,
    IGNORED_HINTS,
    MISSING_LOC,
    MISSING_SITEMAP,
    NESTED_INDEX,
    RETIRED_TAG,
    ROBOTS_BLOCKS_SITEMAP,
    ROBOTS_NAMES_MISSING_SITEMAP,
    SITEMAP_REDIRECTS,
    TOO_LARGE,
    TOO_MANY_NEWS,
    TOO_MANY_SITEMAPS,
    TOO_MANY_URLS,
    UNFETCHED_SITEMAP,
    UNSUPPORTED_FORMAT,
    WRONG_CONTENT_TYPE,
)
from smindex_plugins.base.limits import MAX_BYTES, MAX_NEWS, MAX_URLS
from smindex_plugins.base.model import Findings
from smindex_plugins.base.text import listed
from smindex_plugins.checks.checked import CheckedFile


def missing_sitemap(file: CheckedFile) -> Findings:
    found = file.found
    if not found.delivery.is_missing:
        return
    line = found.listing.named_by
    if line:
        problem = f"its Sitemap line lists {found.document.url}, but that file doesn't exist."
        yield ROBOTS_NAMES_MISSING_SITEMAP.at(line, problem)
    if found.lister != line:
        problem = f"lists {found.document.url}, but that file doesn't exist."
        yield MISSING_SITEMAP.at(found.lister, problem)


def not_a_sitemap(file: CheckedFile) -> Findings:
    document = file.document
    if not document.instead:
        return
    lister = file.found.listing.by
    if lister and not document.has_sitemap_name:
        problem = f"lists {document.url}, which is {document.instead}."
        fix = "List the URL of a sitemap instead."
        yield UNSUPPORTED_FORMAT.at(lister, problem, fix)
        return
    fix = ""
    if document.has_sitemap_name:
        fix = "Upload the XML. An error page may have replaced it."
    spot = document.spot()._replace(line=1)
    yield UNSUPPORTED_FORMAT.at(spot, f"it is {document.instead}.", fix)


def unfetched_sitemap(file: CheckedFile) -> Findings:
    failure = file.found.delivery.failure
    if failure:
        problem = f"lists {file.document.url}, which can't be fetched: {failure}."
        yield UNFETCHED_SITEMAP.at(file.found.lister, problem)


def sitemap_redirects(file: CheckedFile) -> Findings:
    target = file.found.delivery.redirect
    if target:
        problem = f"lists {file.document.url}, which redirects to {target}."
        yield SITEMAP_REDIRECTS.at(file.found.lister, problem)


def wrong_content_type(file: CheckedFile) -> Findings:
    content_type = file.found.delivery.content_type
    if file.document.kind and content_type in {"text/html", "application/xhtml+xml"}:
        problem = f"lists {file.document.url}, which is served as {content_type}."
        yield WRONG_CONTENT_TYPE.at(file.found.lister, problem)


def robots_blocks_sitemap(file: CheckedFile) -> Findings:
    url = urls.normalise(file.document.url)
    if rule := file.robots and file.robots.blocks(url):
        problem = f"robots.txt blocks it with {rule!r}."
        fix = f"Add `Allow: {urls.path(url)}` to robots.txt."
        yield ROBOTS_BLOCKS_SITEMAP.at(file.document.spot(), problem, fix)


def nested_index(file: CheckedFile) -> Findings:
    document = file.document
    if document.kind != "sitemapindex":
        return
    lister = file.found.listing.by
    if lister and not file.found.listing.named_by:
        problem = f"lists {document.url}, which is itself an index; search engines don't follow it."
        yield NESTED_INDEX.at(lister, problem)
    own = urls.normalise(document.url)
    for entry in document.entries:
        if entry.normal == own:
            yield NESTED_INDEX.at(document.spot(entry), "it lists itself.", "Remove the entry.")


def duplicate_sitemap(file: CheckedFile) -> Findings:
    document = file.document
    if document.kind != "sitemapindex":
        return
    earlier: set[str] = set()
    for entry in document.entries:
        if entry.normal in earlier:
            problem = f"it lists {entry.normal} more than once."
            yield DUPLICATE_URL.at(document.spot(entry), problem, "Keep one of the entries.")
        if entry.normal:
            earlier.add(entry.normal)


def too_large(file: CheckedFile) -> Findings:
    document = file.document
    if document.size > MAX_BYTES:
        size = f"{document.size:,}" if document.is_whole else f"more than {MAX_BYTES:,}"
        problem = f"it has {size} bytes uncompressed; the protocol allows {MAX_BYTES:,}."
        yield TOO_LARGE.at(document.spot(), problem)


def too_many_entries(file: CheckedFile) -> Findings:
    document = file.document
    count = document.count
    if count <= MAX_URLS:
        return
    if document.kind == "sitemapindex":
        problem = f"it lists {count:,} sitemaps; the protocol allows {MAX_URLS:,}."
        fix = "Make sections larger, or split the site."
        yield TOO_MANY_SITEMAPS.at(document.spot(), problem, fix)
    else:
        problem = f"it lists {count:,} URLs; the protocol allows {MAX_URLS:,}."
        yield TOO_MANY_URLS.at(document.spot(), problem)


def too_many_news(file: CheckedFile) -> Findings:
    document = file.document
    count = len(document.news)
    if count > MAX_NEWS:
        problem = f"it has {count:,} articles; Google News accepts {MAX_NEWS:,}."
        yield TOO_MANY_NEWS.at(document.spot(), problem)


def empty_sitemap(file: CheckedFile) -> Findings:
    document = file.document
    if document.count or not document.is_whole or document.has_news:
        return
    if any(found.check == MISSING_LOC.name for found in document.findings):
        return
    if document.kind == "urlset":
        yield EMPTY_SITEMAP.at(document.spot(), "it lists no URLs.")
    elif document.kind == "sitemapindex":
        yield EMPTY_SITEMAP.at(document.spot(), "it lists no sitemaps.")


def feed_as_sitemap(file: CheckedFile) -> Findings:
    document = file.document
    if document.kind in {"RSS feed", "Atom feed"}:
        problem = (
            f"it is an {document.kind}, which lists only the newest pages. Its entries were not"
            " checked."
        )
        yield FEED_AS_SITEMAP.at(document.spot(), problem)


def ignored_hints(file: CheckedFile) -> Findings:
    document = file.document
    if count := document.hints:
        have = "has" if count == 1 else "have"
        problem = (
            f"{count:,} of its entries {have} a changefreq or a priority, which Google and Bing"
            " ignore."
        )
        yield IGNORED_HINTS.at(document.spot(), problem)


def retired_tag(file: CheckedFile) -> Findings:
    document = file.document
    if document.retired:
        tags = listed(document.retired)
        yield RETIRED_TAG.at(document.spot(), f"it has {tags}, which Google no longer uses.")
