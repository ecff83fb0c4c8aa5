"""Renders sitemaps and indexes, each within the limits of the protocol."""

import itertools
from collections.abc import Collection, Iterable, Iterator

from smindex_plugins.base.catalogue import ENTRY_TOO_LARGE, TOO_MANY_SITEMAPS
from smindex_plugins.base.limits import MAX_BYTES, MAX_INDEXES
from smindex_plugins.base.model import Finding, IndexEntry, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.writing.names import JOINED, MARK, NAMESPACE, NAMESPACES

_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n' + MARK + b"\n"
# The characters that XML reserves.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})


class OutputError(Exception):
    """Nothing was changed. ``findings`` contains the reasons."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings

    def __reduce__(self) -> tuple[type["OutputError"], tuple[list[Finding]]]:
        return OutputError, (self.findings,)  # makes it picklable


def render_url(page: Page) -> bytes:
    """Return one ``<url>``, on its own line."""
    links = (
        f'<xhtml:link rel="alternate" hreflang="{_escape(code)}" href="{_escape(url)}"/>'
        for code, url in page.alternates
    )
    images = (
        f"<image:image><image:loc>{_escape(url)}</image:loc></image:image>" for url in page.images
    )
    return _entry("url", page.url, page.lastmod, "".join([*links, *images]))


def render_entry(entry: IndexEntry) -> bytes:
    """Return one ``<sitemap>`` of an index, on its own line."""
    return _entry("sitemap", entry.url, entry.lastmod)


def urlset(rendered: Collection[bytes]) -> list[bytes]:
    """Return a sitemap file of ``<url>`` elements.

    It declares only the namespaces that they need.
    """
    marks = {prefix: f"<{prefix}:".encode() for prefix in NAMESPACES}
    used = [prefix for prefix, mark in marks.items() if any(mark in entry for entry in rendered)]
    declared = "".join(f' xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in used)
    return [_HEAD + f'<urlset xmlns="{NAMESPACE}"{declared}>\n'.encode(), *rendered, b"</urlset>\n"]


def sitemapindex(rendered: Iterable[bytes]) -> list[bytes]:
    """Return an index file of ``<sitemap>`` elements."""
    return [
        _HEAD + f'<sitemapindex xmlns="{NAMESPACE}">\n'.encode(),
        *rendered,
        b"</sitemapindex>\n",
    ]


def _entry(element: str, url: str, lastmod: str | None, extended: str = "") -> bytes:
    # A normalized URL contains no other character that XML reserves; the protocol requires both to
    # be escaped.
    escaped = url.replace("&", "&amp;").replace("'", "&apos;")
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<{element}><loc>{escaped}</loc>{date}{extended}</{element}>\n".encode("ascii")


def _escape(text: str) -> str:
    return text.translate(_ENTITIES).encode("ascii", "xmlcharrefreplace").decode()


def render_sitemap(
    pages: list[Page], settings: Settings, too_large: dict[str, Finding], max_bytes: int = MAX_BYTES
) -> list[bytes] | None:
    """Return a sitemap, or None if it would exceed a limit and has more than one page.

    The sitemap is empty without pages, and for a page whose entry is too large for any file.
    ``too_large`` gets a finding under the URL of that page.
    """
    if len(pages) > settings.max_urls:
        return None
    entries: list[bytes] = []
    size = 0
    for page in pages:
        entries.append(render_url(page))
        size += len(entries[-1])
        if size > max_bytes:  # the rest isn't needed
            break
    content = urlset(entries) if entries else []
    if _size(content) <= max_bytes:
        return content
    if len(pages) > 1:
        return None
    problem = (
        f"a sitemap with only this entry has {_size(content):,} bytes; the protocol allows"
        f" {max_bytes:,}."
    )
    too_large[pages[0].url] = ENTRY_TOO_LARGE.at(pages[0].url, problem)
    return []


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
    numbered = (f"{stem}-{number}.xml" for number in itertools.count(1))
    sitemaps = {entry.url for entry in (*own, *joined)}
    names = (
        (url for url in numbered if url not in sitemaps) if len(rendered) > 1 else [f"{stem}.xml"]
    )
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
    count, size, before = 0, frame, b""
    groups = ((b"", own), (JOINED, joined))
    for mark, entry in ((mark, entry) for mark, entries in groups for entry in entries):
        line = render_entry(entry)
        added = [mark, line] if mark != before else [line]
        if count and (count == settings.max_urls or size + _size(added) > max_bytes):
            yield sitemapindex(part)
            part, count, size = [], 0, frame
            added = [mark, line] if mark else [line]
        part += added
        count += 1
        size += _size(added)
        before = mark
    if part:
        yield sitemapindex(part)


def _size(content: Iterable[bytes]) -> int:
    return sum(map(len, content))
