"""The flags of `smindex build` that are made of the options of `Settings`."""

import argparse
import re
import typing
from typing import Any

from smindex_plugins import yamltext
from smindex_plugins.settings import OPTIONS, Option, Settings

_HINTS = typing.get_type_hints(Settings)
_FLAGS = [option for option in OPTIONS if option.name != "cross_site"]
"""`cross_site` has a flag of its own, the same for all parts of the command."""
_STRUCTURED = ("depends", "news", "sections")
"""Options of which no flag could hold the value in plain words; it is written as in YAML."""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add a flag for every option of `Settings` but `cross_site`."""
    group = parser.add_argument_group("options of the sitemaps, also in [tool.smindex] of pyproject.toml")
    for option in _FLAGS:
        group.add_argument(_flag(option), help=_help(option), **_manner(option))


def _manner(option: Option) -> dict[str, Any]:
    """Return how the flag of an option is read; whether the value is right is left for `Settings` to say."""
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
        text = f"{option.meaning} (default: {_flag(option) if default else '--no-' + _flag(option)[2:]})"
    else:
        shown = "none" if default in (None, ()) else str(default)
        repeatable = "; can be repeated" if _HINTS[option.name] == tuple[str, ...] else ""
        text = f"{option.meaning} Accepts {option.accepted} (default: {shown}){repeatable}"
    return text.replace("`", "").replace("%", "%%")  # from Markdown to what argparse prints


def _flag(option: Option) -> str:
    return "--" + option.name.replace("_", "-")


def given_options(given: argparse.Namespace) -> dict[str, object]:
    """Return the options that were given as flags."""
    named = {option.name: getattr(given, option.name) for option in _FLAGS}
    return {name: value for name, value in named.items() if value is not None}


def _number(text: str) -> object:
    """Read a number; what is none is left for `Settings` to report together with all else."""
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else text


def _structured(text: str) -> object:
    try:
        return yamltext.load(text)
    except ValueError:
        return text
