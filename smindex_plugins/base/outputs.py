"""Files at paths that the user chose. A file that this tool did not write is never replaced."""

import errno
import io
import os
import re
from collections.abc import Callable
from typing import IO

from smindex_plugins.base.files import open_regular, write_file
from smindex_plugins.base.text import WrongOptionsError

_STARTS = re.compile(
    rb"<!-- smindex (?:report|diff) -->"
    rb'|<!DOCTYPE html>.{0,1000}<meta name="color-scheme" content="light'
    rb' dark">\s*<title>Sitemaps of '
    rb'|\{\s*"version":\s*1,\s*"site":'
    rb'|\{\s*"old":\s*"(?:[^"\\]|\\.)*",\s*"new":\s*"(?:[^"\\]|\\.)*",\s*"added":\s*\[',
    re.DOTALL,
)
"""The starts of our reports and differences in Markdown, HTML and JSON."""
_PEEKED = 4096
"""How many bytes show who wrote a file."""


def _is_ours(start: bytes) -> bool:
    return _STARTS.match(start) is not None


def refuse_foreign(path: str, is_ours: Callable[[bytes], bool] = _is_ours) -> None:
    """Refuse to replace a file that this tool did not write. An empty file can be replaced.

    ``is_ours`` tells that from the first bytes of the file. By default, these are those of a report
    or of differences.

    Raises:
        WrongOptionsError: another tool or the author wrote the file, or it is not a file.
        OSError: it can't be read.
    """
    if not os.path.lexists(os.path.realpath(path)):
        return
    if not os.path.isfile(path):
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    with open_regular(path) as file:
        start = file.read(_PEEKED)
    if start and not is_ours(start):
        problem = (
            "smindex did not write this file, so it is unchanged. Choose another name, or remove"
            " the file."
        )
        raise WrongOptionsError([f"{path}: {problem}"])


def save(path: str, write: Callable[[IO[str]], object]) -> None:
    """Write a report or differences to a file atomically.

    Raises:
        WrongOptionsError: this tool did not write the file that is there.
        OSError: it can't be written.
    """
    refuse_foreign(path)
    text = io.StringIO()
    write(text)
    replace_file(path, text.getvalue().encode())


def replace_file(path: str, content: bytes) -> None:
    """Write a file atomically. If the path is a link, the file that it leads to is written.

    Raises:
        OSError: it can't be written.
    """
    try:
        write_file(os.path.realpath(path), content)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), path) from error
