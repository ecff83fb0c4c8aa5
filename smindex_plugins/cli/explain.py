"""The command `smindex explain`: why a page is in its sitemap with its date, or in none."""

import argparse
import sys

from smindex_plugins.cli import arguments, output, scope
from smindex_plugins.projects import find_site
from smindex_plugins.reports import Explainer, write_explanations

_EXAMPLES = """\
examples:
  smindex explain docs/guide/install.md
  smindex explain https://example.org/docs/guide/install/
  smindex explain site/404.html --format json
  smindex explain guide/install/ --site public

PAGE is the URL of a page, its file in the built site, its path below the site's address, or a file that it is made
from. What is said of dates is what git says now.

exit codes: 0 all pages were found, 1 a page was not, 2 the command could not run
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `explain` with the function that runs it."""
    parser = commands.add_parser(
        "explain",
        help="say why a page is listed where it is, why it has its date, or why it is not listed",
        description="Say why a page is in its sitemap with its date, or in none.",
        usage="%(prog)s PAGE [PAGE ...] [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parser.set_defaults(run=_explain)
    parser.add_argument("page", metavar="PAGE", nargs="+", help="a page, as described below")
    group = parser.add_argument_group("where it is")
    group.add_argument(
        "--site",
        metavar="DIRECTORY",
        dest="target",
        help="the built site, or the project that builds it (default: the project here)",
    )
    arguments.add_place(group)
    group.set_defaults(pages=False, links=False, sources=None, cross_site=[], timeout=None, deadline=None)
    parser.add_argument_group("output").add_argument(
        "--format", choices=("text", "json"), default="text", help="form of the output (default: %(default)s)"
    )


def _explain(given: argparse.Namespace) -> int:
    site = find_site(given.target, site_url=given.site_url)
    explained = Explainer(site=site, checked=scope.directory(given, site)).explain(given.page)
    if given.format == "json":
        output.use_utf8()
    return int(bool(write_explanations(explained, given.format, sys.stdout)))
