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
    WrongOptionsError,
    parse_options,
    text,
    texts,
    unknown,
)
from smindex_plugins.base.text import brief, masked
from smindex_plugins.projects._advice import (
    address_in,
    address_option,
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
    name, configuration = os.path.relpath(site.directory), site.configuration
    problems: list[str] = []
    if not site.url:
        url, url_from = address_in(site.directory)
        option = address_option(configuration)
        site = replace(
            site, url=url, url_from=f"{url_from}, set by {option}" if option else url_from
        )
    if next(site.files(), None) is None:
        problems.append(f"{name}: there is no HTML in it. {how_to_build(configuration)}")
    elif not site.url:
        problems.append(no_address(configuration, target, site.directory))
    index = os.path.join(site.directory, site.settings.index_filename)
    if (
        configuration
        and configuration.runs_plugin
        and os.path.isfile(index)
        and is_marked(read(index, PEEKED))
    ):
        problems.append(
            f"{os.path.relpath(index)}: the plugin in {os.path.relpath(configuration.file)} writes"
            " this file, and knows more about the pages than this command. Run"
            f" `{configuration.generator.command}` to write it anew, or remove it first."
        )
    moved, theirs = {}, glob.glob("*/sitemap.xml", root_dir=site.directory)
    theirs = [name for name in theirs if not output.is_ours(os.path.join(site.directory, name))]
    if theirs and "sitemap_placement" not in given and not site.settings.gzip:
        site = replace(site, settings=replace(site.settings, sitemap_placement="root"))
        moved["sitemaps"] = (
            "beside the index (`sitemap_placement: root`), because another tool wrote"
            f" {min(theirs)}"
        )
    if function := given.get("filter"):
        try:
            loaded = filters.load(function.value, function.directory)
            # which is that of `cross_site`, if both are given
            is_beside = function.directory == site.beside
            site = replace(
                site,
                settings=replace(site.settings, filter=function.value if is_beside else loaded),
            )
        except SettingsError as error:
            problems += (f"{function.label}: {message}" for _, message in error.errors)
    if problems:
        raise WrongOptionsError(problems)

    is_chosen = target is not None or "directory" in given
    return Project(
        site=site,
        notes={**dict(_notes(site, given, is_chosen=is_chosen)), **moved},
        findings=_unread(configuration),
    )


def _unread(configuration: Configuration | None) -> list[Finding]:
    """Return the finding about a configuration that cannot be read as a whole, or about an option
    in it.
    """
    if configuration is None or not configuration.problem:
        return []
    what = ""
    if configuration.settings:
        what = "an option of the plugin is not used: "
    elif configuration.output:
        what = "the options of the plugin cannot be read there: "
    spot = Spot(os.path.relpath(configuration.file), line=configuration.line)
    end = "" if configuration.problem.endswith((".", "?")) else "."
    return [UNREAD_OPTIONS.at(spot, f"{what}{configuration.problem}{end}")]


def _notes(site: BuiltSite, given: _Options, *, is_chosen: bool) -> Iterator[tuple[str, str]]:
    """Yield what was detected, and where."""
    configuration, output = (
        site.configuration,
        f"{os.path.relpath(site.directory)} ({site.directory_from})",
    )
    pairs = [(place, site.directory) for place in ([] if is_chosen else built_here())]
    if others := [
        place for place, here in pairs if not (is_inside(place, here) or is_inside(here, place))
    ]:
        output += f"; not {', '.join(others[:3])}, where an index.html is too"
    yield "site", f"{site.url} ({site.url_from})"
    yield "output", output
    if site.own_sitemap and (note := site.own_sitemap.note(site.url)):
        yield "URLs", note
    yield "sources", str(site.sources)
    if configuration and configuration.settings:
        deciding = [
            option for option in configuration.options if given[option].file == configuration.file
        ]
        yield "options", f"{', '.join(deciding) or 'none'} ({os.path.relpath(configuration.file)})"


def find_site(target: str | None = None, *, site_url: str | None = None) -> BuiltSite:
    """Return the built site: the given directory, or the output of the given project or of the
    project here.

    Its options are those that its sitemaps were written with: the generator's own if that runs the
    plugin, or else those of a table [tool.smindex] above the directory, but not of another project
    that the command runs in.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    site, given, table = _find(target, {"site_url": site_url}, "check")
    host = site.configuration
    if host and host.settings:
        file, settings = host.file, host.settings
    elif table and ("directory" in given or is_inside(site.directory, os.path.dirname(table))):
        return site
    else:
        file, settings = host.file if host else "", Settings()
    return replace(
        site,
        settings=settings,
        beside=os.path.dirname(file),
        settings_file=file and os.path.relpath(file),
    )


def address_setting(site: BuiltSite) -> str:
    """Return the option that sets the address of a site, with its file, or an empty string."""
    return site.url_from or address_option(site.configuration)


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
    """Return the built site, its options, and the file of the table [tool.smindex], if there is
    one.
    """
    problems: list[str] = []
    given = _checked(
        {key: value for key, value in flags.items() if value is not None}, "", problems
    )
    file, values = _table([target or "", os.getcwd()])
    table = _checked(values, file, problems)
    try:
        directory, directory_from, configuration = _locate(
            target, file, table.get("directory"), command
        )
    except WrongOptionsError as error:
        raise WrongOptionsError([*problems, *error.problems]) from error
    named = table["directory"].value if "directory" in table else directory
    if os.path.realpath(os.path.join(os.path.dirname(file), named)) != os.path.realpath(directory):
        # they are for another site
        table = {key: table[key] for key in table if key not in _OWN_NAMES}
    own: _Options = {}
    if configuration:
        name = os.path.relpath(configuration.file)
        for key, value in configuration.options.items():
            own[key] = _Given(value, f"{name}: {key}", configuration.file)
        if configuration.site_url:
            own["site_url"] = _Given(
                configuration.site_url, configuration.address, configuration.file
            )
    options = own | table | given
    address, sources = options.get("site_url"), options.get("sources")
    url, problem = addresses.read(address.value, address.label) if address else ("", "")
    if problem or problems:
        raise WrongOptionsError(filter(None, [*problems, problem]))
    try:
        settings = Settings.load(
            {key: each.value for key, each in options.items() if key not in _OWN_NAMES}
        )
    except SettingsError as error:  # of options that do not go together
        raise WrongOptionsError(f"{key}: {message}" for key, message in error.errors) from error
    patterns = SourcePatterns.guessed(directory, configuration)
    if sources:
        patterns = SourcePatterns(
            patterns=tuple(
                os.path.abspath(os.path.join(sources.directory, pattern))
                for pattern in sources.value
            ),
            given_by=os.path.relpath(sources.file) if sources.file else sources.label,
            directory=directory,
            project=configuration,
        )
    settings_file = file or (configuration.file if configuration else "")
    site = BuiltSite(
        directory=directory,
        directory_from=directory_from,
        url=url,
        url_from=address.label if address else "",
        sources=patterns,
        own_sitemap=None if "clean_urls" in options else OwnSitemap(directory=directory),
        has_clean_urls="clean_urls" in options and options["clean_urls"].value,
        settings=settings,
        beside=next(
            (options[key].directory for key in ("cross_site", "filter") if key in options), ""
        ),
        settings_file=settings_file and os.path.relpath(settings_file),
        configuration=configuration,
    )
    return site, options, file


def _table(starts: Iterable[str]) -> tuple[str, Mapping[str, Any]]:
    """Return the first file in or above the given directories that has a table [tool.smindex], and
    the table.

    Raises:
        WrongOptionsError: a pyproject.toml cannot be read.
    """
    paths = (
        os.path.join(place, "pyproject.toml")
        for start in starts
        if start
        for place in places(start)
    )
    for path in filter(os.path.isfile, paths):
        name = os.path.relpath(path)
        try:
            tool = load(path).get("tool")
        except OSError as error:
            raise WrongOptionsError([f"{name}: it cannot be read: {error.strerror}."]) from error
        except InvalidTextError as error:
            raise WrongOptionsError([f"{error.at(name)}."]) from error
        values = tool.get("smindex") if isinstance(tool, dict) else None
        if isinstance(values, dict):
            return path, values
        if values is not None:
            raise WrongOptionsError(
                [f"{name}: tool.smindex: got {brief(values)}; accepted: a table"]
            )
    return "", {}


def _checked(given: Mapping[str, Any], file: str, problems: list[str]) -> _Options:
    """Return the options of flags or of a table. Every mistake is added to the problems."""
    known = [*_OWN_NAMES, *(option.name for option in OPTIONS)]
    errors: Errors = [(key, unknown(key, known)) for key in given if key not in known]
    # a flag is read as an address
    checked = [option for option in OWN if file or option.name != "site_url"]
    own = parse_options(checked, given, errors)
    try:
        Settings.load(
            {key: value for key, value in given.items() if key in known and key not in _OWN_NAMES}
        )
    except SettingsError as error:
        errors += error.errors

    def label(key: str) -> str:
        if file:
            return f"{os.path.relpath(file)}: [tool.smindex] {key}"
        name = key.partition("[")[0]
        return f"--{name.replace('_', '-')}" if name in _OWN_NAMES else f"--set {key}"

    problems += [f"{label(key)}: {message}" for key, message in errors]
    values = {key: own.get(key, value) for key, value in given.items() if key in known}
    return {
        key: _Given(value, label(key), file) for key, value in values.items() if value is not None
    }


def _locate(
    target: str | None, table: str, named: _Given | None, command: str
) -> tuple[str, str, Configuration | None]:
    """Return the built directory, where it is set, and its configuration.

    A table can set a directory, too.

    Raises:
        WrongOptionsError: there is none.
    """
    if target and "://" in target:
        problem = "it is a URL. Name the directory on this machine that holds the built site."
        raise WrongOptionsError([f"{masked(target)}: {problem}"])
    directory, directory_from, configuration = target, _FLAG, None
    is_project = target is None or (
        os.path.realpath(target) == os.path.dirname(table) and not _is_built(target)
    )
    if is_project and named:
        directory, directory_from = (
            os.path.join(named.directory, named.value),
            os.path.relpath(named.file),
        )
    if directory is None or not _is_built(directory):
        configuration = configuration_of(directory or ".")
    if configuration:
        file, directory = os.path.relpath(configuration.file), configuration.output
        if not directory:
            raise WrongOptionsError([f"{configuration.where}: {configuration.problem}."])
        directory_from = file
    elif directory is None:
        built = built_here()
        # by an earlier build of one that was given
        done = [place for place in built if has_index(place)]
        if len(done) != 1 and built != ["."]:
            raise WrongOptionsError([no_directory(command)])
        directory = (done or built)[0]
        directory_from = f"the index.html {'here' if directory == '.' else 'there'}"
    configuration = configuration or _built_with(directory)
    named_in = directory_from if directory_from != _FLAG else ""
    if not _is_built(directory) and (
        problem := why_unusable(directory, named_in, configuration, command)
    ):
        raise WrongOptionsError([f"{os.path.relpath(directory)}: {problem}"])
    return os.path.abspath(directory), directory_from, configuration


def _built_with(directory: str) -> Configuration | None:
    """Return the configuration of a built directory: one with this output, or one whose output does
    not exist.

    A configuration with another name than the usual one counts only with this output. If there is
    only one that cannot be read, it may be that one.
    """
    real, found = os.path.realpath(directory), list(around(directory))
    others = (each for place in places(directory) for each in with_other_names(place))
    naming = (
        each
        for each in chain(found, others)
        if each.output and os.path.realpath(each.output) == real
    )
    built_elsewhere = (each for each in found if each.output and not os.path.isdir(each.output))
    return next(chain(naming, built_elsewhere, (each for each in found if not each.output)), None)


def _is_built(directory: str) -> bool:
    """Whether a directory has a home page or the sitemaps of a site."""
    names = os.listdir(directory) if os.path.isdir(directory) else []
    return os.path.isfile(os.path.join(directory, "index.html")) or bool(usual_files(names))
