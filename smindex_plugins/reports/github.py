"""Findings as workflow commands of GitHub Actions, which annotate the files of a pull request."""

from collections.abc import Iterable
from typing import IO

from smindex_plugins.limits import MAX_LINE
from smindex_plugins.model import Finding
from smindex_plugins.reports.names import checkout, shown_path
from smindex_plugins.reports.tally import Tally
from smindex_plugins.reports.text import summary
from smindex_plugins.sites import Totals
from smindex_plugins.text import printable

# https://docs.github.com/actions/reference/workflow-commands-for-github-actions
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def write_github(
    findings: Iterable[Finding], totals: Totals, out: IO[str], *, show_all: bool = False, with_summary: bool = True
) -> Tally:
    """Print workflow commands that annotate the files of a pull request, by the first findings of each check or all."""
    tally = Tally()
    root = checkout()
    for finding in tally.over(findings):
        if show_all:
            out.write(_annotation(finding, root))
    if not show_all:
        out.writelines(_annotation(finding, root) for check in tally.checks() for finding in tally.first[check])
    if with_summary:
        out.write(summary(tally, totals))
    return tally


def _annotation(finding: Finding, root: str) -> str:
    """Return the command for a finding; its file is the source, for what is built is in no repository.

    GitHub shows an annotation beside the lines of a file that the repository has. Any other it shows in the summary of
    the run alone, with a link that leads nowhere; there the message itself says which built file it is about.
    """
    path = shown_path(finding.source, root)
    properties = {"file": "" if path.startswith("/") else path}
    if finding.source == finding.file and finding.line:
        properties["line"] = str(finding.line)
    properties["title"] = finding.check
    given = ",".join(f"{name}={_escaped(text, _PROPERTY_ESCAPES)}" for name, text in properties.items() if text)
    return f"::{finding.level} {given}::{_escaped(str(finding), _ESCAPES)}\n"


def _escaped(text: str, escapes: dict[int, str]) -> str:
    return printable(text.translate(escapes), MAX_LINE)  # the first names a file exactly, the second commands nothing
