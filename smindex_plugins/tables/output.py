"""The outcome of a run over a table as one JSON object."""

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from smindex_plugins.base.model import Finding
from smindex_plugins.printing.as_json import FileCounts, Version, as_shown, write_object

if TYPE_CHECKING:
    from smindex_plugins.tables.outcome import TableOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesOutput:
    """The output of `smindex pages --format json`."""

    version: Version = 1
    index_urls: list[str]
    """The index, or all indexes if one can't list every sitemap. Empty if nothing was written."""
    rows: int
    """Rows of the table."""
    pages: int
    """Pages that the sitemaps list."""
    sections: int
    sitemaps: int
    faults: dict[str, int]
    """How many rows have each fault, whether listed or not."""
    files: FileCounts
    seconds: float
    findings: list[Finding]


def write_outcome(outcome: "TableOutcome", seconds: float, out: IO[str]) -> None:
    """Print the outcome: the index, the counts, and every finding."""
    output = PagesOutput(
        index_urls=list(outcome.index_urls),
        rows=outcome.rows,
        pages=outcome.pages,
        sections=outcome.sections,
        sitemaps=len(outcome.entries),
        faults=dict(sorted(outcome.faults.items())),
        files=FileCounts.of(outcome.changes),
        seconds=round(seconds, 3),
        findings=[as_shown(finding) for finding in outcome.findings],
    )
    write_object(output, out)
