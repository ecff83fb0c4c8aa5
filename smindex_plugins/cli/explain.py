"""The command `smindex explain`: why a page is in its sitemap with its date, or in none."""

from typing import Literal

import click

from smindex_plugins.cli.options import INPUT, PLACE, Command, form_option, option
from smindex_plugins.cli.output import stdout
from smindex_plugins.cli.subject import built_directory
from smindex_plugins.projects import find_site
from smindex_plugins.reports import Explainer, write_explanations


@click.command(cls=Command)
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@option(
    INPUT,
    "--site",
    metavar="DIRECTORY",
    help="The built site, or the project that builds it (default: the project here).",
)
@PLACE
@form_option("text", "json")
def explain(
    *,
    pages: tuple[str, ...],
    site: str | None,
    site_url: str | None,
    index_filename: str | None,
    form: Literal["text", "json"],
) -> int:
    """Explain why a page is listed where it is, why it has its date, or why it is not listed.

    PAGE is the URL of a page, its file in the built site, its path below the site's URL, or one of its source files.
    Dates are those that git gives now.

    Examples:
      smindex explain docs/guide/install.md
      smindex explain https://example.org/docs/guide/install/
      smindex explain site/404.html --format json
      smindex explain guide/install/ --site public

    Exit codes:
      0  all pages were found
      1  a page was not found
      2  the command could not run
    """
    found = find_site(site, site_url=site_url)
    explainer = Explainer(site=found, checked=built_directory(found, site, index_filename))
    return int(write_explanations(explainer.explain(pages), form, stdout(form)) > 0)
