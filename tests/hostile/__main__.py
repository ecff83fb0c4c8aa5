"""`python -m tests.hostile` attacks the package and prints what held: a table of tests, trials and failures.

The attacks are those that a docs builder and a checker meet: processes that are killed, disks that are full, builds at
the same time, content and servers of strangers. All of them take a long time, and the short form a minute.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest

from tests.hostile import disk, documents, fuzzing, generators, hosts, kills, pairs, servers, trees
from tests.hostile.attack import Attack
from tests.hostile.trials import Outcome, outcomes

ATTACKS = (
    *kills.ATTACKS,
    *generators.ATTACKS,
    *disk.ATTACKS,
    *pairs.ATTACKS,
    *trees.ATTACKS,
    *documents.ATTACKS,
    *servers.ATTACKS,
    *hosts.ATTACKS,
    *fuzzing.ATTACKS,
)
_PAUSE = 10.0
"""Seconds between two lines that say how far the work is."""


@dataclass(slots=True)
class Row:
    """What became of the trials of one attack."""

    attack: Attack
    asked: int
    ended: int = 0
    seconds: float = 0.0
    failed: list[Outcome] = field(default_factory=list)
    not_run: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count a trial."""
        self.ended += 1
        self.seconds += outcome.seconds
        if outcome.result == "failed":
            self.failed.append(outcome)
        elif outcome.result == "not run":
            self.not_run.append(outcome)


def main(arguments: Sequence[str] | None = None, attacks: Sequence[Attack] = ATTACKS) -> int:
    """Make the trials that are asked for, print the table, and return 1 where one failed."""
    given = _read(arguments, attacks)
    chosen = [attack for attack in attacks if not given.only or attack.name in given.only]
    if given.list:
        for attack in chosen:
            print(f"{attack.name:20} {attack.what} ({attack.short} trials, {attack.long} in the long form)")
        return 0
    rows = {attack.name: Row(attack, _count(attack, given)) for attack in chosen}
    with suppress(KeyboardInterrupt):  # what is known until then is told
        _run(rows, given)
    for line in _table(list(rows.values())):
        print(line)
    return int(any(row.failed or row.ended < row.asked for row in rows.values()))


def _read(arguments: Sequence[str] | None, attacks: Sequence[Attack]) -> argparse.Namespace:
    known = [attack.name for attack in attacks]
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__.partition("\n\n")[2])
    parser.add_argument("--short", action="store_true", help="make few trials of each: the form for CI")
    parser.add_argument("--list", action="store_true", help="say what the attacks are, and run none")
    parser.add_argument("--only", metavar="NAME", action="append", default=[], help="this attack alone; repeatable")
    parser.add_argument("--trials", metavar="N", type=int, help="how many trials to make of each attack")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="the number of the first trial: another one makes other trials"
    )
    parser.add_argument("--trial", metavar="N", type=int, help="make this one trial again, and keep its directory")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="how many at once")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.only if name not in known]:
        parser.error(f"no attack is called {', '.join(unknown)}; there are {', '.join(known)}")
    if given.jobs < 1 or (given.trials is not None and given.trials < 1):
        parser.error("--jobs and --trials take a number above 0")
    return given


def _count(attack: Attack, given: argparse.Namespace) -> int:
    if given.trial is not None:
        return 1
    return int(given.trials or (attack.short if given.short else attack.long))


def _run(rows: dict[str, Row], given: argparse.Namespace) -> None:
    """Make the trials, and say now and then how far that is."""
    first = given.seed if given.trial is None else given.trial
    total = sum(row.asked for row in rows.values())
    said = time.monotonic()
    made = outcomes(_trials(rows, first), given.jobs, keep=given.trial is not None)
    for ended, outcome in enumerate(made, start=1):
        rows[outcome.attack].add(outcome)
        if given.trial is not None:
            print(f"kept: {outcome.place}", file=sys.stderr)
        if outcome.result == "failed" or time.monotonic() > said + _PAUSE:
            said = time.monotonic()
            what = f": {outcome.said}" if outcome.result == "failed" else ""
            print(f"{ended:,} of {total:,}: {outcome.attack} {outcome.number}{what}", file=sys.stderr, flush=True)


def _trials(rows: dict[str, Row], first: int) -> Iterator[tuple[Attack, int]]:
    """Yield the trials of all attacks by turns, so that each has begun early."""
    each = ([(row.attack, first + number) for number in range(row.asked)] for row in rows.values())
    for turn in zip_longest(*each):
        yield from filter(None, turn)


def _table(rows: list[Row]) -> Iterator[str]:
    yield f"{'attack':20} {'trials':>7} {'failures':>9} {'seconds':>8}"
    for row in rows:
        made = row.ended - len(row.not_run)
        yield f"{row.attack.name:20} {made:7,} {len(row.failed):9,} {row.seconds:8,.0f}"
        if not row.asked:
            yield "  not in the short form"
        if row.ended < row.asked:
            yield f"  interrupted: {row.asked - row.ended:,} trials were not made"
        if row.not_run:
            yield f"  not run: {len(row.not_run):,}, {row.not_run[0].said}"
        if row.failed:
            first = min(row.failed, key=lambda outcome: outcome.number)
            yield f"  first failure: {first.said}"
            yield f"  to repeat it: python -m tests.hostile --only {row.attack.name} --trial {first.number}"
    made, failed = sum(row.ended - len(row.not_run) for row in rows), sum(len(row.failed) for row in rows)
    yield f"{made:,} trials, {failed:,} failures"


if __name__ == "__main__":
    sys.exit(main())
