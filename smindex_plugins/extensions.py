"""What an entry of a sitemap says beside its URL and date: language variants, images, videos, and news."""

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, TypedDict
from xml.sax.saxutils import escape

from smindex_plugins.model import Page

if TYPE_CHECKING:
    from lxml import etree

# By prefix, in the order in which they are declared and written:
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
NAMESPACES = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
}
_LINK = f"{{{NAMESPACES['xhtml']}}}link"
_IMAGE, _IMAGE_LOC = (f"{{{NAMESPACES['image']}}}{name}" for name in ("image", "loc"))
_READ = {_LINK, _IMAGE}
_MARKS = {prefix: f"<{prefix}:".encode() for prefix in NAMESPACES}
_PLAIN_ENDS = (b"</loc></url>\n", b"</lastmod></url>\n")
_PLAIN_TEXT = re.compile(r"[ -!#-%(-;=?-~]*")
_ENTITIES = {'"': "&quot;", "'": "&apos;"}


def render(page: Page) -> str:
    """Write what follows an entry's ``<loc>`` and ``<lastmod>``."""
    return "".join((*_render_alternates(page), *_render_images(page)))


def declarations(rendered: Collection[bytes]) -> str:
    """Give the attributes that declare the namespaces which rendered entries need, and no others."""
    extended = [entry for entry in rendered if not entry.endswith(_PLAIN_ENDS)]
    return "".join(
        f' xmlns:{prefix}="{NAMESPACES[prefix]}"'
        for prefix, mark in _MARKS.items()
        if any(mark in entry for entry in extended)
    )


ALL_DECLARATIONS = declarations(list(_MARKS.values()))


class Said(TypedDict, total=False):
    """What an entry says beside its URL and date, by the names of `Page`'s fields."""

    alternates: tuple[tuple[str, str], ...]
    images: tuple[str, ...]


def read(entry: "etree._Element") -> Said:
    """Read what an entry says beside its URL and date; what it does not say is left out."""
    children = [child for child in entry if child.tag in _READ]
    if not children:
        return {}
    said = Said()
    if alternates := [
        _alternate(child) for child in children if child.tag == _LINK and child.get("rel") == "alternate"
    ]:
        said["alternates"] = tuple(alternates)
    if images := [child.findtext(_IMAGE_LOC) or "" for child in children if child.tag == _IMAGE]:
        said["images"] = tuple(images)
    return said


def _render_alternates(page: Page) -> Iterator[str]:
    for code, url in page.alternates:
        yield f'<xhtml:link rel="alternate" hreflang="{_escape(code)}" href="{_escape(url)}"/>'


def _alternate(link: "etree._Element") -> tuple[str, str]:
    return link.get("hreflang", ""), link.get("href", "")


def _render_images(page: Page) -> Iterator[str]:
    for url in page.images:
        yield f"<image:image><image:loc>{_escape(url)}</image:loc></image:image>"


def _escape(text: str) -> str:
    if _PLAIN_TEXT.fullmatch(text):
        return text
    return escape(text, _ENTITIES).encode("ascii", "xmlcharrefreplace").decode()
