"""What the root index lists: the sitemaps of every build that exist and are in scope where they are served."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from posixpath import basename, join

from smindex_plugins import urls
from smindex_plugins.catalogue import MISSING_SITEMAP, SITEMAP_OUTSIDE_INDEX
from smindex_plugins.checks import Selection
from smindex_plugins.joining.builds import Build, Builds, read_document
from smindex_plugins.joining.versions import version_of
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Finding, IndexEntry, Spot
from smindex_plugins.sitemaps import INDEX_NAMES, Document, Entry, newest_date, usable_date
from smindex_plugins.storage import Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """The directory that holds the builds, and its address."""

    storage: Storage
    base: str
    """Its normalised URL, with a slash at the end."""
    proven: frozenset[str]
    """The other origins whose sitemaps may be listed."""

    def url(self, path: str) -> str:
        """Return the URL of a file, or of a directory whose path ends with a slash."""
        return self.base + urls.from_file_path(path)

    def path(self, url: str) -> str | None:
        """Return the path of the file that a URL names, or None if it cannot be below the root."""
        return urls.file_path(urls.relative_path(url, self.base)) if urls.is_within(url, self.base) else None


@dataclass(frozen=True, slots=True)
class Listed:
    """A sitemap, and the place where it is listed."""

    url: str
    lastmod: str | None
    index: Document
    entry: Entry | None = None
    """The entry in the index, or None for the file itself."""
    is_own: bool = False
    """Whether the root's own build lists it, in the file that will be overwritten."""
    is_elsewhere: bool = False
    """Whether it is served from elsewhere, so that no file below the root shows whether it exists."""

    @property
    def spot(self) -> Spot:
        """Its listing as the subject of a finding."""
        return self.index.spot(self.entry or Entry(self.url, self.url))


def list_all(
    builds: Builds, additions: Iterable[Document], root: Root, notes: list[str], findings: list[Finding]
) -> list[Listed]:
    """Return the sitemaps that may be listed."""
    listed: list[Listed] = []
    for document in builds.own.documents:
        is_own = document.where in builds.earlier
        if is_own:
            notes.append(f"{document.where}: what the build at the root itself listed in it is kept")
        document.url = root.url(document.where)
        listed += _judged(document, root, findings, is_own=is_own)
    for build, place in _placed(builds, root, notes):
        for document in build.documents:
            document.url = root.url(join(place, basename(document.where)))
            listed += _judged(document, root, findings)
    for document in additions:
        for each in _judged(document, root, findings, is_elsewhere=True):
            if urls.is_within(each.url, root.base) or urls.origin(each.url) in root.proven:
                listed.append(each)
            else:
                problem = f"lists {each.url}, which is outside {root.base}, where the joined index is."
                fix = "Join it at a directory above both, or prove with --cross-site that its site agrees."
                findings.append(SITEMAP_OUTSIDE_INDEX.at(each.spot, problem, fix))
    return list(_present(list(_flattened(listed, root, findings)), root, findings))


def entries(listed: list[Listed]) -> tuple[list[IndexEntry], list[IndexEntry]]:
    """Return an entry for each sitemap with its newest date: those of the root's own build, and the joined ones."""
    dates: dict[str, str] = {}
    for each in listed:
        dates[each.url] = max(dates.get(each.url, ""), each.lastmod or "")
    own = {each.url for each in listed if each.is_own}
    every = [IndexEntry(url=url, lastmod=dates[url] or None) for url in sorted(dates)]
    return [entry for entry in every if entry.url in own], [entry for entry in every if entry.url not in own]


def _placed(builds: Builds, root: Root, notes: list[str]) -> Iterator[tuple[Build, str]]:
    """Yield each build with the path under which its URLs are in scope, or its own path if there is none."""
    served: dict[str, str] = {}
    for build in builds.others:
        places = (place for place in (build.path, *build.aliases) if _is_in_scope(build, root.url(f"{place}/")))
        if place := next(places, ""):
            served[build.path] = place
    for build in builds.others:
        if build.path in served:
            yield build, served[build.path]
            continue
        directory, name = version_of(build.path, builds.versions)
        names = sorted(builds.versions[directory].names) if name else []
        others = [place for each in names if (place := join(directory, each)) in served.values()]
        if other := next((other for other in others if _is_in_scope(build, root.url(f"{other}/"))), ""):
            notes.append(f"{build.path}: not joined, because {other} has the same URLs and is joined")
        else:
            yield build, build.path


def _is_in_scope(build: Build, url: str) -> bool:
    return any(urls.is_within(listed, url) for listed in build.urls())


def _judged(
    document: Document, root: Root, findings: list[Finding], *, is_own: bool = False, is_elsewhere: bool = False
) -> Iterator[Listed]:
    """Judge a file at its address, and yield the sitemaps in it that may be listed, or the file itself."""
    document.proven = root.proven
    findings += [each for each in Selection().judge(document) if each.level != "notice"]
    scope, proven, now = document.scope, root.proven, datetime.now(UTC)
    allowed = [
        entry
        for entry in document.entries
        if entry.normal and (urls.is_within(entry.normal, scope) or urls.origin(entry.normal) in proven)
    ]
    if document.kind == "sitemapindex":
        for entry in allowed:
            date = usable_date(document, entry.lastmod, now)
            yield Listed(entry.normal, date, document, entry, is_own, is_elsewhere)
    elif document.kind and allowed:
        yield Listed(urls.normalise(document.url), newest_date(document, now), document, is_elsewhere=is_elsewhere)


def _flattened(listed: list[Listed], root: Root, findings: list[Finding]) -> Iterator[Listed]:
    """Replace an index in another tool's index by the sitemaps that it lists."""
    kinds = {each.index.url: each.index.kind for each in listed}
    waiting = deque(listed)
    while waiting:
        each = waiting.popleft()
        path = root.path(each.url) or ""
        is_of_another_tool = bool(each.entry) and not (each.index.is_ours or each.is_elsewhere)
        may_be_index = is_of_another_tool and ("index" in basename(path) or basename(path) in INDEX_NAMES)
        if may_be_index and each.url not in kinds:
            document = read_document(path, root.storage.read(path, MAX_BYTES), [])
            kinds[each.url] = document.kind if document else ""
            if document and document.kind == "sitemapindex":
                document.url = each.url
                waiting.extend(_judged(document, root, findings))
        if not may_be_index or kinds[each.url] != "sitemapindex":
            yield each


def _present(listed: list[Listed], root: Root, findings: list[Finding]) -> Iterator[Listed]:
    """Yield the sitemaps that exist."""
    here = (each.url for each in listed if not each.is_elsewhere and urls.is_within(each.url, root.base))
    paths = {url: root.path(url) or "" for url in here}
    there = dict(zip(paths, root.storage.each(root.storage.is_there, paths.values()), strict=True))
    for each in listed:
        if there.get(each.url, True):
            yield each
        else:
            problem = f"lists {each.url}, but there is no such file."
            findings.append(MISSING_SITEMAP.at(each.spot, problem))
