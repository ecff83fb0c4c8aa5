"""What a rendered page shows: the images of its content."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smindex_plugins import document
from smindex_plugins.limits import MAX_URL_LENGTH

if TYPE_CHECKING:
    from lxml import etree

_ASIDE = frozenset({"aside", "footer", "header", "nav"})
_MAIN = frozenset({"article", "main"})
_TRACKING = frozenset({"0", "1", "0px", "1px"})
# One candidate: https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
_CANDIDATE = re.compile(r"[\s,]*(?P<url>\S*[^\s,])(?:\s+(?P<size>\d+(?:\.\d+)?)[wx][^,]*|\s[^,]*)?(?:,|\s*$)")
_MAY_SHOW = re.compile(rb"<img|<source|og:image|\0", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a page shows; every URL is absolute and normalised."""

    images: tuple[str, ...] = ()
    """Of its content, once each, in the order of the document."""


def read(path: str, url: str) -> Shown:
    """Read what the page at a normalised URL shows, from the whole of its rendered file.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        content = file.read()
    parsed = document.parse(content) if _MAY_SHOW.search(content) else None
    if parsed is None:
        return Shown()
    base = document.base_url(parsed.iter("base"), url)
    found = (document.resolve(base, reference) for reference in _images(parsed))
    return Shown(images=tuple(dict.fromkeys(image for image in found if image and len(image) <= MAX_URL_LENGTH)))


def _images(parsed: "etree._Element") -> Iterator[str]:
    for meta in parsed.iter("meta"):
        if (meta.get("property") or meta.get("name") or "").strip().lower() in {"og:image", "og:image:url"}:
            yield meta.get("content") or ""
    body = parsed.find("body")
    if body is None:
        return
    has_main = any(_is_main(element) for element in body.iter())
    for element in body.iter("img", "source"):
        if _is_content(element, has_main=has_main):
            yield from _sources(element)


def _is_main(element: "etree._Element") -> bool:
    return element.tag in _MAIN or (element.get("role") or "").strip().lower() == "main"


def _is_content(element: "etree._Element", *, has_main: bool) -> bool:
    """Tell whether an image belongs to what the page is about, and is one that can be seen.

    Where the page marks its main content, only what is in it counts, less its navigation; elsewhere all that is not in
    the parts that surround a content.
    """
    ancestors = list(element.iterancestors())
    tags = {str(ancestor.tag) for ancestor in ancestors}
    if tags & document.INERT or (element.tag == "source" and "picture" not in tags):
        return False
    if {element.get("width"), element.get("height")} & _TRACKING:
        return False
    return "nav" not in tags and any(map(_is_main, ancestors)) if has_main else not tags & _ASIDE


def _sources(element: "etree._Element") -> Iterator[str]:
    """Give what an image is loaded from, the places included where scripts that load it later find it."""
    source = element.get("src") or ""
    if not source.strip() or source.strip()[:5].lower() == "data:":
        source = element.get("data-src") or ""
    if element.tag == "img":
        yield source
    yield _largest(element.get("srcset") or element.get("data-srcset") or "")


def _largest(srcset: str) -> str:
    """Give the URL of the widest or densest candidate, the first of these where several are."""
    candidates = ((float(match["size"] or 1), match["url"]) for match in _CANDIDATE.finditer(srcset))
    return max(candidates, key=lambda candidate: candidate[0], default=(0, ""))[1]
