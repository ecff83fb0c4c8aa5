"""One root index for several builds: find, choose, read, check and write."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace

from smindex_plugins.base import addresses, urls
from smindex_plugins.base.catalogue import FILE_NOT_OURS, NOTHING_TO_LIST, TOO_MANY_SITEMAPS
from smindex_plugins.base.model import Changes, IndexEntry
from smindex_plugins.base.settings import Settings
from smindex_plugins.joining._builds import DEPTH, Root, find_builds, read_builds
from smindex_plugins.joining._entries import Listed, list_sitemaps
from smindex_plugins.joining._mike import choose_versions
from smindex_plugins.pages.host import doubts
from smindex_plugins.reading.found import Found
from smindex_plugins.report import Report
from smindex_plugins.writing import output
from smindex_plugins.writing.names import PEEKED, is_marked
from smindex_plugins.writing.rendering import OutputError, name_indexes
from smindex_plugins.writing.robots import Consents
from smindex_plugins.writing.storage import Storage, open_storage

_FIXES = {
    TOO_MANY_SITEMAPS.name: "Nothing was written. Join fewer builds below one root.",
    FILE_NOT_OURS.name: "Rename or remove it, or set another --index-filename.",
}
"""The fixes for a join, where they differ from a build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The result of a join."""

    report: Report
    builds: int
    before: dict[str, str]
    """The URLs and dates in the index before this run."""
    after: dict[str, str]
    notes: list[str]
    """What was omitted on purpose, and why."""


def join(root: str, *, site_url: str = "") -> Report:
    """Write one index, ``sitemap_index.xml``, for the builds below a directory.

    A build is a directory with an index or a sitemap, at most three directories deep. Of several
    versions that mike deployed, only the canonical one is listed. The root can also be the URL of
    object storage, such as ``s3://bucket/docs``. ``site_url`` is the address of the root. By
    default, it is derived from the builds. The report counts sitemaps but not pages, because only
    indexes are read.

    Raises:
        ValueError: the root can't be used, it contains no build, or its address is unknown.
        OSError: a file or the storage can't be read.
    """
    if site_url:
        site_url = addresses.site_url(site_url)
    return join_builds(root, site_url=site_url).report


def join_builds(
    root: str,
    *,
    site_url: str = "",
    settings: Settings = Settings(),  # noqa: B008 - it is immutable
    versions: Iterable[str] = (),
    additions: Iterable[Found] = (),
    consents: Consents = Consents(),  # noqa: B008 - as above
    is_dry: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Joined:
    """Write one index for the builds below a root.

    Args:
        root: the directory, or the URL of object storage.
        site_url: the normalized URL of the root, with a trailing slash. If empty, it is derived
            from the builds.
        settings: the name and the limits of the index. Other settings are ignored.
        versions: the versions of mike to join, or ``all``. The default is the canonical one.
        additions: indexes and sitemaps that were fetched from elsewhere.
        consents: the proof that other origins agree to be listed.
        is_dry: nothing is written.
        tell: is called from time to time with a line about the progress.

    Raises:
        ValueError: the root can't be used, it contains no build or no such version, or its address
            is unknown.
        OSError: the storage fails.
    """
    storage = open_storage(root, is_dry=is_dry)
    additions = list(additions)
    found = Root(storage=storage, index_filename=settings.index_filename, base=site_url)
    listed: list[Listed] = []
    after: dict[str, str] = {}
    files: dict[str, bytes] = {}
    changes = Changes()
    directory = "" if is_dry else storage.directory
    try:
        with output.only_writer(directory) if directory else nullcontext():
            storage.tidy([""])
            find_builds(found, tell)
            choose_versions(found, set(versions))
            read_builds(found, tell)
            if not (found.own or found.builds or additions or found.findings):
                problem = f"no index or sitemap was found up to {DEPTH} directories deep"
                message = (
                    f"{storage.url}: {problem}. Build the sites to join, or pass a directory closer"
                    " to them"
                )
                raise ValueError(message)
            if not found.base:
                message = (
                    "the URLs in the builds don't show the address of the root; pass --site-url"
                )
                raise urls.UnknownAddressError(message)
            index_url = found.url(settings.index_filename)
            proven = consents.proven(index_url)
            listed = list_sitemaps(found, additions, proven)
            found.findings += consents.unproven(index_url, proven)
            found.findings += doubts(found.base, settings.index_filename, "--site-url")
            # the newest date of each sitemap
            after = dict(sorted((each.url, each.lastmod) for each in listed))
            kept = {each.url for each in listed if each.is_own}
            files = _render(after, kept, found.base, settings)
            if any(robots.failure for robots in consents.robots.values()):
                files = {}  # earlier consents may still be valid, so the earlier index stays
            elif files:
                changes = _write(storage, files, found.earlier)
                found.findings += changes.problems
            else:
                problem = (
                    "none of the sitemaps found may be listed, and an index must not be empty."
                )
                found.findings.append(NOTHING_TO_LIST.at(index_url, problem))
    except OutputError as error:
        files = {}
        for finding in error.findings:
            fix = _FIXES.get(finding.check, finding.fix)
            found.findings.append(replace(finding, fix=fix))
    builds = {each.spot.where.rpartition("/")[0] for each in listed}
    return Joined(
        report=Report(
            index_urls=[found.base + path for path in files],
            sitemaps=len(after) if files else 0,
            changes=changes,
            findings=found.findings,
        ),
        builds=len(builds),
        before=found.before,
        after=after,
        notes=found.notes,
    )


def _render(
    dates: Mapping[str, str], kept: set[str], base: str, settings: Settings
) -> dict[str, bytes]:
    """Return the indexes by path. The entries of the root's own build (``kept``) come first.

    Raises:
        OutputError: there are too many sitemaps.
    """
    own = []
    joined = []
    for url, date in dates.items():
        entry = IndexEntry(url=url, lastmod=date or None)
        if url in kept:
            own.append(entry)
        else:
            joined.append(entry)
    files = {}
    for url, content in name_indexes(own, base, settings, joined):
        files[urls.relative_path(url, base)] = b"".join(content)
    return files


def _write(storage: Storage, files: Mapping[str, bytes], stale: Iterable[str]) -> Changes:
    """Write the indexes in order, then remove old ones.

    Raises:
        OutputError: a file of another tool has the name of an index, or an index can't be written.
    """
    changes = Changes()
    path = ""
    try:
        for path, start in storage.read_each(files, PEEKED):
            if isinstance(start, bytes) and not is_marked(start):
                raise OutputError([output.not_ours(path)])
            if isinstance(start, OSError) and not isinstance(start, FileNotFoundError):
                raise start
        for path, content in files.items():
            if storage.is_same(path, content):
                changes.unchanged.append(path)
            else:
                storage.write(path, content)
                changes.written.append(path)
    except OSError as error:
        raise OutputError([storage.cannot_write(path, error)]) from error
    for path in stale:
        if path in files:
            continue
        problem = storage.remove(path)
        if problem:
            changes.problems.append(problem)
        else:
            changes.removed.append(path)
    return changes
