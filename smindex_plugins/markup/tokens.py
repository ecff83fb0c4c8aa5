"""Markup as a browser reads it: tags, and text that only looks like markup.

Every regular expression here takes time that grows with the length of a page and with nothing else: what can be read in
two ways is read once, and what is not closed goes on to the end. In all encodings but UTF-16 the signs of markup are
the bytes of ASCII, so that bytes are searched, and only the few tags that matter are decoded.
"""

import codecs
import html
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

COMMENT = rb"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?)"
ATTRIBUTES = rb"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"'])))*+>"
ATTRIBUTES_OR_END = rb"(?:[^>=]++|=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|(?![\"'])))*+(?:>|\Z)"
# Elements whose content is no markup, as it is where scripts run: https://html.spec.whatwg.org/multipage/parsing.html
MARKUP = (
    rb"%(comment)b"
    rb"|<(?P<raw>script|style|title|textarea|noscript|iframe|noembed|noframes|xmp)(?=[\s/>])(?P<raw_attributes>%(rest)b)"
    rb"(?P<content>(?:[^<]++|<(?!/(?P=raw)[\s/>]))*+)(?:</(?P=raw)[^>]*+>?)?"
    rb"|<(?P<name>/?[a-z][^\s/>]*+)(?P<attributes>%(rest)b)"
    rb"|<(?P<other>[!?]|/(?![a-z]))(?P<rest>[^>]*+)>?" % {b"comment": COMMENT, b"rest": ATTRIBUTES_OR_END}
)
_MARKUP = re.compile(MARKUP, re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(r"([^\s/>][^\s/>=]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?")
_REFERENCE = re.compile(r"&(?:#([0-9]+);?|#x[0-9a-f]+;?|\w+;)", re.IGNORECASE)
_MOST_DIGITS = 7
"""The most digits of a character's number; the greatest is 1,114,111."""

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_MARKS = tuple(_BYTE_ORDER_MARKS)
_DECLARATION = 4096
"""How many bytes are searched for a declared encoding. Browsers search the first 1,024."""
_CHARSET = re.compile(rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
# Python's names of what browsers can read: https://encoding.spec.whatwg.org/#names-and-labels
# Of the others, some are no encodings of text; and UTF-16 is what no page is that can declare it in plain letters.
_READABLE = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp(?:125\d|866|874|932|949)|koi8-[ru]|mac-(?:roman|cyrillic)|gb2312|gbk|gb18030|big5|"
    r"euc_jp|euc_kr|shift_jis"
)


class Tag(NamedTuple):
    """A tag of a page, or a comment in the place of one, such as a ``<?php``."""

    name: str
    """Its name in lower case. An end tag's begins with a slash; a comment's is its first character."""
    attributes: bytes
    """The text after the name, including the > at the end."""
    content: bytes
    """The content of an element whose content is not markup."""
    end: int
    """The position of its end, including that content."""


def tags(content: bytes, start: int = 0, expression: re.Pattern[bytes] = _MARKUP) -> Iterator[Tag]:
    """Yield the tags of a page from a position on, without those in comments and templates.

    An expression that is `MARKUP` after tags that matter to nobody passes over these, which saves most of the time.
    """
    depth = 0
    for token in expression.finditer(content, start):
        plain, attributes = token.group("name", "attributes")
        name, inside = _named(plain), b""
        if not plain:
            raw, attributes, inside, other, rest = token.group("raw", "raw_attributes", "content", "other", "rest")
            name, attributes = _named(raw or other or b""), attributes or rest
        if name == "plaintext":
            return
        if name == "template":
            depth += 1
        elif name == "/template":
            depth = max(depth - 1, 0)
        elif name and not depth:
            yield Tag(name, attributes or b"", inside or b"", token.end())


@lru_cache(maxsize=1024)  # there are few names, and many tags
def _named(name: bytes | None) -> str:
    return (name or b"").lower().decode("ascii", "replace")


class Word:
    """A text to find in whole pages, ignoring case.

    One byte is found ten times sooner than several, so the rarest of them is looked for.
    """

    def __init__(self, word: bytes, *, rarest: bytes) -> None:
        self._word = word
        self._signs = tuple({rarest, rarest.upper()})
        self._before, self._after = word.index(rarest), len(word) - word.index(rarest)

    def is_in(self, content: bytes, start: int = 0, end: int | None = None) -> bool:
        """Whether it is in a page, from a position on and before another."""
        last = len(content) if end is None else end
        for sign in self._signs:
            at = content.find(sign, start + self._before, last)
            while at >= 0:
                if content[at - self._before : at + self._after].lower() == self._word and at + self._after <= last:
                    return True
                at = content.find(sign, at + 1, last)
        return False


def texts(content: bytes, start: int = 0) -> Iterator[bytes]:
    """Yield what stands between the markup of a page from a position on, including the text in templates."""
    for token in _MARKUP.finditer(content, start):
        yield content[start : token.start()]
        start = token.end()
    yield content[start:]


def read_attributes(tag: bytes, encoding: str) -> dict[str, str]:
    """Return the attributes of a tag. The first of each name counts."""
    attributes: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(tag.decode(encoding, "replace")):
        attributes.setdefault(name.lower(), unescaped("".join(values)))
    return attributes


def unescaped(text: str) -> str:
    """Return a text with the characters for which its references stand."""
    return _REFERENCE.sub(_referred, text) if "&" in text else text


def _referred(reference: re.Match[str]) -> str:
    """Return the characters of a reference. Python does not read numbers of 5,000 digits."""
    digits = reference[1].lstrip("0") if reference[1] else ""
    if len(digits) > _MOST_DIGITS:
        return "\ufffd"
    return html.unescape(f"&#{digits or 0};" if reference[1] else reference[0])


def in_ascii(content: bytes) -> tuple[bytes, str]:
    """Return a page whose markup is in ASCII bytes, and the name of its encoding."""
    encoding = encoding_of(content)
    if b"\0" in content[:4] or encoding.startswith("utf-16"):
        return decode(content).encode("utf-8", "replace"), "utf-8"
    return content.removeprefix(codecs.BOM_UTF8), encoding


def decode(content: bytes) -> str:
    """Return a page as text, by its byte order mark, its declared encoding, or else as UTF-8."""
    return content.decode(encoding_of(content), errors="replace").lstrip("\ufeff").replace("\0", "")


def encoding_of(content: bytes) -> str:
    """Return Python's name for the encoding of a page."""
    if content.startswith(_MARKS):
        return next(encoding for mark, encoding in _BYTE_ORDER_MARKS.items() if content.startswith(mark))
    declared = _CHARSET.search(content, 0, _DECLARATION)
    return _known_encoding(declared[1]) if declared else "utf-8"


@lru_cache(maxsize=64)  # most pages declare the same
def _known_encoding(label: bytes) -> str:
    try:
        name = codecs.lookup(label.decode("ascii")).name
    except LookupError:
        return "utf-8"
    return name if _READABLE.fullmatch(name) else "utf-8"
