"""Reads rendered pages as browsers and search engines do: the head, redirects, images and links.

A head is parsed without the body, which takes a tenth of the time. Scripts run in a browser, so that `<noscript>` and
`<template>` contain nothing.
"""

import codecs
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from lxml import etree

from smindex_plugins import urls
from smindex_plugins.files import read
from smindex_plugins.html import directives, documents
from smindex_plugins.limits import MAX_IMAGES, MAX_PAGE_READ, MAX_URL_LENGTH
from smindex_plugins.model import Head

_PARSER = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
_END = "smindex-end"
"""An element that marks where the parsed part of a page ends."""
# https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
_METADATA = frozenset(
    ("base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title")
)
"""The elements of a head. Browsers and search engines end the head at any other."""
# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?P<quote>[\"']?)(?P<url>.*)", re.IGNORECASE | re.DOTALL)
_BODY = re.compile(rb"<body|<BODY")
_PRAGMA = re.compile(rb"-[eE][qQ][uU][iI][vV]")
"""The end of ``http-equiv``. An expression with a first letter of either case would take longer."""
_NOINDEX = re.compile(rb"<meta[^>]+noindex")
_CANONICAL_UNDONE_BY = frozenset({"hreflang", "lang", "media", "type"})
"""Google ignores a canonical link with one of these attributes."""

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_CHARSET = re.compile(rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
_PRESCANNED = 4_096
"""How many bytes are searched for a declared encoding. The standard says 1,024, but some browsers read on."""
# Python's names of the encodings that browsers support: https://encoding.spec.whatwg.org/#names-and-labels
# A page that declares UTF-16 in ASCII characters is not in UTF-16.
_SUPPORTED = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp(?:125\d|866|874|932|949)|koi8-[ru]|mac-(?:roman|cyrillic)|gb2312|gbk|gb18030|big5|"
    r"euc_jp|euc_kr|shift_jis"
)

_TRACKING = frozenset({"0", "1", "0px", "1px"})
"""Widths and heights of images that only count visitors."""


def read_head(path: str, url: str) -> Head:
    """Return what the head of a rendered page says if the page is at a normalised URL.

    Raises:
        OSError: the file cannot be read.
    """
    return parse_head(read(path, MAX_PAGE_READ), url)


def parse_head(content: bytes, url: str) -> Head:
    """Return what the head of a page says if the page is at a normalised URL.

    Search engines use only the head, but browsers follow a refresh anywhere in the page:
    https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata
    https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
    """
    content = _to_utf8(content)
    if documents.is_binary(content):
        return Head(partial=True)
    root, body = _parse_before_body(content)
    needs_body = documents.needs_body(content, body) or _PRAGMA.search(content, body) or _NOINDEX.search(content, body)
    page = _parse(content) if needs_body and body < len(content) else root
    is_empty = documents.is_empty(content, page)
    if not is_empty and documents.is_partial(content, body, root, page):
        return Head(partial=True)
    head = _head_elements(root)
    base = _base(head, url)
    links = [element for element in head if element.tag == "link"]
    robots = next(filter(_forbids_indexing, head), None)
    canonicals = {target for link in filter(_is_canonical, links) if (target := resolve(base, link.get("href")))}
    _strip_hidden(page)
    refreshes = (refresh_target(meta.get("content", ""), base) for meta in filter(_is_refresh, page.iter("meta")))
    return Head(
        noindex=robots is not None,
        robots="" if robots is None else f'<meta name="{robots.get("name")}" content="{robots.get("content")}">',
        noindex_in_body=robots is None and any(map(_forbids_indexing, page.iter("meta"))),
        canonical=canonicals.pop() if len(canonicals) == 1 and url not in canonicals else None,
        refresh=next(filter(None, refreshes), None),
        alternates=tuple(_alternates(links, base)),
        empty=is_empty,
    )


def find_tag(path: str, what: Literal["noindex", "refresh", "canonical"]) -> tuple[str, int]:
    """Return the tag by which a rendered page keeps itself out of sitemaps, and its line, or an empty text and 0.

    Raises:
        OSError: the file cannot be read.
    """
    content = _to_utf8(read(path, MAX_PAGE_READ))
    head = _head_elements(_parse_before_body(content)[0])
    found = {
        "noindex": filter(_forbids_indexing, head),
        "canonical": (element for element in head if element.tag == "link" and _is_canonical(element)),
        "refresh": filter(_is_refresh, _parse_visible(content).iter("meta")),
    }
    for tag in found[what]:
        return etree.tostring(tag, encoding="unicode", method="html", with_tail=False), tag.sourceline or 0
    return "", 0


def parse_images(content: bytes, url: str) -> tuple[str, ...]:
    """Return the images that belong to the content of the page at a normalised URL, at most `MAX_IMAGES` and one.

    If the page marks its main content, they are the images in it, without those of navigation. Otherwise they are all
    images outside the header, footer, navigation and asides.
    """
    page = _parse_visible(_to_utf8(content))
    base = _base(page.iter("base"), url)
    etree.strip_elements(page, "nav", with_tail=False)
    parts = _main_elements(page)
    if not parts:
        etree.strip_elements(page, "aside", "footer", "header", with_tail=False)
        parts = [page]
    images = itertools.chain.from_iterable(part.iter("img") for part in parts)
    shown = (image for image in images if _TRACKING.isdisjoint((image.get("width"), image.get("height"))))
    targets = (resolve(base, source) for source in dict.fromkeys(image.get("src") for image in shown))
    listable = dict.fromkeys(target for target in targets if target and len(target) <= MAX_URL_LENGTH)
    return tuple(itertools.islice(listable, MAX_IMAGES + 1))


def parse_links(content: bytes, url: str) -> frozenset[str]:
    """Return the URLs to which the page at a normalised URL links, without its own.

    A link counts if neither it nor the page says ``nofollow``:
    https://developers.google.com/search/docs/crawling-indexing/links-crawlable
    """
    content = _to_utf8(content)
    if documents.is_binary(content):
        return frozenset()
    page = _parse_visible(content)
    if any(_is_robots(meta) and directives.forbids_following(meta.get("content", "")) for meta in page.iter("meta")):
        return frozenset()
    base = _base(page.iter("base"), url)
    followed = (link for link in page.iter("a", "area") if "nofollow" not in _relations(link))
    references = {link.get("href", "").strip().partition("#")[0] for link in followed}
    return frozenset(filter(None, (resolve(base, reference) for reference in references))) - {url}


def refresh_target(refresh: str, base: str) -> str | None:
    """Return the URL of a refresh, written as in a meta or a header: ``0; url=/b/``."""
    match = _REFRESH.match(refresh)
    if match is None:
        return None
    return resolve(base, match["url"].partition(match["quote"])[0] if match["quote"] else match["url"])


def resolve(base: str, reference: str | None) -> str | None:
    """Return the normalised URL of a reference, or None if it is empty, invalid, or not http or https."""
    text = (reference or "").strip()
    if text == base:  # as most pages declare themselves
        return base
    return urls.normal(text, base) or None if text else None


def _to_utf8(content: bytes) -> bytes:
    """Return a page in UTF-8, by its byte order mark or its declared encoding. UTF-8 is the default."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return content.removeprefix(mark).decode(encoding, "replace").encode("utf-8", "replace")
    if b"\0" in content[:4]:
        return content.replace(b"\0", b"")  # UTF-16 without a byte order mark
    declared = _CHARSET.search(content, 0, _PRESCANNED)
    try:
        encoding = codecs.lookup(declared[1].decode()).name if declared else "utf-8"
    except LookupError:
        return content
    if encoding == "utf-8" or not _SUPPORTED.fullmatch(encoding):
        return content
    return content.decode(encoding, "replace").encode("utf-8", "replace")


def _parse(content: bytes) -> etree._Element:
    root = etree.fromstring(content, _PARSER)
    return etree.Element("html") if root is None else root


def _parse_visible(content: bytes) -> etree._Element:
    page = _parse(content)
    _strip_hidden(page)
    return page


def _strip_hidden(page: etree._Element) -> None:
    """Remove what browsers that run scripts do not show."""
    etree.strip_elements(page, "noscript", "template", with_tail=False)


def _parse_before_body(content: bytes) -> tuple[etree._Element, int]:
    """Parse what precedes the ``<body>`` tag, and return its position; without such a tag, parse the whole page.

    A ``<body`` in a comment, a script or an attribute is not a tag. The parser tells, because it does not find an
    element in that place either.
    """
    found = _BODY.search(content)
    end = found.start() if found else -1
    if end >= 0:
        root = _parse(content[:end] + f"<body><{_END}>".encode())
        if next(root.iter(_END), None) is not None:
            return root, end
    return _parse(content), len(content)


def _head_elements(root: etree._Element) -> list[etree._Element]:
    """Return the elements of the head, and those between head and body, which count as part of it."""
    outside = itertools.chain.from_iterable(element if element.tag == "head" else [element] for element in root)
    return list(itertools.takewhile(lambda element: element.tag in _METADATA, outside))


def _is_refresh(meta: etree._Element) -> bool:
    return meta.get("http-equiv", "").strip().lower() == "refresh"


def _main_elements(page: etree._Element) -> list[etree._Element]:
    """Return the elements that mark main content, without those inside another one, in the order of the page."""
    found = []
    waiting = [page]
    while waiting:
        element = waiting.pop()
        if element.tag in {"main", "article"} or element.get("role", "").strip().lower() == "main":
            found.append(element)
        else:
            waiting.extend(reversed(element))
    return found


def _base(elements: Iterable[etree._Element], url: str) -> str:
    """Return the URL that a page's references are relative to: its first ``<base href>``, or its own URL."""
    hrefs = (element.get("href") for element in elements if element.tag == "base")
    return resolve(url, next((href for href in hrefs if href is not None), None)) or url


def _is_robots(element: etree._Element) -> bool:
    return element.tag == "meta" and element.get("name", "").strip().lower() in directives.CRAWLERS


def _forbids_indexing(element: etree._Element) -> bool:
    return _is_robots(element) and directives.forbids_indexing(element.get("content", ""))


def _relations(link: etree._Element) -> list[str]:
    return link.get("rel", "").lower().split()


def _is_canonical(link: etree._Element) -> bool:
    return "canonical" in _relations(link) and _CANONICAL_UNDONE_BY.isdisjoint(link.attrib)


def _alternates(links: Iterable[etree._Element], base: str) -> Iterator[tuple[str, str]]:
    for link in links:
        code = link.get("hreflang", "").strip()
        if code and "alternate" in _relations(link) and (target := resolve(base, link.get("href"))):
            yield code, target
