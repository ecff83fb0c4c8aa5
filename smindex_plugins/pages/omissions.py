"""Why a page is in no sitemap."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a page is in no sitemap, in words that follow a count: ``3 marked noindex``."""

    EXCLUDED = "excluded by the settings"
    EXCLUDED_BY_AUTHOR = "excluded by its front matter"
    PRIVATE = "private or noindex in its front matter"
    LATER_PAGE = "beyond the first page of a list"
    ERROR_PAGE = "shown for errors"
    UNREADABLE = "without a readable file"
    FRAGMENT = "without an HTML document"
    EMPTY = "without content"
    NOINDEX = "marked noindex"
    REDIRECT = "redirecting elsewhere"
    CANONICAL_ELSEWHERE = "with another canonical URL"
    OUT_OF_SCOPE = "outside the directory scope"
    LONG_URL = "with a URL that is too long"
    LARGE_ENTRY = "with an entry that is too large"
    SHARED_URL = "at the URL of another page"


@dataclass(frozen=True, slots=True)
class Omission:
    """A page that is in no sitemap."""

    url: str
    where: str
    reason: str
    """A `Reason`, or the words of the host that does not publish it."""
