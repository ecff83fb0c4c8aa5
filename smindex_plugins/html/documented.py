"""Which files a page shows the documentation of: modules with mkdocstrings, and descriptions of
APIs.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.html.includes import Part

HANDLER = re.compile(r"^\s+handler: *(\S+)", re.MULTILINE)
"""The option of a block of mkdocstrings for the language of what it shows."""
_ID = re.compile(r' id="([^"]+)"')
_NO_TEXT_OF_ITS_OWN = re.compile(r"(?:(?:#|:::|\s).*)?")
"""A line of a page that only shows documentation: a heading, a block, its options, or nothing."""


class Documented(NamedTuple):
    """What a page documents."""

    files: tuple[str, ...] = ()
    """The absolute paths of the modules, and of the descriptions of APIs."""
    unknown: Unknown | None = None
    """The first thing whose file is not known."""
    is_all: bool = False
    """Whether the page shows nothing else."""

    @classmethod
    def of(
        cls, found: Iterable[tuple[str, Sequence[Part]]], described: Iterable[Part], text: str = ""
    ) -> "Documented":
        """Return what a page documents.

        Args:
            found: what its blocks show, each with its files.
            described: its descriptions of APIs.
            text: its Markdown.
        """
        parts: list[Part] = []
        for identifier, files in found:
            parts += files or [Unknown(NoDate.UNRESOLVED, other=identifier)]
        parts += described
        if not parts:
            return cls()
        modules = dict.fromkeys(part for part in parts if isinstance(part, str))
        unknown = next((part for part in parts if isinstance(part, Unknown)), None)
        is_all = all(map(_NO_TEXT_OF_ITS_OWN.fullmatch, text.splitlines()))
        return cls(files=tuple(modules), unknown=unknown, is_all=is_all)


def ids(html: str) -> frozenset[str]:
    """Return the objects that a page shows, by their identifiers."""
    return frozenset(_ID.findall(html))


def files_of(
    identifier: str, beside: str, shown: frozenset[str], collect: Callable[[str], Any]
) -> Iterator[str]:
    """Yield the files of what a block of mkdocstrings shows: an object with all its members that
    the page shows.

    Args:
        identifier: the name in the block.
        beside: the directory of the configuration.
        shown: the identifiers of all objects that the page shows.
        collect: returns the object of griffe with an identifier.
    """
    file = os.path.join(beside, identifier)
    if os.path.isfile(file):  # for the handlers of shell scripts and C
        yield file
        return
    with suppress(Exception):  # another handler's objects have other attributes
        yield from _files_of(collect(identifier), shown)


def _files_of(thing: Any, shown: frozenset[str]) -> Iterator[str]:  # noqa: ANN401 - only sites with mkdocstrings have its types
    path = thing.filepath  # a list for a package in several places
    paths = path if isinstance(path, list) else [path]
    yield from map(str, paths)
    for member in thing.all_members.values():
        with suppress(Exception):  # an alias of something that is not installed
            if member.path in shown:
                yield from _files_of(member, shown)
