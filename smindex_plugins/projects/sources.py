"""Finds the sources of rendered pages: by patterns with a page's path, and by the page's edit link."""

import os
import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, zip_longest
from urllib.parse import unquote, urlsplit

from smindex_plugins import urls
from smindex_plugins.catalogue import SOURCES_NOT_FOUND
from smindex_plugins.files import is_html, read, visible
from smindex_plugins.history import Tracked, tracked_files
from smindex_plugins.html import front_matter, parse_edit_links
from smindex_plugins.limits import MAX_PAGE_READ
from smindex_plugins.model import Finding
from smindex_plugins.settings import text
from smindex_plugins.sites import LANGUAGE, candidates, names
from smindex_plugins.text import counted

PATTERN = text(
    "a pattern with {path}, the path of a page, or {name}, its last part, such as 'docs/{path}.md'; only these two may "
    "be in braces, and `*` is any text",
    r"(?!.*\{(?!path\}|name\})[^{}/]*\}).*\{(?:path|name)\}.*",
)
_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".org", ".ipynb", ".txt", ".njk", ".liquid")
_SKIPPED = re.compile(r"\.|_?_|node_modules$|vendor$")
"""Directories that never contain the sources of pages."""
_MOST_DIRECTORIES = 2_000
_WILD = re.compile(r"[*?]")
_BRANCHED = frozenset({"edit", "blob", "tree", "src", "_edit"})
"""What precedes the branch in the URL of a file."""

_Find = Callable[[str], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class SourcePatterns:
    """Patterns of source files, where they are set, and the sources that they find for the pages of a directory."""

    directory: str = ""
    """The directory of the rendered files."""
    patterns: tuple[str, ...] = ()
    """Absolute patterns. Without any, rendered files are their own sources if git tracks them."""
    given_by: str = field(default="the HTML files themselves", compare=False)
    is_guess: bool = False
    """Whether they cover all suffixes of a generator. A site doesn't need to use each of them."""
    usual_in: str = ""
    """The directory of the project, if only the usual patterns of its generator are known."""
    made_of: Callable[[], Mapping[str, str]] = field(default=dict[str, str], compare=False)
    """Returns the sources of rendered files according to the generator itself. It is called only if needed."""

    def of(self, file: str) -> tuple[str, ...]:
        """Return the sources of a rendered page."""
        return self._found.get(file, ())

    @cached_property
    def _found(self) -> Mapping[str, tuple[str, ...]]:
        """The sources of all pages. The first method that finds a source wins.

        If it is not certain, a source counts for a single page only, and its front matter must not contradict that.
        """
        walk = visible(self.directory, lambda _: None)
        pages = [prefix + name for prefix, found in walk for name in found if is_html(name)]
        by_name = self._by_guess if self.is_guess else self._by_pattern
        ways: list[_Find] = [by_name, self._by_wildcard, self._by_similar_name, self._by_link]
        if not self.patterns:
            ways = [self._by_itself, self._by_link]
        elif self.usual_in:
            ways = [self._by_link, by_name, self._by_similar_name]
        found: dict[str, tuple[str, ...]] = {page: (source,) for page, source in self.made_of().items()}
        known = {self._by_itself, self._by_pattern, self._by_link}
        for find in ways:
            new: dict[str, list[str]] = {}
            for page in pages:
                if page not in found or find == self._by_wildcard:
                    new[page] = [each for each in find(page) if find in known or _agrees(each, page)]
            made_of = defaultdict[str, set[str]](set)
            for page, sources in [*found.items(), *new.items()]:
                for source in sources:
                    made_of[source].add(page)
            for page, sources in new.items():
                is_certain = find in {by_name, self._by_itself}
                if sources and (is_certain or all(_is_original(page, made_of[source]) for source in sources)):
                    found[page] = (*found.get(page, ()), *sources)
        return found

    def _by_itself(self, page: str) -> Sequence[str]:
        """Return the page itself, unless git tracks no page of the directory: then all are built from other files."""
        return [os.path.join(self.directory, page)] if self._has_pages else []

    @cached_property
    def _has_pages(self) -> bool:
        """Whether git tracks a page of the directory, or the directory is not in a repository."""
        tracked = tracked_files(self.directory)
        if tracked is None:
            return True
        root = os.path.relpath(os.path.realpath(self.directory), tracked.root).replace(os.sep, "/")
        return any(is_html(name) and (root == "." or name.startswith(f"{root}/")) for name in tracked.names)

    def _by_pattern(self, page: str) -> Sequence[str]:
        """Return the first file that each pattern finds."""
        found = (next(filter(os.path.isfile, candidates(pattern, page)), "") for pattern in self.patterns)
        return [*dict.fromkeys(os.path.normpath(path) for path in found if path)]

    def _by_guess(self, page: str) -> Sequence[str]:
        """Return the file that the patterns find, if it is only one. An `index.md` counts before a `README.md`."""
        for places in zip_longest(*(candidates(pattern, page) for pattern in self.patterns)):
            paths = {os.path.normpath(place) for place in places if place and self._names.has(place)}
            if found := [path for path in paths if not self._is_of_project(path)]:
                return found if len(found) == 1 else []
        return []

    def _is_of_project(self, path: str) -> bool:
        """Whether a file describes the project, such as the README.md at its root."""
        directory, name = os.path.split(path)
        return directory == self.usual_in and os.path.splitext(name)[0].isupper()

    def _by_wildcard(self, page: str) -> Sequence[str]:
        """Return the file of each given pattern with an asterisk. The newest date of all patterns is used."""
        patterns = [] if self.is_guess else [each for each in self.patterns if _WILD.search(each)]
        return self._by_similar_name(page, patterns) if patterns else []

    def _by_similar_name(self, page: str, patterns: Iterable[str] = ()) -> Sequence[str]:
        """Return the file of each pattern that differs only in case or has other text in place of `*`, if it is one."""
        found: dict[str, set[str]] = defaultdict(set)
        for pattern in patterns or self.patterns:
            root = _root(pattern)
            for place in candidates(pattern, page):
                paths = self._names.like(root, os.path.relpath(place, root))
                found["" if self.is_guess else pattern] |= {path for path in paths if not self._is_of_project(path)}
        if day := re.search(r"(\d{4})/(\d\d)/(\d\d)/", page):  # tells posts of one name apart
            several = {key: {path for path in paths if "-".join(day.groups()) in path} for key, paths in found.items()}
            found |= {key: paths for key, paths in several.items() if len(found[key]) > 1}
        return [*dict.fromkeys(path for paths in found.values() if len(paths) == 1 for path in paths)]

    def _by_link(self, page: str) -> Sequence[str]:
        """Return the file that the page's edit link leads to, if git tracks it."""
        found = set[str]()
        if self._tracked:
            with suppress(OSError):
                links = parse_edit_links(read(os.path.join(self.directory, page), MAX_PAGE_READ))
                found = {_linked(link, self._tracked) for link in links} - {""}
        return [*found] if len(found) == 1 else []

    @cached_property
    def _tracked(self) -> Tracked | None:
        """The files of the repository of the directory, or of the current directory if a site is built elsewhere."""
        return tracked_files(self.directory) or tracked_files(".")

    @cached_property
    def _names(self) -> "_Names":
        return _Names(self.directory)

    def __str__(self) -> str:
        """Return a short form of the patterns: `docs/{path}.md, .html (mkdocs.yml)`."""
        if not self.patterns:
            return self.given_by if self._has_pages else "edit links"
        names = [*map(os.path.relpath, self.patterns)]
        stems = (name.partition("{path}")[0] + "{path}" for name in names)
        others = (name.removeprefix(stem) for name, stem in zip(names[1:], stems, strict=False))
        if self.usual_in:
            more = f", and {len(names) - 1} more" if names[1:] else ""
            return f"edit links, or else {names[0]}{more} ({self.given_by})"
        return f"{', '.join([names[0], *others])} ({self.given_by})"

    def looked_for(self, file: str) -> str:
        """Return where the source of a page was looked for, in words."""
        return self._why([file]) if self.patterns else "nothing says where it is"

    def unmatched(self, files: Sequence[str], listed: Sequence[str]) -> Iterator[Finding]:
        """Yield the given patterns that find no source for any page, or that most listed pages have no source."""
        without = [file for file in listed if not self.of(file)]
        stems: dict[str, tuple[str, ...]] = {}  # of patterns that differ only in their suffix, one is enough
        for pattern in () if self.is_guess else self.patterns:
            stem = os.path.splitext(pattern)[0]
            stems[stem] = (*stems.get(stem, ()), pattern)
        missing = [alike[0] for alike in stems.values() if not replace(self, patterns=alike).finds(files)]
        problems = [f"{os.path.relpath(at)!r} finds no file for any page; {self._why(files, at)}." for at in missing]
        if self.patterns and not missing and len(without) * 2 > len(listed) and not self.made_of():
            problems = [f"{len(without):,} of {counted(len(listed), 'page')} have no source; {self._why(without)}."]
        better = suggest_pattern(without, self.directory) if problems else ""
        is_new = better and os.path.abspath(better) not in self.patterns
        fix = f"Pages without a source have no date. Did you mean --sources '{better}'?" if is_new else ""
        yield from (SOURCES_NOT_FOUND.at(self.given_by, problem, fix) for problem in problems)

    def finds(self, files: Iterable[str]) -> bool:
        """Whether the patterns find a file for any page."""
        return any(self._by_pattern(file) or self._by_similar_name(file) for file in files)

    def _why(self, files: Iterable[str], pattern: str = "") -> str:
        """Return where the sources of pages were looked for, in words."""
        if pattern and not os.path.isdir(root := _root(pattern)):
            return f"there is no directory {os.path.relpath(root)}"
        patterns = [pattern] if pattern else self.patterns
        places = islice((place for file in files for each in patterns for place in candidates(each, file)), 3)
        return f"looked for {', '.join(map(os.path.relpath, places))}, …"


class _Names:
    """Looks for files by similar names. Each directory is listed only once."""

    def __init__(self, output: str) -> None:
        self._output = output
        self._listed: dict[str, dict[str, list[str]]] = {}
        self._reversed: dict[str, list[str]] = {}

    def has(self, path: str) -> bool:
        """Whether there is a file with this name."""
        directory, name = os.path.split(path)
        return _folded(name) in self._of(directory) and os.path.isfile(path)

    def like(self, root: str, path: str) -> set[str]:
        """Return the files at a path below a directory, whatever their case, and with any text for `*` and `?`."""
        places = [root]
        for part in os.path.normpath(path).split(os.sep):
            places = [os.path.join(place, name) for place in places for name in self._like(place, _folded(part))]
        return {place for place in places if place != self._output and os.path.isfile(place)}

    def _like(self, directory: str, part: str) -> Iterator[str]:
        known = self._of(directory)
        if not _WILD.search(part):
            yield from known.get(part, ())
            return
        expression = re.compile(re.escape(part).replace(r"\*", ".*").replace(r"\?", "."))
        end = _WILD.split(part)[-1][::-1]
        if directory not in self._reversed:  # in this order, names with the same end are neighbours
            self._reversed[directory] = sorted(name[::-1] for name in known)
        for name in islice(self._reversed[directory], bisect_left(self._reversed[directory], end), None):
            if not name.startswith(end):
                break
            if not name.endswith(".") and expression.fullmatch(name[::-1]):  # which is how hidden files begin
                yield from known[name[::-1]]

    def _of(self, directory: str) -> dict[str, list[str]]:
        """Return the names in a directory by their folded form."""
        if directory not in self._listed:
            listed = self._listed[directory] = {}
            with suppress(OSError):
                for name in sorted(os.listdir(directory)):
                    if os.path.join(directory, name) != self._output:
                        listed.setdefault(_folded(name), []).append(name)
        return self._listed[directory]


def _root(pattern: str) -> str:
    """Return the directory at the start of a pattern."""
    return os.path.dirname(re.split(r"[{*?]", pattern, maxsplit=1)[0])


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _agrees(source: str, page: str) -> bool:
    """Whether the front matter of a file sets no URL other than the page's."""
    meta, path = front_matter.read(source).meta or {}, f"/{urls.bare(page)}".casefold()
    given = (str(meta[key]).strip("/") for key in ("permalink", "slug", "url") if meta.get(key) not in (None, ""))
    return all("://" in url or path.endswith(f"/{urls.bare(url)}".casefold()) for url in given)


def _is_original(page: str, pages: Iterable[str]) -> bool:
    """Whether all other pages with the same source are copies in the directories of other languages."""
    return all(each == page or LANGUAGE.fullmatch(each.removesuffix(f"/{page}")) for each in pages)


def _linked(url: str, tracked: Tracked) -> str:
    """Return the file of a repository that a URL on its forge leads to, or an empty string.

    It is the longest suffix of the URL's path that git tracks. A name without a directory is accepted only directly
    after the branch. URLs with another repository name are ignored.
    """
    parts = unquote(urlsplit(url).path).strip("/").split("/")
    repository = tracked.remote.rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    if repository and repository.casefold() not in map(str.casefold, parts):
        return ""
    for at in range(len(parts)):
        if "/".join(parts[at:]) in tracked.names:
            is_named = at < len(parts) - 1 or (at > 1 and parts[at - 2] in _BRANCHED)
            return os.path.join(tracked.root, *parts[at:]) if is_named else ""
    return ""


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
