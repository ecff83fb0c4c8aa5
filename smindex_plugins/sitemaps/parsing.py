"""An XML file, read entry by entry. Each entry is judged and forgotten, so their number does not matter."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import cast
from xml.parsers import expat  # entities need a document type, at which the reading ends

from smindex_plugins import catalogue, urls
from smindex_plugins.catalogue import Kind
from smindex_plugins.sitemaps.document import Document, Element, Entry, Form
from smindex_plugins.sitemaps.extension_rules import EXTENSIONS, extension_faults, parts, retired, text
from smindex_plugins.sitemaps.rendering import JOINED, NAMESPACE, NAMESPACES
from smindex_plugins.text import brief

Fault = tuple[Kind, int, str, str]
"""What is wrong: the kind, the line, the problem, and the fix, which is empty if the kind's own is right."""

_LINK = f"{NAMESPACES['xhtml']} link"
_LOC, _LASTMOD, _CHANGEFREQ, _PRIORITY, _EXTENSION = range(5)
"""The places of the elements in an entry, in the order of the schema."""
_FREQUENCIES = {"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
_FROM_0_TO_1 = re.compile(r"0(\.\d+)?|1(\.0+)?|\.\d+")
_EVERYWHERE = ("http://www.w3.org/2001/XMLSchema-instance ", "http://www.w3.org/XML/1998/namespace ")
"""Namespaces of attributes that XML allows on any element."""

_BLOCK = 1 << 16
_MOST_ELEMENTS = 50_000
"""How many elements of one entry are kept. Later ones are not judged."""
_MOST_KEPT = 16
"""The most attributes of an element that are kept. A link to a language variant has three."""
_DEEPEST = 32
"""The most levels of elements. The deepest extension, for videos, has five."""
_ENTRY_DEPTH = 2
"""How many elements are open in an entry: the root and the entry itself."""
_FEEDS: dict[str, Form] = {"rss": "RSS feed", "RDF": "RSS feed", "feed": "Atom feed"}


def read_xml(content: bytes, document: Document, skipped: int = 0) -> None:
    """Fill a document from UTF-8 text, before which some lines were skipped."""
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        _tell_html(document, 1 + skipped)
    else:
        _Reader(document, skipped).read(content)


def _tell_html(document: Document, line: int) -> None:
    document.is_whole = False
    fix = "Upload the XML. An error page may have taken its place."
    document.add(catalogue.UNSUPPORTED_FORMAT, line, "it is an HTML page.", fix)


class _Stop(Exception):  # noqa: N818 - not an error, and never leaves this module
    """Reading must stop here."""


class _Reader:
    """Builds the tree of one entry after the other, and judges each when it is complete."""

    def __init__(self, document: Document, skipped: int) -> None:
        self._document = document
        self._skipped = skipped
        """How many lines come before the first that the parser sees."""
        self._open: list[Element] = []
        """The current element and those around it, the root first."""
        self._protocol: Protocol
        """The names for this kind of file. They are known once the root is."""
        self._kept = 0
        """How many elements the current entry has so far."""
        self._namespaces: set[str] = set()
        """The namespaces that the root declares."""
        self._text: list[str] = []
        self._expat = expat.ParserCreate("utf-8", " ")
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text.append
        self._expat.CommentHandler = self._comment
        self._expat.StartDoctypeDeclHandler = self._document_type
        self._expat.StartNamespaceDeclHandler = self._namespace

    def read(self, content: bytes) -> None:
        """Read to the end, or to a problem that makes the rest unreadable."""
        try:
            for begin in range(0, len(content) + 1, _BLOCK):
                self._expat.Parse(content[begin : begin + _BLOCK], begin + _BLOCK > len(content))
        except (_Stop, expat.ExpatError) as error:
            if len(self._open) > 1 and self._open[1].name == self._protocol.entry:
                self._judge(self._open[1])
            if isinstance(error, expat.ExpatError) and self._document.is_whole:  # if not, it is known what cut it short
                reason = expat.ErrorString(error.code)
                is_ampersand = reason in {"not well-formed (invalid token)", "undefined entity"}
                problem = f"it cannot be read as a sitemap: not well-formed XML: {reason}."
                fix = "Correct the XML." + (" Write '&' in a URL as '&amp;'." if is_ampersand else "")
                self._add(catalogue.UNREADABLE_SITEMAP, problem, fix)
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
        if len(attributes) > _MOST_KEPT:
            attributes = dict(islice(attributes.items(), _MOST_KEPT))
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
            fix = "Put entries into the root element, and only elements of the protocol into entries."
            self._add(catalogue.UNREADABLE_SITEMAP, problem, fix)
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
        """Give an element its text. The root and entries have none."""
        text = "".join(self._text)
        self._text.clear()
        if len(self._open) > _ENTRY_DEPTH:
            self._open[-1].text = text
        elif stray := text.strip():
            self._add(catalogue.STRAY_TEXT, f"the text {stray[:80]!r} stands between elements.")

    def _root(self, root: Element) -> None:
        if root.local in _FEEDS:
            self._document.kind = _FEEDS[root.local]
            raise _Stop
        if root.local not in {"urlset", "sitemapindex"}:
            self._add(
                catalogue.UNSUPPORTED_FORMAT, f"its root element is <{root.local}>, not <urlset> or <sitemapindex>."
            )
            raise _Stop
        self._document.kind = cast("Form", root.local)
        self._document.has_news = self._namespaces & {NAMESPACES["news"], NAMESPACES["video"]} == {NAMESPACES["news"]}
        self._protocol = Protocol(root)
        self._found(root_faults(root))

    def _keep(self, entry: Element) -> None:
        """Put a complete entry into the document."""
        document = self._document
        first = {self._protocol.ranks.get(child.name): child for child in reversed(entry.children)}
        loc, lastmod = (first[rank].value().strip() if rank in first else "" for rank in (_LOC, _LASTMOD))
        known = len(document.findings)
        self._judge(entry, loc)
        is_extended = not first.keys() <= {_LOC, _LASTMOD}
        document.hints += _CHANGEFREQ in first or _PRIORITY in first
        alternates, images = _extensions(document, entry) if is_extended else ((), ())
        if loc:
            normal = urls.normal(loc)
            document.findings[known:] = [replace(found, url=normal) for found in document.findings[known:]]
            document.entries.append(
                Entry(loc, loc if loc == normal else normal, lastmod, entry.line, alternates, images)
            )
        else:
            document.add(catalogue.MISSING_LOC, entry.line, "an entry has no URL in a <loc>.")

    def _judge(self, entry: Element, loc: str = "") -> None:
        self._found(entry_faults(entry, self._protocol))
        for child in entry.children:
            if child.name in EXTENSIONS and child.end:
                for kind, problem, fix in extension_faults(child, loc):
                    self._document.add(kind, child.end, problem, fix)

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
            problem = "it declares a document type, which no sitemap needs. The rest was not read."
            self._add(catalogue.DOCUMENT_TYPE, problem)
        raise _Stop

    def _namespace(self, prefix: str | None, uri: str | None) -> None:
        if not self._open:
            self._namespaces.add(uri or "")
        right = NAMESPACES.get(prefix or "", uri)
        if uri != right:
            problem = f"it declares the namespace {prefix} as {brief(uri)}."
            self._add(catalogue.WRONG_NAMESPACE, problem, f'Write xmlns:{prefix}="{right}".')


def _extensions(document: Document, entry: Element) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the language variants and the images of an entry. Put its news and videos into the document."""
    images: list[str] = []
    for child in entry.children:
        kind = EXTENSIONS.get(child.name)
        if kind:
            document.retired.update(retired(child))
        if kind == "image":
            images += filter(None, [text(parts(child), "loc")])
        elif kind == "news":
            document.news.append((child.end, text(parts(child), "publication_date")))
    links = [child.attributes for child in entry.children if child.name == _LINK]
    variants = tuple(
        (link["hreflang"], link["href"])
        for link in links
        if link.keys() >= {"rel", "hreflang", "href"} and link["rel"].lower() == "alternate"
    )
    return variants, tuple(images)


class Protocol:
    """The names of the elements of one file, which depend on its root element."""

    def __init__(self, root: Element) -> None:
        core = f"{root.namespace} ".lstrip()
        self.namespace = root.namespace
        """The namespace of the root, right or wrong, which entries and their parts share."""
        self.is_index = root.local == "sitemapindex"
        self.entry = core + ("sitemap" if self.is_index else "url")
        names = (*(core + name for name in ("loc", "lastmod", "changefreq", "priority")), *EXTENSIONS, _LINK)
        self.ranks = {name: min(rank, _EXTENSION) for rank, name in enumerate(names)}
        """The places of the elements in an entry."""


def root_faults(root: Element) -> Iterator[Fault]:
    """Yield what is wrong with the root element of a sitemap or an index."""
    if root.namespace != NAMESPACE:
        declared = f"the namespace {brief(root.namespace)}" if root.namespace else "no namespace"
        yield catalogue.WRONG_NAMESPACE, root.line, f"its root element has {declared}.", f'Write xmlns="{NAMESPACE}".'


def stranger_faults(element: Element, protocol: Protocol) -> Iterator[Fault]:
    """Yield what is wrong with an element in the place of an entry."""
    local, wanted = element.local, protocol.entry.rpartition(" ")[2]
    if element.namespace == protocol.namespace:
        fix = f"Put <{wanted}> elements here and nothing else."
        yield catalogue.UNKNOWN_TAG, element.line, f"<{local}> is where only <{wanted}> may be.", fix
    elif protocol.is_index or local in {"url", "sitemap"} or element.namespace in NAMESPACES.values():
        problem = f"<{local}> of another namespace is where only <{wanted}> may be."
        yield catalogue.UNKNOWN_TAG, element.line, problem, ""


def entry_faults(entry: Element, protocol: Protocol) -> Iterator[Fault]:
    """Yield what is wrong with an entry, without its extensions. Elements that have not ended have no value yet."""
    seen: set[str] = set()
    for child in entry.children:
        rank = protocol.ranks.get(child.name)
        if rank is None or rank == _EXTENSION or child.children:
            yield from _form_faults(child, protocol)
        if rank is None or not child.end:
            continue
        if rank < _EXTENSION and child.name in seen:
            yield _repeated(child, rank)
        seen.add(child.name)
        if rank < _EXTENSION and not (rank <= _LASTMOD and child.text and child.text.strip() == child.text):
            yield from _value_faults(child, rank)


def _form_faults(child: Element, protocol: Protocol) -> Iterator[Fault]:
    """Yield what is wrong with an element, except its value and place."""
    if protocol.ranks.get(child.name, _EXTENSION) == _EXTENSION:
        yield from _other_faults(child, protocol)
    for inner in child.children if child.name not in EXTENSIONS else ():
        # What stands in elements of other namespaces is not ours to judge.
        if protocol.namespace in (child.namespace, inner.namespace) or child.name == _LINK:
            problem = f"the element <{inner.local}> is inside the text of another."
            yield catalogue.UNKNOWN_TAG, inner.line, problem, "Take it out."


def _other_faults(child: Element, protocol: Protocol) -> Iterator[Fault]:
    """Yield what is wrong with an element that is not of the protocol itself."""
    namespace, local = child.namespace, child.local
    if child.name == _LINK:
        yield from _link_faults(child)
    elif namespace == protocol.namespace:
        yield catalogue.UNKNOWN_TAG, child.line, f"an entry holds the unknown element <{local}>.", ""
    elif namespace in NAMESPACES.values() and child.name not in EXTENSIONS:
        fix = "Put it into the element of its image, video or article."
        yield catalogue.UNKNOWN_TAG, child.line, f"<{local}> belongs to an extension, but is alone in an entry.", fix
    elif child.name not in EXTENSIONS and local in {*EXTENSIONS.values(), "link"}:
        said = f"the namespace {brief(namespace)}" if namespace else "no namespace"
        right = next((name.rpartition(" ")[0] for name in (*EXTENSIONS, _LINK) if name.endswith(f" {local}")), "")
        fix = (
            f'Declare xmlns:{local if local != "link" else "xhtml"}="{right}", and write the element with that prefix.'
        )
        yield catalogue.WRONG_NAMESPACE, child.line, f"<{local}> has {said}.", fix
    if protocol.is_index and namespace != protocol.namespace:
        fix = "Remove it: an index has no extensions."
        yield catalogue.UNKNOWN_TAG, child.line, f"an entry of an index holds <{local}>.", fix


def _link_faults(link: Element) -> Iterator[Fault]:
    """Yield what is wrong with a language variant. One with a medium and no language is the page for small screens."""
    needed = ("rel", "href", "media" if "media" in link.attributes else "hreflang")
    missing = [name for name in needed if name not in link.attributes]
    if missing:
        yield catalogue.INVALID_ATTRIBUTE, link.line, f"an <xhtml:link> has no attribute {missing[0]}.", "Add it."
    elif link.attributes["rel"].lower() != "alternate":
        problem = f"an <xhtml:link> has the attribute rel={link.attributes['rel'][:80]!r}."
        yield catalogue.INVALID_ATTRIBUTE, link.line, problem, 'Write rel="alternate".'


def _repeated(child: Element, rank: int) -> Fault:
    what = f"<loc>, {child.value().strip()[:200]}" if rank == _LOC else f"<{child.local}>"
    fix = ("Give each URL an entry of its own.", "Keep one.", "Keep one, or none.", "Keep one, or none.")[rank]
    return catalogue.REPEATED_TAG, child.end, f"an entry has another {what}.", fix


def _value_faults(element: Element, rank: int) -> Iterator[Fault]:
    written = element.value()
    value = written.strip()
    if rank == _LASTMOD and not value:
        yield catalogue.INVALID_DATE, element.end, "an entry has an empty <lastmod>.", ""
    elif rank == _LASTMOD and value != written:
        problem = f"there is space around the date {value[:40]}."
        yield catalogue.PADDED_VALUE, element.end, problem, "Write the date alone."
    elif rank == _LOC and value and value != written:
        problem = f"there is space around {value[:200]}."
        yield catalogue.PADDED_VALUE, element.end, problem, "Write the URL alone into <loc>."
    elif rank == _CHANGEFREQ and value not in _FREQUENCIES:
        fix = f"Write one of {', '.join(sorted(_FREQUENCIES))}, or leave it out."
        yield catalogue.INVALID_VALUE, element.end, f"<changefreq> is {value[:40]!r}.", fix
    elif rank == _PRIORITY and not _FROM_0_TO_1.fullmatch(value):
        fix = "Write from 0.0 to 1.0, or leave it out."
        yield catalogue.INVALID_VALUE, element.end, f"<priority> is {value[:40]!r}.", fix
