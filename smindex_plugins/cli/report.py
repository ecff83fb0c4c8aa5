"""The command `smindex report`: one page that shows all of a site's sitemaps, to look at, to keep, to hand on."""

import argparse
import sys
from collections.abc import Callable
from functools import partial

from smindex_plugins.cli import arguments, output, scope, show
from smindex_plugins.cli.progress import Progress
from smindex_plugins.files import save
from smindex_plugins.projects import WrongOptionsError
from smindex_plugins.reports import REPORT_FORMS, Overview, look, report_form, write_report
from smindex_plugins.sitemaps import is_url
from smindex_plugins.text import counted

_EXAMPLES = """\
examples:
  smindex report -o report.html
  smindex report site -o report.html -o report.json
  smindex report https://example.org/ -o report.html
  smindex report --since https://example.org/ -o report.md
  smindex report --since last-week.json --format markdown >> "$GITHUB_STEP_SUMMARY"

exit codes: 0 the report was written, 2 the command could not run. `smindex check` is the command that judges.
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `report` with the function that runs it."""
    parser = commands.add_parser(
        "report",
        help="write a page with pictures of all that the sitemaps hold",
        description="Write a report of the sitemaps of a built site or a live site.",
        usage="%(prog)s [DIRECTORY|URL] -o FILE [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parser.set_defaults(run=_report)
    read = parser.add_argument_group("what to report")
    show.add_subject(read)
    read.add_argument(
        "--since",
        metavar="FILE|DIRECTORY|URL",
        default="",
        help="also say what changed since then: an earlier report.json, an earlier build, or the live site",
    )
    arguments.add_waiting(parser.add_argument_group("a live site"))
    written = parser.add_argument_group("output")
    written.add_argument(
        *("-o", "--output"),
        metavar="FILE",
        action="append",
        default=[],
        help="write the report to a file. Without --format, its name says the form: .html, .md or .json. Repeatable.",
    )
    written.add_argument("--format", choices=REPORT_FORMS, help="form of the report; without -o, it is printed")


def _report(given: argparse.Namespace) -> int:
    forms = [given.format or report_form(name) for name in given.output]
    problems = [
        f"-o {name}: the name ends in neither .html, .md nor .json. Rename it, or add --format."
        for name, form in zip(given.output, forms, strict=True)
        if not form
    ]
    if not given.output and not given.format:
        problems.append("name the file of the report: -o report.html")
    if problems:
        raise WrongOptionsError(problems)
    with Progress(is_shown=True) as tell:
        seen = _seen(given, tell)
    for name, form in zip(given.output, forms, strict=True):
        save(name, partial(write_report, seen, form or "html"))
        output.say(f"{name}: {counted(seen.summary.pages, 'page')} in {counted(seen.summary.sections, 'section')}")
    if not given.output:
        output.use_utf8()
        write_report(seen, given.format, sys.stdout)
    return arguments.CLEAN


def _seen(given: argparse.Namespace, tell: Callable[[str], None]) -> Overview:
    scope.runs(given)
    site = scope.found_site(given)
    checked = scope.subject(given, site)
    if given.since:
        arguments.refuse_missing(given.since)
    fetcher = arguments.fetcher(given) if is_url(given.since) else None
    return look(checked, since=given.since, site=site, fetcher=fetcher, tell=tell)
