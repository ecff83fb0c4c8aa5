"""One root index over several builds, on this machine or in object storage."""

from smindex_plugins.joining.request import Joined, Request
from smindex_plugins.joining.root_index import join, join_builds

__all__ = ["Joined", "Request", "join", "join_builds"]
