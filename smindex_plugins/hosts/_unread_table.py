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
    directory, named = os.path.dirname(file), table.get("directory")
    if isinstance(named, str):
        is_for_site = os.path.realpath(os.path.join(directory, named)) == os.path.realpath(
            site.directory
        )
    else:
        is_for_site = bool(file) and os.path.relpath(project, directory) in places
    given = {
        option.name: table[option.name] for option in OPTIONS if table.get(option.name) is not None
    }
    unread: list[str] = []
    with suppress(SettingsError):  # the commands report invalid options
        theirs = Settings.load(given)
        unread = [name for name in given if getattr(theirs, name) != getattr(site.settings, name)]
    if is_for_site and unread:
        problem = (
            f"this build reads {where} instead, so these options have no effect:"
            f" {', '.join(unread)}."
        )
        fix = f"Set them in {where}, and remove them here."
        yield UNREAD_SETTING.at(f"{os.path.relpath(file)}: [tool.smindex]", problem, fix)


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
