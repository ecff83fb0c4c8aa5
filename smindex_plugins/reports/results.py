"""What a run found, kept in bounded memory: some findings of each check as they are, the others on disk."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import IO

from smindex_plugins.model import Finding, Level

LEVELS: tuple[Level, ...] = ("error", "warning", "notice")
"""Worst first."""
_MOST_KEPT = 1_000
"""Findings of one check in memory."""


class Results:
    """The findings of a run, by check."""

    def __init__(self, ignored: Iterable[str] = ()) -> None:
        self.counts: Counter[str] = Counter()
        """Findings by check."""
        self.levels: Counter[Level] = Counter()
        self._level_of: dict[str, Level] = {}
        self._ignored = frozenset(ignored)
        self._kept: dict[str, list[Finding]] = {}
        self._rest: IO[str] | None = None

    def add(self, finding: Finding) -> None:
        """Keep a finding, unless its check is to be ignored."""
        if finding.check in self._ignored:
            return
        self.counts[finding.check] += 1
        self.levels[finding.level] += 1
        known = self._level_of.setdefault(finding.check, finding.level)
        self._level_of[finding.check] = min(known, finding.level, key=LEVELS.index)
        kept = self._kept.setdefault(finding.check, [])
        if len(kept) < _MOST_KEPT:
            kept.append(finding)
        else:
            if self._rest is None:
                self._rest = tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass")  # noqa: SIM115 - as long as this
            self._rest.write(json.dumps(asdict(finding)) + "\n")

    def close(self) -> None:
        """Give back what is on disk."""
        if self._rest is not None:
            self._rest.close()

    def checks(self) -> list[str]:
        """Name the checks that found something, worst first, then those with most findings."""
        order = {check: LEVELS.index(level) for check, level in self._level_of.items()}
        return sorted(self.counts, key=lambda check: (order[check], -self.counts[check], check))

    def level(self, check: str) -> Level:
        """Give the worst level of a check's findings."""
        return self._level_of[check]

    def of(self, check: str, most: int | None = None) -> Iterator[Finding]:
        """Give the findings of a check, or the first of them."""
        kept = self._kept[check]
        yield from kept[:most]
        if (most is None or most > len(kept)) and self._rest is not None:
            yield from (finding for finding in self._spilled() if finding.check == check)

    def __iter__(self) -> Iterator[Finding]:
        for check in self.checks():
            yield from self._kept[check]
        yield from self._spilled()

    def _spilled(self) -> Iterator[Finding]:
        if self._rest is not None:
            self._rest.seek(0)
            for line in self._rest:
                yield Finding(**json.loads(line))

    def reach(self, level: Level) -> bool:
        """Tell whether there is a finding at a level or above."""
        return any(self.levels[each] for each in LEVELS[: LEVELS.index(level) + 1])
