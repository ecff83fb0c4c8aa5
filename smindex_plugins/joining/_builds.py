"""Finds the builds below a root, what their indexes list, and the address of the root."""

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import basename, join

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import UNLISTED_SITEMAP
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import Finding
from smindex_plugins.base.text import counted
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entry_points import FLAT, usual_files
from smindex_plugins.reading.reader import read, unread
from smindex_plugins.reading.versions import VERSIONS_FILE
from smindex_plugins.writing.names import numbered
from smindex_plugins.writing.storage import Storage

DEPTH = 3
"""How many directory levels are searched for builds."""
_SITEMAP = re.compile(r"sitemap.*\.xml(\.gz)?")


@dataclass(slots=True, kw_only=True)
class Build:
    """A directory that contains an index, or otherwise a sitemap."""

    path: str
    """Its path relative to the root."""
    files: list[str]
    """The paths of its indexes and sitemaps with usual names."""
    group: str
    """An identifier shared by builds that may have the same URLs: links to one directory, and
    versions of one site."""
    documents: list[Document] = field(default_factory=list)
    """The content of its files, without sections that an earlier build left."""

    def urls(self) -> Iterator[str]:
        """Yield the URLs that it lists, normalized."""
        for document in self.documents:
            yield from document.listed

    def lists_within(self, directory: str) -> bool:
        """Whether a URL that it lists is within the URL of a directory."""
        return any(urls.is_within(url, directory) for url in self.urls())


@dataclass(slots=True, kw_only=True)
class Root:
    """A directory with builds, and everything known about it so far."""

    storage: Storage
    index_filename: str
    base: str
    """Its normalized URL, with a slash at the end, or an empty string if it is not known."""
    files: frozenset[str] = frozenset()
    """The names of the files in the directory itself."""
    builds: list[Build] = field(default_factory=list)
    """The builds below it."""
    own: list[Document] = field(default_factory=list)
    """The documents of the root's own build: its indexes and sitemaps with usual names."""
    earlier: list[str] = field(default_factory=list)
    """The indexes that this join replaces."""
    before: dict[str, str] = field(default_factory=dict)
    """The URLs and dates in these indexes."""
    strays: list[str] = field(default_factory=list)
    """One sitemap from each directory without an index."""
    versioned: list[str] = field(default_factory=list)
    """The directories with a versions.json."""
    notes: list[str] = field(default_factory=list)
    """What is omitted on purpose, and why."""
    findings: list[Finding] = field(default_factory=list)

    def url(self, path: str) -> str:
        """Return the URL of a file, or of a directory whose path ends with a slash."""
        return self.base + urls.from_file_path(path)


def find_builds(root: Root, tell: Callable[[str], None]) -> None:
    """Find the directories that are builds, by their file names.

    Directories in a build belong to it, unless the build is the root.

    Raises:
        OSError: a directory can't be read.
    """
    level = [""]
    count = 0
    for _ in range(DEPTH + 1):
        below: list[str] = []
        for folder in root.storage.each(root.storage.folder, level):
            is_in_target = f"{folder.path}/".startswith(join(folder.target, ""))
            if is_in_target and folder.path != folder.target:
                continue  # a link to one of its parents
            count += 1
            tell(f"{counted(count, 'folder')}: {folder.path}")
            names = usual_files(folder.files, root.index_filename)
            if names and folder.path:
                files = [join(folder.path, name) for name in names]
                root.builds.append(Build(path=folder.path, files=files, group=folder.target))
                continue
            if not folder.path:
                root.files = folder.files
            if not names:
                sitemaps = sorted(filter(_SITEMAP.fullmatch, folder.files))
                root.strays += [join(folder.path, name) for name in sitemaps[:1]]
            if VERSIONS_FILE in folder.files:
                root.versioned.append(folder.path)
            for path in folder.outside:
                root.notes.append(f"{path}: not joined, because it is a link to outside the root")
            below += folder.below
        level = below
    root.builds.sort(key=lambda build: build.path)


def read_builds(root: Root, tell: Callable[[str], None]) -> None:
    """Read the indexes of the builds, and derive the root's address from them if it is not known.

    Raises:
        OSError: the storage fails.
    """
    _read_own(root)
    root.base = root.base or _base_of_own(root)
    sections = _listed_by_own(root)
    indexes = [document for document in root.own if document.kind == "sitemapindex"]
    # indexes of other tools can list the index of a build
    if all(document.is_ours for document in indexes):
        root.builds = [build for build in root.builds if not sections.issuperset(build.files)]
    left_over = [path for path in root.strays if path not in sections]
    first_files = {build.files[0]: build for build in root.builds}
    _read_documents(root, first_files, tell)
    other_files: dict[str, Build] = {}
    for build in root.builds:
        other_files |= dict.fromkeys(_others(build), build)
    _read_documents(root, other_files, tell)
    for build in root.builds:
        kept = []
        own_sections = []
        for document in build.documents:
            if document.is_ours and document.kind == "urlset":
                own_sections.append(document.where)
            else:
                kept.append(document)
        build.documents = kept
        if not kept:  # an earlier build left its sections, but not its index
            left_over += [path for path in own_sections if path not in sections]
    fix = "Remove what an earlier build left, or give this build's index its usual name."
    problem = "no index of its build lists it, so it was not joined."
    root.findings += [UNLISTED_SITEMAP.at(path, problem, fix) for path in left_over]
    root.base = root.base or _base_of_builds(root.builds)


def _listed_by_own(root: Root) -> set[str | None]:
    """Return the files that the root's own build lists, if the address of the root is known."""
    listed: set[str | None] = set()
    if not root.base:
        return listed
    for document in root.own:
        for url in document.listed:
            if urls.is_within(url, root.base):
                listed.add(urls.file_path(urls.relative_path(url, root.base)))
    return listed


def _read_documents(root: Root, builds: Mapping[str, Build], tell: Callable[[str], None]) -> None:
    """Read files, and add each to its build.

    Raises:
        OSError: the storage fails.
    """
    for path, content in root.storage.read_each(builds, MAX_BYTES):
        tell(path)
        builds[path].documents.append(_read(path, content))


def _others(build: Build) -> list[str]:
    """Return the files to read after the first one.

    Next to an index of this tool, a flat sitemap adds no pages.
    """
    others = build.files[1:]
    if any(map(_is_our_index, build.documents)):
        return [path for path in others if basename(path) not in FLAT]
    return others


def _is_our_index(document: Document) -> bool:
    return document.is_ours and document.kind == "sitemapindex"


def _read(path: str, content: bytes | OSError) -> Document:
    """Return the content of a file whose URL is not known yet."""
    document = Document(url=urls.NO_ADDRESS + urls.from_file_path(path), where=path)
    if isinstance(content, OSError):
        return unread(document, content.strerror or str(content))
    return read(io.BytesIO(content), document)


def _read_own(root: Root) -> None:
    """Read the entries of the root's own build.

    If an earlier join replaced its index, the new one still contains the build's entries, before
    the mark. If a join was killed, both can exist. If there is no index, its sitemaps are used, as
    in any other build.
    """
    replaced = [root.index_filename, *numbered(root.files, root.index_filename)]
    names = [name for name in replaced if name in root.files]
    names += usual_files(root.files)
    for name in dict.fromkeys(names):
        if name in FLAT and any(map(_is_our_index, root.own)):
            continue
        content = root.storage.read(name, MAX_BYTES)
        document = _read(name, content)
        if name in replaced and _is_our_index(document):
            root.earlier.append(name)
            root.before |= {entry.url: entry.lastmod for entry in document.entries}
        document = document.without_joined()
        if document.entries or document.own is None:
            root.own.append(document)
    root.own.sort(key=lambda document: not document.is_ours)


def _base_of_own(root: Root) -> str:
    """Return the part of a URL before the path of a file below the root."""
    if not root.own:
        return ""
    for url in root.own[0].listed[:100]:
        address, _, _ = url.partition("?")
        path, _, _ = urls.path(url).partition("?")
        path = path.lstrip("/")
        while path:
            served = path
            if path.endswith("/"):
                served += "index.html"
            file = urls.file_path(served)
            if file and root.storage.is_there(file):
                return address.removesuffix(path)
            _, _, path = path.partition("/")
    return ""


def _base_of_builds(builds: list[Build]) -> str:
    """Return the part before the path of a build in most of the URLs that builds list, if any."""
    votes: Counter[str] = Counter()
    for build in builds:
        place = f"/{urls.from_file_path(build.path)}/"
        for url in build.urls():
            path = urls.path(url)
            if place in path:
                above, _, _ = path.partition(place)
                votes[f"{urls.origin(url)}{above}/"] += 1
                break
    return min(votes, key=lambda base: (-votes[base], len(base), base), default="")
