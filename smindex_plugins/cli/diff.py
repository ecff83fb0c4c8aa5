"""The command `smindex diff`: what changed between two versions of a site."""

import argparse
import os
import sys
from functools import partial

from smindex_plugins import addresses
from smindex_plugins.announcing import diff
from smindex_plugins.cli import arguments, output
from smindex_plugins.cli.progress import Progress
from smindex_plugins.files import save
from smindex_plugins.reports import FORMS, Form, difference_summary, write_difference
from smindex_plugins.sitemaps import is_url

_EXAMPLES = """\
examples:
  smindex diff https://example.org/ site
  smindex diff https://example.org/ site -o changes.json
  smindex diff site.before site --exit-code
  smindex diff https://example.org/sitemap_index.xml site --format markdown
  smindex diff last-week.json site

A page differs if only one version lists it, or if its date or its language variants differ. The order of entries, the
packing of a sitemap, and which sitemap lists a page make no page differ, nor does a date that only gained or lost its
time.

exit codes: 0 both versions were compared, 1 they differ and --exit-code was given, 2 one of them cannot be read
"""
_SUFFIXES: dict[str, Form] = {".json": "json", ".md": "markdown"}


def add(commands: arguments.Commands) -> None:
    """Add the command `diff` with the function that runs it."""
    parser = commands.add_parser(
        "diff",
        help="say what changed between two versions of a site",
        description="Compare the sitemaps of two versions of a site, page by page.",
        usage="%(prog)s OLD NEW [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parser.set_defaults(run=_diff)
    read = parser.add_argument_group("what to compare")
    for name, meaning in (("old", "the old version, such as the live site"), ("new", "the new version")):
        read.add_argument(
            name, metavar=name.upper(), help=f"{meaning}: a directory, an index file, a URL, or an earlier report.json"
        )
    read.add_argument(
        "--site-url",
        metavar="URL",
        type=arguments.read_by(addresses.site_url),
        help="the address of what is a directory (default: from its sitemaps)",
    )
    arguments.add_waiting(parser.add_argument_group("a live site"))
    written = parser.add_argument_group("output")
    written.add_argument("--format", choices=FORMS, help="form of the output (default: text)")
    written.add_argument(
        *("-o", "--output"),
        metavar="FILE",
        action="append",
        default=[],
        help="write the output to a file. Without --format, the name of the file says its form: .json, .md, or else "
        "text. Repeatable.",
    )
    written.add_argument("--exit-code", action="store_true", help="exit with code 1 if anything differs")
    much = written.add_mutually_exclusive_group()
    much.add_argument("-v", "--verbose", action="store_true", help="show every difference in the text")
    much.add_argument("-q", "--quiet", action="store_true", help="print nothing; files are still written")


def _diff(given: argparse.Namespace) -> int:
    arguments.refuse_missing(given.old, given.new)
    is_live = is_url(given.old) or is_url(given.new)
    fetcher = arguments.fetcher(given) if is_live else None  # to be ready for HTTPS takes 20 ms
    with Progress(is_shown=not given.quiet) as tell:
        difference = diff(given.old, given.new, site_url=given.site_url or "", fetcher=fetcher, tell=tell)
    for name in given.output:
        form = given.format or _SUFFIXES.get(os.path.splitext(name)[1], "text")
        save(name, partial(write_difference, difference, form, show_all=True))
    if given.output and not given.quiet:
        output.say(difference_summary(difference))
    elif not given.quiet:
        if given.format == "json":
            output.use_utf8()
        write_difference(difference, given.format or "text", sys.stdout, show_all=given.verbose)
    return arguments.FOUND if given.exit_code and difference else arguments.CLEAN
