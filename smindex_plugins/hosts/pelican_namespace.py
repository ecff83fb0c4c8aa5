"""The module `pelican.plugins.sitemap_index` in the wheel.

Pelican finds the plugin under this name at every start.
"""


def register() -> None:
    """Connect the plugin to Pelican. The plugin is imported only when this function runs."""
    from smindex_plugins.hosts.pelican_plugin import register as connect  # noqa: PLC0415 - see above

    connect()
