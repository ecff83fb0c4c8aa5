"""Which files a page is made of: its own, and those that its author or the settings say it depends on."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from smindex_plugins import patterns, urls
from smindex_plugins.catalogue import UNKNOWN_DEPENDENCY
from smindex_plugins.history import History
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages.front_matter import depends
from smindex_plugins.settings import Target


def complete(pages: Iterable[Page], history: History, target: Target, findings: list[Finding]) -> list[Page]:
    """Add to every page the files that it depends on.

    A pattern is relative to the root of the git repository of the page's first source; that of a generated page, which
    has none, to that of the first page that has one. A pattern that names no file is kept as a source that nobody
    knows: the page may have changed when the file went away.
    """
    pages = list(pages)
    first = next((page.sources[0] for page in pages if page.sources), None)
    expand = cache(patterns.files)
    reported: set[tuple[str, str]] = set()
    completed = []
    for page in pages:
        added: list[str] = []
        for where, pattern in _patterns(page, target, findings):
            source = page.sources[0] if page.sources else first
            root = (history.repository(source) if source else None) or os.getcwd()
            files = expand(root, pattern)
            if not files and (where, pattern) not in reported:
                reported.add((where, pattern))
                problem = f"it depends on {pattern!r}, which is no file in {root}."
                findings.append(UNKNOWN_DEPENDENCY.at(where, problem))
            added += files or [os.path.join(root, pattern)]
        completed.append(replace(page, sources=tuple(dict.fromkeys([*page.sources, *added]))) if added else page)
    return completed


def _patterns(page: Page, target: Target, findings: list[Finding]) -> Iterator[tuple[str, str]]:
    """Yield the patterns of a page, each with where it is written."""
    for pattern in depends(page, findings):
        yield page.name, pattern
    if target.settings.depends and urls.is_within(page.url, target.site_url):
        path = urls.relative_path(page.url, target.site_url)
        for urls_pattern, files in target.settings.depends:
            if urls.matches(path, (urls_pattern,)):
                for pattern in files:
                    yield "depends", pattern
