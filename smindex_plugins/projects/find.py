"""Finds the built site that a command works on: from flags, [tool.smindex], a generator or the pages, in this order."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from smindex_plugins import addresses, filters, urls
from smindex_plugins.catalogue import UNREAD_OPTIONS
from smindex_plugins.history import History, Reason, Unknown
from smindex_plugins.html import read_head
from smindex_plugins.model import Finding
from smindex_plugins.projects.generators import Configuration, around, configuration_of, load, places
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.projects.sources import PATTERN, SourcePatterns
from smindex_plugins.settings import (
    OPTIONS,
    SWITCH,
    Errors,
    Option,
    Settings,
    SettingsError,
    parse,
    parse_options,
    text,
    texts,
    unknown,
)
from smindex_plugins.sitemaps import index_files
from smindex_plugins.text import brief, did_you_mean, masked

OWN = (
    Option(
        "directory",
        None,
        "The directory of the rendered site. `site_url`, `sources` and `clean_urls` are then for that directory alone.",
        text("a directory relative to this file", r".*\S.*"),
    ),
    Option(
        "site_url",
        None,
        "The address at which the directory is served.",
        text("a URL such as https://example.org/docs/", r".*\S.*"),
    ),
    Option(
        "sources",
        None,
        "Patterns of the sources of a page. For each, the first file that exists is used; the newest date counts.",
        texts(f"{PATTERN['description']}, or a list of them", PATTERN, least=1),
    ),
    Option("clean_urls", None, "`true` if `about.html` is served at `/about`, `false` if at `/about.html`.", SWITCH),
)
"""The options of [tool.smindex] that are not in `Settings`."""
_NO_DIRECTORY = (
    "no directory is named, and no configuration of a generator here names one (mkdocs.yml, zensical.toml, hugo.toml, "
    "conf.py and others). Run the command beside that file, or name the directory of the built site, here or "
    "under `directory` in [tool.smindex] of pyproject.toml."
)
_FLAG = "as given"
"""Who named a directory that is written in the command itself."""


class WrongOptionsError(Exception):
    """Some options are wrong. ``problems`` has a line for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything that a build needs to know."""

    site: BuiltSite
    notes: Mapping[str, str]
    """What was found and who named it, for the user of the command."""
    findings: Sequence[Finding] = ()
    """What is wrong with what was found, but does not stop the build."""


class _Layer(NamedTuple):
    """Options of `Settings` from one place. The first layer that has an option decides."""

    options: Mapping[str, object]
    prefix: str = "--"
    file: str = ""
    """Paths in the options are relative to the directory of this file. Empty for flags."""

    def label(self, option: str) -> str:
        """Return the name of an option in messages."""
        return self.prefix + (option if self.file else option.replace("_", "-"))


def find_project(
    target: str | None = None,
    *,
    site_url: str | None = None,
    sources: Sequence[str] = (),
    clean_urls: bool | None = None,
    options: Mapping[str, object] | None = None,
) -> Project:
    """Return what to build: the named directory or project, or the project here. Flags come first.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    site, layers = _find(target, site_url, sources, clean_urls=clean_urls, options=options)
    problems: list[str] = []
    name, used = os.path.relpath(site.directory), site.configuration
    if not site.url:
        url, url_from = _canonical_address(site.directory)
        site = replace(site, url=url, url_from=url_from)
    if next(site.files(), None) is None:
        problems.append(f"{name}: there is no HTML in it. {_how_to_build(used)}")
    elif not site.url:
        problems.append(_no_address(site))
    layer = _deciding(layers, "filter")
    with _collecting(problems, lambda _: layer.label("filter")):
        loaded = filters.load(site.settings.filter, os.path.dirname(layer.file))
        site = replace(site, settings=replace(site.settings, filter=loaded))
    if problems:
        raise WrongOptionsError(problems)

    notes = {
        "site": f"{site.url} ({site.url_from})",
        "output": f"{name} ({site.directory_from})",
        "sources": str(site.sources),
    }
    findings = []
    if used:
        file, problem = os.path.relpath(used.file), used.problem or used.options_problem
        deciding = [option for option in used.options if _deciding(layers, option) is layers[-1]]
        if used.options:
            notes["options"] = f"{', '.join(deciding) or 'none'} ({file})"
        if problem:
            problem = f"the options of the plugin cannot be read there: {problem.removesuffix('.')}."
            findings.append(UNREAD_OPTIONS.at(file, problem))
    return Project(site=site, notes=notes, findings=findings)


def find_site(target: str | None = None, *, site_url: str | None = None) -> BuiltSite:
    """Return the built site: the named directory, or that of the named project, or that of the project here.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    return _find(target, site_url)[0]


def configured_address(directory: str) -> str:
    """Return the URL that the configuration of a built directory names for it, or an empty string.

    Raises:
        WrongOptionsError: it is not the address of a directory.
    """
    given, url_from = _configured_address(_built_with(directory))
    url, problem = addresses.read(given, url_from) if given else ("", "")
    if problem:
        raise WrongOptionsError([problem])
    return url


def other_site(directory: str) -> str:
    """Return in words where a configuration says that the site is built, if it is another existing directory."""
    for each in around(directory):
        if os.path.isdir(each.output) and os.path.realpath(each.output) != os.path.realpath(directory):
            return f"{os.path.relpath(each.file)} says that the site is built in {os.path.relpath(each.output)}"
    return ""


def located(findings: Iterable[Finding], checked: BuiltSite | str) -> Iterator[Finding]:
    """Yield findings about a built site or file, each with the source file to edit, if known."""
    site = _site_of(checked) if isinstance(checked, str) else checked
    is_built = cache(_is_ignored)  # an unknown generator usually builds into a directory that git ignores
    for finding in findings:
        source = finding.source or site.editable(finding.url, finding.file)
        is_edited = bool(site.sources.patterns or not source) or not is_built(os.path.dirname(source))
        yield replace(finding, source=source if is_edited else "")


def _find(
    target: str | None,
    site_url: str | None,
    sources: Sequence[str] = (),
    *,
    clean_urls: bool | None = None,
    options: Mapping[str, object] | None = None,
) -> tuple[BuiltSite, Sequence[_Layer]]:
    """Return the built site, and the layers of its options."""
    errors: Errors = []
    for pattern in sources:
        parse(pattern, PATTERN, "--sources", errors)
    problems = [f"{name}: {message}" for name, message in errors]
    flags = _Layer(options or {})
    table, own = _read_table([target or "", os.getcwd()], problems)
    mistakes: list[str] = []
    for layer in (flags, table):
        with _collecting(mistakes, layer.label):
            Settings.load(layer.options)
    problems += mistakes
    above = os.path.dirname(table.file)
    directory, directory_from, configuration = _locate(target, table.file, own.get("directory"), problems)
    if os.path.realpath(os.path.join(above, own.get("directory", directory))) != os.path.realpath(directory):
        own = {}  # these options belong to another site
    layers = [flags, table]
    if configuration:
        name = os.path.relpath(configuration.file)
        layers.append(_Layer(configuration.options, f"{name}: ", configuration.file))

    named = [
        (site_url, "--site-url"),
        (own.get("site_url"), table.label("site_url")),
        _configured_address(configuration),
    ]
    given, url_from = next((each for each in named if each[0] is not None), (None, ""))
    url, problem = addresses.read(given, url_from) if url_from else ("", "")
    problems += [problem] if problem else []

    patterns = SourcePatterns()
    if sources:
        patterns = SourcePatterns(patterns=tuple(map(os.path.abspath, sources)), who="--sources")
    elif "sources" in own:
        found = tuple(os.path.join(above, name) for name in own["sources"])
        patterns = SourcePatterns(patterns=found, who=os.path.relpath(table.file))
    elif configuration and configuration.sources:
        patterns = SourcePatterns(patterns=configuration.sources, who=name, is_guess=True)

    settings = Settings()
    with _collecting([] if mistakes else problems, str):  # of options that do not go together
        settings = Settings.load({key: given for layer in reversed(layers) for key, given in layer.options.items()})
    if problems:
        raise WrongOptionsError(problems)
    site = BuiltSite(
        directory=directory,
        directory_from=directory_from,
        url=url,
        url_from=url_from,
        sources=patterns,
        has_clean_urls=own.get("clean_urls", False) if clean_urls is None else clean_urls,
        settings=settings,
        beside=os.path.dirname(_deciding(layers, "cross_site").file),
        configuration=configuration,
        table=table.file,
    )
    return site, layers


def _deciding(layers: Sequence[_Layer], option: str) -> _Layer:
    """Return the layer that has an option, or else that of the table."""
    return next((layer for layer in layers if option in layer.options), layers[1])


@contextmanager
def _collecting(problems: list[str], label: Callable[[str], str]) -> Iterator[None]:
    """Add every mistake in options to the problems."""
    try:
        yield
    except SettingsError as error:
        problems += [f"{label(key)}: {message}" for key, message in error.errors]


def _read_table(starts: Iterable[str], problems: list[str]) -> tuple[_Layer, dict[str, Any]]:
    """Return the first table [tool.smindex] in or above some directories, as its options of `Settings` and its own.

    Raises:
        WrongOptionsError: a pyproject.toml cannot be read.
    """
    paths = (os.path.join(place, "pyproject.toml") for start in starts if start for place in places(start))
    for path in filter(os.path.isfile, paths):
        name = os.path.relpath(path)
        try:
            tool = load(path).get("tool")
        except (OSError, ValueError, RecursionError) as error:
            raise WrongOptionsError([*problems, f"{name}: it cannot be read: {error}"]) from error
        values = tool.get("smindex") if isinstance(tool, dict) else None
        if values is None:
            continue
        if not isinstance(values, dict):
            raise WrongOptionsError([*problems, f"{name}: tool.smindex: got {brief(values)}; accepted: a table"])
        known = [option.name for option in (*OWN, *OPTIONS)]
        settings = {option.name: values[option.name] for option in OPTIONS if option.name in values}
        table = _Layer(settings, f"{name}: [tool.smindex] ", path)
        errors: Errors = [(key, unknown(key, known)) for key in values if key not in known]
        own = parse_options(OWN, values, errors)
        problems += [f"{table.label(key)}: {message}" for key, message in errors]
        return table, own
    return _Layer({}), {}


def _locate(
    target: str | None, table: str, named: str | None, problems: Sequence[str]
) -> tuple[str, str, Configuration | None]:
    """Return the built directory, what names it, and its configuration. A table can name a directory, too.

    Raises:
        WrongOptionsError: there is none. The earlier problems come first.
    """
    path, directory_from = target, _FLAG
    if target == "":  # usually from a variable that is not set
        raise WrongOptionsError([*problems, "the name of the directory is empty. Leave it out for the project here."])
    if target and "://" in target:
        problem = "it is a URL. Name the directory on this machine that holds the built site."
        raise WrongOptionsError([*problems, f"{masked(target)}: {problem}"])
    is_project = target is None or (os.path.realpath(target) == os.path.dirname(table) and not _is_built(target))
    if named and is_project:
        path, directory_from = os.path.join(os.path.dirname(table), named), os.path.relpath(table)
    configuration = None if path is not None and _is_built(path) else configuration_of(path or ".")
    if configuration and configuration.problem:
        file = os.path.relpath(configuration.file)
        raise WrongOptionsError([*problems, f"{file}: it cannot be read: {configuration.problem}."])
    if configuration:
        directory, directory_from = configuration.output, os.path.relpath(configuration.file)
    elif path is not None:
        directory, configuration = os.path.abspath(path), _built_with(path)
    else:
        raise WrongOptionsError(problems or [_NO_DIRECTORY + _home_below(".")])
    if problem := _why_unusable(directory, directory_from, configuration):
        raise WrongOptionsError([*problems, f"{os.path.relpath(directory)}: {problem}"])
    return directory, directory_from, configuration


def _why_unusable(directory: str, directory_from: str, configuration: Configuration | None) -> str:
    """Return why a directory cannot be a built site, and what to do, or an empty string."""
    if os.path.isfile(directory):
        return "it is a file. Name the directory that holds the built site."
    if not os.path.isdir(directory):
        if directory_from != _FLAG:
            says = f"where {directory_from} says that the site is built"
            return f"there is no such directory, {says}. {_how_to_build(configuration)}"
        there = {path.name: os.path.relpath(path) for path in Path(directory).parent.glob("*/")}
        near = did_you_mean(os.path.basename(directory), there)
        return f"there is no such directory. {f'Did you mean {there[near]}?' if near else _how_to_build(None)}"
    if _is_built(directory):
        return ""
    real = os.path.join(os.path.realpath(directory), "")
    for each in around(directory):
        is_source = each.content and real.startswith(os.path.join(os.path.realpath(each.content), ""))
        if is_source and os.path.realpath(each.output) != os.path.realpath(directory):
            file, output = os.path.relpath(each.file), os.path.relpath(each.output)
            problem = f"it is the source directory of {file}, whose site is built into {output}."
            return f"{problem} Run `{each.command}`, and then name {output}, or no directory."
    return ""


def _is_built(directory: str) -> bool:
    """Whether a directory has a home page or the sitemaps of a site."""
    names = os.listdir(directory) if os.path.isdir(directory) else []
    return os.path.isfile(os.path.join(directory, "index.html")) or bool(index_files(names))


def _built_with(directory: str) -> Configuration | None:
    """Return the configuration of a built directory: one that names it, or one whose own output does not exist.

    If there is only one that cannot be read, it may be that one.
    """
    real, found = os.path.realpath(directory), list(around(directory))
    naming = (each for each in found if each.output and os.path.realpath(each.output) == real)
    built_elsewhere = (each for each in found if each.output and not os.path.isdir(each.output))
    return next(chain(naming, built_elsewhere, (each for each in found if each.problem)), None)


def _home_below(directory: str) -> str:
    """Return a sentence about a directory without a home page if one inside it has one, or an empty string."""
    if os.path.isfile(os.path.join(directory, "index.html")):
        return ""
    home = min(map(str, Path(directory).glob("*/index.html")), default="")
    here = "this directory" if os.path.realpath(directory) == os.getcwd() else os.path.relpath(directory)
    return f" Note that {here} has no index.html, but {os.path.relpath(os.path.dirname(home))} has one." if home else ""


def _how_to_build(configuration: Configuration | None) -> str:
    if configuration:
        return f"Run `{configuration.command}` first."
    return "Build the site first, or name the directory it is built into."


def _configured_address(configuration: Configuration | None) -> tuple[str | None, str]:
    """Return the address that a configuration names and its option, unless it is only a path on a host."""
    given = configuration.given if configuration else None
    if configuration and given and given.strip() and not given.startswith("/"):
        return given, f"{os.path.relpath(configuration.file)}: {configuration.key}"
    return None, ""


def _canonical_address(directory: str) -> tuple[str, str]:
    """Return the canonical URL of the home page, if it is the address of a directory."""
    with suppress(OSError):
        home = read_head(os.path.join(directory, "index.html"), urls.NO_ADDRESS)
        canonical = (home.canonical or "").removesuffix("index.html")
        if canonical.endswith("/"):
            return canonical, "the canonical URL of index.html"
    return "", ""


def _no_address(site: BuiltSite) -> str:
    """Return why no address is known, and where to write one."""
    flag = "give --site-url https://example.org/."
    problem = "nothing says at which address the site is served, but sitemaps need full URLs."
    problem += _home_below(site.directory)
    if site.configuration is None:
        return f"{problem} Add site_url to [tool.smindex] in pyproject.toml, or {flag}"
    file, key, given = os.path.relpath(site.configuration.file), site.configuration.key, site.configuration.given
    if site.configuration.problem:
        return f"{file}: it cannot be read: {site.configuration.problem}. Correct it, or {flag}"
    if given is None:
        return f"{problem} Add {key} to {file}, or {flag}"
    if given.strip():
        return f"{addresses.read(given, f'{file}: {key}')[1].removesuffix('.')}, or {flag}"
    return (
        f"{file}: {key} has no value here: it is empty, computed, or from a variable that is not set. Set it, or {flag}"
    )


def _site_of(file: str) -> BuiltSite:
    """Return the built site of a file, by a configuration above it."""
    real = os.path.realpath(file)
    for each in around(os.path.dirname(real)):
        if each.output and real.startswith(os.path.join(os.path.realpath(each.output), "")):
            url, _ = addresses.read(each.given, each.key)
            return BuiltSite(directory=each.output, url=url, sources=SourcePatterns(patterns=each.sources))
    return BuiltSite(directory=os.path.dirname(real))


def _is_ignored(directory: str) -> bool:
    """Whether git ignores a directory and everything in it."""
    file = os.path.join(os.path.abspath(directory), "any")
    answer = History().dates([file])[file]
    return isinstance(answer, Unknown) and answer.reason is Reason.IGNORED
