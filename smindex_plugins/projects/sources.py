"""Finds the sources of rendered pages: by patterns with their paths, and by their edit links."""

import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import chain, islice, zip_longest

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import SOURCES_NOT_FOUND
from smindex_plugins.base.files import is_html, visible
from smindex_plugins.base.model import Finding
from smindex_plugins.base.settings import text
from smindex_plugins.base.text import counted
from smindex_plugins.history.places import tracked_files
from smindex_plugins.html.front_matter import FrontMatter, switch
from smindex_plugins.html.page import read_head
from smindex_plugins.pages.candidates import INDEXES, LANGUAGE, candidates, names
from smindex_plugins.projects import claims
from smindex_plugins.projects._blogs import BlogPage, rendered_blog_pages
from smindex_plugins.projects._configuration import Configuration
from smindex_plugins.projects.edit_links import EditLinks

PATTERN = text(
    "a pattern with {path}, the path of a page, or {name}, its last part, such as 'docs/{path}.md';"
    " only these two may be in braces, and `*` is any text",
    r"(?!.*\{(?!path\}|name\})[^{}/]*\}).*\{(?:path|name)\}.*",
)
_SUFFIXES = (
    ".md",
    ".markdown",
    ".mdx",
    ".rst",
    ".adoc",
    ".org",
    ".ipynb",
    ".txt",
    ".njk",
    ".liquid",
)
_SKIPPED = re.compile(r"\.|_?_|node_modules$|vendor$")
"""Directories that never contain the sources of pages."""
_MOST_DIRECTORIES = 2_000
_WILD = re.compile(r"[*?]")
_DAY = re.compile(r"(\d{4})/(\d\d)/(\d\d)/")
_Method = Callable[[Sequence[str]], Mapping[str, Mapping[str, bool]]]
"""Finds the sources of pages. The value of a source is whether it is certain."""


@dataclass(frozen=True, kw_only=True)
class SourcePatterns:
    """Patterns of source files, and the sources that they find for the pages of a directory."""

    directory: str = ""
    """The directory of the rendered files."""
    patterns: tuple[str, ...] = ()
    """Absolute patterns. Without any, rendered files are their own sources if git tracks them."""
    given_by: str = field(default="the HTML files themselves", compare=False)
    guessed_from: Configuration | None = None
    """The configuration whose generator can use these patterns. None if a user gave them."""
    project: Configuration | None = field(default=None, compare=False)
    """The configuration of the build, if it was found, whoever gave the patterns."""

    @classmethod
    def guessed(cls, directory: str, configuration: Configuration | None) -> "SourcePatterns":
        """Return the patterns that the generator of a built directory can use."""
        if not configuration or not configuration.sources:
            return cls(directory=directory, project=configuration)
        return cls(
            directory=directory,
            patterns=configuration.sources,
            given_by=os.path.relpath(configuration.file),
            guessed_from=configuration,
            project=configuration,
        )

    def of(self, file: str) -> tuple[str, ...]:
        """Return the sources of a rendered page."""
        return self._found.get(file, ())

    @property
    def made_of(self) -> Mapping[str, str]:
        """The sources of rendered files according to the generator itself."""
        if not self.guessed_from:
            return {}
        return self.guessed_from.made_of

    @cached_property
    def _found(self) -> Mapping[str, tuple[str, ...]]:
        """The sources of all pages. The first method that finds a source wins.

        An uncertain source is for one page.
        An empty answer is final.
        """
        found: dict[str, tuple[str, ...]] = {}
        for page, source in self.made_of.items():
            found[page] = (source,)
        for method in self._methods:
            without = [page for page in self._pages if page not in found]
            proposed = method(without)
            users = self._users(found, proposed)
            for page, sources in proposed.items():
                kept = []
                for source, is_certain in sources.items():
                    pages = users[source]
                    if page in pages and (is_certain or _is_original(page, pages)):
                        kept.append(source)
                if kept or not sources:
                    found[page] = tuple(kept)
        return found

    def _users(
        self,
        found: Mapping[str, Iterable[str]],
        proposed: Mapping[str, Iterable[str]],
    ) -> Mapping[str, set[str]]:
        """Return the pages of each source, without redirects to which a source is proposed."""
        users = defaultdict[str, set[str]](set)
        for sources_of in (found, proposed):
            for page, sources in sources_of.items():
                for source in sources:
                    users[source].add(page)
        for page, sources in proposed.items():
            is_shared = any(len(users[source]) > 1 for source in sources)
            if is_shared and self._is_redirect(page):
                for source in sources:
                    users[source].discard(page)
        return users

    @property
    def _methods(self) -> Sequence["_Method"]:
        """What finds sources, the surest first.

        What a user gives is surer than what generators do by default.
        """
        if self._is_usual:
            return self._by_link, self._by_claim, self._by_path
        if self.guessed_from:
            return self._by_claim, self._by_path, self._by_link
        return self._by_path, self._by_claim, self._by_link

    def _by_path(self, pages: Sequence[str]) -> Mapping[str, Mapping[str, bool]]:
        """Return the files that patterns find, or the pages themselves without patterns."""
        find = self._by_itself
        if self.patterns:
            find = self.by_pattern
        found = {}
        for page in pages:
            sources = find(page)
            if sources:
                found[page] = sources
        return found

    def files(self) -> Sequence[str]:
        """Return the rendered files without hidden ones: all that servers serve.

        Raises:
            OSError: a directory can't be entered or read, so its content is unknown.
        """
        files, problems = self._walked
        if problems:
            raise problems[0]
        return files

    @cached_property
    def _walked(self) -> tuple[Sequence[str], Sequence[OSError]]:
        """The files in all directories that can be read, and why the others can't."""
        problems: list[OSError] = []
        walk = visible(self.directory, problems.append)
        files = []
        for prefix, found in walk:
            files += [prefix + name for name in found]
        return files, problems

    @cached_property
    def _pages(self) -> Sequence[str]:
        files, _ = self._walked
        return list(filter(is_html, files))

    def _is_redirect(self, page: str) -> bool:
        """Whether a page only leads to another, such as one at the former URL of a post."""
        file = os.path.join(self.directory, page)
        url = urls.NO_ADDRESS + urls.page_path(page)
        with suppress(OSError):
            head = read_head(file, url)
            return head.refresh is not None
        return False

    @cached_property
    def _claims(self) -> claims.Claims | None:
        if not self.project or not self.patterns:
            return None
        return claims.Claims(
            self.project,
            self.directory,
            self._pages,
            read=self.front_matter,
            is_redirect=self._is_redirect,
            blog_pages=self._blog_pages,
        )

    def blog_page(self, file: str) -> BlogPage | None:
        """Return what a rendered file is in a blog of Material or Zensical, if it is in one."""
        if not self._blog_pages:
            return None
        path = urls.folded(file)
        return self._blog_pages.get(path)

    def is_blog_list(self, file: str) -> bool:
        """Whether a rendered file is a list of posts of such a blog, which needs no source."""
        page = self.blog_page(file)
        return page is not None and page.is_list

    @cached_property
    def _blog_pages(self) -> Mapping[str, BlogPage]:
        if not self.project or not self.project.instances("blog"):
            return {}
        return rendered_blog_pages(self.project, self.front_matter, self._pages, self._is_redirect)

    @cached_property
    def front_matter(self) -> Callable[[str], FrontMatter]:
        """The function that gives the front matter of a source. It reads each file once."""
        return cache(claims.reader(self.project))

    def _by_claim(self, pages: Sequence[str]) -> Mapping[str, Mapping[str, bool]]:
        """Return the sources whose front matter sets the URLs of pages.

        A page that several claim has none.
        """
        found: dict[str, Mapping[str, bool]] = {}
        if self._claims:
            claiming = self._claims.sources
            for page in pages:
                if page in claiming:
                    sources = claiming[page]
                    found[page] = {sources[0]: True} if len(sources) == 1 else {}
        return found

    def candidates(self, pattern: str, page: str) -> Iterator[str]:
        """Return the possible paths of a page's source.

        README.md is one only if the generator can take it.
        """
        if self.guessed_from and not self.guessed_from.generator.has_readmes:
            return candidates(pattern, page, INDEXES[:-1])
        return candidates(pattern, page)

    @property
    def _is_usual(self) -> bool:
        """Whether only usual patterns are known, because the generator is configured in code."""
        return self.guessed_from is not None and not self.guessed_from.generator.is_read

    def _by_itself(self, page: str) -> Mapping[str, bool]:
        """Return the page itself.

        If git tracks no page of the directory, all are built from other files.
        """
        if not self._has_pages:
            return {}
        file = os.path.join(self.directory, page)
        return {file: True}

    @cached_property
    def _has_pages(self) -> bool:
        """Whether git tracks a page of the directory, or the directory is not in a repository."""
        tracked = tracked_files(self.directory)
        if tracked is None:
            return True
        place = os.path.realpath(self.directory)
        root = os.path.relpath(place, tracked.root).replace(os.sep, "/")
        start = f"{root}/"
        if root == ".":
            start = ""
        return any(is_html(name) and name.startswith(start) for name in tracked.names)

    def by_pattern(self, page: str) -> Mapping[str, bool]:
        """Return the file that each given pattern finds, or the one that all guessed patterns find.

        The value is whether the file is certain, because its name is exact. Otherwise, it is the
        only file whose name differs in case or has other text in place of `*`. An `index.md` counts
        before a `README.md`.
        """
        groups = [self.patterns]
        if not self.guessed_from:
            groups = [(pattern,) for pattern in self.patterns]
        found: dict[str, bool] = {}
        for patterns in groups:
            files, is_exact = self._fitting(patterns, page)
            if len(files) > 1 and not is_exact:
                day = _DAY.search(page)
                if day:  # it tells posts of one name apart
                    written = "-".join(day.groups())
                    files = {file for file in files if written in file}
            if len(files) != 1:
                continue
            (file,) = files
            if is_exact or file not in found:
                found[file] = is_exact
        return found

    def _fitting(self, patterns: Sequence[str], page: str) -> tuple[set[str], bool]:
        """Return the files that patterns find for a page, and whether their names are exact."""
        alike: set[str] = set()
        places_by_pattern = [self.candidates(pattern, page) for pattern in patterns]
        for places in zip_longest(*places_by_pattern):
            expected = {}
            for pattern, place in zip(patterns, places, strict=True):
                if place:
                    path = os.path.normpath(place)
                    expected[path] = pattern
            existing: set[str] = set()
            for path, pattern in expected.items():
                root = root_of(pattern)
                existing.update(self._names.like(root, path))
            usable = set()
            for path in existing:
                if self._may_be_source(path, page, is_exact=path in expected):
                    usable.add(path)
            exact = usable & expected.keys()
            if exact:
                return exact, True
            alike |= usable
        return alike, False

    def _may_be_source(self, path: str, page: str, *, is_exact: bool) -> bool:
        """Whether a file can be the source of a page, unless a user's pattern names it exactly.

        Front matter can contradict a guess.
        """
        if is_exact and not self.guessed_from:
            return True
        if self._is_about_project(path, is_exact=is_exact):
            return False
        meta = self.front_matter(path).meta or {}
        if switch(meta.get("published")) is False:
            return False
        is_guess = self.guessed_from is not None and not is_exact
        if is_guess and switch(meta.get("draft")):
            return False
        return self._allows(path, page)

    def _is_about_project(self, path: str, *, is_exact: bool) -> bool:
        """Whether a guessed file is one like LICENSE.md, next to the configuration."""
        if not self.guessed_from:
            return False
        directory, name = os.path.split(path)
        stem, _ = os.path.splitext(name)
        if directory != self.guessed_from.project or not stem.isupper():
            return False
        return self._is_usual or not is_exact

    def _allows(self, source: str, page: str) -> bool:
        """Whether no front matter gives a file another URL."""
        if self._claims and self.guessed_from:
            return self._claims.allow(source, page)
        return claims.agrees(self.front_matter(source), page)

    def _by_link(self, pages: Sequence[str]) -> Mapping[str, Mapping[str, bool]]:
        """Return the files to which edit links lead, for pages whose links lead to only one."""
        found = {}
        for page, files in self._edit_links.sources(pages).items():
            if len(files) == 1:
                found[page] = dict.fromkeys(files, False)
        return found

    @cached_property
    def _edit_links(self) -> EditLinks:
        return EditLinks(self.directory)

    @cached_property
    def _names(self) -> "_Names":
        return _Names(self.directory)

    def __str__(self) -> str:
        """Return a short form of the patterns: `docs/{path}.md, and 3 more (mkdocs.yml)`."""
        if not self.patterns:
            if self._has_pages:
                return self.given_by
            return "edit links"
        shown = list(map(os.path.relpath, self.patterns))
        others = len(shown) - 1
        if self.guessed_from and others:
            shown = [shown[0], f"and {others} more"]
        listed = ", ".join(shown)
        if self._is_usual:
            return f"edit links, or else {listed} ({self.given_by})"
        return f"{listed} ({self.given_by})"

    def looked_for(self, *files: str) -> str:
        """Return where the sources of pages were looked for, in words."""
        if not self.patterns:
            if self._has_pages:
                return "nothing says where it is"
            return "nothing says where it is, and git tracks no page of the site"
        roots = list(map(root_of, self.patterns))
        if not any(map(os.path.isdir, roots)):
            return f"there is no directory {os.path.relpath(roots[0])}"
        first = islice(self._places(files), 3)
        shown = ", ".join(map(os.path.relpath, first))
        return f"looked for {shown}, …"

    def _places(self, files: Iterable[str]) -> Iterator[str]:
        """Yield where the sources of rendered files can be."""
        for file in files:
            for pattern in self.patterns:
                yield from self.candidates(pattern, file)

    def unmatched(self, files: Sequence[str], listed: Sequence[str]) -> Iterator[Finding]:
        """Yield that given patterns find no source for any page, or that listed pages have none."""
        without = [file for file in listed if not self.of(file) and not self.is_blog_list(file)]
        problems = list(self._idle_patterns(files))
        are_expected = bool(self.patterns) and not self.made_of
        if are_expected and not problems and len(without) * 2 > len(listed):
            pages = counted(len(listed), "page")
            places = self.looked_for(*without)
            problems = [f"{len(without):,} of {pages} have no source; {places}."]
        better = ""
        if problems:
            better = suggest_pattern(without, self.directory)
        elif are_expected:
            lacking = _lacking(without, listed)
            if lacking:
                better = suggest_pattern(lacking, self.directory)
            if better:  # otherwise, they may have no sources
                pages = counted(len(lacking), "page")
                problems = [f"{pages} have no source, such as {lacking[0]}."]
        fix = ""
        if self.guessed_from:
            fix = "If they are built from files, set the location of these with --sources."
        if better and os.path.abspath(better) not in self.patterns:
            patterns = "' --sources '".join((*self._needed(listed), better))
            fix = f"Pages without a source have no date. Did you mean --sources '{patterns}'?"
        for problem in problems:
            yield SOURCES_NOT_FOUND.at(self.given_by, problem, fix)

    def _idle_patterns(self, files: Sequence[str]) -> Iterator[str]:
        """Yield that a pattern of a user finds no file. One with another suffix is enough."""
        if self.guessed_from:
            return
        by_stem = defaultdict[str, list[str]](list)
        for pattern in self.patterns:
            stem, _ = os.path.splitext(pattern)
            by_stem[stem].append(pattern)
        for patterns in by_stem.values():
            group = replace(self, patterns=tuple(patterns))
            if not any(map(group.by_pattern, files)):
                first = os.path.relpath(patterns[0])
                why = replace(self, patterns=(patterns[0],)).looked_for(*files)
                yield f"{first!r} finds no file for any page; {why}."

    def _needed(self, listed: Sequence[str]) -> Iterator[str]:
        """Yield the guessed patterns without which pages would lose their sources."""
        if not self.guessed_from:
            return
        missing: set[tuple[str, str]] = set()
        for page in listed:
            missing.update((page, source) for source in self.of(page))
        for pattern in self.patterns:
            alone = replace(self, patterns=(pattern,), guessed_from=None, project=None)
            found = set()
            for page, source in missing:
                if source in alone.by_pattern(page):
                    found.add((page, source))
            if found:
                missing -= found
                yield os.path.relpath(pattern)

    def unused_links(self, listed: Sequence[str]) -> Iterator[Finding]:
        """Yield the repositories that edit links of listed pages lead to, if not the site's."""
        _ = self._found  # the links are read for it
        yield from self._edit_links.unused(listed)


class _Names:
    """Finds files by similar names.

    Each directory is listed only once, without hidden names and the output.
    """

    def __init__(self, output: str) -> None:
        self._output = output
        self._by_name: dict[str, Mapping[str, Sequence[str]]] = {}
        self._by_end: dict[str, Mapping[str, Sequence[str]]] = {}

    def like(self, root: str, path: str) -> Sequence[str]:
        """Return the files at a path below a root, in any case, with any text for `*` and `?`."""
        places = [root]
        for part in path.removeprefix(root).split(os.sep):
            if part:
                places = list(self._below(places, _folded(part)))
        return list(filter(os.path.isfile, places))

    def _below(self, directories: Iterable[str], part: str) -> Iterator[str]:
        """Yield the paths in several directories whose names are like a folded name."""
        for directory in directories:
            for name in self._in(directory, part):
                yield os.path.join(directory, name)

    def _in(self, directory: str, part: str) -> Iterator[str]:
        """Yield the names in a directory that are like a folded name."""
        if directory not in self._by_name:
            self._by_name[directory] = self._listed(directory)
        known = self._by_name[directory]
        if not _WILD.search(part):
            yield from known.get(part, ())
            return
        if directory not in self._by_end:
            names_by_end = defaultdict[str, list[str]](list)
            for name in known:
                for at in range(len(name) + 1):
                    names_by_end[name[at:]].append(name)
            self._by_end[directory] = names_by_end
        expression = re.escape(part).replace(r"\*", ".*").replace(r"\?", ".")
        fits = re.compile(expression).fullmatch
        end = _WILD.split(part)[-1]
        for name in self._by_end[directory].get(end, ()):
            if fits(name):
                yield from known[name]

    def _listed(self, directory: str) -> Mapping[str, Sequence[str]]:
        """Return the names in a directory by their folded forms."""
        names: list[str] = []
        with suppress(OSError):
            names = sorted(os.listdir(directory))
        by_name = defaultdict[str, list[str]](list)
        for name in names:
            path = os.path.join(directory, name)
            if name[0] != "." and path != self._output:
                by_name[_folded(name)].append(name)
        return by_name


@cache
def root_of(pattern: str) -> str:
    """Return the directory at the start of a pattern."""
    return os.path.dirname(re.split(r"[{*?]", pattern, maxsplit=1)[0])


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _is_original(page: str, pages: Iterable[str]) -> bool:
    """Whether all other pages with its source are copies in the directories of languages."""
    for each in pages:
        place = each.removesuffix(f"/{page}")
        if each != page and not LANGUAGE.fullmatch(place):
            return False
    return True


def _lacking(without: Sequence[str], listed: Sequence[str]) -> list[str]:
    """Return the pages without a source in the top directories where most pages have none."""
    pages = Counter(map(_top, listed))
    missing = Counter(map(_top, without))
    lacking = []
    for page in without:
        top = _top(page)
        if "/" in page and 2 * missing[top] > pages[top]:
            lacking.append(page)
    return lacking


def _top(page: str) -> str:
    """Return the top directory of a page."""
    return page.partition("/")[0]


def suggest_pattern(rendered: Iterable[str], directory: str) -> str:
    """Return the pattern below the current directory that finds the most sources of files."""
    stems = set(chain.from_iterable(map(names, rendered)))
    patterns: Counter[str] = Counter()
    for place, directories, files in islice(os.walk("."), _MOST_DIRECTORIES):
        below = []
        for name in sorted(directories):
            path = os.path.join(place, name)
            if not _SKIPPED.match(name) and not os.path.samefile(path, directory):
                below.append(name)
        directories[:] = below
        for file in files:
            stem, suffix = os.path.splitext(file)
            if suffix not in _SUFFIXES or stem in {"index", "_index", "README"}:
                continue
            parts = os.path.normpath(os.path.join(place, stem)).split(os.sep)
            for at in range(len(parts)):
                root = "/".join([*parts[:at], ""])
                path = "/".join(parts[at:])
                above = "/".join(parts[at:-1])
                if path in stems:
                    patterns[f"{root}{{path}}{suffix}"] += 1
                elif above in stems and parts[-2] == parts[-1]:
                    patterns[f"{root}{{path}}/{{name}}{suffix}"] += 1
    if not patterns:
        return ""
    [(best, _)] = patterns.most_common(1)
    return best
