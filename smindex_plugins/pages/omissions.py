"""Why a page is in no sitemap: the reasons, and which of them its path and its head show."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import NOINDEX_NOT_RENDERED
from smindex_plugins.base.model import Finding, Findings, Head, Page, Spot
from smindex_plugins.base.text import counted, listed, printable


class NotListed(StrEnum):
    """Why a page is in no sitemap, as text that follows "it is", or a count: see `listed`."""

    EXCLUDED = "excluded by the settings"
    EXCLUDED_BY_AUTHOR = "excluded by its front matter"
    PRIVATE = "private or noindex in its front matter"
    LATER_PAGE = "a pagination page"
    ERROR_PAGE = "an error page"
    DEPENDENCY = "in node_modules"
    IGNORED = "ignored by git, next to pages that it tracks"
    UNREADABLE = "without a readable file"
    FRAGMENT = "without an HTML document"
    EMPTY = "without content"
    NOINDEX = "marked noindex"
    REDIRECT = "redirecting elsewhere"
    GONE = "removed by a rule of the host"
    CANONICAL_ELSEWHERE = "with another canonical URL"
    OUT_OF_SCOPE = "outside the directory scope"
    CONTROL_CHARACTER = "with a control character in its URL"
    LONG_URL = "with a URL that is too long"
    LARGE_ENTRY = "with an entry that is too large"
    FILTERED = "excluded by filter"
    SHARED_URL = "at the URL of another page"
    OF_NO_PAGE = "not produced by any page"


@dataclass(frozen=True, slots=True)
class Omission:
    """A page that is in no sitemap."""

    page: Page
    reason: str
    """A `NotListed`, or the text of a host that does not publish the page."""
    by: str = ""
    """The cause, as written: a pattern, an option, a line of front matter, a tag, another page, or
    the location of a host's rule."""
    key: str = ""
    """The front matter key that caused this, if any."""
    finding: Finding | None = field(default=None, compare=False, repr=False)
    """What to correct, if the reason is a mistake."""

    @classmethod
    def of(
        cls, page: Page, reason: str, by: str = "", key: str = "", finding: Finding | None = None
    ) -> "Omission":
        """Return the omission of a page."""
        return cls(page, reason, by, key, finding)

    @property
    def url(self) -> str:
        """The URL of the page."""
        return self.page.url

    @property
    def where(self) -> str:
        """The name of the page in messages."""
        return self.page.name

    def __str__(self) -> str:
        return printable(f"{self.where} is in no sitemap, because it is {self.why}.")

    @property
    def why(self) -> str:
        """The reason and its cause."""
        words = self.words
        if self.by in words:
            return words
        return f"{words} ({self.by})"

    @property
    def words(self) -> str:
        """The reason as text that follows a count, with the option that caused it, if any."""
        if self.by and self.reason == NotListed.EXCLUDED:
            return f"excluded by {self.by}"
        if self.by and self.reason == NotListed.LATER_PAGE:
            return f"{self.reason} ({self.by})"
        return self.reason


def counts_of(omitted: Iterable[Omission]) -> str:
    """Return the counts of omitted pages by reason."""
    return listed(Counter(omission.words for omission in omitted))


def path_reason(path: str) -> NotListed | None:
    """Return why a path of a URL or an output file can't belong to a listed page, or None."""
    if urls.is_error_page(path):
        return NotListed.ERROR_PAGE
    if "/node_modules/" in f"/{path}":
        return NotListed.DEPENDENCY
    return None


def head_reason(head: Head, url: str, *, is_copied: bool) -> NotListed | None:
    """Return why the HTML of a page excludes it from sitemaps, or None."""
    if is_copied and head.partial:
        return NotListed.FRAGMENT
    if head.noindex:
        return NotListed.NOINDEX
    if head.refresh not in {None, url}:
        return NotListed.REDIRECT
    if head.empty:
        return NotListed.EMPTY
    return None


def not_rendered(private: Sequence[Spot]) -> Findings:
    """Yield one finding about pages with private front matter whose HTML lets search engines index
    them.
    """
    if not private:
        return
    problem = (
        "its front matter marks it noindex or private, but its HTML doesn't. Search engines may"
        " index it."
    )
    first, *others = private
    if others:
        problem += f" The same applies to {counted(len(others), 'other page')}."
    yield NOINDEX_NOT_RENDERED.at(first, problem)
