"""What the sitemaps protocol says: its namespaces, and how its files are written and read."""

import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, cast, overload

from smindex_plugins.model import PLAIN, IndexEntry, Page, Sitemap, SitemapIndex
from smindex_plugins.sitemaps import extensions

if TYPE_CHECKING:
    from lxml import etree

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


class ProtocolError(ValueError):
    """A file is not what the protocol calls a sitemap or a sitemap index; the message says why."""


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


def own_part(content: bytes) -> bytes:
    """Give an index less what was joined to it."""
    own, joined, _ = content.partition(JOINED)
    return own + INDEX_TAIL if joined else content


class OwnPages(Sequence[Page]):
    """The pages of a sitemap in exactly the form in which this tool writes it, made only when they are asked for.

    A million `Page` objects take longer to make than a million lines to write.
    """

    def __init__(self, blocks: list[bytes], signs: bytes) -> None:
        self._blocks = blocks
        """Its lines, many together."""
        self._signs = signs
        """Their line breaks and dots, and all that the normal form of a URL might write differently."""
        self._number: int | None = None

    def __len__(self) -> int:
        if self._number is None:
            self._number = self._count(b"<url>")
        return self._number

    def __iter__(self) -> Iterator[Page]:
        return (Page(url=url, lastmod=lastmod or None) for url, lastmod in self.entries())

    def entries(self) -> list[tuple[str, str]]:
        """Give the URL and the date of each entry; the date is empty where there is none."""
        found: list[tuple[str, str]] = [each for block in self._blocks for each in _OWN_URL.findall(block.decode())]
        if not any(b"&" in block for block in self._blocks):
            return found
        return [(_unescape_url(url), lastmod) for url, lastmod in found]

    @overload
    def __getitem__(self, position: int) -> Page: ...

    @overload
    def __getitem__(self, position: slice) -> tuple[Page, ...]: ...

    def __getitem__(self, position: int | slice) -> Page | tuple[Page, ...]:
        return tuple(self)[position]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment] # as of a list

    def are_below(self, directory_url: str) -> bool:
        """Tell whether every URL is in normal form and below a directory; False may only say that it is not certain."""
        if self._signs.translate(None, b"\n."):
            return False
        # An entry has one such start at most, and one line at least: where these are as many, so are the entries.
        start = b"<url><loc>" + _escape_url(directory_url).encode()
        lines = self._signs.count(b"\n")
        if self._count(start) != lines:
            return False
        self._number = lines
        # Where only that start has dots, there is no dot segment; else they must be searched for, which takes longer.
        has_others = self._signs.count(b".") != lines * start.count(b".")
        return not (has_others and any(dots.search(block) for dots in _DOT_SEGMENTS for block in self._blocks))

    def _count(self, part: bytes) -> int:
        return sum(block.count(part) for block in self._blocks)


def parse(stream: IO[bytes], url: str) -> Sitemap | SitemapIndex:
    """Read a sitemap or an index, with entities, DTDs and the network off.

    Raises:
        ProtocolError: the bytes are not well-formed XML, or not a urlset or sitemapindex of the protocol.
    """
    start = stream.read(_START)
    if not _begins_as_own(start):
        return _parse_xml(_Resumed(start, stream), url)
    blocks = list(_whole_lines(start, stream))
    own = _own_index(b"".join(blocks), url) if start.startswith(INDEX_HEAD) else _own_sitemap(blocks, url)
    return own or _parse_xml(io.BytesIO(b"".join(blocks)), url)


def _whole_lines(start: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    """Cut what is read where a line ends, into blocks that the processor's cache holds while they are looked at."""
    rest = start
    while block := stream.read(_BLOCK):
        block = rest + block
        end = block.rfind(b"\n") + 1 or len(block)  # our lines are not as long
        yield block[:end]
        rest = block[end:]
    if rest:
        yield rest


class _Resumed:
    """A stream of which the start has been read."""

    def __init__(self, start: bytes, rest: IO[bytes]) -> None:
        self._start = start
        self._rest = rest

    def read(self, size: int = -1) -> bytes:
        start, self._start = self._start, b""
        return start or self._rest.read(size)


_START = 1 << 14
_BLOCK = 1 << 17
_OWN_URL = re.compile(r"<url><loc>([^<]++)</loc>(?:<lastmod>([^<]++)</lastmod>)?+</url>\n")
_OWN_URLS = rb"(?:<url><loc>[^<]++</loc>(?:<lastmod>[^<]++</lastmod>)?+</url>\n)"
_OWN_ENTRY = re.compile(r"<sitemap><loc>([^<]++)</loc>(?:<lastmod>([^<]++)</lastmod>)?+</sitemap>\n")
_OWN_ENTRIES = _OWN_URLS.replace(b"url>", b"sitemap>")
_OWN_START = re.compile(
    b"|".join([re.escape(URLSET_HEAD) + _OWN_URLS + b"++", re.escape(INDEX_HEAD) + _OWN_ENTRIES + b"++"])
)
_OWN_LINES = re.compile(_OWN_URLS + b"*+")
_OWN_INDEX = re.compile(re.escape(INDEX_HEAD) + _OWN_ENTRIES + b"*+" + re.escape(INDEX_TAIL))
_PLAIN = b"<>" + b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!$&'()*+,;=:@/"
_DOT_SEGMENTS = (re.compile(rb"/\."), re.compile(rb"\n\."))  # for a reader of URLs skips the line break in "/\n../"
_PRINTABLE = b"\n" + bytes(range(0x20, 0x7F))
_NEXT = (b"<url><loc>", b"<sitemap><loc>", URLSET_TAIL, INDEX_TAIL)


def _begins_as_own(start: bytes) -> bool:
    """Tell from the first lines, so that nothing else is read into memory whole."""
    lines = _OWN_START.match(start)
    following = start[lines.end() :][: len(b"<url><loc>")] if lines else b"?"
    return any(line.startswith(following) for line in _NEXT)


def _own_sitemap(blocks: list[bytes], url: str) -> Sitemap | None:
    """Read a sitemap that is, to the byte, as this tool writes it: anything that might need an XML parser is not."""
    if not blocks[-1].endswith(URLSET_TAIL):
        return None
    lines = [blocks[0].removeprefix(URLSET_HEAD), *blocks[1:]]
    lines[-1] = lines[-1].removesuffix(URLSET_TAIL)
    signs = []
    for block in lines:
        signs.append(block.translate(None, _PLAIN))
        if not (_is_plain_text(block, signs[-1]) and _OWN_LINES.fullmatch(block)):
            return None
    return Sitemap(url=url, pages=OwnPages(lines, b"".join(signs)))


def _own_index(content: bytes, url: str) -> SitemapIndex | None:
    """Read an index that is, to the byte, as this tool writes it."""
    if not _is_plain_text(content, content.translate(None, _PLAIN)) or not _OWN_INDEX.fullmatch(content):
        return None
    found = _OWN_ENTRY.findall(content.decode())
    entries = (IndexEntry(url=_unescape_url(loc), lastmod=lastmod or None) for loc, lastmod in found)
    return SitemapIndex(url=url, entries=tuple(entries))


def _is_plain_text(content: bytes, signs: bytes) -> bool:
    """Tell that no reader of XML would read anything else than is written, beside the two escapes of URLs."""
    if signs.translate(None, _PRINTABLE) or b"]" in signs:  # "]]>" is not allowed
        return False
    return b"&" not in content or content.count(b"&") == content.count(b"&amp;") + content.count(b"&apos;")


def _parse_xml(stream: IO[bytes] | _Resumed, url: str) -> Sitemap | SitemapIndex:
    from lxml import etree  # noqa: PLC0415 - 20 ms that a build spends only when it reads what others wrote

    events = etree.iterparse(
        cast("IO[bytes]", stream),
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


def _unescape_url(written: str) -> str:
    return written.replace("&apos;", "'").replace("&amp;", "&")


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
                pages.append(Page(url=loc, lastmod=lastmod, details=extensions.read(element)))
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
