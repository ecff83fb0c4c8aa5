"""Files of the output that are no pages, such as PDFs, and that the option `include` lists."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from urllib.parse import unquote

from smindex_plugins import nearest, patterns, urls
from smindex_plugins.catalogue import UNMATCHED_PATTERN
from smindex_plugins.model import Details, Finding, Page
from smindex_plugins.pages.strays import HTML, tell_closed, walk
from smindex_plugins.settings import Settings, Target

_ROBOTS = "robots.txt"
CopiedFrom = Callable[[str], tuple[str, ...]]
"""Returns the files from which a file of the output was copied, by its absolute path. It may know none."""


def is_wanted(path: str, settings: Settings) -> bool:
    """Whether a file, by its path in the output, is listed although it is no page."""
    may_be = bool(settings.include) and not path.lower().endswith(HTML)
    return may_be and patterns.matches(urls.from_file_path(path), settings.include)


def find(target: Target, closed: dict[str, OSError]) -> Iterator[str]:
    """Return the files of the output that no page is in and that could be listed, by their paths in it.

    Not among them are hidden files, files of other sites, and what is written for crawlers: sitemaps and
    robots.txt. ``closed`` gets the directories that cannot be read.
    """
    return walk(target, closed, lambda path, _: not path.lower().endswith(HTML) and path != _ROBOTS)


def add(
    pages: Iterable[Page],
    target: Target,
    copied_from: CopiedFrom,
    is_sitemap: Callable[[str], bool],
    findings: list[Finding],
) -> Iterable[Page]:
    """Return the pages, and after them the other files that the settings want, each with its sources."""
    if not target.settings.include:
        return pages
    found = list(pages)
    known = {os.path.normpath(page.file) for page in found if page.file}
    closed: dict[str, OSError] = {}
    for path in sorted(path for path in find(target, closed) if is_wanted(path, target.settings)):
        file = os.path.join(target.directory, path)
        if os.path.normpath(file) not in known and not is_sitemap(file):
            url, details = target.site_url + urls.from_file_path(path), Details(source_name=path, is_other=True)
            found.append(Page(url=url, file=file, sources=copied_from(file), details=details))
    tell_closed(closed, findings)
    return found


def find_unmatched(pages: Sequence[Page], target: Target) -> Iterator[Finding]:
    """Yield the patterns of `include` that no listed or left-out file matches."""
    wanted = target.settings.include
    met = [unquote(urls.relative_path(page.url, target.site_url)) for page in pages if page.details.is_other]
    unmet = [each for each in wanted if not any(map(patterns.expression(each).fullmatch, met))]
    there = nearest.Site(target.site_url, list(find(target, {})) if unmet else (), is_of_pages=False)
    for pattern in unmet:
        where = f"include[{wanted.index(pattern)}]" if len(wanted) > 1 else "include"
        of_pages = (urls.relative_path(page.url, target.site_url) for page in pages if not page.details.is_other)
        is_of_pages = pattern.lower().endswith(HTML) or any(patterns.matches(path, (pattern,)) for path in of_pages)
        fix = "Pages are listed without it. Remove it." if is_of_pages else nearest.fix(pattern, there)
        yield UNMATCHED_PATTERN.at(where, f"`{pattern}` matches no file of the output that is no page.", fix)
