"""Sitemap indexes for static sites: true dates, sections, and scope that is proven."""

from smindex_plugins.publish import publish
from smindex_plugins.report import Report

__version__ = "0.1.0"

__all__ = ["Report", "__version__", "publish"]
