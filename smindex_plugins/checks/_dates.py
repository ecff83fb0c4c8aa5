"""Compares the dates of listed pages with git, by the files that counted when the build dated
them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from smindex_plugins.base.proof import ContentChange, RestsOn, newest
from smindex_plugins.history.history import History
from smindex_plugins.reading.document import Entry
from smindex_plugins.record.find import Record

_UNDATED = "without a date"
_BY_OTHERS: dict[RestsOn | Literal[""], str] = {
    "author": "dated by the author",
    "publication": "dated by their publication",
    "list": "dated by the pages that they list",
    "filter": "dated by `filter`",
    "nothing": "that the build did not date",
    "": "that the build did not date",
}
"""Why a date is not compared with git, by what it rests on, in words that follow a count."""


@dataclass(slots=True)
class Dates:
    """The record of a build, and the number of dates that were compared with git."""

    record: Record
    compared: int = 0
    uncompared: Counter[str] = field(default_factory=Counter)
    """Why the others were not compared, as text that follows a count."""
    _history: History = field(init=False)

    def __post_init__(self) -> None:
        settings = self.record.settings
        self._history = History(settings.ignore_revs_file, settings.ignore_commits)

    @property
    def place_without_any(self) -> str:
        """The project, if no page could be compared although some should have been.

        Otherwise, an empty string.
        """
        by_design = {_UNDATED, *_BY_OTHERS.values()}
        expected = self.uncompared.keys() - by_design
        if expected and not self.compared:
            return self.record.project
        return ""

    def changes(self, entries: Iterable[Entry]) -> dict[Entry, int]:
        """Return when the files that count for listed pages changed, in seconds since 1970."""
        counting: dict[Entry, list[str]] = {}
        for entry in entries:
            fact = self.record.by_url.get(entry.normal)
            if not entry.lastmod:
                self.uncompared[_UNDATED] += 1
            elif fact is None:
                self.uncompared["that the build did not list"] += 1
            elif fact.rests_on != "git":
                self.uncompared[_BY_OTHERS[fact.rests_on]] += 1
            else:
                counting[entry] = self.record.counting(fact)
        answers = self._history.dates(set(chain.from_iterable(counting.values())))
        changes: dict[Entry, int] = {}
        for entry, files in counting.items():
            answer = newest([answers[file] for file in files])
            if isinstance(answer, ContentChange):
                changes[entry] = answer.when
            else:
                self.uncompared[str(answer.reason)] += 1
        self.compared += len(changes)
        return changes
