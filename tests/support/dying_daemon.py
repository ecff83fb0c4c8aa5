"""What starts the Python workers of Spark in tests: some are killed while they read or write, or their executors are.

`spark.python.daemon.module` names it. A directory in the environment has room for as many deaths as there may be.
"""

import os
import signal
from typing import Any

from smindex_plugins.storage import Storage
from smindex_plugins.tables import rows

DEATHS = "SMINDEX_TEST_DEATHS"
"""The variable with the directory. Each file in it is a death that is still to come: its name is that of a step and of
who dies in it, such as ``reading-worker`` or ``writing-executor-2``."""
_SPARED = 5
"""Files that a process may put in place before; the next is written, and not in place yet."""


def parent_of(process: int) -> int:
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def _die(step: str) -> None:
    place = os.environ[DEATHS]
    for name in os.listdir(place):
        if not name.startswith(step):
            continue
        try:
            os.remove(os.path.join(place, name))  # another process may have been quicker
        except FileNotFoundError:
            continue
        executor = parent_of(os.getppid())
        os.kill(executor if "executor" in name else os.getpid(), signal.SIGKILL)


def _deadly() -> None:
    write, normal_rows = Storage.write, rows.normal_rows
    left = [_SPARED]

    def read(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever it takes
        _die("reading")
        return normal_rows(*arguments, **options)

    def counted(self: Storage, path: str, content: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            _die("writing")
        write(self, path, content)

    replaced: Any = Storage
    replaced.write = counted
    replaced = rows
    replaced.normal_rows = read


if __name__ == "__main__":
    from pyspark import daemon

    _deadly()
    daemon.manager()
