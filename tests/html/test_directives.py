"""Directives of X-Robots-Tag headers, by the examples of search engines and servers."""

import pytest

from smindex_plugins.html.directives import header_forbids_indexing

PAST, FUTURE = "Friday, 25-Jun-10 15:00:00 UTC", "Friday, 25-Jun-9999 15:00:00 UTC"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("NoIndex, NoFollow", True),
        ("nofollow ,none", True),
        ("GoogleBot : nofollow, noindex", True),
        ("robots: noindex", True),
        ("otherbot: nofollow, googlebot: noindex", True),
        ("noindex, otherbot: index", True),
        ("max-snippet: 5, max-image-preview:large, noindex", True),
        (f"unavailable_after: {PAST}, noindex", True),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST", True),
        (f"unavailable_after: {PAST}", True),
        ("max-snippet: 5, unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow", True),
        ("googlebot: unavailable_after: 2010-06-25T15:00:00+02:00", True),
        ("Unavailable_After:2010-06-25", True),
        ("", False),
        ("nofollow, noarchive, noimageindex, max-snippet:-1", False),
        ("noindexing", False),
        ("otherbot: nofollow, noindex", False),
        ("googlebot: nofollow, otherbot: noindex, nofollow", False),
        ("googlebot-news: noindex", False),
        ("otherbot: unavailable_after: 2010-06-25", False),
        *(
            (f"unavailable_after: {date}", False)
            for date in (FUTURE, "2010-99-99", "soon, and for ever", "")
        ),
        *(
            (f"unavailable_after: {date}", False)
            for date in ("0 0 0 0 0", "1 Jan 0000 00:00:00 +9999999999")
        ),
    ],
)
def test_a_header_forbids_indexing_to_all_crawlers_or_to_one(
    header: str, *, expected: bool
) -> None:
    assert header_forbids_indexing(header) is expected
