"""What the sitemaps protocol and its extensions are called, and how files are written in them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from smindex_plugins.model import Details, IndexEntry, News, Page, Video

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# By prefix, in the order in which they are declared and written:
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
NAMESPACES = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
}

# The mark by which this tool knows its own files again. It bears no version, so that an upgrade changes no byte.
MARK = b"<!-- Written by smindex-plugins -->"

JOINED = b"<!-- Joined from the directories below -->\n"
"""What stands in an index between the sitemaps of its own build and those of others, which come after it."""

_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n' + MARK + b"\n"
_URLSET_HEAD = _HEAD + b'<urlset xmlns="%s"%%s>\n' % NAMESPACE.encode()
URLSET_HEAD = _URLSET_HEAD % b""
"""Of a sitemap without extensions."""
URLSET_TAIL = b"</urlset>\n"
INDEX_HEAD = _HEAD + f'<sitemapindex xmlns="{NAMESPACE}">\n'.encode()
INDEX_TAIL = b"</sitemapindex>\n"

_MARKS = {prefix: f"<{prefix}:".encode() for prefix in NAMESPACES}
_PLAIN_ENDS = (b"</loc></url>\n", b"</lastmod></url>\n")
_PLAIN_TEXT = re.compile(r"[ -!#-%(-;=?-~]*")
# The characters that XML reserves.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})


def render_url(page: Page) -> bytes:
    """Return one ``<url>``, on a line of its own."""
    extended = _extensions(page.details) if page.details.is_extended else ""
    return _entry("url", page.url, page.lastmod, extended)


def render_entry(entry: IndexEntry) -> bytes:
    """Return one ``<sitemap>`` of an index, on a line of its own."""
    return _entry("sitemap", entry.url, entry.lastmod)


def urlset(rendered: Collection[bytes]) -> Iterator[bytes]:
    """Return a sitemap file of ``<url>`` elements, which declares the namespaces that they need, and no others."""
    extended = [entry for entry in rendered if not entry.endswith(_PLAIN_ENDS)]
    used = [prefix for prefix, mark in _MARKS.items() if any(mark in entry for entry in extended)]
    yield _URLSET_HEAD % "".join(f' xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in used).encode()
    yield from rendered
    yield URLSET_TAIL


def sitemapindex(rendered: Iterable[bytes]) -> Iterator[bytes]:
    """Return an index file of ``<sitemap>`` elements."""
    yield INDEX_HEAD
    yield from rendered
    yield INDEX_TAIL


def _entry(element: str, url: str, lastmod: str | None, extended: str = "") -> bytes:
    # A normalised URL holds no other character that XML reserves; the protocol wants both of these escaped.
    escaped = url.replace("&", "&amp;").replace("'", "&apos;")
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<{element}><loc>{escaped}</loc>{date}{extended}</{element}>\n".encode("ascii")


def _extensions(details: Details) -> str:
    links = (
        f'<xhtml:link rel="alternate" hreflang="{_escape(code)}" href="{_escape(url)}"/>'
        for code, url in details.alternates
    )
    images = (f"<image:image><image:loc>{_escape(url)}</image:loc></image:image>" for url in details.images)
    article = [_article(details.news)] if details.news else []
    return "".join([*links, *images, *map(_video, details.videos), *article])


def _video(video: Video) -> str:
    # In the order that the schema demands.
    values = {
        "thumbnail_loc": video.thumbnail,
        "title": video.title,
        "description": video.description,
        "content_loc": video.content,
        "player_loc": video.player,
        "duration": video.seconds,
        "publication_date": video.published,
    }
    return f"<video:video>{_elements('video', values)}</video:video>"


def _article(news: News) -> str:
    publication = _elements("news", {"name": news.publication.name, "language": news.publication.language})
    article = _elements("news", {"publication_date": news.published, "title": news.title})
    return f"<news:news><news:publication>{publication}</news:publication>{article}</news:news>"


def _elements(prefix: str, values: Mapping[str, str | int | None]) -> str:
    return "".join(
        f"<{prefix}:{name}>{_escape(str(value))}</{prefix}:{name}>"
        for name, value in values.items()
        if value is not None
    )


def _escape(text: str) -> str:
    if _PLAIN_TEXT.fullmatch(text):
        return text
    return text.translate(_ENTITIES).encode("ascii", "xmlcharrefreplace").decode()
