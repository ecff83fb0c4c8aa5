"""Patterns that name files of a repository, such as `snippets/*.md`."""

import glob
import os
import re


def is_file_pattern(value: object) -> bool:
    """Whether a value is a pattern of paths below the root of a repository, with ``/`` separators."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        return False
    return not value.startswith("/") and ".." not in value.split("/") and not re.match(r"[A-Za-z]:|.*\\", value)


def files(root: str, pattern: str) -> list[str]:
    """Return, in order, the files (absolute paths) below a directory that a pattern names.

    ``*`` and ``?`` stay within one directory, ``**`` crosses them, and a pattern that ends in ``/`` means everything
    below it. A name that holds such signs itself is found as it is.
    """
    literal = os.path.join(root, pattern)
    if os.path.isfile(literal):
        return [literal]
    found = glob.glob(pattern + "**" if pattern.endswith("/") else pattern, root_dir=root, recursive=True)
    return sorted(path for name in found if os.path.isfile(path := os.path.join(root, name)))
