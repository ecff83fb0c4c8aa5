"""Which directories below a root are builds, where each is served, and what their own indexes list."""

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from posixpath import join

from smindex_plugins import urls
from smindex_plugins.catalogue import LINK_OUTSIDE, UNLISTED_SITEMAP, UNREADABLE_SITEMAP, UNREADABLE_VERSIONS
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import INDEX_NAMES, Document, index_files, numbered, read
from smindex_plugins.sites import MOST_VERSIONS, VERSIONS_FILE, Versions, read_versions
from smindex_plugins.storage import Folder, Storage

_MOST_PAGE = 1 << 16
_SITEMAP = re.compile(r"sitemap.*\.xml(\.gz)?")


@dataclass(slots=True)
class Build:
    """A directory that holds an index, or failing that a sitemap."""

    path: str = ""
    """Its path relative to the root. Empty for the root itself."""
    files: list[str] = field(default_factory=list)
    """The path of its index, or of all its indexes. For the root, of anything that may be one."""
    aliases: list[str] = field(default_factory=list)
    """Links under which the same directory is served."""
    documents: list[Document] = field(default_factory=list)
    """The content of its files."""

    def urls(self) -> Iterator[str]:
        """Return the URLs that it lists, normalised."""
        for document in self.documents:
            yield from document.listed

    def some_urls(self) -> Iterator[str]:
        """Return as many of these as it takes to tell at which address it is."""
        return islice(self.urls(), 100)


@dataclass(slots=True, kw_only=True)
class Builds:
    """Every build below a root, and the root's own."""

    own: Build = field(default_factory=Build)
    others: list[Build] = field(default_factory=list)
    versions: dict[str, Versions] = field(default_factory=dict)
    """The versions.json files of mike, by directory."""
    earlier: list[str] = field(default_factory=list)
    """The files of an earlier run that will be overwritten: the index, or the numbered ones."""
    before: dict[str, str] = field(default_factory=dict)
    """The URLs and dates in these files."""

    def __iter__(self) -> Iterator[Build]:
        """Return those that list something, the root's own last."""
        return (build for build in (*self.others, self.own) if build.documents)


def find_builds(
    storage: Storage,
    findings: list[Finding],
    *,
    base: str,
    index_filename: str,
    depth: int,
    tell: Callable[[str], None],
) -> Builds:
    """Return the builds, found by the names of files, each with its index or its only sitemap.

    Raises:
        OSError: a directory cannot be read, or the storage fails.
    """
    folders = sorted(_folders(storage, depth, index_filename, tell), key=lambda folder: folder.path)
    problem = "it is a link that leads out of the directory, so it was not joined."
    findings += [LINK_OUTSIDE.at(folder.path, problem) for folder in folders if folder.leads_outside]
    found, strays = _builds(folders, index_filename)
    # A directory below the root with versions and an index has been joined by itself.
    joined = {build.path for build in found if build.path}
    versioned = [folder.path for folder in folders if VERSIONS_FILE in folder.files and folder.path not in joined]
    builds = Builds(versions=_read_versions(storage, versioned, findings))
    builds.own = next((build for build in found if not build.path), Build())
    _read_own(storage, builds, index_filename, findings)
    listed = _listed(builds.own, base, storage)
    findings += [_left_over(path) for path in strays if path not in listed]
    # What an index of another tool lists may be an index in its turn, and is read.
    sections = listed if all(document.is_ours for document in builds.own.documents) else set()
    builds.others = [build for build in found if build.path and sections.isdisjoint(build.files)]
    files = {path: build for build in builds.others for path in build.files}
    for path, content in storage.read_each(files, MAX_BYTES):
        tell(path)
        document = read_document(path, content, findings)
        if document and document.is_ours and document.kind == "urlset":
            findings.append(_left_over(path))
        elif document and (document.kind == "sitemapindex" or len(files[path].files) == 1):
            files[path].documents.append(document)
    return builds


def _folders(storage: Storage, depth: int, index_filename: str, tell: Callable[[str], None]) -> Iterator[Folder]:
    """Return the directories down to a depth. Directories inside a build belong to it, unless the build is the root."""
    waiting, count = [""], 0
    while waiting:
        deeper: list[str] = []
        for folder in storage.each(storage.folder, waiting):
            yield folder
            count += 1
            tell(f"{count:,} directories: {folder.path}")
            level = len(folder.path.split("/")) if folder.path else 0
            if level < depth and not (folder.path and index_files(folder.files, index_filename)):
                # A link to a hidden directory is the only way to it, as `current` is to a release.
                hidden = [link for link in folder.links if re.search(r"(^|/)\.", link.link)]
                deeper += [*folder.below, *(link.path for link in hidden)]
                yield from (link for link in folder.links if link not in hidden)
        waiting = deeper


def _builds(folders: list[Folder], index_filename: str) -> tuple[list[Build], list[str]]:
    """Yield the builds, and one sitemap of every directory without an index under a usual name."""
    builds, strays = [], []
    links = [(folder.path, folder.link) for folder in folders if folder.link]
    for folder in folders:
        choose = index_files if folder.path else _root_files
        if names := choose(folder.files, index_filename):
            inside = [(link, target) for link, target in links if f"{folder.path}/".startswith(f"{target}/")]
            aliases = [link + folder.path[len(target) :] for link, target in inside]
            builds.append(Build(folder.path, [join(folder.path, name) for name in names], aliases))
        elif sitemaps := sorted(name for name in folder.files if _SITEMAP.fullmatch(name)):
            strays.append(join(folder.path, sitemaps[0]))
    return builds, strays


def _root_files(names: frozenset[str], index_filename: str) -> list[str]:
    """Return files that may be the root index, of this run or an earlier one, and last a possible only sitemap."""
    own = [name for name in (index_filename, *numbered(names, index_filename)) if name in names]
    usual = [name for name in INDEX_NAMES if name in names] or index_files(names, index_filename)
    return sorted(dict.fromkeys([*own, *usual]), key=lambda name: name not in own and "index" not in name)


def _read_versions(storage: Storage, directories: list[str], findings: list[Finding]) -> dict[str, Versions]:
    files = storage.read_each([join(directory, VERSIONS_FILE) for directory in directories], MOST_VERSIONS)
    pages = storage.read_each([join(directory, "index.html") for directory in directories], _MOST_PAGE)
    found = {}
    for directory, (path, content), (_, page) in zip(directories, files, pages, strict=True):
        try:
            if isinstance(content, OSError):
                raise content
            if versions := read_versions(content, b"" if isinstance(page, OSError) else page):
                found[directory] = versions
        except (OSError, ValueError) as error:
            findings.append(UNREADABLE_VERSIONS.at(path, f"it cannot be read as what mike writes: {error}."))
    return found


def _read_own(storage: Storage, builds: Builds, index_filename: str, findings: list[Finding]) -> None:
    """Read what the root's own build lists.

    If an earlier run overwrote the build's own index, the new one still has what the build listed, before its mark. If
    the build has no index, its only sitemap counts, as in any other build.
    """
    own, kept = builds.own, list[Document]()
    family = {index_filename, *numbered(own.files, index_filename)}
    for path in own.files:
        is_index = path in family or "index" in path
        if not is_index and (own.documents or kept):
            break  # the flat sitemap of a build that has an index
        document = read_document(path, storage.read(path, MAX_BYTES), findings)
        if document is None:
            continue
        if path in family and document.is_ours and document.kind == "sitemapindex":
            builds.earlier.append(path)
            builds.before.update((entry.url, entry.lastmod) for entry in document.entries)
        if is_index and document.is_ours and document.own is not None:
            document.forget_joined()
            kept += [document] if document.count else []
        elif not is_index or document.kind != "urlset":
            own.documents.append(document)
    # A run that was killed leaves the one index that it wrote beside the numbered ones that it was to remove.
    is_cut_short = any(document.where in family for document in own.documents)
    halves = [document for document in kept if is_cut_short and document.where in family]
    own.documents = [*halves, *own.documents] or kept


def _listed(own: Build, base: str, storage: Storage) -> set[str]:
    """Return the paths of the sitemaps that the root's own build lists, whatever the root's address is."""
    base = base or next(filter(None, (_base_on_disk(url, storage) for url in own.some_urls())), "")
    within = (urls.relative_path(url, base) for url in own.urls() if base and urls.is_within(url, base))
    return set(filter(None, map(urls.file_path, within)))


def read_document(path: str, content: bytes | OSError, findings: list[Finding]) -> Document | None:
    """Return the content of a file whose address is not known yet, or None if it cannot be read."""
    if isinstance(content, OSError):
        problem = f"it cannot be read as a sitemap: {content.strerror or content}."
        findings.append(UNREADABLE_SITEMAP.at(path, problem))
        return None
    return read(io.BytesIO(content), Document(url=urls.NO_ADDRESS + urls.from_file_path(path), where=path))


def find_base(builds: Builds, storage: Storage) -> str:
    """Return the address of the root, from the URLs in builds and the directories of these builds.

    Raises:
        UnknownAddressError: nothing that they list tells it.
    """
    votes: Counter[str] = Counter()
    for build in builds:
        asked = build.some_urls()
        places = [f"/{urls.from_file_path(path)}/" for path in (build.path, *build.aliases) if path]
        if places:
            found = (_base_above(url, place) for url in asked for place in places)
        else:
            found = (_base_on_disk(url, storage) for url in asked)
        votes.update(islice(filter(None, found), 1))
    if not votes:
        message = "the URLs in the builds do not show at which address the root is served; give --site-url"
        raise urls.UnknownAddressError(message)
    return min(votes, key=lambda base: (-votes[base], len(base), base))


def _base_above(url: str, place: str) -> str | None:
    """Return the part of a URL before a path. If a URL has the path twice, other builds decide."""
    above, found, _ = urls.path(url).partition(place)
    return f"{urls.origin(url)}{above}/" if found else None


def _base_on_disk(url: str, storage: Storage) -> str | None:
    """Return the part of a URL before the path of a file below the root."""
    path = urls.path(url).partition("?")[0].lstrip("/")
    while path:
        on_disk = urls.file_path(path)
        if on_disk and storage.is_there(f"{on_disk}index.html" if on_disk.endswith("/") else on_disk):
            return url.partition("?")[0].removesuffix(path)
        path = path.partition("/")[2]
    return None


def _left_over(path: str) -> Finding:
    fix = "Remove what an earlier build left, or give the index of this one its usual name."
    return UNLISTED_SITEMAP.at(path, "no index of its build lists it, so it was not joined.", fix)
