"""What can be wrong with one file by itself: its bytes, its XML, its size, its elements."""

from smindex_plugins.checks.rule import Check, Flaws, check, flaw, repeat
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.sitemaps.listing import Document


def _met(document: Document, name: str) -> Flaws:
    return repeat(document, document.faults.get(name, ()))


@check("error", "Parsing error")
def unreadable_sitemap(document: Document) -> Flaws:
    """A file is well-formed XML and can be read to its end."""
    return _met(document, "unreadable_sitemap")


@check("error", "Unsupported format")
def unsupported_format(document: Document) -> Flaws:
    """A file is a urlset, a sitemap index, a list of URLs, or a feed, and no HTML page."""
    return _met(document, "unsupported_format")


@check("error", "Incorrect namespace")
def wrong_namespace(document: Document) -> Flaws:
    """The namespaces of sitemaps and of their extensions are written exactly."""
    return _met(document, "wrong_namespace")


@check("error", "Leading whitespace")
def leading_whitespace(document: Document) -> Flaws:
    """Nothing stands before the XML declaration."""
    return _met(document, "leading_whitespace")


@check("warning", "Leading whitespace")
def byte_order_mark(document: Document) -> Flaws:
    """A file begins without a byte order mark."""
    return _met(document, "byte_order_mark")


@check("error", "Parsing error")
def wrong_encoding(document: Document) -> Flaws:
    """A file is UTF-8."""
    return _met(document, "wrong_encoding")


@check("error", "Parsing error")
def document_type(document: Document) -> Flaws:
    """A file declares no document type, and so no entities."""
    return _met(document, "document_type")


@check("error", "Compression error")
def compression_error(document: Document) -> Flaws:
    """A file whose name ends in .gz is whole gzip, packed once, and no other file is."""
    return _met(document, "compression_error")


@check("error", "Missing XML tag")
def missing_loc(document: Document) -> Flaws:
    """Every entry has a URL in a <loc>."""
    return _met(document, "missing_loc")


@check("error", "Invalid XML: too many tags")
def repeated_tag(document: Document) -> Flaws:
    """An entry has each element once."""
    return _met(document, "repeated_tag")


@check("error", "Invalid tag value")
def unknown_tag(document: Document) -> Flaws:
    """Only elements of the protocol and of its extensions are used, each where it belongs."""
    return _met(document, "unknown_tag")


@check("error", "Missing XML attribute")
def missing_attribute(document: Document) -> Flaws:
    """An element of an extension has the attributes that it needs."""
    return _met(document, "missing_attribute")


@check("error", "Invalid attribute value")
def invalid_attribute(document: Document) -> Flaws:
    """An attribute has one of the values that it may have."""
    return _met(document, "invalid_attribute")


@check("error", "Parsing error")
def stray_text(document: Document) -> Flaws:
    """Text stands only in the elements whose value it is."""
    return _met(document, "stray_text")


@check("warning")
def unknown_attribute(document: Document) -> Flaws:
    """The elements of the protocol itself have no attributes."""
    return _met(document, "unknown_attribute")


@check("warning")
def wrong_order(document: Document) -> Flaws:
    """In a <url>, loc comes first, then lastmod, changefreq and priority, then extensions, as the schema has it."""
    return _met(document, "wrong_order")


@check("warning")
def padded_value(document: Document) -> Flaws:
    """There is no space around a URL or a date."""
    return _met(document, "padded_value")


@check("error", "Invalid tag value")
def invalid_hint(document: Document) -> Flaws:
    """A changefreq is one of seven words, a priority a number from 0.0 to 1.0."""
    return _met(document, "invalid_hint")


@check("error", "Invalid date")
def empty_date(document: Document) -> Flaws:
    """A <lastmod> is not empty."""
    return _met(document, "empty_date")


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
    if is_list and not document.count and not document.faults.get("missing_loc"):
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
    unreadable_sitemap,
    unsupported_format,
    wrong_namespace,
    leading_whitespace,
    byte_order_mark,
    wrong_encoding,
    document_type,
    compression_error,
    missing_loc,
    repeated_tag,
    unknown_tag,
    missing_attribute,
    invalid_attribute,
    stray_text,
    unknown_attribute,
    wrong_order,
    padded_value,
    invalid_hint,
    empty_date,
    too_large,
    too_many_urls,
    too_many_sitemaps,
    empty_sitemap,
    feed_as_sitemap,
    ignored_hints,
    dead_stylesheet,
    nearly_full,
)
