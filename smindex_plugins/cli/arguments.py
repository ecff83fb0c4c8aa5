"""What several parts of the command have in common: exit codes, addresses, origins and what proves that they agree."""

import argparse
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from smindex_plugins import urls
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.reports import LEVELS
from smindex_plugins.settings import SettingsError
from smindex_plugins.sitemaps import Consents, read_consents
from smindex_plugins.sites import Fetcher

CLEAN, FOUND, CANNOT_RUN = 0, 1, 2
"""The exit codes."""

T = TypeVar("T")
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no other name


def read_by(read: Callable[[str], T]) -> Callable[[str], T]:
    """Return the type of an argument that tells why a value is wrong in the words of what reads it."""

    def checked(given: str) -> T:
        try:
            return read(given)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        except SettingsError as error:
            raise argparse.ArgumentTypeError(error.errors[0][1]) from error

    return checked


def add_target(parser: argparse.ArgumentParser, metavar: str, meaning: str, address: str) -> None:
    """Add what a part of the command works on, and the option that says at which address it is served."""
    parser.add_argument("target", metavar=metavar, help=meaning)
    parser.add_argument("--site-url", metavar="URL", type=read_by(urls.site_url), help=address)


def add_cross_site(parser: argparse.ArgumentParser) -> None:
    """Add the option that names other sites."""
    parser.add_argument(
        "--cross-site",
        metavar="ORIGIN[=PROOF]",
        type=read_by(_origin_and_proof),
        action="append",
        default=[],
        help="let the index list what is at another origin, whose robots.txt must name the index: PROOF is that file, "
        "its directory, or its URL; it is fetched from ORIGIN if not given; can be repeated",
    )


def add_manner(parser: argparse.ArgumentParser) -> None:
    """Add the options of every part that writes."""
    parser.add_argument("--dry-run", action="store_true", help="say what would change, and write nothing")
    add_fail_on(parser)
    much = parser.add_mutually_exclusive_group()
    much.add_argument(
        "-v", "--verbose", action="store_true", help="show each finding, all that is left out, and each file"
    )
    much.add_argument("-q", "--quiet", action="store_true", help="print nothing; the exit code tells")


def add_fail_on(parser: argparse.ArgumentParser) -> None:
    """Add the option that says which findings are a failure."""
    parser.add_argument(
        "--fail-on",
        choices=LEVELS,
        default="error",
        help="the least level that makes the exit code 1 (default: %(default)s)",
    )


def consents(given: argparse.Namespace) -> Consents:
    """Read what proves that the named sites agree."""
    if not given.cross_site:  # to be ready for HTTPS takes 20 ms
        return Consents()
    fetcher = Fetcher()

    def fetch(url: str) -> bytes:
        answer = fetcher.get(url, MAX_ROBOTS)
        if not answer.is_ok:
            raise OSError(answer.problem)
        return answer.content

    return read_consents(given.cross_site, fetch=fetch)


def _origin_and_proof(given: str) -> tuple[str, str]:
    name, _, proof = given.partition("=")
    origin = urls.read_origin(name)
    return origin, proof or f"{origin}/robots.txt"
