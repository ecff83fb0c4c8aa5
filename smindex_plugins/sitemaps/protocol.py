"""What the sitemaps protocol says: its namespace, and how its files are written."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from smindex_plugins.model import PLAIN, IndexEntry, Page
from smindex_plugins.sitemaps import extensions

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# The mark by which this tool knows its own files again. It bears no version, so that an upgrade changes no byte.
MARK = b"<!-- Written by smindex-plugins -->"

JOINED = b"<!-- Joined from the directories below -->\n"
"""What stands in an index between the sitemaps of its own build and those of others, which come after it."""

_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n' + MARK + b"\n"
_URLSET_HEAD = _HEAD + b'<urlset xmlns="%s"%%s>\n' % NAMESPACE.encode()
URLSET_HEAD = _URLSET_HEAD % b""
"""Of a sitemap without extensions."""
URLSET_TAIL = b"</urlset>\n"
INDEX_HEAD = _HEAD + f'<sitemapindex xmlns="{NAMESPACE}">\n'.encode()
INDEX_TAIL = b"</sitemapindex>\n"

_BATCH = 1_500
"""Entries that are written together: the work between them is small, and they fit into the processor's cache.

With fewer, glibc gives the memory of each sitemap back to the system, only to take it anew for the next one.
"""


def render_url(page: Page) -> bytes:
    """Write one ``<url>``, on a line of its own."""
    extended = extensions.render(page.details) if page.details.is_extended else ""
    return _render("url", page.url, page.lastmod, extended)


def render_urls(pages: Sequence[Page]) -> Iterator[bytes]:
    """Write one ``<url>`` a line, many lines at a time, which is several times faster than one by one.

    Lines that have extensions come one by one, so that `urlset` sees which there are.
    """
    for start in range(0, len(pages), _BATCH):
        batch = pages[start : start + _BATCH]
        lines = [
            f"<url><loc>{page.url}</loc><lastmod>{page.lastmod}</lastmod></url>\n"
            if page.lastmod
            else f"<url><loc>{page.url}</loc></url>\n"
            for page in batch
            if page.details is PLAIN or not page.details.is_extended
        ]
        if len(lines) < len(batch):
            yield from map(render_url, batch)
            continue
        text = "".join(lines)
        yield b"".join(map(render_url, batch)) if "&" in text or "'" in text else text.encode("ascii")


def render_entry(entry: IndexEntry) -> bytes:
    """Write one ``<sitemap>`` of an index, on a line of its own."""
    return _render("sitemap", entry.url, entry.lastmod)


def urlset(rendered: Collection[bytes]) -> Iterator[bytes]:
    """Frame rendered ``<url>`` elements as a sitemap file, which declares the namespaces that it needs."""
    yield _URLSET_HEAD % extensions.declarations(rendered).encode()
    yield from rendered
    yield URLSET_TAIL


def sitemapindex(rendered: Iterable[bytes]) -> Iterator[bytes]:
    """Frame rendered ``<sitemap>`` elements as an index file."""
    yield INDEX_HEAD
    yield from rendered
    yield INDEX_TAIL


def _render(element: str, url: str, lastmod: str | None, extended: str = "") -> bytes:
    date_element = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<{element}><loc>{_escape_url(url)}</loc>{date_element}{extended}</{element}>\n".encode("ascii")


def _escape_url(url: str) -> str:
    # A normalised URL holds no other character that XML reserves; the protocol wants both of these escaped.
    if "&" in url or "'" in url:
        return url.replace("&", "&amp;").replace("'", "&apos;")
    return url
