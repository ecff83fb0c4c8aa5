"""The command `smindex`: checks the sitemaps of a built site."""

import argparse
import os
import sys
from collections.abc import Sequence

from smindex_plugins import __version__, checks, output, urls
from smindex_plugins.protocol import ProtocolError
from smindex_plugins.settings import Settings
from smindex_plugins.wording import counted

CLEAN, FOUND, CANNOT_RUN = 0, 1, 2

_EXAMPLES = """\
examples:
  smindex check site
  smindex check site --site-url https://example.org/docs/

exit codes: 0 nothing is wrong, 1 something is wrong, 2 the check could not run
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.command is None:
        parser.print_help()
        return CANNOT_RUN
    try:
        return _check(given.directory, given.site_url, given.index_filename)
    except (OSError, ProtocolError, ValueError) as error:
        print(f"smindex: {_explain(error, given)}", file=sys.stderr)
        return CANNOT_RUN


def _check(directory: str, site_url: str | None, index_filename: str) -> int:
    base = site_url or output.find_base(directory, index_filename)
    found = 0
    for name in output.index_files(directory, index_filename):
        site = output.read_site(directory, base, name)
        findings = list(checks.check(site))
        for finding in findings:
            print(finding)
        sitemaps = counted(len(site.index.entries), "sitemap")
        print(f"{counted(len(findings), 'finding')} in {sitemaps} of {site.index.url}")
        found += len(findings)
    return FOUND if found else CLEAN


def _explain(error: Exception, given: argparse.Namespace) -> str:
    index = os.path.join(given.directory, given.index_filename)
    if isinstance(error, FileNotFoundError):
        return f"{index}: there is no such file. Build the site first, or name its index with --index-filename."
    if isinstance(error, OSError):
        return f"{index}: {error.strerror}."
    return f"{index}: {error}."


def _site_url(given: str) -> str:
    try:
        return urls.normalise(given.rstrip("/") + "/")
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="smindex",
        description="Sitemap indexes for static sites.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"smindex {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    check = commands.add_parser(
        "check",
        help="check the sitemap index of a built site and every sitemap it lists",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.add_argument("directory", metavar="DIRECTORY", help="the built site, as it is uploaded")
    check.add_argument(
        "--site-url",
        metavar="URL",
        type=_site_url,
        help="the address that serves it; found from the index if not given",
    )
    check.add_argument(
        "--index-filename",
        metavar="NAME",
        default=Settings().index_filename,
        help="the index's file name (default: %(default)s)",
    )
    return parser
