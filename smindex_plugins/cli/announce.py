"""The command `smindex announce`: search engines are told by IndexNow which pages changed."""

import argparse
import json
import os
import re
from collections.abc import Sequence
from functools import partial

from smindex_plugins import addresses, urls
from smindex_plugins.announcing import (
    ENGINE,
    Difference,
    Outcome,
    Post,
    await_live,
    endpoint,
    everything,
    new_key,
    prepare,
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

The key is that of --key, or of the environment variable {_VARIABLE}. Its file is at the root of the host or beside the
index, unless --key-location names it. Put it there yourself: KEY.txt, which contains the key.

The command waits until the new version is live, looks for the key file, and posts the URLs of pages that were added,
changed or removed, at most 10,000 at a time. URLs that the engine did not take go to a file. Announce that file later.

exit codes: 0 all is taken (answers 200 and 202), 2 the command could not run, and nothing was sent; with some URLs that
were not taken: 3 wrong format (400), 4 the engine did not find the key (403), 5 a URL is not of the host (422), 6 too
many requests (429), 7 no answer, or one that the protocol does not know
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
    proof.add_argument(
        "--key-location", metavar="URL", type=arguments.read_by(urls.normalise), help="where the file of the key is"
    )
    proof.add_argument("--new-key", action="store_true", help="print a new key, and do nothing else")
    servers = parser.add_argument_group("servers")
    servers.add_argument(
        "--engine",
        metavar="HOST",
        type=arguments.read_by(endpoint),
        default=endpoint(ENGINE),
        help=f"the search engine that is told, and tells the others (default: {ENGINE})",
    )
    servers.add_argument(
        "--wait",
        metavar="SECONDS",
        type=lambda given: 0.0 if given == "0" else arguments.seconds(given),
        default=0.0,
        help="how long to wait until the new version is live (default: not at all)",
    )
    arguments.add_waiting(servers)
    manner = parser.add_argument_group("output")
    manner.add_argument("--dry-run", action="store_true", help="print what would be sent, and ask no server")
    manner.add_argument(
        "--left",
        metavar="FILE",
        help="where to write what was not taken (default: CHANGES with -left before its suffix)",
    )
    manner.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def _announce(given: argparse.Namespace) -> int:
    if given.new_key:
        output.say(new_key())
        return arguments.CLEAN
    fetcher = None if given.dry_run and not is_url(given.target or "") else _fetcher(given)
    with Progress(is_shown=not given.quiet) as tell:
        difference = _changes(given, fetcher)
        announced = difference.announced()
        _say_what(difference, len(announced), given)
        if not announced:
            return arguments.CLEAN
        _refuse_first(difference, given)
        key = _key(given)
        if given.dry_run or fetcher is None:
            return _print(prepare(difference, key, location=given.key_location or "", fetcher=None), given.engine)
        await_live(difference.live, fetcher, given.wait, tell)
        waiting = prepare(difference, key, location=given.key_location or "", fetcher=fetcher)
        left = set(announced)
        outcomes: list[Outcome] = []
        try:
            for outcome in send(waiting, given.engine, fetcher, tell):
                outcomes.append(outcome)
                left -= set(outcome.post.urls) if outcome.meaning.is_taken else set()
                if not given.quiet or not outcome.meaning.is_taken:
                    (output.say if outcome.meaning.is_taken else output.complain)(str(outcome))
        finally:
            _keep_left(difference, left, given)
    return next((outcome.meaning.code for outcome in outcomes if outcome.meaning.code), arguments.CLEAN)


def _fetcher(given: argparse.Namespace) -> Fetcher:
    """Return the fetcher, which has the time to wait for the site beside that for all else."""
    limit = argparse.Namespace(timeout=given.timeout, deadline=(given.deadline or RUN_SECONDS) + given.wait)
    return arguments.fetcher(limit)


def _changes(given: argparse.Namespace, fetcher: Fetcher | None) -> Difference:
    if given.target is None:
        message = "name a file of changes: `smindex diff OLD NEW -o changes.json` writes one before the deployment"
        raise ValueError(message)
    arguments.refuse_missing(given.target)
    if is_url(given.target) or os.path.isdir(given.target) or given.target.endswith(_SITEMAP_ENDS):
        return everything(given.target, site_url=given.site_url or "", fetcher=fetcher)
    return read_changes(given.target)


def _say_what(difference: Difference, announced: int, given: argparse.Namespace) -> None:
    if given.quiet or given.dry_run:
        return
    lost = len(difference.added) + len(difference.removed) + len(difference.changed) - announced
    if lost:
        output.say(f"not announced: {counted(lost, 'page')} of which only the date is gone")
    if not announced:
        output.say("no page was added, changed or removed, so nothing is announced")


def _refuse_first(difference: Difference, given: argparse.Namespace) -> None:
    """Refuse to announce a site of which no page was there before, unless that is asked for.

    Raises:
        ValueError: it is one.
    """
    if difference.is_first and not given.all:
        message = (
            f"all {counted(difference.urls_after, 'page')} would be announced, for none was listed before. IndexNow is "
            "for pages that changed since you began with it; search engines find the others by the sitemaps. Run "
            "`smindex diff` before the next deployment and announce what it finds, or give --all to announce every "
            "page now"
        )
        raise ValueError(message)


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


def _print(prepared: Sequence[Post], engine: str) -> int:
    for post in prepared:
        output.hand_over(f"POST {engine}\n{json.dumps(post.body(), indent=2)}")
    return arguments.CLEAN


def _keep_left(difference: Difference, left: set[str], given: argparse.Namespace) -> None:
    """Write what was not taken where another run can take it up."""
    if not left:
        return
    stem, suffix = os.path.splitext(given.target)
    is_file = os.path.isfile(given.target) and suffix == ".json"
    name = given.left or (f"{stem.removesuffix('-left')}-left.json" if is_file else "changes-left.json")
    save(name, partial(write_difference, difference.only(left), "json"))
    again = " --all" if difference.only(left).is_first else ""
    output.complain(f"{counted(len(left), 'URL')} not taken; to send them later: smindex announce {name}{again}")
