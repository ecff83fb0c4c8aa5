"""What a run keeps of its findings, which may be millions: how many each check has, and the first of them."""

from collections import Counter
from collections.abc import Iterable, Iterator

from smindex_plugins.model import Finding, Level
from smindex_plugins.report import EXAMPLES

LEVELS: tuple[Level, ...] = ("error", "warning", "notice")
"""Worst first."""


class Tally:
    """The findings of a run, counted."""

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self.counts: Counter[str] = Counter()
        """Findings by check."""
        self.levels: Counter[Level] = Counter()
        self.first: dict[str, list[Finding]] = {}
        """The first findings of each check."""
        for _ in self.over(findings):
            pass

    def over(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Count findings on their way to whoever prints them."""
        for finding in findings:
            self.counts[finding.check] += 1
            self.levels[finding.level] += 1
            if self.counts[finding.check] <= EXAMPLES:
                self.first.setdefault(finding.check, []).append(finding)
            yield finding

    def checks(self) -> list[str]:
        """Return the checks that found something, worst first, then those with most findings."""
        return sorted(self.counts, key=lambda check: (LEVELS.index(self.level(check)), -self.counts[check], check))

    def level(self, check: str) -> Level:
        """Return the level of a check's findings, which all have the same."""
        return self.first[check][0].level

    def reaches(self, level: Level) -> bool:
        """Whether there is a finding at a level or above."""
        return any(self.levels[each] for each in LEVELS[: LEVELS.index(level) + 1])
