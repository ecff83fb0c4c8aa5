"""Step four: a task takes the pages of a shard, sorted by URL, and makes its sitemaps, one whole file at a time."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Finding, IndexEntry, Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import render_sitemap, render_url, sections, urlset
from smindex_plugins.sitemaps.sections import Section
from smindex_plugins.tables.plan import Shard
from smindex_plugins.tables.rules import unpack

Put = Callable[[str, list[bytes]], bool]
"""Put a file in place under its URL path below the site, and return whether it was another before."""

_URL, _DATE = "\0", "\1"
_BEFORE, _BETWEEN, _AFTER = re.split(f"[{_URL}{_DATE}]", render_url(Page(url=_URL, lastmod=_DATE)).decode("ascii"))
_UNDATED = render_url(Page(url=_URL)).decode("ascii").partition(_URL)[2]
_ESCAPED = {sign: render_url(Page(url=sign)).decode("ascii")[len(_BEFORE) : -len(_UNDATED)] for sign in "&'"}
"""What `render_url` makes of a page without variants and images, piece by piece."""


class Written(NamedTuple):
    """A sitemap that was made of a part of a shard."""

    entry: IndexEntry
    pages: int
    is_new: bool
    """It was not there, or had other bytes."""


def write_shard(
    rows: pa.Table, shard: Shard, site_url: str, settings: Settings, put: Put
) -> tuple[list[Written], list[Finding]]:
    """Make the sitemaps of a shard, and return them with what is wrong with pages that no file can hold.

    The rows have the columns url, lastmod and details of `rows.NORMAL`, once each and sorted by URL.
    """
    too_large: dict[str, Finding] = {}
    written = []
    suffix = ".xml.gz" if settings.gzip else ".xml"
    for stem, dates, count, content in _whole(rows, shard, settings) or _split(rows, shard, settings, too_large):
        if content:
            lastmod = max(filter(None, dates), default=None)
            entry = IndexEntry(url=f"{site_url}{stem}{suffix}", lastmod=lastmod)
            written.append(Written(entry, count, put(stem + suffix, content)))
    return written, list(too_large.values())


def by_shard(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, pa.Table]]:
    """Yield the place of each shard, and its rows as one table, from batches that are sorted by a column ``place``."""
    waiting: list[pa.RecordBatch] = []
    last = -1
    for batch in batches:
        for place, some in _runs(batch):
            if place != last and waiting:
                yield last, pa.Table.from_batches(waiting)
                waiting = []
            last = place
            waiting.append(some)
    if waiting:
        yield last, pa.Table.from_batches(waiting)


def _runs(batch: pa.RecordBatch) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield the rows of each shard in a batch."""
    runs = pc.run_end_encode(batch.column("place"), run_end_type=pa.int64())
    begin = 0
    for end, place in zip(runs.run_ends.to_pylist(), runs.values.to_pylist(), strict=True):
        yield place, batch.slice(begin, end - begin)
        begin = end


_Part = tuple[str, Iterable[str | None], int, list[bytes]]
"""The stem of a sitemap, the dates of its pages, how many it lists, and its content."""


def _whole(rows: pa.Table, shard: Shard, settings: Settings) -> list[_Part]:
    """Return the one file of a shard that fits into it, made without a look at any page, or nothing if it is not so."""
    details = rows.column("details")
    if len(rows) > settings.max_urls or details.null_count < len(rows):
        return []
    url, lastmod = (rows.column(name).combine_chunks() for name in ("url", "lastmod"))
    made = entries(url, lastmod)
    size = pc.sum(pc.binary_length(made)).as_py()
    content = urlset([made.buffers()[2].slice(0, size).to_pybytes()])
    if sum(map(len, content)) > MAX_BYTES:
        return []
    return [(sections.part_stem(*shard), [pc.max(lastmod).as_py()], len(rows), content)]


def _split(rows: pa.Table, shard: Shard, settings: Settings, too_large: dict[str, Finding]) -> Iterator[_Part]:
    columns = (rows.column(name).to_pylist() for name in ("url", "lastmod", "details"))
    pages = []
    for url, date, details in zip(*columns, strict=True):
        alternates, images = unpack(details)
        pages.append(Page(url=url, lastmod=date, alternates=alternates, images=images))
    section = Section(stem=shard.stem, pages=pages)
    write = partial(render_sitemap, settings=settings, too_large=too_large)
    for stem, some, content in sections.split(section, shard.taken, write, shard.bits):
        yield stem, [page.lastmod for page in some], len(some), content


def entries(url: pa.StringArray, lastmod: pa.StringArray) -> pa.StringArray:
    """Return the ``<url>`` elements of normal URLs and their dates, as `render_url` does."""
    for sign, escaped in _ESCAPED.items():
        if pc.any(pc.match_substring(url, sign)).as_py():
            url = pc.replace_substring(url, sign, escaped)
    dated = pc.binary_join_element_wise(_BEFORE, url, _BETWEEN, lastmod, _AFTER, "")
    if not lastmod.null_count:
        return dated
    return pc.coalesce(dated, pc.binary_join_element_wise(_BEFORE, url, _UNDATED, ""))
