"""What a rendered page shows, and how its structured data describe it: images, videos, and the article that it is."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smindex_plugins.dates import w3c_date
from smindex_plugins.limits import MAX_URL_LENGTH
from smindex_plugins.pages import head

if TYPE_CHECKING:
    from lxml import etree

_ASIDE = frozenset({"aside", "footer", "header", "nav"})
_INERT = frozenset({"noscript", "template"})
"""Elements that a browser with scripts leaves alone, as search engines do, for they run scripts."""
_MAIN = frozenset({"article", "main"})
_TRACKING = frozenset({"0", "1", "0px", "1px"})
# One candidate: https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
_CANDIDATE = re.compile(r"[\s,]*(?P<url>\S*[^\s,])(?:\s+(?P<size>\d+(?:\.\d+)?)[wx][^,]*|\s[^,]*)?(?:,|\s*$)")
_ARTICLE = re.compile(r"(?:\w*Article|\w*Posting)$")  # https://schema.org/Article and what is more special
_MAY_TELL = re.compile(rb"ld\+json|\0", re.IGNORECASE)
_MAY_BE_DATED = re.compile(rb"published_time|datePublished|\0")
_MAY_SHOW = re.compile(rb"<img|<source|og:image|\0", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a page shows; every URL is absolute and normalised."""

    images: tuple[str, ...] = ()
    """Of its content, once each, in the order of the document."""
    videos: tuple[Mapping[str, object], ...] = ()
    """The objects of its JSON-LD that describe a video, as they are written."""
    base: str = ""
    """What the references in these are relative to."""
    broken_data: bool = False
    """Some of its JSON-LD speaks of a video, and cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """What a page says of itself as an article."""

    headline: str = ""
    """As its structured data give it, or its ``og:title``."""
    title: str = ""
    """As its ``<title>`` gives it, often with the name of the site."""
    published: str | None = None
    """A W3C date."""


def read(path: str, url: str, *, images: bool, videos: bool) -> Shown:
    """Return what is wanted of what the page at a normalised URL shows, from the whole of its rendered file."""
    content = _content(path)
    wanted = (images and _MAY_SHOW.search(content)) or (videos and _MAY_TELL.search(content))
    parsed = _parse(content) if wanted else None
    if parsed is None:
        return Shown()
    base = head.base_url((element.get("href") for element in parsed.iter("base")), url)
    data = list(_structured_data(parsed)) if videos else []
    references = dict.fromkeys(_images(parsed)) if images else {}
    found = (head.resolve(base, reference) for reference in references)
    return Shown(
        images=tuple(dict.fromkeys(image for image in found if image and len(image) <= MAX_URL_LENGTH)),
        videos=tuple(value for root in data for value in _objects(root) if "VideoObject" in _types(value)),
        base=base,
        broken_data=_BROKEN in data,
    )


def read_article(path: str, *, dated: bool) -> Article:
    """Return what a page says of itself as an article; of one that is not dated, only if it says a date."""
    content = _content(path)
    parsed = _parse(content) if dated or _MAY_BE_DATED.search(content) else None
    if parsed is None:
        return Article()
    roots = (root for value in _structured_data(parsed) for root in _roots(value))
    articles = [root for root in roots if any(map(_ARTICLE.match, _types(root)))]
    said = articles[0] if len(articles) == 1 else {}  # a list of articles is none itself
    meta = dict(_metas(parsed))
    return Article(
        headline=_text(said.get("headline")) or meta.get("og:title", ""),
        title=parsed.findtext(".//title") or "",
        published=w3c_date(said.get("datePublished")) or w3c_date(meta.get("article:published_time")),
    )


def _content(path: str) -> bytes:
    if not path:
        return b""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # removed since it was chosen
        return b""


def _parse(content: bytes) -> "etree._Element | None":
    """Return a document, as broken as it may be, or None where nothing in it could be an element."""
    from lxml import etree  # noqa: PLC0415 - a build whose pages show nothing that is wanted never needs it

    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(head.decode(content).encode("utf-8", errors="replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None


def _metas(parsed: "etree._Element") -> Iterator[tuple[str, str]]:
    for meta in parsed.iter("meta"):
        yield (meta.get("property") or meta.get("name") or "").strip().lower(), meta.get("content") or ""


def _images(parsed: "etree._Element") -> Iterator[str]:
    yield from (text for name, text in _metas(parsed) if name in {"og:image", "og:image:url"})
    body = parsed.find("body")
    if body is None:
        return
    has_main = next(body.iter(*_MAIN), None) is not None or any(map(_is_main, body.iterfind(".//*[@role]")))
    for element in body.iter("img", "source"):
        if _is_content(element, has_main=has_main):
            yield from _sources(element)


def _is_main(element: "etree._Element") -> bool:
    return element.tag in _MAIN or (element.get("role") or "").strip().lower() == "main"


def _is_content(element: "etree._Element", *, has_main: bool) -> bool:
    """Whether an image belongs to what the page is about, and is one that can be seen.

    Where the page marks its main content, only what is in it counts, less its navigation; elsewhere all that is not in
    the parts that surround a content.
    """
    ancestors = list(element.iterancestors())
    tags = {str(ancestor.tag) for ancestor in ancestors}
    if tags & _INERT or (element.tag == "source" and "picture" not in tags):
        return False
    if {element.get("width"), element.get("height")} & _TRACKING:
        return False
    return "nav" not in tags and any(map(_is_main, ancestors)) if has_main else not tags & _ASIDE


def _sources(element: "etree._Element") -> Iterator[str]:
    """Yield what an image is loaded from, the places included where scripts that load it later find it."""
    source = element.get("src") or ""
    if not source.strip() or source.strip()[:5].lower() == "data:":
        source = element.get("data-src") or ""
    if element.tag == "img":
        yield source
    candidates = _CANDIDATE.finditer(element.get("srcset") or element.get("data-srcset") or "")
    largest = max(candidates, key=lambda candidate: float(candidate["size"] or 1), default=None)
    yield largest["url"] if largest else ""


_BROKEN: Mapping[str, object] = {"@type": ()}


def _structured_data(parsed: "etree._Element") -> Iterator[object]:
    """Yield what each block of JSON-LD holds; one that speaks of a video and cannot be read as `_BROKEN`."""
    for script in parsed.iter("script"):
        if (script.get("type") or "").partition(";")[0].strip().lower() == "application/ld+json":
            text = script.text or ""
            try:
                yield json.loads(text, strict=False)
            except (ValueError, RecursionError):
                if "VideoObject" in text:
                    yield _BROKEN


def _roots(value: object) -> Iterator[Mapping[str, object]]:
    """Yield the objects that a block is about, and not those that only describe them."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, Mapping):
            graph = item.get("@graph")
            yield from _roots(graph) if isinstance(graph, list) else [item]


def _objects(value: object) -> Iterator[Mapping[str, object]]:
    """Yield all objects of a block, however deep, in their order."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            yield item
            item = list(item.values())
        if isinstance(item, list):
            waiting.extend(reversed(item))


def _types(value: Mapping[str, object]) -> list[str]:
    given = value.get("@type")
    return [str(name).rpartition("/")[2] for name in (given if isinstance(given, list) else [given])]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
