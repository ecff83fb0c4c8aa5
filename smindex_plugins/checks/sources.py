"""Finds the source files of a built page in the usual layouts of generators, and their dates in git."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from smindex_plugins.base import files
from smindex_plugins.base.files import is_html
from smindex_plugins.history.history import History
from smindex_plugins.history.reasons import Change
from smindex_plugins.pages.candidates import candidates
from smindex_plugins.reading.document import Entry

_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".html", ".ipynb")
_ROOTS = ("docs", "content", "src/pages", "src/content", "pages", "")
"""Directories in which generators such as MkDocs, Pelican, Hugo and Astro keep their sources."""
_FRONT_MATTER = 4096
_AUTHORED, _UNDATED, _UNFOUND = "dated by the author", "without a date", "without a source there"
_AUTHORS_DATE = re.compile(rb"^[\"']?(?:lastmod|updated|modified|date)[\"']?\s*[:=]", re.IGNORECASE | re.MULTILINE)


@dataclass(slots=True, kw_only=True)
class Sources:
    """A git work tree with the sources of pages, and the number of pages dated from it."""

    directory: str
    find: Callable[[str], Sequence[str]] | None = None
    """Returns the sources of a page, from the site's configuration or from patterns.

    If it is not set, the usual locations of generators are searched.
    """
    built: str = ""
    """The built directory, if its pages are sources themselves, because git tracks them."""
    history: History = field(default_factory=History)
    compared: int = 0
    uncompared: Counter[str] = field(default_factory=Counter)
    """Why the dates of the others were not compared, as text that follows a count."""

    def problem(self) -> str:
        """Return why it cannot be used for comparison, or an empty string."""
        if not os.path.isdir(self.directory):
            return "it is not a directory" if os.path.exists(self.directory) else "there is no such directory"
        if self.history.repository(os.path.join(os.path.realpath(self.directory), "a")) is None:
            return "it is not in a git work tree, so there is no history to compare dates with"
        return ""

    def is_no_help(self) -> bool:
        """Whether no page got a date although some should have."""
        return not self.compared and not self.uncompared[_AUTHORED] and bool(self.uncompared.keys() - {_UNDATED})

    def of(self, page: str) -> list[str]:
        """Return the possible sources (absolute paths) of a rendered page (relative to the built directory)."""
        if not is_html(page):  # a file next to a page has no source like that page
            return []
        if self.find:
            return list(self.find(page))
        roots = (os.path.join(os.path.abspath(self.directory), root, "{path}") for root in _ROOTS)
        for root in roots:
            found = (path for suffix in _SUFFIXES for path in candidates(root + suffix, page))
            if there := list(dict.fromkeys(filter(os.path.isfile, found))):
                return there
        return []

    def changes(self, pages: Mapping[Entry, str]) -> dict[Entry, int]:
        """Return when the sources of listed pages, given with their files, changed, in seconds since 1970."""
        sources: dict[Entry, str] = {}
        for entry, page in pages.items():
            found = self.of(page) or ([os.path.join(self.built, page)] if self.built else [])
            if not entry.lastmod:
                self.uncompared[_UNDATED] += 1
            elif not found:
                self.uncompared[_UNFOUND] += 1
            elif len(set(map(os.path.dirname, found))) > 1:  # a.md and a/README.md overwrite each other
                self.uncompared["with several files that may be the source"] += 1
            elif _is_dated(found[0]):
                self.uncompared[_AUTHORED] += 1
            else:
                sources[entry] = found[0]
        answers = self.history.dates(list(sources.values()))
        changes: dict[Entry, int] = {}
        for entry, source in sources.items():
            answer = answers[source]
            if isinstance(answer, Change):
                changes[entry] = answer.when
            else:
                is_page = self.built and source == os.path.join(self.built, pages[entry])
                self.uncompared[_UNFOUND if is_page else str(answer.reason)] += 1
        self.compared += len(changes)
        return changes


def _is_dated(source: str) -> bool:
    """Whether front matter may set a file's date, which takes precedence over git."""
    try:
        return _AUTHORS_DATE.search(files.read(source, _FRONT_MATTER)) is not None
    except OSError:
        return False
