"""What people and machines read of a run: its findings as text, JSON, annotations and SARIF."""

from smindex_plugins.report import EXAMPLES
from smindex_plugins.reports.formats import (
    counted_findings,
    printable,
    write_findings,
    write_github,
    write_json,
    write_sarif,
    write_text,
)
from smindex_plugins.reports.tally import LEVELS, Tally

__all__ = [
    "EXAMPLES",
    "LEVELS",
    "Tally",
    "counted_findings",
    "printable",
    "write_findings",
    "write_github",
    "write_json",
    "write_sarif",
    "write_text",
]
