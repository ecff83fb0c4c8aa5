"""What can be wrong with one file by itself: its size, its kind, what it holds, and what near to a limit."""

from smindex_plugins.checks.rule import Check, Flaws, check, flaw
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.sitemaps.faults import MISSING_LOC
from smindex_plugins.sitemaps.listing import Document


@check("error", "Sitemap file size error")
def too_large(document: Document) -> Flaws:
    """A file has at most 52,428,800 bytes before compression."""
    if document.size > MAX_BYTES:
        size = f"{document.size:,}" if document.is_whole else f"more than {MAX_BYTES:,}"
        problem = f"it has {size} bytes uncompressed; the protocol allows {MAX_BYTES:,}."
        yield flaw(document, problem, "Split it.")


@check("error", "Too many URLs")
def too_many_urls(document: Document) -> Flaws:
    """A sitemap lists at most 50,000 URLs."""
    if document.kind != "sitemapindex" and document.count > MAX_URLS:
        problem = f"it lists {document.count:,} URLs; the protocol allows {MAX_URLS:,}."
        yield flaw(document, problem, "Split it.")


@check("error", "Too many sitemaps")
def too_many_sitemaps(document: Document) -> Flaws:
    """An index lists at most 50,000 sitemaps."""
    if document.kind == "sitemapindex" and document.count > MAX_URLS:
        problem = f"it lists {document.count:,} sitemaps; the protocol allows {MAX_URLS:,}."
        yield flaw(document, problem, "Make sections larger, or split the site.")


@check("error", "Empty sitemap")
def empty_sitemap(document: Document) -> Flaws:
    """A sitemap lists at least one URL, an index at least one sitemap; only a news sitemap may be empty."""
    is_list = document.kind in {"urlset", "sitemapindex"} and document.is_whole and not document.has_news
    if is_list and not document.count and not document.met[MISSING_LOC.name]:
        what, fix = ("URL", "Remove it from the index.") if document.kind == "urlset" else ("sitemap", "Remove it.")
        yield flaw(document, f"it lists no {what}.", fix)


@check("notice")
def feed_as_sitemap(document: Document) -> Flaws:
    """A feed is accepted as a sitemap, and holds only the newest pages."""
    if document.kind in {"RSS feed", "Atom feed"}:
        problem = f"it is an {document.kind}, which holds only the newest pages; its entries are not checked."
        yield flaw(document, problem, "List every page in a sitemap too.")


@check("notice")
def ignored_hints(document: Document) -> Flaws:
    """Google and Bing ignore changefreq and priority."""
    if document.hints:
        have = "has" if document.hints == 1 else "have"
        problem = f"{document.hints:,} of its entries {have} a changefreq or a priority, which Google and Bing ignore."
        yield flaw(document, problem, "Leave them out; they cost bytes.")


@check("notice", advice=True)
def dead_stylesheet(document: Document) -> Flaws:
    """Browsers stop supporting XSLT stylesheets, Chrome with version 158."""
    if document.has_xslt:
        yield flaw(document, "it names an XSLT stylesheet, which browsers stop to apply.", "Use CSS, or none.")


@check("notice", advice=True)
def nearly_full(document: Document) -> Flaws:
    """A file that has used 90 % of a limit is near to being refused."""
    share = max(document.count / MAX_URLS, document.size / MAX_BYTES)
    if 0.9 < share <= 1:  # noqa: PLR2004 - the docstring says it
        yield flaw(document, f"it has used {share:.0%} of what the protocol allows.", "Plan to split it.")


FILE_CHECKS: tuple[Check[Document], ...] = (
    too_large,
    too_many_urls,
    too_many_sitemaps,
    empty_sitemap,
    feed_as_sitemap,
    ignored_hints,
    dead_stylesheet,
    nearly_full,
)
