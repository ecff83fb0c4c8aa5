"""How findings are printed for people: grouped by check, the worst first, and counted in one line."""

from collections.abc import Iterable
from typing import IO

from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.limits import MAX_LINE
from smindex_plugins.model import Finding
from smindex_plugins.reports.tally import LEVELS, Tally
from smindex_plugins.reports.terminal import COLOURS, painted
from smindex_plugins.sites import Totals
from smindex_plugins.text import counted, listed, printable


def write_text(findings: Iterable[Finding], totals: Totals, out: IO[str], *, show_all: bool = False) -> Tally:
    """Print the findings, then a line that counts them, and one about what was not looked at."""
    tally = write_findings(findings, out, show_all=show_all)
    out.write(summary(tally, totals))
    return tally


def write_findings(findings: Iterable[Finding], out: IO[str], *, show_all: bool) -> Tally:
    """Print the first findings of each check under its heading, worst first; or all as they come, then the headings."""
    tally = Tally()
    for finding in tally.over(findings):
        if show_all:
            out.write(f"{painted(finding.level, COLOURS[finding.level], out)}: {printable(str(finding), MAX_LINE)}\n")
    if show_all and tally.counts:
        out.write("\n")
    for check in tally.checks():
        level, count = tally.level(check), tally.counts[check]
        console = CATALOGUE[check].console
        out.write(painted(f"{level}: ", COLOURS[level], out))
        out.write(painted(check, COLOURS[level], out, CATALOGUE[check].fix_url))
        out.write(f" ({counted(count, 'finding')}{f'; Search Console: {console}' if console else ''})\n")
        if not show_all:
            out.writelines(f"  {printable(str(finding), MAX_LINE)}\n" for finding in tally.first[check])
            more = count - len(tally.first[check])
            out.write(f"  … and {more:,} more; -v shows them\n\n" if more else "\n")
    return tally


def summary(tally: Tally, totals: Totals) -> str:
    """Return the line that says what was found, and in how much, and one about what was not looked at."""
    unseen = f"not looked at: {printable('; '.join(totals.unseen), MAX_LINE)}\n" if totals.unseen else ""
    return f"{counted_findings(tally)} in {checked(totals)}\n{unseen}"


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
    if totals.links is not None:
        parts.append(counted(totals.links, "link"))
    if totals.dates is not None:
        why = f" ({listed(totals.uncompared)})" if totals.uncompared else ""
        parts.append(
            f"dates of {totals.dates:,} of {counted(totals.dates + totals.uncompared.total(), 'page')} compared{why}"
        )
    return ", ".join(parts)
