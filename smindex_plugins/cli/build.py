"""The command `smindex build`: sitemaps for any directory of rendered HTML."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

from smindex_plugins.cli import arguments, flags, output
from smindex_plugins.cli.progress import Progress
from smindex_plugins.pages import Dating
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.projects import File, Project, find_project, suggest_pattern
from smindex_plugins.report import Report
from smindex_plugins.reports import Tally, write_findings
from smindex_plugins.sitemaps import Consents, read_consents
from smindex_plugins.text import counted

_EXAMPLES = """\
examples:
  zensical build && smindex build
  smindex build site --site-url https://example.org/docs/
  smindex build site --sources 'docs/{path}.md' --sources 'data/{path}.yml'
  smindex build _site --sources 'src/{path}/{name}.md'
  smindex build --dry-run --section-depth 2 --exclude drafts/

In a pattern of --sources, {path} is the path of a page without .html and without /index.html. {name} is the last part
of that path, and "index" for the home page: 'src/{path}/{name}.md' finds src/about/about.md. For each pattern, the
command uses the first file that exists. If you give several patterns, the date of a page is the newest of all of them.
Without --sources, the configuration of the generator says where the sources are. If there is no configuration, each
HTML file is its own source.

Except for the options of output, all can also stand in [tool.smindex] of pyproject.toml: section_depth = 2. Options of
the plugin in mkdocs.yml or pelicanconf.py count too. A flag counts before the table, and the table before these.

exit codes: 0 nothing is wrong, 1 no index was written or there are findings at or above --fail-on, 2 the command could
not run
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `build` with the function that runs it."""
    parser = commands.add_parser(
        "build",
        help="write the sitemaps of a built site",
        description="Write the sitemaps and the index of a built site.",
        usage="%(prog)s [DIR] [--site-url URL] [--sources PATTERN] [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parser.set_defaults(run=_build)
    reading = parser.add_argument_group("what to read")
    _add_input(reading)
    arguments.add_manner(parser.add_argument_group("output"))
    flags.add_flags(parser)


def _add_input(group: arguments.Group) -> None:
    group.add_argument(
        "target",
        metavar="DIR",
        nargs="?",
        help="the built site, or the project whose configuration names it (default: the project here)",
    )
    group.add_argument("--site-url", metavar="URL", help="the address at which the directory is served")
    group.add_argument(
        "--sources",
        metavar="PATTERN",
        action="append",
        default=[],
        help="where the sources of pages are; see below. Repeatable.",
    )
    style = group.add_mutually_exclusive_group()
    kept = "the server shows about.html at /about.html (the default); index.html is always at its directory"
    clean = "the server shows about.html at /about"
    for flag, is_clean, meaning in (("--keep-html", False, kept), ("--clean-urls", True, clean)):
        style.add_argument(flag, dest="clean_urls", action="store_const", const=is_clean, help=meaning)


def _build(given: argparse.Namespace) -> int:
    started = time.perf_counter()
    project = find_project(
        given.target,
        site_url=given.site_url,
        sources=given.sources or None,
        clean_urls=given.clean_urls,
        **flags.given_options(given),
    )
    preview = tempfile.TemporaryDirectory(prefix="smindex-") if given.dry_run else nullcontext("")
    with Progress(is_shown=not given.quiet) as progress, preview as directory:
        report, html = _publish(project, arguments.consents(given), directory, progress)
    if not given.quiet:
        _print(given, project, report, html)
        output.say(("Nothing was written: " if given.dry_run else "") + report.summary(time.perf_counter() - started))
        for line in report.next_steps.splitlines():
            output.say(line)
    return int(not report.index_urls or Tally(report.findings).reaches(given.fail_on))


def _publish(
    project: Project, consents: Consents, preview: str, progress: Callable[[str], None]
) -> tuple[Report, list[File]]:
    """Read the history in the background while the pages are read, then write; return the HTML files, too."""
    built, settings = project.site, project.site.settings
    site = replace(built.site, preview=preview)
    dating, files = Dating(settings), list(built.files())
    if settings.lastmod == "git":
        dating.history.start({source for file in files for source in file.sources})
    pages = []
    for number, file in enumerate(files):
        if number % 100 == 0:
            progress(f"{number:,} of {counted(len(files), 'page')}: {file.path}")
        pages.append(built.page(file))
    progress(f"{counted(len(files), 'page')}: dates and sitemaps")
    consents = read_consents(settings.cross_site, built.beside).joined(consents)
    report = publish(pages, site, Host(dating=dating), consents=consents)
    html = [file for file, page in zip(files, pages, strict=True) if page.kind != "file"]
    unmatched = built.sources.unmatched([file.path for file in html], built.directory)
    return replace(report, findings=[*project.findings, *unmatched, *report.findings]), html


def _print(given: argparse.Namespace, project: Project, report: Report, html: list[File]) -> None:
    notes = dict(project.notes)
    if project.site.sources.patterns:
        found = sum(bool(file.sources) for file in html)
        notes["sources"] += f"; found for {found:,} of {counted(len(html), 'HTML file')}"
    elif report.undated.total() == report.pages:
        pattern = suggest_pattern((file.path for file in html), project.site.directory) or "docs/{path}.md"
        notes["sources"] += f"; if your pages are made from other files, say where these are: --sources '{pattern}'"
    for what, text in notes.items():
        output.say(f"{what}: {text}")
    if given.verbose:
        for omission in report.omitted:
            output.say(str(omission))
    if given.dry_run or given.verbose:
        would = "would be " if given.dry_run else ""
        for what, paths in (("written", report.changes.written), ("removed", report.changes.removed)):
            for path in paths:
                output.say(f"{would}{what}: {path}")
        if report.changes.unchanged:
            output.say(f"unchanged: {counted(len(report.changes.unchanged), 'file')}")
    write_findings(report.findings, sys.stdout, show_all=given.verbose)
