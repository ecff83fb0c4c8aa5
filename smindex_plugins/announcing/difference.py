"""How two versions of a site differ, by what their sitemaps list."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, overload


class Change(NamedTuple):
    """A page that both versions list, and say something else of."""

    url: str
    before: str
    """Its date in the old version, as written there; empty if it has none. Of a page with other variants alone, the
    dates are as they are."""
    after: str
    """Its date in the new version."""
    variants: tuple[str, ...] = ()
    """The languages whose variants came, went, or have another URL."""


class Changes(Sequence[Change]):
    """Changed pages, each kept as one line: a million of them take half the room of as many objects."""

    def __init__(self, changes: Sequence[Change] = ()) -> None:
        self._lines: list[str] = []
        for change in changes:
            self.add(*change)

    def add(self, url: str, before: str, after: str, variants: Iterable[str] = ()) -> None:
        """Add one at the end."""
        self._lines.append("\t".join((url, before, after, *variants)))

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, position: int) -> Change: ...
    @overload
    def __getitem__(self, position: slice) -> list[Change]: ...
    def __getitem__(self, position: int | slice) -> Change | list[Change]:
        if isinstance(position, slice):
            return list(map(_read, self._lines[position]))
        return _read(self._lines[position])

    def __iter__(self) -> Iterator[Change]:
        return map(_read, self._lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment] # as a list has none


def _read(line: str) -> Change:
    url, before, after, *variants = line.split("\t")
    return Change(url, before, after, tuple(variants))


@dataclass(slots=True, kw_only=True)
class Sitemaps:
    """The sitemaps that differ, by their URLs."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """They list other pages, or say something else of one."""


@dataclass(slots=True, kw_only=True)
class Difference:
    """What is in one version of a site and not in the other. All lists are sorted by URL."""

    old: str = ""
    """The directory, file or URL of the old version, as it was given."""
    new: str = ""
    added: Sequence[str] = field(default_factory=list)
    """URLs of pages that only the new version lists."""
    removed: Sequence[str] = field(default_factory=list)
    """URLs of pages that only the old version lists."""
    changed: Sequence[Change] = field(default_factory=Changes)
    sitemaps: Sitemaps = field(default_factory=Sitemaps)
    urls_before: int = 0
    """How many pages the old version lists."""
    urls_after: int = 0
    undated: int = 0
    """Pages that have no date in either version, so that no change of them is seen."""
    days: int = 0
    """Pages with the same day in both versions and a time in one of them at most: a second change on a day hides."""
    not_compared: list[str] = field(default_factory=list)
    """What was left out of the comparison, in words."""
    live: dict[str, str] = field(default_factory=dict)
    """By its URL, a hash of what each index, and each sitemap that differs, lists: by these, it is seen when the new
    version is live."""

    def __bool__(self) -> bool:
        """Whether anything differs."""
        sitemaps = self.sitemaps
        return bool(
            self.added or self.removed or self.changed or sitemaps.added or sitemaps.removed or sitemaps.changed
        )

    def announced(self) -> list[str]:
        """Return the URLs of which search engines are told, sorted.

        A page that only lost its date is not among them: that says nothing of its content.
        """
        changed = (change.url for change in self.changed if change.after or change.variants)
        return sorted([*self.added, *self.removed, *changed])

    def only(self, kept: Collection[str]) -> "Difference":
        """Return the same with these of its URLs alone."""
        changed = Changes([change for change in self.changed if change.url in kept])
        added, removed = ([url for url in listed if url in kept] for listed in (self.added, self.removed))
        return replace(self, added=added, removed=removed, changed=changed)

    @property
    def is_first(self) -> bool:
        """Whether no page of the new version was listed before."""
        return bool(self.urls_after) and len(self.added) == self.urls_after
