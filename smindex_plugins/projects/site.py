"""Where a project's built site is, who says so, and at which address it is served."""

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from smindex_plugins import addresses
from smindex_plugins.projects.configuration import Configuration, above, beside
from smindex_plugins.projects.table import Table, WrongOptionsError, read_own, read_settings, read_table
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import index_files
from smindex_plugins.text import masked

_NO_DIRECTORY = (
    "no directory is named, and no configuration of a generator here names one (mkdocs.yml, zensical.toml, hugo.toml, "
    "conf.py and others). Run the command beside that file, or name the directory of the built site, here or "
    "under `directory` in [tool.smindex] of pyproject.toml."
)

_FLAG = "as given"
"""The source of a directory that is written in the command itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A built directory, and what is known about it before anything in it is read."""

    directory: str
    """Its absolute path. It exists."""
    who: str
    """Who named it, in words for messages."""
    configuration: Configuration | None
    """The configuration it was built with, if that was found."""
    address: str
    """The normalised URL that serves it, with its slash. Empty if neither a flag nor a file names it."""
    whose: str
    """Who named the address."""
    settings: Settings
    """The settings from flags and [tool.smindex]."""
    table: Table
    own: Mapping[str, Any]
    """The options in the table that are not in `Settings`."""


@dataclass(frozen=True, slots=True)
class _Place:
    directory: str
    who: str
    configuration: Configuration | None


def find_site(
    target: str | None = None, *, site_url: str | None = None, options: Mapping[str, object] | None = None
) -> Site:
    """Return the built site: the named directory, or that of the named project, or that of the project here.

    Flags come first: the address, and options of `Settings`.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    table = read_table(filter(None, [target, os.getcwd()]))
    problems: list[str] = []
    own = read_own(table, problems)
    settings = read_settings(options or {}, table, problems)
    place = _place(target, table, own.get("directory"), problems)
    own_directory = os.path.join(table.directory, own.get("directory", place.directory))
    if os.path.realpath(own_directory) != os.path.realpath(place.directory):
        own = {}  # they are of another site
    given, whose = next(_addresses(site_url, table, own, place), ("", ""))
    address, problem = addresses.read(given, whose) if whose else ("", "")
    problems += filter(None, [problem])
    if problems:
        raise WrongOptionsError(problems)
    return Site(
        directory=place.directory,
        who=place.who,
        configuration=place.configuration,
        address=address,
        whose=whose,
        settings=settings,
        table=table,
        own=own,
    )


def configured_address(directory: str) -> str:
    """Return the URL that the configuration of a built directory names for it, or an empty string.

    Raises:
        WrongOptionsError: it is not the address of a directory.
    """
    given, whose = next(_configured(_built_with(directory)), ("", ""))
    address, problem = addresses.read(given, whose) if whose else ("", "")
    if problem:
        raise WrongOptionsError([problem])
    return address


def other_site(directory: str) -> str:
    """Return the directory in which a configuration says that the site is built, if it is another one."""
    here = beside(".")
    for each in [*above(directory), *([here] if here else [])]:
        if os.path.isdir(each.output) and os.path.realpath(each.output) != os.path.realpath(directory):
            return f"{os.path.relpath(each.file)} says that the site is built in {os.path.relpath(each.output)}"
    return ""


def _place(target: str | None, table: Table, directory: str | None, problems: list[str]) -> _Place:
    """Return the built directory that a flag or the table names, or that of the project here.

    Raises:
        WrongOptionsError: there is none, after all other problems, one of which may be why none is named.
    """
    path, who = target, _FLAG
    if target == "":  # of a variable that is not set, as a rule
        raise WrongOptionsError([*problems, "the name of the directory is empty. Leave it out for the project here."])
    if directory and (target is None or (os.path.realpath(target) == table.directory and not _is_built(target))):
        path, who = os.path.join(table.directory, directory), os.path.relpath(table.file)
    project = None if path is not None and _is_built(path) else beside(path or ".")
    if project:
        place = _Place(project.output, os.path.relpath(project.file), project)
    elif path is not None:
        place = _Place(os.path.abspath(path), who, _built_with(path))
    else:
        home = no_home(".")
        raise WrongOptionsError(problems or [f"{_NO_DIRECTORY} Note that {home}." if home else _NO_DIRECTORY])
    if problem := _why_unusable(place, target or ""):
        raise WrongOptionsError([*problems, problem])
    return place


def _why_unusable(place: _Place, target: str) -> str:
    """Return why a directory cannot be a built site, and what to do, or an empty string."""
    configuration = place.configuration
    if configuration and configuration.problem:
        return f"{place.who}: it cannot be read: {configuration.problem}."
    if "://" in target:
        return f"{masked(target)}: it is a URL. Name the directory on this machine that holds the built site."
    name = os.path.relpath(place.directory)
    if os.path.isfile(place.directory):
        return f"{name}: it is a file. Name the directory that holds the built site."
    if not os.path.isdir(place.directory):
        is_flag = place.who == _FLAG
        by = "" if is_flag else f", where {place.who} says that the site is built"
        nearest = _nearest(place.directory) if is_flag else ""
        fix = f"Did you mean {nearest}?" if nearest else how_to_build(None if is_flag else configuration)
        return f"{name}: there is no such directory{by}. {fix}"
    if not _is_built(place.directory) and (made := next(_made_from(place.directory), None)):
        file, output = os.path.relpath(made.file), os.path.relpath(made.output)
        problem = f"it is the source directory of {file}, whose site is built into {output}."
        return f"{name}: {problem} Run `{made.command}`, and then name {output}, or no directory."
    return ""


def no_home(directory: str) -> str:
    """Return a note about a directory without a home page if one inside it has one, or an empty string."""
    if os.path.isfile(os.path.join(directory, "index.html")):
        return ""
    inside = sorted(
        entry.path for entry in os.scandir(directory) if os.path.isdir(entry.path)
    )  # a link may be a circle
    home = next((path for path in inside if os.path.isfile(os.path.join(path, "index.html"))), "")
    here = "this directory" if os.path.realpath(directory) == os.getcwd() else os.path.relpath(directory)
    return f"{here} has no index.html, but {os.path.relpath(home)} has one" if home else ""


def how_to_build(configuration: Configuration | None) -> str:
    """Return what to do about a directory without a built site."""
    if configuration and configuration.command:
        return f"Run `{configuration.command}` first."
    return "Build the site first, or name the directory it is built into."


def _nearest(directory: str) -> str:
    above, wanted = os.path.split(directory)
    there = [entry.name for entry in os.scandir(above) if os.path.isdir(entry.path)] if os.path.isdir(above) else []
    return next((os.path.relpath(os.path.join(above, name)) for name in difflib.get_close_matches(wanted, there)), "")


def _made_from(directory: str) -> Iterator[Configuration]:
    """Return the configurations whose sources are in or around a directory."""
    real = os.path.join(os.path.realpath(directory), "")
    for found in above(directory):
        content = os.path.join(os.path.realpath(found.content), "") if found.content else None
        if content and real.startswith(content) and os.path.realpath(found.output) != os.path.realpath(directory):
            yield found


def _is_built(directory: str) -> bool:
    """Whether a directory has a home page or the sitemaps of a site."""
    there = os.listdir(directory) if os.path.isdir(directory) else []
    return os.path.isfile(os.path.join(directory, "index.html")) or bool(index_files(there))


def _built_with(directory: str) -> Configuration | None:
    """Return the configuration of a built directory: one that names it, or one without output of its own."""
    here = beside(".")
    found = [each for each in [*above(directory), *([here] if here else [])] if not each.problem]
    real = os.path.realpath(directory)
    naming = (each for each in found if os.path.realpath(each.output) == real)
    built_elsewhere = (each for each in found if not os.path.isdir(each.output))
    return next(naming, None) or next(built_elsewhere, None)


def _addresses(site_url: str | None, table: Table, own: Mapping[str, Any], place: _Place) -> Iterator[tuple[str, str]]:
    """Return the addresses that flags and files name, each with its source, the most important first."""
    if site_url is not None:
        yield site_url, "--site-url"
    if "site_url" in own:
        yield str(own["site_url"]), table.name("site_url")
    yield from _configured(place.configuration)


def _configured(configuration: Configuration | None) -> Iterator[tuple[str, str]]:
    """Return the address that a configuration names and its source, unless it is only a path on a host."""
    given = configuration.given if configuration else None
    if configuration and given and given.strip() and not given.startswith("/"):
        yield given, f"{os.path.relpath(configuration.file)}: {configuration.key}"
