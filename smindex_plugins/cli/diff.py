"""The command `smindex diff`, which compares two versions of a site."""

import re
from functools import partial

import click

from smindex_plugins.base import addresses
from smindex_plugins.base.difference import Difference, no_old_version
from smindex_plugins.base.formats import FORMS, Form
from smindex_plugins.base.outputs import replace_file, save
from smindex_plugins.base.text import WrongOptionsError, counted, masked
from smindex_plugins.base.urls import is_url
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.options import (
    INPUT,
    OUTPUT,
    QUIET,
    SITE_URL,
    VERBOSE,
    WAITING,
    complete_files,
    files_option,
    flag,
    form_option,
    option,
    read_by,
    refuse,
)
from smindex_plugins.cli.output import complain, progress, say, stdout
from smindex_plugins.cli.targets import refuse_missing
from smindex_plugins.compare.output import broken_urls, difference_summary, write_difference
from smindex_plugins.compare.redirects import add_redirects, read_redirects
from smindex_plugins.compare.with_project import diff_with_project
from smindex_plugins.reading.web import Fetcher


def _share(given: str) -> str:
    if not re.fullmatch(r"[0-9]+|[0-9]+(?:\.[0-9]+)?%", given):
        message = f"{given} is neither a number of pages, such as 3, nor a percentage, such as 0.5%"
        raise ValueError(message)
    return given


@click.command(cls=Command)
@click.argument("old", shell_complete=complete_files)
@click.argument("new", shell_complete=complete_files)
@SITE_URL
@flag(
    INPUT,
    "--require-old",
    help=(
        "Exit with code 2 if OLD is a live site without a sitemap. By default, this is a first"
        " deployment, which passes."
    ),
)
@WAITING
@files_option(*FORMS)
@form_option(*FORMS)
@option(
    OUTPUT,
    "--preview",
    metavar="URL",
    callback=read_by(addresses.site_url),
    help="In Markdown, link pages to this preview of NEW. NEW must be a directory.",
)
@flag(OUTPUT, "--exit-code", help="Exit with code 1 if anything differs.")
@option(
    OUTPUT,
    "--fail-on",
    type=click.Choice(["lost"]),
    help="Exit with code 1 if a removed page is lost: its URL has neither a page nor a redirect.",
)
@option(
    OUTPUT,
    "--max-lost",
    metavar="N|N%",
    callback=read_by(_share),
    help=(
        "Exit with code 1 if more pages are lost than this number or this percentage of the pages"
        " in OLD."
    ),
)
@option(
    OUTPUT,
    "--redirects",
    metavar="FILE",
    help=(
        "Add redirects for renamed pages to this file, in the format of _redirects. Git detects"
        " renamed pages."
    ),
)
@VERBOSE
@QUIET
def diff(
    *,
    old: str,
    new: str,
    site_url: str | None,
    require_old: bool,
    timeout: float,
    deadline: float,
    output: tuple[tuple[str, Form], ...],
    form: Form,
    preview: str | None,
    exit_code: bool,
    fail_on: str | None,
    max_lost: str | None,
    redirects: str | None,
    verbose: bool,
    quiet: bool,
) -> int:
    """Compare the sitemaps of two versions of a site, page by page.

    OLD and NEW are directories, index files, URLs of live sites, or earlier reports (report.json).

    Examples:
      smindex diff https://example.org/ site
      smindex diff https://example.org/ site -o changes.json
      smindex diff site.before site --exit-code
      smindex diff last-week.json site --format markdown

    A page differs if only one version lists it, or if its date or its language variants differ. The
    command ignores the order of entries, compression, which sitemap lists a page, and whether a
    date includes the time.

    If the live site has no sitemap yet, this is its first deployment: every page is new, and none
    can be lost. The output says so. A live site that is unreachable, or asks for a password, is an
    error.

    Exit codes:
      0  both versions were compared, or OLD is a live site without a sitemap
      1  with --exit-code: the versions differ; with --fail-on lost: a page is lost;
         with --max-lost: more pages are lost than accepted
      2  a version can't be read, or the command can't determine which pages are lost, for example
         because a sitemap was not read
    """
    if output:
        refuse({"form"}, "with -o")
    refuse_missing(old, new)
    if is_url(new) or new.endswith(".json"):
        refuse({"redirects"}, "if NEW is a live site or a report")
    if redirects:
        read_redirects(redirects)
    fetcher = Fetcher(timeout=timeout, deadline=deadline)
    with progress(quiet=quiet) as tell:
        difference = diff_with_project(
            old, new, site_url=site_url or "", fetcher=fetcher, tell=tell
        )
    if require_old:
        _refuse_first(difference)
    for file, each in output:
        save(
            file, partial(write_difference, difference, each, show_all=True, preview=preview or "")
        )
    if output and not quiet:
        _say_summary(difference)
    elif not quiet:
        write_difference(difference, form, stdout(form), show_all=verbose, preview=preview or "")
    if redirects:
        _add_redirects(
            redirects, difference, is_said=not quiet and (bool(output) or form == "text")
        )
    if (fail_on or max_lost) and _has_lost_too_many(
        difference, max_lost, is_listed=not (quiet or output)
    ):
        return 1
    return int(exit_code and bool(difference))


def _refuse_first(difference: Difference) -> None:
    """Refuse a first deployment.

    Raises:
        WrongOptionsError: there is no old version.
    """
    why = difference.first_deployment
    if why:
        problem = masked(
            f"{difference.old}: --require-old is set, but the site has no sitemap: {why}"
        )
        raise WrongOptionsError([f"{problem}."])


def _say_summary(difference: Difference) -> None:
    say(difference_summary(difference))
    why = difference.first_deployment
    if why:
        say(no_old_version(difference.old, why))


def _add_redirects(path: str, difference: Difference, *, is_said: bool) -> None:
    """Add the redirects for renamed pages that a file lacks, and say what was added and what was
    not.
    """
    renamed = []
    for each in difference.gone:
        if each.fate == "renamed" and each.to:
            renamed.append((each.url, each.to))
    additions = add_redirects(read_redirects(path), renamed)
    if additions.lines:
        replace_file(path, additions.content)
    if is_said:
        say(
            f"{path}:"
            f" {counted(len(additions.lines), 'redirect') if additions.lines else 'no redirect'}"
            " added"
        )
    for obstacle in additions.obstacles:
        complain(obstacle)


def _has_lost_too_many(difference: Difference, max_lost: str | None, *, is_listed: bool) -> bool:
    """Whether more pages are lost than accepted.

    Prints these pages unless the output already lists them.
    """
    if difference.removed and not difference.gone:
        message = (
            "can't determine which pages are lost. As NEW, pass the directory of the built site or"
            " a live site."
        )
        raise WrongOptionsError([message])
    number = len(difference.lost)
    accepted = ""
    most = float((max_lost or "0").removesuffix("%"))
    if max_lost:
        most *= difference.urls_before / 100 if max_lost.endswith("%") else 1
        accepted = f" --max-lost accepts only {max_lost}."
    if number <= most:
        if difference.unread:
            problem = "can't determine which pages are lost, because sitemaps were not read:"
            fix = (
                "Pass directories or URLs of sites that contain them, or remove the lines that list"
                " them."
            )
            raise WrongOptionsError([" ".join([problem, f"{', '.join(difference.unread)}.", fix])])
        return False
    broken = broken_urls(difference, "above" if is_listed else "below")
    complain(f"{broken}{accepted}")
    for lost in () if is_listed else difference.lost:
        complain(f"{lost.fate}: {lost.url} ({lost.why})")
    return True
