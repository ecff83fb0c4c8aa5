"""Patterns: of URL paths, such as `tags/*.html`, and of files of a repository, such as `snippets/*.md`."""

import os
import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from urllib.parse import unquote

from smindex_plugins.limits import MAX_FILE_PATTERN, MAX_LOOKED_AT

FILE_PATTERN = r"(?!/|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))(?=.*\S)[^\\\x00]*"
"""A pattern of files below the root of a repository: relative, not leading out of it, without backslashes."""


def matches(url_path: str, patterns: tuple[str, ...]) -> bool:
    """Whether a relative, percent-encoded URL path matches one of the patterns."""
    return matching(url_path, patterns) is not None


def matching(url_path: str, patterns: tuple[str, ...]) -> str | None:
    """Return the first pattern that a relative, percent-encoded URL path matches, or None.

    ``*`` and ``?`` stay within one segment, ``**`` crosses them, and a pattern that ends in ``/`` means everything
    below it. The path of one ``index.html``, without such signs, means that page at the URL of its directory too.
    Patterns are compared with the decoded path, so non-ASCII names are written as they look.
    """
    if not patterns:
        return None
    decoded = unquote(url_path)
    return next((pattern for pattern in patterns if expression(pattern).fullmatch(decoded)), None)


@lru_cache(maxsize=1024)
def expression(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a URL pattern, for decoded paths."""
    pattern = unquote(pattern.lstrip("/"))
    if pattern.endswith("/"):
        pattern += "**"
    if pattern.rpartition("/")[2] == "index.html" and not re.search(r"[*?]", pattern):
        return re.compile(re.escape(pattern.removesuffix("index.html")) + r"(?:index\.html)?")
    first, *others = re.split(r"((?<![^/])\*\*/|\*\*)", pattern)
    text = _within_segments(first, is_last=not others)
    while others:
        wild, piece, *others = others
        # Where another `**` follows, the first place that the piece meets will do, so that none is tried twice.
        beginning = ("(?>" if others else "(?:") + ("(?:.*?/)??" if wild == "**/" else ".*?")
        text += f"{beginning}{_within_segments(piece, is_last=not others)})"
    return re.compile(text, re.DOTALL)


def _within_segments(pattern: str, *, is_last: bool) -> str:
    """Return the expression of a pattern without ``**``: the first match of each part will do, but for the last."""
    first, *others = (
        "".join("[^/]" if sign == "?" else re.escape(sign) for sign in part) for part in pattern.split("*")
    )
    last = f"[^/]*{others.pop()}" if others and is_last else ""
    return first + "".join(f"(?>[^/]*?{part})" for part in others) + last


def is_file_pattern(value: object) -> bool:
    """Whether a value is a pattern of paths below the root of a repository, with ``/`` separators."""
    if not isinstance(value, str) or len(value) > MAX_FILE_PATTERN:
        return False
    return re.fullmatch(FILE_PATTERN, value, re.DOTALL) is not None


class ManyFilesError(Exception):
    """Patterns look at more files, or name more, than any site has."""


class Files:
    """Finds the files that patterns name; all patterns together look at so many names, and no more.

    ``*`` and ``?`` stay within one directory, ``**`` crosses them, and a pattern that ends in ``/`` means everything
    below it. A name that holds such signs itself is found as it is.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], list[str]] = {}
        self._room = MAX_LOOKED_AT

    def find(self, root: str, pattern: str) -> list[str]:
        """Return, in order, the files (absolute paths) below a directory that a pattern names.

        Raises:
            ManyFilesError: there is no room for them.
        """
        known = self._known.get((root, pattern))
        if known is None:
            known = self._known[root, pattern] = sorted(self._found(root, pattern))
        self._take(len(known))
        return known

    def _found(self, root: str, pattern: str) -> Iterator[str]:
        literal = os.path.join(root, pattern)
        if os.path.isfile(literal):
            yield literal
            return
        pattern = os.path.normpath(pattern + "**" if pattern.endswith("/") else pattern).replace(os.sep, "/")
        pattern = re.sub(r"(?<![^/])(?:\*\*/)+", "**/", pattern)  # each of them would look at everything again
        for name in self._walk(root, pattern.split("/")):
            self._take(_KEPT)
            yield name

    def _walk(self, root: str, segments: list[str]) -> Iterator[str]:
        """Yield the files of a pattern. A directory is entered once for each segment, by its own name before others."""
        seen: set[tuple[int, int, int]] = set()
        real, linked = [(root, 0)], deque[tuple[str, int]]()
        while real or linked:
            directory, at = real.pop() if real else linked.popleft()
            segment, is_last = segments[at], at == len(segments) - 1
            if not re.search(r"[*?]", segment):
                name = os.path.join(directory, segment)
                if is_last and os.path.isfile(name):
                    yield name
                elif not is_last:
                    real.append((name, at + 1))
                continue
            identity = _identity(directory, at)
            if identity is None or identity in seen:
                continue
            seen.add(identity)
            crosses = segment == "**"
            for entry in self._listed(directory, segment):
                if is_last and os.path.isfile(entry.path):
                    yield entry.path
                elif crosses or not is_last:
                    below = entry.path, at if crosses else at + 1
                    (linked if entry.is_symlink() else real).append(below)
            if crosses and not is_last:
                real.append((directory, at + 1))

    def _listed(self, directory: str, segment: str) -> list[os.DirEntry[str]]:
        """Return what a directory has that meets a segment; hidden names do so only if it begins as they do."""
        meets = re.compile(_within_segments(segment, is_last=True), re.DOTALL).fullmatch
        is_for_hidden = segment.startswith(".")
        found: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(directory) as entries:
            for entry in entries:
                self._take(1)
                if (is_for_hidden or not entry.name.startswith(".")) and meets(entry.name):
                    found.append(entry)
        return sorted(found, key=lambda entry: entry.name)

    def _take(self, number: int) -> None:
        self._room -= number
        if self._room < 0:
            raise ManyFilesError


_KEPT = 10
"""Names that are looked at in the time, and for the memory, of one that is kept."""


def _identity(directory: str, at: int) -> tuple[int, int, int] | None:
    """Return what tells a directory from others, by whatever name it is reached, or None if there is none."""
    try:
        found = os.stat(directory)
    except OSError:
        return None
    return found.st_dev, found.st_ino, at
