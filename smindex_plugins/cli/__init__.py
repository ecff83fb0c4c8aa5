"""The command `smindex`: options in, text and exit codes out."""

from smindex_plugins.cli.main import main

__all__ = ["main"]
