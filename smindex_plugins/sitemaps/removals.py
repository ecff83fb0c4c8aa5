"""When a sitemap changed though none of its pages did: a source was removed from its section, or moved."""

import os
from datetime import UTC, datetime

from smindex_plugins.dates import past, written
from smindex_plugins.history.walk import History
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps.sections import Section


def removals_by_section(
    dated: list[Page], grouped: list[Section], history: History, settings: Settings, now: datetime | None = None
) -> dict[int, str]:
    """Give, by section, when a source was last removed from it or moved: its sitemap changed then, though no page did.

    What happened in a directory that has no pages any more belongs to the sections of the nearest one that has.
    """
    removals = history.removals() if settings.lastmod != "off" else {}
    if not removals:
        return {}
    section_of = {page.url: position for position, section in enumerate(grouped) for page in section.pages}
    directories = {page.url: {os.path.dirname(source) for source in page.sources} for page in dated}
    sections_in: dict[str, set[int]] = {}
    for page in dated:
        listed = (directories[url] for url in page.details.lists if url in directories)
        for directory in directories[page.url].union(*listed):
            found = sections_in.setdefault(directory, set())
            if page.url in section_of:
                found.add(section_of[page.url])
    real: dict[str, set[int]] = {}
    for directory, found in sections_in.items():
        real.setdefault(os.path.realpath(directory), set()).update(found)
    now = now or datetime.now(UTC)
    newest_removal: dict[int, str] = {}
    for directory, when in removals.items():
        date = past(when, now)
        if date is None:
            continue
        for position in _nearest(real, directory):
            newest_removal[position] = max(written(date, settings.lastmod_format), newest_removal.get(position, ""))
    return newest_removal


def _nearest(sections_in: dict[str, set[int]], directory: str) -> set[int]:
    while directory not in sections_in:
        parent = os.path.dirname(directory)
        if parent == directory:
            return set()
        directory = parent
    return sections_in[directory]
