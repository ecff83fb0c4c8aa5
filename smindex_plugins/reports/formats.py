"""How findings are printed: for people, as JSON, as annotations of GitHub Actions, and as SARIF."""

import json
import os
from typing import IO

from smindex_plugins import __version__
from smindex_plugins.checks.registry import CATALOGUE
from smindex_plugins.model import Finding
from smindex_plugins.reports.results import LEVELS, Results
from smindex_plugins.sites.audit import Totals
from smindex_plugins.wording import counted

EXAMPLES = 10
_COLOURS = {"error": "31", "warning": "33", "notice": "36"}
# https://docs.github.com/actions/reference/workflow-commands-for-github-actions
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
_SARIF_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}


def summary(results: Results, totals: Totals) -> dict[str, object]:
    """Count what was checked and what was found."""
    return {
        "errors": results.levels["error"],
        "warnings": results.levels["warning"],
        "notices": results.levels["notice"],
        "indexes": totals.indexes,
        "sitemaps": totals.sitemaps,
        "urls": totals.urls,
        "pages": totals.pages,
        "checks": {check: results.counts[check] for check in results.checks()},
    }


def write_text(results: Results, totals: Totals, out: IO[str], *, show_all: bool, colour: bool) -> None:
    """Print the findings by their checks, worst first, then one line that counts them."""
    write_findings(results, out, show_all=show_all, colour=colour)
    out.write(f"{counted_findings(results)} in {checked(totals)}\n")


def write_findings(results: Results, out: IO[str], *, show_all: bool, colour: bool) -> None:
    """Print the findings by their checks, worst first, each check with a heading."""
    for check in results.checks():
        level, count = results.level(check), results.counts[check]
        heading = f"{level}: {check}"
        out.write(f"\033[1;{_COLOURS[level]}m{heading}\033[0m" if colour else heading)
        console = CATALOGUE[check].console if check in CATALOGUE else ""
        out.write(f" ({counted(count, 'finding')}{f'; Search Console: {console}' if console else ''})\n")
        shown = 0
        for finding in results.of(check, None if show_all else EXAMPLES):
            out.write(f"  {printable(str(finding))}\n")
            shown += 1
        if shown < count:
            out.write(f"  … and {count - shown:,} more; -v shows them\n")
        out.write("\n")


def is_coloured(out: IO[str]) -> bool:
    """Tell whether what is printed may have colours: https://no-color.org ."""
    return out.isatty() and not os.environ.get("NO_COLOR")


def counted_findings(results: Results) -> str:
    """Say how much was found, by level."""
    parts = [counted(results.levels[level], level) for level in LEVELS if results.levels[level]]
    return ", ".join(parts) or "nothing wrong"


def checked(totals: Totals) -> str:
    """Say how much was checked."""
    parts = [counted(totals.sitemaps, "sitemap"), counted(totals.urls, "URL")]
    if totals.indexes:
        parts.insert(0, f"{totals.indexes:,} {'index' if totals.indexes == 1 else 'indexes'}")
    if totals.pages:
        parts.append(counted(totals.pages, "page"))
    return ", ".join(parts)


def write_json(results: Results, totals: Totals, out: IO[str]) -> None:
    """Print one JSON object: its version, every finding, and the summary; written as it goes, for it may be long."""
    out.write('{"version": 1, "findings": [')
    separator = "\n  "
    for finding in results:
        out.write(separator + json.dumps(_fields(finding)))
        separator = ",\n  "
    out.write('\n], "summary": ' + json.dumps(summary(results, totals)) + "}\n")


def _fields(finding: Finding) -> dict[str, str]:
    return {
        "check": finding.check,
        "level": finding.level,
        "where": finding.place,
        "problem": finding.problem,
        "fix": finding.fix,
    }


def write_github(results: Results, totals: Totals, out: IO[str], *, show_all: bool) -> None:
    """Print workflow commands that annotate the files of a pull request."""
    for check in results.checks():
        for finding in results.of(check, None if show_all else EXAMPLES):
            properties = [f"title={_property(check)}"]
            if finding.file:
                properties.insert(0, f"file={_property(os.path.relpath(finding.file))}")
            if finding.line:
                properties.insert(1, f"line={finding.line}")
            out.write(f"::{finding.level} {','.join(properties)}::{_escaped(str(finding), _ESCAPES)}\n")
    out.write(f"{counted_findings(results)} in {checked(totals)}\n")


def _property(text: str) -> str:
    return _escaped(text, _PROPERTY_ESCAPES)


def _escaped(text: str, escapes: dict[int, str]) -> str:
    return text.translate(escapes).encode("utf-8", "backslashreplace").decode()


def write_sarif(results: Results, out: IO[str]) -> None:
    """Print a SARIF 2.1.0 log: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html ."""
    head = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
    }
    driver = {
        "name": "smindex",
        "version": __version__,
        "informationUri": "https://pypi.org/project/smindex-plugins/",
        "rules": [_sarif_rule(check, results) for check in results.checks()],
    }
    out.write(json.dumps(head)[:-1] + f', "runs": [{{"tool": {{"driver": {json.dumps(driver)}}}, "results": [')
    separator = "\n  "
    for finding in results:
        out.write(separator + json.dumps(_sarif_result(finding)))
        separator = ",\n  "
    out.write("\n]}]}\n")


def _sarif_rule(check: str, results: Results) -> dict[str, object]:
    meaning = CATALOGUE[check].meaning if check in CATALOGUE else check
    return {
        "id": check,
        "shortDescription": {"text": meaning},
        "defaultConfiguration": {"level": _SARIF_LEVELS[results.level(check)]},
    }


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
    """Let nothing that a file holds command the terminal."""
    return "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in text)
