"""What can be wrong with one file by itself: its size, its kind, its content, and its limits."""

from smindex_plugins.catalogue import TOO_MANY_SITEMAPS
from smindex_plugins.checks.rule import At, Findings, check
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.sitemaps import MISSING_LOC, Document


@check(Document, "error", "Sitemap file size error", fix="Split it into several sitemaps that an index lists.")
def too_large(document: Document, at: At) -> Findings:
    """A file has at most 52,428,800 bytes before compression."""
    if document.size > MAX_BYTES:
        size = f"{document.size:,}" if document.is_whole else f"more than {MAX_BYTES:,}"
        yield at(document, f"it has {size} bytes uncompressed; the protocol allows {MAX_BYTES:,}.")


@check(Document, "error", "Too many URLs", fix="Split it into several sitemaps that an index lists.")
def too_many_urls(document: Document, at: At) -> Findings:
    """A sitemap lists at most 50,000 URLs."""
    if document.kind != "sitemapindex" and document.count > MAX_URLS:
        yield at(document, f"it lists {document.count:,} URLs; the protocol allows {MAX_URLS:,}.")


@check(Document, TOO_MANY_SITEMAPS)
def _too_many_sitemaps(document: Document, at: At) -> Findings:
    if document.kind == "sitemapindex" and document.count > MAX_URLS:
        problem = f"it lists {document.count:,} sitemaps; the protocol allows {MAX_URLS:,}."
        yield at(document, problem, "Make sections larger, or split the site.")


@check(
    Document,
    "error",
    "Empty sitemap",
    fix="Build the site so that this file lists something. Or remove it, and its line in the index or in robots.txt.",
)
def empty_sitemap(document: Document, at: At) -> Findings:
    """A sitemap lists at least one URL, and an index at least one sitemap. Only a news sitemap may be empty."""
    is_list = document.kind in {"urlset", "sitemapindex"} and document.is_whole and not document.has_news
    if is_list and not document.count and all(found.check != MISSING_LOC.name for found in document.findings):
        what = "URL" if document.kind == "urlset" else "sitemap"
        yield at(document, f"it lists no {what}.")


@check(Document, "notice", fix="List every page in a sitemap too.")
def feed_as_sitemap(document: Document, at: At) -> Findings:
    """A feed is accepted as a sitemap, but it lists only the newest pages."""
    if document.kind in {"RSS feed", "Atom feed"}:
        problem = f"it is an {document.kind}, which lists only the newest pages. Its entries were not checked."
        yield at(document, problem)


@check(Document, "notice", fix="Leave them out to save bytes.")
def ignored_hints(document: Document, at: At) -> Findings:
    """Google and Bing ignore changefreq and priority."""
    if document.hints:
        have = "has" if document.hints == 1 else "have"
        problem = f"{document.hints:,} of its entries {have} a changefreq or a priority, which Google and Bing ignore."
        yield at(document, problem)


@check(Document, "notice", fix="Use a CSS stylesheet, or none.", advice=True)
def dead_stylesheet(document: Document, at: At) -> Findings:
    """A sitemap needs no XSLT stylesheet. Browsers are ending their support (Chrome with version 158)."""
    if document.has_xslt:
        yield at(document, "it names an XSLT stylesheet, and browsers are ending their support for XSLT.")


@check(Document, "notice", fix="Plan to split it.", advice=True)
def nearly_full(document: Document, at: At) -> Findings:
    """A file stays below 90 % of every limit."""
    share = max(document.count / MAX_URLS, document.size / MAX_BYTES)
    if 0.9 < share <= 1:  # noqa: PLR2004 - the docstring says it
        yield at(document, f"it uses {share:.0%} of what the protocol allows.")
