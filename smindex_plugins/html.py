"""What a rendered page says of itself, read as a search engine reads it."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from smindex_plugins import urls

if TYPE_CHECKING:
    from lxml import etree

_BLOCK = 1 << 14
_MOST_HEAD = 1 << 20
"""Bytes that may come before the body; a head that goes on after them is not read to its end."""

_SMALL = 4096
"""A longer file is taken to have content."""

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_CHARSET = re.compile(rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>[\"']?)(?P<url>.*)", re.IGNORECASE | re.DOTALL)
_WHOLE = re.compile(rb"<(?:!doctype|html|head|body|title|meta|link)\b", re.IGNORECASE)
_INERT = ("noscript", "template")
_SHOWN = ("audio", "canvas", "embed", "form", "iframe", "img", "input", "object", "picture", "script", "svg", "video")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a page says of itself; every URL is absolute and normalised."""

    noindex: bool = False
    """A robots or googlebot meta says noindex or none."""
    canonical: str | None = None
    """Its canonical URL; None where it names none, or several that contradict each other."""
    refresh: str | None = None
    """Where a meta refresh leads."""
    alternates: tuple[tuple[str, str], ...] = ()
    """The language variants it links to: hreflang code as written, and URL."""
    empty: bool = False
    """It has neither text nor anything else to show."""
    partial: bool = False
    """It has none of the marks of a whole document: no doctype, and no element of a head."""


NOTHING = Said()


def read(path: str, url: str) -> Said:
    """Read what the page at a normalised URL says in its rendered file, from as little of it as will do.

    Only the head counts, for there a search engine looks: https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb", buffering=0) as file:
        start = file.read(_BLOCK)
        if len(start) < _SMALL and _is_empty(start):
            return Said(empty=True)
        if not _WHOLE.search(start) and b"\0" not in start:  # which would be UTF-16
            return Said(partial=True)
        head = _head(start, file)
        if head is not None and _says_nothing(head, url.encode()):
            return Said(canonical=url if b"canonical" in head else None)
        return _parse_head(head if head is not None else start + file.read(_MOST_HEAD), url)


def _head(start: bytes, file: IO[bytes]) -> bytes | None:
    """Cut what comes before the body, or give None where a scan of the bytes cannot tell where that is."""
    while True:
        ends = [end for end in (start.find(b"</head"), start.find(b"<body")) if end >= 0]
        if ends:
            head = start[: min(ends)]
            return None if _is_open(head, b"<!--", b"-->") or _is_open(head, b"<script", b"</script") else head
        block = file.read(_BLOCK) if len(start) < _MOST_HEAD else b""
        if not block:
            return None
        start += block


def _is_open(head: bytes, opening: bytes, closing: bytes) -> bool:
    return head.rfind(opening) > head.rfind(closing)


def _says_nothing(head: bytes, url: bytes) -> bool:
    """Tell at the cost of a few searches that a head says nothing but, at most, that its canonical URL is its own.

    This may only err on the side of a closer look: most pages of a site pass here, and parsing takes ten times as long.
    """
    text = head.lower()
    if b"\0" in head or b"hreflang" in text or b"refresh" in text or b"<base" in text:
        return False
    if b"&#" in text and (b"http-equiv" in text or b"robots" in text or b"googlebot" in text):
        return False
    if (b"robots" in text or b"googlebot" in text) and (b"noindex" in text or b"none" in text):
        return False
    return b"canonical" not in text or (text.count(b"canonical") == 1 and _is_own_canonical(head, text, url))


def _is_own_canonical(head: bytes, text: bytes, url: bytes) -> bool:
    position = text.index(b"canonical")
    tag = head[head.rfind(b"<", 0, position) : head.find(b">", position) + 1]
    return tag.startswith(b"<link ") and any(
        b"href=" + before + url + after in tag
        for before, after in ((b'"', b'"'), (b"'", b"'"), (b"", b" "), (b"", b">"))
    )


def _parse_head(content: bytes, url: str) -> Said:
    document = _document(content)
    head = None if document is None else document.find("head")
    if head is None:
        return NOTHING
    elements = [element for element in head.iter("meta", "link", "base") if not _inert(element)]
    base = _base(elements, url)
    canonicals = set(filter(None, (_canonical(element, base) for element in elements)))
    return Said(
        noindex=any(map(_forbids_indexing, elements)),
        canonical=canonicals.pop() if len(canonicals) == 1 else None,
        refresh=next(filter(None, (_refresh(element, base) for element in elements)), None),
        alternates=tuple(filter(None, (_alternate(element, base) for element in elements))),
    )


def _document(content: bytes) -> "etree._Element | None":
    from lxml import etree  # noqa: PLC0415 - a build whose pages say nothing unusual never needs it

    text = content.decode(_encoding(content), errors="replace").lstrip("\ufeff").replace("\0", "")
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, no_network=True)
    try:
        return etree.fromstring(text.encode("utf-8", errors="replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):  # nothing in it that could be an element
        return None


def _encoding(content: bytes) -> str:
    """Find how a page is encoded: by its byte order mark, by what it declares, and failing these as UTF-8."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return encoding
    declared = _CHARSET.search(content[:_SMALL])
    try:
        return codecs.lookup(declared[1].decode("ascii")).name if declared else "utf-8"
    except LookupError:
        return "utf-8"


def _inert(element: "etree._Element") -> bool:
    """Tell whether an element is one that browsers with scripts leave alone."""
    return any(ancestor.tag in _INERT for ancestor in element.iterancestors())


def _base(elements: "list[etree._Element]", url: str) -> str:
    for element in elements:
        href = element.get("href") if element.tag == "base" else None
        if href is not None:
            return _resolved(url, href) or url
    return url


def _forbids_indexing(element: "etree._Element") -> bool:
    if element.tag != "meta" or (element.get("name") or "").strip().lower() not in {"robots", "googlebot"}:
        return False
    directives = {directive.strip().lower() for directive in (element.get("content") or "").split(",")}
    return not directives.isdisjoint({"noindex", "none"})


def _canonical(element: "etree._Element", base: str) -> str | None:
    # Google disregards a canonical link with one of these attributes.
    if "canonical" not in _relations(element) or set(element.attrib) & {"hreflang", "lang", "media", "type"}:
        return None
    return _resolved(base, element.get("href"))


def _refresh(element: "etree._Element", base: str) -> str | None:
    if element.tag != "meta" or (element.get("http-equiv") or "").strip().lower() != "refresh":
        return None
    match = _REFRESH.match(element.get("content") or "")
    if match is None:
        return None
    target = match["url"].partition(match["quote"])[0] if match["quote"] else match["url"]
    return _resolved(base, target)


def _alternate(element: "etree._Element", base: str) -> tuple[str, str] | None:
    code = (element.get("hreflang") or "").strip()
    target = _resolved(base, element.get("href")) if code and "alternate" in _relations(element) else None
    return (code, target) if target else None


def _relations(element: "etree._Element") -> list[str]:
    return (element.get("rel") or "").lower().split() if element.tag == "link" else []


def _resolved(base: str, reference: str | None) -> str | None:
    if not (reference or "").strip():
        return None
    try:
        return urls.resolve(base, str(reference).strip())
    except ValueError:
        return None


def _is_empty(content: bytes) -> bool:
    if not content.strip():
        return True
    if len(content) >= _SMALL or b"<" not in content:
        return False
    document = _document(content)
    body = None if document is None else document.find("body")
    if body is None:
        return True
    return not "".join(_texts(body)).strip() and next(body.iter(*_SHOWN), None) is None


def _texts(body: "etree._Element") -> Iterator[str]:
    for text in body.itertext():
        yield str(text)
