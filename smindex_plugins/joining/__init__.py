"""Writes one root index for several builds, on this machine or in object storage."""

from smindex_plugins.joining.root_index import Joined, join, join_builds

__all__ = ["Joined", "join", "join_builds"]
