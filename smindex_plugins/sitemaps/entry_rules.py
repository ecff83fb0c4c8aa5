"""What the protocol demands of an entry: which elements stand in it, each once and in its place, and their values."""

import re
from collections.abc import Iterator

from smindex_plugins.catalogue import Kind
from smindex_plugins.sitemaps import faults
from smindex_plugins.sitemaps.rendering import NAMESPACE, NAMESPACES

Fault = tuple[Kind, int, str, str]
"""What is wrong: its kind, the line, the problem, and how to mend it, or nothing where its kind says that."""

EXTENSIONS = {f"{NAMESPACES[name]} {name}": name for name in ("image", "news", "video")}
LINK = f"{NAMESPACES['xhtml']} link"

LOC, LASTMOD, CHANGEFREQ, PRIORITY, EXTENSION = range(5)
"""The places of what may stand in an entry, in the order of the schema."""
_FREQUENCIES = {"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"}
_PRIORITY = re.compile(r"0(\.\d+)?|1(\.0+)?|\.\d+")
_EVERYWHERE = ("http://www.w3.org/2001/XMLSchema-instance ", "http://www.w3.org/XML/1998/namespace ")
"""Namespaces of attributes that any element of XML may have."""


class Element:
    """An element and what stands in it; names are a namespace, a space, and what stands behind the prefix."""

    __slots__ = ("attributes", "children", "end", "line", "name", "text")

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.name = name
        self.attributes = attributes
        self.line = line
        self.end = 0
        """The line of its end tag, or 0 where it has not been read to its end."""
        self.text = ""
        """The last of it, where children stand in it, in which only hostile files have much of it."""
        self.children: list[Element] = []

    @property
    def namespace(self) -> str:
        """What stands before the space, or nothing."""
        return self.name.rpartition(" ")[0]

    @property
    def local(self) -> str:
        """Its name without the namespace."""
        return self.name.rpartition(" ")[2]

    def value(self) -> str:
        """Return its text with that of its children, where it should have none."""
        return "".join(child.value() for child in self.children) + self.text if self.children else self.text


class Protocol:
    """The names of what belongs into one file, which its root element decides."""

    def __init__(self, root: Element) -> None:
        core = f"{root.namespace} ".lstrip()
        self.namespace = root.namespace
        """That of the root, right or wrong, and so of entries and of what the protocol has in them."""
        self.is_index = root.local == "sitemapindex"
        self.entry = core + ("sitemap" if self.is_index else "url")
        names = ("loc", "lastmod", "changefreq", "priority")
        self.ranks = {core + name: rank for rank, name in enumerate(names)} | dict.fromkeys(
            (*EXTENSIONS, LINK), EXTENSION
        )
        """The places of what may stand in an entry."""


def root_faults(root: Element) -> Iterator[Fault]:
    """Judge the root element of a sitemap or an index."""
    if root.namespace != NAMESPACE:
        declared = f"the namespace {root.namespace!r}" if root.namespace else "no namespace"
        yield faults.WRONG_NAMESPACE, root.line, f"its root element has {declared}.", f'Write xmlns="{NAMESPACE}".'
    yield from _unknown_attributes(root)


def stranger_faults(element: Element, protocol: Protocol) -> Iterator[Fault]:
    """Judge an element that stands where entries should."""
    local, wanted = element.local, protocol.entry.rpartition(" ")[2]
    if element.namespace == protocol.namespace:
        fix = f"Put <{wanted}> elements here and nothing else."
        yield faults.UNKNOWN_TAG, element.line, f"<{local}> stands where only <{wanted}> may.", fix
    elif protocol.is_index or local in {"url", "sitemap"} or element.namespace in NAMESPACES.values():
        problem = f"<{local}> of another namespace stands where only <{wanted}> may."
        yield faults.UNKNOWN_TAG, element.line, problem, ""


def entry_faults(entry: Element, protocol: Protocol) -> Iterator[Fault]:
    """Judge all of an entry but what stands in its extensions; what has not been read to its end has no value yet."""
    yield from _unknown_attributes(entry)
    highest = 0
    seen: set[str] = set()
    for child in entry.children:
        rank = protocol.ranks.get(child.name)
        if rank is None or rank == EXTENSION or child.attributes or child.children:
            yield from _form_faults(child, protocol)
        if rank is None or not child.end:
            continue
        if rank < highest and not protocol.is_index:  # in an index, the schema allows any order
            yield faults.WRONG_ORDER, child.end, f"<{child.local}> stands too late in its entry.", ""
        highest = max(rank, highest)
        if rank < EXTENSION and child.name in seen:
            yield _repeated(child)
        seen.add(child.name)
        if rank < EXTENSION and not (rank <= LASTMOD and child.text and child.text.strip() == child.text):
            yield from _VALUES[rank](child)


def _form_faults(child: Element, protocol: Protocol) -> Iterator[Fault]:
    """Judge an element but for its value and its place."""
    if protocol.ranks.get(child.name, EXTENSION) == EXTENSION:
        yield from _other_faults(child, protocol)
    else:
        yield from _unknown_attributes(child)
    if child.name not in EXTENSIONS:
        yield from _inner_faults(child, protocol.namespace)


def _unknown_attributes(element: Element) -> Iterator[Fault]:
    own = [attribute for attribute in element.attributes if not attribute.startswith(_EVERYWHERE)]
    if own:
        yield faults.UNKNOWN_ATTRIBUTE, element.line, f"<{element.local}> has the attribute {own[0][:80]!r}.", ""


def _other_faults(child: Element, protocol: Protocol) -> Iterator[Fault]:
    """Judge whether an element that the protocol itself does not have may stand in an entry."""
    namespace, local = child.namespace, child.local
    if child.name == LINK:
        yield from _link_faults(child)
    elif namespace == protocol.namespace:
        yield faults.UNKNOWN_TAG, child.line, f"an entry holds the unknown element <{local}>.", ""
    elif namespace in NAMESPACES.values() and child.name not in EXTENSIONS:
        fix = "Put it into the element of its image, video or article."
        yield faults.UNKNOWN_TAG, child.line, f"<{local}> of an extension stands alone in an entry.", fix
    elif child.name not in EXTENSIONS and local in {*EXTENSIONS.values(), "link"}:
        said = f"the namespace {namespace!r}" if namespace else "no namespace"
        yield faults.WRONG_NAMESPACE, child.line, f"<{local}> has {said}.", ""
    if protocol.is_index and namespace != protocol.namespace:
        fix = "Remove it: an index has no extensions."
        yield faults.UNKNOWN_TAG, child.line, f"an entry of an index holds <{local}>.", fix


def _link_faults(link: Element) -> Iterator[Fault]:
    """Judge a language variant; what has a medium and no language is the page for small screens."""
    needed = ("rel", "href", "media" if "media" in link.attributes else "hreflang")
    missing = [name for name in needed if name not in link.attributes]
    if missing:
        yield faults.MISSING_ATTRIBUTE, link.line, f"an <xhtml:link> has no attribute {missing[0]}.", ""
    elif link.attributes["rel"].lower() != "alternate":
        problem = f"an <xhtml:link> has the attribute rel={link.attributes['rel'][:80]!r}."
        yield faults.INVALID_ATTRIBUTE, link.line, problem, 'Write rel="alternate".'


def alternates(entry: Element) -> list[tuple[str, str]]:
    """Return the language variants of an entry, hreflang code and URL as written."""
    links = [child.attributes for child in entry.children if child.name == LINK]
    return [
        (link["hreflang"], link["href"])
        for link in links
        if link.keys() >= {"rel", "hreflang", "href"} and link["rel"].lower() == "alternate"
    ]


def _inner_faults(child: Element, core: str) -> Iterator[Fault]:
    """Judge what stands in an element that holds text or nothing; what others hold is not ours to judge."""
    for inner in child.children:
        if core in (child.namespace, inner.namespace) or child.name == LINK:
            problem = f"the element <{inner.local}> stands inside another's text."
            yield faults.UNKNOWN_TAG, inner.line, problem, "Take it out."


def _repeated(child: Element) -> Fault:
    if child.local == "loc":
        problem = f"an entry has another <loc>, {child.value().strip()[:200]}."
        return faults.REPEATED_TAG, child.end, problem, "Give each URL an entry of its own."
    fix = "Keep one." if child.local == "lastmod" else "Keep one, or none."
    return faults.REPEATED_TAG, child.end, f"an entry has another <{child.local}>.", fix


def _loc_faults(loc: Element) -> Iterator[Fault]:
    value = loc.value()
    url = value.strip()
    if url and url != value:
        problem = f"there is space around {url[:200]}."
        yield faults.PADDED_VALUE, loc.end, problem, "Write the URL alone into <loc>."


def _lastmod_faults(lastmod: Element) -> Iterator[Fault]:
    value = lastmod.value()
    date = value.strip()
    if not date:
        yield faults.EMPTY_DATE, lastmod.end, "an entry has an empty <lastmod>.", ""
    elif date != value:
        problem = f"there is space around the date {date[:40]}."
        yield faults.PADDED_VALUE, lastmod.end, problem, "Write the date alone."


def _changefreq_faults(changefreq: Element) -> Iterator[Fault]:
    if (value := changefreq.value().strip()) not in _FREQUENCIES:
        fix = f"Write one of {', '.join(sorted(_FREQUENCIES))}, or leave it out."
        yield faults.INVALID_HINT, changefreq.end, f"<changefreq> is {value[:40]!r}.", fix


def _priority_faults(priority: Element) -> Iterator[Fault]:
    if not _PRIORITY.fullmatch(value := priority.value().strip()):
        fix = "Write from 0.0 to 1.0, or leave it out."
        yield faults.INVALID_HINT, priority.end, f"<priority> is {value[:40]!r}.", fix


_VALUES = (_loc_faults, _lastmod_faults, _changefreq_faults, _priority_faults)
"""By the places that the elements have in an entry."""
