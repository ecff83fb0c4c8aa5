"""The command `smindex`: checks the sitemaps of a built site or of a live one."""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from smindex_plugins import __version__, formats, urls
from smindex_plugins.address import configured_address
from smindex_plugins.audit import Audit
from smindex_plugins.checks import ALL, BY_NAME, Selection
from smindex_plugins.directory import Directory
from smindex_plugins.fetching import Fetcher
from smindex_plugins.live import Live, UnreachableError
from smindex_plugins.model import Finding
from smindex_plugins.results import LEVELS, Results
from smindex_plugins.sources import Sources

CLEAN, FOUND, CANNOT_RUN = 0, 1, 2

_EXAMPLES = """\
examples:
  smindex check site
  smindex check site --site-url https://example.org/docs/
  smindex check site/guide/sitemap.xml
  smindex check https://example.org/ --pages
  smindex check site --format github --fail-on warning
  smindex checks

exit codes: 0 nothing is wrong, 1 there are findings at or above --fail-on, 2 the check could not run
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.command is None:
        parser.print_help()
        return CANNOT_RUN
    try:
        return _list_checks() if given.command == "checks" else _check(given)
    except BrokenPipeError:  # whoever read what is printed has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except (OSError, ValueError) as error:
        print(f"smindex: {_explain(error, given)}", file=sys.stderr)
        return CANNOT_RUN
    except KeyboardInterrupt:
        print("smindex: stopped.", file=sys.stderr)
        return CANNOT_RUN


def _check(given: argparse.Namespace) -> int:
    results = Results()
    with _Progress(is_shown=not given.quiet) as progress:
        audit = Audit(selection=_selection(given), tell=progress)
        for finding in _findings(given, audit):
            results.add(finding)
    if not given.quiet or given.format != "text":
        _write(given, results, audit)
    is_found = results.reach(given.fail_on)
    results.close()
    return FOUND if is_found else CLEAN


def _findings(given: argparse.Namespace, audit: Audit) -> Iterator[Finding]:
    if given.target.lower().startswith(("http://", "https://")):
        fetcher = Fetcher(f"smindex/{__version__} (+https://pypi.org/project/smindex-plugins/)")
        return Live(url=urls.normalise(given.target), fetcher=fetcher, with_pages=given.pages).findings(audit)
    if os.path.isfile(given.target):
        directory, name = os.path.split(given.target)
        site = Directory(path=directory or ".", base=given.site_url or "", index_filename=name, is_alone=True)
    else:
        site = Directory(
            path=given.target,
            base=given.site_url or configured_address(given.target) or "",
            index_filename=given.index_filename or "",
            sources=Sources(directory=given.sources) if given.sources else None,
        )
    return site.findings(audit)


def _selection(given: argparse.Namespace) -> Selection:
    wanted = given.only or [check.name for check in ALL if given.advice or not check.is_advice]
    return Selection(frozenset(wanted) - frozenset(given.ignore))


def _write(given: argparse.Namespace, results: Results, audit: Audit) -> None:
    if given.format == "json":
        formats.write_json(results, audit.totals, sys.stdout)
    elif given.format == "sarif":
        formats.write_sarif(results, sys.stdout)
    elif given.format == "github":
        formats.write_github(results, audit.totals, sys.stdout, show_all=given.all)
    else:
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        formats.write_text(results, audit.totals, sys.stdout, show_all=given.all, colour=colour)


def _list_checks() -> int:
    for check in ALL:
        level = f"{check.level} (--advice)" if check.is_advice else check.level
        console = f" Search Console: {check.console}." if check.console else ""
        print(f"{check.name} [{level}]\n    {check.meaning}{console}")
    return CLEAN


class _Progress:
    """One line on the terminal that says what is being done, and nothing anywhere else."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown and sys.stderr.isatty()
        self._next = time.monotonic() + 1  # what is done in a second needs no line

    def __enter__(self) -> Callable[[str], None]:
        return self

    def __call__(self, text: str) -> None:
        if self._is_shown and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.1
            line = "".join(filter(str.isprintable, text))[: shutil.get_terminal_size().columns - 1]
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _explain(error: Exception, given: argparse.Namespace) -> str:
    if isinstance(error, UnreachableError):
        return f"{error}."
    if isinstance(error, FileNotFoundError):
        looked_for = error.filename or given.target
        return f"{looked_for}: there is no such file. Build the site first, or name its index with --index-filename."
    if isinstance(error, OSError):
        return f"{error.filename or given.target}: {error.strerror or error}."
    return f"{error}."


def _site_url(given: str) -> str:
    try:
        return urls.normalise(given.rstrip("/") + "/")
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _check_name(given: str) -> str:
    if given not in BY_NAME:
        message = f"there is no check {given!r}; `smindex checks` lists them"
        raise argparse.ArgumentTypeError(message)
    return given


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="smindex",
        description="Sitemap indexes for static sites.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"smindex {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("checks", help="list every check with what it means")
    check = commands.add_parser(
        "check",
        help="find in a site's sitemaps what Search Console would find",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_subject(check)
    _add_choice(check)
    return parser


def _add_subject(check: argparse.ArgumentParser) -> None:
    check.add_argument(
        "target",
        metavar="DIRECTORY|FILE|URL",
        help="the built site as it is uploaded, one of its sitemaps, or a live site",
    )
    check.add_argument(
        "--site-url",
        metavar="URL",
        type=_site_url,
        help="the address of the directory; found in the configuration beside it or in its files if not given",
    )
    check.add_argument(
        "--index-filename", metavar="NAME", help="the index's file name (default: the usual ones are tried)"
    )
    check.add_argument(
        "--sources", metavar="DIRECTORY", help="a git work tree with the pages' sources, to compare dates with history"
    )
    check.add_argument("--pages", action="store_true", help="of a live site, fetch every listed page too")


def _add_choice(check: argparse.ArgumentParser) -> None:
    check.add_argument(
        "--only",
        metavar="CHECK",
        action="append",
        type=_check_name,
        default=[],
        help="make this check alone; can be repeated",
    )
    check.add_argument(
        "--ignore",
        metavar="CHECK",
        action="append",
        type=_check_name,
        default=[],
        help="do not make this check; can be repeated",
    )
    check.add_argument(
        "--advice", action="store_true", help="make also the checks that find what is true of many good sites"
    )
    check.add_argument(
        "--fail-on",
        choices=LEVELS,
        default="error",
        help="the least level that makes the exit code 1 (default: %(default)s)",
    )
    check.add_argument(
        "--format",
        choices=("text", "json", "github", "sarif"),
        default="text",
        help="how findings are printed (default: %(default)s)",
    )
    check.add_argument(
        "--all", action="store_true", help=f"show all findings of a check, not the first {formats.EXAMPLES}"
    )
    check.add_argument("-q", "--quiet", action="store_true", help="print no text; the exit code tells")
