"""What the schemas of sitemaps and indexes refuse, a check finds, except attributes and the order in an entry."""

import copy
import io
from collections.abc import Callable

from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from smindex_plugins.checks import Selection
from smindex_plugins.sitemaps import reading
from smindex_plugins.sitemaps.document import Document
from tests.support.planted import NAMESPACE, index, urlset

URL = "https://e.org/sitemap.xml"
WHOLE = "<lastmod>2024-01-01</lastmod>"
HINTS = "<changefreq>daily</changefreq><priority>0.5</priority>"
SOUND = {
    "urlset": urlset(f"<loc>https://e.org/aaaa</loc>{WHOLE}{HINTS}", "https://e.org/bbbb"),
    "index": index(f"<loc>https://e.org/a.xml</loc>{WHOLE}", "https://e.org/b.xml"),
}
TEXTS = (
    "",
    "x",
    "-1",
    "1.5",
    "2024-13-01",
    "2024-01-01T10:00:00",
    "Daily",
    "/a",
    "https://e.org/" + "a" * 2_050,
    " 0.5 ",
)
NAMES = ("urlset", "sitemapindex", "url", "sitemap", "loc", "lastmod", "changefreq", "priority", "x")
XHTML = "http://www.w3.org/1999/xhtml"
Change = tuple[str, int, int, str, str]


def change(root: "etree._Element", changes: list[Change]) -> None:
    """Spoil a document, each time by one element, another element, a text and a name."""
    for kind, one, other, text, name in changes:
        elements = list(root.iter())
        element, place = elements[one % len(elements)], elements[other % len(elements)]
        parent = element.getparent()
        if kind == "text":
            element.text = text
        elif kind == "add":
            etree.SubElement(element, f"{{{XHTML if text else NAMESPACE}}}{name}").text = text
        elif kind == "tail" and parent is not None:
            element.tail = text
        elif kind == "rename" and parent is not None:
            element.tag = f"{{{NAMESPACE}}}{name}"
        elif parent is not None:
            change_place(kind, parent, element, place)


def change_place(kind: str, parent: "etree._Element", element: "etree._Element", place: "etree._Element") -> None:
    if kind == "remove":
        parent.remove(element)
    elif kind == "copy":
        place.append(copy.deepcopy(element))
    elif element is not place and element not in place.iterancestors():
        place.append(element)


CHANGES = st.tuples(
    st.sampled_from(["text", "add", "remove", "copy", "tail", "rename", "move"]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(TEXTS),
    st.sampled_from(NAMES),
)


@settings(max_examples=300)
@given(st.sampled_from(sorted(SOUND)), st.lists(CHANGES, min_size=1, max_size=2))
@example("urlset", [("tail", 1, 0, "x", "x")])
@example("index", [("move", 1, 0, "x", "x"), ("tail", 1, 0, "x", "x")])
def test_what_a_schema_refuses_is_found(validate: Callable[[bytes], None], kind: str, changes: list[Change]) -> None:
    root = etree.fromstring(SOUND[kind].encode())
    change(root, changes)
    content = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    for entry in root:
        entry[:] = sorted(entry, key=lambda child: NAMES.index(etree.QName(child).localname))
    if is_refused(etree.tostring(root), validate):
        assert found(content)


def is_refused(content: bytes, validate: Callable[[bytes], None]) -> bool:
    try:
        validate(content)
    except etree.DocumentInvalid:
        return True
    return False


def found(content: bytes) -> set[str]:
    document = reading.read(io.BytesIO(content), Document(url=URL))
    return {finding.check for finding in Selection().judge(document)} - {"ignored-hints"}


def test_what_the_schemas_accept_is_sound(validate: Callable[[bytes], None]) -> None:
    for content in SOUND.values():
        validate(content.encode())
        assert not found(content.encode())
