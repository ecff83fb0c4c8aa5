"""Parses a sitemap or an index in XML: its entries, and all faults of its format."""

import re
from collections.abc import Iterable, Iterator
from typing import cast

from lxml import etree

from smindex_plugins.base import catalogue, urls
from smindex_plugins.base.catalogue import Kind
from smindex_plugins.base.text import brief
from smindex_plugins.reading._extensions import EXTENSIONS, Extension
from smindex_plugins.reading.document import Document, Entry, Form
from smindex_plugins.writing.names import NAMESPACE, NAMESPACES

_LINK = f"{{{NAMESPACES['xhtml']}}}link"
_HINTS = {
    "changefreq": (
        "always|daily|hourly|monthly|never|weekly|yearly",
        "Write daily, weekly or a similar value, or omit it.",
    ),
    "priority": (r"0(\.\d+)?|1(\.0+)?|\.\d+", "Write a number from 0.0 to 1.0, or omit it."),
}
_VALUES = ("loc", "lastmod", *_HINTS)
"""The elements of an entry that contain a value. URLs and dates are checked later."""
_START_TAG = re.compile(rb"<([^\s<>/?!]+)")
_PIECE, _SHOWN = 1 << 15, 40
"""How many bytes are parsed at a time, and how many characters of a name are shown."""
_FEEDS: dict[str, Form] = {"rss": "RSS feed", "RDF": "RSS feed", "feed": "Atom feed"}


def read_xml(content: bytes, document: Document) -> None:
    """Fill a document from XML in UTF-8, entry by entry: each is removed from the tree after the
    next one is read.

    If the file is cut off, its complete entries are read, and only the cut is reported.
    """
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        document.is_whole = False
        document.instead = "an HTML page"
        return
    source = _Source(content)
    reader: _Reader | None = None
    try:
        for event, element in source.events():
            if reader is None:
                root = element.getroottree().getroot()
                reader = _Reader(root, document)
            if not reader.is_sitemap or document.is_full:
                document.is_whole = False
                return
            if event == "end" and element.tag == reader.entry and element.getparent() is root:
                reader.read_entry(element)
                reader.remove(element.itersiblings(preceding=True))
        if reader:
            reader.remove(root)
            reader.check_text(root.text, root)
        elif source.root is not None:
            _Reader(source.root, document)
            document.is_whole = False
    except etree.XMLSyntaxError:
        # otherwise, damage to the file is already reported, and explains this
        if document.is_whole:
            line, problem, fix = source.failure(document.count)
            document.add(catalogue.UNREADABLE_SITEMAP, line, problem, fix)
        document.is_whole = False


class _Source:
    """The XML of one file, parsed piece by piece."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._parser: etree.XMLPullParser = etree.XMLPullParser(
            ("start", "end"),
            tag=("{*}urlset", "{*}sitemapindex", "{*}url", "{*}sitemap"),
            encoding="utf-8",  # regardless of its declaration
            resolve_entities=False,
            no_network=True,
            remove_comments=True,
            remove_pis=True,
        )
        self._is_at_end = False
        """Whether the parser received everything. It reports only then that something is not
        finished."""
        self.root: etree._Element | None = None
        """The root element, after all events."""

    def events(self) -> Iterator[tuple[str, etree._Element]]:
        """Yield the starts and ends of the elements of sitemaps.

        Raises:
            XMLSyntaxError: the XML is not well-formed. What comes before that is yielded.
        """
        for first in range(0, len(self._content), _PIECE):
            error: etree.XMLSyntaxError | None = None
            piece = self._content[first : first + _PIECE]
            try:
                self._parser.feed(piece)
            except etree.XMLSyntaxError as found:
                error = found
            yield from self._parser.read_events()
            if error:
                raise error
        self._is_at_end = True
        self.root = self._parser.close()
        yield from self._parser.read_events()

    def failure(self, entries: int) -> tuple[int, str, str]:
        """Return the line, the problem and the fix of XML that is not well-formed, after some
        complete entries.
        """
        again = "Build the site again, or upload the file again as a whole."
        if not self._content.strip():
            return 1, "it can't be read as a sitemap: it is empty.", again
        root = _START_TAG.search(self._content)
        is_closed = root is not None and b"</" + root[1] in self._content
        if self._is_at_end and not is_closed:
            missing = "its root element"
            if root:
                name = root[1].decode("utf-8", "replace")[:_SHOWN]
                missing = f"</{name}>"
            cut = f"it is cut off {_after(entries)}"
            problem = f"{cut}, so it is not well-formed XML: {missing} is missing."
            last_line = self._content.rstrip().count(b"\n") + 1
            return last_line, problem, again
        reason = ""
        line = 1
        first_error = next(iter(self._parser.feed_error_log), None)
        if first_error is not None:
            reason = first_error.message
            line = first_error.line
        fix = "Correct the XML."
        if "Entity" in reason:
            fix += " Write '&' in a URL as '&amp;'."
        return line, f"it can't be read as a sitemap: not well-formed XML: {reason}.", fix


def _after(entries: int) -> str:
    if entries > 1:
        return f"after {entries:,} complete entries"
    if entries == 1:
        return "after one complete entry"
    return "before its first entry is complete"


class _Reader:
    """Reads the elements of one file into a document, in the namespace of its root, even if that is
    wrong.
    """

    def __init__(self, root: etree._Element, document: Document) -> None:
        self._root = root
        self._document = document
        self._namespace, local = _split(root)
        core = f"{{{self._namespace}}}" if self._namespace else ""
        doctype = root.getroottree().docinfo.doctype
        self.is_sitemap = local in {"urlset", "sitemapindex"} and not doctype
        self._is_index = local == "sitemapindex"
        self.entry = core + ("sitemap" if self._is_index else "url")
        self._loc = f"{core}loc"
        self._names = {core + name: name for name in _VALUES}
        """The names of the elements allowed in an entry."""
        if not self._is_index:
            self._names.update(EXTENSIONS)
            self._names[_LINK] = "link"
        self._url = ""
        """The normalized URL of the current entry."""
        if self.is_sitemap:
            document.kind = cast("Form", local)
            extensions = {NAMESPACES["news"], NAMESPACES["video"]}.intersection(root.nsmap.values())
            document.has_news = extensions == {NAMESPACES["news"]}
            self._check_namespaces()
        elif local in _FEEDS:
            document.kind = _FEEDS[local]
        elif doctype:
            problem = (
                "it declares a document type, which sitemaps don't need. The rest was not read."
            )
            document.add(catalogue.DOCUMENT_TYPE, 0, problem)
        else:
            problem = f"its root element is <{local}>, not <urlset> or <sitemapindex>."
            self._add(catalogue.UNSUPPORTED_FORMAT, root, problem)

    def _check_namespaces(self) -> None:
        root = self._root
        for prefix, uri in root.nsmap.items():
            right = NAMESPACES.get(prefix or "", uri)
            if uri != right:
                problem = f"it declares the namespace {prefix} as {brief(uri)}."
                fix = f'Write xmlns:{prefix}="{right}".'
                self._add(catalogue.WRONG_NAMESPACE, root, problem, fix)
        if self._namespace != NAMESPACE:
            problem = f"its root element has {_declared(self._namespace)}."
            fix = f'Write xmlns="{NAMESPACE}".'
            self._add(catalogue.WRONG_NAMESPACE, root, problem, fix)

    def _add(self, kind: Kind, element: etree._Element, problem: str, fix: str = "") -> None:
        line = element.sourceline or 0
        self._document.add(kind, line, problem, fix, self._url)

    def remove(self, children: Iterable[etree._Element]) -> None:
        """Remove elements that have been read, with the text after each, and report elements that
        are not entries.
        """
        for child in list(children):
            self._url = ""
            if child.tag != self.entry:
                self._check_stranger(child)
            self.check_text(child.tail, child)
            child.clear()  # otherwise `remove` takes quadratic time
            self._root.remove(child)

    def check_text(self, text: str | None, near: etree._Element) -> None:
        """Report text between elements."""
        if text and not text.isspace():
            start = text.strip()[:80]
            self._add(catalogue.STRAY_TEXT, near, f"the text {start!r} is between elements.")

    def read_entry(self, element: etree._Element) -> None:
        """Add an entry to the document, with all its faults."""
        document = self._document
        values: dict[str, str] = {}
        extensions: list[Extension] = []
        alternates: list[tuple[str, str]] = []
        loc = element.find(self._loc)
        url = _text(loc).strip() if loc is not None else ""
        self._url = urls.normal(url)
        self.check_text(element.text, element)
        for child in element:
            self.check_text(child.tail, child)
            name = self._names.get(str(child.tag))
            if name is None:
                self._check_stranger(child)
            elif name in _VALUES:
                self._read_value(child, name, values)
            elif name == "link":
                code = child.get("hreflang")
                href = child.get("href")
                is_alternate = child.get("rel", "").lower() == "alternate"
                # without a language, it is the page for small screens
                has_purpose = code is not None or "media" in child.attrib
                if not is_alternate or href is None or not has_purpose:
                    problem = 'an <xhtml:link> lacks one of rel="alternate", hreflang and href.'
                    self._add(catalogue.INVALID_ATTRIBUTE, child, problem, "Add all of them.")
                elif code is not None:
                    alternates.append((code, href))
            else:
                extension = Extension(child)
                extensions.append(extension)
                for kind, problem, fix in extension.faults(self._url):
                    self._add(kind, child, problem, fix)
                document.retired.update(extension.retired())
                if name == "news":
                    date = extension.text("publication_date")
                    document.news.append((child.sourceline or 0, date))
        document.hints += not values.keys().isdisjoint(_HINTS)
        if not url:
            self._add(catalogue.MISSING_LOC, element, "an entry has no URL in a <loc>.")
            return
        normal = url if url == self._url else self._url  # one string takes less memory
        lastmod = values.get("lastmod", "")
        line = element.sourceline or 0
        images = tuple(filter(None, [extension.text("loc") for extension in extensions]))
        document.entries.append(Entry(url, normal, lastmod, line, tuple(alternates), images))

    def _read_value(self, element: etree._Element, name: str, values: dict[str, str]) -> None:
        """Add a URL, date, frequency or priority to the values of an entry, and report its
        faults.
        """
        text = _text(element)
        value = text.strip()
        for child in element:
            self._check_stranger(child)
        if name in values:
            problem = f"an entry has a second <{name}>, {value[:200]}."
            fix = "Give each URL its own entry." if name == "loc" else ""
            self._add(catalogue.REPEATED_TAG, element, problem, fix)
        if name in _HINTS and not re.fullmatch(_HINTS[name][0], value):
            problem = f"<{name}> is {value[:40]!r}."
            fix = _HINTS[name][1]
            self._add(catalogue.INVALID_VALUE, element, problem, fix)
        elif name == "lastmod" and not value:
            self._add(catalogue.INVALID_DATE, element, "an entry has an empty <lastmod>.")
        elif value and value != text:
            problem = f"there is white space around {value[:200]}."
            self._add(catalogue.PADDED_VALUE, element, problem)
        values.setdefault(name, value)

    def _check_stranger(self, element: etree._Element) -> None:
        """Report a misplaced element. A urlset may contain elements of unknown namespaces."""
        namespace, local = _split(element)
        is_known = namespace == self._namespace or namespace in NAMESPACES.values()
        if self._is_index or is_known or local in {"url", "sitemap"}:
            self._add(catalogue.UNKNOWN_TAG, element, f"<{local}> does not belong here.")
        elif local == "link" or local in NAMESPACES:
            prefix = "xhtml" if local == "link" else local
            problem = f"<{local}> has {_declared(namespace)}."
            fix = f'Declare xmlns:{prefix}="{NAMESPACES[prefix]}", and use that prefix.'
            self._add(catalogue.WRONG_NAMESPACE, element, problem, fix)


def _declared(namespace: str) -> str:
    if not namespace:
        return "no namespace"
    return f"the namespace {brief(namespace)}"


def _split(element: etree._Element) -> tuple[str, str]:
    """Return the namespace of an element, or an empty string, and its name without a prefix."""
    name = etree.QName(element)
    return name.namespace or "", name.localname


def _text(element: etree._Element) -> str:
    if len(element):
        return "".join(element.itertext())
    return element.text or ""
