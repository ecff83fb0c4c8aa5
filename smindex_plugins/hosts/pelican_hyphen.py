"""The module `pelican.plugins.sitemap-index` in the wheel, for those who write the name with a hyphen."""

from pelican.plugins.sitemap_index import register

__all__ = ["register"]
