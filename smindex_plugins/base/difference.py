"""The differences between two versions of a site, and what happened to the URLs that the new one no
longer lists.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Literal

from smindex_plugins.base.text import masked

Fate = Literal["redirected", "unlisted", "renamed", "lost"]
FATES: tuple[Fate, ...] = ("lost", "renamed", "redirected", "unlisted")


@dataclass(frozen=True, slots=True)
class Gone:
    """A page that only the old version lists, and what happened to its URL."""

    url: str
    fate: Fate
    """Whether it redirects, still exists but is not listed, or is broken because its page was
    renamed or removed."""
    to: str | None = None
    """The final URL of its redirects, its canonical URL, or the URL of its renamed page. Null if
    there is none."""
    why: str = ""
    """The reason for this, in words."""


@dataclass(frozen=True, slots=True)
class Change:
    """A page that both versions list, with a different date or different variants."""

    url: str
    before: str | None
    """Its date in the old version, as written. Null if it has none."""
    after: str | None
    """Its date in the new version."""
    variants: tuple[str, ...] = ()
    """The languages whose variants were added, removed, or given a different URL."""


@dataclass(slots=True, kw_only=True)
class Sitemaps:
    """The sitemaps that differ, by their URLs."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """Their pages, or the data of a page, differ."""


@dataclass(slots=True, kw_only=True)
class Difference:
    """The differences between two versions of a site. All lists are sorted by URL."""

    old: str = ""
    """The directory, file or URL of the old version, as given."""
    new: str = ""
    base: str = ""
    """The URL that serves the new version if it is a directory."""
    added: list[str] = field(default_factory=list)
    """URLs of pages that only the new version lists."""
    removed: list[str] = field(default_factory=list)
    """URLs of pages that only the old version lists."""
    gone: list[Gone] = field(default_factory=list)
    """What happened to the removed URLs. Empty if that is unknown, as `not_compared` then
    explains."""
    changed: list[Change] = field(default_factory=list)
    sitemaps: Sitemaps = field(default_factory=Sitemaps)
    urls_before: int = 0
    """How many pages the old version lists."""
    urls_after: int = 0
    undated: int = 0
    """Pages without a date in one of the versions. Their changes are not detected."""
    days: int = 0
    """Pages with the same day in both versions, one without a time. A second change on that day is
    not detected."""
    first_deployment: str = ""
    """Why there is no old version to compare with, if the live site has no sitemap yet."""
    not_compared: list[str] = field(default_factory=list)
    """What was not compared, as text."""
    unread: list[str] = field(default_factory=list)
    """The sitemaps of a version that were not read, as text. Pages that they list can be lost
    unnoticed."""
    live: dict[str, str] = field(default_factory=dict)
    """A hash of the entries of each index and each sitemap that differs, by URL. They show when the
    new version is live."""

    def __bool__(self) -> bool:
        """Whether anything differs."""
        sitemaps = self.sitemaps
        return any(
            [
                self.added,
                self.removed,
                self.changed,
                sitemaps.added,
                sitemaps.removed,
                sitemaps.changed,
            ]
        )

    def announced(self) -> list[str]:
        """Return the URLs to send to search engines, sorted.

        Pages that only lost their date are excluded, because that doesn't mean that their content
        changed.
        """
        changed = (change.url for change in self.changed if change.after or change.variants)
        return sorted([*self.added, *self.removed, *changed])

    def only(self, kept: Collection[str]) -> "Difference":
        """Return a copy with only these URLs."""
        return replace(
            self,
            added=[url for url in self.added if url in kept],
            removed=[url for url in self.removed if url in kept],
            gone=[each for each in self.gone if each.url in kept],
            changed=[change for change in self.changed if change.url in kept],
        )

    @property
    def lost(self) -> list[Gone]:
        """The removed URLs that lead nowhere, including renamed pages."""
        return [each for each in self.gone if each.fate in {"lost", "renamed"}]

    @property
    def is_first(self) -> bool:
        """Whether no page of the new version was listed before."""
        return bool(self.urls_after) and len(self.added) == self.urls_after


def no_old_version(old: str, why: str) -> str:
    """Return which live site has no sitemap yet, and why, as a line without passwords."""
    return masked(f"{old} has no sitemap: {why}")
