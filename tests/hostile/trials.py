"""Trials, each in a process and a directory of its own, several at once, and what became of them."""

import multiprocessing
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Literal

from tests.hostile.attack import Attack, NotRunError
from tests.support.gitrepo import ISOLATED

ROOT = Path(__file__).parents[2]
TRIAL_SECONDS = 900.0
"""After which a trial counts as hung: what it runs itself has shorter times."""
_SERVICES = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "READTHEDOCS", "XDG_CONFIG_HOME", "GIT_DIR")
_FORK = multiprocessing.get_context("fork")
"""Processes that have all modules already."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a trial."""

    attack: str
    number: int
    result: Literal["held", "failed", "not run"]
    said: str
    """What went wrong, or why the trial could not be made."""
    seconds: float
    place: Path
    """Its directory, which is there only if it was to be kept."""


def outcomes(trials: Iterable[tuple[Attack, int]], jobs: int, *, keep: bool = False) -> Iterator[Outcome]:
    """Make trials, a number of them at a time, and yield what becomes of each when it ends."""
    waiting, running = iter(trials), list[_Trial]()
    try:
        while True:
            running += [_Trial(*trial) for trial in islice(waiting, jobs - len(running))]
            if not running:
                return
            first = min(trial.until for trial in running)
            answered = wait([trial.answer for trial in running], max(first - time.monotonic(), 0))
            for trial in list(running):
                if trial.answer in answered or time.monotonic() > trial.until:
                    running.remove(trial)
                    yield trial.end(keep=keep)
    finally:
        for trial in running:
            trial.end(keep=False)


@dataclass
class _Trial:
    attack: Attack
    number: int
    place: Path = field(init=False)

    def __post_init__(self) -> None:
        self.place = Path(tempfile.mkdtemp(prefix=f"hostile-{self.attack.name}-"))
        self.started = time.monotonic()
        self.until = self.started + TRIAL_SECONDS
        self.answer, sender = _FORK.Pipe(duplex=False)
        self.process = _FORK.Process(target=_make, args=(self.attack, self.number, self.place, sender))
        self.process.start()
        sender.close()

    def end(self, *, keep: bool) -> Outcome:
        """Return what became of it, after all that is left of it is gone."""
        result: Literal["held", "failed", "not run"] = "failed"
        said = f"it did not end within {TRIAL_SECONDS:.0f} s"
        if self.answer.poll():
            try:
                result, said = self.answer.recv()
            except EOFError:
                said = "its process ended without an answer"
        _end_group(self.process.pid or 0)
        self.process.join()
        self.answer.close()
        seconds = time.monotonic() - self.started
        if not keep:
            _remove(self.place)
        return Outcome(self.attack.name, self.number, result, " ".join(said.split()), seconds, self.place)


def _make(attack: Attack, number: int, place: Path, answer: Connection) -> None:
    """Make a trial, with nothing of the user's and of the machine's settings."""
    os.setpgrp()
    os.environ.update(ISOLATED, PYTHONPATH=os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    for name in _SERVICES:
        os.environ.pop(name, None)
    os.chdir(place)
    try:
        said = attack.run(number, place)
        answer.send(("failed" if said else "held", said[:2_000]))
    except NotRunError as reason:
        answer.send(("not run", str(reason)))
    except Exception as error:  # noqa: BLE001 - whatever an attack meets is its failure
        frame = error.__traceback__
        while frame and frame.tb_next:
            frame = frame.tb_next
        where = f"{Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}" if frame else ""
        answer.send(("failed", f"{type(error).__name__} in {where}: {error}"[:2_000]))


def _end_group(group: int) -> None:
    with suppress(ProcessLookupError):  # nothing of the trial is left, or it has not begun
        os.killpg(group, signal.SIGKILL)


def _remove(place: Path) -> None:
    """Remove a directory, also what is in those of its directories that may not be entered."""
    shutil.rmtree(place, ignore_errors=True)
    if place.exists():
        for top, directories, _ in os.walk(place):
            for name in directories:
                os.chmod(os.path.join(top, name), 0o700)
        shutil.rmtree(place)
