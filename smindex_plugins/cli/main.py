"""The command `smindex`: its parts, its help, and its exit codes."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from smindex_plugins import __version__
from smindex_plugins.cli import completion, output
from smindex_plugins.cli.arguments import CANNOT_RUN, CLEAN
from smindex_plugins.projects import WrongOptionsError
from smindex_plugins.text import ExplainedError, printable

_FIRST_STEPS = """\
smindex writes, shows and checks the sitemaps of a static site.

  smindex build                        write the sitemaps of the site that was built here
  smindex show                         show what is in them
  smindex check                        find problems in them
  smindex check https://example.org/   find problems in a live site
  smindex join public                  write one index over several builds
  smindex diff site.before site        say what changed between two versions
  smindex announce changes.json        tell search engines what changed
  smindex pages pages.parquet          write the sitemaps of the pages in a table
  smindex help build                   explain a command and its options
"""
_EXAMPLES = """\
examples:
  smindex build site --site-url https://example.org/
  smindex show site
  smindex check site
  smindex join public
  smindex diff https://example.org/ site
  smindex help check

exit codes: 0 nothing is wrong, 1 there are findings, 2 the command could not run, 130 it was interrupted
"""
_COMMANDS = ("build", "show", "explain", "report", "check", "join", "diff", "announce", "pages", "console")
"""The commands, each of which is added by the module of its name, in the order in which help names them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    output.prepare()
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = _parser(arguments[0] if arguments else "")
    given = parser.parse_args(arguments)
    if given.print_completion:
        return _print_completion(parser, given.print_completion)
    if given.command is None:
        for line in _FIRST_STEPS.splitlines():
            output.say(line)
        return CANNOT_RUN  # for a script that lost its arguments must not go on as if all were well
    try:
        code: int = given.run(given)
        sys.stdout.flush()
    except WrongOptionsError as error:
        for problem in error.problems:
            output.complain(problem)
        return CANNOT_RUN
    except (OSError, ValueError) as error:
        output.complain(printable(_explain(error, given)))
        return CANNOT_RUN
    return code


def _parser(command: str) -> argparse.ArgumentParser:
    """Return a parser that knows this command alone, without loading what only others need, or else all of them."""
    parser = output.Parser(
        prog=_name(),
        description="Write, show and check the sitemaps of a static site.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"smindex {__version__}", help="show the version")
    parser.add_argument(
        "--print-completion", choices=completion.SHELLS, help="print a script that lets this shell complete smindex"
    )
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND")
    for name in [command] if command in _COMMANDS else _COMMANDS:
        import_module(f"smindex_plugins.cli.{name}").add(commands)
    help_command = commands.add_parser("help", help="explain a command", description="Explain smindex or a command.")
    help_command.add_argument("topic", metavar="COMMAND", nargs="?", choices=list(commands.choices))
    help_command.set_defaults(run=lambda given: _help(commands.choices.get(given.topic, parser)))
    return parser


def _name() -> str:
    """Return how the command was called, as its help repeats it."""
    package, name = os.path.split(sys.argv[0])
    is_module = name == "__main__.py" and os.path.basename(package) == "smindex_plugins"
    return "python -m smindex_plugins" if is_module else "smindex"


def _help(parser: argparse.ArgumentParser) -> int:
    parser.print_help()
    return CLEAN


def _print_completion(parser: argparse.ArgumentParser, shell: str) -> int:
    try:
        output.hand_over(completion.script(parser, shell))
    except ImportError:
        output.complain("--print-completion needs shtab: pip install 'smindex-plugins[completion]'")
        return CANNOT_RUN
    return CLEAN


def _explain(error: Exception, given: argparse.Namespace) -> str:
    if isinstance(error, ExplainedError) or not isinstance(error, OSError):
        return f"{error}."
    name = error.filename or getattr(given, "target", None) or "the output"
    if isinstance(error, FileNotFoundError):
        return f"{name}: there is no such file. Build the site first, or name its index with --index-filename."
    return f"{name}: {error.strerror or error}."
