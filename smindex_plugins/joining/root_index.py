"""One root index for several builds: find, read, choose, judge and write."""

import io
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace

from smindex_plugins import addresses, urls
from smindex_plugins.catalogue import FILE_NOT_OURS, NOTHING_TO_LIST, TOO_MANY_SITEMAPS
from smindex_plugins.checks import Selection
from smindex_plugins.joining.builds import find_base, find_builds
from smindex_plugins.joining.entries import Root, entries, list_all
from smindex_plugins.joining.versions import choose_builds
from smindex_plugins.model import Finding
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import Changes, Consents, Document, OutputError, is_marked, name_indexes, output, read
from smindex_plugins.storage import Storage, open_storage
from smindex_plugins.text import masked

_FIXES = {
    TOO_MANY_SITEMAPS.name: "Nothing was written. Join fewer builds below one root.",
    FILE_NOT_OURS.name: "Rename or remove it, or give another --index-filename.",
}
"""How to fix it in a join, instead of in a build."""
_PEEKED = 4096
"""Bytes of a file that tell whether it is ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The result of a join."""

    report: Report
    builds: int
    before: dict[str, str]
    """The URLs and dates in the index before this run."""
    after: dict[str, str]
    notes: list[str]
    """What was left out on purpose, and why."""


def join(root: str, *, site_url: str = "") -> Report:
    """Write one index, ``sitemap_index.xml``, over the builds below a directory.

    A build is a directory with an index or a sitemap, three directories deep at most; of several versions that mike
    deployed, only the canonical one is listed. The root can also be the URL of object storage, such as
    ``s3://bucket/docs``. ``site_url`` is the address at which it is served; without it, what the builds list tells it.
    The report counts sitemaps, and no pages: only indexes are read.

    Raises:
        ValueError: the root cannot be used, there is no build in it, or nothing tells its address.
        OSError: a file or the storage cannot be read.
    """
    return join_builds(root, site_url=addresses.site_url(site_url) if site_url else "").report


def join_builds(
    root: str,
    *,
    site_url: str = "",
    settings: Settings = Settings(),  # noqa: B008 - nobody can change it
    depth: int = 3,
    versions: Iterable[str] = (),
    additions: Iterable[Document] = (),
    consents: Consents = Consents(),  # noqa: B008 - as above
    is_dry: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Joined:
    """Write one index over the builds below a root.

    Args:
        root: the directory, or the URL of object storage.
        site_url: the normalised URL that serves the root, with its slash; what the builds list tells it if empty.
        settings: the name and the limits of the index; no other setting is heeded.
        depth: how many directories deep builds are looked for.
        versions: of mike's versions those to join, or ``all``; none means the canonical one.
        additions: indexes and sitemaps that were fetched from elsewhere.
        consents: what proves that other origins agree to be listed.
        is_dry: nothing is written.
        tell: takes now and then a line about what is being done.

    Raises:
        ValueError: the root cannot be used, there is no build or no such version in it, or nothing tells its address.
        OSError: the storage fails.
    """
    storage = open_storage(root, is_dry=is_dry)
    unlocked = list[Finding]()
    directory = "" if is_dry else storage.directory
    try:
        with output.only_writer(directory, unlocked) if directory else nullcontext():
            storage.tidy([""])
            return _join(
                root,
                storage,
                unlocked,
                site_url=site_url,
                settings=settings,
                depth=depth,
                versions=set(versions),
                additions=list(additions),
                consents=consents,
                tell=tell,
            )
    except OutputError as error:
        return Joined(report=Report(findings=error.findings), builds=0, before={}, after={}, notes=[])


def _write(storage: Storage, files: Mapping[str, bytes], stale: Iterable[str]) -> Changes:
    """Write the indexes in their order, then remove old ones.

    Raises:
        OutputError: with all that stands in the way; nothing was changed, or an index cannot be written.
    """
    changes, path = Changes(), ""
    try:
        there = storage.read_each(files, _PEEKED)
        others = [path for path, start in there if isinstance(start, bytes) and not is_marked(start, path)]
        if others:
            raise OutputError([output.not_ours(path) for path in others])
        for path, content in files.items():
            is_same = storage.is_same(path, content)
            if not is_same:
                storage.write(path, content)
            (changes.unchanged if is_same else changes.written).append(path)
    except OSError as error:
        raise OutputError([storage.cannot_write(path, error)]) from error
    changes.removed = [path for path in stale if path not in files]
    changes.problems += filter(None, map(storage.remove, changes.removed))
    return changes


def _join(
    root: str,
    storage: Storage,
    unlocked: list[Finding],
    *,
    site_url: str,
    settings: Settings,
    depth: int,
    versions: set[str],
    additions: list[Document],
    consents: Consents,
    tell: Callable[[str], None],
) -> Joined:
    name, findings, notes = settings.index_filename, [*unlocked], list[str]()
    builds = find_builds(storage, findings, base=site_url, index_filename=name, depth=depth, tell=tell)
    if not any(builds) and not additions and findings == unlocked:
        deep = f"{depth} directories deep" if depth > 1 else "in the directories in it" if depth else "in it alone"
        problem = f"no index and no sitemap was found, {deep}. Build what is to be joined, or raise --depth"
        message = f"{masked(root)}: {problem}"
        raise ValueError(message)
    base = site_url or find_base(builds, storage)
    site = Root(storage=storage, base=base, proven=consents.proven(base + name))
    builds.others = choose_builds(builds, versions, base, notes, findings)
    listed = list_all(builds, additions, site, notes, findings)
    findings += [*consents.unproven(base + name, site.proven), *addresses.doubts(base, name)]
    own, joined = entries(listed)
    files, changes = list[tuple[str, bytes]](), Changes()
    try:
        named = name_indexes(own, base, settings, joined)
        files = [(urls.relative_path(url, base), b"".join(content)) for url, content in named]
        if not files:
            problem = "none of the sitemaps that were found may be listed, and an index must not be empty."
            findings.append(NOTHING_TO_LIST.at(base + name, problem))
        for path, content in files:  # by the same rules as what was read
            document = Document(url=base + path, where=path, proven=site.proven)
            findings += Selection().judge(read(io.BytesIO(content), document))
        changes = _write(storage, dict(files), builds.earlier if files else ())
        findings += changes.problems
    except OutputError as error:
        files = []
        findings += [replace(each, fix=_FIXES.get(each.check, each.fix)) for each in error.findings]
    return Joined(
        report=Report(
            index_urls=[base + path for path, _ in files],
            sitemaps=len(own) + len(joined) if files else 0,
            changes=changes,
            findings=findings,
        ),
        builds=len({each.index.where.rpartition("/")[0] for each in listed}),
        before=builds.before,
        after={entry.url: entry.lastmod or "" for entry in (*own, *joined)},
        notes=notes,
    )
