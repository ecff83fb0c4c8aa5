"""The names of the protocol and of sitemap files, and the marks that identify files from their
first bytes.
"""

import html
import re
from collections.abc import Collection

from smindex_plugins.base import files

ROBOTS = "robots.txt"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# By prefix, in the order in which they are declared and written:
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
NAMESPACES = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
}

MARK = b"<!-- Written by smindex-plugins -->"
"""The mark that identifies files of this tool. It has no version, to keep files unchanged by
upgrades."""

JOINED = b"<!-- Joined from the directories below -->\n"
"""The mark in an index between the sitemaps of its own build and the sitemaps of other builds after
it."""

PEEKED = 4096
"""How many bytes of a file are enough to identify it."""

_LOC = re.compile(r"<loc>([^<]*)</loc>")
_ROOT = re.compile(rb"<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>/]")


def is_marked(start: bytes) -> bool:
    """Whether the start of a file, which may be compressed, contains the mark."""
    return MARK in files.unpacked(start, 200)[:200]


def own_locs(index: bytes) -> list[str] | None:
    """Return the URLs in an index of this tool, without joined ones, or None if the file was
    cut.
    """
    if b"</sitemapindex>" not in index:
        return None
    own = index.partition(JOINED)[0].decode("utf-8", "replace")
    return [html.unescape(url) for url in _LOC.findall(own)]


def is_index(path: str) -> bool:
    """Whether a file is an index, by its first kilobytes. Files are read in full only once."""
    return b"<sitemapindex" in _start(path)


def is_sitemap(path: str) -> bool:
    """Whether a file is a sitemap or an index of any tool, by its name and its first kilobytes."""
    return path.lower().endswith((".xml", ".xml.gz")) and _ROOT.search(_start(path)) is not None


def numbered(names: Collection[str], index_filename: str) -> list[str]:
    """Return the numbered files with a name, ordered by number."""
    stem = re.escape(index_filename.removesuffix(".xml"))
    pattern = re.compile(stem + r"-(\d+)\.xml")
    found: dict[str, int] = {}
    for name in names:
        match = pattern.fullmatch(name)
        if match:
            found[name] = int(match[1])
    return sorted(found, key=found.__getitem__)


def _start(path: str) -> bytes:
    try:
        return files.unpacked(files.read(path, PEEKED), PEEKED)
    except OSError:
        return b""
