"""Google's requirements for images, videos and articles in an entry.

The rules: https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
and https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
and https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lxml import etree

from smindex_plugins.base import catalogue, urls
from smindex_plugins.base.catalogue import Kind
from smindex_plugins.base.dates import read_w3c
from smindex_plugins.base.limits import MAX_VIDEO_SECONDS
from smindex_plugins.writing.names import NAMESPACES

Fault = tuple[Kind, str, str]
"""A kind of finding, the problem, and the fix, which is empty to use the kind's own."""

EXTENSIONS = {f"{{{NAMESPACES[name]}}}{name}": name for name in ("image", "news", "video")}
_SHOWN = 100
"""How many characters of a value a message repeats."""


class Value(NamedTuple):
    """The accepted values of an element: a test, and the text of the fix."""

    accepts: Callable[[str], object]
    fix: str


def _matching(pattern: str, fix: str) -> Value:
    return Value(re.compile(pattern, re.ASCII).fullmatch, fix)


_ANY = Value(lambda _: True, "")
_RETIRED = Value(lambda _: True, "Google no longer reads it.")
_URL = Value(
    lambda text: urls.normal(text) and len(text.split()) == 1,
    "Write an absolute http or https URL.",
)
_DATE = Value(lambda text: not read_w3c(text)[1], "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
_YES_OR_NO = _matching("(?i:yes|no)", "Write yes or no.")

_TAGS: dict[str, dict[str, Value]] = {
    "image": {
        "loc": _URL,
        **dict.fromkeys(("caption", "geo_location", "title", "license"), _RETIRED),
    },
    "news": {
        **dict.fromkeys(("publication", "name", "title"), _ANY),
        "language": _matching(
            r"[a-z]{2,3}|zh-cn|zh-tw", "Write an ISO 639 code such as en, or zh-cn or zh-tw."
        ),
        "publication_date": _DATE,
        **dict.fromkeys(("access", "genres", "keywords", "stock_tickers"), _RETIRED),
    },
    "video": {
        **dict.fromkeys(("thumbnail_loc", "content_loc", "player_loc"), _URL),
        **dict.fromkeys(
            ("title", "description", "tag", "uploader", "content_segment_loc", "id"), _ANY
        ),
        "duration": Value(
            lambda text: (
                text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MAX_VIDEO_SECONDS
            ),
            f"Write whole seconds, from 1 to {MAX_VIDEO_SECONDS:,}, or omit it.",
        ),
        **dict.fromkeys(("expiration_date", "publication_date"), _DATE),
        "rating": _matching(r"[0-4](\.\d+)?|5(\.0+)?", "Write a number from 0.0 to 5.0."),
        "view_count": _matching(r"\d+", "Write a whole number."),
        **dict.fromkeys(("family_friendly", "requires_subscription", "live"), _YES_OR_NO),
        "restriction": _matching(
            r"([A-Z]{2}( +[A-Z]{2})*)?",
            "Write country codes in capitals, separated by spaces, such as DE AT.",
        ),
        "platform": _matching(
            r"((web|mobile|tv)( +(web|mobile|tv))*)?",
            "Write one or more of web, mobile and tv, separated by spaces.",
        ),
        **dict.fromkeys(
            ("category", "gallery_loc", "price", "tvshow", "show_title", "episode_title"), _RETIRED
        ),
        **dict.fromkeys(
            ("video_type", "season_number", "episode_number", "premier_date"), _RETIRED
        ),
    },
}
"""The elements of an image, an article and a video, with their accepted values."""
_SEVERAL = {"tag", "price", "content_segment_loc", "id"}
_NEEDED = {
    "image": ("loc",),
    "news": ("publication", "name", "language", "publication_date", "title"),
    "video": ("thumbnail_loc", "title", "description"),
}
_WHAT = {"image": "an image", "news": "an article", "video": "a video"}
_RETIRED_ATTRIBUTES = ("allow_embed", "autoplay")


class Extension:
    """An image, an article or a video of an entry."""

    def __init__(self, element: etree._Element) -> None:
        self.kind = EXTENSIONS[str(element.tag)]
        self._parts: dict[str, list[etree._Element]] = defaultdict(list)
        """The elements in it with its namespace, by name."""
        any_name = f"{{{NAMESPACES[self.kind]}}}*"
        for part in element.iterdescendants(any_name):
            name = etree.QName(part).localname
            self._parts[name].append(part)

    def text(self, name: str) -> str:
        """Return the text of the first part with a name, or an empty string."""
        if name not in self._parts:
            return ""
        return _text(self._parts[name][0])

    def faults(self, page: str) -> Iterator[Fault]:
        """Yield its problems on a page with a normalized URL."""
        kind = self.kind
        what = _WHAT[kind]
        needed = _NEEDED[kind]
        for name, parts in self._parts.items():
            value = _TAGS[kind].get(name)
            if value is None:
                problem = f"there is no such element as <{kind}:{name[:_SHOWN]}>."
                yield catalogue.UNKNOWN_TAG, problem, ""
                continue
            if len(parts) > 1 and name not in _SEVERAL:
                problem = f"one <{kind}:{kind}> has more than one <{kind}:{name}>."
                yield catalogue.REPEATED_TAG, problem, ""
            for part in parts:
                text = _text(part)
                is_missing = not text and name in needed
                if not is_missing and not value.accepts(text):
                    problem = f"the <{kind}:{name}> of {what} is {text[:_SHOWN]!r}."
                    if value is _URL:
                        yield catalogue.INVALID_MEDIA_URL, problem, value.fix
                    else:
                        yield catalogue.INVALID_VALUE, problem, value.fix
        for name in needed:
            if not self.text(name):
                yield catalogue.MISSING_TAG, f"{what} has no <{kind}:{name}>.", ""
        if kind == "video":
            yield from self._video_faults(page)

    def retired(self) -> Iterator[str]:
        """Yield its tags and attributes that Google no longer reads.

        See https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
        """
        values = _TAGS[self.kind]
        for name, parts in self._parts.items():
            if values.get(name) is _RETIRED:
                for _ in parts:
                    yield f"<{self.kind}:{name}>"
        for player in self._parts.get("player_loc", []):
            for name in _RETIRED_ATTRIBUTES:
                if name in player.attrib:
                    yield f"attribute {name}"

    def _video_faults(self, page: str) -> Iterator[Fault]:
        if not self.text("content_loc") and not self.text("player_loc"):
            problem = "a video has no <video:content_loc> or <video:player_loc>."
            yield catalogue.MISSING_TAG, problem, "Add one."
        for name in ("restriction", "platform"):
            for part in self._parts.get(name, []):
                relationship = part.get("relationship")
                if relationship in {"allow", "deny"}:
                    continue
                given = "no attribute relationship"
                if relationship:
                    given = f"the attribute relationship={relationship!r}"
                problem = f"a <video:{name}> has {given}."
                yield catalogue.INVALID_ATTRIBUTE, problem, "Write allow or deny."
        for name in ("content_loc", "player_loc"):
            url = self.text(name)
            path = url.partition("?")[0].lower()
            if page and urls.normal(url) == page:
                fix = "Write the URL of the video file, or of a player that shows only the video."
                problem = f"a video gives its own page, {url[:_SHOWN]}, as <video:{name}>."
                yield catalogue.VIDEO_IS_ITS_PAGE, problem, fix
            elif name == "content_loc" and path.endswith((".html", ".htm", ".swf")):
                fix = (
                    "Write the URL of the video file. The URL of a player belongs in"
                    " <video:player_loc>."
                )
                problem = f"a video gives the page {url[:_SHOWN]} as <video:{name}>."
                yield catalogue.VIDEO_IS_ITS_PAGE, problem, fix


def _text(element: etree._Element) -> str:
    if len(element):
        return "".join(element.itertext()).strip()
    return (element.text or "").strip()
