"""The command `smindex join`: one root index over the sitemaps of several builds."""

import argparse
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

from smindex_plugins import urls
from smindex_plugins.checks.registry import Selection
from smindex_plugins.cli import arguments
from smindex_plugins.cli.progress import Progress
from smindex_plugins.joining.discovery import discover
from smindex_plugins.joining.join import Joined, Request, join
from smindex_plugins.joining.storage import Local, Storage, compare, open_storage
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Finding
from smindex_plugins.projects.configuration import configured_address
from smindex_plugins.reports import formats
from smindex_plugins.reports.results import Results
from smindex_plugins.settings import Settings, SettingsError
from smindex_plugins.sitemaps import faults
from smindex_plugins.sitemaps.listing import Document
from smindex_plugins.sitemaps.output import Changes, OutputError
from smindex_plugins.sitemaps.reading import read
from smindex_plugins.sitemaps.rendering import LimitError, name_indexes
from smindex_plugins.sitemaps.usual_names import USUAL_PATHS
from smindex_plugins.sites.fetching import Answer, Fetcher
from smindex_plugins.wording import counted

_EXAMPLES = """\
examples:
  smindex join public
  smindex join gh-pages --site-url https://example.org/docs/ --versions all
  smindex join public --add https://example.org/blog/ --dry-run
  smindex join public --add https://other.example/ --cross-site https://other.example
  smindex join s3://bucket/docs --site-url https://example.org/

A build is a directory that holds an index, by one of its usual names or that of --index-filename, or failing that a
sitemap. What lies inside a build belongs to it, unless that is ROOT; to join builds inside a build, join there first.
Of the versions that mike deployed, only the canonical one is joined unless --versions says otherwise. The entries of an
index that ROOT's own build wrote are kept.

exit codes: 0 nothing is wrong, 1 there are findings at or above --fail-on, 2 the command could not run
"""
_LIMITS = Settings()


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `join` with the function that runs it."""
    parser = commands.add_parser(
        "join",
        help="write one root index over the sitemaps of several builds",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_subject(parser)
    arguments.add_manner(parser)
    parser.set_defaults(run=_run)


def _run(given: argparse.Namespace) -> int:
    results = Results()
    storage = open_storage(given.target)
    with Progress(is_shown=not given.quiet) as progress:
        joined = _join(storage, given, progress)
        for finding in joined.findings:
            results.add(finding)
        files, changes = _write(storage, joined, given, results)
    if not given.quiet:
        _print(results, joined, files, changes, given)
    is_found = results.reach(given.fail_on)
    results.close()
    return int(is_found)


def _join(storage: Storage, given: argparse.Namespace, tell: Callable[[str], None]) -> Joined:
    base = given.site_url or (configured_address(given.target) if isinstance(storage, Local) else None)
    consents = arguments.consents(given)
    request = Request(
        base=base or "",
        index_filename=given.index_filename,
        versions=tuple(filter(None, given.versions.split(","))) if given.versions != "canonical" else (),
        additions=tuple(_fetched(given.add)),
        proven=consents.proven,
        tell=tell,
    )
    joined = join(storage, discover(storage, given.depth, given.index_filename, tell), request)
    index_url = joined.base + given.index_filename
    joined.findings += consents.unproven(index_url, consents.proven(index_url))
    return joined


def _fetched(given: list[str]) -> list[Document]:
    """Fetch what is to be joined from the web."""
    if not given:  # to be ready for HTTPS takes 20 ms
        return []
    fetcher = arguments.new_fetcher()
    return [_fetch(url, fetcher) for url in given]


def _fetch(url: str, fetcher: Fetcher) -> Document:
    """Fetch an index or a sitemap, that of a site under its usual names."""
    found = Answer(url=url)
    for tried in [url + name for name in USUAL_PATHS] if url.endswith("/") else [url]:
        found = fetcher.get(tried, MAX_BYTES)
        if found.is_ok:
            return read(io.BytesIO(found.content), Document(url=found.url))
    problem = f"it cannot be fetched: {found.problem}."
    document = Document(url=found.url)
    document.add(faults.UNREADABLE_SITEMAP, 0, problem, "See that the server answers it with the file.")
    return document


def _write(
    storage: Storage, joined: Joined, given: argparse.Namespace, results: Results
) -> tuple[list[tuple[str, bytes]], Changes]:
    """Write the index, or several where one cannot list all, unless something stands in the way."""
    try:
        files = list(_rendered(joined, given.index_filename))
        if not files:
            results.add(_nothing_to_list(joined.base + given.index_filename))
            return [], Changes()
        for path, content in files:
            _judge(path, content, joined, results)
        stale = [path for path in joined.earlier if path not in dict(files)]
        return files, compare(storage, files, stale) if given.dry_run else storage.write(files, stale)
    except LimitError as error:
        results.add(replace(error.finding, fix="Nothing was written. Join fewer builds below one root."))
    except OutputError as error:
        for finding in error.findings:
            is_ours = finding.check != "file-not-ours"
            fix = finding.fix if is_ours else "Rename or remove it, or give another --index-filename."
            results.add(replace(finding, fix=fix))
    return [], Changes()


def _rendered(joined: Joined, index_filename: str) -> Iterator[tuple[str, bytes]]:
    settings = replace(_LIMITS, index_filename=index_filename)
    for url, content in name_indexes(joined.own, joined.base, settings, joined.joined):
        yield urls.relative_path(url, joined.base), b"".join(content)


def _judge(path: str, content: bytes, joined: Joined, results: Results) -> None:
    """Judge what is written by the same rules as what was read."""
    document = read(io.BytesIO(content), Document(url=joined.base + path, where=path, proven=joined.proven))
    for finding in Selection().document(document):
        results.add(finding)


def _print(
    results: Results, joined: Joined, files: list[tuple[str, bytes]], changes: Changes, given: argparse.Namespace
) -> None:
    formats.write_findings(results, sys.stdout, show_all=given.verbose, colour=formats.is_coloured(sys.stdout))
    entries = {entry.url: entry.lastmod or "" for entry in (*joined.own, *joined.joined)}
    if given.verbose or given.dry_run:
        for line in [*joined.notes, *_differences(joined.before, entries)]:
            print(formats.printable(line))
    if not files:
        print(f"{formats.counted_findings(results)}; nothing was written")
        return
    names = f"{joined.base}{files[0][0]}" + (f" and {len(files) - 1:,} more" if len(files) > 1 else "")
    listed = f"{counted(len(entries), 'sitemap')} of {counted(joined.builds, 'build')} in {names}"
    print(f"{formats.counted_findings(results)}; {listed}, {_became(joined.before, entries, changes, given)}")


def _became(before: dict[str, str], after: dict[str, str], changes: Changes, given: argparse.Namespace) -> str:
    if not changes.written and not changes.removed:
        return "unchanged"
    added, removed = len(after.keys() - before.keys()), len(before.keys() - after.keys())
    redated = sum(before[url] != after[url] for url in before.keys() & after.keys())
    counts = ((added, "added"), (removed, "removed"), (redated, "with another date"))
    parts = [f"{number:,} {what}" for number, what in counts if number] or ["in another order"]
    return f"{'would be ' if given.dry_run else ''}{', '.join(parts)}"


def _differences(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    for url in sorted(before.keys() | after.keys()):
        if url not in before:
            yield f"+ {url}"
        elif url not in after:
            yield f"- {url}"
        elif before[url] != after[url]:
            yield f"~ {url}: {before[url] or 'no date'} → {after[url] or 'no date'}"


def _nothing_to_list(where: str) -> Finding:
    return Finding(
        check="nothing-to-list",
        level="error",
        where=where,
        problem="none of the sitemaps that were found may be listed, and an index must not be empty.",
        fix="Nothing was written. Mend what else was found.",
    )


def _index_filename(given: str) -> str:
    try:
        return Settings.load({"index_filename": given}).index_filename
    except SettingsError as error:
        raise argparse.ArgumentTypeError(error.errors[0][1]) from error


def _depth(given: str) -> int:
    if not given.isdecimal():
        message = f"got {given!r}; accepted: a whole number"
        raise argparse.ArgumentTypeError(message)
    return int(given)


def _add_subject(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        metavar="ROOT",
        help="the directory that holds the builds, on this machine or in object storage (s3://bucket/docs, gs://…)",
    )
    parser.add_argument(
        "--site-url",
        metavar="URL",
        type=arguments.site_url,
        help="the address of ROOT; found in the configuration beside it or in what the builds list if not given",
    )
    parser.add_argument(
        "--add",
        metavar="URL",
        type=arguments.url,
        action="append",
        default=[],
        help="join also an index or a sitemap on the web, or that of a site if it ends in a slash; can be repeated",
    )
    arguments.add_cross_site(parser)
    parser.add_argument(
        "--versions",
        metavar="canonical|all|NAME,…",
        default="canonical",
        help="which of mike's versions to join, by their names or aliases; all are those that are not hidden "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--depth", type=_depth, default=3, help="how many directories deep builds are looked for (default: %(default)s)"
    )
    parser.add_argument(
        "--index-filename",
        metavar="NAME",
        type=_index_filename,
        default="sitemap_index.xml",
        help="the file that is written into ROOT (default: %(default)s)",
    )
