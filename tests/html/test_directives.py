"""Directives of robots metas and headers, by the examples of search engines and of servers."""

import pytest

from smindex_plugins.html.directives import forbids_indexing, header_forbids_indexing


@pytest.mark.parametrize(
    "header",
    [
        "noindex",
        "NoIndex, NoFollow",
        "nofollow ,none",
        "googlebot: noindex",
        "GoogleBot : nofollow, noindex",
        "otherbot: nofollow, googlebot: noindex",
        "noindex, otherbot: index",
        "unavailable_after: 25 Jun 2010 15:00:00 PST, noindex",
        "unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, noindex",
        "max-snippet: 5, max-image-preview:large, noindex",
        "robots: noindex",
        "unavailable_after: 25 Jun 2010 15:00:00 PST",
        "unavailable_after: Friday, 25-Jun-10 15:00:00 UTC",
        "max-snippet: 5, unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow",
        "googlebot: unavailable_after: 2010-06-25T15:00:00+02:00",
        "Unavailable_After:2010-06-25",
    ],
)
def test_a_header_that_forbids_indexing(header: str) -> None:
    assert header_forbids_indexing(header)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "all",
        "nofollow, noarchive",
        "otherbot: noindex",
        "otherbot: noindex, nofollow",
        "otherbot: nofollow, noindex",
        "googlebot: nofollow, otherbot: noindex, nofollow",
        "googlebot-news: noindex",
        "googlebot-image: none",
        "unavailable_after: 25 Jun 9999 15:00:00 PST",
        "unavailable_after: Friday, 25-Jun-9999 15:00:00 UTC",
        "otherbot: unavailable_after: 2010-06-25",
        "unavailable_after: 2010-99-99",
        "unavailable_after: soon, and for ever",
        "unavailable_after: 0 0 0 0 0",
        "unavailable_after: 1 Jan 0000 00:00:00 +9999999999",
        "unavailable_after:",
        "noimageindex, notranslate",
        "max-snippet:-1",
        "noindexing",
    ],
)
def test_a_header_that_does_not(header: str) -> None:
    assert not header_forbids_indexing(header)


def test_a_meta_names_its_crawler_elsewhere() -> None:
    assert forbids_indexing(" NOINDEX , nofollow")
    assert forbids_indexing("unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, none")
    assert forbids_indexing("unavailable_after: Friday, 25-Jun-10 15:00:00 UTC")
    assert not forbids_indexing("unavailable_after: Friday, 25-Jun-9999 15:00:00 UTC")
    assert not forbids_indexing("otherbot: noindex")
