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
from smindex_plugins.reading.document import Document


def missing_sitemap(document: Document) -> Findings:
    if not document.is_missing:
        return
    if document.named_by:
        problem = f"its Sitemap line lists {document.url}, but that file doesn't exist."
        yield ROBOTS_NAMES_MISSING_SITEMAP.at(document.named_by, problem)
    if document.listing != document.named_by:
        problem = f"lists {document.url}, but that file doesn't exist."
        yield MISSING_SITEMAP.at(document.listing, problem)


def not_a_sitemap(document: Document) -> Findings:
    if not document.instead:
        return
    if document.listed_by and not document.has_sitemap_name:
        problem = f"lists {document.url}, which is {document.instead}."
        fix = "List the URL of a sitemap instead."
        yield UNSUPPORTED_FORMAT.at(document.listed_by, problem, fix)
        return
    fix = ""
    if document.has_sitemap_name:
        fix = "Upload the XML. An error page may have replaced it."
    spot = document.spot()._replace(line=1)
    yield UNSUPPORTED_FORMAT.at(spot, f"it is {document.instead}.", fix)


def unfetched_sitemap(document: Document) -> Findings:
    if document.failure:
        problem = f"lists {document.url}, which cannot be fetched: {document.failure}."
        yield UNFETCHED_SITEMAP.at(document.listing, problem)


def sitemap_redirects(document: Document) -> Findings:
    if document.redirect:
        problem = f"lists {document.url}, which redirects to {document.redirect}."
        yield SITEMAP_REDIRECTS.at(document.listing, problem)


def wrong_content_type(document: Document) -> Findings:
    if document.kind and document.content_type in {"text/html", "application/xhtml+xml"}:
        problem = f"lists {document.url}, which is served as {document.content_type}."
        yield WRONG_CONTENT_TYPE.at(document.listing, problem)


def robots_blocks_sitemap(document: Document) -> Findings:
    url = urls.normalise(document.url)
    if rule := document.robots and document.robots.blocks(url):
        problem = f"robots.txt blocks it with {rule!r}."
        fix = f"Add `Allow: {urls.path(url)}` to robots.txt."
        yield ROBOTS_BLOCKS_SITEMAP.at(document.spot(), problem, fix)


def nested_index(document: Document) -> Findings:
    if document.kind != "sitemapindex":
        return
    if document.listed_by and not document.named_by:
        problem = f"lists {document.url}, which is itself an index; search engines don't follow it."
        yield NESTED_INDEX.at(document.listing, problem)
    own = urls.normalise(document.url)
    for entry in document.entries:
        if entry.normal == own:
            yield NESTED_INDEX.at(document.spot(entry), "it lists itself.", "Remove the entry.")


def duplicate_sitemap(document: Document) -> Findings:
    if document.kind != "sitemapindex":
        return
    earlier: set[str] = set()
    for entry in document.entries:
        if entry.normal in earlier:
            problem = f"it lists {entry.normal} more than once."
            yield DUPLICATE_URL.at(document.spot(entry), problem, "Keep one of the entries.")
        if entry.normal:
            earlier.add(entry.normal)


def too_large(document: Document) -> Findings:
    if document.size > MAX_BYTES:
        size = f"{document.size:,}" if document.is_whole else f"more than {MAX_BYTES:,}"
        problem = f"it has {size} bytes uncompressed; the protocol allows {MAX_BYTES:,}."
        yield TOO_LARGE.at(document.spot(), problem)


def too_many_entries(document: Document) -> Findings:
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


def too_many_news(document: Document) -> Findings:
    count = len(document.news)
    if count > MAX_NEWS:
        problem = f"it has {count:,} articles; Google News accepts {MAX_NEWS:,}."
        yield TOO_MANY_NEWS.at(document.spot(), problem)


def empty_sitemap(document: Document) -> Findings:
    if document.count or not document.is_whole or document.has_news:
        return
    if any(found.check == MISSING_LOC.name for found in document.findings):
        return
    if document.kind == "urlset":
        yield EMPTY_SITEMAP.at(document.spot(), "it lists no URLs.")
    elif document.kind == "sitemapindex":
        yield EMPTY_SITEMAP.at(document.spot(), "it lists no sitemaps.")


def feed_as_sitemap(document: Document) -> Findings:
    if document.kind in {"RSS feed", "Atom feed"}:
        problem = (
            f"it is an {document.kind}, which lists only the newest pages. Its entries were not"
            " checked."
        )
        yield FEED_AS_SITEMAP.at(document.spot(), problem)


def ignored_hints(document: Document) -> Findings:
    if count := document.hints:
        have = "has" if count == 1 else "have"
        problem = (
            f"{count:,} of its entries {have} a changefreq or a priority, which Google and Bing"
            " ignore."
        )
        yield IGNORED_HINTS.at(document.spot(), problem)


def retired_tag(document: Document) -> Findings:
    if document.retired:
        tags = listed(document.retired)
        yield RETIRED_TAG.at(document.spot(), f"it has {tags}, which Google no longer uses.")
