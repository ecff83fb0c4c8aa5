"""The XML of sitemaps and indexes: every way to write one is read, and every mistake is found, with
its line.
"""

import copy
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from smindex_plugins.checks.table import Selection
from smindex_plugins.reading import reader as reading
from smindex_plugins.reading.document import Document
from tests.support.listed import checked
from tests.support.planted import EXTENSIONS, NAMESPACE, index, urlset

SITE = "https://e.org/"
XMLNS = f'xmlns="{NAMESPACE}"'
ENTRY = f"<url><loc>{SITE}a/</loc></url>"


def read(content: str | bytes) -> Document:
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    return reading.read(io.BytesIO(data), Document(url=f"{SITE}sitemap.xml"))


def found(content: str | bytes) -> set[str]:
    return {finding.check for finding in Selection().judge(checked(read(content)))} - {
        "ignored-hints"
    }


@pytest.mark.parametrize(
    "content",
    [
        f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>{SITE}a/</s:loc></s:url></s:urlset>',
        f"<?pi?><!-- a --><urlset {XMLNS}><!-- b -->{ENTRY}<!-- c --></urlset><!-- d -->",
        f"<urlset {XMLNS}><url><loc><![CDATA[{SITE}a/]]></loc></url></urlset>",
        f"<urlset {XMLNS}><url><loc>{SITE}<!-- b -->a<?pi?>/</loc></url></urlset>",
        f"<urlset {XMLNS}><url><loc>{SITE}&#97;/</loc></url></urlset>",
        (
            f"<urlset {XMLNS}"
            f' xmlns:o="https://o.example/"><url><loc>{SITE}a/</loc><o:loc>b</o:loc></url></urlset>'
        ),
        f'<?xml version="1.0" encoding="US-ASCII"?><urlset {XMLNS}>{ENTRY}</urlset>',
    ],
)
def test_a_sitemap_may_be_written_in_many_ways(content: str) -> None:
    document = read(content)
    assert ([entry.url for entry in document.entries], document.findings) == ([SITE + "a/"], [])


@pytest.mark.parametrize(
    ("content", "check", "line"),
    [
        ("", "unreadable-sitemap", 1),
        (f"<urlset {XMLNS}>\n{ENTRY}", "unreadable-sitemap", 2),
        (f"<urlset {XMLNS}>{ENTRY}</urlset><b/>", "unreadable-sitemap", 1),
        (f"<urlset {XMLNS}><url><loc>&nbsp;</loc></url></urlset>", "unreadable-sitemap", 1),
        (f"<Urlset {XMLNS}/>", "unsupported-format", 1),
        (f"<urlset {XMLNS}>\n\n<url><loc/>\n</url></urlset>", "missing-loc", 3),
        (f"<sitemapindex {XMLNS}><sitemap/></sitemapindex>", "missing-loc", 1),
        (f'<urlset {XMLNS} xmlns:o="o:o"><url><o:loc>a</o:loc></url></urlset>', "missing-loc", 1),
    ],
)
def test_what_is_not_a_sitemap_is_reported_with_its_line(
    content: str, check: str, line: int
) -> None:
    assert (check, line) in [(finding.check, finding.line) for finding in read(content).findings]


def test_lines_are_counted_also_beyond_space_of_any_length() -> None:
    space = " " * 500_000 + "\n" * 500_000
    document = read(f"<urlset {XMLNS}>{space}{ENTRY}{space}{ENTRY}{space}</urlset>")
    assert [entry.line for entry in document.entries] == [500_001, 1_000_001]


def entities(levels: int) -> str:
    nested = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, levels))
    return f'<!ENTITY e0 "ha">{nested}'


@pytest.mark.parametrize(
    "content",
    [
        f'<!DOCTYPE urlset [{entities(10)}]><urlset {XMLNS} a="&e9;"/>',
        f"<!DOCTYPE urlset [{entities(10)}]><urlset {XMLNS}><url><loc>&e9;</loc></url></urlset>",
        (
            '<!DOCTYPE urlset [<!ENTITY e SYSTEM "SECRET">]><urlset'
            f" {XMLNS}><url><loc>&e;</loc></url></urlset>"
        ),
        f'<!DOCTYPE urlset [<!ENTITY % e SYSTEM "SECRET">%e;]><urlset {XMLNS}>{ENTRY}</urlset>',
        f'<!DOCTYPE urlset SYSTEM "SECRET"><urlset {XMLNS}>{ENTRY}</urlset>',
        (
            f'<urlset {XMLNS} xmlns:xi="http://www.w3.org/2001/XInclude"><url><xi:include'
            ' href="SECRET"/></url></urlset>'
        ),
    ],
)
def test_entities_are_not_resolved_and_no_file_is_read(content: str, tmp_path: Path) -> None:
    """To read a named pipe that nobody writes to would never end."""
    os.mkfifo(tmp_path / "pipe")
    document = read(content.replace("SECRET", f"file://{tmp_path}/pipe"))
    assert document.findings
    assert not document.entries


WHOLE = "<lastmod>2024-01-01</lastmod>"
SOUND = {
    "urlset": urlset(
        f"<loc>https://e.org/aaaa</loc>{WHOLE}<changefreq>daily</changefreq><priority>0.5</priority>",
        "https://e.org/bbbb",
    ),
    "index": index(f"<loc>https://e.org/a.xml</loc>{WHOLE}", "https://e.org/b.xml"),
}
TEXTS = (
    *("", "x", "-1", "1.5", "2024-13-01", "2024-01-01T10:00:00", "Daily", "/a", " 0.5 "),
    "https://e.org/" + "a" * 2_050,
)
NAMES = (
    "urlset",
    "sitemapindex",
    "url",
    "sitemap",
    "loc",
    "lastmod",
    "changefreq",
    "priority",
    "x",
)
Change = tuple[str, int, int, str, str]
CHANGES = st.tuples(
    st.sampled_from(["text", "add", "remove", "copy", "tail", "rename", "move"]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(TEXTS),
    st.sampled_from(NAMES),
)


def spoil(root: "etree._Element", changes: list[Change]) -> None:
    """Spoil a document, each time by one element, another element, a text and a name."""
    for kind, one, other, text, name in changes:
        elements = list(root.iter())
        element, place = elements[one % len(elements)], elements[other % len(elements)]
        parent = element.getparent()
        if kind == "text":
            element.text = text
        elif kind == "add":
            etree.SubElement(
                element, f"{{{EXTENSIONS['xhtml'] if text else NAMESPACE}}}{name}"
            ).text = text
        elif parent is None:
            continue
        elif kind == "tail":
            element.tail = text
        elif kind == "rename":
            element.tag = f"{{{NAMESPACE}}}{name}"
        elif kind == "remove":
            parent.remove(element)
        elif kind == "copy":
            place.append(copy.deepcopy(element))
        elif element is not place and element not in place.iterancestors():
            place.append(element)


@settings(max_examples=300)
@given(st.sampled_from(sorted(SOUND)), st.lists(CHANGES, min_size=1, max_size=2))
@example("urlset", [("tail", 1, 0, "x", "x")])
@example("index", [("move", 1, 0, "x", "x"), ("tail", 1, 0, "x", "x")])
def test_what_a_schema_refuses_is_found(
    validate: Callable[[bytes], None], kind: str, changes: list[Change]
) -> None:
    """Except attributes and the order in an entry."""
    root = etree.fromstring(SOUND[kind].encode())
    spoil(root, changes)
    content = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    for entry in root:
        entry[:] = sorted(entry, key=lambda child: NAMES.index(etree.QName(child).localname))
    try:
        validate(etree.tostring(root))
    except etree.DocumentInvalid:
        assert found(content)


def test_what_the_schemas_accept_is_sound(validate: Callable[[bytes], None]) -> None:
    for content in SOUND.values():
        validate(content.encode())
        assert not found(content)
