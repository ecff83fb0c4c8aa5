"""The directory of a built site, with the settings that its sitemaps were written with."""

import os

from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.reading.directory import Directory
from smindex_plugins.writing.names import numbered
from smindex_plugins.writing.robots import read_consents


def built_directory(site: BuiltSite, target: str | None, index_filename: str | None) -> Directory:
    """Return the directory of a built site, with its settings applied."""
    settings, names = site.settings, os.listdir(site.directory)
    has_index = settings.index_filename in names or numbered(names, settings.index_filename)
    is_named = target and os.path.realpath(target) == os.path.realpath(site.directory)
    return Directory(
        path=target if target and is_named else os.path.relpath(site.directory),
        site_url=site.url,
        index_filename=index_filename or (settings.index_filename if has_index else ""),
        consents=read_consents(settings.cross_site, site.beside),
    )
