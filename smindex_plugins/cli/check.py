"""The command `smindex check`: what is wrong with a built directory, a file, or a live site."""

import argparse
import os
import sys
from collections.abc import Iterator

from smindex_plugins import urls
from smindex_plugins.checks import CATALOGUE, CHECKED, WAIVED_BY_SUBMISSION, Selection
from smindex_plugins.cli import arguments
from smindex_plugins.cli.progress import Progress
from smindex_plugins.model import Finding
from smindex_plugins.projects import configured_address
from smindex_plugins.reports import EXAMPLES, Tally, write_github, write_json, write_sarif, write_text
from smindex_plugins.sitemaps import is_url
from smindex_plugins.sites import Audit, Directory, Live, Totals

_EXAMPLES = """\
examples:
  smindex check site
  smindex check site --site-url https://example.org/docs/
  smindex check site/guide/sitemap.xml
  smindex check https://example.org/ --pages
  smindex check site --format github --fail-on warning

exit codes: 0 nothing is wrong, 1 there are findings at or above --fail-on, 2 the check could not run
"""


def add(commands: arguments.Commands) -> None:
    """Add the commands `check` and `checks`, each with the function that runs it."""
    check = commands.add_parser(
        "check",
        help="find in a site's sitemaps what Search Console would find",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.set_defaults(run=_check)
    arguments.add_target(
        check,
        "DIRECTORY|FILE|URL",
        "the built site as it is uploaded, one of its sitemaps, or a live site",
        "the address of the directory; found in the configuration beside it or in its files if not given",
    )
    check.add_argument(
        "--index-filename", metavar="NAME", help="the index's file name (default: the usual ones are tried)"
    )
    check.add_argument(
        "--sources", metavar="DIRECTORY", help="a git work tree with the pages' sources, to compare dates with history"
    )
    check.add_argument(
        "--submitted",
        action="store_true",
        help="the sitemaps are submitted in Search Console, by an owner of all they list: "
        "what is outside their directory or host is a warning",
    )
    arguments.add_cross_site(check)
    check.add_argument("--pages", action="store_true", help="of a live site, fetch every listed page too")
    for flag, meaning in (("--only", "make this check alone"), ("--ignore", "do not make this check")):
        check.add_argument(
            flag,
            metavar="CHECK",
            action="append",
            type=arguments.read_by(_check_name),
            default=[],
            help=f"{meaning}; can be repeated",
        )
    check.add_argument(
        "--advice", action="store_true", help="make also the checks that find what is true of many good sites"
    )
    arguments.add_fail_on(check)
    check.add_argument(
        "--format",
        choices=("text", "json", "github", "sarif"),
        default="text",
        help="how findings are printed (default: %(default)s)",
    )
    check.add_argument(
        *("-v", "--verbose", "--all"),
        dest="all",
        action="store_true",
        help=f"show all findings of a check, not the first {EXAMPLES}",
    )
    check.add_argument("-q", "--quiet", action="store_true", help="print no text; the exit code tells")
    commands.add_parser("checks", help="list every check with what it means").set_defaults(run=_list_checks)


def _check(given: argparse.Namespace) -> int:
    totals = Totals()
    return int(_write(given, _findings(given, totals), totals).reaches(given.fail_on))


def _findings(given: argparse.Namespace, totals: Totals) -> Iterator[Finding]:
    wanted = given.only or [kind.name for kind in CHECKED.values() if given.advice or not kind.is_advice]
    waived = WAIVED_BY_SUBMISSION if given.submitted else frozenset()
    selection = Selection(frozenset(wanted) - frozenset(given.ignore), waived)
    is_streamed = given.all or given.format != "text"  # and would be mixed with the progress on one terminal
    with Progress(is_shown=not given.quiet and not (is_streamed and sys.stdout.isatty())) as progress:
        audit = Audit(selection=selection, totals=totals, tell=progress)
        yield from _site(given).findings(audit)


def _site(given: argparse.Namespace) -> Directory | Live:
    consents = arguments.consents(given)
    if is_url(given.target):
        return Live(url=urls.normalise(given.target), with_pages=given.pages, consents=consents)
    configured = configured_address(given.target) if os.path.isdir(given.target) else None
    return Directory(
        path=given.target,
        site_url=given.site_url or configured or "",
        index_filename=given.index_filename or "",
        sources=given.sources or "",
        consents=consents,
    )


def _write(given: argparse.Namespace, findings: Iterator[Finding], totals: Totals) -> Tally:
    if given.format == "json":
        return write_json(findings, totals, sys.stdout)
    if given.format == "sarif":
        return write_sarif(findings, sys.stdout)
    if given.format == "github":
        return write_github(findings, totals, sys.stdout, show_all=given.all)
    if given.quiet:
        return Tally(findings)
    return write_text(findings, totals, sys.stdout, show_all=given.all)


def _list_checks(_: argparse.Namespace) -> int:
    for kind in CATALOGUE.values():
        who = " (--advice)" if kind.is_advice else "" if kind.name in CHECKED else " (build, join)"
        console = f" Search Console: {kind.console}." if kind.console else ""
        print(f"{kind.name} [{kind.level}{who}]\n    {kind.meaning}{console}\n    {kind.fix}")
    return 0


def _check_name(given: str) -> str:
    if given not in CHECKED:
        message = f"there is no check {given!r}; `smindex checks` lists them"
        raise ValueError(message)
    return given
