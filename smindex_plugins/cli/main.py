"""The command `smindex`: its parts, what they have in common, and its exit codes."""

import argparse
import os
import sys
from collections.abc import Sequence

from smindex_plugins import __version__
from smindex_plugins.cli import build as build_command
from smindex_plugins.cli import check as check_command
from smindex_plugins.cli import join as join_command
from smindex_plugins.cli.arguments import CANNOT_RUN, FOUND
from smindex_plugins.sites import UnreachableError

_EXAMPLES = """\
examples:
  smindex build site --site-url https://example.org/
  smindex check site
  smindex check https://example.org/ --pages
  smindex join public
  smindex checks

exit codes: 0 nothing is wrong, 1 there are findings, 2 the command could not run
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    parser = argparse.ArgumentParser(
        prog="smindex",
        description="Sitemap indexes for static sites.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"smindex {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for part in (build_command, check_command, join_command):
        part.add(commands)
    given = parser.parse_args(arguments)
    if given.command is None:
        parser.print_help()
        return CANNOT_RUN
    try:
        code: int = given.run(given)
    except BrokenPipeError:  # whoever read what is printed has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except (OSError, ValueError) as error:
        print(f"smindex: {_explain(error, given)}", file=sys.stderr)
        return CANNOT_RUN
    except KeyboardInterrupt:
        print("smindex: stopped.", file=sys.stderr)
        return CANNOT_RUN
    return code


def _explain(error: Exception, given: argparse.Namespace) -> str:
    if isinstance(error, UnreachableError) or not isinstance(error, OSError):
        return f"{error}."
    if isinstance(error, FileNotFoundError):
        looked_for = error.filename or given.target
        return f"{looked_for}: there is no such file. Build the site first, or name its index with --index-filename."
    return f"{error.filename or given.target}: {error.strerror or error}."
