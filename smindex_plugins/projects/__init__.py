"""The pages of a directory that any generator built: where it is, what says so, and what its files were made from."""

from smindex_plugins.projects.find import Project, find_project, located, sources_of
from smindex_plugins.projects.intent import Intent
from smindex_plugins.projects.pages import File
from smindex_plugins.projects.site import Site, configured_address, find_site, other_site
from smindex_plugins.projects.sources import nearest
from smindex_plugins.projects.table import WrongOptionsError

__all__ = [
    "File",
    "Intent",
    "Project",
    "Site",
    "WrongOptionsError",
    "configured_address",
    "find_project",
    "find_site",
    "located",
    "nearest",
    "other_site",
    "sources_of",
]
