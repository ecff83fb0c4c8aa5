"""The flags of `smindex build` and `smindex pages` that are made of the options of `Settings`."""

import argparse
import re
import typing
from collections.abc import Collection
from typing import Any

from smindex_plugins.cli import arguments
from smindex_plugins.settings import OPTIONS, Option, Settings
from smindex_plugins.yaml_values import load_yaml

_HINTS = typing.get_type_hints(Settings)
_FLAGS = [option for option in OPTIONS if option.name != "cross_site"]
"""`cross_site` has a flag of its own, the same for all parts of the command."""
_GROUPS = {
    "sections and files": (
        *("index_filename", "section_depth", "section_min_pages", "sections", "sitemap_placement"),
        *("robots_txt", "gzip", "max_urls"),
    ),
    "which pages": ("exclude", "include", "filter", "pagination", "cross_site"),
    "dates": (*("lastmod", "lastmod_format", "ignore_revs_file", "undated", "depends"),),
    "images": ("images",),
}
OF_TABLES = (
    *("index_filename", "section_depth", "section_min_pages", "sections", "sitemap_placement"),
    *("gzip", "max_urls", "exclude", "lastmod_format"),
)
"""The options that make sense without a host, without HTML and without git."""
_STRUCTURED = ("depends", "sections")
"""Options with a value that plain words cannot hold; their flags take YAML."""


def add_flags(parser: argparse.ArgumentParser, wanted: Collection[str] = ()) -> None:
    """Add a flag for every option of `Settings`, or for those that are wanted, in groups."""
    for title, names in _GROUPS.items():
        if wanted and not set(wanted).intersection(names):
            continue
        group = parser.add_argument_group(title)
        for option in _FLAGS:
            if option.name in names and (not wanted or option.name in wanted):
                group.add_argument(_flag(option), help=_help(option), **_manner(option))
        if "cross_site" in names and not wanted:
            arguments.add_cross_site(group)


def _manner(option: Option) -> dict[str, Any]:
    """Return how to read the flag of an option; `Settings` judges the value."""
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
        repeatable = ". Repeatable." if _HINTS[option.name] == tuple[str, ...] else ""
        is_named = typing.get_origin(_HINTS[option.name]) is typing.Literal  # the usage shows what it accepts
        accepted = "" if is_named else f"Accepts {option.accepted} "
        text = f"{option.meaning} {accepted}(default: {shown}){repeatable}"
    return text.replace("`", "").replace("%", "%%")  # from Markdown to what argparse prints


def _flag(option: Option) -> str:
    return "--" + option.name.replace("_", "-")


def given_options(given: argparse.Namespace) -> dict[str, object]:
    """Return the options that were given as flags."""
    named = {option.name: getattr(given, option.name, None) for option in _FLAGS}
    return {name: value for name, value in named.items() if value is not None}


def _number(text: str) -> object:
    """Return a number; `Settings` reports a text that is none, together with all other mistakes."""
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else text


def _structured(text: str) -> object:
    try:
        return load_yaml(text)
    except ValueError:
        return text
