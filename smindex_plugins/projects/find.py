"""Finds the built site for a command, with its options.

Flags take precedence over [tool.smindex].
"""

import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from smindex_plugins.base import addresses, filters
from smindex_plugins.base.catalogue import UNREAD_OPTIONS
from smindex_plugins.base.files import is_inside, read
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.model import Finding, Spot
from smindex_plugins.base.settings import (
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
from smindex_plugins.base.text import WrongOptionsError, brief, masked
from smindex_plugins.projects._advice import (
    address_in,
    built_here,
    has_index,
    how_to_build,
    no_address,
    no_directory,
    why_unusable,
)
from smindex_plugins.projects._configuration import (
    Configuration,
    around,
    configuration_of,
    load,
    places,
    with_other_names,
)
from smindex_plugins.projects._own_sitemap import OwnSitemap
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.projects.sources import PATTERN, SourcePatterns
from smindex_plugins.reading.entry_points import usual_files
from smindex_plugins.writing import output
from smindex_plugins.writing.names import PEEKED, is_marked

OWN = (
    Option(
        "directory",
        None,
        "The directory of the rendered site. `site_url`, `sources` and `clean_urls` are then for"
        " that directory alone.",
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
        "Patterns of the sources of a page. For each, the first file that exists is used; the"
        " newest date counts.",
        texts(f"{PATTERN['description']}, or a list of them", PATTERN, least=1),
    ),
    Option(
        "clean_urls",
        None,
        "`true` if `about.html` is served at `/about`, `false` if at `/about.html`.",
        SWITCH,
    ),
)
"""The options of [tool.smindex] that are not in `Settings`."""
_OWN_NAMES = [option.name for option in OWN]
_KNOWN = [*_OWN_NAMES, *(option.name for option in OPTIONS)]
_FLAG = "as given"
"""The origin of a directory that is passed on the command line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything that a build needs to know."""

    site: BuiltSite
    notes: Mapping[str, str]
    """What was detected and where, for the user of the command."""
    findings: Sequence[Finding] = ()
    """Problems that do not stop the build."""


class _Given(NamedTuple):
    """The value of an option, and where it is set."""

    value: Any
    label: str
    """The name of the option in messages: a flag, or a key with its file."""
    file: str = ""
    """The file that sets the option. Paths in the value are relative to it. Empty for flags."""

    @property
    def directory(self) -> str:
        return os.path.dirname(self.file)


_Options = dict[str, _Given]


def find_project(target: str | None = None, **flags: object) -> Project:
    """Return what to build: the given directory or project, or the project in this directory.

    Flags take precedence.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    site, given, _ = _find(target, flags, "build")
    configuration = site.configuration
    if not site.url:
        url, url_from = address_in(site.directory)
        option = configuration.address if configuration else ""
        if option:
            url_from = f"{url_from}, set by {option}"
        site = replace(site, url=url, url_from=url_from)
    problems = list(_missing(site, target))
    moved = {}
    theirs = []
    for name in glob.glob("*/sitemap.xml", root_dir=site.directory):
        path = os.path.join(site.directory, name)
        if not output.is_ours(path):
            theirs.append(name)
    if theirs and "sitemap_placement" not in given and not site.settings.gzip:
        site = replace(site, settings=replace(site.settings, sitemap_placement="root"))
        moved["sitemaps"] = (
            "beside the index (`sitemap_placement: root`), because another tool wrote"
            f" {min(theirs)}"
        )
    function = given.get("filter")
    if function:
        try:
            loaded = filters.load(function.value, function.directory)
            # which is that of `cross_site`, if both are given
            if function.directory == site.beside:
                loaded = function.value
            site = replace(site, settings=replace(site.settings, filter=loaded))
        except SettingsError as error:
            problems += (f"{function.label}: {message}" for _, message in error.errors)
    if problems:
        raise WrongOptionsError(problems)

    is_chosen = target is not None or "directory" in given
    notes = dict(_notes(site, given, is_chosen=is_chosen))
    return Project(site=site, notes=notes | moved, findings=_unread(configuration))


def _missing(site: BuiltSite, target: str | None) -> Iterator[str]:
    """Yield why a site can't be built: it lacks pages or an address, or its plugin writes it."""
    configuration = site.configuration
    if next(site.files(), None) is None:
        name = os.path.relpath(site.directory)
        yield f"{name}: there is no HTML in it. {how_to_build(configuration)}"
    elif not site.url:
        yield no_address(configuration, target, site.directory)
    if not configuration or not configuration.runs_plugin:
        return
    index = os.path.join(site.directory, site.settings.index_filename)
    if os.path.isfile(index) and is_marked(read(index, PEEKED)):
        file = os.path.relpath(configuration.file)
        yield (
            f"{os.path.relpath(index)}: the plugin in {file} writes this file, and knows more about"
            f" the pages than this command. Run `{configuration.generator.command}` to write it"
            " anew, or remove it first."
        )


def _unread(configuration: Configuration | None) -> list[Finding]:
    """Return the finding about a configuration or an option in it that can't be read."""
    if configuration is None or not configuration.problem:
        return []
    what = ""
    if configuration.settings:
        what = "an option of the plugin is not used: "
    elif configuration.output:
        what = "the options of the plugin can't be read there: "
    problem = configuration.problem
    if not problem.endswith((".", "?")):
        problem += "."
    spot = Spot(os.path.relpath(configuration.file), line=configuration.line or None)
    return [UNREAD_OPTIONS.at(spot, what + problem)]


def _notes(site: BuiltSite, given: _Options, *, is_chosen: bool) -> Iterator[tuple[str, str]]:
    """Yield what was detected, and where."""
    here = site.directory
    output = f"{os.path.relpath(here)} ({site.directory_from})"
    built = [] if is_chosen else built_here()
    others = [place for place in built if not (is_inside(place, here) or is_inside(here, place))]
    if others:
        named = ", ".join(others[:3])
        output += f"; not {named}, where an index.html is too"
    yield "site", f"{site.url} ({site.url_from})"
    yield "output", output
    if site.own_sitemap:
        note = site.own_sitemap.note(site.url)
        if note:
            yield "URLs", note
    yield "sources", str(site.sources)
    configuration = site.configuration
    if configuration and configuration.settings:
        file = configuration.file
        deciding = [option for option in configuration.options if given[option].file == file]
        names = ", ".join(deciding) or "none"
        yield "options", f"{names} ({os.path.relpath(file)})"


def find_site(
    target: str | None = None, *, site_url: str | None = None, command: str = "check"
) -> BuiltSite:
    """Return the built site: the given directory, or the output of the given project or this one.

    Its options are those that its sitemaps were written with: the generator's own if that runs the
    plugin, or else those of a table [tool.smindex] above the directory, but not of another project
    that the command runs in. ``command`` is the one that messages advise to run.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    site, given, table = _find(target, {"site_url": site_url}, command)
    host = site.configuration
    settings = host.settings if host else None
    if not settings:
        project = os.path.dirname(table)
        if table and ("directory" in given or is_inside(site.directory, project)):
            return site
        settings = Settings()
    file = host.file if host else ""
    return replace(
        site,
        settings=settings,
        beside=os.path.dirname(file),
        settings_file=file and os.path.relpath(file),
    )


def address_setting(site: BuiltSite) -> str:
    """Return the option that sets the address of a site, with its file, or an empty string."""
    if site.url_from or not site.configuration:
        return site.url_from
    return site.configuration.address


def configured_address(directory: str) -> str:
    """Return the URL of a built directory according to its configuration, or an empty string.

    Raises:
        WrongOptionsError: it is not the address of a directory.
    """
    found = _built_with(directory)
    if not found or not found.site_url:
        return ""
    url, problem = addresses.read(found.site_url, found.address)
    if problem:
        raise WrongOptionsError([problem])
    return url


def _find(
    target: str | None, flags: Mapping[str, object], command: str
) -> tuple[BuiltSite, _Options, str]:
    """Return the built site, its options, and the file of a table [tool.smindex], if any."""
    set_flags = {key: value for key, value in flags.items() if value is not None}
    given, problems = _checked(set_flags, "")
    file, values = _table([target or "", os.getcwd()])
    table, problems_there = _checked(values, file)
    problems += problems_there
    named = table.get("directory")
    try:
        directory, directory_from, configuration = _locate(
            target, file, named, command, str(set_flags.get("site_url", ""))
        )
    except WrongOptionsError as error:
        raise WrongOptionsError([*problems, *error.problems]) from error
    tables_own = os.path.join(os.path.dirname(file), named.value if named else directory)
    if os.path.realpath(tables_own) != os.path.realpath(directory):
        # they are for another site
        table = {key: value for key, value in table.items() if key not in _OWN_NAMES}
    options = _of_configuration(configuration) | table | given
    address = options.get("site_url")
    url = url_from = ""
    if address:
        url_from = address.label
        url, problem = addresses.read(address.value, url_from)
        if problem:
            problems.append(problem)
    if problems:
        raise WrongOptionsError(problems)
    try:
        settings = Settings.load(
            {key: each.value for key, each in options.items() if key not in _OWN_NAMES}
        )
    except SettingsError as error:  # of options that do not go together
        raise WrongOptionsError(f"{key}: {message}" for key, message in error.errors) from error
    beside = ""
    for key in ("filter", "cross_site"):  # if both are given, that of the second counts
        if key in options:
            beside = options[key].directory
    clean_urls = options.get("clean_urls")
    settings_file = file
    if configuration and not file:
        settings_file = configuration.file
    site = BuiltSite(
        directory=directory,
        directory_from=directory_from,
        url=url,
        url_from=url_from,
        sources=_sources(directory, configuration, options.get("sources")),
        own_sitemap=None if clean_urls else OwnSitemap(directory=directory),
        has_clean_urls=clean_urls is not None and clean_urls.value,
        settings=settings,
        beside=beside,
        settings_file=settings_file and os.path.relpath(settings_file),
        configuration=configuration,
    )
    return site, options, file


def _of_configuration(configuration: Configuration | None) -> _Options:
    """Return the options that the configuration of a generator sets."""
    options: _Options = {}
    if configuration:
        file = configuration.file
        name = os.path.relpath(file)
        for key, value in configuration.options.items():
            options[key] = _Given(value, f"{name}: {key}", file)
        if configuration.site_url:
            options["site_url"] = _Given(configuration.site_url, configuration.address, file)
    return options


def _sources(
    directory: str, configuration: Configuration | None, given: _Given | None
) -> SourcePatterns:
    """Return the given patterns of sources, or those of the generator."""
    if not given:
        return SourcePatterns.guessed(directory, configuration)
    patterns = []
    for pattern in given.value:
        path = os.path.join(given.directory, pattern)
        patterns.append(os.path.abspath(path))
    given_by = given.label
    if given.file:
        given_by = os.path.relpath(given.file)
    return SourcePatterns(
        patterns=tuple(patterns),
        given_by=given_by,
        directory=directory,
        project=configuration,
    )


def _table(starts: Iterable[str]) -> tuple[str, Mapping[str, Any]]:
    """Return the first file in or above directories with a table [tool.smindex], and the table.

    Raises:
        WrongOptionsError: a pyproject.toml can't be read.
    """
    for directory in chain.from_iterable(map(places, filter(None, starts))):
        path = os.path.join(directory, "pyproject.toml")
        if not os.path.isfile(path):
            continue
        name = os.path.relpath(path)
        try:
            tool = load(path).get("tool")
        except OSError as error:
            raise WrongOptionsError([f"{name}: it can't be read: {error.strerror}."]) from error
        except InvalidTextError as error:
            raise WrongOptionsError([f"{error.at(name)}."]) from error
        values = tool.get("smindex") if isinstance(tool, dict) else None
        if isinstance(values, dict):
            return path, values
        if values is not None:
            problem = f"{name}: tool.smindex: got {brief(values)}; accepted: a table"
            raise WrongOptionsError([problem])
    return "", {}


def _checked(given: Mapping[str, Any], file: str) -> tuple[_Options, list[str]]:
    """Return the options of flags or of a table, and every mistake in them."""
    known = {}
    of_sitemaps = {}
    errors: Errors = []
    for key, value in given.items():
        if key not in _KNOWN:
            errors.append((key, unknown(key, _KNOWN)))
            continue
        known[key] = value
        if key not in _OWN_NAMES:
            of_sitemaps[key] = value
    # a flag is read as an address
    checked = [option for option in OWN if file or option.name != "site_url"]
    known |= parse_options(checked, given, errors)
    try:
        Settings.load(of_sitemaps)
    except SettingsError as error:
        errors += error.errors
    options = {}
    for key, value in known.items():
        if value is not None:
            options[key] = _Given(value, _label(key, file), file)
    return options, [f"{_label(key, file)}: {message}" for key, message in errors]


def _label(key: str, file: str) -> str:
    """Return the name of an option in messages: a flag, or a key of a table in a file."""
    if file:
        return f"{os.path.relpath(file)}: [tool.smindex] {key}"
    name, _, _ = key.partition("[")
    if name not in _OWN_NAMES:
        return f"--set {key}"
    flag = name.replace("_", "-")
    return f"--{flag}"


def _locate(
    target: str | None, table: str, named: _Given | None, command: str, site_url: str
) -> tuple[str, str, Configuration | None]:
    """Return the built directory, where it is set, and its configuration.

    A table can set a directory, too.

    Raises:
        WrongOptionsError: there is none.
    """
    if target and "://" in target:
        problem = "it is a URL. Name the directory on this machine that holds the built site."
        raise WrongOptionsError([f"{masked(target)}: {problem}"])
    directory = target
    directory_from = ""
    is_project = target is None or (
        os.path.realpath(target) == os.path.dirname(table) and not _is_built(target)
    )
    if is_project and named:
        directory = os.path.join(named.directory, named.value)
        directory_from = os.path.relpath(named.file)
    configuration = None
    if directory is None or not _is_built(directory):
        configuration = configuration_of(directory or ".")
    if configuration:
        directory = configuration.output
        directory_from = os.path.relpath(configuration.file)
        if not directory:
            raise WrongOptionsError([f"{configuration.where}: {configuration.problem}."])
    elif directory is None:
        directory = _built_before(command, site_url)
        there = "here" if directory == "." else "there"
        directory_from = f"the index.html {there}"
    configuration = configuration or _built_with(directory)
    if not _is_built(directory):
        problem = why_unusable(directory, directory_from, configuration, command, site_url)
        if problem:
            raise WrongOptionsError([f"{os.path.relpath(directory)}: {problem}"])
    return os.path.abspath(directory), directory_from or _FLAG, configuration


def _built_before(command: str, site_url: str) -> str:
    """Return the only built site here: this directory, or one with an index of an earlier build.

    Raises:
        WrongOptionsError: there is none, or more than one.
    """
    built = built_here()
    # by an earlier build of one that was given
    done = [place for place in built if has_index(place)]
    if len(done) != 1 and built != ["."]:
        raise WrongOptionsError([no_directory(command, site_url)])
    return (done or built)[0]


def _built_with(directory: str) -> Configuration | None:
    """Return the configuration of a built directory: with this output, or one that does not exist.

    A configuration with an unusual name counts only with this output. If there is only one that
    can't be read, it may be that one.
    """
    real = os.path.realpath(directory)
    found = list(around(directory))
    others = chain.from_iterable(map(with_other_names, places(directory)))
    for configuration in chain(found, others):
        output = configuration.output
        if output and os.path.realpath(output) == real:
            return configuration
    for configuration in found:
        output = configuration.output
        if output and not os.path.isdir(output):
            return configuration
    for configuration in found:
        if not configuration.output:
            return configuration
    return None


def _is_built(directory: str) -> bool:
    """Whether a directory has a home page or the sitemaps of a site."""
    names: list[str] = []
    if os.path.isdir(directory):
        names = os.listdir(directory)
    home = os.path.join(directory, "index.html")
    return os.path.isfile(home) or bool(usual_files(names))
