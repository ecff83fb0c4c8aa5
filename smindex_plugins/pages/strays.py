"""HTML files in the output that are not among the build's pages, from other plugins or from earlier runs."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from smindex_plugins import urls
from smindex_plugins.catalogue import STRAY_PAGES, UNREADABLE_DIRECTORY
from smindex_plugins.files import is_regular
from smindex_plugins.model import Details, Finding, Page
from smindex_plugins.pages.membership import Omission, Reason, judge
from smindex_plugins.settings import INDEX_FILENAME, Target
from smindex_plugins.text import counted

HTML = (".html", ".htm", ".xhtml")
_LANGUAGE = re.compile(r"[a-z]{2}([-_][A-Za-z]{2,4})?/")
_LANGUAGES = "If mkdocs-static-i18n made them, update it: from version 1.0 on, they are pages of the build."
_SEARCH = "search.html"
"""The search page that MkDocs themes render for themselves. Nobody misses it in a sitemap."""
_NAMED = 5
"""How many directories a message names with their counts. The others are only counted."""


def count(known: Iterable[str], target: Target, proven: frozenset[str], findings: list[Finding]) -> Iterator[Omission]:
    """Yield the HTML files that are not among the known ones, each with the reason why it is in no sitemap.

    Such a file may be a page that should be listed, or one that an earlier run left behind. Only the author knows, so
    it is counted and never listed.
    """
    places: Counter[str] = Counter()
    closed: dict[str, OSError] = {}
    example = ""
    for file in sorted(_others({os.path.normpath(path) for path in known}, target, closed)):
        url, details = target.site_url + urls.page_path(file), Details(source_name=file, copied=True)
        page = Page(url=url, file=os.path.join(target.directory, file), details=details)
        judged = judge(page, target, proven, [])
        if isinstance(judged, Omission):
            yield judged
        else:
            yield Omission(page.url, file, Reason.OF_NO_PAGE)
            if file != _SEARCH:
                example = example or file
                places[file[: file.find("/") + 1] or "/"] += 1
    tell_closed(closed, findings)
    if places:
        belong = "it belongs" if places.total() == 1 else "they belong"
        problem = f"{belong} to no page of the build: {_named(places)}, for example {example}."
        fix = f"{STRAY_PAGES.fix} {_LANGUAGES}" if any(map(_LANGUAGE.fullmatch, places)) else ""
        findings.append(STRAY_PAGES.at(f"{counted(places.total(), 'HTML file')} in the output", problem, fix))


def tell_closed(closed: Mapping[str, OSError], findings: list[Finding]) -> None:
    """Add a finding for each directory that cannot be read."""
    for place, error in closed.items():
        problem = f"it cannot be read: {error.strerror or error}."
        findings.append(UNREADABLE_DIRECTORY.at(place or "the output directory", problem))


def _others(known: set[str], target: Target, closed: dict[str, OSError]) -> Iterator[str]:
    """Yield the paths of other HTML files."""

    def is_other(path: str, file: str) -> bool:
        return path.lower().endswith(HTML) and os.path.normpath(file) not in known

    return walk(target, closed, is_other)


def walk(target: Target, closed: dict[str, OSError], is_wanted: Callable[[str, str], bool]) -> Iterator[str]:
    """Yield the paths of wanted files in the output, without those that servers hide or that other sites list.

    ``is_wanted`` gets the path of a file in the output, and its path on this machine. ``closed`` gets the directories
    whose content nobody can read.
    """
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        try:
            yield from _inside(prefix, target, waiting, is_wanted)
        except FileNotFoundError:  # it was there a moment ago
            continue
        except OSError as error:
            closed[prefix] = error


def _inside(prefix: str, target: Target, waiting: list[str], is_wanted: Callable[[str, str], bool]) -> Iterator[str]:
    entries = list(os.scandir(os.path.join(target.directory, prefix)))
    if prefix and not {INDEX_FILENAME, target.settings.index_filename}.isdisjoint(entry.name for entry in entries):
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            waiting.append(f"{prefix}{entry.name}/")
        elif is_wanted(prefix + entry.name, entry.path) and is_regular(entry.path):
            yield prefix + entry.name


def _named(places: Counter[str]) -> str:
    first = sorted(places.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{place} ({number:,})" for place, number in first[:_NAMED]]
    others = [counted(len(first) - _NAMED, "other place")] if len(first) > _NAMED else []
    return ", ".join(shown + others)
