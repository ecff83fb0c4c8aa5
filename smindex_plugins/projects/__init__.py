"""A directory that any generator built, as pages: where it is, who says so, and what its files were made from."""

from smindex_plugins.projects.configuration import configured_address
from smindex_plugins.projects.find import Project, find_project
from smindex_plugins.projects.table import WrongOptionsError

__all__ = ["Project", "WrongOptionsError", "configured_address", "find_project"]
