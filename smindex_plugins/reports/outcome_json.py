"""What a run over a table did as one JSON object, whose form `smindex_plugins/schemas/pages.json` describes."""

import os
from typing import IO, TYPE_CHECKING

from smindex_plugins.reports.json_form import finding_fields, in_json

if TYPE_CHECKING:
    from smindex_plugins.tables import Outcome  # which only one command needs


def write_outcome(outcome: "Outcome", seconds: float, out: IO[str]) -> None:
    """Print one JSON object: its version, the index, the counts, and every finding."""
    here, changes = os.getcwd(), outcome.changes
    summary = {
        "version": 1,
        "index_urls": outcome.index_urls,
        "rows": outcome.rows,
        "pages": outcome.pages,
        "sections": outcome.sections,
        "sitemaps": len(outcome.entries),
        "faults": dict(sorted(outcome.faults.items())),
        "files": {
            "written": len(changes.written),
            "unchanged": len(changes.unchanged),
            "removed": len(changes.removed),
        },
        "seconds": round(seconds, 3),
        "findings": [finding_fields(finding, here) for finding in outcome.findings],
    }
    out.write(f"{in_json(summary)}\n")
