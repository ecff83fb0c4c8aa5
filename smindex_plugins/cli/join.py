"""The command `smindex join`: one index over the sitemaps of several builds."""

import argparse
import io
import sys
from collections.abc import Iterator

from smindex_plugins import urls
from smindex_plugins.announcing import PageEntry, compare
from smindex_plugins.catalogue import UNREADABLE_SITEMAP
from smindex_plugins.cli import arguments, output
from smindex_plugins.cli.progress import Progress
from smindex_plugins.joining import Joined, join_builds
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.projects import configured_address
from smindex_plugins.reports import Tally, counted_changes, counted_findings, page_lines, write_findings
from smindex_plugins.settings import INDEX_FILENAME, Settings
from smindex_plugins.sitemaps import USUAL_PATHS, Document, read
from smindex_plugins.text import counted
from smindex_plugins.web import Answer, Fetcher

_EXAMPLES = """\
examples:
  smindex join public
  smindex join gh-pages --site-url https://example.org/docs/ --versions all
  smindex join public --add https://example.org/blog/ --dry-run
  smindex join public --add https://other.example/ --cross-site https://other.example
  smindex join s3://bucket/docs --site-url https://example.org/

A build is a directory with an index or a sitemap. The index has one of the usual names, or the name that
--index-filename gives. A directory inside a build belongs to that build, unless the outer one is ROOT. To include
builds inside a build, run "smindex join" there first. If mike deployed several versions, only the canonical one is
joined, unless you choose others with --versions. If a build in ROOT itself wrote an index, its entries are kept.

exit codes: 0 nothing is wrong, 1 there are findings at or above --fail-on, 2 the command could not run
"""


def add(commands: arguments.Commands) -> None:
    """Add the command `join` with the function that runs it."""
    parser = commands.add_parser(
        "join",
        help="write one index over the sitemaps of several builds",
        description="Write one index in ROOT that lists the sitemaps of all builds below it.",
        usage="%(prog)s ROOT [--site-url URL] [OPTION ...]",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # a flag that is added later must not change what a short one means
    )
    parser.set_defaults(run=_join)
    read = parser.add_argument_group("what to join")
    arguments.add_target(
        read,
        "ROOT",
        "the directory that holds the builds, on this machine or in object storage (s3://bucket/docs, gs://…)",
        "the address of ROOT (default: from the configuration beside ROOT, or from the URLs in the builds)",
    )
    read.add_argument(
        "--add",
        metavar="URL",
        type=arguments.read_by(urls.normalise),
        action="append",
        default=[],
        help="also join this index or sitemap on the web. If the URL ends in a slash, the command looks for the index "
        "of that site. Repeatable.",
    )
    read.add_argument(
        "--versions",
        metavar="canonical|all|NAME,…",
        default="canonical",
        help="which of mike's versions to join: names or aliases, or all that are not hidden (default: %(default)s)",
    )
    read.add_argument(
        "--depth",
        metavar="N",
        type=arguments.read_by(_whole_number),
        default=3,
        help="how many directories deep to look for builds (default: %(default)s)",
    )
    arguments.add_cross_site(read)
    arguments.add_waiting(parser.add_argument_group("servers"))
    written = parser.add_argument_group("output")
    written.add_argument(
        "--index-filename",
        metavar="NAME",
        type=arguments.read_by(lambda name: Settings.load({"index_filename": name})),
        default=INDEX_FILENAME,
        help="name of the index to write in ROOT (default: %(default)s)",
    )
    arguments.add_manner(written)


def _whole_number(given: str) -> int:
    if not given.isdecimal():
        message = f"got {given!r}; accepted: a whole number"
        raise ValueError(message)
    return int(given)


def _join(given: argparse.Namespace) -> int:
    fetcher = arguments.fetcher(given) if given.add or given.cross_site else None  # to be ready for HTTPS takes 20 ms
    with Progress(is_shown=not given.quiet) as progress:
        is_local = "://" not in given.target or given.target.startswith("file://")
        joined = join_builds(
            given.target,
            site_url=given.site_url or (configured_address(given.target) if is_local else ""),
            settings=given.index_filename,
            depth=given.depth,
            versions=filter(None, given.versions.split(",")) if given.versions != "canonical" else (),
            additions=_fetched(given.add, fetcher) if fetcher else (),
            consents=arguments.consents(given, fetcher),
            is_dry=given.dry_run,
            tell=progress,
        )
    if not given.quiet:
        _print(joined, given)
    return int(Tally(joined.report.findings).reaches(given.fail_on))


def _fetched(given: list[str], fetcher: Fetcher) -> Iterator[Document]:
    """Fetch what is to be joined from the web: indexes and sitemaps, those of a site under their usual names."""
    for url in given:
        fetcher.allow(url)
        found = Answer(url=url)
        for tried in [url + name for name in USUAL_PATHS] if url.endswith("/") else [url]:
            found = fetcher.get(tried, MAX_BYTES)
            if found.is_ok:
                break
        document = Document(url=found.url)
        if found.is_ok:
            document = read(io.BytesIO(found.content), document)
        else:
            problem, fix = f"it cannot be fetched: {found.problem}.", "Make sure that the server sends the file."
            document.add(UNREADABLE_SITEMAP, 0, problem, fix)
        yield document


def _print(joined: Joined, given: argparse.Namespace) -> None:
    report = joined.report
    tally = write_findings(report.findings, sys.stdout, show_all=given.verbose)
    before, after = ({url: PageEntry(date) for url, date in side.items()} for side in (joined.before, joined.after))
    difference = compare(before, after)
    if given.verbose or given.dry_run:
        for line in [*joined.notes, *page_lines(difference)]:
            output.say(line)
    found = counted_findings(tally)
    if not report.index_urls:
        output.say(f"{found}; nothing was written")
        return
    first, *others = report.index_urls
    where = first + (f" and {len(others):,} more" if others else "")
    became = ("would be " if given.dry_run else "") + (counted_changes(difference) or "written in another form")
    is_changed = report.changes.written or report.changes.removed
    listed = f"{counted(len(joined.after), 'sitemap')} of {counted(joined.builds, 'build')} in {where}"
    output.say(f"{found}; {listed}, {became if is_changed else 'unchanged'}")
