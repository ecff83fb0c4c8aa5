"""Sitemaps and indexes as they are written: no file over either limit, counted on its bytes."""

import itertools
from collections.abc import Collection, Iterable, Iterator

from smindex_plugins.limits import MAX_INDEXES
from smindex_plugins.model import Finding, IndexEntry, Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import protocol


class LimitError(Exception):
    """A limit leaves no room for what is to be written; ``finding`` says which and why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


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


def name_indexes(
    own: Collection[IndexEntry], base: str, settings: Settings, joined: Collection[IndexEntry] = ()
) -> Iterator[tuple[str, list[bytes]]]:
    """Write the index with its URL, or several under numbered ones that no sitemap bears.

    Raises:
        LimitError: there would be too many of them, or one entry is too large.
    """
    rendered = list(render_indexes(own, settings, joined))
    if len(rendered) > MAX_INDEXES:
        raise LimitError(_too_many_indexes(len(own) + len(joined), len(rendered), settings))
    if too_large := [content for content in rendered if _size(content) > settings.max_bytes]:
        raise LimitError(_index_too_large(too_large[0], settings))
    stem = base + settings.index_filename.removesuffix(".xml")
    numbered = (f"{stem}-{number}.xml" for number in itertools.count(1))
    sitemaps = {entry.url for entry in (*own, *joined)}
    names = (url for url in numbered if url not in sitemaps) if len(rendered) > 1 else [f"{stem}.xml"]
    yield from zip(names, rendered, strict=False)


def render_indexes(
    own: Iterable[IndexEntry], settings: Settings, joined: Iterable[IndexEntry] = ()
) -> Iterator[list[bytes]]:
    """Write as many indexes as it takes, each of them full but the last; what is joined comes last, and is marked."""
    frame = _size(list(protocol.sitemapindex([])))
    part: list[bytes] = []
    count, size, before = 0, frame, b""
    for mark, entry in (*((b"", entry) for entry in own), *((protocol.JOINED, entry) for entry in joined)):
        line = protocol.render_entry(entry)
        added = [mark, line] if mark != before else [line]
        if count and (count == settings.max_urls or size + _size(added) > settings.max_bytes):
            yield list(protocol.sitemapindex(part))
            part, count, size = [], 0, frame
            added = [mark, line] if mark else [line]
        part += added
        count += 1
        size += _size(added)
        before = mark
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


def _too_many_indexes(sitemaps: int, indexes: int, settings: Settings) -> Finding:
    return Finding(
        check="too-many-sitemaps",
        level="error",
        where=settings.index_filename,
        problem=f"it would take {indexes:,} indexes to list {sitemaps:,} sitemaps; search engines take {MAX_INDEXES}.",
        fix="Nothing was written. Lower section_depth or raise section_min_pages.",
    )


def _index_too_large(content: list[bytes], settings: Settings) -> Finding:
    return Finding(
        check="index-too-large",
        level="error",
        where=settings.index_filename,
        problem=f"it has no room for the entry of one sitemap, {content[-2].decode().strip()}.",
        fix="Nothing was written. Raise max_bytes.",
    )
