"""The module `pelican.plugins.sitemap_index` in the wheel. Pelican finds the plugin by that name at every start."""


def register() -> None:
    """Connect the plugin to Pelican. It is imported only now, when it is needed."""
    from smindex_plugins.hosts.pelican_plugin import register as connect  # noqa: PLC0415 - see above

    connect()
