"""What a join wrote and found, as one JSON object."""

from dataclasses import dataclass
from typing import IO

from smindex_plugins.base.difference import Difference
from smindex_plugins.base.model import Finding
from smindex_plugins.joining.root_index import Joined
from smindex_plugins.printing.as_json import FileCounts, Version, as_shown, write_object


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinOutput:
    """The output of `smindex join --format json`."""

    version: Version = 1
    index_urls: list[str]
    """The index, or all indexes if one can't list every sitemap. Empty if nothing was written."""
    builds: int
    sitemaps: int
    """Sitemaps that the index lists."""
    added: list[str]
    """Sitemaps that only the new index lists."""
    removed: list[str]
    """Sitemaps that only the old index lists."""
    changed: list[str]
    """Sitemaps with another date."""
    notes: list[str]
    """What was omitted on purpose, in words."""
    files: FileCounts
    findings: list[Finding]


def write_join(joined: Joined, difference: Difference, out: IO[str]) -> None:
    """Print what a join wrote, what changed in the index, and every finding."""
    report = joined.report
    output = JoinOutput(
        index_urls=report.index_urls,
        builds=joined.builds,
        sitemaps=len(joined.after),
        added=difference.added,
        removed=difference.removed,
        changed=[change.url for change in difference.changed],
        notes=joined.notes,
        files=FileCounts.of(report.changes),
        findings=[as_shown(finding) for finding in report.findings],
    )
    write_object(output, out)
