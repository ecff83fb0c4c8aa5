"""One XML file, read an entry at a time: the tree of each is judged and forgotten, however many there are."""

from collections.abc import Iterable
from typing import cast
from xml.parsers import expat  # entities need a document type, at which the reading ends

from smindex_plugins.catalogue import Kind
from smindex_plugins.sitemaps import faults
from smindex_plugins.sitemaps.document import Document, Form
from smindex_plugins.sitemaps.entry_rules import (
    CHANGEFREQ,
    EXTENSIONS,
    LASTMOD,
    LOC,
    PRIORITY,
    Element,
    Fault,
    Protocol,
    alternates,
    entry_faults,
    root_faults,
    stranger_faults,
)
from smindex_plugins.sitemaps.extension_rules import extension_faults, parts, text
from smindex_plugins.sitemaps.rendering import JOINED, NAMESPACES

_MOST_ELEMENTS = 50_000
"""Elements kept of one entry; those after them are not judged."""
_DEEPEST = 32
"""Levels of elements; the deepest of the extensions, video's, has five."""
_ENTRY_DEPTH = 2
"""Elements that are open in an entry: the root and itself."""
_FEEDS: dict[str, Form] = {"rss": "RSS feed", "RDF": "RSS feed", "feed": "Atom feed"}


def read_xml(content: bytes, document: Document, skipped: int = 0) -> None:
    """Fill a document from UTF-8, before which some lines were skipped."""
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        _tell_html(document, 1 + skipped)
    else:
        _Reader(document, skipped).read(content)


def _tell_html(document: Document, line: int) -> None:
    document.is_whole = False
    fix = "Upload the XML; see that no error page stands in its place."
    document.add(faults.UNSUPPORTED_FORMAT, line, "it is an HTML page.", fix)


class _Stop(Exception):  # noqa: N818 - not an error, and never leaves this module
    """The rest of the file is not to be read."""


class _Reader:
    """Builds a tree of one entry after the other, and has each judged as soon as it is whole."""

    def __init__(self, document: Document, skipped: int) -> None:
        self._document = document
        self._skipped = skipped
        """Lines before the first that the parser sees."""
        self._open: list[Element] = []
        """The element that is being read, and those around it, the root first."""
        self._protocol: Protocol
        """Known as soon as the root is."""
        self._kept = 0
        """Elements of the entry that is being read."""
        self._namespaces: set[str] = set()
        """Those that the root declares."""
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
            if len(self._open) > 1 and self._open[1].name == self._protocol.entry:
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
            if name != self._protocol.entry:
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
        if len(self._open) == 1 and name == self._protocol.entry:
            self._keep(element)

    def _take_text(self) -> None:
        """Let an element have its text; the root and entries have none."""
        text = "".join(self._text)
        self._text.clear()
        if len(self._open) > _ENTRY_DEPTH:
            self._open[-1].text = text
        elif stray := text.strip():
            self._add(faults.STRAY_TEXT, f"the text {stray[:80]!r} stands between elements.")

    def _root(self, root: Element) -> None:
        if root.local in _FEEDS:
            self._document.kind = _FEEDS[root.local]
            raise _Stop
        if root.local not in {"urlset", "sitemapindex"}:
            problem = f"its root element is <{root.local}>, not <urlset> or <sitemapindex>."
            self._add(faults.UNSUPPORTED_FORMAT, problem)
            raise _Stop
        self._document.kind = cast("Form", root.local)
        self._document.has_news = self._namespaces & {NAMESPACES["news"], NAMESPACES["video"]} == {NAMESPACES["news"]}
        self._protocol = Protocol(root)
        self._found(root_faults(root))

    def _keep(self, entry: Element) -> None:
        """Put an entry that is whole into the document."""
        document = self._document
        first = {self._protocol.ranks.get(child.name): child for child in reversed(entry.children)}
        loc, lastmod = (first[rank].value().strip() if rank in first else "" for rank in (LOC, LASTMOD))
        self._judge(entry, loc)
        if loc:
            document.keep(loc, lastmod, entry.line)
        else:
            document.add(faults.MISSING_LOC, entry.line, "an entry has no URL in a <loc>.")
        if not first.keys() <= {LOC, LASTMOD}:
            document.hints += CHANGEFREQ in first or PRIORITY in first
            is_kept = bool(loc) and document.count == len(document.urls)
            _keep_extensions(document, entry, len(document.urls) - 1 if is_kept else None)

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
            problem = "it declares a document type, which no sitemap needs; it was read no further."
            self._add(faults.DOCUMENT_TYPE, problem)
        raise _Stop

    def _instruction(self, target: str, data: str) -> None:
        if target == "xml-stylesheet" and "css" not in data:
            self._document.has_xslt = True

    def _namespace(self, prefix: str | None, uri: str | None) -> None:
        if not self._open:
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
    """Put what an entry says beside the protocol into a document; it has a position if it is there itself."""
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
