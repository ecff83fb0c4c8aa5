"""Both limits at their borders, on the bytes that are written."""

import io
import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.model import PLAIN, Details, Finding, IndexEntry, Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps.document import Document
from smindex_plugins.sitemaps.reading import read
from smindex_plugins.sitemaps.rendering import JOINED, render_indexes, render_sitemap

BASE = "https://e.org/"
PAGES = st.lists(
    st.builds(
        Page,
        url=st.text("a'&", min_size=1, max_size=300).map(lambda path: BASE + path),
        lastmod=st.sampled_from([None, "2026-05-10"]),
        details=st.sampled_from([PLAIN, Details(alternates=(("de", BASE + "de/"), ("en", BASE + "en/")))]),
    ),
    min_size=1,
    max_size=30,
    unique_by=lambda page: page.url,
)
BYTES = st.integers(1_000, 6_000)


def size(content: list[bytes]) -> int:
    return sum(map(len, content))


def render(pages: list[Page], max_bytes: int = MAX_BYTES, max_urls: int = MAX_URLS) -> list[bytes] | None:
    return render_sitemap(pages, Settings(max_bytes=max_bytes, max_urls=max_urls), {})


def whole(pages: list[Page]) -> list[bytes]:
    content = render(pages)
    assert content is not None
    return content


@given(PAGES, st.integers(-1, 1))
def test_a_sitemap_is_written_exactly_up_to_the_limit_of_bytes(pages: list[Page], over: int) -> None:
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


@pytest.mark.parametrize(("pages", "fits"), [(49_999, True), (50_000, True), (50_001, False)])
def test_fifty_thousand_pages_are_one_sitemap_and_one_more_are_not(pages: int, fits: bool) -> None:  # noqa: FBT001
    assert (render([Page(url=f"{BASE}{number}") for number in range(pages)]) is not None) == fits


@pytest.mark.parametrize(("over", "fits"), [(-1, True), (0, True), (1, False)])
def test_fifty_two_million_bytes_are_one_sitemap_and_one_more_are_not(over: int, fits: bool) -> None:  # noqa: FBT001
    pages = [Page(url=f"{BASE}{number:0>2000}") for number in range(25_000)]
    missing = MAX_BYTES + over - size(whole(pages))
    longer = [Page(url=page.url + "x" * (missing // 25_000 + (missing % 25_000 > n))) for n, page in enumerate(pages)]
    content = render(longer)
    assert (content is not None) == fits
    if content is not None:
        assert size(content) == MAX_BYTES + over


@given(PAGES, BYTES)
def test_a_page_too_large_for_any_file_is_told_of_and_the_rest_is_written(pages: list[Page], max_bytes: int) -> None:
    too_large: dict[str, Finding] = {}
    content = render_sitemap(pages, Settings(max_bytes=max_bytes), too_large)
    alone = {page.url for page in pages if size(whole([page])) > max_bytes}
    assert too_large.keys() <= alone
    if content is not None:
        kept = [page for page in pages if page.url not in alone]
        assert content == (whole(kept) if kept else [])
        assert too_large.keys() == alone


@given(st.lists(st.integers(1, 300), max_size=40), BYTES, st.integers(1, 15))
def test_indexes_list_every_sitemap_in_order_and_are_within_both_limits(
    lengths: list[int], max_bytes: int, max_urls: int
) -> None:
    entries = [IndexEntry(url=BASE + "x" * length) for length in lengths]
    settings = Settings(max_bytes=max_bytes, max_urls=max_urls)
    indexes = list(render_indexes(entries, settings))
    assert b"".join(b"".join(content) for content in indexes).count(b"<sitemap>") == len(entries)
    assert [line for content in indexes for line in content[1:-1]] == [
        line for content in render_indexes(entries, Settings()) for line in content[1:-1]
    ]
    assert all(size(content) <= max_bytes and len(content) - 2 <= max_urls for content in indexes)
    for content, following in itertools.pairwise(indexes):
        assert len(content) - 2 == max_urls or size(content) + len(following[1]) > max_bytes


@given(
    own=st.integers(0, 12), joined=st.integers(0, 12), most=st.integers(1, 5), most_bytes=st.sampled_from([350, 5000])
)
def test_what_is_joined_can_be_told_apart_however_an_index_is_divided(
    own: int, joined: int, most: int, most_bytes: int
) -> None:
    """Every file is within the limits and full, and its own part is what comes before the mark."""
    settings = replace(Settings(), max_urls=most, max_bytes=most_bytes)
    entries = [IndexEntry(url=f"https://e.org/{number:02}/sitemap.xml") for number in range(own + joined)]
    files = [b"".join(content) for content in render_indexes(entries[:own], settings, entries[own:])]
    documents = [read(io.BytesIO(content), Document(url="https://e.org/sitemap_index.xml")) for content in files]
    assert [url for document in documents for url in document.urls] == [entry.url for entry in entries]
    assert all(1 <= document.count <= most and document.size <= most_bytes for document in documents)
    assert [content.count(JOINED) for content in files] == [int(document.own is not None) for document in documents]
    for document in documents:
        document.forget_joined()
    assert [url for document in documents for url in document.urls] == [entry.url for entry in entries[:own]]
    assert sum(document.count for document in documents) == own
