"""At which URL a built directory is served, as the configuration beside it or above it says."""

import ast
import os
import re
import tomllib
from collections.abc import Callable, Iterator

from smindex_plugins import urls

_MOST_LEVELS = 4
"""Directories above the built one that are looked into: a configuration further away is that of something else."""
_MOST_BYTES = 1 << 20
_YAML_LINE = re.compile(
    r"^site_url:[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s#][^\n]*?))[ \t]*(?:[ \t]#[^\n]*)?$", re.MULTILINE
)


def configured_address(directory: str) -> str | None:
    """Give the normalised URL, with its slash, that a host's configuration names for its site, or None."""
    for path, read in _configurations(os.path.realpath(directory)):
        try:
            with open(path, encoding="utf-8") as file:
                given = read(file.read(_MOST_BYTES))
            if given:
                return urls.normalise(given.rstrip("/") + "/")
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _configurations(directory: str) -> Iterator[tuple[str, Callable[[str], str | None]]]:
    for _ in range(_MOST_LEVELS):
        for name, read in _READERS.items():
            path = os.path.join(directory, name)
            if os.path.isfile(path):
                yield path, read
        if os.path.exists(os.path.join(directory, ".git")):
            return
        directory = os.path.dirname(directory)


def _from_yaml(text: str) -> str | None:
    """Read one line and no more, for these files hold tags that only their host can read."""
    match = _YAML_LINE.search(text)
    return next(filter(None, match.groups()), None) if match else None


def _from_toml(text: str) -> str | None:
    settings = tomllib.loads(text)
    project = settings.get("project")
    given = project.get("site_url") if isinstance(project, dict) else settings.get("site_url")
    return given if isinstance(given, str) else None


def _from_python(text: str) -> str | None:
    """Read what is assigned to SITEURL, without running anything."""
    given = None
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            if "SITEURL" in names and isinstance(statement.value.value, str):
                given = statement.value.value
    return given


_READERS: dict[str, Callable[[str], str | None]] = {
    "mkdocs.yml": _from_yaml,
    "mkdocs.yaml": _from_yaml,
    "properdocs.yml": _from_yaml,
    "properdocs.yaml": _from_yaml,
    "zensical.toml": _from_toml,
    "publishconf.py": _from_python,
    "pelicanconf.py": _from_python,
}
