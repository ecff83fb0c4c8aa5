"""Finds settings of Pelican without effect, and other plugins that write sitemaps."""

import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from smindex_plugins.base.catalogue import UNREAD_SETTING
from smindex_plugins.base.model import Finding
from smindex_plugins.hosts._unread import ACCEPTED, left_over, misnamed, other_tool

_NAME = "SITEMAP_INDEX"
_NAMESPACE = "pelican.plugins."
_OWN = ("sitemap-index", "sitemap_index")
"""The names of this plugin in Pelican's namespace. Without PLUGINS, Pelican loads both."""
_MODULE = "smindex_plugins.hosts.pelican_plugin"
_IGNORED = "Search engines ignore priorities and change frequencies."


class _Other(NamedTuple):
    """Another plugin that writes sitemaps."""

    tool: str
    plugin: str
    setting: str
    replaced: Mapping[str, str]
    """Its options with ours, or with what users must know instead."""


_OTHERS = (
    _Other(
        "pelican-sitemap",
        "sitemap",
        "SITEMAP",
        {
            "exclude": "exclude",
            "format": "Sitemaps are always XML.",
            **dict.fromkeys(("changefreqs", "priorities"), _IGNORED),
        },
    ),
    _Other(
        "pelican-extended-sitemap",
        "extended_sitemap",
        "EXTENDED_SITEMAP_PLUGIN",
        dict.fromkeys(("changefrequencies", "priorities"), _IGNORED),
    ),
)


def unread_settings(settings: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what no plugin reads, and the plugins that write another sitemap."""
    options = settings.get(_NAME)
    plugins = [str(name).removeprefix(_NAMESPACE) for name in settings["PLUGINS"]]
    own = [name for name in plugins if name in {*_OWN, _MODULE}]
    if len(own) > 1 and sorted(own) != sorted(_OWN):
        problem = f"{len(own)} entries are this plugin, which runs once."
        yield UNREAD_SETTING.at("PLUGINS", problem, "Keep 'sitemap_index', and remove the others.")
    written = {**_not_read(settings), **settings}
    yield from misnamed(_NAME, written, options)
    for other in _OTHERS:
        given = settings.get(other.setting)
        if other.plugin in plugins:
            fix = (
                f"Remove '{other.plugin}' from PLUGINS, or uninstall it if there is no PLUGINS."
                " Delete its sitemap."
            )
            yield other_tool(other.tool, "PLUGINS", fix)
        elif isinstance(given, Mapping):
            left = [key for key in given if key in other.replaced or key in ACCEPTED]
            yield from left_over(
                other.tool, other.setting, left, other.replaced, name=_NAME, options=options
            )


def _not_read(settings: Mapping[str, Any]) -> dict[str, object]:
    """Return the names with lower-case letters in the settings file, which Pelican does not read.

    Pelican imports the file as a module, and does not tell plugins which. It is the one whose
    capitals are settings.
    """
    found: dict[str, object] = {}
    for module in list(sys.modules.values()):
        if type(module) is not ModuleType or module.__package__:  # a lazy module is of another type
            continue
        names = dict(vars(module))
        capitals = [name for name in names if name.isupper()]
        known = [name for name in capitals if name in settings]
        is_read = any(names[name] is settings[name] for name in known)
        if is_read and 2 * len(known) > len(capitals):
            found |= {name: value for name, value in names.items() if not name.isupper()}
    return found
