"""The differences between two versions of a site, as text, as a comment on a pull request, and as
JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import chain
from typing import IO

from smindex_plugins.base.difference import FATES, Difference, Sitemaps
from smindex_plugins.base.formats import Form
from smindex_plugins.base.text import counted
from smindex_plugins.printing.as_json import Version, write_object
from smindex_plugins.printing.changes import Changes
from smindex_plugins.printing.terminal import console, write_line
from smindex_plugins.printing.words import more

_MOST_LINES = 10
"""How many lines of each kind are printed, unless the user requests all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOutput(Changes):
    """The output of `smindex diff --format json`. `smindex announce` reads it."""

    version: Version = 1
    live: Mapping[str, str]
    """For the URL of each index and changed sitemap, a hash of the entries in the new version.
    `smindex announce` uses the hashes to detect when the new version is live."""


def write_difference(
    difference: Difference, form: Form, out: IO[str], *, show_all: bool = False, preview: str = ""
) -> None:
    """Print the differences in one of the formats. The text shows the first of each kind, or all.

    In Markdown, pages link to ``preview``, the URL of a preview of the new version.
    """
    changes = Changes.of(difference)
    if form == "json":
        values = {field.name: getattr(changes, field.name) for field in fields(changes)}
        write_object(DiffOutput(**values, live=difference.live), out)
        return
    sitemaps = difference.sitemaps
    sections = {
        **_pages(difference),
        "Sitemaps added": [f"+ {url}" for url in sitemaps.added],
        "Sitemaps removed": [f"- {url}" for url in sitemaps.removed],
        "Sitemaps changed": [f"~ {url}" for url in sitemaps.changed],
    }
    sections = {heading: lines for heading, lines in sections.items() if lines}
    if form == "markdown":
        from smindex_plugins.printing.templates import render  # noqa: PLC0415 - Jinja takes 40 ms to load

        links = {"base": difference.base, "preview": difference.base and preview}
        summary = difference_summary(difference)
        out.write(
            render(
                "compare",
                "diff.md.j2",
                summary=summary,
                sections=sections,
                notes=changes.notes,
                **links,
            )
        )
        return
    screen = console(out)
    for heading, lines in sections.items():
        most = len(lines) if show_all else _MOST_LINES
        write_line(screen, f"{heading.lower()} ({len(lines):,})")
        for line in lines[:most]:
            write_line(screen, f"  {line}")
        if others := more(len(lines) - most):
            write_line(screen, f"  {others}; -v shows them")
        write_line(screen)
    for line in (difference_summary(difference), *changes.notes):
        write_line(screen, line)


def _pages(difference: Difference) -> dict[str, list[str]]:
    changed = []
    for url, before, after, variants in difference.changed:
        what = [f"{before or 'no date'} → {after or 'no date'}"] if before != after else []
        what += [f"variants {', '.join(variants)}"] if variants else []
        changed.append(f"~ {url}: {', '.join(what)}")
    fates: dict[str, list[str]] = {}
    for url, fate, to, why in sorted(difference.gone, key=lambda each: FATES.index(each.fate)):
        fates.setdefault(fate.capitalize(), []).append(f"- {url}{f' → {to}' if to else ''} ({why})")
    return {
        **fates,
        "Added": [f"+ {url}" for url in difference.added],
        "Removed": [f"- {url}" for url in difference.removed],
        "Changed": changed,
    }


def page_lines(difference: Difference) -> list[str]:
    """Return a line for each page that differs."""
    return list(chain.from_iterable(_pages(difference).values()))


def difference_summary(difference: Difference) -> str:
    """Return a summary of the differences, in words."""
    pages = counted_changes(difference)
    sitemaps = counted_changes(difference.sitemaps)
    total = counted(difference.urls_after, "page")
    return (
        f"{f'pages: {pages}' if pages else 'no page changed'}; sitemaps: {sitemaps or 'unchanged'};"
        f" {total} in all"
    )


def counted_changes(lists: Difference | Sitemaps) -> str:
    """Return how many pages or sitemaps were added, removed and changed, in words."""
    parts = ((lists.added, "added"), (lists.removed, "removed"), (lists.changed, "changed"))
    return ", ".join(f"{len(items):,} {word}" for items, word in parts if items)
