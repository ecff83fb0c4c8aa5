"""What a run found, by check: all of it counted, and as much of it kept as is shown."""

from collections import Counter
from collections.abc import Iterable, Iterator

from smindex_plugins.model import Finding, Level

LEVELS: tuple[Level, ...] = ("error", "warning", "notice")
"""Worst first."""


class Results:
    """The findings of a run."""

    def __init__(self, findings: Iterable[Finding], most: int | None = None) -> None:
        """Count the findings, and keep no more of one check than are wanted."""
        self.counts: Counter[str] = Counter()
        """Findings by check."""
        self.levels: Counter[Level] = Counter()
        self._level_of: dict[str, Level] = {}
        self._kept: dict[str, list[Finding]] = {}
        for finding in findings:
            self.counts[finding.check] += 1
            self.levels[finding.level] += 1
            known = self._level_of.setdefault(finding.check, finding.level)
            self._level_of[finding.check] = min(known, finding.level, key=LEVELS.index)
            if most is None or self.counts[finding.check] <= most:
                self._kept.setdefault(finding.check, []).append(finding)

    def checks(self) -> list[str]:
        """Return the checks that found something, worst first, then those with most findings."""
        order = {check: LEVELS.index(level) for check, level in self._level_of.items()}
        return sorted(self.counts, key=lambda check: (order[check], -self.counts[check], check))

    def level(self, check: str) -> Level:
        """Return the worst level of a check's findings."""
        return self._level_of[check]

    def of(self, check: str, most: int | None = None) -> list[Finding]:
        """Return the findings of a check that were kept, or the first of them."""
        return self._kept[check][:most]

    def __iter__(self) -> Iterator[Finding]:
        for check in self.checks():
            yield from self._kept[check]

    def reach(self, level: Level) -> bool:
        """Whether there is a finding at a level or above."""
        return any(self.levels[each] for each in LEVELS[: LEVELS.index(level) + 1])
