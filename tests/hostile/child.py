"""A program that is run as a user would, with what it may cost: time, memory, and no traceback."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

SECONDS = 120.0
"""How long a program may take, on a machine that has much else to do."""
MEMORY = 350 << 20
"""Bytes that it may take: 300 MB, and what Python and all that is imported take before any work."""
MOST_MEMORY = 4 << 30
"""Bytes of addresses that it can have: where it swells, it fails, and not the machine."""
_MOST_OUTPUT = 1 << 20
_CONTROLS = re.compile(r"[^\n\t -~\xa0-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Ended:
    """A program that has ended."""

    code: int
    """Its exit code, or that of the signal that ended it, below 0."""
    out: str
    err: str
    seconds: float
    memory: int
    """Bytes that it had at most. The process that starts it counts too, until then: that one must be small."""
    is_hung: bool = False
    """Whether it took too long, and was killed."""


def run(
    *command: str,
    place: Path,
    seconds: float = SECONDS,
    environment: Mapping[str, str] | None = None,
    prepare: Callable[[], object] = lambda: None,
) -> Ended:
    """Run a program in a directory to its end, or to that of its time.

    ``prepare`` is called in the new process before the program.
    """

    def begin() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        prepare()

    out, err = place / ".standard-output", place / ".standard-error"
    with out.open("wb") as out_file, err.open("wb") as err_file:
        started = time.monotonic()
        process = subprocess.Popen(
            command,
            cwd=place,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=out_file,
            stderr=err_file,
            preexec_fn=begin,  # noqa: PLW1509 - a trial has one thread
            start_new_session=True,
        )
        process.returncode, memory, is_hung = wait_for(process.pid, started + seconds)
    took = time.monotonic() - started
    return Ended(process.returncode, _taken(out), _taken(err), took, memory, is_hung)


def smindex(
    *arguments: str, place: Path, seconds: float = SECONDS, prepare: Callable[[], object] = lambda: None
) -> Ended:
    """Run the command `smindex`."""
    return run(sys.executable, "-m", "smindex_plugins", *arguments, place=place, seconds=seconds, prepare=prepare)


def fault(ended: Ended, codes: Collection[int] = (0, 1, 2), *, memory: int = MEMORY) -> str:
    """Return in one line what no program of ours may do, or nothing."""
    said = f"{ended.out}\n{ended.err}"
    control = _CONTROLS.search(said)
    faults = {
        f"it did not end within {ended.seconds:.0f} s": ended.is_hung,
        f"a traceback: {_last_line(said)}": "Traceback (most recent call last)" in said,
        f"a mistake that was caught: {_last_line(said)}": "an error in smindex-plugins" in said,
        f"exit code {ended.code}: {_last_line(said)}": ended.code not in codes,
        f"it took {ended.memory >> 20} MB, and may take {memory >> 20}": ended.memory > memory,
        f"a control character in what it prints: {control and said[max(control.start() - 40, 0) :][:80]!r}": control,
    }
    return next((text for text, is_there in faults.items() if is_there), "")


def wait_for(pid: int, until: float) -> tuple[int, int, bool]:
    """Wait for a process that leads a group of its own, and kill all of that when its time is over.

    Return its exit code, the bytes of memory that it took, and whether it was killed.
    """
    pause, is_hung = 0.001, False
    while True:
        ended, status, used = os.wait4(pid, os.WNOHANG)
        if ended:
            memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
            return os.waitstatus_to_exitcode(status), memory, is_hung
        if time.monotonic() > until and not is_hung:
            is_hung = True
            os.killpg(pid, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def _taken(path: Path) -> str:
    """Return the text of a file, which is then removed."""
    with path.open("rb") as file:
        text = file.read(_MOST_OUTPUT).decode(errors="replace")
    path.unlink()
    return text


def _last_line(said: str) -> str:
    lines = said.strip().splitlines()
    return lines[-1][:300] if lines else "it says nothing"
