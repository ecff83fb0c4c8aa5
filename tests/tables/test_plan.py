"""Sections and their shards, planned from counts alone.

That files come out as of one split in memory is law 4.
"""

from smindex_plugins.base.settings import Settings
from smindex_plugins.tables._plan import Shard, divide
from smindex_plugins.tables._rows import BITS

HALF, QUARTER = 1 << (BITS - 1), 1 << (BITS - 2)


def test_a_section_over_the_limit_is_halved_by_the_bits_that_were_counted() -> None:
    counts = [(0, 0, 3), (1, 0, 2), (1, QUARTER, 2), (1, HALF, 3)]
    shards, places = divide(["a/sitemap", "b/sitemap"], counts, Settings(max_urls=3))
    taken = frozenset[str]()
    assert shards == [
        Shard("a/sitemap", "", taken),
        Shard("b/sitemap", "00", taken),
        Shard("b/sitemap", "01", taken),
        Shard("b/sitemap", "1", taken),
    ]
    assert places == [(0, 0, 0), (1, 0, 1), (1, QUARTER, 2), (1, HALF, 3)]


def test_pages_that_the_counted_bits_do_not_tell_apart_are_one_shard() -> None:
    (shard,), places = divide(["a/sitemap"], [(0, 5, 9)], Settings(max_urls=3))
    assert (len(shard.bits), int(shard.bits, 2), places) == (BITS, 5, [(0, 5, 0)])


def test_stems_that_look_like_those_of_parts_are_taken() -> None:
    (first, *_), _ = divide(
        ["a/sitemap", "sitemap-1", "x-part"], [(0, 0, 1), (1, 0, 1)], Settings()
    )
    assert first.taken == {"sitemap-1"}
