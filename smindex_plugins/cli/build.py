"""The command `smindex build`, which writes sitemaps for any directory of HTML."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Literal

import click

from smindex_plugins.base.model import Level, Page
from smindex_plugins.base.settings import OPTIONS
from smindex_plugins.base.text import counted
from smindex_plugins.build import Host, publish
from smindex_plugins.checks.tally import Tally
from smindex_plugins.cli.build_output import write_build
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.findings import write_findings
from smindex_plugins.cli.options import (
    INPUT,
    MANNER,
    SITE_URL,
    complete_files,
    flag,
    form_option,
    option,
    set_option,
)
from smindex_plugins.cli.output import progress, say, say_changes, stdout
from smindex_plugins.pages.dating import Dating
from smindex_plugins.pages.served import relative
from smindex_plugins.printing.terminal import console
from smindex_plugins.projects.find import Project, find_project
from smindex_plugins.projects.lists import with_lists
from smindex_plugins.projects.pages import BuiltSite, File
from smindex_plugins.projects.shown import Shown
from smindex_plugins.projects.sources import suggest_pattern
from smindex_plugins.report import Report


@click.command(cls=Command)
@click.argument("directory", metavar="[DIR]", required=False, shell_complete=complete_files)
@SITE_URL
@option(
    INPUT,
    "--sources",
    metavar="PATTERN",
    multiple=True,
    help="Path pattern of the page sources; see above. Repeatable.",
)
@flag(
    INPUT, "--clean-urls", help="The server serves about.html at /about (default: at /about.html)."
)
@form_option("text", "json")
@MANNER
@set_option(*(each.name for each in OPTIONS))
def build(
    *,
    directory: str | None,
    site_url: str | None,
    sources: tuple[str, ...],
    clean_urls: bool,
    settings: dict[str, object],
    form: Literal["text", "json"],
    dry_run: bool,
    fail_on: Level,
    verbose: bool,
    quiet: bool,
) -> int:
    """Write the sitemaps and the index of a built site.

    DIR is the built site, or the project with its configuration (default: the current directory).

    Examples:
      zensical build && smindex build
      smindex build site --site-url https://example.org/docs/
      smindex build site --sources 'docs/{path}.md' --sources 'data/{path}.yml'
      smindex build --dry-run --set section_depth=2 --set 'exclude=[drafts/, tags/]'

    In --sources, {path} is the path of a page without .html or /index.html. {name} is the last part
    of that path, or "index" for the home page: 'src/{path}/{name}.md' matches src/about/about.md.
    For each pattern, the command uses the first file that exists. `*` matches any text if only one
    file matches. With several patterns, the command uses the newest date. By default, it gets the
    sources from the generator and the edit links of the pages. Otherwise, each HTML file in git is
    its own source.

    You can also set site options in [tool.smindex] in pyproject.toml (section_depth = 2), or as
    plugin options in mkdocs.yml or pelicanconf.py. The command line takes precedence over
    pyproject.toml, and pyproject.toml over plugin options.

    Exit codes:
      0  no findings at or above --fail-on
      1  no index was written, or there are findings at or above --fail-on
      2  the command could not run
    """
    started = time.perf_counter()
    project = find_project(
        directory,
        site_url=site_url,
        sources=sources or None,
        clean_urls=clean_urls or None,
        **settings,
    )
    preview = tempfile.TemporaryDirectory(prefix="smindex-") if dry_run else nullcontext("")
    with progress(quiet=quiet) as tell, preview as place:
        report, html = _publish(project, place, tell)
    seconds = time.perf_counter() - started
    if form == "json" and not quiet:
        write_build(report, seconds, stdout(form))
    elif not quiet:
        _print(project, report, html, dry_run=dry_run, verbose=verbose)
        summary = report.summary(seconds)
        say(f"Nothing was written: {summary}" if dry_run else summary)
        if verbose or report.reminder_level == "notice":
            for line in report.next_steps.splitlines():
                say(line)
    return int(not report.index_urls or Tally(report.findings).reaches(fail_on))


def _publish(
    project: Project, preview: str, tell: Callable[[str], None]
) -> tuple[Report, list[Page]]:
    """Write the sitemaps. Return the report, and the HTML pages that are no redirects."""
    built = project.site
    shown = Shown(built.configuration)
    dating = Dating(built.settings, shown.includes)
    pages = _pages(built, shown, dating, tell)
    report = publish(pages, replace(built.site, preview=preview), Host(dating=dating))
    html = [page for page in report.dated if page.kind != "file" and not _is_redirect(page)]
    paths = list(_paths(html, built))
    omitted = {omission.url for omission in report.omitted}
    listed = [path for page, path in zip(html, paths, strict=True) if page.url not in omitted]
    unmatched = built.sources.unmatched(paths, listed)
    unused = built.sources.unused_links(listed)
    findings = [*project.findings, *unmatched, *unused, *report.findings]
    return replace(report, findings=findings), html


def _pages(
    built: BuiltSite, shown: Shown, dating: Dating, tell: Callable[[str], None]
) -> Iterator[Page]:
    """Yield the pages of a directory, which are read while git reads their history."""
    files = list(built.files())
    if built.settings.lastmod == "git":
        dating.history.start(_sources(files, shown))
    pages = []
    for number, file in enumerate(files):
        if number % 100 == 0:
            tell(f"{number:,} of {counted(len(files), 'page')}: {file.path}")
        pages.append(built.page(file))
    yield from shown.on(with_lists(pages, built))
    tell(f"{counted(len(files), 'page')}: dates and sitemaps")


def _is_redirect(page: Page) -> bool:
    return page.head is not None and page.head.refresh is not None


def _paths(pages: Iterable[Page], built: BuiltSite) -> Iterator[str]:
    """Yield the paths of the files of pages in the directory."""
    for page in pages:
        yield relative(page.file or "", built.directory)


def _sources(files: Iterable[File], shown: Shown) -> Iterator[str]:
    """Yield the sources of the files, and what these include."""
    for file in files:
        for source in file.sources:
            yield source
            yield from shown.includes.of(source)


def _print(
    project: Project, report: Report, html: list[Page], *, dry_run: bool, verbose: bool
) -> None:
    notes = dict(project.notes)
    patterns, found = project.site.sources.patterns, sum(bool(page.sources) for page in html)
    if patterns or found < len(html):
        notes["sources"] += f"; found for {found:,} of {counted(len(html), 'HTML file')}"
    if not patterns and report.undated.total() == report.pages:
        pattern = suggest_pattern(_paths(html, project.site), project.site.directory)
        given = f"'{pattern}'" if pattern else "PATTERN"
        notes["sources"] += (
            f"; if your pages are built from other files, pass their location: --sources {given}"
        )
    for what, text in notes.items():
        say(f"{what}: {text}")
    if verbose:
        for omission in report.omitted:
            say(str(omission))
    if dry_run or verbose:
        say_changes(report.changes, dry_run=dry_run)
        if report.changes.unchanged:
            say(f"unchanged: {counted(len(report.changes.unchanged), 'file')}")
    write_findings(report.findings, console(sys.stdout), show_all=verbose)
