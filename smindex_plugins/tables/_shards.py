"""Step four: a task reads the pages of a shard, sorted by URL, and writes sitemaps one by one."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import Finding, IndexEntry, Page
from smindex_plugins.tables._destination import Destination
from smindex_plugins.tables._plan import Shard
from smindex_plugins.writing import sections
from smindex_plugins.writing.rendering import entry_too_large, render_sitemap, urlset
from smindex_plugins.writing.sections import Section


class _Part(NamedTuple):
    """One file of a shard, or a page that is too large for any."""

    stem: str
    pages: int
    lastmod: str | None
    content: list[bytes]
    too_large: Finding | None = None


class WrittenSitemap(NamedTuple):
    """A sitemap with a part of a shard."""

    entry: IndexEntry
    pages: int
    is_new: bool
    """Whether it did not exist, or had other content."""


Result = tuple[list[WrittenSitemap], list[Finding]]
"""The sitemaps of a shard, and findings about pages that no file can contain."""


def by_shard(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield the rows of each shard from batches that are sorted by the column ``shard``."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        runs = pc.run_end_encode(batch.column("shard"), run_end_type=pa.int64())
        start = 0
        for end in runs.run_ends.to_pylist():
            if waiting and waiting[-1]["shard"][0] != batch["shard"][start]:
                yield pa.Table.from_batches(waiting)
                waiting = []
            waiting.append(batch.slice(start, end - start))
            start = end
    if waiting:
        yield pa.Table.from_batches(waiting)


def write_shard(rows: pa.Table, shards: list[Shard], destination: Destination) -> Result:
    """Create the sitemaps of a shard from the columns shard, url, lastmod and details.

    Names and content depend only on the pages, so a task can run again, or twice at the same time.
    """
    number = rows["shard"][0].as_py()
    settings = destination.settings
    render = partial(render_sitemap, settings=settings)
    suffix = ".xml.gz" if settings.gzip else ".xml"
    written = []
    too_large = []
    for part in _parts(rows, shards[number], settings.max_urls, render):
        if part.too_large:
            too_large.append(part.too_large)
            continue
        path = part.stem + suffix
        entry = IndexEntry(url=destination.site_url + path, lastmod=part.lastmod)
        is_new = destination.put(path, part.content)
        written.append(WrittenSitemap(entry, part.pages, is_new))
    return written, too_large


def _parts(
    rows: pa.Table,
    shard: Shard,
    most: int,
    render: Callable[[list[Page]], list[bytes] | None],
) -> Iterator[_Part]:
    """Yield the files of a shard, each when the one before it is written."""
    has_details = rows["details"].null_count < len(rows)
    if len(rows) <= most and not has_details:
        # Most shards are one file of URLs and dates. Rendering page by page would take three times
        # as long.
        elements = entries(rows["url"], rows["lastmod"]).to_pylist()
        content = urlset(["".join(elements).encode()])
        if sum(map(len, content)) <= MAX_BYTES:
            newest = pc.max(rows["lastmod"]).as_py()
            yield _Part(sections.part_stem(*shard), len(rows), newest, content)
            return
    section = Section(stem=shard.stem, pages=_pages(rows))
    for stem, pages, content in sections.split(section, shard.taken, render, shard.bits):
        newest = max((page.lastmod for page in pages if page.lastmod), default=None)
        too_large = None if content else entry_too_large(pages[0])
        yield _Part(stem, len(pages), newest, content, too_large)


def entries(urls: pa.StringArray, dates: pa.StringArray) -> pa.StringArray:
    """Return the ``<url>`` elements of normal URLs and their dates, as `render_url` does."""
    escaped = pc.replace_substring(urls, "&", "&amp;")
    escaped = pc.replace_substring(escaped, "'", "&apos;")
    dated = pc.binary_join_element_wise("<lastmod>", dates, "</lastmod>", "")
    dated = pc.fill_null(dated, "")
    return pc.binary_join_element_wise("<url><loc>", escaped, "</loc>", dated, "</url>\n", "")


def _pages(rows: pa.Table) -> list[Page]:
    urls = rows["url"].to_pylist()
    dates = rows["lastmod"].to_pylist()
    packed = rows["details"].to_pylist()
    pages = []
    for url, lastmod, details in zip(urls, dates, packed, strict=True):
        alternates, images = json.loads(details) if details else ((), ())
        pages.append(Page(url=url, lastmod=lastmod, alternates=alternates, images=images))
    return pages
