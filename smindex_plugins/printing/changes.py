"""The differences between two versions of a site as JSON, for `smindex diff` and `smindex
report`.
"""

from dataclasses import dataclass

from smindex_plugins.base.difference import Change, Difference, Gone, Sitemaps, no_old_version
from smindex_plugins.base.text import counted, masked


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesSummary:
    """How much differs, and what the comparison could not detect."""

    added: int
    removed: int
    changed: int
    urls_before: int
    """How many pages the old version lists."""
    urls_after: int
    without_a_date: int
    """Pages without a date in either version. Their changes can't be detected."""
    without_a_time: int
    """Pages with the same day in both versions, one without a time. A second change on that day
    can't be detected."""
    not_compared: list[str]
    """What was not compared, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDifference:
    """The differences between two versions of a site."""

    old: str
    """The directory, file or URL of the old version, as given."""
    new: str
    added: list[str]
    """Pages that only the new version lists."""
    removed: list[str]
    """Pages that only the old version lists."""
    gone: list[Gone]
    """What happened to the removed pages. Empty if that is unknown; `summary.not_compared` then
    gives the reason."""
    changed: list[Change]
    sitemaps: Sitemaps
    first_deployment: str | None
    """Why there is no old version to compare with, if the live site has no sitemap yet. Null if
    both versions were compared."""
    summary: ChangesSummary

    @classmethod
    def of(cls, difference: Difference) -> "ShownDifference":
        """Return a difference in its JSON form."""
        return cls(
            old=difference.old,
            new=difference.new,
            added=difference.added,
            removed=difference.removed,
            gone=difference.gone,
            changed=difference.changed,
            sitemaps=difference.sitemaps,
            first_deployment=difference.first_deployment or None,
            summary=ChangesSummary(
                added=len(difference.added),
                removed=len(difference.removed),
                changed=len(difference.changed),
                urls_before=difference.urls_before,
                urls_after=difference.urls_after,
                without_a_date=difference.undated,
                without_a_time=difference.days,
                not_compared=difference.not_compared,
            ),
        )

    @property
    def notes(self) -> list[str]:
        """What the comparison can't detect."""
        hidden, summary = [], self.summary
        if summary.without_a_date:
            hidden.append(f"changes to {counted(summary.without_a_date, 'undated page')}")
        if summary.without_a_time:
            pages = counted(summary.without_a_time, "page")
            hidden.append(f"a second change on the same day to {pages} whose date has no time")
        notes = []
        if self.first_deployment:
            notes.append(no_old_version(self.old, self.first_deployment))
        if hidden:
            notes.append(f"can't detect {'; '.join(hidden)}")
        if summary.not_compared:
            notes.append(f"not compared: {masked('; '.join(summary.not_compared))}")
        return notes
