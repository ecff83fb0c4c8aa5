"""Work that several processes share: nothing is lost, nothing is left, and the order is that of one process."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial

import pytest

from smindex_plugins import processes

ITEMS = list(range(1_050))
SLEEPERS = r"""
import os, time
from smindex_plugins import processes

def sleep(items):
    os.write(1, b"at work\n")
    time.sleep(60)
    return items

if __name__ == "__main__":
    with processes.at_work(2) as team:
        list(team.share(sleep, list(range(1000))))
"""


def doubled(items: Sequence[int]) -> list[int]:
    return [2 * item for item in items]


def doubled_until_killed(first: int, items: Sequence[int]) -> list[int]:
    """Kill the process that comes to a part in the middle, unless it is the first."""
    if 500 in items and os.getpid() != first:
        os.kill(os.getpid(), signal.SIGKILL)
    return doubled(items)


def failing(items: Sequence[int]) -> list[int]:
    raise FileNotFoundError(items[0])


def own_process(items: Sequence[int]) -> list[int]:
    time.sleep(0.01)  # so that no process does all before another has begun
    return [os.getpid()] * len(items)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_order_from_any_number_of_processes(jobs: int) -> None:
    with processes.at_work(jobs) as team:
        assert list(team.share(doubled, ITEMS)) == doubled(ITEMS)
        assert list(team.share(doubled, ITEMS[:50])) == doubled(ITEMS[:50])
        assert list(team.share(doubled, [])) == []


def test_others_do_the_work_and_one_job_is_this_process_alone() -> None:
    with processes.at_work(2) as team:
        others = set(team.share(own_process, ITEMS[:1_000]))
    assert os.getpid() not in others
    assert len(others) == 2
    with processes.at_work(1) as team:
        assert set(team.share(own_process, ITEMS)) == {os.getpid()}


def test_what_a_killed_process_has_not_done_is_done_here() -> None:
    with processes.at_work(2) as team:
        work = partial(doubled_until_killed, os.getpid())
        assert list(team.share(work, ITEMS)) == doubled(ITEMS)
        assert list(team.share(work, ITEMS)) == doubled(ITEMS), "none is left to be given work"


def test_the_last_few_items_are_left_to_this_process() -> None:
    with processes.at_work(2) as team:
        assert list(team.share(own_process, ITEMS))[1_000:] == [os.getpid()] * 50


def test_an_error_of_the_work_is_that_of_whoever_asked_for_it() -> None:
    with processes.at_work(2) as team, pytest.raises(FileNotFoundError):
        list(team.share(failing, ITEMS))


def test_a_system_that_allows_no_more_processes_has_the_work_done_here() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with processes.at_work(2) as team:
        lowest_free = os.dup(0)
        os.close(lowest_free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, before[1]))
        try:
            results = team.share(doubled, ITEMS)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
        assert list(results) == doubled(ITEMS)


@pytest.mark.skipif(sys.platform == "win32", reason="platform: Windows has no SIGKILL")
def test_no_process_outlives_the_one_that_began_it() -> None:
    first = subprocess.Popen([sys.executable, "-c", SLEEPERS], stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert [first.stdout.readline() for _ in range(2)] == ["at work\n"] * 2
    first.kill()
    assert first.communicate(timeout=30)[0] == "", "the end of the pipe is when nobody is left to write to it"
