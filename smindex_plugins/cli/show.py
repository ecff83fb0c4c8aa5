"""The command `smindex show`: what is in the sitemaps of a built directory or a live site."""

import argparse
import sys

from smindex_plugins.cli import arguments, output, scope
from smindex_plugins.cli.progress import Progress
from smindex_plugins.projects import WrongOptionsError
from smindex_plugins.reports import Overview, look, write_report
from smindex_plugins.text import did_you_mean

_EXAMPLES = """\
examples:
  smindex show
  smindex show site --section guide/
  smindex show https://example.org/
  smindex show --format json | jq '.sections[] | {name, pages}'

exit codes: 0 it was shown, 2 the command could not run. `smindex check` is the command that judges.
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `show` with the function that runs it."""
    show = commands.add_parser(
        "show",
        help="show what is in the sitemaps: sections, dates, sizes, and what was left out",
        description="Show what is in the sitemaps of a built site or a live site.",
        usage="%(prog)s [DIRECTORY|URL] [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    show.set_defaults(run=_show)
    add_subject(show.add_argument_group("what to show"))
    arguments.add_waiting(show.add_argument_group("a live site"))
    form = show.add_argument_group("output")
    form.add_argument(
        "--section", metavar="NAME", action="append", default=[], help="show this section alone. Repeatable."
    )
    form.add_argument(
        "--format", choices=("text", "json"), default="text", help="form of the output (default: %(default)s)"
    )


def add_subject(group: arguments.Group) -> None:
    """Add what is looked at, by a command that looks at what `smindex check` checks."""
    group.add_argument(
        "target",
        metavar="DIRECTORY|URL",
        nargs="?",
        help="a built site, the project that builds it, or a live site (default: the project here)",
    )
    arguments.add_place(group)
    group.set_defaults(pages=False, links=False, sources=None, cross_site=[], jobs=None)


def seen(given: argparse.Namespace) -> Overview:
    """Return what the target has."""
    scope.runs(given)
    site = scope.found_site(given)
    checked = scope.subject(given, site)
    with Progress(is_shown=True) as tell:
        return look(checked, site=site, tell=tell)


def _show(given: argparse.Namespace) -> int:
    found = seen(given)
    if unknown := [name for name in given.section if name not in {section.name for section in found.sections}]:
        raise WrongOptionsError(f"--section {name}: {_instead(name, found)}" for name in unknown)
    if given.format == "json":
        output.use_utf8()
    write_report(found, given.format, sys.stdout, sections=given.section)
    return arguments.CLEAN


def _instead(name: str, found: Overview) -> str:
    names = [section.name for section in found.sections]
    nearest = did_you_mean(name, names)
    return f"there is no such section; did you mean {nearest!r}?" if nearest else f"there is none; {names}"
