"""What the sitemaps protocol says: its namespaces, and how its files are written and read."""

from collections.abc import Collection, Iterable, Iterator
from typing import IO, TYPE_CHECKING

from smindex_plugins import extensions
from smindex_plugins.model import IndexEntry, Page, Sitemap, SitemapIndex

if TYPE_CHECKING:
    from lxml import etree

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# The mark by which this tool knows its own files again. It bears no version, so that an upgrade changes no byte.
MARK = b"<!-- Written by smindex-plugins -->"

_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n' + MARK + b"\n"
_URLSET_HEAD = _HEAD + b'<urlset xmlns="%s"%%s>\n' % NAMESPACE.encode()
URLSET_TAIL = b"</urlset>\n"
INDEX_HEAD = _HEAD + f'<sitemapindex xmlns="{NAMESPACE}">\n'.encode()
INDEX_TAIL = b"</sitemapindex>\n"

FRAME_SIZE = len(_URLSET_HEAD) + len(extensions.ALL_DECLARATIONS) + len(URLSET_TAIL)
"""Most bytes of a file that are not entries."""


class ProtocolError(ValueError):
    """A file is not what the protocol calls a sitemap or a sitemap index; the message says why."""


def render_url(page: Page) -> bytes:
    """Write one ``<url>``, on a line of its own."""
    extended = extensions.render(page) if page.alternates or page.images or page.videos or page.news else ""
    return _render("url", page.url, page.lastmod, extended)


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


def parse(stream: IO[bytes], url: str) -> Sitemap | SitemapIndex:
    """Read a sitemap or an index, with entities, DTDs and the network off.

    Raises:
        ProtocolError: the bytes are not well-formed XML, or not a urlset or sitemapindex of the protocol.
    """
    from lxml import etree  # noqa: PLC0415 - 20 ms that a build spends only when it reads a file back

    events = etree.iterparse(
        stream,
        events=("start", "end"),
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,  # one inside a <loc> would hide the rest of its text
        remove_pis=True,
        encoding="utf-8",  # "must be UTF-8 encoded": https://www.sitemaps.org/protocol.html#escaping
    )
    try:
        return _read(events, url)
    except etree.XMLSyntaxError as error:
        message = f"not well-formed XML: {error}"
        raise ProtocolError(message) from error


def _render(element: str, url: str, lastmod: str | None, extended: str = "") -> bytes:
    date_element = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<{element}><loc>{_escape_url(url)}</loc>{date_element}{extended}</{element}>\n".encode("ascii")


def _escape_url(url: str) -> str:
    # A normalised URL holds no other character that XML reserves; the protocol wants both of these escaped.
    if "&" in url or "'" in url:
        return url.replace("&", "&amp;").replace("'", "&apos;")
    return url


def _read(events: "etree.iterparse[tuple[str, etree._Element]]", url: str) -> Sitemap | SitemapIndex:
    root_name: str | None = None
    pages: list[Page] = []
    entries: list[IndexEntry] = []
    for event, element in events:
        name = _local_name(element)
        if root_name is None:
            root_name = _root_name(element, name)
        elif event == "end" and name == ("url" if root_name == "urlset" else "sitemap"):
            loc, lastmod = _entry(element)
            if root_name == "urlset":
                pages.append(Page(url=loc, lastmod=lastmod, **extensions.read(element)))
            else:
                entries.append(IndexEntry(url=loc, lastmod=lastmod))
            _forget(element)
    if root_name == "urlset":
        return Sitemap(url=url, pages=tuple(pages))
    return SitemapIndex(url=url, entries=tuple(entries))


def _root_name(element: "etree._Element", name: str | None) -> str:
    if element.getroottree().docinfo.internalDTD is not None:
        message = "it declares a document type, which no sitemap needs and a reader must not follow"
        raise ProtocolError(message)
    if name not in {"urlset", "sitemapindex"}:
        message = f"its root element is {element.tag!r}, not urlset or sitemapindex of the namespace {NAMESPACE}"
        raise ProtocolError(message)
    return name


def _entry(element: "etree._Element") -> tuple[str, str | None]:
    loc = element.findtext(f"{{{NAMESPACE}}}loc")
    if not loc:
        message = f"line {element.sourceline}: an entry has no <loc>"
        raise ProtocolError(message)
    return loc, element.findtext(f"{{{NAMESPACE}}}lastmod")


def _forget(element: "etree._Element") -> None:
    """Free what has been read, or a large file is in memory whole."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _local_name(element: "etree._Element") -> str | None:
    namespace, _, name = str(element.tag).rpartition("}")
    return name if namespace == "{" + NAMESPACE else None
