"""Finds plugins of MkDocs without effect, and those that change the same files."""

from collections.abc import Iterator, Mapping

from smindex_plugins.base.catalogue import OTHER_SITEMAP_TOOL, UNREAD_SETTING
from smindex_plugins.base.model import Finding

_OTHERS = ("no-sitemap", "mkdocs-sitemap-exclusion")
"""Plugins that change the sitemap.xml of MkDocs."""


def first_of(kind: type, plugins: Mapping[str, object]) -> object:
    """Return the first plugin of a kind, whose options count, or None."""
    for plugin in plugins.values():
        if isinstance(plugin, kind):
            return plugin
    return None


def unread_plugins(kind: type, plugins: Mapping[str, object]) -> Iterator[Finding]:
    """Yield the entries for the plugin after the first, and other plugins for the same file."""
    own = [name for name, plugin in plugins.items() if isinstance(plugin, kind)]
    for name in own[1:]:
        problem = (
            f"it has no effect, because it is the same plugin as `{own[0]}`, which comes first."
        )
        fix = f"Move the options that you need to `{own[0]}`, and remove this entry."
        yield UNREAD_SETTING.at(f"plugins: {name}", problem, fix)
    for name in _OTHERS:
        if name in plugins:
            problem = "it changes sitemap.xml, so that this differs from the index."
            fix = "Remove it. To omit pages, set `exclude`."
            yield OTHER_SITEMAP_TOOL.at(f"plugins: {name}", problem, fix)
