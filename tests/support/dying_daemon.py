"""What starts the Python workers of Spark in tests: some of them are killed while they write, or their executors are.

`spark.python.daemon.module` names it. A directory in the environment has room for as many deaths as there may be.
"""

import os
import signal
from typing import Any

from smindex_plugins.sitemaps import Changes
from smindex_plugins.sitemaps.output import Staging

DEATHS = "SMINDEX_TEST_DEATHS"
"""The variable with the directory; each file in it is a death that is still to come, and named after who dies."""
_SPARED = 5
"""Files that a process may put in place before; the next is written, and not in place yet."""


def parent_of(process: int) -> int:
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def _die(place: str) -> None:
    for name in os.listdir(place):
        try:
            os.remove(os.path.join(place, name))  # another process may have been quicker
        except FileNotFoundError:
            continue
        executor = parent_of(os.getppid())
        os.kill(executor if name.startswith("executor") else os.getpid(), signal.SIGKILL)


def _deadly() -> None:
    commit = Staging.commit
    left = [_SPARED]

    def counted(self: Staging, *arguments: Any) -> Changes:  # noqa: ANN401 - whatever it takes
        left[0] -= 1
        if left[0] < 0:
            _die(os.environ[DEATHS])
        return commit(self, *arguments)

    replaced: Any = Staging
    replaced.commit = counted


if __name__ == "__main__":
    from pyspark import daemon

    _deadly()
    daemon.manager()
