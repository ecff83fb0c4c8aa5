"""Limits of a single file."""

from typing import Literal

import pytest

from smindex_plugins.base.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.checks.table import Selection
from tests.support.listed import checked, document

BASE = "https://e.org/"


@pytest.mark.parametrize(
    ("kind", "count", "size", "finding"),
    [
        ("urlset", MAX_URLS, 0, "too-many-urls"),
        ("sitemapindex", MAX_URLS, 0, "too-many-sitemaps"),
        ("urlset", 1, MAX_BYTES, "too-large"),
    ],
)
def test_a_file_has_at_most_50_000_entries_and_52_428_800_bytes(
    kind: Literal["urlset", "sitemapindex"], count: int, size: int, finding: str
) -> None:
    for over, expected in (0, []), (1, [finding]):
        listed = (f"{BASE}{number}.xml" for number in range(count + (0 if size else over)))
        large = document(kind, BASE + "s.xml", *listed, size=size and size + over)
        assert [found.check for found in Selection().judge(checked(large))] == expected
