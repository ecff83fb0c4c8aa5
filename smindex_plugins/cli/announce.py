"""The command `smindex announce`, which notifies search engines of changed pages with IndexNow."""

import os
import re
from functools import partial

import click

from smindex_plugins.announcing.indexnow import await_live, check_key, key_location, new_key, send
from smindex_plugins.base import urls
from smindex_plugins.base.difference import Difference
from smindex_plugins.base.outputs import refuse_foreign, save
from smindex_plugins.base.text import brief, counted
from smindex_plugins.base.urls import is_url
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.options import (
    INPUT,
    OUTPUT,
    QUIET,
    SITE_URL,
    WAITING,
    complete_files,
    flag,
    option,
    printing,
    read_by,
    seconds,
)
from smindex_plugins.cli.output import complain, progress, say
from smindex_plugins.cli.targets import refuse_missing
from smindex_plugins.compare.changes import read_changes
from smindex_plugins.compare.comparing import from_nothing
from smindex_plugins.compare.output import write_difference
from smindex_plugins.reading.web import Fetcher

_FIRST = (
    "first deployment: nothing is announced, because nothing shows which pages changed. To announce"
    " every page now, pass --all"
)
_NO_KEY = (
    "no key is set. Pass --key or set INDEXNOW_KEY; `smindex announce --new-key` creates a key"
)
_SITEMAPS = (".xml", ".xml.gz", ".txt")


def _read_key(given: str) -> str:
    if not re.fullmatch("[A-Za-z0-9-]{8,128}", given):
        message = f"got {brief(given)}; accepted: a key of 8 to 128 letters, digits and hyphens"
        raise ValueError(message)
    return given


@click.command(cls=Command)
@click.argument("target", metavar="CHANGES|SITE", shell_complete=complete_files)
@SITE_URL
@flag(INPUT, "--all", "everything", help="Announce every page, even if no page was listed before.")
@option(
    INPUT,
    "--key",
    metavar="KEY",
    envvar="INDEXNOW_KEY",
    show_envvar=True,
    callback=read_by(_read_key),
    help="The IndexNow key.",
)
@printing(INPUT, "--new-key", lambda: [new_key()], "Print a new key and exit.")
@flag(OUTPUT, "--dry-run", help="Print the URLs that would be announced, without sending them.")
@seconds("--wait", 0.0, "Maximum time to wait until the new version is live.")
@WAITING
@QUIET
def announce(
    *,
    target: str,
    site_url: str | None,
    everything: bool,
    key: str | None,
    dry_run: bool,
    wait: float,
    timeout: float,
    deadline: float,
    quiet: bool,
) -> int:
    """Notify search engines of added, changed and removed pages with IndexNow.

    CHANGES is a file written by `smindex diff -o changes.json`. With --all, SITE is a directory, an
    index file or the URL of a live site.

    Examples:
      smindex announce --new-key
      smindex diff https://example.org/ site -o changes.json    before the deployment
      smindex announce changes.json --dry-run                   to see what it would send
      smindex announce changes.json --wait 600                  after it
      smindex announce https://example.org/ --all               once, to announce every page

    Deploy a file KEY.txt that contains the key, next to the index. The command waits until the new
    version is live, checks the key file, and posts up to 10,000 URLs at a time. URLs that the
    search engine does not accept are written to a file with the suffix -left.json. Announce that
    file later.

    Exit codes:
      0  all URLs were accepted (status 200 or 202), or there is nothing to announce
      1  some URLs were not accepted
      2  the command could not run, and nothing was sent
    """
    fetcher = Fetcher(timeout=timeout, deadline=deadline + wait)
    with progress(quiet=quiet) as tell:
        difference = _read(target, site_url, fetcher, everything=everything)
        announced = _to_announce(difference, everything=everything, quiet=quiet)
        if not announced:
            return 0
        if not (key or dry_run):
            raise ValueError(_NO_KEY)
        key = key or "KEY"
        location = key_location(key, difference.live)
        scope = urls.directory(location)
        outside = [url for url in announced if not url.startswith(scope)]
        if outside:
            first, *others = outside
            more = f" and {counted(len(others), 'more URL')}" if others else ""
            complain(f"not announced: {first}{more}, outside {scope}, where the key file is")
        left = [url for url in announced if url.startswith(scope)]
        if dry_run:
            for url in left:
                say(f"would be announced: {url}")
            return 0
        refuse_foreign(_name_of_left(target))
        await_live(difference.live, fetcher, wait, tell)
        check_key(key, location, fetcher)
        try:
            for outcome in send(left, key, location, fetcher):
                result = f"{counted(len(outcome.urls), 'URL')} of {scope}: {outcome.words}"
                if not outcome.is_taken:
                    complain(result)
                    continue
                left = left[len(outcome.urls) :]
                if not quiet:
                    say(result)
        finally:
            if left:
                _save_left(difference.only(frozenset(left)), target)
    return int(bool(left))


def _to_announce(difference: Difference, *, everything: bool, quiet: bool) -> list[str]:
    """Return the URLs to announce, and print why others are not."""
    announced = difference.announced()
    messages = []
    pages = len(difference.added) + len(difference.removed) + len(difference.changed)
    lost = pages - len(announced)
    if lost:
        messages.append(f"not announced: {counted(lost, 'page')} with only the date removed")
    if difference.first_deployment and not everything:
        messages.append(_FIRST)
        announced = []
    elif not announced:
        messages.append("no page was added, changed or removed; nothing to announce")
    if not quiet:
        for message in messages:
            say(message)
    return announced


def _read(target: str, site_url: str | None, fetcher: Fetcher, *, everything: bool) -> Difference:
    """Return the changes in a file, or all pages of a site.

    Raises:
        ValueError: these are all pages of the site, without --all, or nothing shows when they are
            live.
    """
    refuse_missing(target)
    if is_url(target) or os.path.isdir(target) or target.endswith(_SITEMAPS):
        difference = from_nothing(target, site_url=site_url or "", fetcher=fetcher)
    else:
        difference = read_changes(target)
    if difference.is_first and not everything and not difference.first_deployment:
        message = (
            f"this would announce all {counted(difference.urls_after, 'page')}, because none was"
            " listed before. Use IndexNow only for pages that changed since you started to use it;"
            " search engines find the others in the sitemaps. Run `smindex diff` before the next"
            " deployment and announce its result, or pass --all to announce every page now"
        )
        raise ValueError(message)
    if difference.announced() and not difference.live:
        problem = (
            "it names no sitemap whose new version must be live first, because NEW was a report"
        )
        fix = (
            "Write it with `smindex diff OLD NEW -o changes.json`, where NEW is the built site or"
            " the live site"
        )
        message = f"{target}: {problem}. {fix}"
        raise ValueError(message)
    return difference


def _name_of_left(target: str) -> str:
    """Return the name of the file for URLs that are not accepted."""
    stem, suffix = os.path.splitext(target)
    if suffix != ".json" or not os.path.isfile(target):
        return "changes-left.json"
    first_stem = stem.removesuffix("-left")
    return f"{first_stem}-left.json"


def _save_left(left: Difference, target: str) -> None:
    """Write the URLs that were not accepted to a file that a later run can announce."""
    name = _name_of_left(target)
    save(name, partial(write_difference, left, "json"))
    again = " --all" if left.is_first else ""
    number = counted(len(left.announced()), "URL")
    complain(f"{number} not accepted; to send them later: smindex announce {name}{again}")
