"""What a task makes of a shard. That the files are those of a build is law 4."""

import json

import pyarrow as pa
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import IndexEntry, Page
from smindex_plugins.tables._destination import open_destination
from smindex_plugins.tables._plan import Shard
from smindex_plugins.tables._shards import WrittenSitemap, entries, write_shard
from smindex_plugins.writing.rendering import render_url
from tests.tables.destinations import storage

SITE = "https://e.org/d/"
URLS = st.text("ab/&';=%?.~+", max_size=20).map(lambda rest: SITE + rest)
DATES = st.none() | st.sampled_from(["2024-05-06", "2024-05-06T07:08:09Z"])
SHARD = Shard("a/sitemap", "", frozenset())
LARGE = json.dumps([[], [f"{SITE}{'x' * MAX_BYTES}"]])


@given(st.lists(st.tuples(URLS, DATES), max_size=5))
def test_elements_are_those_of_the_renderer(given: list[tuple[str, str | None]]) -> None:
    columns = [pa.array([row[at] for row in given], pa.string()) for at in (0, 1)]
    assert [each.encode() for each in entries(*columns).to_pylist()] == [
        render_url(Page(url=url, lastmod=lastmod)) for url, lastmod in given
    ]


def test_a_page_that_no_file_can_hold_is_left_out_and_named() -> None:
    place = storage("memory://bucket/shards", MemoryFileSystem())
    MemoryFileSystem.store.clear()
    rows = {
        "url": [f"{SITE}a/1", f"{SITE}a/2"],
        "lastmod": ["2024-01-01", None],
        "details": [None, LARGE],
    }
    table = pa.table(
        {"shard": [0, 0], **{name: pa.array(values, pa.string()) for name, values in rows.items()}}
    )
    destination = open_destination(place.out, site_url=SITE)
    (written,), findings = write_shard(table, [SHARD], destination)
    assert written == WrittenSitemap(
        IndexEntry(url=f"{SITE}a/sitemap.xml", lastmod="2024-01-01"), pages=1, is_new=True
    )
    assert [finding.check for finding in findings] == ["entry-too-large"]
    assert place.files()["a/sitemap.xml"].count(b"<url>") == 1
    assert write_shard(table[1:], [SHARD], destination)[0] == []
