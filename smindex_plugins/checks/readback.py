"""What is wrong with files that were just written: they are read back, and judged by the checks of the command."""

import os
from collections.abc import Iterator

from smindex_plugins import urls
from smindex_plugins.checks.indexes import Child
from smindex_plugins.checks.registry import Selection
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import UNREADABLE_SITEMAP, Document, read_file

_SELECTION = Selection(Selection().names - {"old-news"})
"""All checks of a file but one: which articles are new was decided by the clock when they were chosen."""


def check_written(
    directory: str, base: str, index_filename: str, proven: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """Judge an index that was just written and its sitemaps, each file by itself.

    Nothing can go wrong that only all files together tell, such as a URL that is listed twice. ``proven`` are other
    origins that agree to have their pages listed.
    """
    index = read_file(os.path.join(directory, index_filename), Document(url=base + index_filename))
    if index.kind == "urlset":
        index.add(UNREADABLE_SITEMAP, 0, "it cannot be read as an index: it is a sitemap.")
    yield from _SELECTION.judge(index)
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
            yield from _SELECTION.judge(sitemap)
