"""The differences between two versions of a site, as text, as a comment on a pull request, and as
JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import chain
from typing import IO, Literal

from smindex_plugins.base.difference import FATES, Change, Difference, Sitemaps
from smindex_plugins.base.formats import Form
from smindex_plugins.base.text import counted
from smindex_plugins.printing.as_json import Version, write_object
from smindex_plugins.printing.changes import ShownDifference
from smindex_plugins.printing.terminal import console, write_line
from smindex_plugins.printing.words import more

_MOST_LINES = 10
"""How many lines of each kind are printed, unless the user requests all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOutput(ShownDifference):
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
    if form == "json":
        _write_json(difference, out)
    elif form == "markdown":
        _write_markdown(difference, out, preview)
    else:
        _write_text(difference, out, show_all=show_all)


def _write_json(difference: Difference, out: IO[str]) -> None:
    shown = ShownDifference.of(difference)
    values = {field.name: getattr(shown, field.name) for field in fields(shown)}
    write_object(DiffOutput(**values, live=difference.live), out)


def _write_markdown(difference: Difference, out: IO[str], preview: str) -> None:
    from smindex_plugins.printing.templates import render  # noqa: PLC0415 - Jinja takes 40 ms to load

    text = render(
        "compare",
        "diff.md.j2",
        broken=broken_urls(difference, "below") if difference.lost else "",
        summary=difference_summary(difference),
        sections=_sections(difference),
        notes=ShownDifference.of(difference).notes,
        base=difference.base,
        preview=difference.base and preview,
    )
    out.write(text)


def _write_text(difference: Difference, out: IO[str], *, show_all: bool) -> None:
    screen = console(out)
    for heading, lines in _sections(difference).items():
        most = len(lines) if show_all else _MOST_LINES
        write_line(screen, f"{heading.lower()} ({len(lines):,})")
        for line in lines[:most]:
            write_line(screen, f"  {line}")
        others = more(len(lines) - most)
        if others:
            write_line(screen, f"  {others}; -v shows them")
        write_line(screen)
    write_line(screen, difference_summary(difference))
    for note in ShownDifference.of(difference).notes:
        write_line(screen, note)


def _sections(difference: Difference) -> dict[str, list[str]]:
    """Return the lines about pages and sitemaps by their heading, without empty headings."""
    sitemaps = difference.sitemaps
    sections = {
        **_pages(difference),
        "Sitemaps added": [f"+ {url}" for url in sitemaps.added],
        "Sitemaps removed": [f"- {url}" for url in sitemaps.removed],
        "Sitemaps changed": [f"~ {url}" for url in sitemaps.changed],
    }
    return {heading: lines for heading, lines in sections.items() if lines}


def _pages(difference: Difference) -> dict[str, list[str]]:
    """Return the lines about pages by their heading, the worst first.

    A page that moved is named once, with both URLs. Removed pages have a heading of their own only
    if it is unknown what happened to them.
    """
    sections: dict[str, list[str]] = {}
    for gone in sorted(difference.gone, key=lambda each: FATES.index(each.fate)):
        lines = sections.setdefault(gone.fate.capitalize(), [])
        target = f" → {gone.to}" if gone.to else ""
        lines.append(f"- {gone.url}{target} ({gone.why})")
    moved = {gone.to for gone in difference.gone if gone.fate in {"renamed", "redirected"}}
    if not difference.gone:
        sections["Removed"] = [f"- {url}" for url in difference.removed]
    sections["Added"] = [f"+ {url}" for url in difference.added if url not in moved]
    sections["Changed"] = [f"~ {each.url}: {_changed(each)}" for each in difference.changed]
    return sections


def _changed(change: Change) -> str:
    """Return what changed on a page, in words."""
    parts = []
    if change.before != change.after:
        parts.append(f"{change.before or 'no date'} → {change.after or 'no date'}")
    if change.variants:
        parts.append(f"variants {', '.join(change.variants)}")
    return ", ".join(parts)


def page_lines(difference: Difference) -> list[str]:
    """Return a line for each page that differs."""
    return list(chain.from_iterable(_pages(difference).values()))


def difference_summary(difference: Difference) -> str:
    """Return a summary of the differences, in words."""
    if difference.first_deployment:
        total = counted(difference.urls_after, "page")
        return f"first deployment: there is nothing to compare with; {total} in all"
    kinds = []
    for heading, lines in _pages(difference).items():
        if lines:
            kinds.append(f"{len(lines):,} {heading.lower()}")
    what = f"pages: {', '.join(kinds)}" if kinds else "no page changed"
    sitemaps = counted_changes(difference.sitemaps) or "unchanged"
    total = counted(difference.urls_after, "page")
    return f"{what}; sitemaps: {sitemaps}; {total} in all"


def broken_urls(difference: Difference, place: Literal["above", "below"]) -> str:
    """Return how many URLs lead nowhere, and how to mend this, in words.

    ``place`` is where these URLs are listed, with the redirects to add.
    """
    urls = counted(len(difference.lost), "URL")
    renamed = sum(each.fate == "renamed" for each in difference.lost)
    lost = len(difference.lost) - renamed
    redirects = "redirect" if renamed == 1 else "redirects"
    add = f"Add the {redirects} {place}."
    if renamed and lost:
        why = f"{counted(lost, 'page')} lost, {renamed:,} renamed."
        return f"{urls} break: {why} Redirect or restore each lost page. {add}"
    if renamed == 1:
        return f"{urls} breaks: its page was renamed. {add}"
    if renamed:
        return f"{urls} break: their pages were renamed. {add}"
    if lost == 1:
        return f"{urls} breaks: its page is lost. Redirect or restore it."
    return f"{urls} break: their pages are lost. Redirect or restore each of them."


def counted_changes(lists: Difference | Sitemaps) -> str:
    """Return how many pages or sitemaps were added, removed and changed, in words."""
    parts = []
    for items, word in (
        (lists.added, "added"),
        (lists.removed, "removed"),
        (lists.changed, "changed"),
    ):
        if items:
            parts.append(f"{len(items):,} {word}")
    return ", ".join(parts)
