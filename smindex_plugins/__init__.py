"""Sitemap indexes for static sites: true dates, sections, and scope that is proven.

`publish` writes the sitemaps of a site and its index, `check` finds what is wrong with those of any site, `join` writes
one index over several builds, and `diff` says what changed between two versions of a site. What they take and return is
here too. All else may change with any version.
"""

TYPE_CHECKING = False  # as type checkers take it; to import `typing` takes longer than all that stands here
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
    """Import a name when somebody asks for it, so that importing the package costs nothing."""
    from importlib import import_module  # noqa: PLC0415 - the command, which imports the package, does not need it

    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    if name == "register":
        message = "this is not a plugin of Pelican. Write PLUGINS = ['sitemap_index']"
    raise AttributeError(message)
