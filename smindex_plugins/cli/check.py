"""The command `smindex check`: what is wrong with a built directory, a file, or a live site."""

import argparse
import os
import sys
from collections.abc import Iterator

from smindex_plugins.catalogue import CATALOGUE, CHECKED
from smindex_plugins.cli import arguments, output, scope
from smindex_plugins.cli.progress import Progress
from smindex_plugins.model import Finding
from smindex_plugins.projects import BuiltSite, located
from smindex_plugins.reports import EXAMPLES, Tally, write_github, write_json, write_text
from smindex_plugins.sitemaps import is_url
from smindex_plugins.sites import Audit, Directory, Live, Totals
from smindex_plugins.web import AT_ONCE

_EXAMPLES = """\
examples:
  smindex check
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
        help="find problems in sitemaps before Search Console does",
        description="Find problems in the sitemaps of a built site or a live site.",
        usage="%(prog)s [DIRECTORY|FILE|URL] [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    check.set_defaults(run=_check)
    _add_subject(check.add_argument_group("what to check"))
    live = check.add_argument_group("a live site")
    live.add_argument("--pages", action="store_true", help="also fetch every listed page")
    live.add_argument(
        "--jobs",
        metavar="N",
        type=arguments.read_by(arguments.jobs),
        help=f"requests for pages at the same time (default: {AT_ONCE})",
    )
    arguments.add_waiting(live)
    _add_selection(check.add_argument_group("which checks"))
    _add_output(check.add_argument_group("output"))
    checks = commands.add_parser(
        "checks",
        help="explain every check and message",
        description="Explain every check and message: its name, its level, the rule, and the fix.",
        epilog="example:\n  smindex checks | grep -A 2 outside-scope\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    checks.set_defaults(run=_list_checks)


def _add_subject(group: arguments.Group) -> None:
    group.add_argument(
        "target",
        metavar="DIRECTORY|FILE|URL",
        nargs="?",
        help="a built site, the project that builds it, one sitemap, or a live site (default: the project here)",
    )
    arguments.add_place(group)
    group.add_argument(
        "--sources",
        metavar="DIRECTORY",
        help="compare dates with git: DIRECTORY is a git work tree with the sources of the pages",
    )
    group.add_argument(
        "--links",
        action="store_true",
        help="read the links of listed pages too, and find listed pages without a link, and linked pages that are not "
        "listed. This takes longer.",
    )


def _add_selection(group: arguments.Group) -> None:
    for flag, meaning in (("--only", "run only this check"), ("--ignore", "do not run this check")):
        group.add_argument(
            flag,
            metavar="CHECK",
            action="append",
            type=arguments.read_by(scope.check_name),
            default=[],
            help=f"{meaning}. Repeatable.",
        )
    group.add_argument(
        "--submitted",
        action="store_true",
        help="use this if you submit the sitemaps in Search Console as verified owner of every listed host. Google "
        "then allows URLs outside the sitemap's directory, so these become warnings.",
    )
    arguments.add_cross_site(group)


def _add_output(group: arguments.Group) -> None:
    group.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="form of the output (default: %(default)s)",
    )
    arguments.add_fail_on(group)
    much = group.add_mutually_exclusive_group()
    much.add_argument(
        *("-v", "--verbose", "--all"),
        dest="all",
        action="store_true",
        help=f"show all findings of a check, not only the first {EXAMPLES}",
    )
    much.add_argument(
        *("-q", "--quiet"),
        action="store_true",
        help="print no text; the exit code shows the result (other formats are still printed)",
    )


def _check(given: argparse.Namespace) -> int:
    made_of = scope.runs(given)
    site = scope.found_site(given)
    totals = Totals(unseen=scope.unseen(given, made_of))
    audit = Audit(selection=scope.selection(given, made_of), totals=totals)
    checked = scope.subject(given, site, given.jobs or AT_ONCE)
    if site and given.format == "text" and not given.quiet and not _is_named(given.target, site):
        output.say(f"site: {os.path.relpath(site.directory)} ({site.directory_from})")
    return int(_write(given, _findings(given, site, checked, audit), totals).reaches(given.fail_on))


def _is_named(target: str | None, site: BuiltSite) -> bool:
    return target is not None and os.path.realpath(target) == os.path.realpath(site.directory)


def _findings(
    given: argparse.Namespace, site: BuiltSite | None, checked: Directory | Live, audit: Audit
) -> Iterator[Finding]:
    is_streamed = given.all or given.format != "text"  # and would be mixed with the progress on one terminal
    is_shown = not given.quiet and not (is_streamed and sys.stdout.isatty())
    with Progress(is_shown=is_shown) as audit.tell:
        found = checked.findings(audit)
        is_plain = given.format == "text" or is_url(given.target or "")  # to look for sources takes time
        yield from found if is_plain else located(found, site or given.target)


def _write(given: argparse.Namespace, findings: Iterator[Finding], totals: Totals) -> Tally:
    if given.format != "text":
        output.use_utf8()
    if given.format == "json":
        return write_json(findings, totals, sys.stdout)
    if given.format == "github":
        return write_github(findings, totals, sys.stdout, show_all=given.all, with_summary=not given.quiet)
    if given.quiet:
        return Tally(findings)
    return write_text(findings, totals, sys.stdout, show_all=given.all)


def _list_checks(_: argparse.Namespace) -> int:
    for kind in CATALOGUE.values():
        who = "" if kind.name in CHECKED else " (build, join)"
        console = f" Search Console: {kind.console}." if kind.console else ""
        for line in (f"{kind.name} [{kind.level}{who}]", f"    {kind.rule}{console}", f"    {kind.fix}"):
            output.say(line)
    return 0
