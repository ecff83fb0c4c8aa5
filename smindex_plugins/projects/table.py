"""The options of `smindex build`: its flags, and the table [tool.smindex] of a pyproject.toml."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from smindex_plugins import forms, tomltext
from smindex_plugins.projects.configuration import places, read_text
from smindex_plugins.projects.sources import PATTERN
from smindex_plugins.settings import OPTIONS, Option, Settings, SettingsError
from smindex_plugins.text import brief

_OWN = {
    "directory": (
        forms.text("a directory relative to this file", r".*\S.*"),
        "The directory of the rendered site. `site_url`, `sources` and `clean_urls` are then for that directory alone.",
    ),
    "site_url": (
        forms.text("a URL such as https://example.org/docs/", r".*\S.*"),
        "The address at which the directory is served.",
    ),
    "sources": (
        forms.listing(f"{PATTERN.accepted}, or a list of them", PATTERN, least=1),
        "Patterns of the sources of a page. For each, the first file that exists is used; the newest date counts.",
    ),
    "clean_urls": (
        forms.SWITCH,
        "`true` if `about.html` is served at `/about`, `false` if at `/about.html`.",
    ),
}
OWN = tuple(Option(name, None, form.accepted, meaning, form.schema) for name, (form, meaning) in _OWN.items())
"""The options that are not in `Settings`."""
_FORMS = {name: form for name, (form, _) in _OWN.items()}
_NAMES = [option.name for option in OPTIONS]


class WrongOptionsError(Exception):
    """Some options are wrong. ``problems`` has a line for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table `[tool.smindex]` of a pyproject.toml, as it is written."""

    file: str = ""
    """The absolute path of the file, or empty if there is none."""
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def directory(self) -> str:
        """The directory that its paths are relative to."""
        return os.path.dirname(self.file)

    def name(self, option: str) -> str:
        """Return the name of an option in messages."""
        return f"{os.path.relpath(self.file)}: [tool.smindex] {option}"


def read_table(starts: Iterable[str]) -> Table:
    """Return the first table `[tool.smindex]` in some directories.

    Raises:
        WrongOptionsError: a pyproject.toml cannot be read, or its table is none.
    """
    for path in (os.path.join(place, "pyproject.toml") for start in starts for place in places(start)):
        if os.path.isfile(path) and (found := _read(path)) is not None:
            return Table(file=path, values=found)
    return Table()


def _read(path: str) -> Mapping[str, object] | None:
    try:
        tools = tomltext.load(read_text(path)).get("tool", {})
    except (OSError, ValueError) as error:
        raise WrongOptionsError([f"{os.path.relpath(path)}: it cannot be read: {error}"]) from error
    found = tools.get("smindex") if isinstance(tools, Mapping) else None
    if found is None or isinstance(found, Mapping):
        return found
    raise WrongOptionsError([f"{os.path.relpath(path)}: tool.smindex: got {brief(found)}; accepted: a table"])


def read_own(table: Table, problems: list[str]) -> dict[str, Any]:
    """Return the options in a table that are not in `Settings`."""
    names = [*_FORMS, *_NAMES]
    problems += [f"{table.name(key)}: {forms.unknown(key, names)}" for key in table.values if key not in names]
    with _noting(problems, table.name):
        return forms.read_options(_FORMS, {key: value for key, value in table.values.items() if key in _FORMS})
    return {}


def read_settings(
    given: Mapping[str, object], table: Table, problems: list[str], configured: Mapping[str, object] | None = None
) -> Settings:
    """Return the settings of flags, of the table and of a generator's configuration, which count in this order."""
    values = {key: value for key, value in table.values.items() if key in _NAMES}
    mistakes: list[str] = []
    with _noting(mistakes, lambda key: "--" + key.replace("_", "-")):
        Settings.load(given)
    with _noting(mistakes, table.name):
        Settings.load(values)
    with _noting([] if mistakes else problems, str):  # of two that do not go together
        return Settings.load({**(configured or {}), **values, **given})
    problems += mistakes
    return Settings()


@contextmanager
def _noting(problems: list[str], name: Callable[[str], str]) -> Iterator[None]:
    """Record every mistake with the name of its option."""
    try:
        yield
    except SettingsError as error:
        problems += [f"{name(key)}: {message}" for key, message in error.errors]
