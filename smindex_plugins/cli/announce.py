"""The command `smindex announce`: tells search engines by IndexNow which pages changed."""

import argparse
import os
import re
from collections.abc import Sequence
from functools import partial

from smindex_plugins import addresses, urls
from smindex_plugins.announcing import (
    Difference,
    await_live,
    check_key,
    everything,
    key_location,
    new_key,
    read_changes,
    send,
)
from smindex_plugins.cli import arguments, output
from smindex_plugins.cli.progress import Progress
from smindex_plugins.files import save
from smindex_plugins.limits import RUN_SECONDS
from smindex_plugins.reports import write_difference
from smindex_plugins.sitemaps import is_url
from smindex_plugins.text import brief, counted
from smindex_plugins.web import Fetcher

_VARIABLE = "INDEXNOW_KEY"
_KEY = re.compile("[A-Za-z0-9-]{8,128}")
_SITEMAP_ENDS = (".xml", ".xml.gz", ".txt")
_EXAMPLES = f"""\
examples:
  smindex announce --new-key
  smindex diff https://example.org/ site -o changes.json    before the deployment
  smindex announce changes.json --wait 600                  after it
  smindex announce https://example.org/ --all               once, to announce every page

The key is that of --key, or of the environment variable {_VARIABLE}. Put its file beside the index: KEY.txt, which
contains the key.

The command waits until the new version is live, looks for the key file, and posts the URLs of pages that were added,
changed or removed, at most 10,000 at a time. URLs that the engine did not take go to CHANGES with -left before its
suffix. Announce that file later.

exit codes: 0 all is taken (answers 200 and 202), 1 some URLs were not taken, 2 the command could not run, and nothing
was sent
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `announce` with the function that runs it."""
    parser = commands.add_parser(
        "announce",
        help="tell search engines which pages changed, by IndexNow",
        description="Tell search engines by IndexNow which pages were added, changed or removed.",
        usage="%(prog)s CHANGES|SITE [--key KEY] [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parser.set_defaults(run=_announce)
    what = parser.add_argument_group("what to announce")
    what.add_argument(
        "target",
        metavar="CHANGES|SITE",
        nargs="?",
        help="a file that `smindex diff` wrote with -o; with --all also a directory, an index file, or a URL",
    )
    what.add_argument("--all", action="store_true", help="announce also where no page was listed before")
    what.add_argument(
        "--site-url",
        metavar="URL",
        type=arguments.read_by(addresses.site_url),
        help="the address of what is a directory (default: from its sitemaps)",
    )
    proof = parser.add_argument_group("key")
    proof.add_argument("--key", metavar="KEY", help=f"the key of IndexNow (default: that of {_VARIABLE})")
    proof.add_argument("--new-key", action="store_true", help="print a new key, and do nothing else")
    servers = parser.add_argument_group("servers")
    servers.add_argument(
        "--wait",
        metavar="SECONDS",
        type=lambda given: 0.0 if given == "0" else arguments.seconds(given),
        default=0.0,
        help="how long to wait until the new version is live (default: not at all)",
    )
    arguments.add_waiting(servers)
    parser.add_argument_group("output").add_argument(
        "-q", "--quiet", action="store_true", help="print nothing but errors"
    )


def _announce(given: argparse.Namespace) -> int:
    if given.new_key:
        output.say(new_key())
        return arguments.CLEAN
    given.deadline = (given.deadline or RUN_SECONDS) + given.wait
    fetcher = arguments.fetcher(given)
    with Progress(is_shown=not given.quiet) as tell:
        difference = _changes(given, fetcher)
        announced = difference.announced()
        lost = len(difference.added) + len(difference.removed) + len(difference.changed) - len(announced)
        if lost and not given.quiet:
            output.say(f"not announced: {counted(lost, 'page')} of which only the date is gone")
        if not announced:
            if not given.quiet:
                output.say("no page was added, changed or removed, so nothing is announced")
            return arguments.CLEAN
        if difference.is_first and not given.all:
            message = (
                f"all {counted(difference.urls_after, 'page')} would be announced, for none was listed before. "
                "IndexNow is for pages that changed since you began with it; search engines find the others by the "
                "sitemaps. Run `smindex diff` before the next deployment and announce what it finds, or give --all to "
                "announce every page now"
            )
            raise ValueError(message)
        key = _key(given)
        location = key_location(key, difference.live)
        scope = urls.directory(location)
        if outside := [url for url in announced if not url.startswith(scope)]:
            more = f" and {counted(len(outside) - 1, 'more URL')}" if len(outside) > 1 else ""
            output.complain(f"not announced: {outside[0]}{more}, outside {scope}, where the key file is")
        left = [url for url in announced if url.startswith(scope)]
        await_live(difference.live, fetcher, given.wait, tell)
        check_key(key, location, fetcher)
        try:
            for outcome in send(left, key, location, fetcher):
                say = output.complain
                if outcome.is_taken:
                    left = left[len(outcome.urls) :]
                    say = output.say
                if not (outcome.is_taken and given.quiet):
                    say(f"{counted(len(outcome.urls), 'URL')} of {scope}: {outcome.words}")
        finally:
            _keep_left(difference, left, given.target)
    return arguments.FOUND if left else arguments.CLEAN


def _changes(given: argparse.Namespace, fetcher: Fetcher) -> Difference:
    if given.target is None:
        message = "name a file of changes: `smindex diff OLD NEW -o changes.json` writes one before the deployment"
        raise ValueError(message)
    arguments.refuse_missing(given.target)
    if is_url(given.target) or os.path.isdir(given.target) or given.target.endswith(_SITEMAP_ENDS):
        return everything(given.target, site_url=given.site_url or "", fetcher=fetcher)
    return read_changes(given.target)


def _key(given: argparse.Namespace) -> str:
    """Return the key, checked.

    Raises:
        ValueError: there is none, or it is wrong.
    """
    flag, key = ("--key", given.key) if given.key is not None else (_VARIABLE, os.environ.get(_VARIABLE))
    if not key:
        message = f"there is no key. Give --key or set {_VARIABLE}; `smindex announce --new-key` makes one"
        raise ValueError(message)
    if not _KEY.fullmatch(key):
        message = f"{flag}: got {brief(key)}; accepted: a key of 8 to 128 letters, digits and hyphens"
        raise ValueError(message)
    return key


def _keep_left(difference: Difference, left: Sequence[str], target: str) -> None:
    """Write what was not taken to a file that a later run can announce."""
    if not left:
        return
    stem, suffix = os.path.splitext(target)
    is_file = os.path.isfile(target) and suffix == ".json"
    name = f"{stem.removesuffix('-left')}-left.json" if is_file else "changes-left.json"
    rest = difference.only(frozenset(left))
    save(name, partial(write_difference, rest, "json"))
    again = " --all" if rest.is_first else ""
    output.complain(f"{counted(len(left), 'URL')} not taken; to send them later: smindex announce {name}{again}")
