"""Chooses the versions of mike to join: the requested ones, or the canonical one."""

import re
from posixpath import dirname, join

from smindex_plugins.base.catalogue import UNREADABLE_VERSIONS, VERSION_WITHOUT_SITEMAP
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.joining._builds import Root
from smindex_plugins.reading.versions import (
    MOST_VERSIONS,
    VERSIONS_FILE,
    Version,
    Versions,
    read_versions,
)
from smindex_plugins.writing.storage import reason_of

_RELEASE = re.compile(r"v?\d")
"""The format of a release in mike. Any other version is a development version, which is newer than
all releases."""


def choose_versions(root: Root, names: set[str]) -> None:
    """Remove the builds of all versions but the requested ones, which default to the canonical one.

    Raises:
        ValueError: there is no such version.
        OSError: the storage fails.
    """
    sites = _read_all(root)
    known: set[str] = set()
    for site in sites.values():
        known.update(site.names)
    unknown = sorted(names - known - {"all"})
    if unknown:
        wrong = ", ".join(unknown)
        right = ", ".join(sorted(known)) or "none"
        message = f"unknown version: {wrong}; known: {right}"
        raise ValueError(message)
    for directory, site in sites.items():
        wanted = _wanted(site, names)
        found = _remove_others(root, directory, site, wanted)
        for version in wanted:
            if found.isdisjoint(version.names):
                problem = "this version was selected, but it has no index and no sitemap."
                where = join(directory, version.name)
                root.findings.append(VERSION_WITHOUT_SITEMAP.at(where, problem))


def _wanted(site: Versions, names: set[str]) -> list[Version]:
    """Return the requested versions of a site, or the canonical one if it has none of them."""
    wanted = []
    for version in site.versions:
        is_in_all = "all" in names and not version.is_hidden
        if is_in_all or not names.isdisjoint(version.names):
            wanted.append(version)
    return wanted or [_canonical(site)]


def _remove_others(root: Root, directory: str, site: Versions, wanted: list[Version]) -> set[str]:
    """Remove the builds of the other versions, and return the names of those that have a build."""
    wanted_names: set[str] = set()
    for version in wanted:
        wanted_names.update(version.names)
    only = ", ".join(version.name for version in wanted)
    above = join(directory, "")
    found: set[str] = set()
    for build in root.builds.copy():
        if not build.path.startswith(above):
            continue
        name, _, _ = build.path.removeprefix(above).partition("/")
        if name in wanted_names:
            build.group = above + VERSIONS_FILE
            found.add(name)
        elif name in site.names:
            root.builds.remove(build)
            root.notes.append(
                f"{build.path}: not joined; of these versions, only {only} was selected"
            )
    return found


def _read_all(root: Root) -> dict[str, Versions]:
    """Return the versions of mike by the directory that contains them."""
    sites = {}
    paths = [join(directory, VERSIONS_FILE) for directory in root.versioned]
    for path, content in root.storage.read_each(paths, MOST_VERSIONS):
        if isinstance(content, OSError):
            problem = f"it can't be read: {reason_of(content)}."
            root.findings.append(UNREADABLE_VERSIONS.at(path, problem))
            continue
        try:
            site = read_versions(content)
        except InvalidTextError as error:
            root.findings.append(
                UNREADABLE_VERSIONS.at(path, f"{error.problem}.", line=error.line or None)
            )
            continue
        if site:
            sites[dirname(path)] = site
    return sites


def _canonical(site: Versions) -> Version:
    """Return the version with the alias ``latest`` or ``stable``, or else the newest release."""
    for alias in ("latest", "stable"):
        for version in site.versions:
            if alias in version.names:
                return version
    for version in site.versions:  # the newest is the first
        if _RELEASE.match(version.name) and not version.is_hidden:
            return version
    return site.versions[0]
