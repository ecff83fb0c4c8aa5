"""What a sitemap file holds, however wrong it is: its entries by line, and every fault met on the way.

What is merely wrong is read all the same, so that one run tells of all faults. What is hostile (a document type, and
with it every entity; compression bombs; files over the limit; depth; NUL) ends the reading of the file.
"""

import gzip
import re
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from typing import IO, cast
from xml.parsers import expat  # entities need a document type, at which the reading ends

from smindex_plugins.catalogue import Kind
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.sitemaps import extension_rules, faults
from smindex_plugins.sitemaps.extension_rules import Element
from smindex_plugins.sitemaps.extensions import NAMESPACES
from smindex_plugins.sitemaps.listing import Document, Form
from smindex_plugins.sitemaps.protocol import JOINED, MARK, NAMESPACE

IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"

_MOST_ENTRIES = 4 * MAX_URLS
"""Entries kept of one file; those after them are counted and not judged."""
_MOST_PARTS = 1_000
"""Elements kept of one image, video or article."""
_DEEPEST = 32
"""Levels of elements; the deepest of the extensions, video's, has five."""

_PEEKED = 4096
_BLOCK = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_DECLARED = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"']*)")
_EVERYWHERE = ("http://www.w3.org/2001/XMLSchema-instance ", "http://www.w3.org/XML/1998/namespace ")
"""Namespaces of attributes that any element of XML may have."""
_ORDER = {"loc": 0, "lastmod": 1, "changefreq": 2, "priority": 3}
_FREQUENCIES = {"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
_PRIORITY = re.compile(r"0(\.\d+)?|1(\.0+)?|\.\d+")
_EXTENSION_NAMESPACES = {"image": IMAGE, "news": NEWS, "video": VIDEO}
_PREFIXES = {name: f"{namespace} " for name, namespace in _EXTENSION_NAMESPACES.items()}
_EXTENSIONS = {f"{namespace} {name}": name for name, namespace in _EXTENSION_NAMESPACES.items()}
_LINK = f"{NAMESPACES['xhtml']} link"
_EXTENSION_NAMES = {*_EXTENSION_NAMESPACES, "link"}


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
        _Parser(document, skipped).parse(text)
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


def _is_extension(name: str) -> bool:
    """Tell an element of an extension that Google knows."""
    return name.rpartition(" ")[0] in NAMESPACES.values()


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


def _is_html(content: bytes) -> bool:
    return content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))


class _Stop(Exception):  # noqa: N818 - not an error, and never leaves this module
    """The rest of the file is not to be read."""


class _Parser:
    """Reads one XML file; what is called for every element is kept short, for there are millions."""

    def __init__(self, document: Document, skipped: int) -> None:
        self._document = document
        self._skipped = skipped
        self._expat = expat.ParserCreate("utf-8", " ")
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.StartDoctypeDeclHandler = self._document_type
        self._expat.ProcessingInstructionHandler = self._instruction
        self._expat.StartNamespaceDeclHandler = self._namespace_declared
        self._expat.CommentHandler = self._comment
        self._text: list[str] = []
        self._expat.CharacterDataHandler = self._text.append
        self._declared: set[str] = set()
        """Which of the namespaces of news and videos."""
        self._depth = 0
        self._core = ""
        """The root's namespace with the space after it, right or wrong."""
        self._entry = self._loc_name = self._lastmod_name = ""
        self._loc: str | None = None
        self._lastmod: str | None = None
        self._parent = ""
        """What the entry holds and is being read."""
        self._line = 0
        self._rank = -1
        self._seen: Counter[str] = Counter()
        self._alternates: list[tuple[str, str]] = []
        self._images = 0
        self._inside = ""
        """The extension that is being read."""
        self._parts: dict[str, list[Element]] = {}
        self._part_count = 0
        self._open: list[tuple[str, dict[str, str]]] = []
        """The names and attributes of the elements inside it that are open."""

    def parse(self, content: bytes) -> None:
        """Read to the end, or to what makes that impossible."""
        if _is_html(content):
            self._html()
            return
        try:
            self._expat.Parse(content, True)  # noqa: FBT003 - whether it is the last part
        except _Stop:
            self._document.is_whole = False
        except expat.ExpatError as error:
            was_whole, self._document.is_whole = self._document.is_whole, False
            if was_whole:  # if not, it has been said what cut it short
                self._unreadable(error.lineno + self._skipped, error)
        finally:
            del self._expat  # which holds this object, so that neither would be freed soon

    def _unreadable(self, line: int, error: expat.ExpatError) -> None:
        reason = expat.ErrorString(error.code)
        hint = ""
        if reason in {"not well-formed (invalid token)", "undefined entity"}:
            hint = " A '&' in a URL is written '&amp;'."
        problem = f"it cannot be read as a sitemap: not well-formed XML: {reason}."
        self._document.add(faults.UNREADABLE_SITEMAP, line, problem, f"Mend the XML.{hint}")

    def _fault(self, kind: Kind, problem: str, fix: str, line: int = 0) -> None:
        self._document.add(kind, line or self._here(), problem, fix)

    def _here(self) -> int:
        return self._expat.CurrentLineNumber + self._skipped

    def _document_type(self, name: str, *_: object) -> None:
        if name.lower() == "html":
            self._html()
        else:
            problem = "it declares a document type, which no sitemap needs; it was read no further."
            self._fault(faults.DOCUMENT_TYPE, problem, "Remove it.")
        raise _Stop

    def _html(self) -> None:
        self._document.is_whole = False
        fix = "Upload the XML; see that no error page stands in its place."
        self._fault(faults.UNSUPPORTED_FORMAT, "it is an HTML page.", fix)

    def _instruction(self, target: str, data: str) -> None:
        if target == "xml-stylesheet" and "css" not in data:
            self._document.has_xslt = True

    def _comment(self, text: str) -> None:
        if self._document.own is None and f"<!--{text}-->\n".encode() == JOINED:
            self._document.own = self._document.count

    def _namespace_declared(self, prefix: str | None, uri: str | None) -> None:
        if uri in {NEWS, VIDEO}:
            self._declared.add(uri)
        right = {"image": IMAGE, "news": NEWS, "video": VIDEO, "xhtml": NAMESPACES["xhtml"]}.get(prefix or "", uri)
        if uri != right:
            self._fault(
                faults.WRONG_NAMESPACE,
                f"it declares the namespace {prefix} as {uri!r}.",
                f'Write xmlns:{prefix}="{right}".',
            )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = self._depth = self._depth + 1
        text = self._text
        if text:
            if depth <= 3 and (len(text) > 1 or not text[0].isspace()):  # noqa: PLR2004 - root, entry, and what an entry holds
                self._outside_text()
            text.clear()
        if attributes and (name == self._entry or (depth == 3 and self._is_value(name))):  # noqa: PLR2004
            self._unknown_attributes(name, attributes)
        if depth == 3:  # noqa: PLR2004
            self._parent = name
            if name not in (self._loc_name, self._lastmod_name):
                self._start_other(name, attributes)
        elif depth == 2:  # noqa: PLR2004
            self._line = self._expat.CurrentLineNumber
            if name != self._entry:
                self._start_stranger(name)
        elif depth == 1:
            self._root(name, attributes)
        else:
            self._start_deeper(name, depth, attributes)

    def _end(self, name: str) -> None:
        depth = self._depth
        self._depth = depth - 1
        if depth == 3:  # noqa: PLR2004
            if name == self._loc_name:
                self._end_loc()
            elif name == self._lastmod_name:
                self._end_lastmod()
            else:
                self._end_other(name)
            self._text.clear()
        elif depth == 2:  # noqa: PLR2004
            text = self._text
            if text:
                if len(text) > 1 or not text[0].isspace():
                    self._outside_text()
                text.clear()
            if name == self._entry:
                self._end_entry()
        elif depth == 1:
            self._outside_text()
        elif self._open:
            self._end_part(name)

    def _outside_text(self) -> None:
        """Take note of text between elements that is more than space."""
        stray = "".join(self._text).strip()
        if stray:
            problem = f"the text {stray[:80]!r} stands between elements."
            self._fault(faults.STRAY_TEXT, problem, "Remove it; see that no program's message has got into the file.")

    def _is_value(self, name: str) -> bool:
        return name.startswith(self._core) and name.removeprefix(self._core) in _ORDER

    def _unknown_attributes(self, name: str, attributes: dict[str, str]) -> None:
        own = [attribute for attribute in attributes if not attribute.startswith(_EVERYWHERE)]
        if own:
            local = name.rpartition(" ")[2]
            self._fault(faults.UNKNOWN_ATTRIBUTE, f"<{local}> has the attribute {own[0][:80]!r}.", "Remove it.")

    def _root(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        feed = {"rss": "RSS feed", "RDF": "RSS feed", "feed": "Atom feed"}.get(local)
        if feed:
            self._document.kind = cast("Form", feed)
            raise _Stop
        if local not in {"urlset", "sitemapindex"}:
            self._fault(
                faults.UNSUPPORTED_FORMAT,
                f"its root element is <{local}>, not <urlset> or <sitemapindex>.",
                "Upload the sitemap; see that no error page stands in its place.",
            )
            raise _Stop
        if namespace != NAMESPACE:
            declared = f"the namespace {namespace!r}" if namespace else "no namespace"
            self._fault(faults.WRONG_NAMESPACE, f"its root element has {declared}.", f'Write xmlns="{NAMESPACE}".')
        self._document.kind = cast("Form", local)
        self._core = f"{namespace} " if namespace else ""
        self._entry = self._core + ("url" if local == "urlset" else "sitemap")
        self._loc_name, self._lastmod_name = self._core + "loc", self._core + "lastmod"
        self._unknown_attributes(name, attributes)
        self._document.has_news = self._declared == {NEWS}

    def _start_stranger(self, name: str) -> None:
        """Take note of what is neither <url> nor <sitemap>, whichever of them belongs here."""
        local = name.rpartition(" ")[2]
        wanted = self._entry.rpartition(" ")[2]
        if name.startswith(self._core) and name.count(" ") == self._core.count(" "):
            fix = f"Put <{wanted}> elements here and nothing else."
            self._fault(faults.UNKNOWN_TAG, f"<{local}> stands where only <{wanted}> may.", fix)
        elif self._document.kind == "sitemapindex" or local in {"url", "sitemap"} or _is_extension(name):
            self._fault(
                faults.UNKNOWN_TAG, f"<{local}> of another namespace stands where only <{wanted}> may.", "Remove it."
            )

    def _start_other(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        if name == _LINK:
            self._rank = 4
            self._alternate(attributes)
        elif name in _EXTENSIONS:
            self._rank = 4
            self._inside = _EXTENSIONS[name]
            self._parts = {}
            self._part_count = 0
        elif _is_extension(name):
            fix = "Put it into the element of its image, video or article."
            self._fault(faults.UNKNOWN_TAG, f"<{local}> of an extension stands alone in an entry.", fix)
        elif namespace == self._core.strip():
            if local not in _ORDER:
                self._fault(faults.UNKNOWN_TAG, f"an entry holds the unknown element <{local}>.", "Remove it.")
        elif local in _EXTENSION_NAMES:
            said = f"the namespace {namespace!r}" if namespace else "no namespace"
            self._fault(
                faults.WRONG_NAMESPACE, f"<{local}> has {said}.", "Declare the namespace that Google names for it."
            )
        if self._document.kind == "sitemapindex" and namespace != self._core.strip():
            self._fault(
                faults.UNKNOWN_TAG, f"an entry of an index holds <{local}>.", "Remove it: an index has no extensions."
            )

    def _alternate(self, attributes: dict[str, str]) -> None:
        """Take note of a language variant; what has a medium and no language is the page for small screens."""
        needed = ("rel", "href", "media" if "media" in attributes else "hreflang")
        missing = [name for name in needed if name not in attributes]
        if missing:
            self._fault(faults.MISSING_ATTRIBUTE, f"an <xhtml:link> has no attribute {missing[0]}.", "Add it.")
        elif attributes["rel"].lower() != "alternate":
            problem = f"an <xhtml:link> has the attribute rel={attributes['rel'][:80]!r}."
            self._fault(faults.INVALID_ATTRIBUTE, problem, 'Write rel="alternate".')
        elif "hreflang" in attributes:
            self._alternates.append((attributes["hreflang"], attributes["href"]))

    def _start_deeper(self, name: str, depth: int, attributes: dict[str, str]) -> None:
        if depth > _DEEPEST:
            self._fault(
                faults.UNREADABLE_SITEMAP,
                f"it cannot be read as a sitemap: its elements are nested more than {_DEEPEST} deep.",
                "Put entries into the root element, and nothing into them but what the protocol knows.",
            )
            raise _Stop
        local = name.rpartition(" ")[2]
        if self._inside:
            self._open.append((local, attributes))
        if depth == 4 and not self._inside and self._holds_no_elements(name):  # noqa: PLR2004
            self._fault(faults.UNKNOWN_TAG, f"the element <{local}> stands inside another's text.", "Take it out.")

    def _holds_no_elements(self, name: str) -> bool:
        """Tell whether an element stands in one that holds text or nothing; what others hold is not ours to judge."""
        return self._parent == _LINK or self._parent.startswith(self._core) or name.startswith(self._core)

    def _end_loc(self) -> None:
        text = "".join(self._text)
        if self._rank > 0:
            self._misplaced("loc")
        url = text.strip()
        if len(url) != len(text) and url:
            self._fault(faults.PADDED_VALUE, f"there is space around {url[:200]}.", "Write the URL alone into <loc>.")
        if self._loc is None:
            self._loc = url
        else:
            self._fault(
                faults.REPEATED_TAG, f"an entry has another <loc>, {url[:200]}.", "Give each URL an entry of its own."
            )
        self._rank = max(self._rank, 0)

    def _end_lastmod(self) -> None:
        text = "".join(self._text)
        if self._rank > 1:
            self._misplaced("lastmod")
        date = text.strip()
        if self._lastmod is not None:
            self._fault(faults.REPEATED_TAG, "an entry has another <lastmod>.", "Keep one.")
            return
        if not date:
            self._fault(
                faults.EMPTY_DATE, "an entry has an empty <lastmod>.", "Write a date, or leave the element out."
            )
        elif len(date) != len(text):
            self._fault(faults.PADDED_VALUE, f"there is space around the date {date[:40]}.", "Write the date alone.")
        self._lastmod = date
        self._rank = max(self._rank, 1)

    def _end_other(self, name: str) -> None:
        if self._inside:
            self._end_extension()
            return
        local = name.removeprefix(self._core)
        if local not in {"changefreq", "priority"}:
            return
        value = "".join(self._text).strip()
        if self._rank > _ORDER[local]:
            self._misplaced(local)
        self._rank = max(self._rank, _ORDER[local])
        self._seen[local] += 1
        if self._seen[local] > 1:
            self._fault(faults.REPEATED_TAG, f"an entry has another <{local}>.", "Keep one, or none.")
        is_valid = value in _FREQUENCIES if local == "changefreq" else _PRIORITY.fullmatch(value)
        if not is_valid:
            accepted = "one of " + ", ".join(sorted(_FREQUENCIES)) if local == "changefreq" else "from 0.0 to 1.0"
            self._fault(faults.INVALID_HINT, f"<{local}> is {value[:40]!r}.", f"Write {accepted}, or leave it out.")

    def _end_part(self, name: str) -> None:
        local, attributes = self._open.pop()
        if name.startswith(_PREFIXES[self._inside]) and self._part_count < _MOST_PARTS:
            self._part_count += 1
            parent = self._open[-1][0] if self._open else ""
            element = Element("".join(self._text).strip(), attributes, parent)
            if local in self._parts:
                self._parts[local].append(element)
            else:
                self._parts[local] = [element]
        self._text.clear()

    def _end_extension(self) -> None:
        kind, self._inside = self._inside, ""
        if kind == "image":
            self._images += 1
        elif kind == "news":
            self._document.news.append((self._here(), extension_rules.text(self._parts, "publication_date")))
        elif expiration := extension_rules.text(self._parts, "expiration_date"):
            self._document.expirations.append((self._here(), expiration))
        if not extension_rules.is_right_image(kind, self._parts):
            for wrong in extension_rules.judge(kind, self._parts, self._loc or ""):
                self._fault(*wrong)

    def _misplaced(self, local: str) -> None:
        if self._document.kind == "urlset":  # in an index, the schema allows any order
            self._fault(
                faults.WRONG_ORDER, f"<{local}> stands too late in its entry.", "Write loc, lastmod, then the rest."
            )

    def _end_entry(self) -> None:
        document = self._document
        if self._loc:
            _keep(document, self._loc, self._lastmod or "", self._line + self._skipped)
        else:
            self._fault(
                faults.MISSING_LOC, "an entry has no URL in a <loc>.", "Write its URL, or remove it.", self._line
            )
        if self._rank > 1 or self._seen:
            self._end_rich_entry(len(document.urls) - 1)
        self._loc = self._lastmod = None
        self._rank = -1

    def _end_rich_entry(self, position: int) -> None:
        document = self._document
        if self._loc and document.count <= _MOST_ENTRIES:
            if self._alternates:
                document.alternates[position] = self._alternates
            if self._images:
                document.images[position] = self._images
        document.hints += bool(self._seen)
        self._alternates, self._images = [], 0
        self._seen.clear()
