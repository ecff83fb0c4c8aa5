"""Which of the directories below a root are builds with sitemaps of their own, and under which paths each is served."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from smindex_plugins.joining.storage import Folder, Storage
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps.usual_names import INDEX_NAMES, index_files, numbered
from smindex_plugins.sites.versions import MOST_VERSIONS, VERSIONS_FILE, Versions, leads_to, read_versions

_MOST_PAGE = 1 << 16
_SITEMAP = re.compile(r"sitemap.*\.xml(\.gz)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A directory that holds an index, or failing that a sitemap."""

    path: str
    """Relative to the root; empty for the root itself."""
    files: tuple[str, ...]
    """The paths of its index, or of all where several share the sitemaps; of the root, whatever may be one."""
    aliases: tuple[str, ...] = ()
    """Links that serve the same directory under other paths."""


@dataclass(slots=True, kw_only=True)
class Found:
    """What there is below a root."""

    builds: list[Build] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    """Of directories without an index of a usual name, one sitemap each."""
    versions: dict[str, Versions] = field(default_factory=dict)
    """What mike wrote, by the directory in which it stands."""
    findings: list[Finding] = field(default_factory=list)


def discover(storage: Storage, depth: int, index_filename: str, tell: Callable[[str], None] = lambda _: None) -> Found:
    """Find the builds from the names of files alone.

    Raises:
        OSError: a directory cannot be read.
    """
    folders: list[Folder] = []
    for folder in storage.folders(depth, lambda names: bool(index_files(names, index_filename))):
        tell(f"{len(folders):,} directories: {folder.path}")
        folders.append(folder)
    folders.sort(key=lambda folder: folder.path)
    links = [folder for folder in folders if folder.link is not None]
    found = Found(findings=[_leads_outside(folder) for folder in folders if folder.leads_outside])
    for folder in folders:
        names = _root_files(folder, index_filename) if not folder.path else index_files(folder.files, index_filename)
        if names:
            files = tuple(_below(folder.path, name) for name in names)
            found.builds.append(Build(path=folder.path, files=files, aliases=tuple(_aliases(folder.path, links))))
        elif sitemaps := sorted(name for name in folder.files if _SITEMAP.fullmatch(name)):
            found.strays.append(_below(folder.path, sitemaps[0]))
    # A directory below the root with versions and an index has been joined by itself.
    joined = {build.path for build in found.builds if build.path}
    versioned = [folder.path for folder in folders if VERSIONS_FILE in folder.files and folder.path not in joined]
    _read_versions(storage, versioned, found)
    return found


def is_below(path: str, directory: str) -> bool:
    """Tell whether a path is a directory's or of something in it."""
    return not directory or path == directory or path.startswith(directory + "/")


def _root_files(folder: Folder, index_filename: str) -> list[str]:
    """Name what may be the root's own index, or that of an earlier run, and last what may be its only sitemap."""
    own = [name for name in (index_filename, *numbered(folder.files, index_filename)) if name in folder.files]
    usual = [name for name in INDEX_NAMES if name in folder.files]
    names = dict.fromkeys([*own, *(usual or index_files(folder.files, index_filename))])
    return sorted(names, key=lambda name: name not in own and "index" not in name)


def _aliases(path: str, links: Iterable[Folder]) -> Iterator[str]:
    for link in links:
        target = link.link or ""
        if target and is_below(path, target):
            yield link.path + path[len(target) :]


def _read_versions(storage: Storage, directories: list[str], found: Found) -> None:
    paths = [_below(directory, VERSIONS_FILE) for directory in directories]
    pages = [_below(directory, "index.html") for directory in directories]
    texts = zip(storage.read(paths, MOST_VERSIONS), storage.read(pages, _MOST_PAGE), strict=True)
    for directory, ((path, content), (_, page)) in zip(directories, texts, strict=True):
        try:
            if isinstance(content, OSError):
                raise content
            versions = read_versions(content)
        except (OSError, ValueError) as error:
            found.findings.append(_unreadable(path, error))
        else:
            if versions:
                default = "" if isinstance(page, OSError) else leads_to(page)
                found.versions[directory] = replace(versions, default=default)


def _below(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name


def _leads_outside(folder: Folder) -> Finding:
    return Finding(
        check="link-outside",
        level="warning",
        where=folder.path,
        problem="it is a link that leads out of the directory; what is there was not joined.",
        fix="Put the build itself there.",
    )


def _unreadable(path: str, error: Exception) -> Finding:
    return Finding(
        check="unreadable-versions",
        level="error",
        where=path,
        problem=f"it cannot be read as what mike writes: {error}.",
        fix="Deploy with mike again, or mend the JSON.",
    )
