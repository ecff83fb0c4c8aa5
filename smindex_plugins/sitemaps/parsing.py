"""A sitemap or an index in XML: its entries, and everything that is wrong with its form."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from lxml import etree

from smindex_plugins import catalogue, urls
from smindex_plugins.sitemaps.document import Document, Entry, Form
from smindex_plugins.sitemaps.extensions import EXTENSIONS, Extension, Fault
from smindex_plugins.sitemaps.rendering import NAMESPACE, NAMESPACES
from smindex_plugins.text import brief

_LINK = f"{{{NAMESPACES['xhtml']}}}link"
_LOC, _LASTMOD, _CHANGEFREQ, _PRIORITY, _EXTENSION = range(5)
"""The places of the elements in an entry, in the order of the schema."""
_VALUES = ("loc", "lastmod", "changefreq", "priority")
_FREQUENCIES = {"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
_FROM_0_TO_1 = re.compile(r"0(\.\d+)?|1(\.0+)?|\.\d+")
_FEEDS: dict[str, Form] = {"rss": "RSS feed", "RDF": "RSS feed", "feed": "Atom feed"}
_FIXES_OF_REPEATED = ("Give each URL an entry of its own.", "Keep one.", "Keep one, or none.", "Keep one, or none.")


class Protocol(NamedTuple):
    """The names of the elements of one file, which depend on its root element."""

    namespace: str
    """The namespace of the root, right or wrong, which entries and their parts share."""
    is_index: bool
    entry: str
    places: dict[str, int]
    """The places of the elements in an entry."""


def read_xml(content: bytes, document: Document) -> None:
    """Fill a document from XML in UTF-8, entry by entry: each is removed from the tree after the next is read."""
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        document.is_whole = False
        fix = "Upload the XML. An error page may have taken its place."
        document.add(catalogue.UNSUPPORTED_FORMAT, 1, "it is an HTML page.", fix)
        return
    events = etree.iterparse(
        io.BytesIO(content),
        ("start", "end"),
        tag=("{*}urlset", "{*}sitemapindex", "{*}url", "{*}sitemap"),
        encoding="utf-8",  # whatever it declares
        resolve_entities=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )
    protocol: Protocol | None = None
    try:
        for event, element in events:
            if protocol is None:
                root = element.getroottree().getroot()
                protocol = _read_root(root, document)
            if protocol is None or document.is_full:
                document.is_whole = False
                return
            if event == "end" and element.tag == protocol.entry and element.getparent() is root:
                _read_entry(element, protocol, document)
                _remove(root, element.itersiblings(preceding=True), protocol, document)
        if protocol:
            _remove(root, root, protocol, document)
            _add(document, _stray_text(root.text, root))
        elif events.root is not None:
            _read_root(events.root, document)
            document.is_whole = False
    except etree.XMLSyntaxError:
        document.is_whole = False
        reason, line = next(((error.message, error.line) for error in events.error_log), ("there is no element", 1))
        problem = f"it cannot be read as a sitemap: not well-formed XML: {reason}."
        fix = "Correct the XML." + (" Write '&' in a URL as '&amp;'." if "Entity" in reason else "")
        document.add(catalogue.UNREADABLE_SITEMAP, line, problem, fix)


def _remove(root: etree._Element, children: Iterable[etree._Element], protocol: Protocol, document: Document) -> None:
    """Remove elements that have been read, with the text after each, and say what they should not be."""
    for child in [*children]:
        if child.tag != protocol.entry:
            _add(document, _stranger_faults(child, protocol))
        _add(document, _stray_text(child.tail, child))
        child.clear()  # without which `remove` takes a time that grows with the square of what is in it
        root.remove(child)


def _add(document: Document, found: Iterable[Fault], url: str = "") -> None:
    for kind, line, problem, fix in found:
        document.add(kind, line, problem, fix, url)


def _split(element: etree._Element) -> tuple[str, str]:
    """Return the namespace of an element, or an empty string, and its name without a prefix."""
    name = etree.QName(element)
    return name.namespace or "", name.localname


def _line(element: etree._Element) -> int:
    return element.sourceline or 0


def _read_root(root: etree._Element, document: Document) -> Protocol | None:
    """Return the names that a file uses, or None if it has no entries to read."""
    namespace, local = _split(root)
    if local in _FEEDS:
        document.kind = _FEEDS[local]
        return None
    if root.getroottree().docinfo.doctype:
        problem = "it declares a document type, which no sitemap needs. The rest was not read."
        document.add(catalogue.DOCUMENT_TYPE, 0, problem)
        return None
    if local not in {"urlset", "sitemapindex"}:
        problem = f"its root element is <{local}>, not <urlset> or <sitemapindex>."
        document.add(catalogue.UNSUPPORTED_FORMAT, _line(root), problem)
        return None
    document.kind = cast("Form", local)
    document.has_news = {*root.nsmap.values()} & {NAMESPACES["news"], NAMESPACES["video"]} == {NAMESPACES["news"]}
    for prefix, uri in root.nsmap.items():
        if prefix and uri != (right := NAMESPACES.get(prefix, uri)):
            problem = f"it declares the namespace {prefix} as {brief(uri)}."
            document.add(catalogue.WRONG_NAMESPACE, _line(root), problem, f'Write xmlns:{prefix}="{right}".')
    if namespace != NAMESPACE:
        declared = f"the namespace {brief(namespace)}" if namespace else "no namespace"
        problem = f"its root element has {declared}."
        document.add(catalogue.WRONG_NAMESPACE, _line(root), problem, f'Write xmlns="{NAMESPACE}".')
    core = f"{{{namespace}}}" if namespace else ""
    is_index = local == "sitemapindex"
    places = {core + name: place for place, name in enumerate(_VALUES)}
    if not is_index:
        places |= dict.fromkeys((*EXTENSIONS, _LINK), _EXTENSION)
    return Protocol(namespace, is_index, core + ("sitemap" if is_index else "url"), places)


def _read_entry(element: etree._Element, protocol: Protocol, document: Document) -> None:
    """Add an entry to a document, with everything that is wrong with it."""
    found = _stray_text(element.text, element)
    values: dict[int, str] = {}
    extensions: list[Extension] = []
    alternates: list[tuple[str, str]] = []
    for child in element:
        found += _stray_text(child.tail, child)
        place = protocol.places.get(str(child.tag))
        if place is None:
            found += _other_faults(child, protocol)
            continue
        if place < _EXTENSION:
            text = "".join(child.itertext()) if len(child) else child.text or ""
            value = text.strip()
            is_odd = place > _LASTMOD or place in values or value != text or not value or len(child)
            if is_odd:  # of a large file, hardly anything is
                found += _value_faults(child, place, text, is_repeated=place in values)
            values.setdefault(place, value)
        elif child.tag == _LINK:
            found += _link_faults(child)
            if child.get("rel", "").lower() == "alternate" and {"hreflang", "href"}.issubset(child.attrib):
                alternates.append((child.attrib["hreflang"], child.attrib["href"]))
        else:
            extensions.append(Extension(child))
    url = values.get(_LOC, "")
    normal = urls.normal(url)
    for extension in extensions:
        found += extension.faults(normal)
        document.retired.update(extension.retired())
    _add(document, found, normal)
    document.news += [(each.line, each.text("publication_date")) for each in extensions if each.kind == "news"]
    document.hints += _CHANGEFREQ in values or _PRIORITY in values
    if url:
        images = tuple(filter(None, [each.text("loc") for each in extensions]))
        same = url if url == normal else normal  # one string, not two equal ones
        lastmod = values.get(_LASTMOD, "")
        document.entries.append(Entry(url, same, lastmod, _line(element), tuple(alternates), images))
    else:
        document.add(catalogue.MISSING_LOC, _line(element), "an entry has no URL in a <loc>.")


def _stray_text(text: str | None, near: etree._Element) -> list[Fault]:
    if not text or text.isspace():
        return []
    return [(catalogue.STRAY_TEXT, _line(near), f"the text {text.strip()[:80]!r} stands between elements.", "")]


def _stranger_faults(element: etree._Element, protocol: Protocol) -> Iterator[Fault]:
    """Yield what is wrong with an element in the place of an entry."""
    namespace, local = _split(element)
    wanted = "sitemap" if protocol.is_index else "url"
    if namespace == protocol.namespace:
        fix = f"Put <{wanted}> elements here and nothing else."
        yield catalogue.UNKNOWN_TAG, _line(element), f"<{local}> is where only <{wanted}> may be.", fix
    elif protocol.is_index or local in {"url", "sitemap"} or namespace in NAMESPACES.values():
        problem = f"<{local}> of another namespace is where only <{wanted}> may be."
        yield catalogue.UNKNOWN_TAG, _line(element), problem, ""


def _value_faults(element: etree._Element, place: int, text: str, *, is_repeated: bool) -> Iterator[Fault]:
    """Yield what is wrong with a URL, date, frequency or priority."""
    line, value = _line(element), text.strip()
    if len(element):
        problem = f"the element <{_split(element[0])[1]}> is inside the text of another."
        yield catalogue.UNKNOWN_TAG, _line(element[0]), problem, "Take it out."
    if is_repeated:
        what = f"<loc>, {value[:200]}" if place == _LOC else f"<{_VALUES[place]}>"
        yield catalogue.REPEATED_TAG, line, f"an entry has another {what}.", _FIXES_OF_REPEATED[place]
    if place == _LASTMOD and not value:
        yield catalogue.INVALID_DATE, line, "an entry has an empty <lastmod>.", ""
    elif place == _LASTMOD and value != text:
        yield catalogue.PADDED_VALUE, line, f"there is space around the date {value[:40]}.", "Write the date alone."
    elif place == _LOC and value and value != text:
        yield catalogue.PADDED_VALUE, line, f"there is space around {value[:200]}.", "Write the URL alone into <loc>."
    elif place == _CHANGEFREQ and value not in _FREQUENCIES:
        fix = f"Write one of {', '.join(sorted(_FREQUENCIES))}, or leave it out."
        yield catalogue.INVALID_VALUE, line, f"<changefreq> is {value[:40]!r}.", fix
    elif place == _PRIORITY and not _FROM_0_TO_1.fullmatch(value):
        yield catalogue.INVALID_VALUE, line, f"<priority> is {value[:40]!r}.", "Write from 0.0 to 1.0, or leave it out."


def _link_faults(link: etree._Element) -> Iterator[Fault]:
    """Yield what is wrong with a language variant. One with a medium and no language is the page for small screens."""
    needed = ("rel", "href", "media" if "media" in link.attrib else "hreflang")
    missing = [name for name in needed if name not in link.attrib]
    if missing:
        yield catalogue.INVALID_ATTRIBUTE, _line(link), f"an <xhtml:link> has no attribute {missing[0]}.", "Add it."
    elif link.attrib["rel"].lower() != "alternate":
        problem = f"an <xhtml:link> has the attribute rel={link.attrib['rel'][:80]!r}."
        yield catalogue.INVALID_ATTRIBUTE, _line(link), problem, 'Write rel="alternate".'


def _other_faults(child: etree._Element, protocol: Protocol) -> Iterator[Fault]:
    """Yield what is wrong with an element that has no place in an entry. A <url> may have those of other namespaces."""
    line = _line(child)
    namespace, local = _split(child)
    if namespace == protocol.namespace:
        yield catalogue.UNKNOWN_TAG, line, f"an entry holds the unknown element <{local}>.", ""
    elif protocol.is_index:
        fix = "Remove it: an index has no extensions."
        yield catalogue.UNKNOWN_TAG, line, f"an entry of an index holds <{local}>.", fix
    elif namespace in NAMESPACES.values():
        fix = "Put it into the element of its image, video or article."
        yield catalogue.UNKNOWN_TAG, line, f"<{local}> belongs to an extension, but is alone in an entry.", fix
    elif local in {"image", "link", "news", "video"}:
        declared = f"the namespace {brief(namespace)}" if namespace else "no namespace"
        prefix = "xhtml" if local == "link" else local
        fix = f'Declare xmlns:{prefix}="{NAMESPACES[prefix]}", and write the element with that prefix.'
        yield catalogue.WRONG_NAMESPACE, line, f"<{local}> has {declared}.", fix
