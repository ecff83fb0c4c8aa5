"""What a rendered page says of itself, read as a search engine reads it."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, TYPE_CHECKING

from smindex_plugins.pages import document

if TYPE_CHECKING:
    from lxml import etree

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_BLOCK = 1 << 14
_MOST_HEAD = 1 << 20
"""Bytes that may come before the body; a head that goes on after them is not read to its end."""

_SMALL = 4096
"""A longer file is taken to have content."""

# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>[\"']?)(?P<url>.*)", re.IGNORECASE | re.DOTALL)
_WHOLE = re.compile(rb"<(?:!doctype|html|head|body|title|meta|link)\b", re.IGNORECASE)
_SHOWN = ("audio", "canvas", "embed", "form", "iframe", "img", "input", "object", "picture", "script", "svg", "video")

_ATTRIBUTES = r"(?:[^>=]++|=\s*\"[^\"]*\"|=\s*'[^']*'|=)*+>"
# What may stand in a head: comments, elements whose content is no markup or is left alone, and tags.
_TOKEN = re.compile(
    rf"\s*(?:<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?)"
    rf"|<(?P<closed>script|style|title|noscript|template|noframes)\b{_ATTRIBUTES}"
    rf"(?:[^<]++|<(?!/(?P=closed)[\s/>]))*+(?:</(?P=closed)[^>]*>?)?"
    rf"|<(?P<name>/?[a-z][^\s/>]*){_ATTRIBUTES}"
    rf"|<[!?/][^>]*>)",
    re.IGNORECASE | re.DOTALL,
)
_WORDS = ("robots", "googlebot", "refresh", "canonical", "hreflang", "<base", "&#")
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
    file = os.open(path, _READ)  # half the time that a file object would take
    try:
        return _read(partial(os.read, file), url)
    finally:
        os.close(file)


def read_stream(stream: IO[bytes], url: str) -> Said:
    """Read what the page at a normalised URL says, from the bytes of it that are needed.

    Raises:
        OSError: the stream cannot be read.
    """
    return _read(stream.read, url)


def _read(read_bytes: Callable[[int], bytes], url: str) -> Said:
    start = read_bytes(_BLOCK)
    if len(start) < _SMALL and _is_empty(start):
        return replace(_read_head(start, url), empty=True)
    if not _WHOLE.search(start) and b"\0" not in start:  # which would be UTF-16
        return Said(partial=True)
    while (end := start.find(b"<body")) < 0 and len(start) < _MOST_HEAD and (block := read_bytes(_BLOCK)):
        start += block
    head = start[:end] if end >= 0 else b""
    if not head or _is_within(lower := head.lower()):
        return _read_head(start + read_bytes(_MOST_HEAD), url)
    return NOTHING if _says_nothing(head, lower, url) else _read_head(head, url)


def _is_within(head: bytes) -> bool:
    """Tell whether what seems to end a head may be inside a comment, an element that holds text, or an attribute.

    This may only err on the side of a closer look, and so may what follows: most pages of a site pass both, at the cost
    of a few searches. A closer look takes five times as long.
    """
    for opening, closing in _OPENED:
        last = head.rfind(opening)
        if last >= 0 and head.find(closing, last) < 0:
            return True
    if not head.rstrip().endswith(b">"):
        return True
    return bool(head.count(b'"') % 2 or b"\0" in head or (b"='" in head and head.count(b"'") % 2))


def _says_nothing(head: bytes, lower: bytes, url: str) -> bool:
    """Tell that a head, given in lower case too, says nothing but, at most, that its canonical URL is its own."""
    if b"hreflang" in lower or b"refresh" in lower or b"<base" in lower or _HIDDEN_LETTER.search(lower):
        return False
    if (b"robots" in lower or b"googlebot" in lower) and (b"noindex" in lower or b"none" in lower):
        return False
    first = lower.find(b"canonical")
    return first < 0 or (lower.find(b"canonical", first + 1) < 0 and _is_own_canonical(head, first, url.encode()))


def _is_own_canonical(head: bytes, position: int, url: bytes) -> bool:
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
            tag = token[0].lower()
            if any(word in tag for word in _WORDS):
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
