"""Reads the versions of a site that mike deployed from its versions.json."""

from dataclasses import dataclass
from typing import Any

from smindex_plugins.base import files
from smindex_plugins.base.toml_and_json import load_json

VERSIONS_FILE = "versions.json"
MOST_VERSIONS = 1 << 20
"""The maximum number of bytes to read from it."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version: its directory, and the directories of its aliases."""

    name: str
    aliases: frozenset[str]
    is_hidden: bool = False

    @property
    def names(self) -> frozenset[str]:
        """All its directories."""
        return self.aliases | {self.name}


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of one site, in mike's order: development versions, then the newest release
    first.
    """

    versions: tuple[Version, ...]

    @property
    def names(self) -> frozenset[str]:
        """Every directory that is a version or an alias."""
        names: set[str] = set()
        for version in self.versions:
            names |= version.names
        return frozenset(names)


def read_versions(content: bytes) -> Versions | None:
    """Return the content of a versions.json, or None if another tool wrote the file.

    Raises:
        InvalidTextError: it is not JSON.
    """
    given = load_json(files.decode(content))
    try:
        versions = tuple(map(_version, given))
    except (AttributeError, KeyError, TypeError):
        return None
    if not versions:
        return None
    return Versions(versions)


def _version(given: Any) -> Version:  # noqa: ANN401 - it is JSON
    properties = given.get("properties")
    is_hidden = isinstance(properties, dict) and properties.get("hidden") is True
    name = str(given["version"])
    aliases = frozenset(map(str, given["aliases"]))
    return Version(name, aliases, is_hidden)
