import io
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.dates import utc
from smindex_plugins.model import IndexEntry, Page
from smindex_plugins.sitemaps import reading, rendering
from smindex_plugins.sitemaps.document import Document, Entry
from tests.support.listed import read_entries, read_pages

HERE = "https://e.org/sitemap.xml"

URLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(
    lambda path: urls.normalise("https://example.org/" + path)
)
KNOWN_DATES = st.dates().map(str) | st.integers(0, 4_000_000_000).map(utc)
DATES = st.none() | KNOWN_DATES
CODES = st.sampled_from(["de", "en-GB", "zh-Hant", "x-default"])
PLAIN_PAGES = st.lists(st.builds(Page, url=URLS, lastmod=DATES), max_size=20).map(tuple)
PAGES = st.lists(
    st.builds(
        Page,
        url=URLS,
        lastmod=DATES,
        alternates=st.just(()) | st.lists(st.tuples(CODES, URLS), max_size=3).map(tuple),
        images=st.just(()) | st.lists(URLS, max_size=3).map(tuple),
    ),
    max_size=20,
).map(tuple)
ENTRIES = st.lists(st.builds(IndexEntry, url=URLS, lastmod=DATES), max_size=20).map(tuple)


def rendered_sitemap(*pages: Page) -> bytes:
    return b"".join(rendering.urlset([rendering.render_url(page) for page in pages]))


def rendered_index(*entries: IndexEntry) -> bytes:
    return b"".join(rendering.sitemapindex(map(rendering.render_entry, entries)))


def read(content: bytes) -> Document:
    """Read a file in which nothing is wrong."""
    document = reading.read(io.BytesIO(content), Document(url=HERE))
    assert not document.findings
    return document


@given(PAGES)
@example((Page(url="https://example.org/'&amp;&lt;]]>"),))
def test_a_sitemap_reads_back_as_it_was_written(pages: tuple[Page, ...]) -> None:
    pages = tuple(replace(page, url=urls.normalise(page.url)) for page in pages)
    content = rendered_sitemap(*pages)
    assert read_pages(content) == pages
    document = read(content)
    assert (document.kind, document.count, document.is_whole) == ("urlset", len(pages), True)
    assert document.entries == [
        Entry(page.url, page.url, page.lastmod or "", line, page.alternates, page.images)
        for line, page in enumerate(pages, start=4)
    ]


@given(ENTRIES)
@example((IndexEntry(url="https://example.org/'&amp;&lt;"),))
def test_an_index_reads_back_as_it_was_written(entries: tuple[IndexEntry, ...]) -> None:
    content = rendered_index(*entries)
    assert read_entries(content) == list(entries)
    document = read(content)
    assert (document.kind, document.own) == ("sitemapindex", None)
    assert document.entries == [
        Entry(entry.url, entry.url, entry.lastmod or "", line) for line, entry in enumerate(entries, start=4)
    ]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40), st.integers(0, 50))
def test_a_file_cut_short_anywhere_is_known_to_be(lengths: list[int], missing: int) -> None:
    content = rendered_sitemap(*(Page(url="https://example.org/" + "a" * length) for length in lengths))
    document = reading.read(io.BytesIO(content[: -1 - 1 - missing]), Document(url=HERE))
    assert not document.is_whole
    assert {finding.check for finding in document.findings} == {"unreadable-sitemap"}


@given(PAGES.filter(bool), ENTRIES.filter(bool))
def test_what_is_written_is_valid_under_the_schemas(
    validate: Callable[[bytes], None], pages: tuple[Page, ...], entries: tuple[IndexEntry, ...]
) -> None:
    validate(rendered_sitemap(*pages))
    validate(rendered_index(*entries))


def test_a_url_of_the_greatest_length_is_valid_under_the_schema(validate: Callable[[bytes], None]) -> None:
    validate(rendered_sitemap(Page(url="https://example.org/" + "'" * (2_047 - len("https://example.org/")))))


def test_the_five_reserved_characters_are_escaped() -> None:
    page = Page(url=urls.normalise("https://e.org/?a=1&b='\"<>"))
    assert rendering.render_url(page) == b"<url><loc>https://e.org/?a=1&amp;b=&apos;%22%3C%3E</loc></url>\n"


def test_a_file_is_lines_a_person_can_read() -> None:
    assert rendered_sitemap(Page(url="https://e.org/a/", lastmod="2026-05-10")).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- Written by smindex-plugins -->\n"
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url><loc>https://e.org/a/</loc><lastmod>2026-05-10</lastmod></url>\n"
        "</urlset>\n"
    )


def test_what_an_entry_says_beyond_the_protocol_comes_last_and_declares_its_namespace() -> None:
    page = Page(
        url="https://e.org/a/",
        lastmod="2026-05-10",
        alternates=(("en", "https://e.org/a/"), ("x-default", "https://e.org/it's")),
        images=("https://cdn.example/b.png?c&d", "https://e.org/e.png"),
    )
    assert rendered_sitemap(page).decode().splitlines()[2:4] == [
        (
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
            'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
        ),
        (
            "<url><loc>https://e.org/a/</loc><lastmod>2026-05-10</lastmod>"
            '<xhtml:link rel="alternate" hreflang="en" href="https://e.org/a/"/>'
            '<xhtml:link rel="alternate" hreflang="x-default" href="https://e.org/it&apos;s"/>'
            "<image:image><image:loc>https://cdn.example/b.png?c&amp;d</image:loc></image:image>"
            "<image:image><image:loc>https://e.org/e.png</image:loc></image:image></url>"
        ),
    ]


@pytest.mark.parametrize(
    ("page", "declared"),
    [
        (Page(url="https://e.org/%3Cimage:"), set()),
        (Page(url="https://e.org/", lastmod="2026-05-10"), set()),
        (Page(url="https://e.org/", alternates=(("en", "https://e.org/"),)), {"xhtml"}),
        (Page(url="https://e.org/", images=("https://e.org/a",)), {"image"}),
    ],
)
def test_a_file_declares_the_namespaces_that_it_needs_and_no_others(page: Page, declared: set[str]) -> None:
    plain = Page(url="https://e.org/plain")
    assert set(re.findall(r"xmlns:(\w+)", rendered_sitemap(plain, page, plain).decode())) == declared
