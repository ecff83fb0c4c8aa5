"""The command `smindex`."""

from smindex_plugins.cli.main import main

__all__ = ["main"]
