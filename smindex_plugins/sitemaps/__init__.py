"""Renders, splits, writes and reads sitemap files, and the robots.txt next to them."""

from smindex_plugins.sitemaps import output, robots, sections
from smindex_plugins.sitemaps.announcement import (
    Announcement,
    announce,
    blocked_pages,
    next_steps,
    service_findings,
)
from smindex_plugins.sitemaps.document import Document, Entry, newest_date, usable_date
from smindex_plugins.sitemaps.flat import align
from smindex_plugins.sitemaps.output import Changes
from smindex_plugins.sitemaps.reading import (
    INDEX_NAMES,
    USUAL_PATHS,
    index_files,
    is_index,
    is_sitemap,
    numbered,
    read,
    unread,
)
from smindex_plugins.sitemaps.rendering import (
    MARK,
    PEEKED,
    OutputError,
    is_marked,
    name_indexes,
    render_sitemap,
    render_url,
    urlset,
)
from smindex_plugins.sitemaps.robots import Consents, Robots, is_url, read_consents
from smindex_plugins.sitemaps.sections import Section, newest_removals

__all__ = [
    "INDEX_NAMES",
    "MARK",
    "PEEKED",
    "USUAL_PATHS",
    "Announcement",
    "Changes",
    "Consents",
    "Document",
    "Entry",
    "OutputError",
    "Robots",
    "Section",
    "align",
    "announce",
    "blocked_pages",
    "index_files",
    "is_index",
    "is_marked",
    "is_sitemap",
    "is_url",
    "name_indexes",
    "newest_date",
    "newest_removals",
    "next_steps",
    "numbered",
    "output",
    "read",
    "read_consents",
    "render_sitemap",
    "render_url",
    "robots",
    "sections",
    "service_findings",
    "unread",
    "urlset",
    "usable_date",
]
