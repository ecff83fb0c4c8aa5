"""Findings as a SARIF 2.1.0 log: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html ."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO

from smindex_plugins import __version__, home
from smindex_plugins.catalogue import CATALOGUE, Kind
from smindex_plugins.limits import MAX_LINE
from smindex_plugins.model import Finding
from smindex_plugins.reports import names
from smindex_plugins.reports.json_form import in_json, write_list
from smindex_plugins.reports.tally import Tally
from smindex_plugins.sites import Totals
from smindex_plugins.text import printable

_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}
_BASE = "%SRCROOT%"
"""What paths are relative to, by the name that GitHub and others know."""
_SCHEME = re.compile(r"^https?://")


def write_sarif(findings: Iterable[Finding], totals: Totals, out: IO[str]) -> Tally:
    """Print a log of one run; its rules come last, when it is known which there are."""
    tally = Tally()
    head = '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"results": ['
    write_list(head, _results(tally.over(findings)), out)
    driver = {
        "name": "smindex",
        "version": __version__,
        "informationUri": home.MANUAL,
        "rules": [_rule(CATALOGUE[check]) for check in tally.counts],
    }
    unseen = [{"level": "note", "message": _message(f"not looked at: {each}")} for each in totals.unseen]
    rest = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": unseen}],
        "originalUriBaseIds": {_BASE: {"description": {"text": "The root of the checkout, or where the command ran."}}},
    }
    out.write(f", {in_json(rest)[1:-1]}}}]}}\n")
    return tally


def _rule(kind: Kind) -> dict[str, object]:
    console = f" Search Console calls it: {kind.console}." if kind.console else ""
    return {
        "id": kind.name,
        "name": kind.name.title().replace("-", ""),
        "shortDescription": {"text": kind.rule},
        "fullDescription": {"text": kind.rule + console},
        "help": {
            "text": f"{kind.fix}{console} {kind.fix_url}",
            "markdown": f"{kind.fix}{console} [What it means]({kind.fix_url})",
        },
        "helpUri": kind.fix_url,
        "defaultConfiguration": {"level": _LEVELS[kind.level]},
    }


def _results(findings: Iterable[Finding]) -> Iterator[dict[str, object]]:
    root = names.checkout()
    seen: Counter[str] = Counter()
    indices: dict[str, int] = {}
    for finding in findings:
        same = _fingerprint(finding)
        seen[same] += 1
        yield {
            "ruleId": finding.check,
            "ruleIndex": indices.setdefault(finding.check, len(indices)),
            "level": _LEVELS[finding.level],
            "message": _message(f"{finding.place}: {finding.problem} {finding.fix}"),
            "partialFingerprints": {"smindex/v1": f"{same}:{seen[same]}"},
            **_locations(finding, root),
        }


def _message(text: str) -> dict[str, str]:
    return {"text": printable(text, MAX_LINE)}


def _fingerprint(finding: Finding) -> str:
    """Return what is the same of a finding in every run, on every machine, and wherever in its file it stands.

    `primaryLocationLineHash`, the only one that GitHub's own upload asks for, is left for that to make: it warns of
    every one that it finds.
    """
    about = (finding.check, finding.where, finding.url or finding.problem)
    return hashlib.sha256("\0".join(about).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _locations(finding: Finding, root: str) -> dict[str, list[dict[str, object]]]:
    """Return where it is: the source, if that is known, and beside it the built file."""
    is_built = finding.source not in {"", finding.file}
    built = {"physicalLocation": _physical(_file(finding, root), finding.line)}
    first: dict[str, object] = (
        {"physicalLocation": _physical(_artifact(finding.source, root), 0)} if is_built else {**built}
    )
    if finding.url:
        first["logicalLocations"] = [{"fullyQualifiedName": finding.url, "kind": "resource"}]
    related = [{"id": 1, "message": _message(finding.place), **built}]
    return {"locations": [first], "relatedLocations": related} if is_built else {"locations": [first]}


def _physical(artifact: dict[str, str], line: int) -> dict[str, object]:
    """Return a place, which for GitHub is none without a line."""
    return {"artifactLocation": artifact, "region": {"startLine": line or 1}}


def _file(finding: Finding, root: str) -> dict[str, str]:
    """Return the checked file, or what is on the web as if it were one: GitHub refuses a log with a URL for a place."""
    return _artifact(finding.file, root) if finding.file else {"uri": names.quoted(_SCHEME.sub("", finding.where))}


def _artifact(path: str, root: str) -> dict[str, str]:
    uri = names.uri(path, root)
    return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": _BASE}
