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
    name: str, statuses: Sequence[SitemapStatus], form: Literal["text", "json"], out: IO[str]
) -> None:
    """Print the status of an index, which comes first, and of its sitemaps in the given
    property.
    """
    index = statuses[0]
    summary = ConsoleSummary(
        errors=sum(each.errors for each in statuses),
        warnings=sum(each.warnings for each in statuses),
        pending=sum(each.pending for each in statuses),
        unknown=sum(not each.known for each in statuses),
    )
    if form == "json":
        write_object(
            ConsoleOutput(property=name, index=index.url, sitemaps=list(statuses), summary=summary),
            out,
        )
        return
    base, screen = directory(index.url), console(out)
    rows = [
        (
            each.url.removeprefix(base),
            (
                (each.read or "-")[: len("YYYY-MM-DDThh:mm")].replace("T", " ")
                if each.known
                else "never"
            ),
            f"{each.errors:,} / {each.warnings:,}" if each.known else "-",
            "-" if each.urls is None or not each.known else each.urls,
            "-" if each.live_urls is None else each.live_urls,
            _note(each),
        )
        for each in statuses
    ]
    heads = ("sitemap", "last read", "errors / warnings", "URLs", "live", "note")
    write_table(screen, f"{index.url} in {name}", heads, rows)
    counts = f"{counted(summary.errors, 'error')} and {counted(summary.warnings, 'warning')}"
    more = " Run `smindex check` to find problems." if summary.errors or summary.warnings else ""
    write_line(screen, f"Google reports {counts}.{more}")
    if not index.known:
        write_line(
            screen,
            f"Google does not know this index. Submit it: smindex console submit {index.url}",
        )


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
