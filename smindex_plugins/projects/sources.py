"""Finds the sources of rendered pages: by patterns with a page's path, and by the page's edit
link.
"""

import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import islice, zip_longest

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
    """Patterns of source files, where they are set, and the sources that they find for the pages of
    a directory.
    """

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
        return self.guessed_from.made_of if self.guessed_from else {}

    @cached_property
    def _found(self) -> Mapping[str, tuple[str, ...]]:
        """The sources of all pages. The first method that finds a source wins.

        An uncertain source is for one page.
        An empty answer is final.
        """
        found: dict[str, tuple[str, ...]] = {
            page: (source,) for page, source in self.made_of.items()
        }
        for method in self._methods:
            new = method([page for page in self._pages if page not in found])
            pages_of = defaultdict[str, set[str]](set)
            for page, sources in (*found.items(), *new.items()):
                for source in sources:
                    pages_of[source].add(page)
            for page, certain in new.items():
                if any(len(pages_of[each]) > 1 for each in certain) and self._is_redirect(page):
                    for each in certain:
                        pages_of[each].discard(page)
            for page, certain in new.items():
                sources = [each for each in certain if page in pages_of[each]]
                kept = [
                    each for each in sources if certain[each] or _is_original(page, pages_of[each])
                ]
                found |= {page: tuple(kept)} if kept or not certain else {}
        return found

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
        find = self.by_pattern if self.patterns else self._by_itself
        return {page: found for page in pages if (found := find(page))}

    @cached_property
    def _pages(self) -> Sequence[str]:
        walk = visible(self.directory, lambda _: None)
        return [prefix + name for prefix, found in walk for name in found if is_html(name)]

    def _is_redirect(self, page: str) -> bool:
        """Whether a page only leads to another, such as one at the former URL of a post."""
        with suppress(OSError):
            head = read_head(
                os.path.join(self.directory, page), urls.NO_ADDRESS + urls.page_path(page)
            )
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
        """Return what a rendered file is in a blog of Material or Zensical, if it is a page of
        one.
        """
        return self._blog_pages.get(urls.folded(file)) if self._blog_pages else None

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
        found = self._claims.sources if self._claims else {}
        return {
            page: {found[page][0]: True} if len(found[page]) == 1 else {}
            for page in pages
            if page in found
        }

    def candidates(self, pattern: str, page: str) -> Iterator[str]:
        """Return the possible paths of a page's source.

        README.md is one only if the generator can take it.
        """
        has_readmes = not self.guessed_from or self.guessed_from.generator.has_readmes
        return candidates(pattern, page, INDEXES if has_readmes else INDEXES[:-1])

    @property
    def _is_usual(self) -> bool:
        """Whether the generator is configured in code, so that only its usual patterns are
        known.
        """
        return self.guessed_from is not None and not self.guessed_from.generator.is_read

    def _by_itself(self, page: str) -> Mapping[str, bool]:
        """Return the page itself, unless git tracks no page of the directory: then all are built
        from other files.
        """
        return {os.path.join(self.directory, page): True} if self._has_pages else {}

    @cached_property
    def _has_pages(self) -> bool:
        """Whether git tracks a page of the directory, or the directory is not in a repository."""
        tracked = tracked_files(self.directory)
        if tracked is None:
            return True
        root = os.path.relpath(os.path.realpath(self.directory), tracked.root).replace(os.sep, "/")
        return any(
            is_html(name) and (root == "." or name.startswith(f"{root}/")) for name in tracked.names
        )

    def by_pattern(self, page: str) -> Mapping[str, bool]:
        """Return the file that each given pattern finds, or the one that all guessed patterns find.

        The value is whether the file is certain, because its name is exact. Otherwise, it is the
        only file whose name differs in case or has other text in place of `*`. An `index.md` counts
        before a `README.md`.
        """
        found: dict[str, bool] = {}
        for patterns in (
            [self.patterns] if self.guessed_from else [(pattern,) for pattern in self.patterns]
        ):
            alike: set[str] = set()
            for places in zip_longest(*(self.candidates(pattern, page) for pattern in patterns)):
                here = {
                    os.path.normpath(place): at
                    for at, place in zip(patterns, places, strict=True)
                    if place
                }
                paths = {
                    path
                    for place, pattern in here.items()
                    for path in self._names.like(root_of(pattern), place)
                }
                usable = {
                    path for path in paths if self._may_be_source(path, page, is_exact=path in here)
                }
                if exact := usable & here.keys():
                    found |= dict.fromkeys(exact, True) if len(exact) == 1 else {}
                    break
                alike |= usable
            else:
                if len(alike) > 1 and (day := _DAY.search(page)):  # tells posts of one name apart
                    alike = {path for path in alike if "-".join(day.groups()) in path}
                if len(alike) == 1:
                    found.setdefault(alike.pop(), False)
        return found

    def _may_be_source(self, path: str, page: str, *, is_exact: bool) -> bool:
        """Whether front matter does not contradict a guess, and the file is not one like LICENSE.md
        of the project.
        """
        if is_exact and not self.guessed_from:
            return True
        directory, name = os.path.split(path)
        is_in_project = self.guessed_from is not None and directory == self.guessed_from.project
        is_of_project = (
            is_in_project
            and os.path.splitext(name)[0].isupper()
            and (self._is_usual or not is_exact)
        )
        meta, may_be_draft = self.front_matter(path).meta or {}, is_exact or not self.guessed_from
        is_rendered = switch(meta.get("published")) is not False and (
            may_be_draft or not switch(meta.get("draft"))
        )
        return not is_of_project and is_rendered and self._allows(path, page)

    def _allows(self, source: str, page: str) -> bool:
        """Whether no front matter gives a file another URL."""
        if self._claims and self.guessed_from:
            return self._claims.allow(source, page)
        return claims.agrees(self.front_matter(source), page)

    def _by_link(self, pages: Sequence[str]) -> Mapping[str, Mapping[str, bool]]:
        """Return the files that the edit links of pages lead to, for pages whose links lead to only
        one.
        """
        found = self._edit_links.sources(pages)
        return {
            page: dict.fromkeys(files, False) for page, files in found.items() if len(files) == 1
        }

    @cached_property
    def _edit_links(self) -> EditLinks:
        return EditLinks(self.directory)

    @cached_property
    def _names(self) -> "_Names":
        return _Names(self.directory)

    def __str__(self) -> str:
        """Return a short form of the patterns: `docs/{path}.md, and 3 more (mkdocs.yml)`."""
        if not self.patterns:
            return self.given_by if self._has_pages else "edit links"
        shown = [*map(os.path.relpath, self.patterns)]
        if self.guessed_from:
            shown[1:] = [f"and {len(shown) - 1} more"] if shown[1:] else []
        return f"{'edit links, or else ' * self._is_usual}{', '.join(shown)} ({self.given_by})"

    def looked_for(self, *files: str) -> str:
        """Return where the sources of pages were looked for, in words."""
        if not self.patterns:
            return "nothing says where it is" + (
                "" if self._has_pages else ", and git tracks no page of the site"
            )
        if not any(map(os.path.isdir, roots := list(map(root_of, self.patterns)))):
            return f"there is no directory {os.path.relpath(roots[0])}"
        places = islice(
            (
                place
                for file in files
                for each in self.patterns
                for place in self.candidates(each, file)
            ),
            3,
        )
        return f"looked for {', '.join(map(os.path.relpath, places))}, …"

    def unmatched(self, files: Sequence[str], listed: Sequence[str]) -> Iterator[Finding]:
        """Yield the given patterns that find no source for any page, or that most listed pages have
        no source.
        """
        without = [file for file in listed if not self.of(file) and not self.is_blog_list(file)]
        given = () if self.guessed_from else self.patterns
        # one with another suffix is enough
        by_stem = _grouped((os.path.splitext(each)[0], each) for each in given)
        problems = []
        for patterns in by_stem.values():
            group = replace(self, patterns=tuple(patterns))
            if not any(map(group.by_pattern, files)):
                why = replace(self, patterns=(patterns[0],)).looked_for(*files)
                problems.append(
                    f"{os.path.relpath(patterns[0])!r} finds no file for any page; {why}."
                )
        if self.patterns and not problems and len(without) * 2 > len(listed) and not self.made_of:
            count = f"{len(without):,} of {counted(len(listed), 'page')}"
            problems = [f"{count} have no source; {self.looked_for(*without)}."]
        better = suggest_pattern(without, self.directory) if problems else ""
        if (
            self.patterns
            and not problems
            and not self.made_of
            and (lacking := _lacking(without, listed))
        ):
            better = suggest_pattern(lacking, self.directory)
            problems = (
                [f"{counted(len(lacking), 'page')} have no source, such as {lacking[0]}."]
                if better
                else []
            )
        fix = (
            "If they are built from files, set the location of these with --sources."
            if self.guessed_from
            else ""
        )
        if better and os.path.abspath(better) not in self.patterns:
            needed = " --sources ".join(f"'{each}'" for each in (*self._needed(listed), better))
            fix = f"Pages without a source have no date. Did you mean --sources {needed}?"
        yield from (SOURCES_NOT_FOUND.at(self.given_by, problem, fix) for problem in problems)

    def _needed(self, listed: Sequence[str]) -> Iterator[str]:
        """Yield the guessed patterns without which pages would lose the sources that only these
        find.
        """
        missing = (
            {(page, source) for page in listed for source in self.of(page)}
            if self.guessed_from
            else set()
        )
        for pattern in self.patterns:
            alone = replace(self, patterns=(pattern,), guessed_from=None, project=None)
            if found := {
                (page, source) for page, source in missing if source in alone.by_pattern(page)
            }:
                missing -= found
                yield os.path.relpath(pattern)

    def unused_links(self, listed: Sequence[str]) -> Iterator[Finding]:
        """Yield the repositories that edit links of listed pages lead to, if they are not that of
        the site.
        """
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
        """Return the files at a path below a root, whatever their case, and with any text for `*`
        and `?`.
        """
        places = [root]
        for part in path.removeprefix(root).split(os.sep):
            if part:
                places = [
                    os.path.join(place, name)
                    for place in places
                    for name in self._in(place, _folded(part))
                ]
        return [place for place in places if os.path.isfile(place)]

    def _in(self, directory: str, part: str) -> Iterator[str]:
        """Yield the names in a directory that are like a folded name."""
        if directory not in self._by_name:
            names: list[str] = []
            with suppress(OSError):
                names = sorted(os.listdir(directory))
            ours = (
                name
                for name in names
                if name[0] != "." and os.path.join(directory, name) != self._output
            )
            self._by_name[directory] = _grouped((_folded(name), name) for name in ours)
        known, alike = self._by_name[directory], [part]
        if _WILD.search(part):
            if directory not in self._by_end:
                ends = ((name[at:], name) for name in known for at in range(len(name) + 1))
                self._by_end[directory] = _grouped(ends)
            fits = re.compile(re.escape(part).replace(r"\*", ".*").replace(r"\?", ".")).fullmatch
            alike = [
                name
                for name in self._by_end[directory].get(_WILD.split(part)[-1], ())
                if fits(name)
            ]
        for each in alike:
            yield from known.get(each, ())


def _grouped(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    groups = defaultdict[str, list[str]](list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


@cache
def root_of(pattern: str) -> str:
    """Return the directory at the start of a pattern."""
    return os.path.dirname(re.split(r"[{*?]", pattern, maxsplit=1)[0])


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _is_original(page: str, pages: Iterable[str]) -> bool:
    """Whether all other pages with the same source are copies in the directories of other
    languages.
    """
    return all(each == page or LANGUAGE.fullmatch(each.removesuffix(f"/{page}")) for each in pages)


def _lacking(without: Sequence[str], listed: Sequence[str]) -> list[str]:
    """Return the pages without a source in the top directories where most pages have none."""
    pages = Counter(page.partition("/")[0] for page in listed)
    missing = Counter(page.partition("/")[0] for page in without)
    return [
        page
        for page in without
        if "/" in page and 2 * missing[top := page.partition("/")[0]] > pages[top]
    ]


def suggest_pattern(rendered: Iterable[str], directory: str) -> str:
    """Return the pattern that finds the most sources of a directory's rendered files below the
    current directory.
    """
    stems = {name for file in rendered for name in names(file)}
    patterns: Counter[str] = Counter()
    for place, directories, files in islice(os.walk("."), _MOST_DIRECTORIES):
        below = sorted(name for name in directories if not _SKIPPED.match(name))
        directories[:] = (
            name for name in below if not os.path.samefile(os.path.join(place, name), directory)
        )
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
