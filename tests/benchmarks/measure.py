"""Timing of whole processes, in turn, so that a machine whose speed drifts treats all of them alike."""

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


def interleaved(commands: Mapping[str, Command], repeats: int) -> dict[str, list[float]]:
    """Give each command's wall seconds, `repeats` times after one warm-up, the commands taking turns."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(repeats + 1):
        for name, command in commands.items():
            command.before()
            started = time.perf_counter()
            subprocess.run(command.arguments, cwd=command.directory, check=True, capture_output=True)
            if turn:
                seconds[name].append(time.perf_counter() - started)
            print(f"\r{name} {turn}/{repeats}   ", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return seconds


def ratios(seconds: Mapping[str, Sequence[float]], base: str) -> dict[str, float]:
    """Give the median of each command's ratio to the base, pair by pair of one turn."""
    return {
        name: statistics.median(own / other for own, other in zip(times, seconds[base], strict=True))
        for name, times in seconds.items()
    }
