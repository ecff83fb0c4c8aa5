import json

import pyarrow as pa
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import render_url
from smindex_plugins.tables import open_destination
from smindex_plugins.tables.plan import Shard
from smindex_plugins.tables.rows import judge_details
from smindex_plugins.tables.shards import Written, entries, write_shard
from tests.support.destinations import storage

SITE = "https://e.org/d/"
URLS = st.text("ab/&';=%?.~+", max_size=20).map(lambda rest: SITE + rest)
DATES = st.none() | st.sampled_from(["2024-05-06", "2024-05-06T07:08:09Z"])
SHARD = Shard("a/sitemap", "", frozenset())


@given(st.lists(st.tuples(URLS, DATES), max_size=5))
def test_elements_are_those_of_the_renderer(given: list[tuple[str, str | None]]) -> None:
    columns = [pa.array([row[at] for row in given], pa.string()) for at in (0, 1)]
    assert [each.encode() for each in entries(*columns).to_pylist()] == [
        render_url(Page(url=url, lastmod=lastmod)) for url, lastmod in given
    ]


def table(urls: list[str], dates: list[str | None], details: list[str | None] | None = None) -> pa.Table:
    given = {"url": urls, "lastmod": dates, "details": details or [None] * len(urls)}
    columns = {name: pa.array(values, pa.string()) for name, values in given.items()}
    return pa.table({"shard": [0] * len(urls), **columns})


def write(rows: pa.Table, shard: Shard = SHARD, **options: object) -> tuple[dict[str, bytes], list[Written], list[str]]:
    place = storage("memory://bucket/shards", MemoryFileSystem())
    MemoryFileSystem.store.clear()
    destination = open_destination(place.out, site_url=SITE, settings=Settings.load(options))
    written, findings = write_shard(rows, [shard], destination)
    return place.files(), written, [finding.check for finding in findings]


def test_a_shard_that_fits_is_one_file_with_the_newest_date() -> None:
    files, written, _ = write(table([f"{SITE}a/1", f"{SITE}a/2"], ["2024-01-01", None]))
    assert list(files) == ["a/sitemap.xml"]
    assert files["a/sitemap.xml"].count(b"<url>") == 2
    assert [(each.entry.url, each.entry.lastmod, each.pages) for each in written] == [
        (f"{SITE}a/sitemap.xml", "2024-01-01", 2)
    ]
    assert write(table([f"{SITE}a/1"], [None]), gzip=True)[1][0].entry.url == f"{SITE}a/sitemap.xml.gz"


def test_pages_with_more_than_a_date_are_rendered_with_it() -> None:
    details, _ = judge_details(json.dumps({"de": f"{SITE}a/2"}), json.dumps(["https://i.org/"]))
    files, _, _ = write(table([f"{SITE}a/1", f"{SITE}a/2"], [None, None], [details, None]))
    assert b'hreflang="de"' in files["a/sitemap.xml"]
    assert b"<image:loc>https://i.org/</image:loc>" in files["a/sitemap.xml"]


def test_a_page_that_no_file_can_hold_is_left_out_and_named() -> None:
    details = json.dumps([[], [f"{SITE}{'x' * MAX_BYTES}"]])
    files, written, findings = write(table([f"{SITE}a/1", f"{SITE}a/2"], [None, None], [None, details]))
    assert sum(each.pages for each in written) == 1
    assert findings == ["entry-too-large"]
    assert b"xxx" not in b"".join(files.values())
    assert write(table([f"{SITE}a/2"], [None], [details]))[:2] == ({}, [])
