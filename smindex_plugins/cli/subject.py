"""The input of a command: a built directory, a single file, or a live site."""

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, NamedTuple

from smindex_plugins import urls
from smindex_plugins.cli.options import refuse
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.projects import BuiltSite, SourcePatterns, WrongOptionsError, find_site
from smindex_plugins.sitemaps import Consents, is_url, numbered, read_consents
from smindex_plugins.sites import Directory, Intent, Live, Sources
from smindex_plugins.text import masked
from smindex_plugins.web import Fetcher

Kind = Literal["a built directory", "a single file", "a live site"]

_NO_EFFECT: dict[Kind, set[str]] = {
    "a built directory": {"pages", "jobs"},
    "a single file": {"pages", "jobs", "index_filename", "links", "sources"},
    "a live site": {"site_url", "index_filename", "links", "sources"},
}


class Subject(NamedTuple):
    """The input of a command."""

    kind: Kind
    checked: Directory | Live
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
        live = Live(url=urls.normalise(target), fetcher=fetcher, with_pages=with_pages, consents=consents)
        return Subject(kind, live)
    if target and kind == "a single file":
        return Subject(kind, Directory(path=target, site_url=site_url or "", consents=consents))
    if target and not os.path.exists(target) and (mistake := _mistake(target)):
        raise WrongOptionsError([f"{masked(target)}: {mistake}"])
    site = find_site(target, site_url=site_url)
    directory = built_directory(site, target, index_filename)
    return Subject(
        kind,
        replace(
            directory,
            sources=_sources(sources, site) if sources else None,
            with_links=with_links,
            consents=directory.consents.joined(consents),
        ),
        site,
    )


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
        serving=site.serving,
        intent=Intent(
            why=site.why,
            settings_file=site.settings_file,
            problem=site.problem,
            has_filter=settings.filter is not None,
        ),
    )


def fetch_consents(cross_site: Iterable[tuple[str, str]], fetcher: Fetcher) -> Consents:
    """Return the consents of other sites, from their robots.txt."""

    def fetch(url: str) -> bytes:
        fetcher.allow(url)
        answer = fetcher.get(url, MAX_ROBOTS)
        if not answer.is_ok:
            raise OSError(answer.problem)
        return answer.content

    return read_consents(cross_site, fetch=fetch)


def refuse_missing(*targets: str) -> None:
    """Refuse targets that are neither URLs nor existing paths.

    Raises:
        WrongOptionsError: there is such a target.
    """
    for target in targets:
        if not (is_url(target) or os.path.exists(target)):
            raise WrongOptionsError([f"{masked(target)}: {_mistake(target) or 'there is no such directory or file.'}"])


def _mistake(target: str) -> str:
    """Return the problem with a target that looks like a URL or a file, or an empty string."""
    scheme, is_url_like, rest = target.partition("://")
    host = target.partition("/")[0]
    if is_url_like:
        return f"a live site is not requested over {scheme}. Write {masked(f'https://{rest}')}."
    if target.endswith((".xml", ".xml.gz", ".txt", ".json")):
        return "there is no such file."
    if "." in host.strip(".") and host.rpartition(".")[2].isalpha() and not os.path.exists(host):
        return f"there is no such directory. If you mean a live site, write https://{target}."
    return ""


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
