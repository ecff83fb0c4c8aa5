"""What `smindex build` works on, and who says so: a flag, [tool.smindex], a generator, or the pages."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from smindex_plugins import addresses, filters, urls
from smindex_plugins.catalogue import UNREAD_OPTIONS
from smindex_plugins.history import History, Reason, Unknown
from smindex_plugins.html import read_head
from smindex_plugins.model import Finding
from smindex_plugins.projects.configuration import above, all_beside
from smindex_plugins.projects.options import Options, read_options
from smindex_plugins.projects.pages import Rendered
from smindex_plugins.projects.site import Site, find_site, how_to_build, no_home
from smindex_plugins.projects.sources import PATTERN, SourcePatterns
from smindex_plugins.projects.table import WrongOptionsError, read_settings
from smindex_plugins.settings import Settings, SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything that a run needs to know."""

    rendered: Rendered
    settings: Settings
    beside: str
    """The directory to which paths in the settings are relative."""
    told: Mapping[str, str]
    """What was found and who said it, for the user of the command."""
    findings: Sequence[Finding] = ()
    """What is wrong with what was found, and hinders nothing."""


def find_project(
    target: str | None = None,
    *,
    site_url: str | None = None,
    sources: Sequence[str] = (),
    clean_urls: bool | None = None,
    options: Mapping[str, object] | None = None,
) -> Project:
    """Return what to do, from flags first: the directory or the directory of its project, and the settings.

    Raises:
        WrongOptionsError: with everything that is wrong or missing.
    """
    wrong = [pattern for pattern in sources if not PATTERN.is_right(pattern)]
    problems = [f"--sources: got {pattern!r}; accepted: {PATTERN.accepted}" for pattern in wrong]
    try:
        site = find_site(target, site_url=site_url, options=options)
    except WrongOptionsError as error:
        raise WrongOptionsError([*problems, *error.problems]) from None
    address, whose = (site.address, site.whose) if site.address else _own_address(site)
    is_clean = bool(site.own.get("clean_urls", False)) if clean_urls is None else clean_urls
    rendered = Rendered(
        directory=site.directory, site_url=address, sources=sources_of(sources, site), has_clean_urls=is_clean
    )
    if next(rendered.files(), None) is None:
        problems.append(
            f"{os.path.relpath(site.directory)}: there is no HTML in it. {how_to_build(site.configuration)}"
        )
    elif not address:
        problems.append(_no_address(site))
    configured = read_options(site.configuration) if site.configuration else Options()
    settings = read_settings(options or {}, site.table, problems, configured.given)
    settings = _with_filter(settings, site, options or {}, problems)
    if problems:
        raise WrongOptionsError(problems)
    replaced = [name for name in configured.given if name in {*site.table.values, *(options or {})}]
    beside = site.table.directory
    if site.configuration and "cross_site" in configured.given and "cross_site" not in replaced:
        beside = os.path.dirname(site.configuration.file)
    return Project(
        rendered=rendered,
        settings=settings,
        beside=beside,
        told=_told(site, rendered, whose) | _told_options(site, configured, replaced),
        findings=tuple(_unread(site, configured)),
    )


def _with_filter(settings: Settings, site: Site, options: Mapping[str, object], problems: list[str]) -> Settings:
    """Return the settings with the function that they name. Its module is relative to the file that names it."""
    name, beside = "--filter", os.curdir
    if "filter" not in options and "filter" in site.table.values:
        name, beside = site.table.name("filter"), site.table.directory
    elif "filter" not in options and site.configuration:
        name, beside = f"{os.path.relpath(site.configuration.file)}: filter", os.path.dirname(site.configuration.file)
    try:
        return replace(settings, filter=filters.load(settings.filter, beside))
    except SettingsError as error:
        problems += [f"{name}: {message}" for _, message in error.errors]
    return settings


def _told_options(site: Site, configured: Options, replaced: Sequence[str]) -> dict[str, str]:
    """Return which options of the plugin count that the configuration of the generator names, and which do not."""
    if not configured.given or not site.configuration:
        return {}
    names = ", ".join(name for name in configured.given if name not in replaced) or "none"
    others = f"; flags or [tool.smindex] replace {', '.join(replaced)}" if replaced else ""
    return {"options": f"{names} ({os.path.relpath(site.configuration.file)}{others})"}


def _unread(site: Site, configured: Options) -> Iterator[Finding]:
    if site.configuration and configured.problem:
        file = os.path.relpath(site.configuration.file)
        problem = f"the options of the plugin cannot be read there: {configured.problem.removesuffix('.')}."
        yield UNREAD_OPTIONS.at(file, problem)


def _told(site: Site, rendered: Rendered, whose: str) -> dict[str, str]:
    """Return what was found, and what another configuration in the project says, or why it says nothing."""
    said = {"site": [whose], "output": [site.who, *filter(None, [no_home(site.directory)])], "sources": []}
    used = site.configuration
    for other in all_beside(os.path.dirname(used.file) if used else "."):
        name, output = os.path.relpath(other.file), os.path.realpath(other.output)
        address, _ = addresses.read(other.given, other.key)
        if other.problem:
            said["sources"] += [f"{name} cannot be read: {other.problem}"]
        elif os.path.realpath(site.directory).startswith(os.path.join(output, "")):
            said["output"] += [f"a part of {os.path.relpath(output)}, which {name} names"]
        elif used is None or other.file in {used.file, used.parent}:
            continue
        elif output != os.path.realpath(site.directory) and os.path.isdir(output):
            said["output"] += [f"{name} says {os.path.relpath(output)}, which is there too"]
        elif output == os.path.realpath(site.directory) and address and address != rendered.site_url:
            said["site"] += [f"{name} says {address}"]
    found = {"site": rendered.site_url, "output": os.path.relpath(site.directory), "sources": str(rendered.sources)}
    return {what: text + (f" ({'; '.join(said[what])})" if said[what] else "") for what, text in found.items()}


def located(findings: Iterable[Finding], checked: Site | str) -> Iterator[Finding]:
    """Return findings about a built site or file, each with the file to edit, if known."""
    rendered = _around(checked) if isinstance(checked, str) else _rendered(checked)
    is_built = cache(_is_ignored)  # a generator that nobody here knows builds into what git ignores
    for finding in findings:
        source = finding.source or rendered.editable(finding.url, finding.file)
        is_edited = bool(rendered.sources.patterns or not source) or not is_built(os.path.dirname(source))
        yield replace(finding, source=source if is_edited else "")


def _is_ignored(directory: str) -> bool:
    """Whether git ignores a directory and everything in it."""
    file = os.path.join(os.path.abspath(directory), "any")
    answer = History().dates([file])[file]
    return isinstance(answer, Unknown) and answer.reason is Reason.IGNORED


def _rendered(site: Site) -> Rendered:
    return Rendered(directory=site.directory, site_url=site.address, sources=sources_of((), site))


def _around(file: str) -> Rendered:
    """Return the built directory of a file, by a configuration above it."""
    real = os.path.realpath(file)
    for configuration in above(os.path.dirname(real)):
        if real.startswith(os.path.join(os.path.realpath(configuration.output), "")):
            address, _ = addresses.read(configuration.given, configuration.key)
            sources = SourcePatterns(patterns=configuration.sources)
            return Rendered(directory=configuration.output, site_url=address, sources=sources)
    return Rendered(directory=os.path.dirname(real), site_url="")


def sources_of(flags: Sequence[str], site: Site) -> SourcePatterns:
    """Return where the sources of a site are, from flags first."""
    if flags:
        return SourcePatterns(patterns=tuple(map(os.path.abspath, flags)), who="--sources")
    if "sources" in site.own:
        patterns = tuple(os.path.join(site.table.directory, name) for name in site.own["sources"])
        return SourcePatterns(patterns=patterns, who=os.path.relpath(site.table.file))
    if site.configuration:
        who = os.path.relpath(site.configuration.file)
        return SourcePatterns(patterns=site.configuration.sources, who=who, is_guess=True)
    return SourcePatterns()


def _own_address(site: Site) -> tuple[str, str]:
    """Return the canonical URL of the home page, if it is the address of a directory."""
    with suppress(OSError):
        home = read_head(os.path.join(site.directory, "index.html"), urls.NO_ADDRESS)
        canonical = (home.canonical or "").removesuffix("index.html")
        if canonical.endswith("/"):
            return canonical, "the canonical URL of index.html"
    return "", ""


def _no_address(site: Site) -> str:
    """Return why no address is known, and where to write one."""
    home = no_home(site.directory)
    problem = "nothing says at which address the site is served, but sitemaps need full URLs."
    problem = f"{problem} Note that {home}." if home else problem
    flag = "give --site-url https://example.org/."
    configuration = site.configuration
    if configuration is None:
        return f"{problem} Add site_url to [tool.smindex] in pyproject.toml, or {flag}"
    file, key, given = os.path.relpath(configuration.file), configuration.key, configuration.given
    if given is None:
        return f"{problem} Add {key} to {file}, or {flag}"
    if given.strip():
        return f"{addresses.read(given, f'{file}: {key}')[1].removesuffix('.')}, or {flag}"
    return (
        f"{file}: {key} has no value here: it is empty, computed, or from a variable that is not set. Set it, or {flag}"
    )
