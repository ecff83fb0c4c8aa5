"""What an entry of a sitemap says beside its URL and date: language variants, images, videos, and news."""

import re
from collections.abc import Collection, Iterator, Mapping

from smindex_plugins.model import Details, News, Video

# By prefix, in the order in which they are declared and written:
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
NAMESPACES = {
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
}
_MARKS = {prefix: f"<{prefix}:".encode() for prefix in NAMESPACES}
_PLAIN_ENDS = (b"</loc></url>\n", b"</lastmod></url>\n")
_PLAIN_TEXT = re.compile(r"[ -!#-%(-;=?-~]*")
# The characters that XML reserves.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})


def render(details: Details) -> str:
    """Write what follows an entry's ``<loc>`` and ``<lastmod>``."""
    return "".join(
        [
            *(_render_alternate(code, url) for code, url in details.alternates),
            *map(_render_image, details.images),
            *map(_render_video, details.videos),
            *_render_news(details.news),
        ]
    )


def declarations(rendered: Collection[bytes]) -> str:
    """Give the attributes that declare the namespaces which rendered entries need, and no others."""
    extended = [entry for entry in rendered if not entry.endswith(_PLAIN_ENDS)]
    return "".join(
        f' xmlns:{prefix}="{NAMESPACES[prefix]}"'
        for prefix, mark in _MARKS.items()
        if any(mark in entry for entry in extended)
    )


def _render_alternate(code: str, url: str) -> str:
    return f'<xhtml:link rel="alternate" hreflang="{_escape(code)}" href="{_escape(url)}"/>'


def _render_image(url: str) -> str:
    return f"<image:image><image:loc>{_escape(url)}</image:loc></image:image>"


def _render_video(video: Video) -> str:
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


def _render_news(news: News | None) -> Iterator[str]:
    if news is not None:
        publication = _elements("news", {"name": news.publication.name, "language": news.publication.language})
        article = _elements("news", {"publication_date": news.published, "title": news.title})
        yield f"<news:news><news:publication>{publication}</news:publication>{article}</news:news>"


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
