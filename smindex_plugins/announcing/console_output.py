"""What Search Console knows about an index and its sitemaps, next to the live files, as a table and
as JSON.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Literal

from smindex_plugins.announcing.console import SitemapStatus
from smindex_plugins.base.text import counted
from smindex_plugins.base.urls import directory
from smindex_plugins.printing.as_json import Version, write_object
from smindex_plugins.printing.terminal import console, write_line, write_table


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSummary:
    """All sitemaps together."""

    errors: int
    warnings: int
    pending: int
    """Files that Google has not processed yet."""
    unknown: int
    """Live files that Google does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleOutput:
    """The output of `smindex console status --format json`."""

    version: Version = 1
    property: str
    """The name of the property in Search Console."""
    index: str
    sitemaps: list[SitemapStatus]
    """The index, then its sitemaps."""
    summary: ConsoleSummary


def write_console(
    name: str,
    statuses: Sequence[SitemapStatus],
    form: Literal["text", "json"],
    out: IO[str],
) -> None:
    """Print the status of an index, which comes first, and of its sitemaps in the given
    property.
    """
    index = statuses[0]
    summary = ConsoleSummary(
        errors=sum(status.errors for status in statuses),
        warnings=sum(status.warnings for status in statuses),
        pending=sum(status.pending for status in statuses),
        unknown=sum(not status.known for status in statuses),
    )
    if form == "json":
        sitemaps = list(statuses)
        output = ConsoleOutput(property=name, index=index.url, sitemaps=sitemaps, summary=summary)
        write_object(output, out)
        return
    base = directory(index.url)
    screen = console(out)
    rows = [(status.url.removeprefix(base), *_cells(status)) for status in statuses]
    heads = ("sitemap", "last read", "errors / warnings", "URLs", "live", "note")
    write_table(screen, f"{index.url} in {name}", heads, rows)
    errors = counted(summary.errors, "error")
    warnings = counted(summary.warnings, "warning")
    message = f"Google reports {errors} and {warnings}."
    if summary.errors or summary.warnings:
        message += " Run `smindex check` to find problems."
    write_line(screen, message)
    if not index.known:
        fix = f"Submit it: smindex console submit {index.url}"
        write_line(screen, f"Google does not know this index. {fix}")


def _cells(status: SitemapStatus) -> tuple[str | int, ...]:
    """Return what the table shows about a sitemap, after its name."""
    live_urls = _number(status.live_urls)
    note = _note(status)
    if not status.known:
        return "never", "-", "-", live_urls, note
    last_read = "-"
    if status.read:
        last_read = status.read[: len("YYYY-MM-DDThh:mm")].replace("T", " ")
    problems = f"{status.errors:,} / {status.warnings:,}"
    return last_read, problems, _number(status.urls), live_urls, note


def _number(urls: int | None) -> str | int:
    return "-" if urls is None else urls


def _note(status: SitemapStatus) -> str:
    if status.note:
        return status.note
    if not status.known:
        return "unknown to Google"
    if status.live_urls is None:
        return "not in the live index"
    if status.urls is not None and status.urls != status.live_urls:
        return "Google read a different number"
    return "pending" if status.pending else ""
