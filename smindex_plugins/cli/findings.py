"""Findings as text, as JSON, and as GitHub annotations."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.base.limits import MAX_LINE
from smindex_plugins.base.model import LEVELS, Finding
from smindex_plugins.base.text import counted, listed, printable
from smindex_plugins.checks.tally import Tally
from smindex_plugins.printing.as_json import Version, as_shown, path_from, write_object
from smindex_plugins.printing.terminal import COLOURS, console, write_line
from smindex_plugins.printing.words import more
from smindex_plugins.reading.walking import Totals

if TYPE_CHECKING:
    from rich.console import Console

# https://docs.github.com/actions/reference/workflow-commands-for-github-actions
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def write_findings(findings: Iterable[Finding], screen: "Console", *, show_all: bool) -> Tally:
    """Print examples of each check under its heading, worst first, or all findings in order, then
    the headings.
    """
    tally = Tally()
    for finding in tally.over(findings):
        if show_all:
            write_line(screen, (f"{finding.level}: ", COLOURS[finding.level]), str(finding))
    if show_all and tally.counts:
        write_line(screen)
    for check in tally.checks:
        _write_check(check, tally, screen, with_examples=not show_all)
    if tally.counts:
        write_line(
            screen,
            f"For an explanation with an example: smindex explain {next(iter(tally.checks))}",
        )
    return tally


def _write_check(check: str, tally: Tally, screen: "Console", *, with_examples: bool) -> None:
    level, kind, count = tally.level(check), CATALOGUE[check], tally.counts[check]
    number = f", {counted(count, 'finding')}" if count > 1 else ""
    name = f" ({check}){number}{kind.console and f'; Search Console: {kind.console}'}"
    write_line(screen, (f"{level}: {kind.title}", COLOURS[level]), name)
    if not with_examples:
        return
    for fix in dict.fromkeys(finding.fix for finding in tally.first[check]):
        examples = [finding for finding in tally.first[check] if finding.fix == fix]
        for finding in examples:
            write_line(screen, f"  {finding.place}: {finding.problem}")
        if hidden := more(tally.causes[check, fix] - len(examples)):
            write_line(screen, f"  {hidden}; -v shows them")
        write_line(screen, "  ", ("fix: ", "dim"), fix)
        count -= tally.causes[check, fix]
    if count:
        write_line(screen, f"  {more(count)} with other fixes; -v shows them")
    write_line(screen)


def write_text(
    findings: Iterable[Finding], totals: Totals, screen: "Console", *, show_all: bool = False
) -> Tally:
    """Print the findings, their number, what was checked, and what was not."""
    tally = write_findings(findings, screen, show_all=show_all)
    _write_summary(tally, totals, screen)
    return tally


def write_github(
    findings: Iterable[Finding],
    totals: Totals,
    out: IO[str],
    *,
    show_all: bool = False,
    with_summary: bool = True,
) -> Tally:
    """Print workflow commands that annotate the files of a pull request, with examples of each
    check or all findings.

    GitHub shows annotations next to the lines of files in the repository, so an annotation refers
    to the source. Other annotations appear only in the summary of the run, and their messages
    contain the file.
    """
    tally, here = Tally(), os.getcwd()
    workspace = os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or here)
    checkout = here if os.path.isabs(path_from(workspace, here)) else workspace

    def annotate(finding: Finding) -> None:
        path = path_from(checkout, finding.source) if finding.source else ""
        line = str(finding.line) if finding.source == finding.file and finding.line else ""
        properties = {
            "file": "" if os.path.isabs(path) else path,
            "line": line,
            "title": finding.check,
        }
        given = []
        for name, text in properties.items():
            if text:
                given.append(f"{name}={_escaped(text, _PROPERTY_ESCAPES)}")
        message = _escaped(str(finding), _ESCAPES)
        out.write(f"::{finding.level} {','.join(given)}::{message}\n")

    for finding in tally.over(findings):
        if show_all:
            annotate(finding)
    if not show_all:
        for check in tally.checks:
            for finding in tally.first[check]:
                annotate(finding)
    if with_summary:
        _write_summary(tally, totals, console(out))
    return tally


def _escaped(text: str, escapes: dict[int, str]) -> str:
    # first exact file names, then no workflow commands
    return printable(text.translate(escapes), MAX_LINE)


def _write_summary(tally: Tally, totals: Totals, screen: "Console") -> None:
    undated = f" ({totals.undated:,} without a date)" if totals.undated else ""
    parts = [counted(totals.sitemaps, "sitemap"), counted(totals.urls, "URL") + undated]
    if totals.indexes:
        parts.insert(0, f"{totals.indexes:,} {'index' if totals.indexes == 1 else 'indexes'}")
    if totals.pages:
        parts.append(counted(totals.pages, "page"))
    if totals.required is not None:
        parts.append(counted(totals.required, "required URL"))
    if totals.links is not None:
        parts.append(counted(totals.links, "link"))
    if totals.dates is not None:
        pages = counted(totals.dates + totals.uncompared.total(), "page")
        why = f" ({listed(totals.uncompared)})" if totals.uncompared else ""
        parts.append(f"compared dates of {totals.dates:,} of {pages}{why}")
    write_line(screen, f"{counted_findings(tally)} in {', '.join(parts)}")
    if totals.unseen:
        write_line(screen, f"not checked: {'; '.join(totals.unseen)}")


def counted_findings(tally: Tally) -> str:
    """Return the number of findings by level, in words."""
    parts = []
    for level in LEVELS:
        number = tally.levels[level]
        if number:
            parts.append(counted(number, level))
    return ", ".join(parts) or "nothing wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsSummary:
    """What was found, and how much was checked."""

    errors: int
    warnings: int
    notices: int
    indexes: int
    sitemaps: int
    urls: int
    """URLs that the sitemaps list."""
    undated: int
    """URLs without a date."""
    pages: int
    """Listed pages whose file or response was checked."""
    required: int | None
    """Required URLs that were looked for. Null without `--require`."""
    links: int | None
    """Links from listed pages to other pages of the site. Null if they were not read."""
    dates_compared: int | None
    """Dates that were compared with git. Null without `--dates`."""
    not_checked: list[str]
    """What was not checked, in words."""
    checks: dict[str, int]
    """Findings by check, the worst checks first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The output of `smindex check --format json`."""

    version: Version = 1
    findings: list[Finding]
    summary: FindingsSummary


def write_json(findings: Iterable[Finding], totals: Totals, out: IO[str]) -> Tally:
    """Print all findings and their summary as one JSON object."""
    tally = Tally()
    found = [as_shown(finding) for finding in tally.over(findings)]
    summary = FindingsSummary(
        **tally.summary(totals.unseen),
        indexes=totals.indexes,
        sitemaps=totals.sitemaps,
        urls=totals.urls,
        undated=totals.undated,
        pages=totals.pages,
        required=totals.required,
        links=totals.links,
        dates_compared=totals.dates,
    )
    write_object(Findings(findings=found, summary=summary), out)
    return tally
