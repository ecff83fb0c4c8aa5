"""What can be wrong with one file by itself: its size, its kind, what it holds, and what is near to a limit."""

from smindex_plugins.catalogue import TOO_MANY_SITEMAPS
from smindex_plugins.checks.rule import At, Findings, check
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.sitemaps import MISSING_LOC, Document


@check(Document, "error", "Sitemap file size error", fix="Split it.")
def too_large(document: Document, at: At) -> Findings:
    """A file has at most 52,428,800 bytes before compression."""
    if document.size > MAX_BYTES:
        size = f"{document.size:,}" if document.is_whole else f"more than {MAX_BYTES:,}"
        yield at(document, f"it has {size} bytes uncompressed; the protocol allows {MAX_BYTES:,}.")


@check(Document, "error", "Too many URLs", fix="Split it.")
def too_many_urls(document: Document, at: At) -> Findings:
    """A sitemap lists at most 50,000 URLs."""
    if document.kind != "sitemapindex" and document.count > MAX_URLS:
        yield at(document, f"it lists {document.count:,} URLs; the protocol allows {MAX_URLS:,}.")


@check(Document, TOO_MANY_SITEMAPS)
def _too_many_sitemaps(document: Document, at: At) -> Findings:
    if document.kind == "sitemapindex" and document.count > MAX_URLS:
        problem = f"it lists {document.count:,} sitemaps; the protocol allows {MAX_URLS:,}."
        yield at(document, problem, "Make sections larger, or split the site.")


@check(Document, "error", "Empty sitemap", fix="Remove it.")
def empty_sitemap(document: Document, at: At) -> Findings:
    """A sitemap lists at least one URL, an index at least one sitemap; only a news sitemap may be empty."""
    is_list = document.kind in {"urlset", "sitemapindex"} and document.is_whole and not document.has_news
    if is_list and not document.count and not document.met[MISSING_LOC.name]:
        what, fix = ("URL", "Remove it from the index.") if document.kind == "urlset" else ("sitemap", "")
        yield at(document, f"it lists no {what}.", fix)


@check(Document, "notice", fix="List every page in a sitemap too.")
def feed_as_sitemap(document: Document, at: At) -> Findings:
    """A feed is accepted as a sitemap, and holds only the newest pages."""
    if document.kind in {"RSS feed", "Atom feed"}:
        yield at(document, f"it is an {document.kind}, which holds only the newest pages; its entries are not checked.")


@check(Document, "notice", fix="Leave them out; they cost bytes.")
def ignored_hints(document: Document, at: At) -> Findings:
    """Google and Bing ignore changefreq and priority."""
    if document.hints:
        have = "has" if document.hints == 1 else "have"
        problem = f"{document.hints:,} of its entries {have} a changefreq or a priority, which Google and Bing ignore."
        yield at(document, problem)


@check(Document, "notice", fix="Use CSS, or none.", advice=True)
def dead_stylesheet(document: Document, at: At) -> Findings:
    """Browsers stop supporting XSLT stylesheets, Chrome with version 158."""
    if document.has_xslt:
        yield at(document, "it names an XSLT stylesheet, which browsers stop to apply.")


@check(Document, "notice", fix="Plan to split it.", advice=True)
def nearly_full(document: Document, at: At) -> Findings:
    """A file that has used 90 % of a limit is near to being refused."""
    share = max(document.count / MAX_URLS, document.size / MAX_BYTES)
    if 0.9 < share <= 1:  # noqa: PLR2004 - the docstring says it
        yield at(document, f"it has used {share:.0%} of what the protocol allows.")
