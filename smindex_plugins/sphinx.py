"""The Sphinx extension, under the name used in `conf.py`: ``extensions =
["smindex_plugins.sphinx"]``.
"""

from smindex_plugins.hosts.sphinx_plugin import setup

__all__ = ["setup"]
