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
    if not patterns:
        return None
    decoded = unquote(url_path)
    for pattern in patterns:
        if expression(pattern).fullmatch(decoded):
            return pattern
    return None


def exact(url_path: str) -> str:
    """Return the pattern that matches only the page at a relative, percent-encoded URL path."""
    path = unquote(url_path)
    if path == "" or path.endswith("/"):
        path += "index.html"
    return path


@lru_cache(maxsize=1024)
def expression(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern, for decoded paths."""
    pattern = unquote(pattern.lstrip("/"))
    directory, slash, name = pattern.rpartition("/")
    if name == "index.html" and not re.search(r"[*?]", pattern):
        return re.compile(re.escape(directory + slash) + r"(?:index\.html)?")
    if pattern.endswith("/"):
        pattern += "**"
    parts = re.split(r"((?<![^/])\*\*/|\*\*|\*|\?)", pattern)
    translated = [_WILDCARDS.get(part) or re.escape(part) for part in parts]
    return re.compile("".join(translated), re.DOTALL)


def is_file_pattern(value: object) -> bool:
    """Whether a value is a pattern of paths below the root of a repository, with ``/``."""
    return isinstance(value, str) and re.fullmatch(FILE_PATTERN, value, re.DOTALL) is not None


def find_files(root: str, pattern: str) -> list[str]:
    """Return, in order, the files (absolute paths) below a directory that match a pattern of files.

    Wildcards work as in URL patterns, but don't match hidden names, and ``**`` doesn't follow
    links. A file whose name contains wildcards is found by its own name.
    """
    is_directory = pattern.endswith("/")
    pattern = posixpath.normpath(pattern)  # which removes the slash
    if is_directory:
        pattern += "/"
    itself = os.path.join(root, pattern)
    if os.path.isfile(itself):
        return [itself]
    if "**" in pattern or pattern.endswith("/"):
        found = _find_below(root, pattern)
    else:
        found = glob.glob(pattern.replace("[", "[[]"), root_dir=root)
    paths = [os.path.join(root, name) for name in found]
    return sorted(filter(os.path.isfile, paths))


def _find_below(root: str, pattern: str) -> list[str]:
    before_wildcard = re.split(r"[*?]", pattern, maxsplit=1)[0]
    top, _, _ = before_wildcard.rpartition("/")
    matched = expression(pattern).fullmatch
    found = []
    for prefix, names in visible(os.path.join(root, top), onerror=lambda _: None):
        for name in names:
            path = posixpath.join(top, prefix + name)
            if matched(path):
                found.append(path)
    return found
