"""The options of `smindex build`: its flags, and the table [tool.smindex] of a pyproject.toml."""

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from smindex_plugins import forms
from smindex_plugins.projects.configuration import places
from smindex_plugins.settings import OPTIONS, Settings, SettingsError

PATTERN = forms.text("a pattern with {path} in it, such as 'docs/{path}.md'", r".*\{path\}.*")
_OWN = {
    "directory": forms.text("a directory relative to this file", r".*\S.*"),
    "site_url": forms.text("a URL such as https://example.org/docs/", r".*\S.*"),
    "sources": forms.listing(f"{PATTERN.accepted}, or a list of them", PATTERN, least=1),
    "clean_urls": forms.SWITCH,
}
"""The options that are not of `Settings`."""
_NAMES = [option.name for option in OPTIONS]


class WrongOptionsError(Exception):
    """Some options are wrong; ``problems`` has a line for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table `[tool.smindex]` of a pyproject.toml, as it is written."""

    file: str = ""
    """Absolute; empty where there is none."""
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def directory(self) -> str:
        """The directory to which its paths are relative."""
        return os.path.dirname(self.file)

    def name(self, option: str) -> str:
        """Return what a message about an option calls it."""
        return f"{os.path.relpath(self.file)}: [tool.smindex] {option}"


def read_table(starts: Iterable[str]) -> Table:
    """Return the table `[tool.smindex]` that is nearest to the first of some directories that has one.

    Raises:
        WrongOptionsError: a pyproject.toml cannot be read, or its table is none.
    """
    for path in (os.path.join(place, "pyproject.toml") for start in starts for place in places(start)):
        if os.path.isfile(path) and (found := _read(path)) is not None:
            return Table(file=path, values=found)
    return Table()


def _read(path: str) -> Mapping[str, object] | None:
    try:
        with open(path, "rb") as file:
            tools = tomllib.load(file).get("tool", {})
    except (OSError, ValueError, RecursionError) as error:
        raise WrongOptionsError([f"{os.path.relpath(path)}: it cannot be read: {error}"]) from error
    found = tools.get("smindex") if isinstance(tools, Mapping) else None
    if found is None or isinstance(found, Mapping):
        return found
    raise WrongOptionsError([f"{os.path.relpath(path)}: tool.smindex: got {found!r}; accepted: a table"])


def read_own(table: Table, problems: list[str]) -> dict[str, Any]:
    """Return the options of a table that are not of `Settings`."""
    names = [*_OWN, *_NAMES]
    problems += [f"{table.name(key)}: {forms.unknown(key, names)}" for key in table.values if key not in names]
    with _noting(problems, table.name):
        return forms.read_options(_OWN, {key: value for key, value in table.values.items() if key in _OWN})
    return {}


def read_settings(given: Mapping[str, object], table: Table, problems: list[str]) -> Settings:
    """Return the settings of flags and table, of which flags count first."""
    values = {key: value for key, value in table.values.items() if key in _NAMES}
    mistakes: list[str] = []
    with _noting(mistakes, lambda key: "--" + key.replace("_", "-")):
        Settings.load(given)
    with _noting(mistakes, table.name):
        Settings.load(values)
    with _noting([] if mistakes else problems, str):  # of two that do not go together
        return Settings.load({**values, **given})
    problems += mistakes
    return Settings()


@contextmanager
def _noting(problems: list[str], name: Callable[[str], str]) -> Iterator[None]:
    """Note every mistake with what its option is called."""
    try:
        yield
    except SettingsError as error:
        problems += [f"{name(key)}: {message}" for key, message in error.errors]
