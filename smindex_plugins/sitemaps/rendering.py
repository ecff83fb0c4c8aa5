"""Sitemaps and indexes as they are written: no file over either limit, counted on its bytes."""

import itertools
from collections.abc import Collection, Iterable, Iterator

from smindex_plugins.catalogue import ENTRY_TOO_LARGE, INDEX_TOO_LARGE, TOO_MANY_SITEMAPS
from smindex_plugins.limits import MAX_INDEXES
from smindex_plugins.model import Finding, IndexEntry, Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import xml
from smindex_plugins.sitemaps.output import OutputError


def render_sitemap(pages: list[Page], settings: Settings, too_large: dict[str, Finding]) -> list[bytes] | None:
    """Return a sitemap, or None where it would be over a limit and there is more than one page to divide.

    A page whose entry is too large for any file is left out, and ``too_large`` gets a finding under its URL; without
    any other page the sitemap is empty.
    """
    if len(pages) > settings.max_urls:
        return None
    content = _within(map(xml.render_url, pages), settings.max_bytes)
    if content is None:
        sizes = {page.url: _size(xml.urlset([xml.render_url(page)])) for page in pages}
        alone = {url: size for url, size in sizes.items() if size > settings.max_bytes}
        for url, size in alone.items():
            problem = f"a sitemap with its entry alone takes {size:,} bytes of the {settings.max_bytes:,} it may have."
            too_large[url] = ENTRY_TOO_LARGE.at(url, problem)
        if alone:
            return render_sitemap([page for page in pages if page.url not in alone], settings, too_large)
    return content


def name_indexes(
    own: Collection[IndexEntry], base: str, settings: Settings, joined: Collection[IndexEntry] = ()
) -> Iterator[tuple[str, list[bytes]]]:
    """Return the index with its URL, or several under numbered ones that no sitemap bears.

    Raises:
        OutputError: there would be too many of them, or one entry is too large.
    """
    rendered = list(render_indexes(own, settings, joined))
    if len(rendered) > MAX_INDEXES:
        needed = f"{len(rendered):,} indexes to list {len(own) + len(joined):,} sitemaps"
        problem = f"it would take {needed}; search engines take {MAX_INDEXES}."
        fix = f"Nothing was written. {TOO_MANY_SITEMAPS.fix}"
        raise OutputError([TOO_MANY_SITEMAPS.at(settings.index_filename, problem, fix)])
    for content in rendered:
        if _size(content) > settings.max_bytes:
            problem = f"it has no room for the entry of one sitemap, {content[-2].decode().strip()}."
            raise OutputError([INDEX_TOO_LARGE.at(settings.index_filename, problem)])
    stem = base + settings.index_filename.removesuffix(".xml")
    numbered = (f"{stem}-{number}.xml" for number in itertools.count(1))
    sitemaps = {entry.url for entry in (*own, *joined)}
    names = (url for url in numbered if url not in sitemaps) if len(rendered) > 1 else [f"{stem}.xml"]
    yield from zip(names, rendered, strict=False)


def render_indexes(
    own: Iterable[IndexEntry], settings: Settings, joined: Iterable[IndexEntry] = ()
) -> Iterator[list[bytes]]:
    """Return as many indexes as it takes, each of them full but the last; what is joined comes last, and is marked."""
    frame = _size(list(xml.sitemapindex([])))
    part: list[bytes] = []
    count, size, before = 0, frame, b""
    for mark, entry in (*((b"", entry) for entry in own), *((xml.JOINED, entry) for entry in joined)):
        line = xml.render_entry(entry)
        added = [mark, line] if mark != before else [line]
        if count and (count == settings.max_urls or size + _size(added) > settings.max_bytes):
            yield list(xml.sitemapindex(part))
            part, count, size = [], 0, frame
            added = [mark, line] if mark else [line]
        part += added
        count += 1
        size += _size(added)
        before = mark
    if part:
        yield list(xml.sitemapindex(part))


def _within(rendered: Iterable[bytes], most_bytes: int) -> list[bytes] | None:
    entries: list[bytes] = []
    size = 0
    for some in rendered:
        entries.append(some)
        size += len(some)
        if size > most_bytes:  # there is no need to hold what is larger still
            return None
    content = list(xml.urlset(entries)) if entries else []
    return content if _size(content) <= most_bytes else None


def _size(content: Iterable[bytes]) -> int:
    return sum(map(len, content))
