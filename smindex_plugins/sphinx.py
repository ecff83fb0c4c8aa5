"""The extension of Sphinx, under the name that its users write: ``extensions = ["smindex_plugins.sphinx"]``."""

from smindex_plugins.hosts.sphinx_plugin import setup

__all__ = ["setup"]
