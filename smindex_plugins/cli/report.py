"""The command `smindex report`, which shows the contents of the sitemaps of a built or live
site.
"""

from collections.abc import Callable, Collection
from functools import partial

import click

from smindex_plugins.base.formats import REPORT_FORMS, ReportForm
from smindex_plugins.base.outputs import save
from smindex_plugins.base.text import WrongOptionsError, counted, did_you_mean
from smindex_plugins.base.urls import is_url
from smindex_plugins.checks.applying import DirectoryCheck, LiveCheck
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.options import (
    INPUT,
    OUTPUT,
    PLACE,
    QUIET,
    WAITING,
    complete_files,
    files_option,
    form_option,
    option,
    refuse,
)
from smindex_plugins.cli.output import progress, say, stdout
from smindex_plugins.cli.subject import open_subject
from smindex_plugins.cli.targets import refuse_missing
from smindex_plugins.compare.version import SiteVersion
from smindex_plugins.compare.with_project import diff_with_project
from smindex_plugins.overview.output import write_report
from smindex_plugins.overview.overview import Overview, look
from smindex_plugins.printing.changes import ShownDifference
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.reading.web import Fetcher


@click.command(cls=Command)
@click.argument("target", metavar="[DIRECTORY|URL]", required=False, shell_complete=complete_files)
@PLACE
@option(
    INPUT,
    "--since",
    metavar="FILE|DIRECTORY|URL",
    help=(
        "Show changes since an earlier report.json, an earlier build, or the live site. Not"
        " available as text."
    ),
)
@WAITING
@files_option(*REPORT_FORMS)
@form_option(*REPORT_FORMS)
@option(
    OUTPUT, "--section", metavar="NAME", multiple=True, help="Show only this section. Repeatable."
)
@QUIET
def report(
    *,
    target: str | None,
    site_url: str | None,
    index_filename: str | None,
    since: str | None,
    timeout: float,
    deadline: float,
    output: tuple[tuple[str, ReportForm], ...],
    form: ReportForm,
    section: tuple[str, ...],
    quiet: bool,
) -> int:
    """Show what the sitemaps contain: sections, dates, sizes, and omitted pages.

    The target is a built site, its project, or the URL of a live site (default: the project in the
    current directory). Without -o, the command prints the report.

    Examples:
      smindex report
      smindex report site --section guide/
      smindex report site -o report.html -o report.json
      smindex report --since https://example.org/ -o report.md
      smindex report --format json | jq '.sections[] | {name, pages}'

    Exit codes:
      0  the report was written; to fail on findings, run `smindex check`
      2  the command could not run
    """
    if output:
        refuse({"form"}, "with -o")
    elif quiet:
        message = "-q leaves nothing to print. Remove it, or write files: -o report.html."
        raise WrongOptionsError([message])
    forms = {each for _, each in output} or {form}
    if {"html", "markdown"} & forms:
        refuse({"section"}, "in HTML and Markdown")
    if since:
        refuse_missing(since)
        if form == "text" and not output:
            message = (
                "--since is not available as text. Use -o report.html or --format markdown, or"
                " `smindex diff`."
            )
            raise WrongOptionsError([message])
    fetcher = Fetcher(timeout=timeout, deadline=deadline)
    subject = open_subject(
        target,
        fetcher,
        site_url=site_url,
        index_filename=index_filename,
        requests=bool(since and is_url(since)),
    )
    with progress(quiet=quiet) as tell:
        overview = compose(
            subject.checked,
            since=since or "",
            site=subject.site,
            fetcher=fetcher,
            tell=tell,
        )
    _refuse_unknown(section, overview)
    for file, each in output:
        save(file, partial(write_report, overview, each, sections=section))
        summary = overview.summary
        if quiet:
            continue
        say(f"{file}: {counted(summary.pages, 'page')} in {counted(summary.sections, 'section')}")
    if not output:
        write_report(overview, form, stdout(form), sections=section)
    return 0


def _refuse_unknown(section: Collection[str], overview: Overview) -> None:
    """Refuse names of sections that the site doesn't have.

    Raises:
        WrongOptionsError: there is such a name.
    """
    names = [each.name for each in overview.sections]
    problems = []
    for name in set(section) - set(names):
        nearest = did_you_mean(name, names)
        fix = f"did you mean {nearest!r}?" if nearest else f"the sections are {', '.join(names)}."
        problems.append(f"--section {name}: no such section; {fix}")
    if problems:
        raise WrongOptionsError(problems)


def compose(
    checked: DirectoryCheck | LiveCheck,
    *,
    since: str = "",
    site: BuiltSite | None = None,
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Overview:
    """Return the overview of a site, with what changed since an earlier version if that is given.

    The earlier version is a directory, a URL, or an earlier report in JSON. ``site`` is the project
    that built the site, if available.

    Raises:
        OSError: the site can't be read, or, when versions are compared, one of its sitemaps.
        ValueError: a URL is invalid, a file is not a report, or the URL of a directory is unknown.
    """
    if not since:
        return look(checked, tell=tell)
    read = checked.directory if isinstance(checked, DirectoryCheck) else checked.live
    version = SiteVersion(name=checked.target, site=read)

    def changes(address: str) -> ShownDifference:
        found = diff_with_project(
            since, version, site=site, site_url=address, fetcher=fetcher, tell=tell
        )
        return ShownDifference.of(found)

    return look(checked, keep=version.add, compare=changes, tell=tell)
