"""What is written is read back and valid, and both limits hold to the byte."""

import io
import re
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smindex_plugins.base import urls
from smindex_plugins.base.dates import utc
from smindex_plugins.base.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.base.model import IndexEntry, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.reading.document import Document, Entry
from smindex_plugins.reading.reader import read
from smindex_plugins.writing import rendering
from smindex_plugins.writing.names import JOINED
from smindex_plugins.writing.rendering import name_indexes, render_indexes, render_sitemap
from smindex_plugins.writing.sections import Section, split
from tests.support.listed import read_entries, read_pages

BASE = "https://e.org/"
HERE = f"{BASE}sitemap.xml"
URLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(
    lambda path: urls.normalise(BASE + path)
)
DATES = st.none() | st.dates().map(str) | st.integers(0, 4_000_000_000).map(utc)
CODES = st.sampled_from(["de", "en-GB", "zh-Hant", "x-default"])
ANY_PAGES = st.lists(
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


def sitemap(*pages: Page) -> bytes:
    return b"".join(rendering.urlset([rendering.render_url(page) for page in pages]))


@given(ANY_PAGES)
@example((Page(url=urls.normalise(f"{BASE}'&amp;&lt;]]>")),))
def test_a_sitemap_reads_back_as_it_was_written_and_is_valid(
    validate: Callable[[bytes], None], pages: tuple[Page, ...]
) -> None:
    assert read_pages(sitemap(*pages)) == pages
    document = read(io.BytesIO(sitemap(*pages)), Document(url=HERE))
    assert (document.kind, document.is_whole, document.findings) == ("urlset", True, [])
    assert document.entries == [
        Entry(page.url, page.url, page.lastmod or "", line, page.alternates, page.images)
        for line, page in enumerate(pages, start=4)
    ]
    if pages:
        validate(sitemap(*pages))


@given(ENTRIES)
@example((IndexEntry(url=f"{BASE}'&amp;&lt;"),))
def test_an_index_reads_back_as_it_was_written_and_is_valid(
    validate: Callable[[bytes], None], entries: tuple[IndexEntry, ...]
) -> None:
    content = b"".join(rendering.sitemapindex(map(rendering.render_entry, entries)))
    assert read_entries(content) == list(entries)
    document = read(io.BytesIO(content), Document(url=HERE))
    assert (document.kind, document.own, document.findings) == ("sitemapindex", None, [])
    assert document.entries == [
        Entry(entry.url, entry.url, entry.lastmod or "", line)
        for line, entry in enumerate(entries, start=4)
    ]
    if entries:
        validate(content)


def test_a_file_is_lines_a_person_can_read_with_extensions_last_and_their_namespaces_declared() -> (
    None
):
    page = Page(
        url="https://e.org/a/?b='&c",
        lastmod="2026-05-10",
        alternates=(("en", "https://e.org/a/"), ("x-default", "https://e.org/it's")),
        images=("https://cdn.example/b.png?c&d", "https://e.org/e.png"),
    )
    assert (
        sitemap(page).decode() == '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- Written by smindex-plugins -->\n"
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml" '
        'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
        "<url><loc>https://e.org/a/?b=&apos;&amp;c</loc><lastmod>2026-05-10</lastmod>"
        '<xhtml:link rel="alternate" hreflang="en" href="https://e.org/a/"/>'
        '<xhtml:link rel="alternate" hreflang="x-default" href="https://e.org/it&apos;s"/>'
        "<image:image><image:loc>https://cdn.example/b.png?c&amp;d</image:loc></image:image>"
        "<image:image><image:loc>https://e.org/e.png</image:loc></image:image></url>\n"
        "</urlset>\n"
    )


@pytest.mark.parametrize(("alternates", "declared"), [((), []), ((("en", BASE),), ["xhtml"])])
def test_a_file_declares_the_namespaces_that_it_needs_and_no_others(
    alternates: tuple[tuple[str, str], ...], declared: list[str]
) -> None:
    page = Page(url="https://e.org/%3Cimage:", lastmod="2026-05-10", alternates=alternates)
    assert re.findall(r"xmlns:(\w+)", sitemap(Page(url=BASE), page).decode()) == declared


PAGES = st.lists(
    st.builds(
        Page,
        url=st.text("a'&", min_size=1, max_size=300).map(lambda path: BASE + path),
        lastmod=st.sampled_from([None, "2026-05-10"]),
        alternates=st.sampled_from([(), (("de", BASE + "de/"), ("en", BASE + "en/"))]),
    ),
    min_size=1,
    max_size=30,
    unique_by=lambda page: page.url,
)
BYTES = st.integers(1_000, 6_000)


def size(content: list[bytes]) -> int:
    return sum(map(len, content))


def render(
    pages: list[Page], max_bytes: int = MAX_BYTES, max_urls: int = MAX_URLS
) -> list[bytes] | None:
    return render_sitemap(pages, Settings(max_urls=max_urls), max_bytes)


def whole(pages: list[Page]) -> list[bytes]:
    content = render(pages)
    assert content is not None
    return content


@given(PAGES, st.integers(-1, 1))
def test_a_sitemap_is_written_exactly_up_to_the_limit_of_bytes(
    pages: list[Page], over: int
) -> None:
    content = render(pages, max_bytes=size(whole(pages)) - over)
    if over <= 0:
        assert content == whole(pages)
    elif len(pages) == 1:
        assert content == []
    else:
        assert content is None


@given(PAGES, st.integers(-1, 1))
def test_a_sitemap_is_written_exactly_up_to_the_limit_of_urls(pages: list[Page], over: int) -> None:
    content = render(pages, max_urls=len(pages) - over)
    assert content == (None if over == 1 else whole(pages))


@given(PAGES, BYTES)
def test_only_pages_too_large_for_any_file_are_not_written(
    pages: list[Page], max_bytes: int
) -> None:
    write = partial(render_sitemap, settings=Settings(), max_bytes=max_bytes)
    written: set[str] = set()
    for _, some, content in split(Section(stem="a", pages=pages), set(), write):
        if content:
            assert content == whole(some)
            assert size(content) <= max_bytes
            written |= {page.url for page in some}
    assert written == {page.url for page in pages if size(whole([page])) <= max_bytes}


@pytest.mark.parametrize(("spare", "counts"), [(0, [2, 1]), (-1, [1, 1, 1]), (1, [2, 1])])
def test_an_index_is_filled_to_the_last_byte(spare: int, counts: list[int]) -> None:
    entries = [IndexEntry(url=f"{BASE}{name * 900}") for name in "abc"]
    (two,) = render_indexes(entries[:2], Settings())
    found = render_indexes(entries, Settings(), max_bytes=size(two) + spare)
    assert [len(content) - 2 for content in found] == counts


THREE = [IndexEntry(url=f"{BASE}{name}/sitemap.xml") for name in "abc"]


def named(own: list[IndexEntry], joined: list[IndexEntry], max_urls: int = MAX_URLS) -> list[str]:
    settings = Settings(index_filename="i.xml", max_urls=max_urls)
    return [url.removeprefix(BASE) for url, _ in name_indexes(own, BASE, settings, joined)]


def test_an_index_has_the_name_that_the_settings_say_and_several_have_numbers() -> None:
    assert named([], []) == []
    assert named(THREE[:2], THREE[2:]) == ["i.xml"]
    assert named(THREE[:2], THREE[2:], max_urls=2) == ["i-1.xml", "i-2.xml"]


def test_no_index_has_the_name_of_a_sitemap() -> None:
    own, joined = IndexEntry(url=f"{BASE}i-1.xml"), IndexEntry(url=f"{BASE}i-3.xml")
    assert named([own], [joined], max_urls=1) == ["i-2.xml", "i-4.xml"]


@given(
    own=st.integers(0, 12),
    joined=st.integers(0, 12),
    most=st.integers(1, 5),
    most_bytes=st.sampled_from([350, 5000]),
)
def test_what_is_joined_can_be_told_apart_however_an_index_is_divided(
    own: int, joined: int, most: int, most_bytes: int
) -> None:
    """Every file is within the limits and full, and its own part is what comes before the mark."""
    settings = Settings(max_urls=most)
    entries = [
        IndexEntry(url=f"https://e.org/{number:02}/sitemap.xml") for number in range(own + joined)
    ]
    files = [
        b"".join(content)
        for content in render_indexes(entries[:own], settings, entries[own:], most_bytes)
    ]
    documents = [
        read(io.BytesIO(content), Document(url="https://e.org/sitemap_index.xml"))
        for content in files
    ]
    assert [each.url for document in documents for each in document.entries] == [
        entry.url for entry in entries
    ]
    assert all(
        1 <= document.count <= most and document.size <= most_bytes for document in documents
    )
    assert [content.count(JOINED) for content in files] == [
        int(document.own is not None) for document in documents
    ]
    documents = [document.without_joined() for document in documents]
    assert [each.url for document in documents for each in document.entries] == [
        entry.url for entry in entries[:own]
    ]
    assert sum(document.count for document in documents) == own
