"""The files: rendered, divided, put on disk and read again, with the robots.txt beside them."""

from smindex_plugins.sitemaps.document import INDEX_NAMES, USUAL_PATHS, Document, index_files, numbered
from smindex_plugins.sitemaps.faults import FAULTS, MISSING_LOC, UNREADABLE_SITEMAP
from smindex_plugins.sitemaps.reading import is_index, read, read_file
from smindex_plugins.sitemaps.xml import MARK

__all__ = [
    "FAULTS",
    "INDEX_NAMES",
    "MARK",
    "MISSING_LOC",
    "UNREADABLE_SITEMAP",
    "USUAL_PATHS",
    "Document",
    "index_files",
    "is_index",
    "numbered",
    "read",
    "read_file",
]
