"""Counts the findings of a run, and keeps examples of each check."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from smindex_plugins.base.model import LEVELS, Finding, Level
from smindex_plugins.base.text import printable
from smindex_plugins.report import keep_example


class Tally:
    """Counts the findings of a run.

    It keeps only some findings of each check, because there may be millions.
    """

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self.counts: Counter[str] = Counter()
        """Findings by check."""
        self.causes: Counter[tuple[str, str]] = Counter()
        """Findings by check and fix, for the fixes in the examples."""
        self.levels: Counter[Level] = Counter()
        self.first: dict[str, list[Finding]] = {}
        """The examples of each check: the first findings with each of its first fixes."""
        for _ in self.over(findings):
            pass

    def over(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield findings and count them."""
        for finding in findings:
            self.counts[finding.check] += 1
            self.levels[finding.level] += 1
            cause = finding.check, finding.fix
            if keep_example(finding, self.first) or cause in self.causes:
                self.causes[cause] += 1
            yield finding

    @property
    def checks(self) -> dict[str, int]:
        """How many findings each check has, worst level first, then most findings first."""

        def rank(check: str) -> tuple[int, int, str]:
            level = self.level(check)
            return LEVELS.index(level), -self.counts[check], check

        return {check: self.counts[check] for check in sorted(self.counts, key=rank)}

    def level(self, check: str) -> Level:
        """Return the level of a check's findings, which is the same for all."""
        return self.first[check][0].level

    def summary(self, unseen: Iterable[str]) -> dict[str, Any]:
        """Return the number of findings and what was not checked, for every summary."""
        counts = {f"{level}s": self.levels[level] for level in LEVELS}
        not_checked = [printable(each) for each in unseen]
        return {**counts, "checks": self.checks, "not_checked": not_checked}

    def reaches(self, level: Level) -> bool:
        """Whether there is a finding at a level or above."""
        end = LEVELS.index(level) + 1
        return any(self.levels[each] for each in LEVELS[:end])
