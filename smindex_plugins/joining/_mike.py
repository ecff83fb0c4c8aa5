"""Chooses the versions of mike to join: the requested ones, or the one that search engines should
find.
"""

import re
from itertools import chain
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
    """Remove the builds of all versions except the requested ones, or except the canonical one by
    default.

    Raises:
        ValueError: there is no such version.
        OSError: the storage fails.
    """
    sites = _read_all(root)
    known = {name for site in sites.values() for name in site.names}
    if unknown := sorted(names - known - {"all"}):
        message = (
            f"unknown version: {', '.join(unknown)}; known: {', '.join(sorted(known)) or 'none'}"
        )
        raise ValueError(message)
    for directory, site in sites.items():
        wanted = [
            version
            for version in site.versions
            if names & version.names or ("all" in names and not version.is_hidden)
        ] or [_canonical(site)]
        wanted_names = {name for version in wanted for name in version.names}
        above, found = join(directory, ""), set[str]()
        for build in [build for build in root.builds if build.path.startswith(above)]:
            name = build.path.removeprefix(above).partition("/")[0]
            if name in wanted_names:
                build.group = above + VERSIONS_FILE
                found.add(name)
            elif name in site.names:
                root.builds.remove(build)
                only = ", ".join(version.name for version in wanted)
                root.notes.append(
                    f"{build.path}: not joined; of these versions, only {only} was selected"
                )
        problem = "this version was selected, but it has no index and no sitemap."
        lacking = [
            join(directory, version.name) for version in wanted if found.isdisjoint(version.names)
        ]
        root.findings += [VERSION_WITHOUT_SITEMAP.at(where, problem) for where in lacking]


def _read_all(root: Root) -> dict[str, Versions]:
    """Return the versions of mike by the directory that contains them."""
    sites = {}
    paths = [join(directory, VERSIONS_FILE) for directory in root.versioned]
    for path, content in root.storage.read_each(paths, MOST_VERSIONS):
        if isinstance(content, OSError):
            root.findings.append(
                UNREADABLE_VERSIONS.at(path, f"it cannot be read: {reason_of(content)}.")
            )
            continue
        try:
            if site := read_versions(content):
                sites[dirname(path)] = site
        except InvalidTextError as error:
            root.findings.append(UNREADABLE_VERSIONS.at(path, f"{error.problem}.", line=error.line))
    return sites


def _canonical(site: Versions) -> Version:
    """Return the version with the alias ``latest`` or ``stable``, or else the newest release."""
    aliased = (
        version
        for alias in ("latest", "stable")
        for version in site.versions
        if alias in version.names
    )
    releases = (
        version
        for version in site.versions
        if _RELEASE.match(version.name) and not version.is_hidden
    )
    return next(chain(aliased, releases), site.versions[0])
