"""Sitemap indexes for static sites: accurate dates, sections, and correct scope.

`publish` writes the sitemaps of a site and its index, `check` finds problems in the sitemaps of any
site, `join` writes one index for several builds, and `diff` compares two versions of a site. The
types that they take and return are public too. Everything else may change in any version.
"""

# type checkers treat it as true; importing `typing` takes longer than this whole module
TYPE_CHECKING = False
if TYPE_CHECKING:
    from smindex_plugins.base.difference import Change, Difference
    from smindex_plugins.base.model import Changes, Finding, Page
    from smindex_plugins.base.settings import Settings, SettingsError
    from smindex_plugins.base.site import Site
    from smindex_plugins.build import Host, publish
    from smindex_plugins.checks.checking import check
    from smindex_plugins.compare.diff import diff
    from smindex_plugins.joining.root_index import join
    from smindex_plugins.pages.dating import Dating
    from smindex_plugins.pages.omissions import Omission
    from smindex_plugins.report import Report

__version__ = "0.1.0"

__all__ = [
    "Change",
    "Changes",
    "Dating",
    "Difference",
    "Finding",
    "Host",
    "Omission",
    "Page",
    "Report",
    "Settings",
    "SettingsError",
    "Site",
    "__version__",
    "check",
    "diff",
    "join",
    "publish",
]

_MODULES = {
    "Change": "base.difference",
    "Changes": "base.model",
    "Dating": "pages.dating",
    "Difference": "base.difference",
    "Finding": "base.model",
    "Host": "build",
    "Omission": "pages.omissions",
    "Page": "base.model",
    "Report": "report",
    "Settings": "base.settings",
    "SettingsError": "base.settings",
    "Site": "base.site",
    "check": "checks.checking",
    "diff": "compare.diff",
    "join": "joining.root_index",
    "publish": "build",
}


def __getattr__(name: str) -> object:
    """Import a name on first use, which keeps importing the package fast."""
    from importlib import import_module  # noqa: PLC0415 - the command, which imports the package, does not need it

    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    if name == "register":
        message = "this is not a Pelican plugin. Set PLUGINS = ['sitemap_index']"
    raise AttributeError(message)
