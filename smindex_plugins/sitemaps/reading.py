"""What a sitemap file holds, however wrong it is: its entries by line, and every fault met on the way.

What is merely wrong is read all the same, so that one run tells of all faults. What is hostile (a document type, and
with it every entity; compression bombs; files over the limit; depth; NUL) ends the reading of the file.
"""

import gzip
import re
import zlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import IO, cast
from xml.parsers import expat  # entities need a document type, at which the reading ends

from smindex_plugins.catalogue import Kind
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.sitemaps import faults
from smindex_plugins.sitemaps.entry_rules import (
    EXTENSIONS,
    Element,
    Fault,
    Protocol,
    alternates,
    entry_faults,
    root_faults,
    stranger_faults,
)
from smindex_plugins.sitemaps.extension_rules import extension_faults, parts, text
from smindex_plugins.sitemaps.extensions import NAMESPACES
from smindex_plugins.sitemaps.listing import Document, Form
from smindex_plugins.sitemaps.protocol import JOINED, MARK, NAMESPACE

NEWS, VIDEO = NAMESPACES["news"], NAMESPACES["video"]

_MOST_ENTRIES = 4 * MAX_URLS
"""Entries kept of one file; those after them are counted and not judged."""
_MOST_ELEMENTS = 50_000
"""Elements kept of one entry; those after them are not judged."""
_DEEPEST = 32
"""Levels of elements; the deepest of the extensions, video's, has five."""

_PEEKED = 4096
_BLOCK = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_DECLARED = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"']*)")
_ENTRY_DEPTH = 2
"""Elements that are open in an entry: the root and itself."""

# The commonest form of a sitemap, and nothing else: well-formed by itself, with no fault that a reader could meet. A
# file that is wholly of this form is read three times as fast. Possessive, so that no file takes long to be refused.
_SPACE = r"[ \t\r\n]*+"
_PLAIN_HEAD = re.compile(
    rf'(?:<\?xml version="1\.0" encoding="(?i:utf-8)"\?>)?{_SPACE}'
    rf"(?:<!--(?:[ -,.-;=?-~\n]|-(?!-))*+-->{_SPACE})?"
    rf'<urlset xmlns="{re.escape(NAMESPACE)}">'
)
_PLAIN_ENTRY = re.compile(
    rf"{_SPACE}<url>{_SPACE}<loc>([!-%'-;=?-~]++)</loc>{_SPACE}(?:<lastmod>([0-9TZ:.+-]++)</lastmod>{_SPACE})?+</url>"
)
_PLAIN_ENTRIES = re.compile(rf"(?:{_PLAIN_ENTRY.pattern})*+{_SPACE}</urlset>{_SPACE}")


def read(stream: IO[bytes], document: Document) -> Document:
    """Fill a document from the bytes of its file. Nothing in them makes this raise, but reading them may.

    Raises:
        OSError: the stream cannot be read.
    """
    content = _content(stream, document)
    if content is None:
        return document
    document.is_ours = MARK in content[:200]
    text, skipped = _as_utf8(content, document)
    if text is None:
        return document
    if not text.lstrip().startswith(b"<") and _is_text(text, document):
        _read_text(text, document)
    elif skipped or not _read_plain(text, document):
        _read_xml(text, document, skipped)
    return document


def read_file(path: str, document: Document) -> Document:
    """Fill a document from a file, in which everything can be wrong, also that it cannot be opened."""
    try:
        with open(path, "rb") as stream:
            return read(stream, document)
    except OSError as error:
        document.is_whole = False
        problem = f"it cannot be read as a sitemap: {error.strerror or error}."
        document.add(faults.UNREADABLE_SITEMAP, 0, problem, "Make it a readable file.")
        return document


def is_index(path: str) -> bool:
    """Whether a file is an index, as its first kilobytes tell, for a file is read whole only once."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(_PEEKED)
        if start.startswith(_GZIP_MAGIC):
            start = zlib.decompressobj(wbits=31).decompress(start, _PEEKED)
    except (OSError, zlib.error):
        return False
    return b"<sitemapindex" in start


def _content(stream: IO[bytes], document: Document) -> bytes | None:
    """Return the bytes of a file, unpacked where it is packed, or nothing where it cannot be read as a sitemap."""
    named_gzip = document.url.partition("?")[0].endswith(".gz")
    is_gzip = stream.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    stream.seek(0)
    if named_gzip and not is_gzip:
        _compression(document, "its name ends in .gz, and it is not compressed.", "Compress it, or rename it.")
    elif is_gzip and not named_gzip:
        _compression(document, "it is compressed, and its name does not say so.", "Name it .xml.gz, or unpack it.")
    blocks: list[bytes] = []
    try:
        with gzip.GzipFile(fileobj=stream) if is_gzip else nullcontext(stream) as unpacked:
            blocks.extend(_blocks(unpacked))
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:  # the blocks before the damage are kept
        _compression(document, f"it is damaged: {error}.", "Compress it again, and upload it as binary.")
        document.is_whole = False
    content = b"".join(blocks)
    document.size = len(content)
    if is_gzip and content.startswith(_GZIP_MAGIC):
        _compression(document, "it is compressed twice.", "Compress it once, in the file or in the server.")
    elif len(content) <= MAX_BYTES:
        return content
    document.is_whole = False
    return None


def _blocks(stream: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    """Read to one byte over the limit, in blocks, because memory is taken for all that is asked for at once."""
    room = MAX_BYTES + 1
    while room > 0 and (block := stream.read(min(room, _BLOCK))):
        yield block
        room -= len(block)


def _compression(document: Document, problem: str, fix: str) -> None:
    document.add(faults.COMPRESSION_ERROR, 0, problem, fix)


def _as_utf8(content: bytes, document: Document) -> tuple[bytes | None, int]:
    """Give the bytes as the UTF-8 that they should be, less what stands before them, and the lines that had."""
    if content.startswith(_WIDE_MARKS) or b"\0" in content:
        kind = "UTF-16" if content.startswith(_WIDE_MARKS) else "bytes of value 0, as UTF-16 does"
        document.add(faults.WRONG_ENCODING, 0, f"it holds {kind}, and is read no further.", "Save it as UTF-8.")
        document.is_whole = False
        return None, 0
    if content.startswith(_UTF8_MARK):
        document.add(faults.BYTE_ORDER_MARK, 1, "it begins with a byte order mark.", "Save it as UTF-8 without one.")
        content = content[len(_UTF8_MARK) :]
    skipped = 0
    stripped = content.lstrip()
    if stripped.startswith(b"<?xml") and len(stripped) < len(content):
        space = content[: len(content) - len(stripped)]
        skipped = space.count(b"\n")
        document.add(faults.LEADING_WHITESPACE, 1, "space stands before the XML declaration.", "Remove it.")
        content = stripped
    declared = _DECLARED.match(content[:_PEEKED])
    if declared and declared[1].lower() not in {b"utf-8", b"utf8", b"us-ascii", b"ascii"}:
        name = declared[1].decode("ascii", "replace")
        document.add(faults.WRONG_ENCODING, 1, f"it declares the encoding {name!r}.", "Write it in UTF-8, and say so.")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1 + skipped
        document.add(
            faults.WRONG_ENCODING, line, f"it holds bytes that are not UTF-8: {error.reason}.", "Save as UTF-8."
        )
        content = content.decode("utf-8", "replace").encode()
    return content, skipped


def _is_text(content: bytes, document: Document) -> bool:
    """Tell a text sitemap, one URL a line, from a file that was to be XML."""
    named = document.url.partition("?")[0].removesuffix(".gz").endswith(".txt")
    return bool(content.strip()) and (named or content.lstrip().startswith((b"http://", b"https://")))


def _read_plain(content: bytes, document: Document) -> bool:
    """Read a sitemap of the commonest form, or tell that it is none."""
    text = content.decode("ascii", "replace")
    head = _PLAIN_HEAD.match(text)
    if head is None or not _PLAIN_ENTRIES.fullmatch(text, head.end()):
        return False
    found = _PLAIN_ENTRY.findall(text, head.end())
    if len(found) > _MOST_ENTRIES:
        return False
    document.kind = "urlset"
    document.urls = [url for url, _ in found]
    document.dates = [date for _, date in found]
    document.count = len(found)
    document.is_plain = True
    document.count_lines = partial(_lines, text)
    return True


def _lines(text: str) -> "array[int]":
    """Find the line of each entry of a file of the commonest form."""
    lines = array("I")
    line, before = 1, 0
    for match in _PLAIN_ENTRY.finditer(text):
        start = text.index("<url>", match.start())
        line += text.count("\n", before, start)
        before = start
        lines.append(line)
    return lines


def _read_text(content: bytes, document: Document) -> None:
    document.kind = "text"
    for number, line in enumerate(content.decode().splitlines(), start=1):
        if url := line.strip():
            _keep(document, url, "", number)


def _keep(document: Document, url: str, date: str, line: int) -> None:
    document.count += 1
    if document.count <= _MOST_ENTRIES:
        document.urls.append(url)
        document.dates.append(date)
        document.lines.append(line)


def _read_xml(content: bytes, document: Document, skipped: int = 0) -> None:
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        _tell_html(document, 1 + skipped)
    else:
        _XmlReader(document, skipped).read(content)


def _tell_html(document: Document, line: int) -> None:
    document.is_whole = False
    fix = "Upload the XML; see that no error page stands in its place."
    document.add(faults.UNSUPPORTED_FORMAT, line, "it is an HTML page.", fix)


class _Stop(Exception):  # noqa: N818 - not an error, and never leaves this module
    """The rest of the file is not to be read."""


class _XmlReader:
    """Builds a tree of one entry after the other, and has each judged as soon as it is whole."""

    def __init__(self, document: Document, skipped: int) -> None:
        self._document = document
        self._skipped = skipped
        """Lines before the first that the parser sees."""
        self._open: list[Element] = []
        """The element that is being read, and those around it, the root first."""
        self._entry = ""
        """The name of entries."""
        self._kept = 0
        """Elements of the entry that is being read."""
        self._namespaces: set[str] = set()
        self._text: list[str] = []
        self._expat = expat.ParserCreate("utf-8", " ")
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text.append
        self._expat.CommentHandler = self._comment
        self._expat.StartDoctypeDeclHandler = self._document_type
        self._expat.ProcessingInstructionHandler = self._instruction
        self._expat.StartNamespaceDeclHandler = self._namespace

    def read(self, content: bytes) -> None:
        """Read to the end, or to what makes that impossible."""
        try:
            self._expat.Parse(content, True)  # noqa: FBT003 - whether it is the last part
        except (_Stop, expat.ExpatError) as error:
            if len(self._open) > 1 and self._open[1].name == self._entry:
                self._judge(self._open[1])
            if isinstance(error, expat.ExpatError) and self._document.is_whole:  # if not, it is known what cut it short
                self._add(faults.UNREADABLE_SITEMAP, *_malformed(error))
            self._document.is_whole = False
        finally:
            del self._expat  # which holds this object, so that neither would be freed soon

    def _here(self) -> int:
        return self._expat.CurrentLineNumber + self._skipped

    def _add(self, kind: Kind, problem: str, fix: str = "") -> None:
        self._document.add(kind, self._here(), problem, fix)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._text:
            self._take_text()
        element = Element(name, attributes, self._here())
        depth = len(self._open)
        if depth == 0:
            self._root(element)
        elif depth == 1:
            self._kept = 0
            if name != self._entry:
                self._found(stranger_faults(element, self._protocol))
        elif depth == _DEEPEST:
            problem = f"it cannot be read as a sitemap: its elements are nested more than {_DEEPEST} deep."
            fix = "Put entries into the root element, and nothing into them but what the protocol knows."
            self._add(faults.UNREADABLE_SITEMAP, problem, fix)
            raise _Stop
        elif self._kept < _MOST_ELEMENTS:
            self._kept += 1
            self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, name: str) -> None:
        if self._text:
            self._take_text()
        element = self._open.pop()
        element.end = self._here()
        if len(self._open) == 1 and name == self._entry:
            self._keep(element)

    def _take_text(self) -> None:
        """Give an element its text; the root and entries have none."""
        text = "".join(self._text)
        self._text.clear()
        if len(self._open) > _ENTRY_DEPTH:
            self._open[-1].text += text
        elif stray := text.strip():
            self._add(faults.STRAY_TEXT, f"the text {stray[:80]!r} stands between elements.")

    def _root(self, root: Element) -> None:
        feed = {"rss": "RSS feed", "RDF": "RSS feed", "feed": "Atom feed"}.get(root.local)
        if feed:
            self._document.kind = cast("Form", feed)
            raise _Stop
        if root.local not in {"urlset", "sitemapindex"}:
            problem = f"its root element is <{root.local}>, not <urlset> or <sitemapindex>."
            self._add(faults.UNSUPPORTED_FORMAT, problem)
            raise _Stop
        self._document.kind = cast("Form", root.local)
        self._document.has_news = self._namespaces & {NEWS, VIDEO} == {NEWS}
        self._protocol = Protocol.of(root)
        self._entry = self._protocol.entry
        self._found(root_faults(root))

    def _keep(self, entry: Element) -> None:
        """Take note of an entry that is whole."""
        document = self._document
        first = {child.name: child for child in reversed(entry.children)}
        loc, lastmod = (first[name].value().strip() if name in first else "" for name in self._protocol.values)
        self._judge(entry, loc)
        if loc:
            _keep(document, loc, lastmod, entry.line)
        else:
            document.add(faults.MISSING_LOC, entry.line, "an entry has no URL in a <loc>.")
        if not first.keys() <= self._protocol.values.keys():
            document.hints += not first.keys().isdisjoint(self._protocol.hints)
            _keep_extensions(
                document, entry, len(document.urls) - 1 if loc and document.count <= _MOST_ENTRIES else None
            )

    def _judge(self, entry: Element, loc: str = "") -> None:
        self._found(entry_faults(entry, self._protocol))
        for child in entry.children:
            if child.name in EXTENSIONS and child.end:
                self._found(extension_faults(child, loc))

    def _found(self, found: Iterable[Fault]) -> None:
        for kind, line, problem, fix in found:
            self._document.add(kind, line, problem, fix)

    def _comment(self, text: str) -> None:
        if self._document.own is None and f"<!--{text}-->\n".encode() == JOINED:
            self._document.own = self._document.count

    def _document_type(self, name: str, *_: object) -> None:
        if name.lower() == "html":
            _tell_html(self._document, self._here())
        else:
            self._add(
                faults.DOCUMENT_TYPE, "it declares a document type, which no sitemap needs; it was read no further."
            )
        raise _Stop

    def _instruction(self, target: str, data: str) -> None:
        if target == "xml-stylesheet" and "css" not in data:
            self._document.has_xslt = True

    def _namespace(self, prefix: str | None, uri: str | None) -> None:
        self._namespaces.add(uri or "")
        right = NAMESPACES.get(prefix or "", uri)
        if uri != right:
            problem = f"it declares the namespace {prefix} as {uri!r}."
            self._add(faults.WRONG_NAMESPACE, problem, f'Write xmlns:{prefix}="{right}".')


def _malformed(error: expat.ExpatError) -> tuple[str, str]:
    reason = expat.ErrorString(error.code)
    is_ampersand = reason in {"not well-formed (invalid token)", "undefined entity"}
    hint = " A '&' in a URL is written '&amp;'." if is_ampersand else ""
    return f"it cannot be read as a sitemap: not well-formed XML: {reason}.", f"Mend the XML.{hint}"


def _keep_extensions(document: Document, entry: Element, position: int | None) -> None:
    """Take note of what an entry says beside the protocol; it has a position if it was kept itself."""
    images = 0
    for child in entry.children:
        kind = EXTENSIONS.get(child.name)
        if kind == "image":
            images += 1
        elif kind == "news":
            document.news.append((child.end, text(parts(child), "publication_date")))
        elif kind == "video" and (expiration := text(parts(child), "expiration_date")):
            document.expirations.append((child.end, expiration))
    variants = alternates(entry)
    if position is not None and variants:
        document.alternates[position] = variants
    if position is not None and images:
        document.images[position] = images
