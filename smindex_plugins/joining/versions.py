"""Which of mike's versions are joined: the requested ones, or the canonical one."""

from collections import Counter
from posixpath import join

from smindex_plugins import urls
from smindex_plugins.catalogue import VERSION_WITHOUT_SITEMAP
from smindex_plugins.joining.builds import Build, Builds
from smindex_plugins.model import Finding
from smindex_plugins.sites import Version, Versions


def choose_builds(builds: Builds, asked: set[str], base: str, notes: list[str], findings: list[Finding]) -> list[Build]:
    """Return the builds, without those of unwanted versions.

    Raises:
        ValueError: there is no such version.
    """
    versions = builds.versions
    known = {name for each in versions.values() for name in each.names}
    if strange := sorted(asked - known - {"all"}):
        message = f"there is no version {', '.join(strange)}; known: {', '.join(sorted(known)) or 'none'}"
        raise ValueError(message)
    wanted = {
        directory: each.choose(asked) or [_canonical(directory, each, builds.others, base)]
        for directory, each in versions.items()
    }
    chosen = []
    for build in builds.others:
        directory, name = version_of(build.path, versions)
        if not name or any(name in version.names for version in wanted[directory]):
            chosen.append(build)
        else:
            names = ", ".join(version.name for version in wanted[directory])
            notes.append(f"{build.path}: not joined; of these versions, only {names}")
    for directory, some in wanted.items():
        found = {version_of(build.path, {directory: versions[directory]})[1] for build in chosen if build.documents}
        problem = "this version was to be joined, but it has no index and no sitemap."
        lacking = [join(directory, version.name) for version in some if not found & version.names]
        findings += [VERSION_WITHOUT_SITEMAP.at(where, problem) for where in lacking]
    return chosen


def version_of(path: str, versions: dict[str, Versions]) -> tuple[str, str]:
    """Return the directory of the versions that a build belongs to, and its own directory in there."""
    while path:
        directory, _, name = path.rpartition("/")
        if directory in versions and name in versions[directory].names:
            return directory, name
        path = directory
    return "", ""


def _canonical(directory: str, versions: Versions, builds: list[Build], base: str) -> Version:
    """Return the version that the URLs of the visitors' version belong to, usually that version itself.

    mike's `canonical_version` can give the other versions its URLs.
    """
    shown = versions.shown()
    scope = base + urls.from_file_path(join(directory, ""))
    places = {join(directory, name) for name in shown.names}
    listed = [url for build in builds if build.path in places for url in build.some_urls()]
    names = Counter(urls.relative_path(url, scope).partition("/")[0] for url in listed if urls.is_within(url, scope))
    pointed = urls.file_path(names.most_common(1)[0][0]) if names else None
    return versions.find(pointed or "") or shown
