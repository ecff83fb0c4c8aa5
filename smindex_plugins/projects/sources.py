"""Where the sources of rendered files are: patterns with a page's path, and what they find."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from smindex_plugins.catalogue import SOURCES_NOT_FOUND
from smindex_plugins.model import Finding
from smindex_plugins.settings import text
from smindex_plugins.sites import candidates, names

PATTERN = text(
    "a pattern with {path}, the path of a page, or {name}, its last part, such as 'docs/{path}.md'; only these two may "
    "be in braces",
    r"(?!.*\{(?!path\}|name\})[^{}/]*\}).*\{(?:path|name)\}.*",
)
_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".org", ".ipynb", ".txt", ".njk", ".liquid")
_SKIPPED = re.compile(r"\.|_?_|node_modules$|vendor$")
"""Directories that never contain the sources of pages."""
_MOST_LOOKED_AT = 20_000
_MOST_PAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePatterns:
    """Patterns of source files, and who gave them."""

    patterns: tuple[str, ...] = ()
    """Absolute patterns. Without any, the rendered files are sources themselves."""
    who: str = field(default="the HTML files themselves", compare=False)
    is_guess: bool = False
    """Whether they are all suffixes that a generator knows. A site need not use each of them."""

    def of(self, file: str) -> tuple[str, ...]:
        """Return the sources of a rendered file: for each pattern, the first file that exists."""
        found = (found for pattern in self.patterns for found in islice(_found(pattern, file), 1))
        return tuple(dict.fromkeys(map(os.path.normpath, found)))

    def __str__(self) -> str:
        """Return a short form of the patterns: `docs/{path}.md, .html (mkdocs.yml)`."""
        if not self.patterns:
            return self.who
        first, *others = map(os.path.relpath, self.patterns)
        stem = first.partition("{path}")[0] + "{path}"
        return f"{', '.join([first, *(name.removeprefix(stem) for name in others)])} ({self.who})"

    def unfound(self, files: Sequence[str], directory: str) -> Iterator[Finding]:
        """Yield the patterns that find no source for any rendered file of a directory."""
        missing = [each for each in self.patterns if not any(any(_found(each, file)) for file in files)]
        if missing and self.is_guess:
            missing = missing[:1] if missing == [*self.patterns] else []
        for pattern in missing:
            tried = dict.fromkeys(path for file in files[:2] for path in candidates(pattern, file))
            looked_for = ", ".join(os.path.relpath(path) for path in islice(tried, 3))
            where = os.path.relpath(os.path.dirname(pattern.partition("{")[0]))
            why = f"looked for {looked_for}, …" if os.path.isdir(where) else f"there is no directory {where}"
            problem = f"{os.path.relpath(pattern)!r} finds no file for any page; {why}."
            better = nearest(files, directory)
            fix = f"Pages without a source have no date. Did you mean --sources '{better}'?" if better else ""
            yield SOURCES_NOT_FOUND.at(self.who, problem, fix)


def nearest(files: Iterable[str], directory: str) -> str:
    """Return the pattern that would find the most sources of rendered files below the current directory."""
    wanted = {name: name.rpartition("/")[2] for file in islice(files, _MOST_PAGES) for name in names(file)}
    found: Counter[str] = Counter()
    for path in islice(_below(".", os.path.realpath(directory)), _MOST_LOOKED_AT):
        stem, suffix = os.path.splitext(path)
        for name in (stem[at:] for at in range(len(stem)) if not at or stem[at - 1] == "/"):
            above, _, last = name.rpartition("/")
            layout = "{path}" if name in wanted else "{path}/{name}" if wanted.get(above) == last else ""
            if suffix in _SUFFIXES and layout and last not in {"index", "_index", "README"}:
                found[stem.removesuffix(name) + layout + suffix] += 1
    return found.most_common(1)[0][0] if found else ""


def _below(top: str, skipped: str) -> Iterator[str]:
    for place, directories, files in os.walk(top):
        directories[:] = sorted(
            name
            for name in directories
            if not _SKIPPED.match(name) and os.path.realpath(os.path.join(place, name)) != skipped
        )
        prefix = os.path.relpath(place, top).replace(os.sep, "/") + "/"
        yield from (prefix.removeprefix("./") + name for name in sorted(files))


def _found(pattern: str, file: str) -> Iterator[str]:
    return filter(os.path.isfile, candidates(pattern, file))
