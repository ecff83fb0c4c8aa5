"""Finds output files that are not pages of the build, and patterns in the options that match
nothing.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from urllib.parse import unquote

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.catalogue import STRAY_PAGES, UNMATCHED_PATTERN, UNREADABLE_DIRECTORY
from smindex_plugins.base.files import is_html, visible
from smindex_plugins.base.model import Finding, Page
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


def output_files(site: Site, findings: list[Finding]) -> list[str]:
    """Return the files that a server serves, by their output paths with ``/``, without other sites
    in the output.
    """

    def report(error: OSError) -> None:
        if isinstance(error, FileNotFoundError):
            return  # a build without files creates no directory
        place = os.path.relpath(error.filename, site.directory)
        where = "the output directory" if place == os.curdir else place.replace(os.sep, "/") + "/"
        findings.append(UNREADABLE_DIRECTORY.at(where, f"it cannot be read: {error.strerror}."))

    found: list[str] = []
    nested: tuple[str, ...] = ()
    for prefix, names in visible(site.directory, report):
        if prefix and not {INDEX_FILENAME, site.settings.index_filename}.isdisjoint(names):
            nested += (prefix,)
        if not prefix.startswith(nested):
            found += [prefix + name for name in names]
    return found


def is_included(path: str, settings: Settings) -> bool:
    """Whether the option ``include`` lists an output file that is not a page, given by its path."""
    is_page = not settings.include or is_html(path) or path == "robots.txt"
    return not is_page and bool(patterns.matches(urls.from_file_path(path), settings.include))


def included(output: Iterable[str], known: Iterable[Page], site: Site) -> Iterator[Page]:
    """Yield the other output files that the option ``include`` lists. Their sources are unknown."""
    files = {os.path.normpath(page.file) for page in known if page.file}
    for path in output:
        file = os.path.normpath(os.path.join(site.directory, path))
        if is_included(path, site.settings) and file not in files:
            yield Page(
                url=site.url + urls.from_file_path(path), file=file, source_name=path, kind="file"
            )


def strays(
    output: Iterable[str],
    known: Iterable[str],
    site: Site,
    proven: frozenset[str],
    findings: list[Finding],
) -> Iterator[Omission]:
    """Yield the HTML files that are not among the known files, each with the reason why it is in no
    sitemap.

    Such a file can be a page that should be listed, or a leftover of an earlier run. Only the
    author knows, so it is counted and never listed.
    """
    files = {os.path.normpath(path) for path in known}
    places: Counter[str] = Counter()
    example = ""
    for path in output:
        file = os.path.normpath(os.path.join(site.directory, path))
        if not is_html(path) or file in files:
            continue
        page = Page(url=site.url + urls.page_path(path), file=file, source_name=path, kind="copied")
        judged = judge(page, site, proven, [])
        yield judged if isinstance(judged, Omission) else Omission.of(page, NotListed.OF_NO_PAGE)
        if isinstance(judged, Page) and path != _SEARCH:
            example = example or path
            places[path[: path.find("/") + 1] or "/"] += 1
    if places:
        named = [f"{place} ({number:,})" for place, number in places.most_common(_NAMED)]
        named += [counted(len(places) - _NAMED, "other place")] if len(places) > _NAMED else []
        them = "it" if places.total() == 1 else "them"
        problem = (
            f"no page of the build produced {them} ({', '.join(named)}), for example {example}."
        )
        findings.append(
            STRAY_PAGES.at(f"{counted(places.total(), 'HTML file')} in the output", problem)
        )


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
    settings, of_pages = site.settings, list(_url_patterns(site.settings))
    if settings.section_by == "category" and members and not any(page.section for page in members):
        fix = "Only Pelican assigns categories. Remove it, or set `section` in a `filter`."
        yield UNMATCHED_PATTERN.at("section_by", "no page has a category.", fix)
    if not (of_pages or settings.include or proven):
        return
    html = [page for page in pages if page.kind != "file"]
    paths = [unquote(path_of(page, site)) for page in html]
    matched = [*paths, *(unquote(path_of(page, site)) for page in members)]
    sources = {page.source_name: path for page, path in zip(html, paths, strict=True)}
    used = {omission.by for omission in omitted}
    for where, pattern in of_pages if pages else ():
        if f"`{pattern}`" in used or _matches(pattern, matched) or _is_there(pattern, html, site):
            continue
        fix = _nearest.fix(pattern, site.url, paths, sources)
        if where.startswith("exclude") and fix.endswith(_nearest.NOTHING_NEAR):
            fix += (
                " To exclude a page that exists only at times, set `sitemap: false` in its front"
                " matter."
            )
        yield UNMATCHED_PATTERN.at(where, f"`{pattern}` matches no page.", fix)
    files = [unquote(path_of(page, site)) for page in pages if page.kind == "file"]
    for where, pattern in _numbered("include", settings.include):
        if not _matches(pattern, files):
            others = [path for path in output if not is_html(path)]
            fix = _nearest.fix(pattern, site.url, others)
            if is_html(pattern) or _matches(pattern, paths):
                fix = "Pages are listed anyway. Remove it."
            yield UNMATCHED_PATTERN.at(
                where, f"`{pattern}` matches no file of the output other than pages.", fix
            )
    unlisted = proven.difference(urls.origin(page.url) for page in members)
    for origin in sorted(unlisted.difference(map(_canonical_origin, pages)) if unlisted else ()):
        yield UNMATCHED_PATTERN.at(
            f"cross_site[{origin!r}]", "no page has its canonical URL there."
        )


def unmatched_revisions(history: History, settings: Settings) -> Iterator[Finding]:
    """Yield findings about a missing file of ignored commits, and about expressions that match no
    commit.
    """
    if root := history.place_without_revs_file():
        fix = f"It is relative to the root of the git repository, {root}. Correct it, or remove it."
        yield UNMATCHED_PATTERN.at(
            "ignore_revs_file", f"`{settings.ignore_revs_file}` cannot be read.", fix
        )
    for pattern in history.unmatched_commits():
        fix = "Correct the regular expression, or remove it."
        yield UNMATCHED_PATTERN.at("ignore_commits", f"`{pattern}` matches no commit subject.", fix)


def _url_patterns(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the URL patterns of pages, each with its location."""
    yield from _numbered("exclude", settings.exclude)
    for at, section in enumerate(settings.sections):
        yield from (
            (f"sections[{at}].urls[{number}]", pattern)
            for number, pattern in enumerate(section.urls)
        )
    yield from ((f"depends[{pattern!r}]", pattern) for pattern, _ in settings.depends)


def _numbered(option: str, given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the patterns of an option with their locations.

    A single pattern can be given without a list.
    """
    yield from (
        (f"{option}[{at}]" if len(given) > 1 else option, pattern)
        for at, pattern in enumerate(given)
    )


def _matches(pattern: str, paths: Iterable[str]) -> bool:
    return any(map(patterns.expression(pattern).fullmatch, paths))


def _canonical_origin(page: Page) -> str:
    """Return the origin of a page's canonical URL, whether or not the page is listed."""
    with suppress(OSError):
        if page.file and page.kind != "file":
            return urls.origin(head_of(page).canonical or page.url)
    return urls.origin(page.url)


def _is_there(pattern: str, pages: Sequence[Page], site: Site) -> bool:
    """Whether a pattern matches an output file or directory without pages, which is in no sitemap
    anyway.
    """
    path = os.path.join(site.directory, pattern.lstrip("/"))
    exists = os.path.isdir(path) if pattern.endswith("/") else os.path.isfile(path)
    return exists and not any(page.file.startswith(path) for page in pages)
