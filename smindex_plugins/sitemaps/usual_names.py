"""Under which names generators write what lists all pages of a site."""

import re
from collections.abc import Collection

INDEX_NAMES = tuple(
    name + suffix
    for name in (
        "sitemap_index.xml",
        "sitemap-index.xml",
        "sitemapindex.xml",
        "sitemap.xml",
        "wp-sitemap.xml",
        "sitemaps.xml",
        "sitemap.txt",
    )
    for suffix in ("", ".gz")
)
"""The likeliest first."""

USUAL_PATHS = ("sitemap_index.xml", "sitemap-index.xml", "sitemapindex.xml", "sitemap.xml", "wp-sitemap.xml")
"""Those that a site on the web is asked for."""


def index_files(names: Collection[str], index_filename: str = INDEX_NAMES[0]) -> list[str]:
    """Return those of the names of a directory's files that list its pages.

    That is one file, or the numbered indexes (``sitemap_index-1.xml``) of a site where one index cannot list all.
    """
    for name in dict.fromkeys([index_filename, *INDEX_NAMES]):
        if name in names:
            return [name]
        if "index" in name and name.endswith(".xml") and (several := numbered(names, name)):
            return several
    return []


def numbered(names: Collection[str], index_filename: str) -> list[str]:
    """Choose the numbered files of a name, in the order of their numbers."""
    pattern = re.compile(re.escape(index_filename.removesuffix(".xml")) + r"-(\d+)\.xml")
    found = {name: int(match[1]) for name in names if (match := pattern.fullmatch(name))}
    return sorted(found, key=found.__getitem__)
