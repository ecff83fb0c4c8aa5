"""What mike says about the versions of a site: its versions.json, and the page that leads to the default one."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

VERSIONS_FILE = "versions.json"
MOST_VERSIONS = 1 << 20
"""The most bytes that are read from it."""

_RELEASE = re.compile(r"v?\d")
"""The form of a release in mike. Any other version is a development version, and newer than all releases."""
_USUAL_ALIASES = ("latest", "stable")
# In mike's own redirect, twice: `<meta http-equiv="refresh" content="1; url=NAME/" />` for browsers without scripts,
# and `window.location.replace("NAME/" + …)`; a redirect_template has one of the two as a rule.
_LEADS_TO = re.compile(
    r"(?:url\s{0,9}=\s{0,9}|location[\w.]{0,20}\s{0,9}(?:=|\()\s{0,9}[\"'])[\"']?(?:\./)?([^\"'/>:]{1,200})/",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version: its directory, and the directories that are aliases of it."""

    name: str
    aliases: frozenset[str]
    is_hidden: bool = False

    @property
    def names(self) -> frozenset[str]:
        """Every directory in which it can be found."""
        return self.aliases | {self.name}


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The versions of one site, in mike's order: development versions, then the newest release first."""

    versions: tuple[Version, ...]
    default: str = ""
    """The version or alias that the site's own page leads to (`mike set-default`)."""

    @property
    def names(self) -> frozenset[str]:
        """Every directory that is a version or an alias."""
        return frozenset(name for version in self.versions for name in version.names)

    def find(self, name: str) -> Version | None:
        """Return a version by its name or one of its aliases."""
        return next((version for version in self.versions if name in version.names), None)

    def shown(self) -> Version:
        """Return the version that visitors see: the default, the usual aliases, or the newest release."""
        named = (self.find(name) for name in (self.default, *_USUAL_ALIASES))
        releases = (each for each in self.versions if _RELEASE.match(each.name) and not each.is_hidden)
        return next(filter(None, (*named, *releases)), self.versions[0])

    def choose(self, names: Iterable[str]) -> list[Version]:
        """Return versions by names or aliases, or all that are not hidden for the name ``all``."""
        wanted = set(names)
        return [
            version
            for version in self.versions
            if wanted & version.names or ("all" in wanted and not version.is_hidden)
        ]


def read_versions(content: bytes, home: bytes = b"") -> Versions | None:
    """Return the content of a versions.json and the site's own page, or None if another tool wrote the file.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        given = json.loads(content, parse_int=float)  # no number means anything here, however long it is
    except RecursionError as error:
        message = "it is nested too deep"
        raise ValueError(message) from error
    if not isinstance(given, list):
        return None
    versions = [_read_version(each) for each in given]
    found = tuple(filter(None, versions))
    return Versions(versions=found, default=leads_to(home)) if found and len(found) == len(versions) else None


def leads_to(page: bytes) -> str:
    """Return the directory that a site's own page leads to, or None if it is not a redirect."""
    match = _LEADS_TO.search(page.decode("utf-8", "replace"))
    return match[1].strip() if match else ""


def _read_version(given: object) -> Version | None:
    if not isinstance(given, dict):
        return None
    name, aliases, properties = given.get("version"), given.get("aliases", []), given.get("properties")
    if not isinstance(aliases, list) or not all(map(_is_name, [name, *aliases])):
        return None
    is_hidden = isinstance(properties, dict) and properties.get("hidden") is True
    return Version(name=str(name), aliases=frozenset(aliases), is_hidden=is_hidden)


def _is_name(value: object) -> bool:
    """Whether a value is the name of a directory beside the file, which is all that mike allows."""
    return isinstance(value, str) and value not in {"", ".", ".."} and not re.search(r"[\\/\0]", value)
