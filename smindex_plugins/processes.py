"""Work on many files that several processes share. Its results come in the order in which one process has them."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from itertools import chain, islice
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

A = TypeVar("A")
B = TypeVar("B")

MANY = 5_000
"""Files from which on processes save more time than it takes to begin and end them."""
_PART = 250
"""Files that a process is given at a time."""


class Processes:
    """This process, and those that do its work beside it, if there are any."""

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def share(self, work: Callable[[Sequence[A]], Sequence[B]], items: Iterable[A]) -> Iterator[B]:
        """Return the results of a work on items. Others begin with it at once, this process when it is asked for them.

        Nothing is lost with a process that is killed: whatever nobody else has done is done here.
        """
        remaining = iter(items)
        begun: deque[tuple[Sequence[A], Future[Sequence[B]] | None]] = deque()
        while part := list(islice(remaining, _PART)):
            is_worth_it = self._jobs > 1 and len(part) == _PART
            begun.append((part, self._begin(work, part) if is_worth_it else None))
        return chain.from_iterable(_done(work, *begun.popleft()) for _ in range(len(begun)))

    def _begin(self, work: Callable[[Sequence[A]], Sequence[B]], part: Sequence[A]) -> Future[Sequence[B]] | None:
        """Return what will be the result of another process, or None where this one has to do the work."""
        try:
            with _deaf():
                self._pool = self._pool or _pool(self._jobs)
                return self._pool.submit(work, part)
        except (BrokenExecutor, ImportError, NotImplementedError):  # one was killed, or the system cannot have any
            self._jobs = 1
        except OSError:  # the system allows no more processes; those that began wait for work that does not come
            self._jobs = 1
            for process in multiprocessing.active_children():
                process.kill()
        return None

    def end(self) -> None:
        """Let the others end what they do now, and begin nothing more."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


@contextmanager
def at_work(jobs: int) -> Iterator[Processes]:
    """Return processes that work until the context ends."""
    team = Processes(jobs)
    try:
        yield team
    finally:
        team.end()


def available() -> int:
    """Return how many processes can work at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pool(jobs: int) -> "ProcessPoolExecutor":
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - it takes 20 ms to load, and few sites need it

    return ProcessPoolExecutor(jobs, initializer=_prepare)


@contextmanager
def _deaf() -> Iterator[None]:
    """Let no interrupt come before the end of the context. The processes that begin in it never hear any."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare() -> None:
    """Let an interrupt stop the first process alone, which ends the others, and let none of them outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_first, daemon=True).start()


def _end_with_the_first() -> None:
    if first := multiprocessing.parent_process():
        first.join()
    os._exit(1)


def _done(
    work: Callable[[Sequence[A]], Sequence[B]], part: Sequence[A], begun: Future[Sequence[B]] | None
) -> Sequence[B]:
    try:
        return begun.result() if begun else work(part)
    except BrokenExecutor:
        return work(part)
