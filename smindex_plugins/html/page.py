"""Reads rendered pages as browsers and search engines do: the head, redirects, images and links.

The head is parsed without the body, which takes a tenth of the time. Because browsers run scripts,
the content of `<noscript>` and `<template>` is ignored.
"""

import codecs
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from lxml import etree

from smindex_plugins.base import urls
from smindex_plugins.base.files import read
from smindex_plugins.base.limits import MAX_IMAGES, MAX_PAGE_READ, MAX_URL_LENGTH
from smindex_plugins.base.model import Head
from smindex_plugins.html import _documents, directives

_PARSER = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
_END = "smindex-end"
"""An element that marks where the parsed part of a page ends."""
# https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
_HIDDEN = ("noscript", "template")
"""Their content is hidden in browsers that run scripts."""
_METADATA = frozenset(
    (
        "base",
        "basefont",
        "bgsound",
        "link",
        "meta",
        "noframes",
        "noscript",
        "script",
        "style",
        "template",
        "title",
    )
)
"""The elements of a head. For browsers and search engines, any other element ends the head."""
# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
_REFRESH = re.compile(
    r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?:'([^']*)|\"([^\"]*)|(.*))", re.IGNORECASE | re.DOTALL
)
_BODY = re.compile(rb"<body|<BODY")
_PRAGMA = re.compile(rb"-[eE][qQ][uU][iI][vV]")
"""The end of ``http-equiv``. Matching a first letter of either case would take longer."""
_META = re.compile(rb"<[mM][eE][tT][aA]")
_CANONICAL_UNDONE_BY = frozenset({"hreflang", "lang", "media", "type"})
"""Google ignores a canonical link with one of these attributes."""

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_CHARSET = re.compile(rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
_PRESCANNED = 4_096
"""How many bytes are searched for a declared encoding. The standard says 1,024, but some browsers
read on."""
# Python's names of the encodings that browsers support:
# https://encoding.spec.whatwg.org/#names-and-labels A page that declares UTF-16 in ASCII characters
# is not in UTF-16.
_SUPPORTED = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp(?:125\d|866|874|932|949)|koi8-[ru]|mac-(?:roman|cyrillic)|gb2312|gbk|gb18030|big5|"
    r"euc_jp|euc_kr|shift_jis"
)

_EDIT_CLASS = re.compile(r"(?:\S*[-_])?edit(?:[-_]\S*)?")
_EDIT_TEXT = re.compile(
    r"(?:edit|improve|suggest an? (?:edit|change)s?(?: to)?)(?: this| the)?(?: page| post| article|"
    r" file| document)?"
    r"(?: (?:on|in|at) [\w .-]+)?",
)

_NOT_FOUND = re.compile(
    r"(?:(?:error )?404(?: error)?|(?:404\W+)?(?:page )?not found)(?:\s*(?![ \w]).*)?\Z",
    re.IGNORECASE,
)
"""A title on one line that means that the page was not found, before the name of the site."""

_TRACKING = frozenset({"0", "1", "0px", "1px"})
"""Widths and heights of tracking pixels."""


def read_head(path: str, url: str) -> Head:
    """Return what the head of a rendered page at a normalized URL declares.

    Raises:
        OSError: the file can't be read.
    """
    return parse_head(read(path, MAX_PAGE_READ), url)


def parse_head(content: bytes, url: str) -> Head:
    """Return what the head of a page at a normalized URL declares.

    Search engines use only the head, but browsers follow a refresh anywhere in the page:
    https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata
    https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
    """
    content = _to_utf8(content)
    if _documents.is_binary(content):
        return Head(partial=True)
    root, body = _parse_before_body(content)
    needs_body = _has_meta(content, body) or _documents.needs_body(content, body)
    page = _parse(content) if needs_body and body < len(content) else root
    is_empty = _documents.is_empty(content, page)
    if not is_empty and _documents.is_partial(content, body, root, page):
        return Head(partial=True)
    head = _head_elements(page)
    metas = list(page.iter("meta"))
    links = [element for element in head if element.tag == "link"]
    base = _base(head, url)
    robots = [
        meta for meta in _robots_metas(metas, directives.forbids_indexing) if _is_visible(meta)
    ]
    in_head = next((meta for meta in robots if meta in head), None)
    tag = None
    if in_head is not None:
        tag = f'<meta name="{in_head.get("name")}" content="{in_head.get("content")}">'
    canonicals = {resolve(base, link.get("href")) for link in _canonical_links(links)}
    canonicals.discard(None)
    canonical = None
    if len(canonicals) == 1 and url not in canonicals:
        (canonical,) = canonicals
    return Head(
        noindex=in_head is not None,
        robots=tag,
        noindex_in_body=bool(robots) and in_head is None,
        canonical=canonical,
        names_itself=canonicals == {url},
        refresh=_refresh(page, base),
        alternates=tuple(_alternates(links, base)),
        not_found=_not_found(head),
        generator=_generator(metas),
        empty=is_empty,
    )


def _has_meta(content: bytes, body: int) -> bool:
    """Whether the body, from a position on, can contain a meta that matters.

    A text about these is not one, and parsing a body takes milliseconds.
    """
    if not _META.search(content, body):
        return False
    return content.find(b"noindex", body) >= 0 or _PRAGMA.search(content, body) is not None


def _refresh(page: etree._Element, base: str) -> str | None:
    """Return the URL of the first refresh that leads somewhere."""
    for meta in _refreshes(page):
        target = refresh_target(meta.get("content", ""), base)
        if target:
            return target
    return None


def _not_found(head: Iterable[etree._Element]) -> str | None:
    """Return the title, if that means that the page was not found, with single spaces."""
    for element in head:
        if element.tag == "title":
            words = (element.text or "").split()
            title = " ".join(words)
            return title if _NOT_FOUND.match(title) else None
    return None


def _generator(metas: Iterable[etree._Element]) -> str | None:
    for meta in metas:
        if meta.get("name") == "generator":
            name = meta.get("content")
            return name and sys.intern(name)  # one text for all pages
    return None


def find_tag(path: str, what: Literal["noindex", "refresh", "canonical"]) -> tuple[str, int]:
    """Return the tag that excludes a rendered page from sitemaps, and its line, or ("", 0).

    Raises:
        OSError: the file can't be read.
    """
    content = _to_utf8(read(path, MAX_PAGE_READ))
    page = _parse(content)
    head = _head_elements(page)
    if what == "refresh":
        found = _refreshes(page)
    elif what == "canonical":
        found = _canonical_links(element for element in head if element.tag == "link")
    else:
        metas = (element for element in head if element.tag == "meta")
        found = _robots_metas(metas, directives.forbids_indexing)
    for tag in found:
        text = etree.tostring(tag, encoding="unicode", method="html", with_tail=False)
        return text, tag.sourceline or 0
    return "", 0


def parse_images(content: bytes, url: str) -> tuple[str, ...]:
    """Return the images in the content of the page at a normalized URL, at most `MAX_IMAGES` + 1.

    If the page marks its main content, these are the images in it, without navigation. Otherwise,
    these are all images outside the header, footer, navigation and asides.
    """
    page = _parse_visible(_to_utf8(content))
    base = _base(page.iter("base"), url)
    images: dict[str, None] = {}
    for source in dict.fromkeys(_image_sources(page)):
        target = resolve(base, source)
        if target and len(target) <= MAX_URL_LENGTH:
            images[target] = None
            if len(images) > MAX_IMAGES:
                break
    return tuple(images)


def _image_sources(page: etree._Element) -> Iterator[str | None]:
    """Yield the sources of the images in the main content. The page changes."""
    for part in _main_content(page):
        for image in part.iter("img"):
            if _TRACKING.isdisjoint((image.get("width"), image.get("height"))):
                yield image.get("src")


def parse_links(content: bytes, url: str) -> frozenset[str]:
    """Return the URLs that the page at a normalized URL links to, except for its own.

    Links with ``nofollow`` are skipped, and all links of pages with ``nofollow``:
    https://developers.google.com/search/docs/crawling-indexing/links-crawlable
    """
    content = _to_utf8(content)
    if _documents.is_binary(content):
        return frozenset()
    page = _parse_visible(content)
    if next(_robots_metas(page.iter("meta"), directives.forbids_following), None) is not None:
        return frozenset()
    base = _base(page.iter("base"), url)
    followed = (link for link in page.iter("a", "area") if "nofollow" not in _relations(link))
    return _targets(followed, base) - {url}


def parse_main_links(content: bytes, url: str) -> frozenset[str]:
    """Return the URLs that the main content of the page at a normalized URL links to, except for
    its own.
    """
    page = _parse_visible(_to_utf8(content))
    base = _base(page.iter("base"), url)
    links = itertools.chain.from_iterable(part.iter("a") for part in _main_content(page))
    return _targets(links, base) - {url}


def parse_tag_links(content: bytes, url: str, headings: Iterable[str]) -> frozenset[str]:
    """Return the URLs of the pages that the page at a normalized URL lists by their tags, except
    for its own.

    These are the links of each list that directly follows a heading of a tag, given by how the ids
    of such headings start.
    """
    page = _parse_visible(_to_utf8(content))
    base = _base(page.iter("base"), url)
    starts = tuple(headings)
    found: set[str] = set()
    for heading in page.iter("h1", "h2", "h3", "h4", "h5", "h6"):
        if not heading.get("id", "").startswith(starts):
            continue
        following = heading.getnext()
        if following is not None and following.tag == "ul":
            found |= _targets(following.iter("a"), base)
    return frozenset(found - {url})


def _targets(links: Iterable[etree._Element], base: str) -> frozenset[str]:
    """Return the URLs that links lead to, without fragments."""
    references = {link.get("href", "").strip().partition("#")[0] for link in links}
    targets = (resolve(base, reference) for reference in references)
    return frozenset(filter(None, targets))


def parse_edit_links(content: bytes) -> frozenset[str]:
    """Return the absolute URLs of the links with which readers can edit the source of a page.

    Their URL contains `/edit/`, or their class or text resembles `edit-link` or "Edit this page".
    Only the links are parsed, not the whole page.
    """
    content = _to_utf8(content)
    starts = set()
    at = content.find(b"dit")  # for both cases; an expression would take ten times as long
    while at >= 0:
        starts.add(content.rfind(b"<a", 0, at))
        at = content.find(b"dit", at + 1)
    found = set()
    for start in starts - {-1}:
        element = content[start : content.find(b"</a>", start)]
        for link in _parse(element).iter("a"):
            url = link.get("href", "").strip()
            if not url.startswith(("https://", "http://")):
                continue
            if "/edit/" in url or _is_named_edit(link):
                found.add(url)
    return frozenset(found)


def _is_named_edit(link: etree._Element) -> bool:
    classes = link.get("class", "").lower().split()
    if any(map(_EDIT_CLASS.fullmatch, classes)):
        return True
    for text in ("".join(link.itertext()), link.get("title", "")):
        words = " ".join(text.lower().split())
        if _EDIT_TEXT.fullmatch(words):
            return True
    return False


def parse_up_to(content: bytes, words: Iterable[bytes]) -> etree._Element | None:
    """Parse a page up to the last of some words: its head, or all of it.

    Return None if it contains none of them.
    """
    if all(content.find(word) < 0 for word in words):
        return None
    content = _to_utf8(content)
    root, body = _parse_before_body(content)
    if any(content.find(word, body) >= 0 for word in words):
        return _parse(content)
    return root


def refresh_target(refresh: str, base: str) -> str | None:
    """Return the URL of a refresh as written in a meta tag or a header: ``0; url=/b/``."""
    return resolve(base, _refresh_reference(refresh))


def _refresh_reference(refresh: str) -> str:
    match = _REFRESH.match(refresh)
    if match is None:
        return ""
    return "".join(filter(None, match.groups()))


def resolve(base: str, reference: str | None) -> str | None:
    """Return the normalized URL of a reference, or None if it is empty, invalid, or not http or
    https.
    """
    text = (reference or "").strip()
    if "\\" in text:  # browsers treat it as a slash: https://url.spec.whatwg.org/#relative-state
        path = re.split("[?#]", text, maxsplit=1)[0]
        text = path.replace("\\", "/") + text[len(path) :]
    if text == base:  # as most pages declare
        return base
    if not text:
        return None
    return urls.normal(text, base) or None


def _to_utf8(content: bytes) -> bytes:
    """Return a page in UTF-8, by its byte order mark or its declared encoding.

    UTF-8 is the default.
    """
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            text = content.removeprefix(mark).decode(encoding, "replace")
            return text.encode("utf-8", "replace")
    if b"\0" in content[:4]:
        return content.replace(b"\0", b"")  # UTF-16 without a byte order mark
    declared = _CHARSET.search(content, 0, _PRESCANNED)
    if declared is None:
        return content
    try:
        encoding = codecs.lookup(declared[1].decode()).name
    except LookupError:
        return content
    if encoding == "utf-8" or not _SUPPORTED.fullmatch(encoding):
        return content
    return content.decode(encoding, "replace").encode("utf-8", "replace")


def _parse(content: bytes) -> etree._Element:
    root = etree.fromstring(content, _PARSER)
    if root is None:
        return etree.Element("html")
    return root


def _parse_visible(content: bytes) -> etree._Element:
    """Parse a page without the elements that browsers with scripts hide."""
    page = _parse(content)
    etree.strip_elements(page, *_HIDDEN, with_tail=False)
    return page


def _parse_before_body(content: bytes) -> tuple[etree._Element, int]:
    """Parse what precedes the ``<body>`` tag, and return its position; without such a tag, parse
    the whole page.

    A ``<body`` in a comment, a script or an attribute is not a tag. In these cases, the parser does
    not find an element at that position.
    """
    found = _BODY.search(content)
    if found is not None:
        start = found.start()
        root = _parse(content[:start] + f"<body><{_END}>".encode())
        if next(root.iter(_END), None) is not None:
            return root, start
    return _parse(content), len(content)


def _head_elements(root: etree._Element) -> list[etree._Element]:
    """Return the elements of the head, and those between head and body, which browsers treat as
    part of it.
    """
    found: list[etree._Element] = []
    for outer in root:
        for element in outer if outer.tag == "head" else [outer]:
            if element.tag not in _METADATA:
                return found
            found.append(element)
    return found


def _robots_metas(
    metas: Iterable[etree._Element], forbids: Callable[[str], bool]
) -> Iterator[etree._Element]:
    """Yield the metas whose directives forbid something."""
    for meta in metas:
        name = meta.get("name", "").strip().lower()
        if name in directives.CRAWLERS and forbids(meta.get("content", "")):
            yield meta


def _refreshes(page: etree._Element) -> Iterator[etree._Element]:
    """Yield the refreshes that browsers follow, or that duplicate a redirect by script.

    sphinx-reredirects and sphinxext-rediraffe redirect with a script and a refresh in
    ``<noscript>``.
    """
    for meta in page.iter("meta"):
        if meta.get("http-equiv", "").strip().lower() != "refresh":
            continue
        if _is_visible(meta) or _is_in_script(_refresh_reference(meta.get("content", "")), page):
            yield meta


def _is_in_script(place: str, page: etree._Element) -> bool:
    if not place:
        return False
    for script in page.iter("script"):
        text = script.text or ""
        if place in text and "location" in text:
            return True
    return False


def _is_visible(element: etree._Element) -> bool:
    return next(element.iterancestors(*_HIDDEN), None) is None


def _main_content(page: etree._Element) -> list[etree._Element]:
    """Return the elements that mark main content, or else the page without what surrounds it.

    The page changes.
    """
    etree.strip_elements(page, "nav", with_tail=False)
    parts = list(_main_elements(page))
    if parts:
        return parts
    etree.strip_elements(page, "aside", "footer", "header", with_tail=False)
    return [page]


def _main_elements(page: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that mark main content, without those inside another one."""
    elements = etree.iterwalk(page, events=("start",))
    for _, element in elements:
        if element.tag in {"main", "article"} or element.get("role", "").strip().lower() == "main":
            yield element
            elements.skip_subtree()


def _base(elements: Iterable[etree._Element], url: str) -> str:
    """Return the URL of a page's first ``<base href>``, or its own, as the base of references."""
    for element in elements:
        if element.tag != "base":
            continue
        href = element.get("href")
        if href is not None:
            return resolve(url, href) or url
    return url


def _relations(link: etree._Element) -> list[str]:
    return link.get("rel", "").lower().split()


def _canonical_links(links: Iterable[etree._Element]) -> Iterator[etree._Element]:
    for link in links:
        if "canonical" in _relations(link) and _CANONICAL_UNDONE_BY.isdisjoint(link.attrib):
            yield link


def _alternates(links: Iterable[etree._Element], base: str) -> Iterator[tuple[str, str]]:
    for link in links:
        code = link.get("hreflang", "").strip()
        if not code or "alternate" not in _relations(link):
            continue
        target = resolve(base, link.get("href"))
        if target:
            yield code, target
