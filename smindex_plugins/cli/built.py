"""A built site as a command finds it: its project, its directory, and the record of its build."""

import os
from typing import NamedTuple

import click

from smindex_plugins.projects.find import find_site
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.reading.directory import Directory
from smindex_plugins.record.find import Record, find_record
from smindex_plugins.writing.names import numbered
from smindex_plugins.writing.robots import read_consents


class Built(NamedTuple):
    """A built site, its directory as it is read, and what its build decided, if recorded."""

    site: BuiltSite
    directory: Directory
    record: Record | None


def open_built(target: str | None, *, site_url: str | None, index_filename: str | None) -> Built:
    """Return the built site of a target.

    The options of its build count more than those of its project now.

    Raises:
        WrongOptionsError: there is no such site.
    """
    command = click.get_current_context().info_name or ""
    site = find_site(target, site_url=site_url, command=command)
    record = find_record(site.directory, site.project)
    settings = site.settings
    address = site.url
    beside = site.beside
    if record:
        settings = record.settings
        address = site_url or record.url
        beside = os.path.dirname(record.settings_file) or record.project
    names = os.listdir(site.directory)
    has_index = settings.index_filename in names or numbered(names, settings.index_filename)
    if has_index and not index_filename:
        index_filename = settings.index_filename
    if target and os.path.realpath(target) == os.path.realpath(site.directory):
        path = target
    else:
        path = os.path.relpath(site.directory)
    directory = Directory(
        path=path,
        site_url=address,
        index_filename=index_filename or "",
        consents=read_consents(settings.cross_site, beside),
    )
    return Built(site, directory, record)
