"""Which sitemaps of several builds their one root index lists: each in scope where it is served, and there."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice

from smindex_plugins import urls
from smindex_plugins.catalogue import MISSING_SITEMAP
from smindex_plugins.checks.registry import Selection
from smindex_plugins.dates import has_day, is_future
from smindex_plugins.joining.discovery import Found, is_below
from smindex_plugins.joining.parts import Part, find_base, read_document, read_parts
from smindex_plugins.joining.storage import Storage
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Finding, IndexEntry
from smindex_plugins.sitemaps.listing import Document
from smindex_plugins.sitemaps.usual_names import INDEX_NAMES
from smindex_plugins.sites.versions import Version, Versions

_ASKED = 100
"""URLs of a version that are asked which version's they are."""
_DEEPEST = 5
"""Indexes that list indexes that list indexes are followed so far."""


class NothingToJoinError(ValueError):
    """There is no build below the directory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be joined."""

    base: str = ""
    """The normalised URL that serves the root, with its slash; found from what the builds list if empty."""
    index_filename: str
    versions: tuple[str, ...] = ()
    """Of mike's versions those to join, or ``all``; none means the canonical one."""
    additions: tuple[Document, ...] = ()
    """Indexes and sitemaps that were fetched from elsewhere."""
    proven: Callable[[str], frozenset[str]] = lambda _: frozenset()
    """Gives the other origins that agree to be listed by the index at a URL."""
    tell: Callable[[str], None] = lambda _: None


@dataclass(slots=True, kw_only=True)
class Joined:
    """What the root index is to list."""

    base: str = ""
    proven: frozenset[str] = frozenset()
    """The other origins whose sitemaps may be listed."""
    own: list[IndexEntry] = field(default_factory=list)
    """What the root's own build wrote into the file that is written now."""
    joined: list[IndexEntry] = field(default_factory=list)
    builds: int = 0
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was left out on purpose, and why."""
    before: dict[str, str] = field(default_factory=dict)
    """What the file lists so far: URLs and dates."""
    earlier: list[str] = field(default_factory=list)
    """The files that list it."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A sitemap with where it is listed."""

    url: str
    lastmod: str | None
    index: Document
    position: int
    is_own: bool = False
    """The root's own build lists it in the file that is written over."""
    is_elsewhere: bool = False
    """It is served from somewhere else, so that no file below the root tells whether it is there."""


def join(storage: Storage, found: Found, request: Request) -> Joined:
    """Choose what the root index lists.

    Raises:
        UnknownAddressError: the address was not given, and nothing tells it.
        NothingToJoinError: there is no build.
        ValueError: there is no such version.
        OSError: the storage fails.
    """
    parts = read_parts(storage, found, request.index_filename, request.base, request.tell)
    result = Joined(findings=[*found.findings, *parts.findings], before=parts.before, earlier=parts.earlier)
    read = [part for part in (*parts.others, parts.own) if part.documents]
    if not read and not request.additions and not result.findings:
        message = "no index and no sitemap is in the directory or in those below it; build first, or raise --depth"
        raise NothingToJoinError(message)
    result.base = request.base or find_base(parts, storage)
    proven = result.proven = request.proven(result.base + request.index_filename)
    chosen = _choose_versions(parts.others, found.versions, request, result)
    listed = [*_list_own(parts.own, proven, result), *_list_parts(chosen, found.versions, proven, result)]
    listed += _list_additions(request.additions, proven, result)
    _enter(_present(_flatten(listed, storage, result), storage, result), result)
    return result


def _choose_versions(parts: list[Part], versions: dict[str, Versions], request: Request, result: Joined) -> list[Part]:
    """Leave out the versions of mike's that are not wanted, and place every build where it is in scope."""
    known = {name for each in versions.values() for name in each.names}
    if strange := sorted(set(request.versions) - known - {"all"}):
        message = f"there is no version {', '.join(strange)}; known: {', '.join(sorted(known)) or 'none'}"
        raise ValueError(message)
    wanted: dict[str, list[Version]] = {}
    for directory, each in versions.items():
        wanted[directory] = each.choose(request.versions) or [_canonical(directory, each, parts, result.base)]
    chosen = []
    for part in parts:
        directory, name = _version_of(part.build.path, versions)
        if not name or any(name in version.names for version in wanted[directory]):
            chosen.append(part)
        else:
            names = ", ".join(version.name for version in wanted[directory])
            result.notes.append(f"{part.build.path}: not joined; of these versions, only {names}")
    for directory, some in wanted.items():
        paths = {_version_of(part.build.path, {directory: versions[directory]})[1] for part in chosen if part.documents}
        result.findings += [_without_sitemaps(directory, each) for each in some if not paths & each.names]
    return chosen


def _version_of(path: str, versions: dict[str, Versions]) -> tuple[str, str]:
    """Give the directory with the versions to which a build belongs, and which of their directories it is in."""
    for directory in sorted(versions, key=len, reverse=True):
        if is_below(path, directory) and path != directory:
            name = path[len(directory) :].lstrip("/").partition("/")[0]
            if name in versions[directory].names:
                return directory, name
    return "", ""


def _canonical(directory: str, versions: Versions, parts: list[Part], base: str) -> Version:
    """Choose the version to which the URLs of the one that visitors are shown belong, as a rule that one itself."""
    shown = versions.shown()
    pointed = _points_to(directory, shown, parts, base)
    return (versions.find(pointed) if pointed else None) or shown


def _points_to(directory: str, version: Version, parts: list[Part], base: str) -> str:
    """Give the directory beside a version's own under which most of its URLs are: mike's `canonical_version`."""
    scope = _address(base, directory)
    paths = {f"{directory}/{name}".lstrip("/") for name in version.names}
    listed = [url for part in parts if part.build.path in paths for url in islice(part.urls(), _ASKED)]
    names = Counter(urls.relative_path(url, scope).partition("/")[0] for url in listed if urls.is_within(url, scope))
    return urls.file_path(names.most_common(1)[0][0]) or "" if names else ""


def _list_own(own: Part, proven: frozenset[str], result: Joined) -> Iterator[_Listed]:
    """List what the root's own build lists; what is written over is kept apart."""
    for document in own.documents:
        is_own = document.where in result.earlier
        if is_own:
            result.notes.append(f"{document.where}: what the build at the root itself listed in it is kept")
        yield from _judged(document, result.base + urls.from_file_path(document.where), proven, result, is_own=is_own)


def _list_parts(
    parts: list[Part], versions: dict[str, Versions], proven: frozenset[str], result: Joined
) -> Iterator[_Listed]:
    for part in parts:
        places = (part.build.path, *part.build.aliases)
        part.served = next((place for place in places if _is_in_scope(part, place, result.base)), None)
    served = {part.served for part in parts if part.served}
    for part in parts:
        if part.served is None and (other := _defers_to(part, versions, served, result.base)):
            result.notes.append(f"{part.build.path}: not joined; its URLs are those of {other}, which is")
            continue
        place = _address(result.base, part.build.path if part.served is None else part.served)
        for document in part.documents:
            url = place + urls.from_file_path(document.where.rpartition("/")[2])
            yield from _judged(document, url, proven, result)


def _is_in_scope(part: Part, place: str, base: str) -> bool:
    return any(urls.is_within(url, _address(base, place)) for url in part.urls())


def _defers_to(part: Part, versions: dict[str, Versions], served: set[str], base: str) -> str:
    """Name the version that is joined in place of another, because the other's URLs are its own."""
    directory, name = _version_of(part.build.path, versions)
    if not name:
        return ""
    others = [f"{directory}/{other}".lstrip("/") for other in sorted(versions[directory].names)]
    return next((other for other in others if other in served and _is_in_scope(part, other, base)), "")


def _list_additions(additions: Iterable[Document], proven: frozenset[str], result: Joined) -> Iterator[_Listed]:
    for document in additions:
        for listed in _judged(document, document.url, proven, result, is_elsewhere=True):
            if urls.is_within(listed.url, result.base) or urls.origin(listed.url) in proven:
                yield listed
            else:
                result.findings.append(_outside_root(listed, result.base))


def _judged(
    document: Document,
    url: str,
    proven: frozenset[str],
    result: Joined,
    *,
    is_own: bool = False,
    is_elsewhere: bool = False,
) -> Iterator[_Listed]:
    """Judge a file as one that is served at a URL, and give of what it lists the sitemaps that may be listed."""
    document.url, document.proven = url, proven
    result.findings += [each for each in Selection().document(document) if each.level != "notice"]
    now = datetime.now(UTC)
    if document.kind == "sitemapindex":
        for position, normal in enumerate(document.normal):
            if _allows(document, normal):
                date = _date(document.dates[position], document, now)
                yield _Listed(normal, date, document, position, is_own, is_elsewhere)
    elif document.kind and any(_allows(document, normal) for normal in document.normal):
        dates = filter(None, (_date(text, document, now) for text in document.read_dates))
        yield _Listed(urls.normalise(url), max(dates, default=None), document, -1, is_elsewhere=is_elsewhere)


def _allows(document: Document, normal: str) -> bool:
    return bool(normal) and (urls.is_within(normal, document.scope) or urls.origin(normal) in document.proven)


def _date(text: str, document: Document, now: datetime) -> str | None:
    """Give a date in its one form, or None where it is none, or says too little or too much."""
    date = document.read_dates[text][0] if has_day(text) else ""
    return date if date and not is_future(date, now) else None


def _flatten(listed: list[_Listed], storage: Storage, result: Joined) -> Iterator[_Listed]:
    """Put in the place of an index that another tool's index lists what the index lists."""
    seen = {each.index.url: each.index.kind for each in listed}
    for _ in range(_DEEPEST):
        suspects = {}
        for each in listed:
            path = _path(each.url, result.base)
            is_known = each.position < 0 or each.index.is_ours or each.is_elsewhere
            if is_known or path is None or not _may_be_index(path):
                yield each
            elif each.url not in seen:
                suspects[path] = each
            elif seen[each.url] != "sitemapindex":
                yield each
        listed = []
        for path, content in storage.read(suspects, MAX_BYTES):
            url = suspects[path].url
            document = read_document(path, content, [])
            seen[url] = document.kind if document else ""
            if document and document.kind == "sitemapindex":
                listed += _judged(document, url, suspects[path].index.proven, result)
            else:
                yield suspects[path]


def _may_be_index(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in INDEX_NAMES or "index" in name


def _path(url: str, base: str) -> str | None:
    """Give the path below the root of the file that a URL names, or None where it is not below the root."""
    return urls.file_path(urls.relative_path(url, base)) if urls.is_within(url, base) else None


def _present(listed: Iterable[_Listed], storage: Storage, result: Joined) -> Iterator[_Listed]:
    """Drop the sitemaps that are not there."""
    every = list(listed)
    paths = {
        each.url: _path(each.url, result.base) or ""
        for each in every
        if not each.is_elsewhere and urls.is_within(each.url, result.base)
    }
    missing = {"", *storage.missing(filter(None, paths.values()))}
    for each in every:
        if each.url in paths and paths[each.url] in missing:
            line = each.index.line(each.position)
            problem = f"lists {each.url}, and there is no such file."
            result.findings.append(MISSING_SITEMAP.at(each.index.where, problem, line=line))
        else:
            yield each


def _enter(listed: Iterable[_Listed], result: Joined) -> None:
    """List every sitemap once, with the newest of its dates."""
    dates: dict[str, str | None] = {}
    own: set[str] = set()
    builds: set[str] = set()
    for each in listed:
        builds.add(each.index.where.rpartition("/")[0])
        dates[each.url] = max(filter(None, [dates.get(each.url), each.lastmod]), default=None)
        if each.is_own:
            own.add(each.url)
    result.builds = len(builds)
    for url in sorted(dates):
        (result.own if url in own else result.joined).append(IndexEntry(url=url, lastmod=dates[url]))


def _address(base: str, path: str) -> str:
    return f"{base}{urls.from_file_path(path)}/" if path else base


def _without_sitemaps(directory: str, version: Version) -> Finding:
    return Finding(
        check="version-without-sitemap",
        level="error",
        where=f"{directory}/{version.name}".lstrip("/"),
        problem="this version is to be joined, and it has no index and no sitemap.",
        fix="Deploy it again with a site_url, or choose others with --versions.",
    )


def _outside_root(listed: _Listed, base: str) -> Finding:
    return Finding(
        check="sitemap-outside-index",
        level="error",
        where=listed.index.where,
        problem=f"lists {listed.url}, which is outside {base}, where the joined index is.",
        fix="Join it at a directory above both, or prove with --cross-site that its site agrees.",
        line=listed.index.line(listed.position),
    )
