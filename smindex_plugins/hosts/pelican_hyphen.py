"""The module `pelican.plugins.sitemap-index` in the wheel, for settings with a hyphen in the
plugin's name.
"""

from pelican.plugins.sitemap_index import register

__all__ = ["register"]
