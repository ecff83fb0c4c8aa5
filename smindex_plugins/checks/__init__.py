"""The checks of a site: one function for each rule. Each takes one of four subjects, and yields findings.

The subjects are a `Document` (a sitemap or an index), a `Page` (a listed one), a `Robots` and the `Site`. To add
a check, write a function under `@check` in the module of its subject. The tests plant a fault for each check.
"""

from smindex_plugins.checks import across, entries, files, robots  # noqa: F401 - importing them registers their checks
from smindex_plugins.checks.pages import Page, says_not_found
from smindex_plugins.checks.registry import Selection
from smindex_plugins.checks.site import Site, Sitemap

__all__ = ["Page", "Selection", "Site", "Sitemap", "says_not_found"]
