"""Findings as one JSON object, whose form `smindex_plugins/schemas/findings.json` describes."""

import json
import os
from collections.abc import Iterable
from typing import IO

from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.model import Finding
from smindex_plugins.reports.names import shown_path
from smindex_plugins.reports.tally import Tally
from smindex_plugins.sites import Totals
from smindex_plugins.text import printable


def write_json(findings: Iterable[Finding], totals: Totals, out: IO[str]) -> Tally:
    """Print one JSON object: its version, every finding, and the summary."""
    tally = Tally()
    here = os.getcwd()
    write_list('{"version": 1, "findings": [', (finding_fields(finding, here) for finding in tally.over(findings)), out)
    summary = {
        "errors": tally.levels["error"],
        "warnings": tally.levels["warning"],
        "notices": tally.levels["notice"],
        "indexes": totals.indexes,
        "sitemaps": totals.sitemaps,
        "urls": totals.urls,
        "pages": totals.pages,
        "links": totals.links,
        "dates_compared": totals.dates,
        "not_looked_at": list(map(printable, totals.unseen)),
        "checks": {check: tally.counts[check] for check in tally.checks()},
    }
    out.write(f', "summary": {in_json(summary)}}}\n')
    return tally


def finding_fields(finding: Finding, here: str) -> dict[str, str | int | None]:
    """Return a finding as it is printed; what it does not have is null."""
    return {
        "check": finding.check,
        "level": finding.level,
        "where": finding.place,
        "problem": finding.problem,
        "fix": finding.fix,
        "file": shown_path(finding.file, here) or None,
        "line": finding.line or None,
        "url": finding.url or None,
        "source": shown_path(finding.source, here) or None,
        "fix_url": CATALOGUE[finding.check].fix_url,
    }


def in_json(value: object, indent: int | None = None) -> str:
    """Return a value in JSON, in which paths are exact, and no line of a log is a command."""
    return json.dumps(value, indent=indent).replace("##", r"#\u0023")


def write_list(head: str, items: Iterable[object], out: IO[str]) -> None:
    """Print a head and then a list, item by item; nothing before the first, because a run may fail before it."""
    before = f"{head}\n  "
    for item in items:
        out.write(before + in_json(item))
        before = ",\n  "
    out.write(f"{head}\n]" if before.startswith(head) else "\n]")
