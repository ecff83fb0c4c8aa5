"""The command `smindex check`: finds problems in a built directory, a file, or a live site."""

import itertools
import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Literal

import click

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import CATALOGUE, CHECKED, NEEDS, REQUIRED_URL, Need
from smindex_plugins.base.files import read_text
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.model import LEVELS, Finding, Level, Spot
from smindex_plugins.base.text import WrongOptionsError, brief, counted, did_you_mean
from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.checks.audit import Audit
from smindex_plugins.checks.required import Required
from smindex_plugins.checks.table import Selection
from smindex_plugins.checks.tally import Tally
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.findings import write_github, write_json, write_text
from smindex_plugins.cli.options import (
    CROSS_SITE,
    INPUT,
    NETWORK,
    OUTPUT,
    PLACE,
    QUIET,
    VERBOSE,
    WAITING,
    Decorator,
    complete_files,
    flag,
    form_option,
    option,
    read_by,
    starting_with,
)
from smindex_plugins.cli.output import complain, progress, say, stdout
from smindex_plugins.cli.subject import Kind, open_subject
from smindex_plugins.history.places import tracked_files
from smindex_plugins.printing.terminal import console
from smindex_plugins.reading.walking import Totals
from smindex_plugins.reading.web import AT_ONCE, Fetcher
from smindex_plugins.record.find import Record

CHECKS = "Checks"
_FINDS: dict[Kind, set[Need]] = {
    "a built directory": {"", "files", "site", "directory", "pages"},
    "a single file": {"", "files"},
    "a live site": {"", "site", "live"},
}
"""The needs of checks that each kind of input meets."""


def _check_name(given: str) -> str:
    if given in CHECKED:
        return given
    if given in CATALOGUE:
        message = f"only builds and joins report {given!r}, not checks"
        raise ValueError(message)
    nearest = did_you_mean(given, CHECKED)
    advice = f"did you mean {nearest!r}?" if nearest else "see `smindex explain`"
    message = f"no such check: {given!r}; {advice}"
    raise ValueError(message)


def _required(given: str) -> tuple[Required, ...]:
    """Return a required URL, or those in a file whose name follows ``@``, one a line."""
    if given.startswith("@"):
        found = _required_in(given[1:])
    else:
        found = [Required(given.strip(), Spot("--require"))]
    for each in found:
        if not each.text:
            message = "it is empty."
            raise ValueError(message)
        if not each.url(urls.NO_ADDRESS):
            place = f"{each.spot.where}, line {each.spot.line}: " if each.spot.line else ""
            message = f"{place}{brief(each.text)} is neither a URL nor a path"
            raise ValueError(message)
    return tuple(found)


def _required_in(name: str) -> list[Required]:
    try:
        lines = read_text(name).splitlines()
    except OSError as error:
        message = f"{name}: {error.strerror}"
        raise ValueError(message) from error
    except InvalidTextError as error:
        raise ValueError(error.at(name)) from error
    found = []
    for number, line in enumerate(lines, 1):
        before_comment = re.split(r"(?:^|\s)#", line)[0]
        text = before_comment.strip()
        if text:
            found.append(Required(text, Spot(name, name, line=number)))
    if not found:
        message = f"{name}: it contains no URL"
        raise ValueError(message)
    return found


def _checks_option(name: str, meaning: str) -> Decorator:
    return option(
        CHECKS,
        name,
        metavar="CHECK",
        multiple=True,
        callback=read_by(_check_name),
        shell_complete=starting_with(CHECKED),
        help=f"{meaning} Repeatable.",
    )


@click.command(cls=Command)
@click.argument(
    "target", metavar="[DIRECTORY|FILE|URL]", required=False, shell_complete=complete_files
)
@PLACE
@CROSS_SITE
@flag(
    INPUT,
    "--dates",
    help=(
        "Also compare dates with git, by the files that counted in the build. This requires the"
        " record of the build."
    ),
)
@flag(
    INPUT,
    "--links",
    help=(
        "Also read the links of listed pages, to find listed pages that no page links to, and"
        " linked pages that aren't listed. This takes longer."
    ),
)
@option(
    CHECKS,
    "--require",
    metavar="URL|@FILE",
    multiple=True,
    callback=read_by(_required),
    help=(
        "Report an error if no sitemap lists this URL. It can be a path below the site's address."
        " @FILE is a file with one URL a line; lines that start with # are comments. --only and"
        " --ignore have no effect on it. Repeatable."
    ),
)
@_checks_option("--only", "Run only this check.")
@_checks_option("--ignore", "Skip this check.")
@flag(NETWORK, "--pages", help="Also fetch every listed page of a live site.")
@option(
    NETWORK,
    "--jobs",
    metavar="N",
    type=click.IntRange(1, 999),
    default=AT_ONCE,
    help="Number of parallel requests.",
)
@WAITING
@form_option("text", "json", "github")
@option(
    OUTPUT,
    "--fail-on",
    type=click.Choice([*LEVELS, "undated"]),
    default="error",
    help=(
        "Exit with code 1 if there is a finding at this level or above; with undated, if there is"
        " an error or a listed page without a date."
    ),
)
@VERBOSE
@QUIET
def check(
    *,
    target: str | None,
    site_url: str | None,
    index_filename: str | None,
    cross_site: tuple[tuple[str, str], ...],
    dates: bool,
    links: bool,
    require: tuple[tuple[Required, ...], ...],
    only: tuple[str, ...],
    ignore: tuple[str, ...],
    pages: bool,
    jobs: int,
    timeout: float,
    deadline: float,
    form: str,
    fail_on: Level | Literal["undated"],
    verbose: bool,
    quiet: bool,
) -> int:
    """Find problems in the sitemaps of a built site or a live site.

    The target is a built site, the project that builds it, one sitemap, or the URL of a live site
    (default: the project in the current directory).

    Examples:
      smindex check
      smindex check site --site-url https://example.org/docs/
      smindex check site/guide/sitemap.xml
      smindex check https://example.org/ --pages
      smindex check --require imprint/ --require @required.txt
      smindex check site --format github --fail-on warning

    Exit codes:
      0  no problems found
      1  findings at or above --fail-on, undated pages, or a required URL that is not listed
      2  the check could not run
    """
    subject = open_subject(
        target,
        Fetcher(timeout=timeout, deadline=deadline, at_once=jobs),
        site_url=site_url,
        index_filename=index_filename,
        cross_site=cross_site,
        with_dates=dates,
        with_links=links,
        with_pages=pages,
    )
    needs: dict[Need, object] = {
        "pages": pages,
        "answers": pages,
        "links": links,
        "dates": dates,
        "required": require,
    }
    met = _FINDS[subject.kind] | {need for need, is_met in needs.items() if is_met}
    selection = _select(only, ignore, met)
    run_only = only
    if only and require:
        run_only = (*only, REQUIRED_URL.name)
    totals = Totals(unseen=_unchecked(run_only, ignore, subject.kind, with_pages=pages))
    site = subject.site
    if site and form == "text" and not quiet:
        is_given = os.path.realpath(target or "") == os.path.realpath(site.directory)
        if not is_given:
            say(f"site: {os.path.relpath(site.directory)} ({site.directory_from})")
    out = stdout(form)
    screen = None
    if form == "text" and not quiet:
        screen = console(out)
    with progress(screen, quiet=screen is None) as tell:
        required = tuple(itertools.chain.from_iterable(require))
        audit = Audit(selection=selection, totals=totals, required=required, tell=tell)
        findings: Iterable[Finding] = subject.checked.findings(audit)
        if form != "text" and subject.kind != "a live site":
            record = subject.checked.record if isinstance(subject.checked, DirectoryCheck) else None
            findings = _with_sources(findings, subject.checked.target, record)
        if form == "json":
            tally = write_json(findings, totals, out)
        elif form == "github":
            tally = write_github(findings, totals, out, show_all=verbose, with_summary=not quiet)
        elif screen:
            tally = write_text(findings, totals, screen, show_all=verbose)
        else:
            tally = Tally(findings)
    return int(_fails(fail_on, tally, totals))


def _fails(fail_on: Level | Literal["undated"], tally: Tally, totals: Totals) -> bool:
    """Whether the command fails, and say so if that is only because pages have no date."""
    if fail_on != "undated":
        return tally.reaches(fail_on)
    if totals.undated:
        undated = (
            f"{totals.undated:,} of {counted(totals.urls, 'listed page')} without a date (--fail-on"
            " undated)"
        )
        complain(f"{undated}. The build log explains why, and how to get dates.")
    return totals.undated > 0 or tally.reaches("error")


def _with_sources(
    findings: Iterable[Finding], target: str, record: Record | None
) -> Iterator[Finding]:
    """Yield findings, each with the file to edit: the source in the record of the build, or a file
    that git tracks.
    """
    tracked = tracked_files(target if os.path.isdir(target) else os.path.dirname(target))
    for finding in findings:
        source = finding.source
        if record and not source:
            source = record.source_of(finding.url or "", finding.file or "")
        if tracked and finding.file and not source:
            name = os.path.relpath(os.path.realpath(finding.file), tracked.root).replace(
                os.sep, "/"
            )
            source = finding.file if name in tracked.names else None
        yield replace(finding, source=source or None)


def _select(only: Collection[str], ignore: Collection[str], met: set[Need]) -> Selection:
    """Return the checks to run.

    Raises:
        WrongOptionsError: a requested check could not find anything.
    """
    never: dict[str, str] = {}
    for name in [*only, *ignore]:
        needed = CHECKED[name].needs
        if needed not in met:
            never[name] = f"this check requires {NEEDS[needed]}"
    problems = []
    for name in only:
        if name in never:
            problems.append(f"--only {name}: {never[name]}, so it can't find anything.")
    if REQUIRED_URL.name in ignore and REQUIRED_URL.needs in met:
        problems.append(
            f"--ignore {REQUIRED_URL.name}: required URLs can't be ignored. Remove --require."
        )
    wanted = frozenset(only or CHECKED) - frozenset(ignore)
    if not wanted:
        problems.append("--ignore excludes every check that --only selects.")
    if problems:
        raise WrongOptionsError(problems)
    for name in ignore:
        if name in never:
            complain(f"--ignore {name}: {never[name]}, so there is nothing to ignore.")
    return Selection(wanted)


def _unchecked(
    only: Collection[str], ignore: Collection[str], kind: Kind, *, with_pages: bool
) -> list[str]:
    """Return what the options exclude, in words for the end of the summary."""
    unchecked = []
    if only:
        unchecked.append(f"all checks except {', '.join(sorted(set(only) - set(ignore)))} (--only)")
    elif ignore:
        unchecked.append(f"{', '.join(sorted(set(ignore)))} (--ignore)")
    if kind == "a single file":
        unchecked.append("the rest of the site (the target is a single file)")
    if kind == "a live site" and not with_pages:
        unchecked.append("the pages themselves (--pages fetches them)")
    return unchecked
