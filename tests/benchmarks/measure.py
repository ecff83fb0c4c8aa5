"""Timing of whole processes, in turn, so that a machine whose speed drifts treats all of them alike."""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Command:
    """A process to time; `before` puts the stage back as it was."""

    arguments: Sequence[str]
    directory: Path
    before: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Taken:
    """What one run of a command took, with all the processes that it began."""

    seconds: float
    """From its beginning to its end."""
    cpu: float
    """On all cores together."""


def in_turn(commands: Mapping[str, Command], repeats: int) -> dict[str, list[Taken]]:
    """Return what each command takes, `repeats` times after one warm-up, the commands taking turns."""
    taken: dict[str, list[Taken]] = {name: [] for name in commands}
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }  # as installed
    for turn in range(repeats + 1):
        for name, command in commands.items():
            command.before()
            before, started = _cpu(), time.perf_counter()
            subprocess.run(command.arguments, cwd=command.directory, check=True, capture_output=True, env=environment)
            if turn:
                taken[name].append(Taken(time.perf_counter() - started, _cpu() - before))
            print(f"\r{name} {turn}/{repeats}   ", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return taken


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def interleaved(commands: Mapping[str, Command], repeats: int) -> dict[str, list[float]]:
    """Give each command's wall seconds, `repeats` times after one warm-up, the commands taking turns."""
    return {name: [each.seconds for each in taken] for name, taken in in_turn(commands, repeats).items()}


def ratios(seconds: Mapping[str, Sequence[float]], base: str) -> dict[str, float]:
    """Give the median of each command's ratio to the base, pair by pair of one turn."""
    return {name: statistics.median(found) for name, found in _pairs(seconds, base).items()}


def spread(seconds: Mapping[str, Sequence[float]], base: str) -> dict[str, tuple[float, float]]:
    """Return the lowest and the highest of these ratios."""
    return {name: (round(min(found), 2), round(max(found), 2)) for name, found in _pairs(seconds, base).items()}


def _pairs(seconds: Mapping[str, Sequence[float]], base: str) -> dict[str, list[float]]:
    return {
        name: [own / other for own, other in zip(times, seconds[base], strict=True)] for name, times in seconds.items()
    }
