"""The command `smindex build`: sitemaps for any directory of rendered HTML."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext

from smindex_plugins.cli import arguments, flags
from smindex_plugins.cli.progress import Progress
from smindex_plugins.model import Page
from smindex_plugins.pages import Dating
from smindex_plugins.pipeline import publish
from smindex_plugins.projects import Project, WrongOptionsError, find_project
from smindex_plugins.report import Report
from smindex_plugins.reports import Tally, printable, write_findings
from smindex_plugins.sitemaps import Consents, read_consents
from smindex_plugins.wording import counted

_EXAMPLES = """\
examples:
  zensical build && smindex build
  smindex build site --site-url https://example.org/docs/
  smindex build site --sources 'docs/{path}.md' --sources 'data/{path}.yml'
  smindex build --dry-run --section-depth 2 --exclude drafts/

In a pattern of --sources, {path} is the path of a page without .html, and without /index.html. Of each pattern the
first file that exists counts, and of several patterns all. Without the flag, the configuration of the generator says
where sources are; where there is none, the pages themselves are.

exit codes: 0 nothing is wrong, 1 there are findings at or above --fail-on, 2 the command could not run
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `build` with the function that runs it."""
    parser = commands.add_parser(
        "build",
        help="write the sitemaps of a built site",
        description="Write the sitemaps and the index of a directory of rendered HTML.",
        usage="smindex build [DIR] [--site-url URL] [--sources PATTERN] [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parser.set_defaults(run=_build)
    parser.add_argument(
        "target",
        metavar="DIR",
        nargs="?",
        help="the built site, or the project whose configuration names it (default: the project here)",
    )
    parser.add_argument("--site-url", metavar="URL", help="the address at which the directory is served")
    parser.add_argument(
        "--sources", metavar="PATTERN", action="append", default=[], help="where the source of a page is; see below"
    )
    style = parser.add_mutually_exclusive_group()
    kept = "about.html is served at /about.html (the default); an index.html is always at its directory"
    clean = "about.html is served at /about"
    for flag, is_clean, meaning in (("--keep-html", False, kept), ("--clean-urls", True, clean)):
        style.add_argument(flag, dest="clean_urls", action="store_const", const=is_clean, help=meaning)
    arguments.add_manner(parser)
    flags.add_flags(parser)
    arguments.add_cross_site(parser)


def _build(given: argparse.Namespace) -> int:
    started = time.perf_counter()
    try:
        project = find_project(
            given.target,
            site_url=given.site_url,
            sources=given.sources,
            clean_urls=given.clean_urls,
            options=flags.given_options(given),
        )
        preview = tempfile.TemporaryDirectory(prefix="smindex-") if given.dry_run else nullcontext("")
        with Progress(is_shown=not given.quiet) as tell, preview as directory:
            report = _publish(project, arguments.consents(given), directory, tell)
    except WrongOptionsError as error:
        for problem in error.problems:
            print(printable(f"smindex: {problem}"), file=sys.stderr)
        return arguments.CANNOT_RUN
    if not given.quiet:
        _print(given, project, report)
        print(("Nothing was written: " if given.dry_run else "") + report.summary(time.perf_counter() - started))
        if advice := report.advice():
            print(advice)
    return int(Tally(report.findings).reaches(given.fail_on))


def _publish(project: Project, asked: Consents, preview: str, tell: Callable[[str], None]) -> Report:
    """Read the history in the background while the pages are read, then write."""
    rendered, settings = project.rendered, project.settings
    dating = Dating(settings)
    sources = {file: rendered.sources(file) for file in rendered.files()}
    if not sources:
        raise WrongOptionsError([f"{rendered.directory}: there is no HTML in it. Build the site first."])
    dating.start((Page(url=rendered.site_url, sources=own) for own in sources.values()), rendered.site_url)
    pages = []
    for number, (file, own) in enumerate(sources.items()):
        if number % 100 == 0:
            tell(f"{number:,} of {counted(len(sources), 'page')}: {file}")
        pages.append(rendered.page(file, own))
    tell(f"{counted(len(sources), 'page')}: dates and sitemaps")
    consents = read_consents(settings.cross_site, project.beside).joined(asked)
    return publish(
        pages,
        site_url=rendered.site_url,
        directory=rendered.directory,
        settings=settings,
        dating=dating,
        consents=consents,
        beside=project.beside,
        preview=preview,
    )


def _print(given: argparse.Namespace, project: Project, report: Report) -> None:
    told = dict(project.told)
    if project.rendered.patterns:
        found = sum(bool(page.sources) for page in report.dated)
        told["sources"] += f"; found for {found:,} of {counted(len(report.dated), 'file')}"
    elif report.undated.total() == report.pages:
        told["sources"] += "; if they are made of others, name these, such as --sources 'docs/{path}.md'"
    for what, text in told.items():
        print(printable(f"{what}: {text}"))
    if given.verbose:
        for omission in report.omitted:
            print(printable(str(omission)))
    if given.dry_run or given.verbose:
        would = "would be " if given.dry_run else ""
        for what, paths in (("written", report.changes.written), ("removed", report.changes.removed)):
            for path in paths:
                print(printable(f"{would}{what}: {path}"))
        if report.changes.unchanged:
            print(f"unchanged: {counted(len(report.changes.unchanged), 'file')}")
    write_findings(report.findings, sys.stdout, show_all=given.verbose)
