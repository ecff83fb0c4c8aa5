"""Sitemap indexes for static sites: true dates, sections, and scope that is proven.

`publish` writes the sitemaps of a site and its index, `check` finds what is wrong with those of any site, and `join`
writes one index over several builds. What they take and return is here too. All else may change with any version.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smindex_plugins.joining import join
    from smindex_plugins.model import Details, Finding, News, Page, Publication, Video
    from smindex_plugins.pages import Dating, Omission
    from smindex_plugins.pipeline import publish
    from smindex_plugins.report import Report
    from smindex_plugins.settings import Settings, SettingsError
    from smindex_plugins.sitemaps import Changes
    from smindex_plugins.sites import check

__version__ = "0.1.0"

__all__ = [
    "Changes",
    "Dating",
    "Details",
    "Finding",
    "News",
    "Omission",
    "Page",
    "Publication",
    "Report",
    "Settings",
    "SettingsError",
    "Video",
    "__version__",
    "check",
    "join",
    "publish",
]

_MODULES = {
    "joining": ("join",),
    "model": ("Details", "Finding", "News", "Page", "Publication", "Video"),
    "pages": ("Dating", "Omission"),
    "pipeline": ("publish",),
    "report": ("Report",),
    "settings": ("Settings", "SettingsError"),
    "sitemaps": ("Changes",),
    "sites": ("check",),
}


def __getattr__(name: str) -> object:
    """Import what is asked for, so that to import the package costs nothing."""
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
