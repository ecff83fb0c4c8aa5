"""What is wrong with files that were just written. They are read back and checked like any other."""

import os
from collections.abc import Iterator

from smindex_plugins import urls
from smindex_plugins.checks.indexes import Child
from smindex_plugins.checks.published import Blockable
from smindex_plugins.checks.registry import Selection
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import UNREADABLE_SITEMAP, Document, Robots, read_file

_SELECTION = Selection()


def check_written(
    directory: str,
    base: str,
    index_filename: str,
    proven: frozenset[str] = frozenset(),
    robots: Robots = Robots(),  # noqa: B008 - nobody changes it
) -> Iterator[Finding]:
    """Yield what is wrong with a new index and its sitemaps, each file by itself.

    Problems that only a comparison of files shows, such as a URL that is listed twice, cannot occur here. ``proven``
    are other origins that agree to have their pages listed. ``robots`` is the site's own robots.txt as crawlers read
    it.
    """
    index = read_file(os.path.join(directory, index_filename), Document(url=base + index_filename, proven=proven))
    if index.kind == "urlset":
        index.add(UNREADABLE_SITEMAP, 0, "it cannot be read as an index: it is a sitemap.")
    yield from _judge(index, robots)
    for position, url in enumerate(index.urls if index.kind == "sitemapindex" else ()):
        path = urls.find_file(directory, base, url)
        if path is None and not urls.is_within(url, base):
            continue
        sitemap = Document(url=url, lastmod=index.dates[position], proven=proven)
        if path is not None:
            read_file(os.path.join(directory, path), sitemap)
        is_index = sitemap.kind == "sitemapindex"
        child = Child(
            where=index.where, file="", line=index.line(position), url=url, is_missing=path is None, is_index=is_index
        )
        yield from _SELECTION.judge(child)
        if not is_index:
            yield from _judge(sitemap, robots)


def _judge(document: Document, robots: Robots) -> Iterator[Finding]:
    yield from _SELECTION.judge(document)
    if robots.blocks_any:
        yield from _SELECTION.judge(Blockable(document=document, robots=robots))
