"""Reads when a rendered page says that it last changed: in a meta tag, or in its structured data
(JSON-LD).

Only checks compare this with sitemaps. Builds don't read it, because themes often write something
else than the date of the last change: the date of publication, or the time of the build.
"""

import json
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from lxml import etree

from smindex_plugins.base import urls
from smindex_plugins.base.dates import is_zero, w3c_date
from smindex_plugins.html.page import parse_up_to

MODIFIED_TIME, DATE_MODIFIED = "article:modified_time", "dateModified"
_WORDS = (MODIFIED_TIME.encode(), DATE_MODIFIED.encode())
_PUBLISHED_TIME, _DATE_PUBLISHED = "article:published_time", "datePublished"
# https://schema.org/WebPage, https://schema.org/Article and https://schema.org/SocialMediaPosting
# with the types below them. A WebSite, a Dataset or a SoftwareApplication has a date of its own.
_PAGE_ENDINGS = ("Page", "Article", "Posting")
_OTHER_PAGES = frozenset(
    {"APIReference", "CreativeWork", "HowTo", "LearningResource", "Recipe", "Report"}
)
_ADDRESSES = ("url", "mainEntityOfPage", "@id")
"""The properties that name the page of an object, the most reliable first."""


class SaidChange(NamedTuple):
    """When a page says that it last changed. Dates are in the format of `dates`."""

    date: str
    published: str
    """When it says that it was published, or an empty string."""
    by: str
    """The name of the tag or property."""


def said_changes(content: bytes, url: str) -> tuple[SaidChange, ...]:
    """Return when the page at a normalized URL says that it last changed, from each place that says
    so.

    Invalid dates, and dates that stand for none, are skipped.
    """
    page = parse_up_to(content, _WORDS)
    if page is None:
        return ()
    found = [*_from_metas(page), *_from_objects(page, url)]
    return tuple(each for each in found if each.date)


def _from_metas(page: etree._Element) -> Iterator[SaidChange]:
    metas: dict[str, str] = {}
    for meta in page.iter("meta"):
        name = meta.get("property") or meta.get("name") or ""
        metas.setdefault(name.strip().lower(), meta.get("content", ""))
    changed = _date(metas.get(MODIFIED_TIME))
    published = _date(metas.get(_PUBLISHED_TIME))
    yield SaidChange(changed, published, MODIFIED_TIME)


def _from_objects(page: etree._Element, url: str) -> list[SaidChange]:
    """Return what the objects about the page say: those with its address or else those without."""
    own: list[SaidChange] = []
    without_address: list[SaidChange] = []
    for given in _objects(page):
        changed = _date(given.get(DATE_MODIFIED))
        published = _date(given.get(_DATE_PUBLISHED))
        if not changed or not any(map(_is_page_type, _listed(given.get("@type")))):
            continue
        said = SaidChange(changed, published, DATE_MODIFIED)
        address = _address(given, url)
        if not address:
            without_address.append(said)
        elif _path(address) == _path(url):
            own.append(said)
    return own or without_address


def _objects(page: etree._Element) -> Iterator[dict[str, Any]]:
    """Yield the objects that can be about the whole page, but not those in lists, comments and
    other properties.
    """
    for script in page.iter("script"):
        kind, _, _ = script.get("type", "").partition(";")
        if kind.strip().lower() != "application/ld+json" or not script.text:
            continue
        try:
            data = json.loads(script.text, strict=False)
        except (ValueError, RecursionError):
            continue
        waiting = deque(_listed(data))
        while waiting:
            each = waiting.popleft()
            if not isinstance(each, dict):
                continue
            yield each
            waiting += _listed(each.get("@graph"))
            waiting += [each.get("mainEntity"), each.get("mainEntityOfPage")]


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_page_type(name: object) -> bool:
    if not isinstance(name, str):
        return False
    short = name.rpartition("/")[2].removeprefix("schema:")
    return short.endswith(_PAGE_ENDINGS) or short in _OTHER_PAGES


def _address(given: dict[str, Any], url: str) -> str:
    """Return the normalized address of the page that an object is about, or an empty string if it
    names none.
    """
    for key in _ADDRESSES:
        value = given.get(key)
        if isinstance(value, dict):
            value = value.get("@id") or value.get("url")
        if not isinstance(value, str) or not value.strip():
            continue
        if key == "@id" and not urls.is_url(value) and not value.startswith(("/", "#")):
            continue  # a name, such as `_:article`
        address = urls.normal(value, url)
        if address:
            return address
    return ""


def _path(url: str) -> str:
    """Return the path of a URL for comparison. A site can be built for another scheme or host."""
    return urls.bare(urls.path(url).partition("?")[0])


def _date(value: object) -> str:
    """Return a date in the format of `dates`, or an empty string."""
    if not isinstance(value, str):
        return ""
    date = w3c_date(value)
    return date if date and not is_zero(date) else ""
