"""Interprets the directives of robots meta tags and X-Robots-Tag headers.

The rules: https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
"""

import re
from datetime import UTC, datetime

CRAWLERS = frozenset({"robots", "googlebot"})
"""The names of the meta tags that apply: to all crawlers, and to Google Search."""
_FORBIDDING = frozenset({"noindex", "none"})
_VALUED = frozenset({"max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"})
"""Directives followed by a colon, like the names of crawlers."""
_ENDED = re.compile(r"unavailable_after\s*:\s*(.{6,40})\Z")
_WEEKDAY = re.compile(r"(?<=after)\s{0,9}:\s{0,9}(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},")
"""The possible starts of a date, whose comma does not separate directives."""
_CRAWLER = re.compile(r"\s*([a-z][^\s:]*)\s*:")


def forbids_indexing(directives: str) -> bool:
    """Whether the directives of a robots meta tag exclude a page from search engines."""
    return any(map(_forbids, _split(directives)))


def forbids_following(directives: str) -> bool:
    """Whether the directives of a robots meta tag prevent crawlers from following the links of a
    page.
    """
    return any(directive.strip() in {"nofollow", "none"} for directive in _split(directives))


def header_forbids_indexing(header: str) -> bool:
    """Whether one X-Robots-Tag header excludes a page from search engines.

    Directives after the name of a crawler apply only to that crawler: ``otherbot: noindex,
    nofollow``.
    """
    crawler = "robots"
    for part in _split(header):
        directive = part
        named = _CRAWLER.match(part)
        if named and named[1] not in _VALUED:
            crawler = named[1]
            directive = part[named.end() :]
        if crawler in CRAWLERS and _forbids(directive):
            return True
    return False


def _split(directives: str) -> list[str]:
    return _WEEKDAY.sub(":", directives.lower()).split(",")


def _forbids(directive: str) -> bool:
    """Whether a directive excludes a page, possibly with a past date."""
    directive = directive.strip()
    ended = _ENDED.match(directive)
    if ended is None:
        return directive in _FORBIDDING
    date = ended[1].strip().upper()
    return _has_passed(date)


def _has_passed(date: str) -> bool:
    """Whether a text is a past date in the format of RFC 822, RFC 850 or ISO 8601.

    Other texts are not dates.
    """
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - takes 5 ms to load, and few pages have a date

    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            when = parse(date)
            if when.tzinfo is None:
                when = when.replace(tzinfo=UTC)
            return when < datetime.now(UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return False
