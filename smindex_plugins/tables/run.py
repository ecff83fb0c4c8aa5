"""A run over a table from its rows to the index, whatever the engine, and what it did."""

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple, Protocol

from smindex_plugins import addresses, urls
from smindex_plugins.catalogue import (
    INVALID_ROWS,
    NOTHING_LISTED,
    REPEATED_ROWS,
    UNMATCHED_PATTERN,
    Kind,
)
from smindex_plugins.model import Finding, IndexEntry
from smindex_plugins.pages import Reason
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import Changes, name_indexes
from smindex_plugins.tables.destination import Destination
from smindex_plugins.tables.plan import Plan
from smindex_plugins.tables.rules import Fault, Rules
from smindex_plugins.text import counted, listed

if TYPE_CHECKING:  # it loads Arrow, and every command loads this module
    from smindex_plugins.tables.shards import Put, Written

_MANY = 100_000
"""Rows; of fewer, a run takes no longer than it does to begin."""
EXAMPLES = 3
"""Values of rows that a message names."""

_KINDS: dict[str, Kind] = {
    Fault.NO_URL: INVALID_ROWS,
    Fault.INVALID_URL: INVALID_ROWS,
    Reason.LONG_URL: INVALID_ROWS,
    Reason.OUT_OF_SCOPE: INVALID_ROWS,
    Fault.DUPLICATE: REPEATED_ROWS,
    Fault.UNREADABLE_DATE: INVALID_ROWS,
    Fault.FUTURE_DATE: INVALID_ROWS,
    Fault.WRONG_DETAILS: INVALID_ROWS,
}
LISTED_FAULTS = frozenset({Fault.UNREADABLE_DATE, Fault.FUTURE_DATE, Fault.WRONG_DETAILS})
"""What is wrong with rows that are listed all the same."""


class Faulty(NamedTuple):
    """The rows with one thing wrong."""

    fault: str
    rows: int
    examples: list[str]
    """The least of the values that are wrong."""


class Engine(Protocol):
    """What carries out the steps; its rows are normal rows already."""

    def drop_duplicates(self) -> int:
        """Make the pages of the rows, once each, and return how many there are."""

    def faults(self) -> Iterable[Faulty]:
        """Return what is wrong with rows."""

    def save_faults(self, file: str, form: str) -> None:
        """Write all rows with something wrong to a file, whole or not at all."""

    def pair_variants(self) -> Iterable[Finding]:
        """Keep the language variants that name each other, and return what is wrong with the others."""

    def make_plan(self) -> Plan:
        """Return the sections and the shards."""

    def write(self, plan: Plan, put: "Put") -> Iterator[tuple[list["Written"], list[Finding]]]:
        """Make the sitemaps of all shards, and yield them in the order in which an index lists them."""

    def done(self) -> float:
        """Return how much of what goes on is done, in percent, or a negative number if nobody knows."""


Tell = Callable[[str], object]
"""What is called with a line that says how far a run is."""


def no_words(_: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What an engine may take of the machine."""

    memory: str = "4GB"
    """That the engine fills before it spills; Python and Arrow take some hundred megabytes more."""
    temp: str = ""
    """The directory for what it spills; that of the system, if it is not given."""
    threads: int | None = None
    """As many as the machine has cores, if it is not given."""

    def memory_of_java(self) -> str:
        """Return the amount of memory as Java takes it.

        Raises:
            ValueError: it is none.
        """
        match = re.fullmatch(r"(\d+) ?([KMGT])i?B?", self.memory.strip(), re.IGNORECASE)
        if match is None:
            message = f"got {self.memory} of memory; Spark takes a whole number and a unit, such as 4GB or 1500MB"
            raise ValueError(message)
        return match[1] + match[2].lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run over a table did."""

    rows: int = 0
    """That the table has."""
    pages: int = 0
    """That the sitemaps list."""
    sections: int = 0
    entries: list[IndexEntry] = field(default_factory=list)
    """Of the index, in its order: one for each sitemap."""
    index_urls: list[str] = field(default_factory=list)
    """The index, or several where one cannot list every sitemap; empty where nothing was written."""
    faults: Counter[str] = field(default_factory=Counter)
    """How many rows have what wrong with them, be they listed or not."""
    findings: list[Finding] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)
    """What became of the files, by their URL paths below the site."""

    def summary(self, seconds: float) -> str:
        """Return one line that says what was written, and how fast."""
        where = self.index_urls[0] if self.index_urls else ""
        others = f" and {len(self.index_urls) - 1:,} more" if len(self.index_urls) > 1 else ""
        written = (
            f"{counted(len(self.entries), 'sitemap')} listed in {where}{others}" if where else "no index is written"
        )
        parts = [f"{counted(self.pages, 'page')} in {counted(self.sections, 'section')}, {written}"]
        left_out = {fault: count for fault, count in self.faults.items() if fault not in LISTED_FAULTS}
        mended = {fault: count for fault, count in self.faults.items() if fault in LISTED_FAULTS}
        parts += [f"left out: {listed(left_out)}"] if left_out else []
        parts += [f"listed in part: {listed(mended)}"] if mended else []
        speed = f", {self.rows / seconds:,.0f} a second" if self.rows >= _MANY else ""
        return "; ".join([*parts, f"{counted(self.rows, 'row')} in {seconds:.2f} s{speed}"])


def run(engine: Engine, rules: Rules, destination: Destination, *, steps: "Steps") -> Outcome:
    """Make the sitemaps of normal rows and put them in place, then the index, then remove what is stale.

    Raises:
        OutputError: with what stands in the way; the earlier index is as it was.
    """
    findings = [*addresses.doubts(rules.site_url, rules.settings.index_filename)]
    with destination.only_run():
        with steps.step(2, "pages, each once"):
            pages = engine.drop_duplicates()
        faulty = list(engine.faults())
        faults = Counter({each.fault: each.rows for each in faulty})
        findings += rows_found(faulty)
        rows = pages + sum(count for fault, count in faults.items() if fault not in LISTED_FAULTS)
        if not pages:
            problem = f"every row was left out: {listed(faults)}." if rows else "the table has no rows."
            findings.append(NOTHING_LISTED.at(counted(rows, "row"), f"{problem} Earlier files were left as they are."))
            return Outcome(rows=rows, faults=faults, findings=findings)
        plan = _plan(engine, findings, steps)
        findings += _unmatched(plan, faults, rules.settings)
        destination.prepare([section.stem for section in plan.sections], rules.settings)
        made: list[Written] = []
        with steps.step(4, "sitemaps", rows=pages) as tell:
            for written, problems in engine.write(plan, destination.put):
                made += written
                findings += problems
                faults[Reason.LARGE_ENTRY] += len(problems)
                tell(sum(each.pages for each in written))
        with steps.step(5, "the index"):
            changes, index_urls = _finish(made, rules, destination)
    return Outcome(
        rows=rows,
        pages=sum(each.pages for each in made),
        sections=len(plan.sections),
        entries=[each.entry for each in made],
        index_urls=index_urls,
        faults=+faults,
        findings=[*findings, *changes.problems],
        changes=changes,
    )


def _plan(engine: Engine, findings: list[Finding], steps: "Steps") -> Plan:
    with steps.step(2, "language variants"):
        findings += engine.pair_variants()
    with steps.step(3, "sections and shards"):
        return engine.make_plan()


def _unmatched(plan: Plan, faults: Mapping[str, int], settings: Settings) -> Iterator[Finding]:
    """Yield the patterns that no row meets."""
    for section in settings.sections:
        if section.name not in plan.named:
            yield UNMATCHED_PATTERN.at(f"sections, {section.name}", "no URL of the table meets one of its patterns.")
    if settings.exclude and not faults.get(Reason.EXCLUDED):
        yield UNMATCHED_PATTERN.at("exclude", f"no URL of the table meets {' or '.join(map(repr, settings.exclude))}.")


def _finish(made: list["Written"], rules: Rules, destination: Destination) -> tuple[Changes, list[str]]:
    base = rules.site_url
    indexes = list(name_indexes([each.entry for each in made], base, rules.settings))
    paths = [urls.relative_path(each.entry.url, base) for each in made]
    changes = destination.finish([(urls.relative_path(url, base), content) for url, content in indexes], paths)
    for path, each in zip(paths, made, strict=True):
        (changes.written if each.is_new else changes.unchanged).append(path)
    return changes, [url for url, _ in indexes]


def rows_found(faults: Iterable[Faulty]) -> Iterator[Finding]:
    """Yield a finding for each thing that is wrong with rows, with the first values that are so."""
    for fault, rows, examples in faults:
        if kind := _KINDS.get(fault):
            outcome = "listed without it" if fault in LISTED_FAULTS else "in no sitemap"
            outcome = "left out, because another one counts" if fault == Fault.DUPLICATE else outcome
            named = [*filter(None, map(str.strip, examples))][:EXAMPLES]
            such = f", such as {', '.join(named)}" if named else ""
            yield kind.at(f"{counted(rows, 'row')} {fault}", f"{'it is' if rows == 1 else 'they are'} {outcome}{such}.")


class Steps:
    """Says while a run goes on at which step it is, how fast that goes, and what is left."""

    def __init__(self, tell: Tell, done: Callable[[], float]) -> None:
        self._tell, self._done = tell, done
        self._rows = 0

    @contextmanager
    def step(self, number: int, what: str, rows: int = 0) -> Iterator[Callable[[int], None]]:
        """Say what is being done, until that is done; rows are added as they are done, or the engine is asked."""
        self._rows = 0
        started, ended = time.monotonic(), Event()

        def add(more: int) -> None:
            self._rows += more

        def watch() -> None:
            while not ended.wait(0.5):
                percent = 100 * self._rows / rows if rows and self._rows else self._done()
                self._tell(f"{number} of 5, {what}{_speed(percent, self._rows, time.monotonic() - started)}")

        self._tell(f"{number} of 5, {what}")
        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield add
        finally:
            ended.set()
            watcher.join()


def _speed(percent: float, rows: int, seconds: float) -> str:
    """Return how far a step has come, as far as anybody knows."""
    if not 0 < percent <= 100 or not math.isfinite(percent):  # noqa: PLR2004 - percent
        return f": {seconds:.0f} s"
    rate = f", {rows:,} rows, {rows / seconds:,.0f} a second" if rows else ""
    return f": {percent:.0f} %{rate}, about {seconds * (100 - percent) / percent:.0f} s left"
