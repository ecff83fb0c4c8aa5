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
        yield MISSING_SITEMAP.at(
            document.listing, f"lists {document.url}, but that file doesn't exist."
        )


def not_a_sitemap(document: Document) -> Findings:
    if not document.instead:
        return
    if document.listed_by and not document.has_sitemap_name:
        problem = f"lists {document.url}, which is {document.instead}."
        yield UNSUPPORTED_FORMAT.at(
            document.listed_by, problem, "List the URL of a sitemap instead."
        )
    else:
        fix = (
            "Upload the XML. An error page may have replaced it."
            if document.has_sitemap_name
            else ""
        )
        yield UNSUPPORTED_FORMAT.at(
            document.spot()._replace(line=1), f"it is {document.instead}.", fix
        )


def unfetched_sitemap(document: Document) -> Findings:
    if document.failure:
        problem = f"lists {document.url}, which cannot be fetched: {document.failure}."
        yield UNFETCHED_SITEMAP.at(document.listing, problem)


def sitemap_redirects(document: Document) -> Findings:
    if document.redirect:
        yield SITEMAP_REDIRECTS.at(
            document.listing, f"lists {document.url}, which redirects to {document.redirect}."
        )


def wrong_content_type(document: Document) -> Findings:
    if document.kind and document.content_type in {"text/html", "application/xhtml+xml"}:
        problem = f"lists {document.url}, which is served as {document.content_type}."
        yield WRONG_CONTENT_TYPE.at(document.listing, problem)


def robots_blocks_sitemap(document: Document) -> Findings:
    url = urls.normalise(document.url)
    if rule := document.robots and document.robots.blocks(url):
        problem = f"robots.txt blocks it with {rule!r}."
        yield ROBOTS_BLOCKS_SITEMAP.at(
            document.spot(), problem, f"Add `Allow: {urls.path(url)}` to robots.txt."
        )


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
    listed: set[str] = set()
    for entry in document.entries if document.kind == "sitemapindex" else ():
        if entry.normal in listed:
            problem = f"it lists {entry.normal} more than once."
            yield DUPLICATE_URL.at(document.spot(entry), problem, "Keep one of the entries.")
        listed |= {entry.normal} - {""}


def too_large(document: Document) -> Findings:
    if document.size > MAX_BYTES:
        size = f"{document.size:,}" if document.is_whole else f"more than {MAX_BYTES:,}"
        yield TOO_LARGE.at(
            document.spot(), f"it has {size} bytes uncompressed; the protocol allows {MAX_BYTES:,}."
        )


def too_many_entries(document: Document) -> Findings:
    if (count := document.count) <= MAX_URLS:
        return
    if document.kind == "sitemapindex":
        problem = f"it lists {count:,} sitemaps; the protocol allows {MAX_URLS:,}."
        yield TOO_MANY_SITEMAPS.at(
            document.spot(), problem, "Make sections larger, or split the site."
        )
    else:
        yield TOO_MANY_URLS.at(
            document.spot(), f"it lists {count:,} URLs; the protocol allows {MAX_URLS:,}."
        )


def too_many_news(document: Document) -> Findings:
    if (count := len(document.news)) > MAX_NEWS:
        yield TOO_MANY_NEWS.at(
            document.spot(), f"it has {count:,} articles; Google News accepts {MAX_NEWS:,}."
        )


def empty_sitemap(document: Document) -> Findings:
    is_list = (
        document.kind in {"urlset", "sitemapindex"} and document.is_whole and not document.has_news
    )
    if (
        is_list
        and not document.count
        and all(found.check != MISSING_LOC.name for found in document.findings)
    ):
        yield EMPTY_SITEMAP.at(
            document.spot(), f"it lists no {'URLs' if document.kind == 'urlset' else 'sitemaps'}."
        )


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
        yield RETIRED_TAG.at(
            document.spot(), f"it has {listed(document.retired)}, which Google no longer uses."
        )
