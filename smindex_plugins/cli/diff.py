"""The command `smindex diff`: what changed between two versions of a site."""

import os
from contextlib import suppress
from functools import partial

import click

from smindex_plugins import addresses, announcing
from smindex_plugins.cli.options import (
    OUTPUT,
    QUIET,
    SITE_URL,
    VERBOSE,
    WAITING,
    Command,
    files_option,
    flag,
    form_option,
    option,
    read_by,
    refuse,
)
from smindex_plugins.cli.output import complain, progress, say, stdout
from smindex_plugins.cli.subject import refuse_missing
from smindex_plugins.files import save
from smindex_plugins.projects import WrongOptionsError, find_site
from smindex_plugins.reports import FORMS, Form, difference_summary, write_difference
from smindex_plugins.text import counted
from smindex_plugins.web import Fetcher


@click.command(cls=Command)
@click.argument("old")
@click.argument("new")
@SITE_URL
@WAITING
@files_option(*FORMS)
@form_option(*FORMS)
@option(
    OUTPUT,
    "--preview",
    metavar="URL",
    callback=read_by(addresses.site_url),
    help="In Markdown, link pages to this preview of NEW, which is a directory.",
)
@flag(OUTPUT, "--exit-code", help="Exit with 1 if anything differs.")
@option(
    OUTPUT,
    "--fail-on",
    type=click.Choice(["lost"]),
    help="Exit with 1 if a removed page is lost: nothing is at its URL, and nothing redirects it.",
)
@VERBOSE
@QUIET
def diff(
    *,
    old: str,
    new: str,
    site_url: str | None,
    timeout: float,
    deadline: float,
    output: tuple[tuple[str, Form], ...],
    form: Form,
    preview: str | None,
    exit_code: bool,
    fail_on: str | None,
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

    A page differs if only one version lists it, or if its date or its language variants differ. The order of entries,
    the compression of a sitemap, which sitemap lists a page, and a date that only gained or lost its time do not count.

    Exit codes:
      0  both versions were compared
      1  they differ, and --exit-code was given; or pages are lost, and --fail-on lost was given
      2  one of them cannot be read, or nobody can know whether pages are lost
    """
    if output:
        refuse({"form"}, "with -o")
    refuse_missing(old, new)
    fetcher = Fetcher(timeout=timeout, deadline=deadline)
    project, why = "", None
    if os.path.isdir(new):
        with suppress(WrongOptionsError):  # sites are compared even if nobody knows what their projects leave out
            site = find_site(new, site_url=site_url)
            project, why = os.path.dirname(site.configuration.file) if site.configuration else site.beside, site.why
    with progress(quiet=quiet) as tell:
        difference = announcing.diff(
            old,
            new,
            site_url=site_url or "",
            fetcher=fetcher,
            tell=tell,
            project=project,
            why=why or (lambda _, __: ""),
        )
    for file, each in output:
        save(file, partial(write_difference, difference, each, show_all=True, preview=preview or ""))
    if output and not quiet:
        say(difference_summary(difference))
    elif not quiet:
        write_difference(difference, form, stdout(form), show_all=verbose, preview=preview or "")
    if fail_on and difference.removed and not difference.gone:
        message = "--fail-on lost cannot judge this NEW. Give the directory of the built site, or the live site."
        raise WrongOptionsError([message])
    if fail_on and difference.lost:
        complain(f"{counted(len(difference.lost), 'page')} lost. Redirect each, or put it back.")
        for lost in difference.lost if quiet or output else ():
            complain(f"lost: {lost.url} ({lost.why})")
        return 1
    return int(exit_code and bool(difference))
