"""The command `smindex console`: an index is submitted to Search Console, and what Google made of it is shown."""

from typing import Literal

import click

from smindex_plugins import urls
from smindex_plugins.announcing import Console, add_live, covers, read_property
from smindex_plugins.cli.options import INPUT, WAITING, Command, form_option, option, read_by, together
from smindex_plugins.cli.output import progress, say, stdout
from smindex_plugins.reports import write_console
from smindex_plugins.text import brief
from smindex_plugins.web import Fetcher


def _read_index(given: str) -> str:
    url = urls.normalise(given)
    if url.endswith("/"):
        message = f"{brief(given)} is a directory; name the index itself, such as {url}sitemap_index.xml"
        raise ValueError(message)
    return url


INDEX = together(
    click.argument("index", callback=read_by(_read_index)),
    option(
        INPUT,
        *("--property", "name"),
        metavar="PROPERTY",
        callback=read_by(read_property),
        help="A property of yours: a URL that ends in a slash, or sc-domain:example.org (default: the narrowest that "
        "holds the index).",
    ),
    WAITING,
)


@click.group(no_args_is_help=False)
def console() -> None:
    """Submit an index to Google's Search Console, or show what Google made of it."""


@console.command(cls=Command)
@INDEX
def submit(*, index: str, name: str | None, timeout: float, deadline: float) -> int:
    """Submit the index at the URL INDEX to Search Console.

    Examples:
      smindex console submit https://example.org/sitemap_index.xml
      smindex console submit https://example.org/sitemap_index.xml --property sc-domain:example.org

    The command needs google-auth (pip install 'smindex-plugins[console]') and Application Default Credentials. In CI,
    GOOGLE_APPLICATION_CREDENTIALS is the key file of a service account that is a user of the property.

    Exit codes:
      0  it was submitted
      2  the command could not run, or Google refused
    """
    found, name = _open(index, name, Fetcher(timeout=timeout, deadline=deadline))
    found.submit(name, index)
    say(f"submitted {index} to {name}. Google reads it within some days: smindex console status shows it")
    return 0


@console.command(cls=Command)
@INDEX
@form_option("text", "json")
def status(*, index: str, name: str | None, timeout: float, deadline: float, form: Literal["text", "json"]) -> int:
    """Show what Google made of the index at the URL INDEX, and of its sitemaps.

    What the live files list is shown beside it.

    Examples:
      smindex console status https://example.org/sitemap_index.xml
      smindex console status https://example.org/sitemap_index.xml --format json

    The command needs the same credentials as `smindex console submit`.

    Exit codes:
      0  Google counts no errors
      1  Google counts errors, or does not know the index
      2  the command could not run, or Google refused
    """
    with progress() as tell:
        found, name = _open(index, name, Fetcher(timeout=timeout, deadline=deadline))
        tell("asking Google")
        live = Fetcher(timeout=timeout, deadline=deadline)
        statuses = add_live(found.status(name, index), index, live, tell)
    write_console(name, statuses, form, stdout(form))
    return int(not statuses[0].known or any(status.errors for status in statuses))


def _open(index: str, name: str | None, fetcher: Fetcher) -> tuple[Console, str]:
    """Return what asks, and the property that holds the index.

    Raises:
        ValueError: the property that was given does not hold it.
        ExplainedError: there are no credentials, or no property holds it.
    """
    if name and not covers(name, index):
        message = f"{index} is outside the property {name}. Nothing was asked"
        raise ValueError(message)
    found = Console(fetcher)
    return found, name or found.property_of(index)
