"""The command `smindex console`, which submits an index to Search Console and shows its status."""

from typing import Literal

import click

from smindex_plugins.announcing.console import Console, add_live, covers, read_property
from smindex_plugins.announcing.console_output import write_console
from smindex_plugins.base import urls
from smindex_plugins.base.text import brief
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.options import INPUT, WAITING, form_option, option, read_by, together
from smindex_plugins.cli.output import progress, say, stdout
from smindex_plugins.reading.web import Fetcher


def _read_index(given: str) -> str:
    url = urls.normalise(given)
    if url.endswith("/"):
        message = (
            f"{brief(given)} is a directory; pass the URL of an index, such as"
            f" {url}sitemap_index.xml"
        )
        raise ValueError(message)
    return url


INDEX = together(
    click.argument("index", callback=read_by(_read_index)),
    option(
        INPUT,
        *("--property", "name"),
        metavar="PROPERTY",
        callback=read_by(read_property),
        help=(
            "Your property: a URL that ends in a slash, or sc-domain:example.org (default: the"
            " narrowest one that contains the index)."
        ),
    ),
    WAITING,
)


@click.group(no_args_is_help=False)
def console() -> None:
    """Submit an index to Google Search Console, or show its status."""


@console.command(cls=Command)
@INDEX
def submit(*, index: str, name: str | None, timeout: float, deadline: float) -> int:
    """Submit the index at the URL INDEX to Search Console.

    Examples:
      smindex console submit https://example.org/sitemap_index.xml
      smindex console submit https://example.org/sitemap_index.xml --property sc-domain:example.org

    The command requires google-auth (the extra console of the package) and Application Default
    Credentials. In CI, set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service
    account that is a user of the property.

    Exit codes:
      0  the index was submitted
      2  the command could not run, or Google refused
    """
    fetcher = Fetcher(timeout=timeout, deadline=deadline)
    found, name = _open(index, name, fetcher)
    found.submit(name, index)
    say(
        f"submitted {index} to {name}. Google reads it within a few days; see `smindex console"
        " status`"
    )
    return 0


@console.command(cls=Command)
@INDEX
@form_option("text", "json")
def status(
    *, index: str, name: str | None, timeout: float, deadline: float, form: Literal["text", "json"]
) -> int:
    """Show the status of the index at the URL INDEX and of its sitemaps in Search Console.

    For comparison, the output also shows what the live files list.

    Examples:
      smindex console status https://example.org/sitemap_index.xml
      smindex console status https://example.org/sitemap_index.xml --format json

    The command requires the same credentials as `smindex console submit`.

    Exit codes:
      0  Google reports no errors
      1  Google reports errors, or does not know the index
      2  the command could not run, or Google refused
    """
    # may not request the addresses that the credentials name
    live = Fetcher(timeout=timeout, deadline=deadline)
    with progress() as tell:
        found, name = _open(index, name, Fetcher(timeout=timeout, deadline=deadline))
        tell("requesting the status from Google")
        statuses = add_live(found.status(name, index), index, live, tell)
    write_console(name, statuses, form, stdout(form))
    return int(not statuses[0].known or any(status.errors for status in statuses))


def _open(index: str, name: str | None, fetcher: Fetcher) -> tuple[Console, str]:
    """Return the client and the property that contains the index.

    Raises:
        ValueError: the given property does not contain the index.
        ExplainedError: there are no credentials, or no property contains the index.
    """
    if name and not covers(name, index):
        message = f"{index} is outside the property {name}. Nothing was requested"
        raise ValueError(message)
    found = Console(fetcher)
    return found, name or found.property_of(index)
