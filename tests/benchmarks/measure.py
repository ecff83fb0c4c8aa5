"""Measures contenders in turn, so that a machine whose speed drifts treats all of them alike."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Usage(NamedTuple):
    """What one run of a contender used."""

    seconds: float
    cpu: float = 0
    """Seconds of CPU, on all cores together."""
    megabytes: int = 0
    """The peak memory of the process."""


def process(
    arguments: Sequence[str | Path], directory: Path | None = None, cores: int | None = None
) -> Usage:
    """Run a process, with all those that it starts, on so many cores.

    Raises:
        CalledProcessError: its exit code is not 0.
    """
    available = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, available[:cores])
    try:
        with tempfile.TemporaryFile() as output:
            started = time.perf_counter()
            running = subprocess.Popen(arguments, cwd=directory, stdout=output, stderr=output)
            _, status, used = os.wait4(running.pid, 0)
            seconds = time.perf_counter() - started
            running.returncode = os.waitstatus_to_exitcode(status)
            if running.returncode:
                output.seek(0)
                sys.stderr.buffer.write(output.read())
                raise subprocess.CalledProcessError(running.returncode, [*map(str, arguments)])
    finally:
        os.sched_setaffinity(0, available)
    return Usage(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)


def function(call: Callable[[], object]) -> Usage:
    """Call a function of this process."""
    started = time.perf_counter()
    call()
    return Usage(time.perf_counter() - started)


def in_turn(contenders: Mapping[str, Callable[[], Usage]], repeats: int) -> dict[str, list[Usage]]:
    """Return what each contender used, in `repeats` turns after one that warms the caches."""
    turns = [
        {name: contender() for name, contender in contenders.items()} for _ in range(repeats + 1)
    ]
    return {name: [turn[name] for turn in turns[1:]] for name in contenders}


def print_ratios(title: str, usages: Mapping[str, Sequence[Usage]]) -> None:
    """Print medians, with their ratios to the first contender, turn by turn."""
    base = next(iter(usages.values()))
    print(
        f"\n{title}, median of {len(base)} turns\n\n{'':26}{'seconds':>9}{'ratio':>8}  (lowest to"
        " highest)"
    )
    for name, runs in usages.items():
        ratios = [run.seconds / other.seconds for run, other in zip(runs, base, strict=True)]
        seconds, ratio = statistics.median(run.seconds for run in runs), statistics.median(ratios)
        print(f"{name:26}{seconds:9.3f}{ratio:8.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")


def print_cpu(title: str, usages: Mapping[str, Sequence[Usage]]) -> None:
    """Print the least CPU time of each contender, with its ratio to the first and the difference.

    Other programs only add to the time, so the least is the nearest to the true one.
    """
    least = {name: min(run.cpu for run in runs) for name, runs in usages.items()}
    base = next(iter(least.values()))
    print(f"\n{title}\n\n{'':26}{'CPU, s':>9}{'ratio':>8}{'more, s':>9}")
    for name, cpu in least.items():
        print(f"{name:26}{cpu:9.3f}{cpu / base:8.2f}{cpu - base:9.3f}")
