"""The differences between two versions of a site as JSON, for `smindex diff` and `smindex
report`.
"""

from dataclasses import dataclass

from smindex_plugins.base.difference import Difference, Fate, Sitemaps
from smindex_plugins.base.text import counted, masked


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonChange:
    """A page that both versions list, with a different date or different variants."""

    url: str
    from_: str | None
    """Its date in the old version, as written. Null if it has none."""
    to: str | None
    """Its date in the new version."""
    variants: list[str]
    """The languages whose variants were added, removed, or given a different URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonGone:
    """A page that only the old version lists, and what happened to its URL."""

    url: str
    fate: Fate
    """Whether it redirects, still exists but is not listed, or is broken because its page was
    renamed or removed."""
    to: str | None
    """The final URL of its redirects, its canonical URL, or the URL of its renamed page. Null if
    there is none."""
    why: str
    """The reason for this, in words."""


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
class Changes:
    """The differences between two versions of a site."""

    old: str
    """The directory, file or URL of the old version, as given."""
    new: str
    added: list[str]
    """Pages that only the new version lists."""
    removed: list[str]
    """Pages that only the old version lists."""
    gone: list[JsonGone]
    """What happened to the removed pages. Empty if that is unknown; `summary.not_compared` then
    gives the reason."""
    changed: list[JsonChange]
    sitemaps: Sitemaps
    summary: ChangesSummary

    @classmethod
    def of(cls, difference: Difference) -> "Changes":
        """Return a difference in its JSON form."""
        return cls(
            old=difference.old,
            new=difference.new,
            added=difference.added,
            removed=difference.removed,
            gone=[
                JsonGone(url=url, fate=fate, to=to or None, why=why)
                for url, fate, to, why in difference.gone
            ],
            changed=[
                JsonChange(url=url, from_=before or None, to=after or None, variants=list(variants))
                for url, before, after, variants in difference.changed
            ],
            sitemaps=difference.sitemaps,
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
        """What the comparison cannot detect."""
        hidden, summary = [], self.summary
        if summary.without_a_date:
            hidden.append(f"changes of {counted(summary.without_a_date, 'page')} without a date")
        if summary.without_a_time:
            pages = counted(summary.without_a_time, "page")
            hidden.append(f"a second change on the same day of {pages} whose date has no time")
        notes = [f"not detected: {'; '.join(hidden)}"] if hidden else []
        if summary.not_compared:
            notes.append(f"not compared: {masked('; '.join(summary.not_compared))}")
        return notes
