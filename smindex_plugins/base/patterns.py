"""Patterns: of URL paths, such as `tags/*.html`, and of files of a repository, such as
`snippets/*.md`.
"""

import glob
import os
import posixpath
import re
from functools import lru_cache
from urllib.parse import unquote

from smindex_plugins.base.files import visible

FILE_PATTERN = r"(?!/|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))(?=.*\S)[^\\\x00]*"
"""A pattern of files below the root of a repository: relative, without ``..`` and backslashes."""
_WILDCARDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def matches(url_path: str, patterns: tuple[str, ...]) -> str | None:
    """Return the first pattern that a relative, percent-encoded URL path matches, or None.

    ``*`` and ``?`` stay within one segment, ``**`` crosses them, and a pattern that ends in ``/``
    matches everything below it. The path of one ``index.html``, without wildcards, also matches
    that page at the URL of its directory. Patterns are compared with the decoded path, so non-ASCII
    names are written unescaped.
    """
    decoded = unquote(url_path) if patterns else ""
    return next((pattern for pattern in patterns if expression(pattern).fullmatch(decoded)), None)


def exact(url_path: str) -> str:
    """Return the pattern that matches only the page at a relative, percent-encoded URL path, and
    none below it.
    """
    path = unquote(url_path)
    return path + "index.html" if path == "" or path.endswith("/") else path


@lru_cache(maxsize=1024)
def expression(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern, for decoded paths."""
    pattern = unquote(pattern.lstrip("/"))
    if pattern.rpartition("/")[2] == "index.html" and not re.search(r"[*?]", pattern):
        return re.compile(re.escape(pattern.removesuffix("index.html")) + r"(?:index\.html)?")
    parts = re.split(r"((?<![^/])\*\*/|\*\*|\*|\?)", pattern + "**" * pattern.endswith("/"))
    return re.compile("".join(_WILDCARDS.get(part) or re.escape(part) for part in parts), re.DOTALL)


def is_file_pattern(value: object) -> bool:
    """Whether a value is a pattern of paths below the root of a repository, with ``/``
    separators.
    """
    return isinstance(value, str) and re.fullmatch(FILE_PATTERN, value, re.DOTALL) is not None


def find_files(root: str, pattern: str) -> list[str]:
    """Return, in order, the files (absolute paths) below a directory that match a pattern of files.

    Wildcards work as in URL patterns, but don't match hidden names, and ``**`` doesn't follow
    links. A file whose name contains wildcards is found by its own name.
    """
    pattern = posixpath.normpath(pattern) + "/" * pattern.endswith("/")
    if os.path.isfile(os.path.join(root, pattern)):
        return [os.path.join(root, pattern)]
    if "**" in pattern or pattern.endswith("/"):
        top = re.split(r"[*?]", pattern, maxsplit=1)[0].rpartition("/")[0]
        walked = visible(os.path.join(root, top), onerror=lambda _: None)
        below = (posixpath.join(top, prefix + name) for prefix, names in walked for name in names)
        found = list(filter(expression(pattern).fullmatch, below))
    else:
        found = glob.glob(pattern.replace("[", "[[]"), root_dir=root)
    return sorted(
        path for path in (os.path.join(root, name) for name in found) if os.path.isfile(path)
    )
