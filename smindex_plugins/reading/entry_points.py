"""The usual names of indexes and sitemaps, which are the first files to read."""

from collections.abc import Collection

from smindex_plugins.writing.names import numbered

USUAL_PATHS = ("sitemap_index.xml", "sitemap-index.xml", "sitemapindex.xml", "sitemap.xml", "wp-sitemap.xml")
"""The usual paths of an index or sitemap on the web, the most likely first."""

INDEX_NAMES = tuple(name + end for name in (*USUAL_PATHS, "sitemaps.xml", "sitemap.txt") for end in ("", ".gz"))
"""The usual names of an index in a directory, the most likely first."""


def index_files(names: Collection[str], index_filename: str = INDEX_NAMES[0]) -> list[str]:
    """Return the files that list a directory's pages, chosen from its file names.

    This is one file, or the numbered indexes (``sitemap_index-1.xml``) of a site with too many sitemaps for one index.
    """
    for name in dict.fromkeys([index_filename, *INDEX_NAMES]):
        if name in names:
            return [name]
        if "index" in name and name.endswith(".xml") and (several := numbered(names, name)):
            return several
    return []
