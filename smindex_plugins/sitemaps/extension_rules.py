"""What Google requires of the images, videos and articles in an entry.

The rules: https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
and https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
and https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap,
and for the elements that these no longer describe, the schemas in https://www.google.com/schemas/sitemap-video/1.1/
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from smindex_plugins import catalogue, urls
from smindex_plugins.catalogue import Kind
from smindex_plugins.dates import read_w3c
from smindex_plugins.limits import MAX_VIDEO_SECONDS
from smindex_plugins.sitemaps.document import Element
from smindex_plugins.sitemaps.rendering import NAMESPACES

EXTENSIONS = {f"{NAMESPACES[name]} {name}": name for name in ("image", "news", "video")}
_SHOWN = 100
"""How many characters of a value a message repeats."""


class Part(NamedTuple):
    """One element inside an image, a video or an article."""

    text: str
    attributes: Mapping[str, str]
    parent: str
    """The name of the element that contains it, if that is another part."""


Parts = Mapping[str, Sequence[Part]]
"""The elements by name, without prefix."""

Wrong = Iterator[tuple[Kind, str, str]]
"""What is wrong with an extension: the kind, the problem, and the fix, which is empty if the kind's own is right."""


class Value(NamedTuple):
    """What the text of an element may be: a test, and a fix in words."""

    accepts: Callable[[str], object]
    fix: str


def _one_of(*words: str) -> Value:
    return Value(words.__contains__, f"Write {', '.join(words[:-1])} or {words[-1]}.")


def _at_most(most: int) -> Value:
    return Value(lambda text: len(text) <= most, f"Write at most {most:,} characters.")


def _matching(pattern: str, fix: str) -> Value:
    return Value(re.compile(pattern, re.ASCII).fullmatch, fix)


def _is_url(text: str) -> bool:
    """Whether a text is a URL that can be fetched."""
    try:
        urls.normalise(text)
    except ValueError:
        return False
    return len(text.split()) == 1


_SEVERAL = ("tag", "price", "content_segment_loc", "id")
_ANY = Value(lambda _: True, "")
_URL = Value(_is_url, "Write an absolute http or https URL.")
_DATE = Value(lambda text: not read_w3c(text)[1], "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
_YES_OR_NO = Value(lambda text: text.lower() in {"yes", "no"}, "Write yes or no.")
# https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions
_RETIRED = {
    "image": ("caption", "geo_location", "title", "license"),
    "video": ("category", "gallery_loc", "price", "tvshow"),
    "news": (),
}
_RETIRED_ATTRIBUTES = {"allow_embed", "autoplay"}

_VALUES: dict[str, dict[str, Value]] = {
    "image": {"loc": _URL, **dict.fromkeys(_RETIRED["image"], _ANY)},
    "news": {
        **dict.fromkeys(("publication", "name", "title", "genres", "keywords"), _ANY),
        "language": _matching(r"[a-z]{2,3}|zh-cn|zh-tw", "Write a language of ISO 639, such as en, or zh-cn or zh-tw."),
        "publication_date": _DATE,
        "access": _one_of("Subscription", "Registration"),
        "stock_tickers": _matching(
            r"([\w.]+:[\w.-]+(, *[\w.]+:[\w.-]+){0,4})?", "Write at most five, such as NASDAQ:AMAT."
        ),
    },
    "video": {
        **dict.fromkeys(("thumbnail_loc", "content_loc", "player_loc"), _URL),
        **dict.fromkeys(("title", "description", "gallery_loc", "tvshow", "show_title", "episode_title"), _ANY),
        **dict.fromkeys(_SEVERAL, _ANY),
        "duration": Value(
            lambda text: text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MAX_VIDEO_SECONDS,
            f"Write whole seconds, from 1 to {MAX_VIDEO_SECONDS:,}, or leave it out.",
        ),
        "expiration_date": _DATE,
        "rating": _matching(r"[0-4](\.\d+)?|5(\.0+)?", "Write a number from 0.0 to 5.0."),
        "view_count": _matching(r"\d+", "Write a whole number."),
        "publication_date": _DATE,
        "family_friendly": _YES_OR_NO,
        "restriction": _matching(
            r"([A-Z]{2}( +[A-Z]{2})*)?", "Write country codes of two capitals with spaces between them, such as DE AT."
        ),
        "platform": _matching(
            r"((web|mobile|tv)( +(web|mobile|tv))*)?",
            "Write one or more of web, mobile and tv, with spaces between them.",
        ),
        **dict.fromkeys(("requires_subscription", "live"), _YES_OR_NO),
        "category": _at_most(256),
        "uploader": _at_most(255),
        "video_type": _one_of("full", "preview", "clip", "interview", "news", "other"),
        **dict.fromkeys(("season_number", "episode_number"), _matching(r"[1-9]\d*", "Write a whole number from 1.")),
        "premier_date": _DATE,
    },
}
"""The elements of an image, an article and a video, with the values that they accept."""

_NEEDED = {
    "image": ("loc",),
    "news": ("name", "language", "publication_date", "title"),
    "video": ("thumbnail_loc", "title", "description"),
}
_WHAT = {"image": "an image", "news": "an article", "video": "a video"}
_MISSING_IF_EMPTY = {"loc", "thumbnail_loc", "content_loc", "player_loc", "language", "publication_date"}
_OF_A_SHOW = ("show_title", "video_type", "episode_title", "season_number", "episode_number", "premier_date")
_PARENTS = {"name": "publication", "language": "publication", **dict.fromkeys(_OF_A_SHOW, "tvshow")}

# By element and attribute: whether it has to be there, and what it may say.
_ATTRIBUTES: dict[tuple[str, str], tuple[bool, Value]] = {
    ("restriction", "relationship"): (True, _one_of("allow", "deny")),
    ("platform", "relationship"): (True, _one_of("allow", "deny")),
    ("price", "currency"): (True, _matching(r"[A-Z]{3}", "Write a currency code of ISO 4217, such as EUR.")),
    ("price", "type"): (False, _one_of("rent", "purchase", "RENT", "PURCHASE")),
    ("price", "resolution"): (False, _one_of("hd", "sd", "HD", "SD")),
    ("player_loc", "allow_embed"): (False, _YES_OR_NO),
    ("uploader", "info"): (False, _URL),
}


def extension_faults(extension: Element, page: str) -> Wrong:
    """Yield what is wrong with the image, video or article of a page with a URL as written."""
    if _is_plain_image(extension):
        return
    prefix, found = EXTENSIONS[extension.name], parts(extension)
    yield from _unknown(prefix, found)
    yield from _missing(prefix, found)
    yield from _values(prefix, found)
    if prefix == "video":
        yield from _attributes(found)
        yield from _play_page(found, page)


def retired(extension: Element) -> Iterator[str]:
    """Yield the tags and attributes of an image, a video or an article that Google no longer reads."""
    prefix = EXTENSIONS[extension.name]
    for name, found in parts(extension).items():
        for part in found:
            if name in _RETIRED[prefix]:
                yield f"<{prefix}:{name}>"
            elif name == "player_loc":
                yield from _RETIRED_ATTRIBUTES & part.attributes.keys()


def _is_plain_image(extension: Element) -> bool:
    """Whether it is an image with only a URL, as nearly all are."""
    loc = extension.children[0] if len(extension.children) == 1 else extension
    is_loc = loc.name == f"{extension.namespace} loc" and not loc.children
    return EXTENSIONS[extension.name] == "image" and is_loc and _is_url(loc.text.strip())


def parts(extension: Element) -> Parts:
    """Return the parts of an image, a video or an article that have its namespace."""
    found: dict[str, list[Part]] = {}
    waiting = [(child, "") for child in reversed(extension.children)]
    while waiting:
        element, parent = waiting.pop()
        if element.namespace == extension.namespace:
            found.setdefault(element.local, []).append(Part(element.text.strip(), element.attributes, parent))
        waiting += [(child, element.local) for child in reversed(element.children)]
    return found


def text(parts: Parts, name: str) -> str:
    """Return the text of the first element of a name."""
    return parts[name][0].text if parts.get(name) else ""


def _unknown(prefix: str, parts: Parts) -> Wrong:
    for name, elements in parts.items():
        parent = _PARENTS.get(name, "")
        if name not in _VALUES[prefix]:
            yield catalogue.UNKNOWN_TAG, f"there is no element <{prefix}:{name[:_SHOWN]}>.", ""
        elif any(element.parent != parent for element in elements):
            problem = f"<{prefix}:{name}> is not inside <{prefix}:{parent or prefix}>."
            yield catalogue.UNKNOWN_TAG, problem, "Put it there."
        elif len(elements) > 1 and name not in _SEVERAL:
            yield catalogue.REPEATED_TAG, f"one <{prefix}:{prefix}> has more than one <{prefix}:{name}>.", ""


def _missing(prefix: str, parts: Parts) -> Wrong:
    needed = _NEEDED[prefix]
    if prefix == "news" and "publication" not in parts:
        needed = ("publication_date", "title")
        yield catalogue.MISSING_TAG, "an article has no <news:publication>.", "Add it, with its name and language."
    for name in needed:
        if not text(parts, name):
            yield catalogue.MISSING_TAG, f"{_WHAT[prefix]} has no <{prefix}:{name}>.", ""
    if prefix == "video" and not text(parts, "content_loc") and not text(parts, "player_loc"):
        yield catalogue.MISSING_TAG, "a video has no <video:content_loc> or <video:player_loc>.", "Add one."


def _values(prefix: str, parts: Parts) -> Wrong:
    for name, value in _VALUES[prefix].items():
        for element in parts.get(name, ()):
            # What is empty is missing, where it is needed; where it is not, it has no right value.
            if (element.text or name not in _MISSING_IF_EMPTY) and not value.accepts(element.text):
                problem = f"the <{prefix}:{name}> of {_WHAT[prefix]} is {element.text[:_SHOWN]!r}."
                yield catalogue.INVALID_MEDIA_URL if value is _URL else catalogue.INVALID_VALUE, problem, value.fix


def _attributes(parts: Parts) -> Wrong:
    for (name, attribute), (is_needed, value) in _ATTRIBUTES.items():
        for element in parts.get(name, ()):
            said = element.attributes.get(attribute)
            if said is None and is_needed:
                problem = f"a <video:{name}> has no attribute {attribute}."
                yield catalogue.INVALID_ATTRIBUTE, problem, f"Add it. {value.fix}"
            elif said is not None and not value.accepts(said):
                problem = f"a <video:{name}> has the attribute {attribute}={said[:_SHOWN]!r}."
                yield catalogue.INVALID_ATTRIBUTE, problem, value.fix


def _play_page(parts: Parts, page: str) -> Wrong:
    for name in ("content_loc", "player_loc"):
        url = text(parts, name)
        if url and _is_url(url) and _is_url(page) and urls.normalise(url) == urls.normalise(page):
            fix = "Write the URL of the video's file, or of a player that shows only the video."
            yield catalogue.VIDEO_IS_ITS_PAGE, f"a video names its own page, {url[:_SHOWN]}, as <video:{name}>.", fix
        elif name == "content_loc" and url.partition("?")[0].lower().endswith((".html", ".htm", ".swf")):
            fix = "Write the URL of the video's file. The URL of a player belongs in <video:player_loc>."
            yield catalogue.VIDEO_IS_ITS_PAGE, f"a video names the page {url[:_SHOWN]} as <video:{name}>.", fix
