"""Timing of whole processes, in turn, so that a machine whose speed drifts treats all of them alike."""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Command:
    """A process to time; `before` puts the stage back as it was."""

    arguments: Sequence[str]
    directory: Path
    before: Callable[[], None] = lambda: None
    cores: int | None = None
    """How many cores it is held to, where the system can do that. All, if it is not given."""


@dataclass(frozen=True)
class Taken:
    """What one run of a command took, with all the processes that it began."""

    seconds: float
    """From its beginning to its end."""
    cpu: float
    """On all cores together."""
    megabytes: int
    """The most memory of one of these processes. Linux gives a process no less than what began it had then."""


def in_turn(commands: Mapping[str, Command], repeats: int) -> dict[str, list[Taken]]:
    """Return what each command takes, `repeats` times after one warm-up, the commands taking turns."""
    taken: dict[str, list[Taken]] = {name: [] for name in commands}
    for turn in range(repeats + 1):
        for name, command in commands.items():
            command.before()
            found = _run(command)
            taken[name] += [found] if turn else []
            print(f"\r{name} {turn}/{repeats}   ", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return taken


def _run(command: Command) -> Taken:
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as it is where somebody has installed something
    with tempfile.TemporaryFile() as printed:
        started = time.perf_counter()
        with held_to(command.cores):
            process = subprocess.Popen(
                command.arguments, cwd=command.directory, env=environment, stdout=printed, stderr=printed
            )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            printed.seek(0)
            raise subprocess.CalledProcessError(process.returncode, command.arguments, printed.read())
    megabytes = usage.ru_maxrss // (1024 if sys.platform != "darwin" else 1024 * 1024)
    return Taken(seconds, usage.ru_utime + usage.ru_stime, megabytes)


@contextlib.contextmanager
def held_to(cores: int | None) -> Iterator[None]:
    """Hold this process, and those that it begins, to so many cores."""
    if cores is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(own)[:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, own)


def interleaved(commands: Mapping[str, Command], repeats: int) -> dict[str, list[float]]:
    """Give each command's wall seconds, `repeats` times after one warm-up, the commands taking turns."""
    return figures(in_turn(commands, repeats), "seconds")


def figures(taken: Mapping[str, Sequence[Taken]], what: Literal["seconds", "cpu"]) -> dict[str, list[float]]:
    """Return one figure of each run of each command."""
    return {name: [getattr(each, what) for each in runs] for name, runs in taken.items()}


def memory(taken: Mapping[str, Sequence[Taken]]) -> dict[str, int]:
    """Return the most memory of any run of each command, in megabytes."""
    return {name: max(each.megabytes for each in runs) for name, runs in taken.items()}


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
