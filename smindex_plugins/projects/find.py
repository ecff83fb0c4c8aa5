"""What `smindex build` works on, and who says so: a flag, [tool.smindex], a generator's configuration, or the pages."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from smindex_plugins import urls
from smindex_plugins.pages import head as html
from smindex_plugins.projects.configuration import Configuration, above, beside
from smindex_plugins.projects.options import Table, WrongOptionsError, settings, table
from smindex_plugins.projects.pages import Rendered
from smindex_plugins.settings import OPTIONS, Settings, unknown

_PATH = "{path}"
_PATTERN = "a pattern with {path} in it, such as 'docs/{path}.md'"
_ACCEPTED = {
    "directory": "a directory relative to this file",
    "site_url": "a URL such as https://example.org/docs/",
    "sources": f"{_PATTERN}, or a list of them",
    "clean_urls": "true or false",
}
"""The options in [tool.smindex] that are not of `Settings`."""
_NO_DIRECTORY = (
    "no directory is named, and there is no mkdocs.yml, zensical.toml, hugo.toml, conf.py or other configuration of a "
    "generator here that names one. Run it beside that file, or name the built site: smindex build DIR."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What the flags of a run say."""

    target: str | None = None
    """The built directory, or that of its project."""
    site_url: str | None = None
    sources: tuple[str, ...] = ()
    clean_urls: bool | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    """Those of `Settings`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """All that a run needs to know."""

    rendered: Rendered
    settings: Settings
    beside: str
    """The directory to which paths in the settings are relative."""
    told: Mapping[str, str]
    """What was found, and who said it, for those who run the command."""


def find(given: Given) -> Project:
    """Find out what to do.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    file = table(filter(None, [given.target, os.getcwd()]))
    problems = [*_mistakes(given, file), *_unknown(file)]
    chosen = _settings(given, file, problems)
    place = _place(given, file, problems)
    address = _address(given, file, place, problems) if place else None
    if problems or place is None or address is None or chosen is None:
        raise WrongOptionsError(problems)
    patterns, whose = _sources(given, file, place)
    is_clean = file.values.get("clean_urls") if given.clean_urls is None else given.clean_urls
    return Project(
        rendered=Rendered(
            directory=place.directory, site_url=address[0], patterns=patterns, has_clean_urls=is_clean is True
        ),
        settings=chosen,
        beside=file.directory,
        told={
            "site": f"{address[0]} ({address[1]})",
            "output": f"{os.path.relpath(place.directory)} ({place.who})",
            "sources": f"{_listed(patterns)} ({whose})" if patterns else whose,
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A built directory (absolute), who named it, and the configuration that it was built with."""

    directory: str
    who: str
    configuration: Configuration | None = None


def _settings(given: Given, file: Table, problems: list[str]) -> Settings | None:
    known = {option.name for option in OPTIONS}
    options = replace(file, values={key: value for key, value in file.values.items() if key in known})
    try:
        return settings(given.options, options)
    except WrongOptionsError as error:
        problems += error.problems
        return None


def _place(given: Given, file: Table, problems: list[str]) -> _Place | None:
    place = _named(given, file) or _beside(".")
    if place is None:
        problems.append(_NO_DIRECTORY)
    elif place.configuration is not None and place.configuration.problem:
        problems.append(f"{place.who}: it cannot be read: {place.configuration.problem}.")
    elif not os.path.isdir(place.directory):
        missing = f"{os.path.relpath(place.directory)}: there is no such directory ({place.who})."
        problems.append(f"{missing} Build the site first, or name its directory: smindex build DIR.")
    else:
        return place
    return None


def _named(given: Given, file: Table) -> _Place | None:
    """Find the built directory that is named, or that of the project in a directory that is."""
    path, who = given.target, "named"
    directory = file.values.get("directory")
    is_project = path is None or (os.path.realpath(path) == file.directory and not _is_built(path))
    if is_project and isinstance(directory, str):
        path, who = os.path.join(file.directory, directory), os.path.relpath(file.file)
    if path is None:
        return None
    own = None if _is_built(path) else _beside(path)
    return own or _Place(directory=os.path.abspath(path), who=who, configuration=_built_with(path))


def _is_built(directory: str) -> bool:
    return os.path.isfile(os.path.join(directory, "index.html"))


def _beside(directory: str) -> _Place | None:
    configuration = beside(directory)
    if configuration is None:
        return None
    return _Place(directory=configuration.output, who=os.path.relpath(configuration.file), configuration=configuration)


def _built_with(directory: str) -> Configuration | None:
    """Find the configuration of a built directory: that which names it, or one whose own output is not there."""
    here = beside(".")
    found = [each for each in [*above(directory), *([here] if here else [])] if not each.problem]
    real = os.path.realpath(directory)
    naming = (each for each in found if os.path.realpath(each.output) == real)
    built_elsewhere = (each for each in found if not os.path.isdir(each.output))
    return next(naming, None) or next(built_elsewhere, None)


def _address(given: Given, file: Table, place: _Place, problems: list[str]) -> tuple[str, str] | None:
    """Give the normalised URL of the directory, and who names it."""
    text, who = next(_addresses(given, file, place), ("", ""))
    if not who:
        configuration = place.configuration
        where = f"{configuration.key} to {place.who}" if configuration else "site_url to [tool.smindex]"
        problem = "nothing says at which URL the site is served, and sitemaps hold absolute URLs."
        problems.append(f"{problem} Add {where}, or give --site-url https://example.org/.")
        return None
    try:
        url = urls.site_url(text)
        if "?" not in url and "#" not in text:
            return url, who
        problem = f"{text!r} is more than the address of a directory"
    except ValueError as error:
        problem = str(error)
    problems.append(f"{who}: {problem}. Write for example https://example.org/docs/.")
    return None


def _addresses(given: Given, file: Table, place: _Place) -> Iterator[tuple[str, str]]:
    """Give the addresses that somebody names, and who, those that count most first."""
    if given.site_url is not None:
        yield given.site_url, "--site-url"
    if "site_url" in file.values:
        yield str(file.values["site_url"]), file.name("site_url")
    configuration = place.configuration
    if configuration and configuration.given.strip("/ "):
        yield configuration.given, f"{configuration.key} in {os.path.relpath(configuration.file)}"
    try:
        canonical = html.read(os.path.join(place.directory, "index.html"), urls.NO_ADDRESS).canonical or ""
    except OSError:
        return
    if canonical.removesuffix("index.html").endswith("/"):
        yield canonical.removesuffix("index.html"), "the canonical URL of index.html"


def _sources(given: Given, file: Table, place: _Place) -> tuple[tuple[str, ...], str]:
    """Give the patterns of the source files, as absolute paths, and who names them."""
    if given.sources:
        return tuple(map(os.path.abspath, given.sources)), "--sources"
    listed = file.values.get("sources")
    if listed:
        patterns = listed if isinstance(listed, list) else [listed]
        return tuple(os.path.join(file.directory, str(pattern)) for pattern in patterns), os.path.relpath(file.file)
    if place.configuration:
        return place.configuration.sources, os.path.relpath(place.configuration.file)
    return (), "the pages themselves"


def _mistakes(given: Given, file: Table) -> Iterator[str]:
    for pattern in given.sources:
        if _PATH not in pattern:
            yield f"--sources: got {pattern!r}; accepted: {_PATTERN}"
    for key, value in file.values.items():
        if key in _ACCEPTED and not _is_accepted(key, value):
            yield f"{file.name(key)}: got {value!r}; accepted: {_ACCEPTED[key]}"


def _is_accepted(key: str, value: object) -> bool:
    if key == "clean_urls":
        return isinstance(value, bool)
    if key == "sources":
        patterns = value if isinstance(value, list) else [value]
        return bool(patterns) and all(isinstance(pattern, str) and _PATH in pattern for pattern in patterns)
    return isinstance(value, str) and bool(value.strip())


def _unknown(file: Table) -> Iterator[str]:
    known = [*_ACCEPTED, *(option.name for option in OPTIONS)]
    for key in file.values:
        if key not in known:
            yield f"{file.name(key)}: {unknown(key, known)}"


def _listed(patterns: tuple[str, ...]) -> str:
    """Write patterns in short: `docs/{path}.md, .html`."""
    first, *others = map(os.path.relpath, patterns)
    stem = first.partition(_PATH)[0] + _PATH
    return ", ".join([first, *(name.removeprefix(stem) for name in others)])
