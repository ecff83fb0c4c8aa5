"""A directory of this machine for the rows of one run, and what killed runs left of theirs."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from smindex_plugins.sitemaps import output

_PREFIX = "smindex-tables-"
"""What the names of these directories begin with."""
_MARK = "smindex-rows"
"""An empty file in each of them, which shows that it is our own."""


@contextmanager
def temporary_directory(parent: str) -> Iterator[str]:
    """Make a directory for the rows of this run, and remove those that killed runs left beside it."""
    parent = parent or tempfile.gettempdir()
    os.makedirs(parent, exist_ok=True)
    for name in os.listdir(parent):
        if name.startswith(_PREFIX):
            _remove_left(os.path.join(parent, name))
    directory = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
    with open(os.path.join(directory, _MARK), "xb"):
        pass
    try:
        with output.lock(directory, 0):
            yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _remove_left(directory: str) -> None:
    """Remove what a killed run left: no run holds it, and it is our own."""
    with suppress(OSError):
        is_own = sys.platform == "win32" or os.stat(directory).st_uid == os.getuid()
        if is_own and os.path.isfile(os.path.join(directory, _MARK)):
            with output.lock(directory, 0):
                shutil.rmtree(directory, ignore_errors=True)
