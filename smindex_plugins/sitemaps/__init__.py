"""The files: rendered, divided, put on disk and read again, with the robots.txt beside them."""

from smindex_plugins.sitemaps import output, robots, sections
from smindex_plugins.sitemaps.announcement import announce, no_mkdocs, service_findings, zensical_beside
from smindex_plugins.sitemaps.document import Document
from smindex_plugins.sitemaps.faults import FAULTS, MISSING_LOC, UNREADABLE_SITEMAP
from smindex_plugins.sitemaps.output import Changes
from smindex_plugins.sitemaps.reading import (
    INDEX_NAMES,
    USUAL_PATHS,
    index_files,
    is_index,
    numbered,
    read,
    read_file,
    unread,
)
from smindex_plugins.sitemaps.rendering import MARK, OutputError, name_indexes, render_sitemap
from smindex_plugins.sitemaps.robots import Consents, Robots, SitemapLine, is_url, read_consents
from smindex_plugins.sitemaps.sections import Section, newest_removals

__all__ = [
    "FAULTS",
    "INDEX_NAMES",
    "MARK",
    "MISSING_LOC",
    "UNREADABLE_SITEMAP",
    "USUAL_PATHS",
    "Changes",
    "Consents",
    "Document",
    "OutputError",
    "Robots",
    "Section",
    "SitemapLine",
    "announce",
    "index_files",
    "is_index",
    "is_url",
    "name_indexes",
    "newest_removals",
    "no_mkdocs",
    "numbered",
    "output",
    "read",
    "read_consents",
    "read_file",
    "render_sitemap",
    "robots",
    "sections",
    "service_findings",
    "unread",
    "zensical_beside",
]
