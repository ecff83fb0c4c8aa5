"""The command `smindex join`, which writes one index for the sitemaps of several builds."""

import io
import sys
from collections.abc import Iterable, Iterator
from typing import Literal

import click

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import UNREADABLE_SITEMAP
from smindex_plugins.base.difference import Difference
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import Level
from smindex_plugins.base.settings import INDEX_FILENAME, Settings
from smindex_plugins.base.text import counted
from smindex_plugins.checks.tally import Tally
from smindex_plugins.cli.command import Command
from smindex_plugins.cli.findings import counted_findings, write_findings
from smindex_plugins.cli.options import (
    CROSS_SITE,
    INPUT,
    MANNER,
    OUTPUT,
    SITE_URL,
    WAITING,
    complete_files,
    form_option,
    option,
    read_by,
    read_place,
)
from smindex_plugins.cli.output import progress, say, stdout
from smindex_plugins.cli.targets import fetch_consents
from smindex_plugins.compare.comparing import compare
from smindex_plugins.compare.output import counted_changes, page_lines
from smindex_plugins.joining.output import write_join
from smindex_plugins.joining.root_index import Joined, join_builds
from smindex_plugins.printing.terminal import console
from smindex_plugins.projects.find import configured_address
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entries import PageEntry
from smindex_plugins.reading.found import Found
from smindex_plugins.reading.live import Live, UnreachableError
from smindex_plugins.reading.reader import read
from smindex_plugins.reading.web import Fetcher


@click.command(cls=Command)
@click.argument("root", callback=read_by(read_place), shell_complete=complete_files)
@SITE_URL
@option(
    INPUT,
    "--add",
    metavar="URL",
    multiple=True,
    callback=read_by(urls.normalise),
    help=(
        "Also join this index or sitemap from the web. If the URL ends in a slash, join the index"
        " of that site. Repeatable."
    ),
)
@option(
    INPUT,
    "--versions",
    metavar="canonical|all|NAME,…",
    default="canonical",
    help="Versions of mike to join: names or aliases, or all versions that are not hidden.",
)
@CROSS_SITE
@WAITING
@option(
    OUTPUT,
    *("--index-filename", "settings"),
    metavar="NAME",
    default=INDEX_FILENAME,
    callback=read_by(lambda name: Settings.load({"index_filename": name})),
    help="File name of the index.",
)
@form_option("text", "json")
@MANNER
def join(
    *,
    root: str,
    site_url: str | None,
    add: tuple[str, ...],
    versions: str,
    cross_site: tuple[tuple[str, str], ...],
    timeout: float,
    deadline: float,
    settings: Settings,
    form: Literal["text", "json"],
    dry_run: bool,
    fail_on: Level,
    verbose: bool,
    quiet: bool,
) -> int:
    """Write one index in ROOT that lists the sitemaps of all builds below it.

    ROOT is the directory that contains the builds, on this machine or in object storage
    (s3://bucket/docs, gs://…).

    Examples:
      smindex join public
      smindex join gh-pages --site-url https://example.org/docs/ --versions all
      smindex join public --add https://example.org/blog/ --dry-run
      smindex join public --add https://other.example/ --cross-site https://other.example
      smindex join s3://bucket/docs --site-url https://example.org/

    A build is a directory with an index or a sitemap, at most three levels below ROOT. The index
    has a common name or the name in --index-filename. Directories inside a build belong to that
    build, unless the build is ROOT itself. To include builds inside a build, run "smindex join"
    there first. If mike deployed several versions, the command joins only the canonical version,
    unless you select others with --versions. If ROOT itself has an index from a build, the command
    keeps its entries.

    Exit codes:
      0  no findings at or above --fail-on
      1  there are findings at or above --fail-on
      2  the command could not run
    """
    fetcher = Fetcher(timeout=timeout, deadline=deadline)
    named_versions: list[str] = []
    if versions != "canonical":
        named_versions = [name for name in versions.split(",") if name]
    with progress(quiet=quiet) as tell:
        if not site_url and "://" not in root:
            site_url = configured_address(root)
        joined = join_builds(
            root,
            site_url=site_url or "",
            settings=settings,
            versions=named_versions,
            additions=_fetch(add, fetcher),
            consents=fetch_consents(cross_site, fetcher),
            is_dry=dry_run,
            tell=tell,
        )
    if form == "json" and not quiet:
        write_join(joined, _changes(joined), stdout(form))
    elif not quiet:
        _print(joined, dry_run=dry_run, verbose=verbose)
    return int(Tally(joined.report.findings).reaches(fail_on))


def _fetch(added: Iterable[str], fetcher: Fetcher) -> Iterator[Found]:
    """Fetch indexes and sitemaps from the web, or those of a site."""
    for url in added:
        if url.endswith("/"):
            yield from _fetch_site(url, fetcher)
            continue
        fetcher.allow(url)
        answer = fetcher.get(url, MAX_BYTES)
        document = Document(url=answer.url)
        if answer.is_ok:
            yield Found.alone(read(io.BytesIO(answer.content), document))
        else:
            yield _unfetched(document, answer.problem)


def _fetch_site(url: str, fetcher: Fetcher) -> Iterator[Found]:
    """Fetch the indexes and sitemaps with which a check of the site would start."""
    try:
        yield from Live(url=url, fetcher=fetcher).entry_files()
    except UnreachableError as error:
        problem = str(error).removeprefix(f"{url}: ")
        yield _unfetched(Document(url=url), problem)


def _unfetched(document: Document, problem: str) -> Found:
    """Return a file that could not be fetched, with that as its problem."""
    fix = "Make sure that the server returns the file."
    document.add(UNREADABLE_SITEMAP, 0, f"it can't be fetched: {problem}.", fix)
    return Found.alone(document)


def _changes(joined: Joined) -> Difference:
    """Return what changed in the index."""
    before = {url: PageEntry(date) for url, date in joined.before.items()}
    after = {url: PageEntry(date) for url, date in joined.after.items()}
    return compare(before, after)


def _print(joined: Joined, *, dry_run: bool, verbose: bool) -> None:
    report = joined.report
    tally = write_findings(report.findings, console(sys.stdout), show_all=verbose)
    difference = _changes(joined)
    if verbose or dry_run:
        for line in [*joined.notes, *page_lines(difference)]:
            say(line)
    found = counted_findings(tally)
    if not report.index_urls:
        say(f"{found}; nothing was written")
        return
    first, *others = report.index_urls
    where = first
    if others:
        where += f" and {len(others):,} more"
    became = "unchanged"
    if report.changes.written or report.changes.removed:
        became = counted_changes(difference) or "written in another form"
        if dry_run:
            became = f"would be {became}"
    sitemaps = counted(len(joined.after), "sitemap")
    builds = counted(joined.builds, "build")
    say(f"{found}; {sitemaps} of {builds} in {where}, {became}")
