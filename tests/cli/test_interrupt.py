"""Whoever interrupts the command sees no traceback, whenever that is."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.__main__ import STOPPED
from tests.support.servers import endless, speaking

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="platform: Windows has no SIGINT for one process"
)

SCRIPT = """
import sys
from smindex_plugins import __main__
from smindex_plugins.cli import main as entry
from smindex_plugins.cli import build  # while Python makes classes, it may turn an interrupt into another error
main = entry.main
def begin():
    print("begun", flush=True)
    return main()
entry.main = begin  # an interrupt before the entry point's own code is Python's affair
sys.exit(__main__.main())
"""
DEAF = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")
"""Starts a program that ignores interrupts."""


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """Let interrupts reach what is started here, also where a shell runs these tests in the
    background.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for number in range(100):
        (tmp_path / f"page-{number}.html").write_text(
            f"<!doctype html><title>{number}</title><p>{number}"
        )
    return tmp_path


def interrupted(
    site: Path, after: float, *before: str, number: int = signal.SIGINT
) -> tuple[int, str]:
    """Give the exit code and the errors of a build that gets a signal a while after it began."""
    build = ["build", str(site), "--site-url", "https://e.org/", "--set", "lastmod=off"]
    run = subprocess.Popen(
        [*before, sys.executable, "-c", SCRIPT, *build],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert run.stdout is not None
        assert run.stdout.readline() == "begun\n"
        time.sleep(after)
        os.killpg(run.pid, number)  # as a terminal sends it to all that it runs
        errors = run.communicate(timeout=20)[1]
    finally:
        end(run)
    return run.returncode, errors


def end(run: "subprocess.Popen[Any]") -> None:
    """Kill a process and all that it started, so that a failing test leaves none of them."""
    with suppress(ProcessLookupError):
        os.killpg(run.pid, signal.SIGKILL)
    run.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_has_its_own_exit_code_and_leaves_no_traceback_and_no_temporary_files(
    site: Path, number: int
) -> None:
    codes = set()
    for moment in (0, 0.05, 0.1, 0.2):
        code, errors = interrupted(site, moment, number=number)
        assert errors.strip() in {"", "smindex: stopped."}
        codes.add(code)
        assert not [name for name in os.listdir(site) if name.startswith(".")]
    assert STOPPED + number in codes
    assert codes <= {0, STOPPED + number}


def test_who_ignores_interrupts_from_the_start_goes_on_doing_so(site: Path) -> None:
    assert interrupted(site, 0.1, *DEAF) == (0, "")
    assert (site / "sitemap_index.xml").exists()


def test_an_interrupt_ends_a_check_whose_thread_waits_for_a_server() -> None:
    is_asked = threading.Event()

    def answer(connection: socket.socket, _: bytes) -> None:
        is_asked.set()
        endless(connection, b"", at_once=b"", again=b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.05)

    with speaking(answer) as host:
        command = [
            sys.executable,
            "-m",
            "smindex_plugins",
            "check",
            f"http://{host}/a.xml",
            "--timeout",
            "600",
        ]
        environment = {**os.environ, "no_proxy": "*"}
        run = subprocess.Popen(command, env=environment, start_new_session=True)
        try:
            assert is_asked.wait(20)
            os.killpg(run.pid, signal.SIGINT)
            assert run.wait(timeout=20) == STOPPED + signal.SIGINT
        finally:
            end(run)
