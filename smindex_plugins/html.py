"""What a rendered page says of itself, read as a search engine reads it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from smindex_plugins import document

if TYPE_CHECKING:
    from lxml import etree

_BLOCK = 1 << 14
_MOST_HEAD = 1 << 20
"""Bytes that may come before the body; a head that goes on after them is not read to its end."""

_SMALL = 4096
"""A longer file is taken to have content."""

# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>[\"']?)(?P<url>.*)", re.IGNORECASE | re.DOTALL)
_WHOLE = re.compile(rb"<(?:!doctype|html|head|body|title|meta|link)\b", re.IGNORECASE)
_SHOWN = ("audio", "canvas", "embed", "form", "iframe", "img", "input", "object", "picture", "script", "svg", "video")

_ATTRIBUTES = r"(?:=\s*(?:\"[^\"]*\"|'[^']*')|[^>])*+>"
# What may stand in a head: comments, elements whose content is no markup or is left alone, and tags.
_TOKEN = re.compile(
    rf"\s*(?:<!--(?:-?>|.*?(?:--!?>|$))"
    rf"|<(?P<closed>script|style|title|noscript|template|noframes)\b{_ATTRIBUTES}.*?(?:</(?P=closed)(?:>|[\s/][^>]*>?)|$)"
    rf"|<(?P<name>/?[a-z][^\s/>]*){_ATTRIBUTES}"
    rf"|<[!?/][^>]*>)",
    re.IGNORECASE | re.DOTALL,
)
_KEPT = frozenset({"base", "link", "meta"})
_IN_HEAD = _KEPT | {"html", "head", "basefont", "bgsound"}
_AFTER_HEAD = frozenset({"/body", "/html", "/br"})

# Letters written as numbers, which nobody writes but to hide a word.
_HIDDEN_LETTER = re.compile(rb"&#(?:0*(?:6[5-9]|[789]\d|1[01]\d|12[0-2])\b|x0*[4-7][0-9a-f]\b)")
_OPENED = (
    (b"<!--", b"-->"),
    (b"<script", b"</script"),
    (b"<style", b"</style"),
    (b"<title", b"</title"),
    (b"<noscript", b"</noscript"),
    (b"<template", b"</template"),
    (b"<", b">"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a page says of itself; every URL is absolute and normalised."""

    noindex: bool = False
    """A robots or googlebot meta says noindex or none."""
    canonical: str | None = None
    """Another URL that it calls its canonical one; None where it names itself, none, or several."""
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
            return replace(_read_head(start, url), empty=True)
        if not _WHOLE.search(start) and b"\0" not in start:  # which would be UTF-16
            return Said(partial=True)
        while b"<body" not in start and len(start) < _MOST_HEAD:
            block = file.read(_BLOCK)
            if not block:
                break
            start += block
        if _says_nothing(start, url.encode()):
            return NOTHING
        return _read_head(start + file.read(_MOST_HEAD), url)


def _says_nothing(start: bytes, url: bytes) -> bool:
    """Tell at the cost of a few searches that a head says nothing but, at most, that its canonical URL is its own.

    This may only err on the side of a closer look: most pages of a site pass here, and a closer look takes ten times
    as long.
    """
    head, body, _ = start.partition(b"<body")
    text = head.lower()
    if not body or b"\0" in head or _is_within(text):
        return False
    if b"hreflang" in text or b"refresh" in text or b"<base" in text or _HIDDEN_LETTER.search(text):
        return False
    if (b"robots" in text or b"googlebot" in text) and (b"noindex" in text or b"none" in text):
        return False
    return b"canonical" not in text or (text.count(b"canonical") == 1 and _is_own_canonical(head, text, url))


def _is_within(head: bytes) -> bool:
    """Tell whether what seems to end a head may be inside a comment, an element that holds text, or an attribute."""
    if any(head.rfind(opening) > head.rfind(closing) for opening, closing in _OPENED):
        return True
    return bool(head.count(b'"') % 2 or (b"='" in head and head.count(b"'") % 2))


def _is_own_canonical(head: bytes, text: bytes, url: bytes) -> bool:
    position = text.index(b"canonical")
    tag = head[head.rfind(b"<", 0, position) : head.find(b">", position) + 1]
    if b"&" in url or not tag.startswith(b"<link ") or tag.count(b"href=") != 1:
        return False
    return any(
        b" href=" + before + url + after in tag
        for before, after in ((b'"', b'"'), (b"'", b"'"), (b"", b" "), (b"", b">"))
    )


def _read_head(content: bytes, url: str) -> Said:
    tags = "".join(_head_tags(document.decode(content)))
    parsed = document.parse_text(tags) if tags else None
    if parsed is None:
        return NOTHING
    elements = list(parsed.iter(*_KEPT))
    base = document.base_url(elements, url)
    canonicals = set(filter(None, (_canonical(element, base) for element in elements)))
    return Said(
        noindex=any(map(_forbids_indexing, elements)),
        canonical=canonicals.pop() if len(canonicals) == 1 and url not in canonicals else None,
        refresh=next(filter(None, (_refresh(element, base) for element in elements)), None),
        alternates=tuple(filter(None, (_alternate(element, base) for element in elements))),
    )


def _head_tags(text: str) -> Iterator[str]:
    """Give the tags that a browser puts into the head, which ends where anything else begins.

    The rules: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
    """
    position = 0
    while token := _TOKEN.match(text, position):
        name = (token["name"] or "").lower()
        if name in _AFTER_HEAD or not (not name or name.startswith("/") or name in _IN_HEAD):
            return
        if name in _KEPT:
            yield token[0]
        position = token.end()


def _forbids_indexing(element: "etree._Element") -> bool:
    if element.tag != "meta" or (element.get("name") or "").strip().lower() not in {"robots", "googlebot"}:
        return False
    directives = {directive.strip().lower() for directive in (element.get("content") or "").split(",")}
    return not directives.isdisjoint({"noindex", "none"})


def _canonical(element: "etree._Element", base: str) -> str | None:
    # Google disregards a canonical link with one of these attributes.
    if "canonical" not in _relations(element) or set(element.attrib) & {"hreflang", "lang", "media", "type"}:
        return None
    return document.resolve(base, element.get("href"))


def _refresh(element: "etree._Element", base: str) -> str | None:
    if element.tag != "meta" or (element.get("http-equiv") or "").strip().lower() != "refresh":
        return None
    match = _REFRESH.match(element.get("content") or "")
    if match is None:
        return None
    target = match["url"].partition(match["quote"])[0] if match["quote"] else match["url"]
    return document.resolve(base, target)


def _alternate(element: "etree._Element", base: str) -> tuple[str, str] | None:
    code = (element.get("hreflang") or "").strip()
    target = document.resolve(base, element.get("href")) if code and "alternate" in _relations(element) else None
    return (code, target) if target else None


def _relations(element: "etree._Element") -> list[str]:
    return (element.get("rel") or "").lower().split() if element.tag == "link" else []


def _is_empty(content: bytes) -> bool:
    if b"<" not in content:
        return not document.decode(content).strip()
    parsed = document.parse(content)
    body = None if parsed is None else parsed.find("body")
    if body is None:
        return True
    return not "".join(_texts(body)).strip() and next(body.iter(*_SHOWN), None) is None


def _texts(body: "etree._Element") -> Iterator[str]:
    for text in body.itertext():
        yield str(text)
