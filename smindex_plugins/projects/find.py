"""What `smindex build` works on, and who says so: a flag, [tool.smindex], a generator's configuration, or the pages."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from smindex_plugins import urls
from smindex_plugins.pages import head
from smindex_plugins.projects.configuration import Configuration, above, beside
from smindex_plugins.projects.pages import Rendered
from smindex_plugins.projects.table import PATTERN, Table, WrongOptionsError, read_own, read_settings, read_table
from smindex_plugins.settings import Settings

_NO_DIRECTORY = (
    "no directory is named, and there is no mkdocs.yml, zensical.toml, hugo.toml, conf.py or other configuration of a "
    "generator here that names one. Run it beside that file, or name the built site: smindex build DIR."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """All that a run needs to know."""

    rendered: Rendered
    settings: Settings
    beside: str
    """The directory to which paths in the settings are relative."""
    told: Mapping[str, str]
    """What was found, and who said it, for those who run the command."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A built directory (absolute), who named it, and the configuration that it was built with."""

    directory: str
    who: str
    configuration: Configuration | None


def find_project(
    target: str | None = None,
    *,
    site_url: str | None = None,
    sources: Sequence[str] = (),
    clean_urls: bool | None = None,
    options: Mapping[str, object] | None = None,
) -> Project:
    """Find out what to do, as flags say it first: the directory or that of its project, and options of `Settings`.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    table = read_table(filter(None, [target, os.getcwd()]))
    wrong = [pattern for pattern in sources if not PATTERN.is_right(pattern)]
    problems = [f"--sources: got {pattern!r}; accepted: {PATTERN.accepted}" for pattern in wrong]
    own = read_own(table, problems)
    settings = read_settings(options or {}, table, problems)
    place = _place(target, table, own.get("directory"), problems)
    address, whose = _address(next(_addresses(site_url, table, place), ("", "")), place, problems)
    if problems:
        raise WrongOptionsError(problems)
    if sources:
        patterns, who = tuple(map(os.path.abspath, sources)), "--sources"
    elif "sources" in own:
        patterns = tuple(os.path.join(table.directory, name) for name in own["sources"])
        who = os.path.relpath(table.file)
    elif place.configuration:
        patterns, who = place.configuration.sources, os.path.relpath(place.configuration.file)
    else:
        patterns, who = (), "the pages themselves"
    is_clean = own.get("clean_urls", False) if clean_urls is None else clean_urls
    return Project(
        rendered=Rendered(directory=place.directory, site_url=address, patterns=patterns, has_clean_urls=is_clean),
        settings=settings,
        beside=table.directory,
        told={
            "site": f"{address} ({whose})",
            "output": f"{os.path.relpath(place.directory)} ({place.who})",
            "sources": f"{_listed(patterns)} ({who})" if patterns else who,
        },
    )


def _place(target: str | None, table: Table, directory: str | None, problems: list[str]) -> _Place:
    """Return the built directory that a flag or the table names, or that of the project here.

    Raises:
        WrongOptionsError: there is none, after all other problems.
    """
    path, who = target, "named"
    if directory and (target is None or (os.path.realpath(target) == table.directory and not _is_built(target))):
        path, who = os.path.join(table.directory, directory), os.path.relpath(table.file)
    project = None if path is not None and _is_built(path) else beside(path or ".")
    if project:
        place = _Place(project.output, os.path.relpath(project.file), project)
    elif path is not None:
        place = _Place(os.path.abspath(path), who, _built_with(path))
    else:
        raise WrongOptionsError([*problems, _NO_DIRECTORY])
    if place.configuration and place.configuration.problem:
        raise WrongOptionsError([*problems, f"{place.who}: it cannot be read: {place.configuration.problem}."])
    if not os.path.isdir(place.directory):
        missing = f"{os.path.relpath(place.directory)}: there is no such directory ({place.who})."
        raise WrongOptionsError(
            [*problems, f"{missing} Build the site first, or name its directory: smindex build DIR."]
        )
    return place


def _is_built(directory: str) -> bool:
    return os.path.isfile(os.path.join(directory, "index.html"))


def _built_with(directory: str) -> Configuration | None:
    """Return the configuration of a built directory: that which names it, or one whose own output is not there."""
    here = beside(".")
    found = [each for each in [*above(directory), *([here] if here else [])] if not each.problem]
    real = os.path.realpath(directory)
    naming = (each for each in found if os.path.realpath(each.output) == real)
    built_elsewhere = (each for each in found if not os.path.isdir(each.output))
    return next(naming, None) or next(built_elsewhere, None)


def _addresses(site_url: str | None, table: Table, place: _Place) -> Iterator[tuple[str, str]]:
    """Return the addresses that somebody names, and who, those that count most first."""
    if site_url is not None:
        yield site_url, "--site-url"
    if "site_url" in table.values:
        yield str(table.values["site_url"]), table.name("site_url")
    configuration = place.configuration
    if configuration and configuration.given.strip("/ "):
        yield configuration.given, f"{configuration.key} in {os.path.relpath(configuration.file)}"
    with suppress(OSError):
        home = head.read(os.path.join(place.directory, "index.html"), urls.NO_ADDRESS)
        canonical = (home.canonical or "").removesuffix("index.html")
        if canonical.endswith("/"):
            yield canonical, "the canonical URL of index.html"


def _address(named: tuple[str, str], place: _Place, problems: list[str]) -> tuple[str, str]:
    """Return the normalised URL of the directory, and who names it."""
    text, who = named
    url = ""
    if not who:
        where = f"{place.configuration.key} to {place.who}" if place.configuration else "site_url to [tool.smindex]"
        problem = "nothing says at which URL the site is served, and sitemaps hold absolute URLs."
        problems.append(f"{problem} Add {where}, or give --site-url https://example.org/.")
        return url, who
    try:
        url = urls.site_url(text)
        problem = f"{text!r} is more than the address of a directory" if "?" in url or "#" in text else ""
    except ValueError as error:
        problem = str(error)
    if problem:
        problems.append(f"{who}: {problem}. Write for example https://example.org/docs/.")
    return url, who


def _listed(patterns: tuple[str, ...]) -> str:
    """Return patterns in short: `docs/{path}.md, .html`."""
    first, *others = map(os.path.relpath, patterns)
    stem = first.partition("{path}")[0] + "{path}"
    return ", ".join([first, *(name.removeprefix(stem) for name in others)])
