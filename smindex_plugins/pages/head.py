"""What a rendered page says of itself in its head, read as a search engine reads it."""

import codecs
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import IO

from smindex_plugins import urls

_BLOCK = 1 << 14
_MOST_HEAD = 1 << 20
"""Bytes that a head may go on after the first block; what comes later is not read."""
_SMALL = 4096
"""A longer file is taken to have content."""
_WHOLE = re.compile(rb"<(?:!doctype|html|head|body|title|meta|link)\b", re.IGNORECASE)

_COMMENT = rb"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?)"
_ATTRIBUTES = rb"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"'])))*+>"
# What may stand in a head: comments, elements whose content is no markup or is left alone, and tags.
# The rules: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
_TOKEN = re.compile(
    rb"\s*(?:%(comment)b"
    rb"|<(?P<closed>script|style|title|noscript|template|noframes)\b%(attributes)b"
    rb"(?:[^<]++|<(?!/(?P=closed)[\s/>]))*+(?:</(?P=closed)[^>]*>?)?"
    rb"|<(?P<name>base|link|meta)(?=[\s/>])(?P<attributes>%(attributes)b)"
    rb"|<(?:(?:html|head|basefont|bgsound)(?=[\s/>])|/(?!(?:body|html|br)[\s/>])[a-z])%(attributes)b"
    rb"|<(?:[!?]|/(?![a-z]))[^>]*>)" % {b"attributes": _ATTRIBUTES, b"comment": _COMMENT},
    re.IGNORECASE | re.DOTALL,
)
_BODY = re.compile(rb"\s*<body[\s/>]", re.IGNORECASE)
# A body with no text, and no element that shows something without any.
_BLANK = re.compile(
    rb"(?:\s|\xc2\xa0|&nbsp;|%(comment)b"
    rb"|<(?!(?:audio|canvas|embed|form|iframe|img|input|object|picture|script|svg|video)\b)[!?/a-z]%(attributes)b)*+"
    % {b"attributes": _ATTRIBUTES, b"comment": _COMMENT},
    re.IGNORECASE | re.DOTALL,
)
# In lower case, because ignoring case takes ten times as long.
_SPEAKING = re.compile(rb"robots|googlebot|refresh|canonical|hreflang|<base|&#")
_ATTRIBUTE = re.compile(r"([^\s/>][^\s/>=]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?")
_REFERENCE = re.compile(r"&(?:#\d+;?|#x[0-9a-f]+;?|\w+;)", re.IGNORECASE)
# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>[\"']?)(?P<url>.*)", re.IGNORECASE | re.DOTALL)

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_DECLARATION = 4096
"""Bytes among which an encoding is declared; browsers look at the first 1,024."""
_CHARSET = re.compile(rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
# Python's names of what browsers can read: https://encoding.spec.whatwg.org/#names-and-labels
# Of the others, some are no encodings of text; and UTF-16 is what no page is that can declare it in plain letters.
_READABLE = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp(?:125\d|866|874|932|949)|koi8-[ru]|mac-(?:roman|cyrillic)|gb2312|gbk|gb18030|big5|"
    r"euc_jp|euc_kr|shift_jis"
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

_Tag = tuple[str, dict[str, str]]
"""The name of an element and its attributes."""


def read(path: str, url: str) -> Said:
    """Read what the page at a normalised URL says in its rendered file.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb", buffering=0) as file:  # a buffer would take half as long again
        return read_stream(file, url)


def read_stream(stream: IO[bytes], url: str) -> Said:
    """Read what the page at a normalised URL says, from as few of its bytes as will do.

    Only the head counts, for there a search engine looks: https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata

    Raises:
        OSError: the stream cannot be read.
    """
    start = stream.read(_BLOCK)
    tags, rest = _tags(start)
    if len(start) < _SMALL and _BLANK.fullmatch(rest):
        return replace(_judge(tags, url), empty=True)
    if not _WHOLE.search(start) and b"\0" not in start:  # which would be UTF-16
        return Said(partial=True)
    if not _BODY.match(rest):  # it may be the end of the block that ended the head
        tags, _ = _tags(start + stream.read(_MOST_HEAD))
    return _judge(tags, url)


def _tags(content: bytes) -> tuple[list[_Tag], bytes]:
    """Return the tags of a head that speak of the page, and what follows the head.

    In all encodings but UTF-16 the signs of markup are the bytes of ASCII, so that only the few tags that speak are
    decoded.
    """
    encoding = ""
    if b"\0" in content or content.startswith(codecs.BOM_UTF8):
        content, encoding = decode(content).encode("utf-8", "replace"), "utf-8"
    tags = []
    end = 0
    while token := _TOKEN.match(content, end):
        if token["name"] and _speaks(token[0]):
            encoding = encoding or _encoding(content)
            attributes = _attributes(token["attributes"].decode(encoding, "replace"))
            tags.append((token["name"].lower().decode(), attributes))
        end = token.end()
    return tags, content[end:]


@lru_cache(maxsize=1024)  # the pages of a site share most of their tags
def _speaks(tag: bytes) -> bool:
    return _SPEAKING.search(tag.lower()) is not None


def _attributes(text: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        value = _REFERENCE.sub(lambda reference: html.unescape(reference[0]), "".join(values))
        attributes.setdefault(name.lower(), value)
    return attributes


def _judge(tags: list[_Tag], url: str) -> Said:
    if not tags:
        return NOTHING
    base = base_url((attributes.get("href") for name, attributes in tags if name == "base"), url)
    metas = [attributes for name, attributes in tags if name == "meta"]
    robots = [meta for meta in metas if meta.get("name", "").strip().lower() in {"robots", "googlebot"}]
    links = [attributes for name, attributes in tags if name == "link"]
    canonicals = set(filter(None, (_canonical(link, base) for link in links)))
    return Said(
        noindex=any(forbids_indexing(meta.get("content", "")) for meta in robots),
        canonical=canonicals.pop() if len(canonicals) == 1 and url not in canonicals else None,
        refresh=next(filter(None, (_refresh(meta, base) for meta in metas)), None),
        alternates=tuple(_alternates(links, base)),
    )


def forbids_indexing(directives: str) -> bool:
    """Whether the directives of a robots meta keep a page out of search engines."""
    return not {"noindex", "none"}.isdisjoint(directive.strip().lower() for directive in directives.split(","))


def _canonical(link: dict[str, str], base: str) -> str | None:
    # Google disregards a canonical link with one of these attributes.
    if "canonical" not in link.get("rel", "").lower().split() or link.keys() & {"hreflang", "lang", "media", "type"}:
        return None
    return resolve(base, link.get("href"))


def _refresh(meta: dict[str, str], base: str) -> str | None:
    is_refresh = meta.get("http-equiv", "").strip().lower() == "refresh"
    match = _REFRESH.match(meta.get("content", "")) if is_refresh else None
    if match is None:
        return None
    return resolve(base, match["url"].partition(match["quote"])[0] if match["quote"] else match["url"])


def _alternates(links: list[dict[str, str]], base: str) -> Iterator[tuple[str, str]]:
    for link in links:
        code, relations = link.get("hreflang", "").strip(), link.get("rel", "").lower().split()
        target = resolve(base, link.get("href")) if code and "alternate" in relations else None
        if target:
            yield code, target


def decode(content: bytes) -> str:
    """Return a page as text, by its byte order mark, or as the encoding it declares, or failing these as UTF-8."""
    return content.decode(_encoding(content), errors="replace").lstrip("\ufeff").replace("\0", "")


def _encoding(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return encoding
    declared = _CHARSET.search(content, 0, _DECLARATION)
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name if declared else "utf-8"
    except LookupError:
        return "utf-8"
    return name if _READABLE.fullmatch(name) else "utf-8"


def base_url(hrefs: Iterable[str | None], url: str) -> str:
    """Return the URL that a page's references are relative to: that of its first ``<base href>``, or its own."""
    first = next((href for href in hrefs if href is not None), None)
    return resolve(url, first) or url


def resolve(base: str, reference: str | None) -> str | None:
    """Return the normalised URL of a reference, or None where it is empty, broken, or not of http or https."""
    text = (reference or "").strip()
    return urls.normal(text, base) or None if text else None
