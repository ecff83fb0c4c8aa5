"""Sitemaps and indexes as they are written: no file over either limit, counted on its bytes."""

from collections.abc import Iterable, Iterator

from smindex_plugins import protocol
from smindex_plugins.model import Finding, IndexEntry, Page
from smindex_plugins.settings import Settings


def render_sitemap(pages: list[Page], settings: Settings, too_large: dict[str, Finding]) -> list[bytes] | None:
    """Write a sitemap, or give None where it would be over a limit and there is more than one page to divide.

    A page whose entry is too large for any file is left out, and told of in ``too_large`` under its URL; without any
    other page there is nothing to write.
    """
    if len(pages) > settings.max_urls:
        return None
    content = _within(protocol.render_urls(pages), settings.max_bytes)
    if content is None:
        sizes = ((page, _size(list(protocol.urlset([protocol.render_url(page)])))) for page in pages)
        alone = {page.url: _entry_too_large(page, size, settings) for page, size in sizes if size > settings.max_bytes}
        too_large.update(alone)
        if alone:
            return render_sitemap([page for page in pages if page.url not in alone], settings, too_large)
    return content


def render_indexes(entries: Iterable[IndexEntry], settings: Settings) -> Iterator[list[bytes]]:
    """Write as many indexes as it takes, each of them full but the last."""
    frame = _size(list(protocol.sitemapindex([])))
    part: list[bytes] = []
    size = frame
    for entry in map(protocol.render_entry, entries):
        size += len(entry)
        if part and (len(part) == settings.max_urls or size > settings.max_bytes):
            yield list(protocol.sitemapindex(part))
            part, size = [], frame + len(entry)
        part.append(entry)
    if part:
        yield list(protocol.sitemapindex(part))


def _within(rendered: Iterable[bytes], most_bytes: int) -> list[bytes] | None:
    entries: list[bytes] = []
    size = 0
    for some in rendered:
        entries.append(some)
        size += len(some)
        if size > most_bytes:  # there is no need to hold what is larger still
            return None
    content = list(protocol.urlset(entries)) if entries else []
    return content if _size(content) <= most_bytes else None


def _size(content: Iterable[bytes]) -> int:
    return sum(map(len, content))


def _entry_too_large(page: Page, size: int, settings: Settings) -> Finding:
    return Finding(
        check="entry-too-large",
        level="error",
        where=page.url,
        problem=f"a sitemap with its entry alone takes {size:,} bytes of the {settings.max_bytes:,} it may have.",
        fix="It is not listed. Raise max_bytes, or shorten the URL.",
    )
