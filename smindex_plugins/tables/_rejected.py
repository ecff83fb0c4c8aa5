"""The rows that a run rejects: their columns, and which files of an earlier run they may
replace.
"""

import os
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq

from smindex_plugins.base.outputs import refuse_foreign

ROWS = ("fault", "url", "value")
"""The columns of rejected rows."""
_STARTS = {"csv": ",".join(ROWS).encode(), "json": b'{"fault":', "parquet": b"PAR1"}


def refuse_foreign_rows(path: str, form: str) -> None:
    """Refuse to replace a file that doesn't contain rejected rows, or a directory of other files.

    Spark writes a directory. In object storage, it refuses every directory that exists.

    Raises:
        WrongOptionsError: another tool or the author wrote the file.
        OSError: it can't be read.
    """
    files = [path]
    if os.path.isdir(path):
        files = []
        for name in sorted(os.listdir(path)):
            is_rows = name != "_SUCCESS" and not _is_checksum(name)
            if is_rows:
                files.append(os.path.join(path, name))
    for file in files:
        refuse_foreign(file, partial(_is_ours, file, form))


def _is_checksum(name: str) -> bool:
    return name.startswith(".") and name.endswith(".crc")


def _is_ours(file: str, form: str, start: bytes) -> bool:
    if not start.startswith(_STARTS[form]):
        return False
    if form != "parquet":
        return True
    try:
        return tuple(pq.read_schema(file).names) == ROWS
    except (pa.ArrowInvalid, OSError):
        return False
