"""How the options of a command are given: as flags that are made of `Settings`, or in a table of pyproject.toml."""

import argparse
import os
import re
import tomllib
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from smindex_plugins import yamltext
from smindex_plugins.projects.configuration import places
from smindex_plugins.settings import OPTIONS, Option, Settings, SettingsError

_DEST = "option_"
_HINTS = typing.get_type_hints(Settings)
_APART = "cross_site"
"""The option that all parts of the command take alike, each entry by itself; `arguments` has its flag."""
_FLAGS = [option for option in OPTIONS if option.name != _APART]
_STRUCTURED = ("depends", "news", "sections")
"""Options of which no flag could hold the value in plain words; it is written as in YAML."""


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
        """Call an option as a message about it does."""
        return f"{os.path.relpath(self.file)}: [tool.smindex] {option}"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add a flag for every option of `Settings` but `cross_site`."""
    group = parser.add_argument_group("options of the sitemaps, also in [tool.smindex] of pyproject.toml")
    for option in _FLAGS:
        manner = _manner(option)
        group.add_argument(flag_of(option.name), dest=_DEST + option.name, help=_help(option), **manner)


def _manner(option: Option) -> dict[str, Any]:
    """Tell how the flag of an option is read; whether the value is right is left for `Settings` to say."""
    hint = _HINTS[option.name]
    if hint is bool:
        return {"action": argparse.BooleanOptionalAction}
    if hint is int:
        return {"type": _number, "metavar": "N"}
    if hint == tuple[str, ...]:
        return {"action": "append", "metavar": "PATTERN"}
    if option.name in _STRUCTURED:
        return {"type": _structured, "metavar": "YAML"}
    choices = typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()
    return {"metavar": f"{{{','.join(choices)}}}" if choices else "NAME"}


def _help(option: Option) -> str:
    default = option.default
    if isinstance(default, bool):
        shown = flag_of(option.name) if default else "--no-" + flag_of(option.name).removeprefix("--")
        return _plain(f"{option.meaning} (default: {shown})")
    repeatable = "; can be repeated" if _HINTS[option.name] == tuple[str, ...] else ""
    shown = "none" if default in (None, ()) else str(default)
    return _plain(f"{option.meaning} Accepts {option.accepted} (default: {shown}){repeatable}")


def _plain(text: str) -> str:
    """Write what is meant for Markdown as argparse prints it."""
    return text.replace("`", "").replace("%", "%%")


def flag_of(option: str) -> str:
    """Give the flag of an option: `--section-depth` of `section_depth`."""
    return "--" + option.replace("_", "-")


def flags(given: argparse.Namespace) -> dict[str, object]:
    """Give the options that were given as flags."""
    named = {option.name: getattr(given, _DEST + option.name) for option in _FLAGS}
    return {name: value for name, value in named.items() if value is not None}


def table(starts: Iterable[str]) -> Table:
    """Read the table `[tool.smindex]` that is nearest to the first of some directories that has one.

    Raises:
        WrongOptionsError: a pyproject.toml cannot be read, or its table is none.
    """
    for path in (os.path.join(place, "pyproject.toml") for start in starts for place in places(start)):
        if os.path.isfile(path) and (found := _read(path)) is not None:
            return Table(file=path, values=found)
    return Table()


def settings(given: Mapping[str, object], file: Table) -> Settings:
    """Check the options of both, of which flags count before the table.

    Raises:
        WrongOptionsError: with every mistake in either.
    """
    problems = [f"{flag_of(key)}: {message}" for key, message in _mistakes(given)]
    problems += [f"{file.name(key)}: {message}" for key, message in _mistakes(file.values)]
    if problems:
        raise WrongOptionsError(problems)
    try:
        return Settings.load({**file.values, **given})
    except SettingsError as error:  # of two that do not go together
        raise WrongOptionsError(f"{key}: {message}" for key, message in error.errors) from error


def _mistakes(given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    try:
        Settings.load(given)
    except SettingsError as error:
        yield from error.errors


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


def _number(text: str) -> object:
    """Read a number; what is none is left for `Settings` to report together with all else."""
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else text


def _structured(text: str) -> object:
    try:
        return yamltext.load(text)
    except ValueError:
        return text
