"""Renders sitemaps and indexes, each within the limits of the protocol."""

import itertools
from collections.abc import Collection, Iterable, Iterator

from smindex_plugins.base.catalogue import ENTRY_TOO_LARGE, TOO_MANY_SITEMAPS
from smindex_plugins.base.limits import MAX_BYTES, MAX_INDEXES
from smindex_plugins.base.model import Finding, IndexEntry, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.writing.names import JOINED, MARK, NAMESPACE, NAMESPACES

_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n' + MARK + b"\n"
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"}
"""The characters that XML reserves. The first is the start of the others' entities."""


class OutputError(Exception):
    """Nothing was changed. ``findings`` contains the reasons."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings

    def __reduce__(self) -> tuple[type["OutputError"], tuple[list[Finding]]]:
        return OutputError, (self.findings,)  # makes it picklable


def render_url(page: Page) -> bytes:
    """Return one ``<url>``, on its own line."""
    extended = ""
    for code, url in page.alternates:
        extended += (
            f'<xhtml:link rel="alternate" hreflang="{_escape(code)}" href="{_escape(url)}"/>'
        )
    for url in page.images:
        extended += f"<image:image><image:loc>{_escape(url)}</image:loc></image:image>"
    return _entry("url", page.url, page.lastmod, extended)


def render_entry(entry: IndexEntry) -> bytes:
    """Return one ``<sitemap>`` of an index, on its own line."""
    return _entry("sitemap", entry.url, entry.lastmod)


def urlset(rendered: Collection[bytes]) -> list[bytes]:
    """Return a sitemap file of ``<url>`` elements.

    It declares only the namespaces that they need.
    """
    declared = ""
    for prefix, namespace in NAMESPACES.items():
        mark = f"<{prefix}:".encode()
        if any(mark in entry for entry in rendered):
            declared += f' xmlns:{prefix}="{namespace}"'
    start = f'<urlset xmlns="{NAMESPACE}"{declared}>\n'.encode()
    return [_HEAD + start, *rendered, b"</urlset>\n"]


def sitemapindex(rendered: Iterable[bytes]) -> list[bytes]:
    """Return an index file of ``<sitemap>`` elements."""
    start = f'<sitemapindex xmlns="{NAMESPACE}">\n'.encode()
    return [_HEAD + start, *rendered, b"</sitemapindex>\n"]


def _entry(element: str, url: str, lastmod: str | None, extended: str = "") -> bytes:
    # A normalized URL contains no other character that XML reserves; the protocol requires both to
    # be escaped.
    escaped = url.replace("&", "&amp;").replace("'", "&apos;")
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<{element}><loc>{escaped}</loc>{date}{extended}</{element}>\n".encode("ascii")


def _escape(text: str) -> str:
    for reserved, entity in _ENTITIES.items():
        text = text.replace(reserved, entity)
    return text.encode("ascii", "xmlcharrefreplace").decode()


def render_sitemap(
    pages: list[Page], settings: Settings, max_bytes: int = MAX_BYTES
) -> list[bytes] | None:
    """Return a sitemap, or None if it would exceed a limit and has more than one page.

    The sitemap is empty without pages, and for a page whose entry is too large for any file.
    """
    if len(pages) > settings.max_urls:
        return None
    entries: list[bytes] = []
    size = 0
    for page in pages:
        entry = render_url(page)
        entries.append(entry)
        size += len(entry)
        if size > max_bytes:  # the rest isn't needed
            break
    if not entries:
        return []
    content = urlset(entries)
    size = _size(content)
    if size <= max_bytes:
        return content
    if len(pages) > 1:
        return None
    return []


def entry_too_large(page: Page) -> Finding:
    """Return the finding about a page whose entry is too large for any file."""
    size = _size(urlset([render_url(page)]))
    problem = (
        f"a sitemap with only this entry has {size:,} bytes; the protocol allows {MAX_BYTES:,}."
    )
    return ENTRY_TOO_LARGE.at(page.url, problem)


def name_indexes(
    own: Collection[IndexEntry],
    base: str,
    settings: Settings,
    joined: Collection[IndexEntry] = (),
) -> Iterator[tuple[str, list[bytes]]]:
    """Return the index with its URL, or several with numbered names that differ from all sitemaps.

    Raises:
        OutputError: there would be too many of them.
    """
    rendered = list(render_indexes(own, settings, joined))
    if len(rendered) > MAX_INDEXES:
        needed = f"{len(rendered):,} indexes to list {len(own) + len(joined):,} sitemaps"
        problem = f"it would take {needed}; search engines accept {MAX_INDEXES}."
        fix = f"Nothing was written. {TOO_MANY_SITEMAPS.fix}"
        raise OutputError([TOO_MANY_SITEMAPS.at(settings.index_filename, problem, fix)])
    stem = base + settings.index_filename.removesuffix(".xml")
    if len(rendered) == 1:
        yield f"{stem}.xml", rendered[0]
        return
    numbered = (f"{stem}-{number}.xml" for number in itertools.count(1))
    sitemaps = {entry.url for entry in (*own, *joined)}
    names = (url for url in numbered if url not in sitemaps)
    yield from zip(names, rendered, strict=False)


def render_indexes(
    own: Iterable[IndexEntry],
    settings: Settings,
    joined: Iterable[IndexEntry] = (),
    max_bytes: int = MAX_BYTES,
) -> Iterator[list[bytes]]:
    """Return as many indexes as needed, each full except the last.

    Joined sitemaps come last, after the mark.
    """
    frame = _size(sitemapindex([]))
    part: list[bytes] = []
    count = 0
    size = frame
    is_marked = False
    for entry, is_joined in _with_origin(own, joined):
        line = render_entry(entry)
        first_line = JOINED + line if is_joined else line
        added = line if is_marked else first_line
        is_full = count == settings.max_urls or size + len(added) > max_bytes
        if count and is_full:
            yield sitemapindex(part)
            part = []
            count = 0
            size = frame
            added = first_line
        part.append(added)
        count += 1
        size += len(added)
        is_marked = is_joined
    if part:
        yield sitemapindex(part)


def _with_origin(
    own: Iterable[IndexEntry], joined: Iterable[IndexEntry]
) -> Iterator[tuple[IndexEntry, bool]]:
    """Yield the entries of an index, and whether each is joined."""
    for entry in own:
        yield entry, False
    for entry in joined:
        yield entry, True


def _size(content: Iterable[bytes]) -> int:
    return sum(map(len, content))
