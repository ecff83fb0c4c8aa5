"""The differences between two versions of a site, as text, as a comment on a pull request, and as JSON."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from itertools import chain
from typing import IO, Literal

from smindex_plugins.announcing import FATES, Difference, Fate, Sitemaps, SiteVersion, diff
from smindex_plugins.projects import BuiltSite, WrongOptionsError, find_site, renames
from smindex_plugins.reports.as_json import Version, write_object
from smindex_plugins.reports.terminal import console, write_line
from smindex_plugins.reports.words import more
from smindex_plugins.sitemaps import is_url
from smindex_plugins.text import counted, masked
from smindex_plugins.web import Fetcher

Form = Literal["text", "json", "markdown"]
FORMS: tuple[Form, ...] = ("text", "json", "markdown")
_MOST_LINES = 10
"""How many lines of each kind are printed, unless the user requests all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonChange:
    """A page that both versions list, with a different date or different variants."""

    url: str
    from_: str | None
    """Its date in the old version, as written. Null if it has none."""
    to: str | None
    """Its date in the new version."""
    variants: list[str]
    """The languages whose variants were added, removed, or given a different URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonGone:
    """A page that only the old version lists, and what happened to its URL."""

    url: str
    fate: Fate
    """Whether it redirects, still exists but is not listed, or is broken because its page was renamed or removed."""
    to: str | None
    """The final URL of its redirects, its canonical URL, or the URL of its renamed page. Null if there is none."""
    why: str
    """The reason for this, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesSummary:
    """How much differs, and what the comparison could not detect."""

    added: int
    removed: int
    changed: int
    urls_before: int
    """How many pages the old version lists."""
    urls_after: int
    without_a_date: int
    """Pages without a date in either version. Their changes can't be detected."""
    without_a_time: int
    """Pages with the same day in both versions, one without a time. A second change on that day can't be detected."""
    not_compared: list[str]
    """What was not compared, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The differences between two versions of a site."""

    old: str
    """The directory, file or URL of the old version, as given."""
    new: str
    added: list[str]
    """Pages that only the new version lists."""
    removed: list[str]
    """Pages that only the old version lists."""
    gone: list[JsonGone]
    """What happened to the removed pages. Empty if that is unknown; `summary.not_compared` then gives the reason."""
    changed: list[JsonChange]
    sitemaps: Sitemaps
    summary: ChangesSummary

    @classmethod
    def of(cls, difference: Difference) -> "Changes":
        """Return a difference in its JSON form."""
        return cls(
            old=difference.old,
            new=difference.new,
            added=difference.added,
            removed=difference.removed,
            gone=[JsonGone(url=url, fate=fate, to=to or None, why=why) for url, fate, to, why in difference.gone],
            changed=[
                JsonChange(url=url, from_=before or None, to=after or None, variants=list(variants))
                for url, before, after, variants in difference.changed
            ],
            sitemaps=difference.sitemaps,
            summary=ChangesSummary(
                added=len(difference.added),
                removed=len(difference.removed),
                changed=len(difference.changed),
                urls_before=difference.urls_before,
                urls_after=difference.urls_after,
                without_a_date=difference.undated,
                without_a_time=difference.days,
                not_compared=difference.not_compared,
            ),
        )

    @property
    def notes(self) -> list[str]:
        """What the comparison cannot detect."""
        hidden, summary = [], self.summary
        if summary.without_a_date:
            hidden.append(f"changes of {counted(summary.without_a_date, 'page')} without a date")
        if summary.without_a_time:
            pages = counted(summary.without_a_time, "page")
            hidden.append(f"a second change on the same day of {pages} whose date has no time")
        notes = [f"not detected: {'; '.join(hidden)}"] if hidden else []
        if summary.not_compared:
            notes.append(f"not compared: {masked('; '.join(summary.not_compared))}")
        return notes


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOutput(Changes):
    """The output of `smindex diff --format json`. `smindex announce` reads it."""

    version: Version = 1
    live: Mapping[str, str]
    """For the URL of each index and changed sitemap, a hash of the entries in the new version. `smindex announce` uses
    the hashes to detect when the new version is live."""


def diff_with_project(
    old: str,
    new: str | SiteVersion,
    *,
    site: BuiltSite | None = None,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Difference:
    """Return the differences between two versions of a site, with what its project reveals about removed pages.

    ``site`` is the new version with its project. By default, the project of the directory or file is used.

    Raises:
        OSError: a sitemap cannot be read completely, or the live site does not respond.
        ValueError: a URL is invalid, a file is not a report, or the URL of a directory is unknown.
    """
    path, problem = new if isinstance(new, str) else new.name, ""
    if not (site or is_url(path) or path.endswith(".json")):
        directory = os.path.dirname(path) or "." if os.path.isfile(path) else path
        try:
            site = find_site(directory, site_url=site_url or None)
        except WrongOptionsError as error:
            problem = str(error).replace("\n", " ")
    run = partial(diff, old, new, site_url=site_url, fetcher=fetcher, tell=tell)
    difference = run(project=site.project, why=site.why, renames=partial(renames, site)) if site else run()
    if problem and difference.removed:
        difference.not_compared.append(f"information about removed pages from the project ({problem})")
    return difference


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
        from smindex_plugins.reports.rendering import render  # noqa: PLC0415 - Jinja takes 40 ms to load

        links = {"base": difference.base, "preview": difference.base and preview}
        summary = difference_summary(difference)
        out.write(render("diff.md.j2", summary=summary, sections=sections, notes=changes.notes, **links))
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
    return f"{f'pages: {pages}' if pages else 'no page changed'}; sitemaps: {sitemaps or 'unchanged'}; {total} in all"


def counted_changes(lists: Difference | Sitemaps) -> str:
    """Return how many pages or sitemaps were added, removed and changed, in words."""
    parts = ((lists.added, "added"), (lists.removed, "removed"), (lists.changed, "changed"))
    return ", ".join(f"{len(items):,} {word}" for items, word in parts if items)
