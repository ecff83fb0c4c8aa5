"""How bytes become an HTML document: its encoding, its elements, and the URL its references are relative to."""

import codecs
import re
from typing import TYPE_CHECKING

from smindex_plugins import urls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml import etree

INERT = frozenset({"noscript", "template"})
"""Elements that a browser with scripts leaves alone, as search engines do, for they run scripts."""

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


def parse(content: bytes) -> "etree._Element | None":
    """Read a document, as broken as it may be, or give None where nothing in it could be an element."""
    return parse_text(decode(content))


def parse_text(text: str) -> "etree._Element | None":
    """Read a document that is decoded."""
    from lxml import etree  # noqa: PLC0415 - a build whose pages say nothing unusual never needs it

    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(text.encode("utf-8", errors="replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None


def decode(content: bytes) -> str:
    """Read a page's bytes by their byte order mark, or as the encoding they declare, or failing these as UTF-8."""
    return content.decode(_encoding(content), errors="replace").lstrip("\ufeff").replace("\0", "")


def base_url(elements: "Iterable[etree._Element]", url: str) -> str:
    """Give the URL that a page's references are relative to: that of its first ``<base href>``, or its own."""
    for element in elements:
        href = element.get("href") if element.tag == "base" else None
        if href is not None:
            return resolve(url, href) or url
    return url


def resolve(base: str, reference: str | None) -> str | None:
    """Give the normalised URL of a reference, or None where it is empty, broken, or not of http or https."""
    if not (reference or "").strip():
        return None
    try:
        return urls.resolve(base, str(reference).strip())
    except ValueError:
        return None


def _encoding(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return encoding
    declared = _CHARSET.search(content[:_DECLARATION])
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name if declared else "utf-8"
    except LookupError:
        return "utf-8"
    return name if _READABLE.fullmatch(name) else "utf-8"
