"""One root index over several builds, on this machine or in object storage."""

from smindex_plugins.joining.join import join, join_builds
from smindex_plugins.joining.request import Joined, Request

__all__ = ["Joined", "Request", "join", "join_builds"]
