"""What is wrong with files that were just written, as they were read back: all that can be, and no more.

The checks themselves are those of the command; the ones that cannot fail here are not even loaded.
"""

from collections.abc import Iterator

from smindex_plugins import urls
from smindex_plugins.checks.entries import ENTRY_CHECKS
from smindex_plugins.checks.files import FILE_CHECKS
from smindex_plugins.checks.rule import Check
from smindex_plugins.model import Finding, Site, Sitemap, SitemapIndex
from smindex_plugins.sitemaps.listing import Document
from smindex_plugins.sitemaps.protocol import OwnPages


def check(site: Site, proven: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """Judge what was just written as it was read back, each file by itself.

    What only all files together tell, such as a URL that is listed twice, cannot go wrong there; nor can entries that
    are, to the byte, as this tool writes them, with plain URLs below the sitemap's directory. ``proven`` are other
    origins that agree to have their pages listed.
    """
    yield from _judge(_document(site.index))
    dates = {entry.url: entry.lastmod for entry in site.index.entries}
    for sitemap in site.sitemaps:
        if isinstance(sitemap, Finding):
            yield sitemap
        else:
            own = isinstance(sitemap.pages, OwnPages) and sitemap.pages.are_below(urls.directory(sitemap.url))
            document = _document(sitemap, dates.get(sitemap.url), with_entries=not own)
            document.proven = proven
            yield from _judge(document)


def _judge(document: Document) -> Iterator[Finding]:
    for check in (*FILE_CHECKS, *ENTRY_CHECKS, *_extension_checks(document)):
        if not check.kind.is_advice:
            yield from check(document)


def _extension_checks(document: Document) -> list[Check[Document]]:
    """Give what judges language variants: of all that extends an entry, the model that was read back has only these."""
    if not document.alternates:
        return []
    from smindex_plugins.checks.extensions import EXTENSION_CHECKS  # noqa: PLC0415 - most sites have one language

    return EXTENSION_CHECKS


def _document(parsed: Sitemap | SitemapIndex, lastmod: str | None = None, *, with_entries: bool = True) -> Document:
    """Give what a strict reader has read the form in which it is judged, on demand without what it lists."""
    entries = _listed(parsed) if with_entries else []
    document = Document(
        url=parsed.url,
        kind="urlset" if isinstance(parsed, Sitemap) else "sitemapindex",
        urls=[url for url, _ in entries],
        dates=[lastmod for _, lastmod in entries],
        count=len(parsed.pages if isinstance(parsed, Sitemap) else parsed.entries),
        size=parsed.size,
        is_ours=True,
        lastmod=lastmod or "",
    )
    if isinstance(parsed, Sitemap) and not isinstance(parsed.pages, OwnPages):
        alternates = enumerate(page.details.alternates for page in parsed.pages)
        document.alternates = {position: list(variants) for position, variants in alternates if variants}
    return document


def _listed(parsed: Sitemap | SitemapIndex) -> list[tuple[str, str]]:
    if isinstance(parsed, SitemapIndex):
        return [(entry.url, entry.lastmod or "") for entry in parsed.entries]
    if isinstance(parsed.pages, OwnPages):  # whose `Page` objects would take longer to make than all checks
        return parsed.pages.entries()
    return [(page.url, page.lastmod or "") for page in parsed.pages]
