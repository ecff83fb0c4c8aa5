"""The command `smindex explain`, which explains checks and pages."""

import os
from typing import TYPE_CHECKING, Literal

import click

from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.base.text import WrongOptionsError, did_you_mean
from smindex_plugins.cli.built import open_built
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.options import PLACE, form_option, starting_with
from smindex_plugins.cli.output import stdout
from smindex_plugins.explain.checks import write_checks
from smindex_plugins.explain.explaining import Explainer, Explanation
from smindex_plugins.explain.output import write_explanations

if TYPE_CHECKING:
    from collections.abc import Iterable


@click.command(cls=Command)
@click.argument(
    "names", metavar="[SITE] [CHECK|PAGE]...", nargs=-1, shell_complete=starting_with(CATALOGUE)
)
@PLACE
@form_option("text", "json")
def explain(
    *,
    names: tuple[str, ...],
    site_url: str | None,
    index_filename: str | None,
    form: Literal["text", "json"],
) -> int:
    """Explain a check, or why a page is listed or omitted and where its date comes from.

    CHECK is the name of a check or message. Without arguments, the command lists all checks.

    PAGE is the URL of a page, its file in the built site, its path below the site's URL, or one of
    its source files. What the build decided comes from its record, which every build saves in its
    project.

    SITE is the built site, or the project that builds it (default: the project in the current
    directory). The first of several arguments is the site if it is a directory.

    Examples:
      smindex explain invalid-date
      smindex explain docs/guide/install.md
      smindex explain https://example.org/docs/guide/install/
      smindex explain site/404.html --format json
      smindex explain public guide/install/

    Exit codes:
      0  all pages were found
      1  a page was not found
      2  the command could not run
    """
    site = None
    if len(names) > 1 and os.path.isdir(names[0]):
        site, *others = names
        names = tuple(others)
    kinds = [CATALOGUE[name] for name in names if name in CATALOGUE]
    pages = [name for name in names if name not in CATALOGUE]
    explained: Iterable[Explanation] = ()
    if pages:
        try:
            _, directory, record = open_built(
                site, site_url=site_url, index_filename=index_filename
            )
            explained = Explainer(checked=directory, record=record).explain(pages)
        except (WrongOptionsError, OSError):
            for name in pages:
                if "/" in name or "." in name:
                    continue
                nearest = did_you_mean(name, CATALOGUE)
                if nearest:
                    message = f"no such check: {name!r}; did you mean {nearest!r}?"
                    raise WrongOptionsError([message]) from None
            raise
    out = stdout(form)
    if not names and form == "text":
        write_checks(out)
        return 0
    if not names:
        kinds = list(CATALOGUE.values())
    missing = write_explanations(explained, form, out, kinds=kinds)
    return int(missing > 0)
