"""What becomes of one row: its URL in normal form, its date, its variants and images, and what is wrong with them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from smindex_plugins import patterns, urls
from smindex_plugins.dates import is_future, w3c_date, written
from smindex_plugins.limits import MAX_IMAGES, MAX_URL_LENGTH
from smindex_plugins.pages import Reason, is_hreflang
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import sections


class Fault(StrEnum):
    """What is wrong with rows, in words that follow a count; `Reason` has those that pages have too."""

    NO_URL = "without a URL"
    INVALID_URL = "with something that is no URL of a page"
    DUPLICATE = "at the URL of another row"
    UNREADABLE_DATE = "with a date that cannot be read"
    FUTURE_DATE = "with a date in the future"
    WRONG_DETAILS = "with a wrong language variant or image"


class Judged(NamedTuple):
    """What became of a value: what is left of it, if anything, and what is wrong with it, if anything is."""

    value: str | None
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What rows are judged by. It is small and can be pickled, so that workers have it."""

    site_url: str
    """The normal URL of the site's directory, with its trailing slash."""
    settings: Settings
    now: datetime
    """No date lies after it."""

    def url(self, given: str | None) -> Judged:
        """Return the normal form of a row's URL, if it can be listed."""
        if not given or not given.strip():
            return Judged(None, Fault.NO_URL)
        try:
            url = urls.normalise(given)
        except ValueError:
            return Judged(None, Fault.INVALID_URL)
        if len(url) > MAX_URL_LENGTH:
            return Judged(None, Reason.LONG_URL)
        return Judged(url) if urls.is_within(url, self.site_url) else Judged(None, Reason.OUT_OF_SCOPE)

    def why_left_out(self, url: str) -> str | None:
        """Return why a normal URL is not to be listed, as `pages` says it of any page."""
        path = urls.relative_path(url, self.site_url)
        if urls.is_error_page(path):
            return Reason.ERROR_PAGE
        return Reason.EXCLUDED if patterns.matches(path, self.settings.exclude) else None

    def section(self, url: str) -> str | None:
        """Return the user's own section of a normal URL."""
        return sections.first_named(urls.relative_path(url, self.site_url), self.settings.sections)

    def date(self, given: str | None) -> Judged:
        """Return the date of a row as sitemaps write it."""
        if not given or self.settings.lastmod == "off":
            return Judged(None)
        lastmod = w3c_date(given)
        if lastmod is None:
            return Judged(None, Fault.UNREADABLE_DATE)
        if is_future(lastmod, self.now):
            return Judged(None, Fault.FUTURE_DATE)
        return Judged(written(lastmod, self.settings.lastmod_format))

    def details(self, alternates: object, images: object) -> Judged:
        """Return variants and images in the one form in which engines keep them, as `unpack` reads it."""
        wrong: list[object] = []
        variants = sorted({*_variants(alternates, wrong)})
        shown = [*_images(images, wrong)]
        wrong += shown[MAX_IMAGES:]
        packed = json.dumps([variants, shown[:MAX_IMAGES]], ensure_ascii=False, separators=(",", ":"))
        return Judged(packed if variants or shown else None, Fault.WRONG_DETAILS if wrong else None)


def unpack(packed: str | None) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return variants and images as a page has them."""
    alternates, images = json.loads(packed) if packed else ((), ())
    return tuple((code, url) for code, url in alternates), tuple(images)


def _variants(given: object, wrong: list[object]) -> Iterator[tuple[str, str]]:
    for pair in _pairs(given, wrong):
        code, target = pair
        url = urls.normal(target) if isinstance(target, str) else ""
        if isinstance(code, str) and url and is_hreflang(code):
            yield code, url
        elif target is not None:  # a column for each language is empty where there is no variant
            wrong.append(pair)


def _pairs(given: object, wrong: list[object]) -> Iterable[tuple[Any, Any]]:
    """Return codes and URLs of a map, whatever it is to an engine: an object, a list of pairs, or JSON."""
    value = _read(given, wrong)
    if isinstance(value, Mapping):
        return value.items()
    if isinstance(value, list) and all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in value):  # noqa: PLR2004 - a pair
        return [(code, url) for code, url in value]
    wrong += [value] if value else []
    return ()


def _images(given: object, wrong: list[object]) -> Iterator[str]:
    value = _read(given, wrong)
    wrong += [value] if value and not isinstance(value, list) else []
    for url in value if isinstance(value, list) else ():
        if isinstance(url, str) and urls.normal(url):
            yield urls.normal(url)
        else:
            wrong.append(url)


def _read(given: object, wrong: list[object]) -> object:
    if not isinstance(given, str) or not given:
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        wrong.append(given)
        return None
