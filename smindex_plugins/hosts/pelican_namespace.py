"""What the wheel installs as `pelican.plugins.sitemap_index`: the name that makes Pelican find the plugin.

Pelican imports it at every start, wanted or not, so it imports nothing until it is to work.
"""


def register() -> None:
    """Connect the plugin to Pelican."""
    from smindex_plugins.hosts.pelican_plugin import register as connect  # noqa: PLC0415 - see above

    connect()
