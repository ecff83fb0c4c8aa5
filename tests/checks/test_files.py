"""Limits of a single file."""

import pytest

from smindex_plugins.checks import Selection
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from tests.support.listed import document

BASE = "https://e.org/"


@pytest.mark.parametrize(("over", "kinds"), [(0, []), (1, ["too-many-urls"])])
def test_a_sitemap_lists_at_most_50_000_urls(over: int, kinds: list[str]) -> None:
    many = document("urlset", BASE + "s.xml", *(f"{BASE}{number}" for number in range(MAX_URLS + over)))
    assert [finding.check for finding in Selection().judge(many)] == kinds


@pytest.mark.parametrize(("over", "kinds"), [(0, []), (1, ["too-many-sitemaps"])])
def test_an_index_lists_at_most_50_000_sitemaps(over: int, kinds: list[str]) -> None:
    many = document("sitemapindex", BASE + "i.xml", *(f"{BASE}{number}.xml" for number in range(MAX_URLS + over)))
    assert [finding.check for finding in Selection().judge(many)] == kinds


@pytest.mark.parametrize(("over", "kinds"), [(0, []), (1, ["too-large"])])
def test_a_file_has_at_most_52_428_800_bytes(over: int, kinds: list[str]) -> None:
    large = document("urlset", BASE + "s.xml", BASE, size=MAX_BYTES + over)
    assert [finding.check for finding in Selection().judge(large)] == kinds
