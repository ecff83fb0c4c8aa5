"""Finds output files that are not pages of the build, and patterns in the options that match
nothing.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.catalogue import STRAY_PAGES, UNMATCHED_PATTERN, UNREADABLE_DIRECTORY
from smindex_plugins.base.files import is_html, visible
from smindex_plugins.base.model import Finding, Findings, Page
from smindex_plugins.base.settings import INDEX_FILENAME, Settings
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import counted
from smindex_plugins.history.history import History
from smindex_plugins.pages import _nearest
from smindex_plugins.pages.membership import head_of, judge, path_of
from smindex_plugins.pages.omissions import NotListed, Omission

_SEARCH = "search.html"
"""The search page that MkDocs themes render, which doesn't belong in a sitemap."""
_NAMED = 5
"""How many directories a message lists with their counts."""


class OutputFiles(NamedTuple):
    """The files that a server serves, by their output paths with ``/``."""

    paths: list[str]
    findings: list[Finding]
    """The directories that can't be read."""


def output_files(site: Site) -> OutputFiles:
    """Return the files that a server serves, without other sites in the output."""
    findings: list[Finding] = []

    def report(error: OSError) -> None:
        if isinstance(error, FileNotFoundError):
            return  # a build without files creates no directory
        place = os.path.relpath(error.filename, site.directory)
        where = place.replace(os.sep, "/") + "/"
        if place == os.curdir:
            where = "the output directory"
        findings.append(UNREADABLE_DIRECTORY.at(where, f"it can't be read: {error.strerror}."))

    paths: list[str] = []
    nested: tuple[str, ...] = ()
    for prefix, names in visible(site.directory, report):
        if prefix and not {INDEX_FILENAME, site.settings.index_filename}.isdisjoint(names):
            nested += (prefix,)
        if not prefix.startswith(nested):
            paths += [prefix + name for name in names]
    return OutputFiles(paths, findings)


def is_included(path: str, settings: Settings) -> bool:
    """Whether the option ``include`` lists an output file that is not a page, given by its path."""
    if not settings.include or is_html(path) or path == "robots.txt":
        return False
    return bool(patterns.matches(urls.from_file_path(path), settings.include))


def included(output: Iterable[str], known: Iterable[Page], site: Site) -> Iterator[Page]:
    """Yield the other output files that the option ``include`` lists. Their sources are unknown."""
    files = {os.path.normpath(page.file) for page in known if page.file}
    for path in output:
        file = os.path.normpath(os.path.join(site.directory, path))
        if is_included(path, site.settings) and file not in files:
            url = site.url + urls.from_file_path(path)
            yield Page(url=url, file=file, source_name=path, kind="file")


def strays(
    output: Iterable[str], known: Iterable[str], site: Site, proven: frozenset[str]
) -> Iterator[Omission]:
    """Yield the HTML files that are not among the known files, each with the reason why it is in no
    sitemap.

    Such a file can be a page that should be listed, or a leftover of an earlier run. Only the
    author knows, so it is counted and never listed.
    """
    files = {os.path.normpath(path) for path in known}
    for path in output:
        file = os.path.normpath(os.path.join(site.directory, path))
        if not is_html(path) or file in files:
            continue
        url = site.url + urls.page_path(path)
        page = Page(url=url, file=file, source_name=path, kind="copied")
        judged = judge(page, site, proven)
        if isinstance(judged, Page):
            judged = Omission.of(page, NotListed.OF_NO_PAGE)
        yield judged


def stray_pages(strays: Iterable[Omission]) -> Findings:
    """Yield one finding about the strays that only their author can explain."""
    places: Counter[str] = Counter()
    example = ""
    for omission in strays:
        path = omission.page.name
        if omission.reason == NotListed.OF_NO_PAGE and path != _SEARCH:
            directory, slash, _ = path.partition("/")
            places[directory + "/" if slash else "/"] += 1
            example = example or path
    if not places:
        return
    number = places.total()
    where = f"{counted(number, 'HTML file')} in the output"
    problem = f"this build did not produce them: {_by_place(places)}, for example {example}."
    if number == 1:
        problem = f"this build did not produce it: {example}."
    yield STRAY_PAGES.at(where, problem)


def _by_place(places: Counter[str]) -> str:
    """Return how many files each place has, the most first."""
    if len(places) == 1:
        return f"all in {next(iter(places))}"
    named = [f"{number:,} in {place}" for place, number in places.most_common(_NAMED)]
    if len(places) > _NAMED:
        named.append(counted(len(places) - _NAMED, "other place"))
    return ", ".join(named)


def find_unmatched(
    pages: Sequence[Page],
    members: Sequence[Page],
    omitted: Sequence[Omission],
    site: Site,
    *,
    output: Iterable[str],
    proven: frozenset[str],
) -> Iterator[Finding]:
    """Yield the patterns of the options that match nothing.

    Pages that are omitted for any reason are matched too. ``members`` are the listed pages, by
    their canonical URLs. ``proven`` are other origins that agree to be listed.
    """
    settings = site.settings
    by_category = settings.section_by == "category"
    if by_category and members and not any(page.section for page in members):
        fix = "Only Pelican assigns categories. Remove it, or set `section` in a `filter`."
        yield UNMATCHED_PATTERN.at("section_by", "no page has a category.", fix)
    url_patterns = list(_url_patterns(settings))
    if not (url_patterns or settings.include or proven):
        return
    html = [page for page in pages if page.kind != "file"]
    paths = [unquote(path_of(page, site)) for page in html]
    if pages:
        known = [*paths, *(unquote(path_of(page, site)) for page in members)]
        used = {omission.by for omission in omitted}
        sources = _by_source(html, paths)
        for where, pattern in url_patterns:
            is_used = f"`{pattern}`" in used or _matches(pattern, known)
            if not is_used and not _is_there(pattern, html, site):
                fix = _nearest.fix(pattern, site.url, paths, sources)
                yield _matches_no_page(where, pattern, fix)
    files = [unquote(path_of(page, site)) for page in pages if page.kind == "file"]
    for where, pattern in _numbered("include", settings.include):
        if _matches(pattern, files):
            continue
        problem = f"`{pattern}` matches no file of the output other than pages."
        if is_html(pattern) or _matches(pattern, paths):
            fix = "Pages are listed anyway. Remove it."
        else:
            others = [path for path in output if not is_html(path)]
            fix = _nearest.fix(pattern, site.url, others)
        yield UNMATCHED_PATTERN.at(where, problem, fix)
    yield from _unused_consents(pages, members, proven)


def _by_source(pages: Sequence[Page], paths: Sequence[str]) -> dict[str, str]:
    """Return the paths of pages, by the names of their sources."""
    found: dict[str, str] = {}
    for page, path in zip(pages, paths, strict=True):
        if page.source_name:
            found[page.source_name] = path
    return found


def _matches_no_page(where: str, pattern: str, fix: str) -> Finding:
    if where.startswith("exclude") and fix.endswith(_nearest.NOTHING_NEAR):
        fix += (
            " To exclude a page that exists only at times, set `sitemap: false` in its front"
            " matter."
        )
    return UNMATCHED_PATTERN.at(where, f"`{pattern}` matches no page.", fix)


def _unused_consents(
    pages: Iterable[Page], members: Iterable[Page], proven: frozenset[str]
) -> Findings:
    """Yield the origins in ``cross_site`` at which no page has its canonical URL."""
    unlisted = proven.difference(urls.origin(page.url) for page in members)
    if not unlisted:
        return  # without reading the canonical URLs of all pages
    for origin in sorted(unlisted.difference(map(_canonical_origin, pages))):
        where = f"cross_site[{origin!r}]"
        yield UNMATCHED_PATTERN.at(where, "no page has its canonical URL there.")


def unmatched_revisions(history: History, settings: Settings) -> Iterator[Finding]:
    """Yield findings about a missing file of ignored commits, and about expressions that match no
    commit.
    """
    root = history.place_without_revs_file()
    if root:
        problem = f"`{settings.ignore_revs_file}` can't be read."
        fix = f"It is relative to the root of the git repository, {root}. Correct it, or remove it."
        yield UNMATCHED_PATTERN.at("ignore_revs_file", problem, fix)
    for pattern in history.unmatched_commits():
        problem = f"`{pattern}` matches no commit subject."
        fix = "Correct the regular expression, or remove it."
        yield UNMATCHED_PATTERN.at("ignore_commits", problem, fix)


def _url_patterns(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the URL patterns of pages, each with its location."""
    yield from _numbered("exclude", settings.exclude)
    for at, section in enumerate(settings.sections):
        for number, pattern in enumerate(section.urls):
            yield f"sections[{at}].urls[{number}]", pattern
    for pattern, _ in settings.depends:
        yield f"depends[{pattern!r}]", pattern


def _numbered(option: str, given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the patterns of an option with their locations.

    A single pattern can be given without a list.
    """
    for at, pattern in enumerate(given):
        where = f"{option}[{at}]" if len(given) > 1 else option
        yield where, pattern


def _matches(pattern: str, paths: Iterable[str]) -> bool:
    matches = patterns.expression(pattern).fullmatch
    return any(map(matches, paths))


def _canonical_origin(page: Page) -> str:
    """Return the origin of a page's canonical URL, whether or not the page is listed."""
    url = page.url
    if page.file and page.kind != "file":
        with suppress(OSError):
            url = head_of(page).canonical or page.url
    return urls.origin(url)


def _is_there(pattern: str, pages: Sequence[Page], site: Site) -> bool:
    """Whether a pattern matches an output file or directory without pages, which is in no sitemap
    anyway.
    """
    path = os.path.join(site.directory, pattern.lstrip("/"))
    exists = os.path.isfile(path)
    if pattern.endswith("/"):
        exists = os.path.isdir(path)
    return exists and not any(page.file and page.file.startswith(path) for page in pages)
