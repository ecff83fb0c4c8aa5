"""The input of a command: a built directory, a single file, or a live site."""

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.settings import WrongOptionsError
from smindex_plugins.base.text import masked
from smindex_plugins.base.urls import is_url
from smindex_plugins.checks.applying import DirectoryCheck, Intent, LiveCheck
from smindex_plugins.checks.sources import Sources
from smindex_plugins.cli.built import built_directory
from smindex_plugins.cli.options import refuse
from smindex_plugins.cli.targets import fetch_consents, mistake
from smindex_plugins.projects.find import find_site
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.projects.sources import SourcePatterns
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.live import Live
from smindex_plugins.reading.web import Fetcher

Kind = Literal["a built directory", "a single file", "a live site"]

_NO_EFFECT: dict[Kind, set[str]] = {
    "a built directory": {"pages", "jobs"},
    "a single file": {"pages", "jobs", "index_filename", "links", "sources"},
    "a live site": {"site_url", "index_filename", "links", "sources"},
}


class Subject(NamedTuple):
    """The input of a command."""

    kind: Kind
    checked: DirectoryCheck | LiveCheck
    site: BuiltSite | None = None
    """For a directory, its site with settings and sources."""


def open_subject(
    target: str | None,
    fetcher: Fetcher,
    *,
    site_url: str | None,
    index_filename: str | None,
    cross_site: Iterable[tuple[str, str]] = (),
    sources: str | None = None,
    with_links: bool = False,
    with_pages: bool = False,
    requests: bool = False,
) -> Subject:
    """Return the input of a command: the target, or the site of the project in the current directory.

    ``requests`` is true if the command sends requests even for a directory.

    Raises:
        WrongOptionsError: there is no such site, or an option has no effect on it.
    """
    kind: Kind = "a built directory"
    if target and is_url(target):
        kind = "a live site"
    elif target and os.path.isfile(target):
        kind = "a single file"
    waiting = set() if requests or cross_site or kind == "a live site" else {"timeout", "deadline"}
    refuse(_NO_EFFECT[kind] | waiting, f"on {kind}")
    consents = fetch_consents(cross_site, fetcher)
    if target and kind == "a live site":
        live = Live(url=urls.normalise(target), fetcher=fetcher, consents=consents)
        return Subject(kind, LiveCheck(live=live, with_pages=with_pages))
    if target and kind == "a single file":
        return Subject(
            kind, DirectoryCheck(directory=Directory(path=target, site_url=site_url or "", consents=consents))
        )
    if target and not os.path.exists(target) and (problem := mistake(target)):
        raise WrongOptionsError([f"{masked(target)}: {problem}"])
    site = find_site(target, site_url=site_url)
    directory = built_directory(site, target, index_filename)
    check = DirectoryCheck(
        directory=replace(directory, consents=directory.consents.joined(consents)),
        sources=_sources(sources, site) if sources else None,
        with_links=with_links,
        intent=_intent(site),
        serving=site.serving,
    )
    return Subject(kind, check, site)


def _intent(site: BuiltSite) -> Intent:
    """Return which pages the settings of a site omit."""
    return Intent(
        why=site.why,
        settings_file=site.settings_file,
        problem=site.problem,
        has_filter=site.settings.filter is not None,
    )


def _sources(given: str, site: BuiltSite) -> Sources:
    """Return the sources below a directory, or the sources that match a pattern."""
    patterns, directory = site.sources, given
    if "{" in given:
        patterns = SourcePatterns(directory=site.directory, patterns=(os.path.abspath(given),))
        directory = os.path.dirname(re.split("[{*?]", given, maxsplit=1)[0]) or "."
    inside = os.path.join(os.path.realpath(directory), "")
    is_here = any(os.path.realpath(pattern).startswith(inside) for pattern in patterns.patterns)
    is_own = not site.configuration and os.path.join(os.path.realpath(site.directory), "").startswith(inside)
    sources = Sources(
        directory=directory,
        find=patterns.of if is_here else None,
        built=site.directory if is_own else "",
    )
    if problem := sources.problem():
        raise WrongOptionsError([f"--sources {given}: {problem}."])
    return sources
