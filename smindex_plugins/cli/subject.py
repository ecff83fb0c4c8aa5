"""The input of a command: a built directory, a single file, or a live site."""

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.text import WrongOptionsError, masked
from smindex_plugins.base.urls import is_url
from smindex_plugins.checks.applying import DirectoryCheck, LiveCheck
from smindex_plugins.cli.built import open_built
from smindex_plugins.cli.options import refuse
from smindex_plugins.cli.targets import fetch_consents, mistake
from smindex_plugins.projects.find import address_setting
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.live import Live
from smindex_plugins.reading.web import Fetcher
from smindex_plugins.record.find import find_record

Kind = Literal["a built directory", "a single file", "a live site"]

_NO_EFFECT: dict[Kind, set[str]] = {
    "a built directory": {"pages", "jobs"},
    "a single file": {"pages", "jobs", "index_filename", "links", "dates"},
    "a live site": {"site_url", "index_filename", "links", "dates"},
}


class Subject(NamedTuple):
    """The input of a command."""

    kind: Kind
    checked: DirectoryCheck | LiveCheck
    site: BuiltSite | None = None
    """For a directory, its site with its settings."""


def open_subject(
    target: str | None,
    fetcher: Fetcher,
    *,
    site_url: str | None,
    index_filename: str | None,
    cross_site: Iterable[tuple[str, str]] = (),
    with_dates: bool = False,
    with_links: bool = False,
    with_pages: bool = False,
    requests: bool = False,
) -> Subject:
    """Return the input of a command: the target, or the site of the current directory's project.

    ``requests`` is true if the command sends requests even for a directory.

    Raises:
        WrongOptionsError: there is no such site, or an option has no effect on it.
    """
    kind: Kind = "a built directory"
    if target and is_url(target):
        kind = "a live site"
    elif target and os.path.isfile(target):
        kind = "a single file"
    without_effect = _NO_EFFECT[kind]
    if not (requests or cross_site or kind == "a live site"):
        without_effect = without_effect | {"timeout", "deadline"}
    refuse(without_effect, f"on {kind}")
    consents = fetch_consents(cross_site, fetcher)
    if target and kind == "a live site":
        live = Live(url=urls.normalise(target), fetcher=fetcher, consents=consents)
        return Subject(kind, LiveCheck(live=live, with_pages=with_pages))
    if target and kind == "a single file":
        directory = Directory(path=target, site_url=site_url or "", consents=consents)
        record = find_record(os.path.dirname(target) or ".")
        return Subject(kind, DirectoryCheck(directory=directory, record=record))
    if target and not os.path.exists(target):
        problem = mistake(target)
        if problem:
            raise WrongOptionsError([f"{masked(target)}: {problem}"])
    site, directory, record = open_built(target, site_url=site_url, index_filename=index_filename)
    if with_dates and not record:
        place = os.path.relpath(site.directory)
        problem = (
            "its build is not recorded. Build the site again, and run the command in its project."
        )
        raise WrongOptionsError([f"--dates: {place}: {problem}"])
    check = DirectoryCheck(
        directory=replace(directory, consents=directory.consents.joined(consents)),
        record=record,
        with_dates=with_dates,
        with_links=with_links,
        address_from=address_setting(site),
        generator=site.site.generator,
    )
    return Subject(kind, check, site)
