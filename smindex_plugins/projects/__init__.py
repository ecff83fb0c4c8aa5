"""Finds a built site of any generator, its options and the sources of its pages."""

from smindex_plugins.projects.find import (
    Project,
    WrongOptionsError,
    configured_address,
    find_project,
    find_site,
    located,
)
from smindex_plugins.projects.pages import BuiltSite, File
from smindex_plugins.projects.renames import redirect_line, renames
from smindex_plugins.projects.sources import SourcePatterns, suggest_pattern

__all__ = [
    "BuiltSite",
    "File",
    "Project",
    "SourcePatterns",
    "WrongOptionsError",
    "configured_address",
    "find_project",
    "find_site",
    "located",
    "redirect_line",
    "renames",
    "suggest_pattern",
]
