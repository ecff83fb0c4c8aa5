"""Finds options in the table [tool.smindex], which only commands read, that a build with a plugin
does not use.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress

from smindex_plugins.base.catalogue import UNREAD_SETTING
from smindex_plugins.base.files import read_text, up_to_repository
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.model import Finding
from smindex_plugins.base.settings import OPTIONS, Settings, SettingsError
from smindex_plugins.base.site import Site
from smindex_plugins.base.toml_and_json import load_toml

_MAX_LEVELS = 4
"""How many directories are searched, as by the commands."""


def unread_table(site: Site, where: str, places: Collection[str] = (".",)) -> Iterator[Finding]:
    """Yield a finding if the table sets options of a site other than the plugin has.

    A table without a directory is for the project in one of these places, relative to the table.
    """
    project = os.path.realpath(site.project)
    file, table = _table(project)
    directory = os.path.dirname(file)
    named = table.get("directory")
    if isinstance(named, str):
        output = os.path.realpath(os.path.join(directory, named))
        is_for_site = output == os.path.realpath(site.directory)
    else:
        is_for_site = bool(file) and os.path.relpath(project, directory) in places
    unread = _differing(table, site.settings) if is_for_site else []
    if unread:
        problem = (
            f"this build reads {where} instead, so these options have no effect:"
            f" {', '.join(unread)}."
        )
        fix = f"Set them in {where}, and remove them here."
        yield UNREAD_SETTING.at(f"{os.path.relpath(file)}: [tool.smindex]", problem, fix)


def _differing(table: Mapping[str, object], settings: Settings) -> list[str]:
    """Return the options of the table with other values than the settings."""
    given = {}
    for option in OPTIONS:
        value = table.get(option.name)
        if value is not None:
            given[option.name] = value
    with suppress(SettingsError):  # the commands report invalid options
        theirs = Settings.load(given)
        return [name for name in given if getattr(theirs, name) != getattr(settings, name)]
    return []


def _table(project: str) -> tuple[str, Mapping[str, object]]:
    """Return the nearest file in or above a project that has the table, and the table."""
    for directory in up_to_repository(project, _MAX_LEVELS):
        file = os.path.join(directory, "pyproject.toml")
        with suppress(OSError, InvalidTextError):
            tool = load_toml(read_text(file)).get("tool")
            table = tool.get("smindex") if isinstance(tool, dict) else None
            if isinstance(table, dict):
                return file, table
    return "", {}
