"""What the wheel installs as `pelican.plugins.sitemap_index`: Pelican finds the plugin by that name at every start."""


def register() -> None:
    """Connect the plugin to Pelican, and import it only now, when it is wanted."""
    from smindex_plugins.hosts.pelican_plugin import register as connect  # noqa: PLC0415 - see above

    connect()
