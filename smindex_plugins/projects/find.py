"""Finds the built site that a command works on, with its options. Flags come first, then [tool.smindex]."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from smindex_plugins import addresses, filters, urls
from smindex_plugins.catalogue import UNREAD_OPTIONS
from smindex_plugins.files import is_inside
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
_OWN_NAMES = [option.name for option in OWN]
_NO_DIRECTORY = (
    "no directory is named, and no configuration of a generator here names one (mkdocs.yml, zensical.toml, hugo.toml, "
    "conf.py and others). Run the command beside that file, or name the directory of the built site, here or "
    "under `directory` in [tool.smindex] of pyproject.toml."
)
_FLAG = "as given"
"""What names a directory that is written in the command itself."""


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
    """What was found and what named it, for the user of the command."""
    findings: Sequence[Finding] = ()
    """What is wrong with what was found, but does not stop the build."""


class _Layer(NamedTuple):
    """Options from one place. The first layer that has an option decides."""

    values: Mapping[str, Any]
    prefix: str = "--"
    file: str = ""
    """Paths in the options are relative to the directory of this file. Empty for flags."""
    address: str = "site_url"
    """The name of the option for the site's address there."""

    @property
    def directory(self) -> str:
        return os.path.dirname(self.file)

    def label(self, option: str) -> str:
        """Return the name of an option in messages."""
        return self.prefix + (option if self.file else option.partition("[")[0].replace("_", "-"))


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
    flags = {"sources": [*sources] or None, **(options or {}), "site_url": site_url, "clean_urls": clean_urls}
    site, layers = _find(target, flags)
    name, configuration = os.path.relpath(site.directory), site.configuration
    problems: list[str] = []
    if not site.url:
        url, url_from = _canonical_address(site.directory)
        site = replace(site, url=url, url_from=url_from)
    if next(site.files(), None) is None:
        problems.append(f"{name}: there is no HTML in it. {_how_to_build(configuration)}")
    elif not site.url:
        problems.append(_no_address(configuration))
    try:
        layer = _deciding(layers, "filter")
        site = replace(
            site, settings=replace(site.settings, filter=filters.load(site.settings.filter, layer.directory))
        )
    except SettingsError as error:
        problems += (f"{layer.label(key)}: {message}" for key, message in error.errors)
    if problems:
        raise WrongOptionsError(problems)

    notes = {
        "site": f"{site.url} ({site.url_from})",
        "output": f"{name} ({site.directory_from})",
        "sources": str(site.sources),
    }
    findings = []
    if configuration:
        file = os.path.relpath(configuration.file)
        deciding = [option for option in configuration.options if _deciding(layers, option) is layers[-1]]
        if configuration.options:
            notes["options"] = f"{', '.join(deciding) or 'none'} ({file})"
        if configuration.problem:
            problem = f"the options of the plugin cannot be read there: {configuration.problem.removesuffix('.')}."
            findings.append(UNREAD_OPTIONS.at(file, problem))
    return Project(site=site, notes=notes, findings=findings)


def find_site(target: str | None = None, *, site_url: str | None = None) -> BuiltSite:
    """Return the built site: the named directory, or that of the named project, or that of the project here.

    Its options are those that its sitemaps were written with: the generator's own if that runs the plugin, or else
    those of a table [tool.smindex] above the directory, but not of another project that the command runs in.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    site, (_, table, *_) = _find(target, {"site_url": site_url})
    host = site.configuration
    if host and host.settings:
        file, settings = host.file, host.settings
    elif table.file and ("directory" in table.values or is_inside(site.directory, table.directory)):
        return site
    else:
        file, settings = host.file if host else "", Settings()
    return replace(site, settings=settings, beside=os.path.dirname(file), settings_file=file and os.path.relpath(file))


def configured_address(directory: str) -> str:
    """Return the URL that the configuration of a built directory names for it, or an empty string.

    Raises:
        WrongOptionsError: it is not the address of a directory.
    """
    found = _built_with(directory)
    url, problem = addresses.read(found.site_url, f"{os.path.relpath(found.file)}: {found.key}") if found else ("", "")
    if found and found.site_url and problem:
        raise WrongOptionsError([problem])
    return url


def located(findings: Iterable[Finding], checked: BuiltSite | str) -> Iterator[Finding]:
    """Yield findings about a built site or file, each with the source file to edit, if known."""
    site = _site_of(checked) if isinstance(checked, str) else checked
    is_built = cache(_is_ignored)  # an unknown generator usually builds into a directory that git ignores
    for finding in findings:
        source = finding.source or site.editable(finding.url, finding.file)
        is_edited = bool(site.sources.patterns or not source) or not is_built(os.path.dirname(source))
        yield replace(finding, source=source if is_edited else "")


def _find(target: str | None, given: Mapping[str, object]) -> tuple[BuiltSite, Sequence[_Layer]]:
    """Return the built site, and the layers of its options."""
    problems: list[str] = []
    flags = _checked(_Layer({key: value for key, value in given.items() if value is not None}), problems)
    table = _checked(_table([target or "", os.getcwd()]), problems)
    try:
        directory, directory_from, configuration = _locate(target, table)
    except WrongOptionsError as error:
        raise WrongOptionsError([*problems, *error.problems]) from error
    named = os.path.join(table.directory, table.values.get("directory", directory))
    if os.path.realpath(named) != os.path.realpath(directory):  # its own options are for another site
        table = table._replace(values={key: table.values[key] for key in table.values if key not in _OWN_NAMES})
    layers = [flags, table]
    if configuration:
        found = {"site_url": configuration.site_url, "sources": configuration.sources}
        values = {**configuration.options, **{key: value for key, value in found.items() if value}}
        prefix = f"{os.path.relpath(configuration.file)}: "
        layers.append(_Layer(values, prefix, configuration.file, configuration.key))
    url, url_from, problem = _address(layers)
    problems += [problem] if problem else []
    if problems:
        raise WrongOptionsError(problems)
    merged = {key: value for layer in reversed(layers) for key, value in layer.values.items()}
    try:
        settings = Settings.load({key: value for key, value in merged.items() if key not in _OWN_NAMES})
    except SettingsError as error:  # of options that do not go together
        raise WrongOptionsError(f"{key}: {message}" for key, message in error.errors) from error
    file = table.file or (configuration.file if configuration else "")
    site = BuiltSite(
        directory=directory,
        directory_from=directory_from,
        url=url,
        url_from=url_from,
        sources=_sources(layers),
        has_clean_urls=merged.get("clean_urls", False),
        settings=settings,
        beside=_deciding(layers, "cross_site").directory,
        settings_file=file and os.path.relpath(file),
        configuration=configuration,
    )
    return site, layers


def _address(layers: Sequence[_Layer]) -> tuple[str, str, str]:
    """Return the normalised URL of a site, the option that names it, and what is wrong with it, or empty strings."""
    layer = _deciding(layers, "site_url")
    if "site_url" not in layer.values:
        return "", "", ""
    option = layer.label(layer.address)
    url, problem = addresses.read(layer.values["site_url"], option)
    return url, option, problem


def _sources(layers: Sequence[_Layer]) -> SourcePatterns:
    """Return the patterns of source files. Those of a generator are a guess, because few sites use all suffixes."""
    layer = _deciding(layers, "sources")
    patterns = (os.path.join(layer.directory, pattern) for pattern in layer.values.get("sources", ()))
    found = tuple(map(os.path.abspath, patterns))
    given_by = os.path.relpath(layer.file) if layer.file else "--sources"
    return (
        SourcePatterns(patterns=found, given_by=given_by, is_guess=layer in layers[2:]) if found else SourcePatterns()
    )


def _deciding(layers: Sequence[_Layer], option: str) -> _Layer:
    """Return the layer that has an option, or else that of the table."""
    return next((layer for layer in layers if option in layer.values), layers[1])


def _table(starts: Iterable[str]) -> _Layer:
    """Return the first table [tool.smindex] in or above some directories.

    Raises:
        WrongOptionsError: a pyproject.toml cannot be read.
    """
    paths = (os.path.join(place, "pyproject.toml") for start in starts if start for place in places(start))
    for path in filter(os.path.isfile, paths):
        name = os.path.relpath(path)
        try:
            tool = load(path).get("tool")
        except (OSError, ValueError, RecursionError) as error:
            raise WrongOptionsError([f"{name}: it cannot be read: {error}"]) from error
        values = tool.get("smindex") if isinstance(tool, dict) else None
        if isinstance(values, dict):
            return _Layer(values, f"{name}: [tool.smindex] ", path)
        if values is not None:
            raise WrongOptionsError([f"{name}: tool.smindex: got {brief(values)}; accepted: a table"])
    return _Layer({})


def _checked(layer: _Layer, problems: list[str]) -> _Layer:
    """Return options without those of ours that are wrong. Every mistake is added to the problems."""
    known = [*_OWN_NAMES, *(option.name for option in OPTIONS)]
    errors: Errors = [(key, unknown(key, known)) for key in layer.values if key not in known]
    checked = [option for option in OWN if layer.file or option.name != "site_url"]  # a flag is read as an address
    own = parse_options(checked, layer.values, errors)
    try:
        Settings.load({key: value for key, value in layer.values.items() if key in known and key not in _OWN_NAMES})
    except SettingsError as error:
        errors += error.errors
    problems += [f"{layer.label(key)}: {message}" for key, message in errors]
    values = {key: own.get(key, value) for key, value in layer.values.items() if key in known}
    return layer._replace(values={key: value for key, value in values.items() if value is not None})


def _locate(target: str | None, table: _Layer) -> tuple[str, str, Configuration | None]:
    """Return the built directory, what names it, and its configuration. The table can name a directory, too.

    Raises:
        WrongOptionsError: there is none.
    """
    path, directory_from = target, _FLAG
    if target == "":  # usually from a variable that is not set
        raise WrongOptionsError(["the name of the directory is empty. Leave it out for the project here."])
    if target and "://" in target:
        problem = "it is a URL. Name the directory on this machine that holds the built site."
        raise WrongOptionsError([f"{masked(target)}: {problem}"])
    is_project = target is None or (os.path.realpath(target) == table.directory and not _is_built(target))
    if is_project and "directory" in table.values:
        path, directory_from = os.path.join(table.directory, table.values["directory"]), os.path.relpath(table.file)
    if path is not None and _is_built(path):
        return os.path.abspath(path), directory_from, _built_with(path)
    configuration = configuration_of(path or ".")
    if configuration and not configuration.output:
        file = os.path.relpath(configuration.file)
        raise WrongOptionsError([f"{file}: it cannot be read: {configuration.problem}."])
    if configuration:
        directory, directory_from = configuration.output, os.path.relpath(configuration.file)
    elif path is not None:
        directory, configuration = os.path.abspath(path), _built_with(path)
    else:
        raise WrongOptionsError([_NO_DIRECTORY])
    if problem := _why_unusable(directory, directory_from, configuration):
        raise WrongOptionsError([f"{os.path.relpath(directory)}: {problem}"])
    return directory, directory_from, configuration


def _why_unusable(directory: str, directory_from: str, configuration: Configuration | None) -> str:
    """Return why a directory that has no home page is not a built site, and what to do, or an empty string."""
    if os.path.isfile(directory):
        return "it is a file. Name the directory that holds the built site."
    if not os.path.isdir(directory):
        if directory_from != _FLAG:
            says = f"where {directory_from} says that the site is built"
            return f"there is no such directory, {says}. {_how_to_build(configuration)}"
        beside = {path.name: os.path.relpath(path) for path in Path(directory).parent.glob("*/")}
        near = did_you_mean(os.path.basename(directory), beside)
        return f"there is no such directory. {f'Did you mean {beside[near]}?' if near else _how_to_build(None)}"
    for each in around(directory):
        if each.content and is_inside(directory, each.content) and not is_inside(directory, each.output):
            output = os.path.relpath(each.output)
            problem = f"it is the source directory of {os.path.relpath(each.file)}, whose site is built into {output}."
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
    return next(chain(naming, built_elsewhere, (each for each in found if not each.output)), None)


def _how_to_build(configuration: Configuration | None) -> str:
    if configuration:
        return f"Run `{configuration.command}` first."
    return "Build the site first, or name the directory it is built into."


def _canonical_address(directory: str) -> tuple[str, str]:
    """Return the canonical URL of the home page, if it is the address of a directory."""
    with suppress(OSError):
        home = read_head(os.path.join(directory, "index.html"), urls.NO_ADDRESS)
        canonical = (home.canonical or "").removesuffix("index.html")
        if canonical.endswith("/"):
            return canonical, "the canonical URL of index.html"
    return "", ""


def _no_address(configuration: Configuration | None) -> str:
    """Return where to write the address of a site, because no place has it."""
    flag = "or give --site-url https://example.org/."
    problem = "nothing says at which address the site is served, but sitemaps need full URLs."
    if configuration is None:
        return f"{problem} Add site_url to [tool.smindex] in pyproject.toml, {flag}"
    file = os.path.relpath(configuration.file)
    if not configuration.output:
        return f"{file}: it cannot be read: {configuration.problem}. Correct it, {flag}"
    return f"{problem} Set {configuration.key} in {file} to a full URL (one that is computed does not count), {flag}"


def _site_of(file: str) -> BuiltSite:
    """Return the built site of a file, by a configuration above it."""
    directory = os.path.dirname(os.path.realpath(file))
    for each in around(directory):
        if each.output and is_inside(directory, each.output):
            url, _ = addresses.read(each.site_url, each.key)
            return BuiltSite(directory=each.output, url=url, sources=SourcePatterns(patterns=each.sources))
    return BuiltSite(directory=directory)


def _is_ignored(directory: str) -> bool:
    """Whether git ignores a directory and everything in it."""
    file = os.path.join(os.path.abspath(directory), "any")
    answer = History().dates([file])[file]
    return isinstance(answer, Unknown) and answer.reason is Reason.IGNORED
