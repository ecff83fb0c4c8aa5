"""Where the sources of rendered files are: patterns with a page's path, and the files that they find."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_MOST_DIRECTORIES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePatterns:
    """Patterns of source files, and what gave them."""

    patterns: tuple[str, ...] = ()
    """Absolute patterns. Without any, the rendered files are sources themselves."""
    given_by: str = field(default="the HTML files themselves", compare=False)
    is_guess: bool = False
    """Whether they are all suffixes that a generator knows. A site need not use each of them."""
    made_of: Callable[[], Mapping[str, str]] = field(default=dict[str, str], compare=False)
    """Returns the sources of rendered files that the generator itself names. It is called only if they are needed."""

    def of(self, file: str) -> tuple[str, ...]:
        """Return the sources of a rendered file: what its generator names, or the first that each pattern finds."""
        if source := self.made_of().get(file):
            return (source,)
        found = (found for pattern in self.patterns for found in islice(_existing(pattern, file), 1))
        return tuple(dict.fromkeys(map(os.path.normpath, found)))

    def __str__(self) -> str:
        """Return a short form of the patterns: `docs/{path}.md, .html (mkdocs.yml)`."""
        if not self.patterns:
            return self.given_by
        names = [*map(os.path.relpath, self.patterns)]
        stems = (name.partition("{path}")[0] + "{path}" for name in names)
        others = (name.removeprefix(stem) for name, stem in zip(names[1:], stems, strict=False))
        return f"{', '.join([names[0], *others])} ({self.given_by})"

    def unmatched(self, files: Sequence[str], directory: str) -> Iterator[Finding]:
        """Yield the patterns that find no source for any rendered file of a directory."""
        missing = [each for each in self.patterns if not any(any(_existing(each, file)) for file in files)]
        if self.is_guess:
            missing = missing[:1] if missing == [*self.patterns] and not self.made_of() else []
        better = suggest_pattern(files, directory) if missing else ""
        fix = f"Pages without a source have no date. Did you mean --sources '{better}'?" if better else ""
        for pattern in missing:
            stem = os.path.relpath(os.path.dirname(pattern.partition("{")[0]))
            tried = islice((path for file in files for path in candidates(pattern, file)), 3)
            why = f"looked for {', '.join(map(os.path.relpath, tried))}, …"
            why = why if os.path.isdir(stem) else f"there is no directory {stem}"
            problem = f"{os.path.relpath(pattern)!r} finds no file for any page; {why}."
            yield SOURCES_NOT_FOUND.at(self.given_by, problem, fix)


def suggest_pattern(rendered: Iterable[str], directory: str) -> str:
    """Return the pattern that finds the most sources of a directory's rendered files below the current directory."""
    stems = {name for file in rendered for name in names(file)}
    patterns: Counter[str] = Counter()
    for place, directories, files in islice(os.walk("."), _MOST_DIRECTORIES):
        below = sorted(name for name in directories if not _SKIPPED.match(name))
        directories[:] = (name for name in below if not os.path.samefile(os.path.join(place, name), directory))
        for stem, suffix in map(os.path.splitext, files):
            if suffix not in _SUFFIXES or stem in {"index", "_index", "README"}:
                continue
            parts = os.path.normpath(os.path.join(place, stem)).split(os.sep)
            for at in range(len(parts)):
                root = "".join(f"{part}/" for part in parts[:at])
                if "/".join(parts[at:]) in stems:
                    patterns[f"{root}{{path}}{suffix}"] += 1
                elif "/".join(parts[at:-1]) in stems and parts[-2] == parts[-1]:
                    patterns[f"{root}{{path}}/{{name}}{suffix}"] += 1
    return patterns.most_common(1)[0][0] if patterns else ""


def _existing(pattern: str, file: str) -> Iterator[str]:
    return filter(os.path.isfile, candidates(pattern, file))
