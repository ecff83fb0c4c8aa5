"""All that can be wrong with a site: one function for each rule, from one of four subjects to findings.

The subjects are a `Document` (a sitemap or an index), a `Page` (a listed one), a `Robots` and the `Site`. A new check
is one more function under `@check`, in the module of its subject. A planted fault in the tests tries it.
"""

from smindex_plugins.checks import across, entries, files, robots  # noqa: F401 - importing them registers their checks
from smindex_plugins.checks.pages import Page, says_not_found
from smindex_plugins.checks.registry import Selection
from smindex_plugins.checks.site import Site, Sitemap

__all__ = ["Page", "Selection", "Site", "Sitemap", "says_not_found"]
