"""What several parts of the command take alike: addresses, and origins with what proves that they agree."""

import argparse

from smindex_plugins import __version__, urls
from smindex_plugins.cross_submission import Consents, read_consents
from smindex_plugins.fetching import Fetcher


def new_fetcher() -> Fetcher:
    """Make what asks servers in the name of this tool."""
    return Fetcher(f"smindex/{__version__} (+https://pypi.org/project/smindex-plugins/)")


def site_url(given: str) -> str:
    """Read the address of a directory."""
    return url(given.rstrip("/") + "/")


def url(given: str) -> str:
    """Read an http or https URL."""
    try:
        return urls.normalise(given)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_cross_site(parser: argparse.ArgumentParser) -> None:
    """Add the option that names other sites."""
    parser.add_argument(
        "--cross-site",
        metavar="ORIGIN[=PROOF]",
        type=_origin_and_proof,
        action="append",
        default=[],
        help="let the index list what is at another origin, whose robots.txt must name the index: PROOF is that file, "
        "its directory, or its URL; it is fetched from ORIGIN if not given; can be repeated",
    )


def consents(given: argparse.Namespace) -> Consents:
    """Read what proves that the named sites agree."""
    return read_consents(given.cross_site, fetcher=new_fetcher())


def _origin_and_proof(given: str) -> tuple[str, str]:
    origin, _, proof = given.partition("=")
    try:
        normal = urls.read_origin(origin)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return normal, proof or f"{normal}/robots.txt"
