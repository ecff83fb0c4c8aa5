"""Finds a built site of any generator, its options and the sources of its pages."""

from smindex_plugins.projects.find import (
    Project,
    WrongOptionsError,
    configured_address,
    find_project,
    find_site,
    located,
    other_site,
)
from smindex_plugins.projects.intent import Intent
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.projects.sources import nearest

__all__ = [
    "BuiltSite",
    "Intent",
    "Project",
    "WrongOptionsError",
    "configured_address",
    "find_project",
    "find_site",
    "located",
    "nearest",
    "other_site",
]
