"""Sitemap indexes for static sites: true dates, sections, and scope that is proven."""

from smindex_plugins.history import History
from smindex_plugins.model import Finding, IndexEntry, Page
from smindex_plugins.pages import Dated, date_pages
from smindex_plugins.publish import publish
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, SettingsError, Target

__version__ = "0.1.0"

__all__ = [
    "Dated",
    "Finding",
    "History",
    "IndexEntry",
    "Page",
    "Report",
    "Settings",
    "SettingsError",
    "Target",
    "__version__",
    "date_pages",
    "publish",
]
