"""What several parts of the command share: exit codes, and the options for addresses, other sites, time and output."""

import argparse
import math
import os
import re
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from smindex_plugins import addresses
from smindex_plugins.limits import ANSWER_SECONDS, MAX_ROBOTS, RUN_SECONDS
from smindex_plugins.reports import LEVELS
from smindex_plugins.settings import SettingsError
from smindex_plugins.sitemaps import Consents, is_url, read_consents
from smindex_plugins.web import AT_ONCE, Fetcher

CLEAN, FOUND, CANNOT_RUN = 0, 1, 2
"""The exit codes."""
_DAY = 86_400

T = TypeVar("T")
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no other name
Group: TypeAlias = "argparse._ArgumentGroup"  # noqa: SLF001 - nor has this


def read_by(read: Callable[[str], T]) -> Callable[[str], T]:
    """Return the type of an argument. Its errors have the words of the function that reads the value."""

    def checked(given: str) -> T:
        try:
            return read(given)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        except SettingsError as error:
            raise argparse.ArgumentTypeError(error.errors[0][1]) from error

    return checked


def seconds(given: str) -> float:
    """Return a time in seconds, at most a day; tests use parts of a second."""
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not 0 < value <= _DAY:
        message = f"got {given!r}; accepted: a number of seconds above 0, up to {_DAY:,}"
        raise argparse.ArgumentTypeError(message)
    return value


def add_target(group: Group, metavar: str, meaning: str, address: str) -> None:
    """Add what a part of the command works on, and the option that says at which address it is served."""
    group.add_argument("target", metavar=metavar, help=meaning)
    group.add_argument("--site-url", metavar="URL", type=read_by(addresses.site_url), help=address)


def add_place(group: Group) -> None:
    """Add the options that say where a built site is served, and which file is its index."""
    group.add_argument(
        "--site-url",
        metavar="URL",
        type=read_by(addresses.site_url),
        help="the address of the directory (default: from the configuration beside it, or from its sitemaps)",
    )
    group.add_argument("--index-filename", metavar="NAME", help="name of the index (default: one of the usual names)")


def add_cross_site(group: Group) -> None:
    """Add the option that names other sites."""
    group.add_argument(
        "--cross-site",
        metavar="ORIGIN[=PROOF]",
        type=read_by(_origin_and_proof),
        action="append",
        default=[],
        help="allow URLs of another site. The robots.txt of that site must have a Sitemap: line for our index. "
        "PROOF is the path or URL of that robots.txt (default: ORIGIN/robots.txt). Repeatable.",
    )


def add_waiting(group: Group) -> None:
    """Add the options that limit how long the command waits for servers."""
    group.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=seconds,
        help=f"longest time for one answer, from the connection to the last byte (default: {ANSWER_SECONDS:g})",
    )
    group.add_argument(
        "--deadline",
        metavar="SECONDS",
        type=seconds,
        help=f"longest time for all requests together; what is left out then is named (default: {RUN_SECONDS:g})",
    )


def fetcher(given: argparse.Namespace, at_once: int = AT_ONCE) -> Fetcher:
    """Return the fetcher, which waits for servers as long as these options say."""
    return Fetcher(timeout=given.timeout or ANSWER_SECONDS, deadline=given.deadline or RUN_SECONDS, at_once=at_once)


def refuse_missing(*names: str) -> None:
    """Refuse what is neither a URL nor there.

    Raises:
        ValueError: it is one of these.
    """
    for name in names:
        if not name:  # of a variable that is not set, as a rule
            message = "the name of a site is empty. Name a directory, an index file, or a URL"
            raise ValueError(message)
        if not is_url(name) and not os.path.exists(name):
            message = f"{name}: there is no such directory or file"
            raise ValueError(message)


def jobs(given: str) -> int:
    """Return a number of requests at the same time.

    Raises:
        ValueError: it is not one.
    """
    if not re.fullmatch(r"[1-9]\d{0,2}", given):
        message = f"got {given!r}; accepted: a number from 1 to 999"
        raise ValueError(message)
    return int(given)


def add_manner(group: Group) -> None:
    """Add the output options of every part that writes."""
    group.add_argument("--dry-run", action="store_true", help="show what would change, but write nothing")
    add_fail_on(group)
    much = group.add_mutually_exclusive_group()
    much.add_argument(
        "-v", "--verbose", action="store_true", help="show every finding, every page that is left out, and every file"
    )
    much.add_argument("-q", "--quiet", action="store_true", help="print nothing; the exit code shows the result")


def add_fail_on(group: Group) -> None:
    """Add the option that sets which findings are a failure."""
    group.add_argument(
        "--fail-on",
        choices=LEVELS,
        default="error",
        help="exit with code 1 if there is any finding of this level or worse (default: %(default)s)",
    )


def consents(given: argparse.Namespace, fetcher: Fetcher | None = None) -> Consents:
    """Return the consents of the named sites, read from their robots.txt."""
    if not given.cross_site:  # to be ready for HTTPS takes 20 ms
        return Consents()
    asking = fetcher or Fetcher()

    def fetch(url: str) -> bytes:
        asking.allow(url)
        answer = asking.get(url, MAX_ROBOTS)
        if not answer.is_ok:
            raise OSError(answer.problem)
        return answer.content

    return read_consents(given.cross_site, fetch=fetch)


def _origin_and_proof(given: str) -> tuple[str, str]:
    name, _, proof = given.partition("=")
    origin = addresses.read_origin(name)
    return origin, proof or f"{origin}/robots.txt"
