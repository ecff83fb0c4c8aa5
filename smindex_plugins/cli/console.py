"""The command `smindex console`: an index is submitted to Search Console, and what Google made of it is shown."""

import argparse
import sys

from smindex_plugins import urls
from smindex_plugins.announcing import Console, add_live, covers, read_property
from smindex_plugins.cli import arguments, output
from smindex_plugins.cli.progress import Progress
from smindex_plugins.reports import write_console
from smindex_plugins.text import brief

_EXAMPLES = """\
examples:
  smindex console submit https://example.org/sitemap_index.xml
  smindex console status https://example.org/sitemap_index.xml
  smindex console status https://example.org/sitemap_index.xml --property sc-domain:example.org --format json

The command needs google-auth (pip install 'smindex-plugins[console]') and Application Default Credentials. In CI, let
GOOGLE_APPLICATION_CREDENTIALS name the key file of a service account that is a user of the property.

exit codes: 0 done, and Google counts no errors; 1 Google counts errors, or does not know the index; 2 the command could
not run, or Google refused
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `console` and its two parts, each with the function that runs it."""
    parser = commands.add_parser(
        "console",
        help="submit an index to Search Console, and see what Google made of it",
        description="Submit an index to Google's Search Console, or show what Google made of it and its sitemaps.",
        usage="%(prog)s submit|status INDEX [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parts = parser.add_subparsers(dest="part", required=True, metavar="submit|status")
    submit = parts.add_parser("submit", help="submit an index", description="Submit an index.", allow_abbrev=False)
    submit.set_defaults(run=_submit)
    status = parts.add_parser(
        "status",
        help="show the index and its sitemaps as Google has them, beside the live files",
        description="Show the index and its sitemaps as Google has them, beside the live files.",
        allow_abbrev=False,
    )
    status.set_defaults(run=_status)
    status.add_argument(
        "--format", choices=("text", "json"), default="text", help="form of the output (default: %(default)s)"
    )
    for part in (submit, status):
        part.add_argument(
            "index", metavar="INDEX", type=arguments.read_by(_index), help="the URL of the index, as it is on the web"
        )
        part.add_argument(
            "--property",
            metavar="PROPERTY",
            type=arguments.read_by(read_property),
            help="a property of yours: a URL that ends in a slash, or sc-domain:example.org (default: the narrowest "
            "that holds the index)",
        )
        arguments.add_waiting(part.add_argument_group("servers"))


def _index(given: str) -> str:
    url = urls.normalise(given)
    if url.endswith("/"):
        message = f"{brief(given)} is a directory; name the index itself, such as {url}sitemap_index.xml"
        raise ValueError(message)
    return url


def _begin(given: argparse.Namespace) -> tuple[Console, str]:
    """Return what asks, and the property that holds the index.

    Raises:
        ValueError: the property that was given does not hold it.
        ExplainedError: there are no credentials, or no property holds it.
    """
    if given.property and not covers(given.property, given.index):
        message = f"{given.index} is outside the property {given.property}. Nothing was asked"
        raise ValueError(message)
    console = Console(arguments.fetcher(given))
    return console, given.property or console.property_of(given.index)


def _submit(given: argparse.Namespace) -> int:
    console, name = _begin(given)
    console.submit(name, given.index)
    output.say(f"submitted {given.index} to {name}. Google reads it within some days: smindex console status shows it")
    return arguments.CLEAN


def _status(given: argparse.Namespace) -> int:
    with Progress(is_shown=True) as tell:
        console, name = _begin(given)
        tell("asking Google")
        statuses = add_live(console.status(name, given.index), given.index, arguments.fetcher(given), tell)
    if given.format == "json":
        output.use_utf8()
    write_console(name, statuses, given.format, sys.stdout)
    return int(not statuses[0].known or any(status.errors for status in statuses))
