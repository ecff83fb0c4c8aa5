"""Sitemap indexes for static sites: accurate dates, sections, and correct scope.

`publish` writes the sitemaps of a site and its index, `check` finds problems in the sitemaps of any site, `join` writes
one index for several builds, and `diff` compares two versions of a site. The types that they take and return are public
too. Everything else may change in any version.
"""

TYPE_CHECKING = False  # type checkers treat it as true; importing `typing` takes longer than this whole module
if TYPE_CHECKING:
    from smindex_plugins.announcing import Change, Difference, diff
    from smindex_plugins.joining import join
    from smindex_plugins.model import Finding, Page
    from smindex_plugins.pages import Dating, Omission
    from smindex_plugins.pipeline import Host, publish
    from smindex_plugins.report import Report
    from smindex_plugins.settings import Settings, SettingsError, Site
    from smindex_plugins.sitemaps import Changes
    from smindex_plugins.sites import check

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
    "Change": "announcing",
    "Changes": "sitemaps",
    "Dating": "pages",
    "Difference": "announcing",
    "Finding": "model",
    "Host": "pipeline",
    "Omission": "pages",
    "Page": "model",
    "Report": "report",
    "Settings": "settings",
    "SettingsError": "settings",
    "Site": "settings",
    "check": "sites",
    "diff": "announcing",
    "join": "joining",
    "publish": "pipeline",
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
