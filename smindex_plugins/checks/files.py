"""What can be wrong with one file by itself: its size, its kind, its content, and its limits."""

from smindex_plugins.catalogue import (
    EMPTY_SITEMAP,
    FEED_AS_SITEMAP,
    IGNORED_HINTS,
    MISSING_LOC,
    TOO_LARGE,
    TOO_MANY_SITEMAPS,
    TOO_MANY_URLS,
)
from smindex_plugins.checks.rule import At, Findings, check
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.sitemaps import Document


@check(Document, TOO_LARGE)
def too_large(document: Document, at: At) -> Findings:
    if document.size > MAX_BYTES:
        size = f"{document.size:,}" if document.is_whole else f"more than {MAX_BYTES:,}"
        yield at(document, f"it has {size} bytes uncompressed; the protocol allows {MAX_BYTES:,}.")


@check(Document, TOO_MANY_URLS)
def too_many_urls(document: Document, at: At) -> Findings:
    if document.kind != "sitemapindex" and document.count > MAX_URLS:
        yield at(document, f"it lists {document.count:,} URLs; the protocol allows {MAX_URLS:,}.")


@check(Document, TOO_MANY_SITEMAPS)
def too_many_sitemaps(document: Document, at: At) -> Findings:
    if document.kind == "sitemapindex" and document.count > MAX_URLS:
        problem = f"it lists {document.count:,} sitemaps; the protocol allows {MAX_URLS:,}."
        yield at(document, problem, "Make sections larger, or split the site.")


@check(Document, EMPTY_SITEMAP)
def empty_sitemap(document: Document, at: At) -> Findings:
    is_list = document.kind in {"urlset", "sitemapindex"} and document.is_whole and not document.has_news
    if is_list and not document.count and not document.met[MISSING_LOC.name]:
        what = "URL" if document.kind == "urlset" else "sitemap"
        yield at(document, f"it lists no {what}.")


@check(Document, FEED_AS_SITEMAP)
def feed_as_sitemap(document: Document, at: At) -> Findings:
    if document.kind in {"RSS feed", "Atom feed"}:
        problem = f"it is an {document.kind}, which lists only the newest pages. Its entries were not checked."
        yield at(document, problem)


@check(Document, IGNORED_HINTS)
def ignored_hints(document: Document, at: At) -> Findings:
    if document.hints:
        have = "has" if document.hints == 1 else "have"
        problem = f"{document.hints:,} of its entries {have} a changefreq or a priority, which Google and Bing ignore."
        yield at(document, problem)
