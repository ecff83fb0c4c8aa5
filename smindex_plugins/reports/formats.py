"""How findings are printed: for people, as JSON, as annotations of GitHub Actions, and as SARIF.

Findings are printed as they come, and none is kept that need not be.
"""

import json
import os
from collections.abc import Iterable
from typing import IO

from smindex_plugins import __version__
from smindex_plugins.checks import CATALOGUE
from smindex_plugins.model import Finding
from smindex_plugins.reports.tally import LEVELS, Tally
from smindex_plugins.sites import Totals
from smindex_plugins.wording import counted

_COLOURS = {"error": "31", "warning": "33", "notice": "36"}
# https://docs.github.com/actions/reference/workflow-commands-for-github-actions
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
_SARIF_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}


def write_text(findings: Iterable[Finding], totals: Totals, out: IO[str], *, show_all: bool = False) -> Tally:
    """Print the findings, then one line that counts them."""
    tally = write_findings(findings, out, show_all=show_all)
    out.write(f"{counted_findings(tally)} in {checked(totals)}\n")
    return tally


def write_findings(findings: Iterable[Finding], out: IO[str], *, show_all: bool) -> Tally:
    """Print the first findings of each check under its heading, worst first; or all as they come, then the headings."""
    tally = Tally()
    for finding in tally.over(findings):
        if show_all:
            out.write(f"{_painted(finding.level, finding.level, out)}: {printable(str(finding))}\n")
    if show_all and tally.counts:
        out.write("\n")
    for check in tally.checks():
        level, count = tally.level(check), tally.counts[check]
        console = CATALOGUE[check].console
        out.write(_painted(f"{level}: {check}", level, out))
        out.write(f" ({counted(count, 'finding')}{f'; Search Console: {console}' if console else ''})\n")
        if not show_all:
            out.writelines(f"  {printable(str(finding))}\n" for finding in tally.first[check])
            more = count - len(tally.first[check])
            out.write(f"  … and {more:,} more; -v shows them\n\n" if more else "\n")
    return tally


def _painted(text: str, level: str, out: IO[str]) -> str:
    is_coloured = out.isatty() and not os.environ.get("NO_COLOR")  # https://no-color.org
    return f"\033[1;{_COLOURS[level]}m{text}\033[0m" if is_coloured else text


def counted_findings(tally: Tally) -> str:
    """Return how much was found, by level, in words."""
    parts = [counted(tally.levels[level], level) for level in LEVELS if tally.levels[level]]
    return ", ".join(parts) or "nothing wrong"


def checked(totals: Totals) -> str:
    """Return how much was checked, in words."""
    parts = [counted(totals.sitemaps, "sitemap"), counted(totals.urls, "URL")]
    if totals.indexes:
        parts.insert(0, f"{totals.indexes:,} {'index' if totals.indexes == 1 else 'indexes'}")
    if totals.pages:
        parts.append(counted(totals.pages, "page"))
    return ", ".join(parts)


def write_json(findings: Iterable[Finding], totals: Totals, out: IO[str]) -> Tally:
    """Print one JSON object: its version, every finding, and the summary."""
    tally = Tally()
    fields = (
        {"check": each.check, "level": each.level, "where": each.place, "problem": each.problem, "fix": each.fix}
        for each in tally.over(findings)
    )
    _write_list('{"version": 1, "findings": [', fields, out)
    summary = {
        "errors": tally.levels["error"],
        "warnings": tally.levels["warning"],
        "notices": tally.levels["notice"],
        "indexes": totals.indexes,
        "sitemaps": totals.sitemaps,
        "urls": totals.urls,
        "pages": totals.pages,
        "checks": {check: tally.counts[check] for check in tally.checks()},
    }
    out.write(f', "summary": {json.dumps(summary)}}}\n')
    return tally


def _write_list(head: str, items: Iterable[object], out: IO[str]) -> None:
    """Print a head and then a list, item by item; nothing before the first, because a run may fail before it."""
    before = f"{head}\n  "
    for item in items:
        out.write(before + json.dumps(item))
        before = ",\n  "
    out.write(f"{head}\n]" if before.startswith(head) else "\n]")


def write_github(findings: Iterable[Finding], totals: Totals, out: IO[str], *, show_all: bool = False) -> Tally:
    """Print workflow commands that annotate the files of a pull request, by the first findings of each check or all."""
    tally = Tally()
    for finding in tally.over(findings):
        if show_all:
            out.write(_annotation(finding))
    if not show_all:
        out.writelines(_annotation(finding) for check in tally.checks() for finding in tally.first[check])
    out.write(f"{counted_findings(tally)} in {checked(totals)}\n")
    return tally


def _annotation(finding: Finding) -> str:
    properties = {"file": os.path.relpath(finding.file) if finding.file else "", "line": str(finding.line or "")}
    properties["title"] = finding.check
    given = ",".join(f"{name}={_escaped(text, _PROPERTY_ESCAPES)}" for name, text in properties.items() if text)
    return f"::{finding.level} {given}::{_escaped(str(finding), _ESCAPES)}\n"


def _escaped(text: str, escapes: dict[int, str]) -> str:
    return text.translate(escapes).encode("utf-8", "backslashreplace").decode()


def write_sarif(findings: Iterable[Finding], out: IO[str]) -> Tally:
    """Print a SARIF 2.1.0 log: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html ."""
    tally = Tally()
    head = '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"results": ['
    _write_list(head, map(_sarif_result, tally.over(findings)), out)
    driver = {
        "name": "smindex",
        "version": __version__,
        "informationUri": "https://pypi.org/project/smindex-plugins/",
        "rules": [
            {
                "id": check,
                "shortDescription": {"text": CATALOGUE[check].meaning},
                "defaultConfiguration": {"level": _SARIF_LEVELS[tally.level(check)]},
            }
            for check in tally.checks()
        ],
    }
    out.write(f', "tool": {{"driver": {json.dumps(driver)}}}}}]}}\n')
    return tally


def _sarif_result(finding: Finding) -> dict[str, object]:
    uri = os.path.relpath(finding.file).replace(os.sep, "/") if finding.file else finding.where
    location: dict[str, object] = {"artifactLocation": {"uri": uri}}
    if finding.line:
        location["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.check,
        "level": _SARIF_LEVELS[finding.level],
        "message": {"text": f"{finding.problem} {finding.fix}"},
        "locations": [{"physicalLocation": location}],
    }


def printable(text: str) -> str:
    """Return a text in which nothing that a file holds commands the terminal."""
    return "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in text)
