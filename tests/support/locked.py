"""Another process that holds the lock of a directory."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HOLDER = """
import sys, time
from smindex_plugins.sitemaps import output
with output.only_writer(sys.argv[1]):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@contextlib.contextmanager
def holder(directory: Path, seconds: float = 600) -> Iterator["subprocess.Popen[str]"]:
    """Let a process hold the lock of a directory, until it is killed."""
    command = [sys.executable, "-c", HOLDER, str(directory), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()
