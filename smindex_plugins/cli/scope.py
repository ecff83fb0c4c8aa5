"""What `smindex check` is asked to look at, and which of its options and checks mean anything there."""

import argparse
import os
from typing import Literal

from smindex_plugins import urls
from smindex_plugins.catalogue import CATALOGUE, CHECKED, NEEDS
from smindex_plugins.checks import WAIVED_BY_SUBMISSION, Selection
from smindex_plugins.cli import arguments, output
from smindex_plugins.projects import BuiltSite, WrongOptionsError, find_site
from smindex_plugins.sitemaps import is_url, numbered, read_consents
from smindex_plugins.sites import Directory, Intent, Live, Sources
from smindex_plugins.text import did_you_mean, masked
from smindex_plugins.web import AT_ONCE

Run = Literal["directory", "file", "links", "live", "pages", "sources"]
"""What a run checks. The pages of a live site, and the sources and links of a directory, are asked for separately."""

_MET: dict[Run, set[str]] = {
    "directory": {"", "files", "site", "directory", "pages"},
    "file": {"", "files"},
    "live": {"", "site", "live"},
    "pages": {"pages", "answers"},
    "links": {"links"},
    "sources": {"sources"},
}
"""The needs of kinds that a run meets."""
_ALONE = "a single file is checked by itself. Name its directory, or leave the option out."
_COMPARED = "this option is for a live site. The pages of a directory are always compared with its files. Leave it out."
_NOT_ASKED = "this option is only for a live site. Leave it out."
_REQUESTS = {"--jobs": _NOT_ASKED, "--timeout": _NOT_ASKED, "--deadline": _NOT_ASKED}
_MEANINGLESS: dict[Run, dict[str, str]] = {
    "live": {
        "--site-url": "the address of a live site is the URL that is checked. Leave the option out.",
        "--index-filename": "for a live site, check the URL of the index itself.",
        "--links": "only a built directory's links are read: smindex check site --links.",
        "--sources": "only a built directory's dates are compared with git: smindex check site --sources DIRECTORY.",
    },
    "directory": {"--pages": _COMPARED, **_REQUESTS},
    "file": {"--pages": _ALONE, "--sources": _ALONE, "--links": _ALONE, "--index-filename": _ALONE, **_REQUESTS},
}
"""Options that change nothing, with what to do instead."""
_MOST_NAMED = 3
"""Checks that are named where they are not made; of more, their number is told."""


def runs(given: argparse.Namespace) -> frozenset[Run]:
    """Return what a check of the target is.

    Raises:
        WrongOptionsError: with the options that would do nothing.
    """
    if given.target == "":  # of a variable that is not set, as a rule
        raise WrongOptionsError(["the name of what to check is empty. Leave it out to check the project here."])
    target = given.target or ""
    kind: Run = "live" if is_url(target) else "file" if os.path.isfile(target) else "directory"
    flags = {flag: getattr(given, flag[2:].replace("-", "_")) for flag in _MEANINGLESS[kind]}
    problems = [f"{flag}: {_MEANINGLESS[kind][flag]}" for flag, value in flags.items() if value]
    empty = {"--sources": given.sources, "--index-filename": given.index_filename}
    problems += [f"{flag}: its value is empty." for flag, value in empty.items() if value == ""]
    if problems:
        raise WrongOptionsError(problems)
    more: dict[Run, bool] = {"pages": given.pages, "links": given.links, "sources": bool(given.sources)}
    return frozenset({kind, *(run for run, is_wanted in more.items() if is_wanted)})


def found_site(given: argparse.Namespace) -> BuiltSite | None:
    """Return the built site of the directory or the project that is named, or of the project here.

    Raises:
        WrongOptionsError: there is none.
    """
    target = given.target or ""
    if is_url(target) or os.path.isfile(target):
        return None
    if target.endswith((".xml", ".xml.gz", ".txt")) and not os.path.exists(target):
        raise WrongOptionsError([f"{target}: there is no such file. Build the site first."])
    if problem := _why_no_url(target):
        raise WrongOptionsError([problem])
    return find_site(given.target, site_url=given.site_url)


def _why_no_url(target: str) -> str:
    """Return what is wrong with the address of a live site that does not begin as one, or nothing."""
    scheme, is_url_like, rest = target.partition("://")
    host = target.partition("/")[0]
    if is_url_like:
        return f"{masked(target)}: a live site is not asked over {scheme}. Write {masked(f'https://{rest}')}."
    is_host = "." in host.strip(".") and host.rpartition(".")[2].isalpha()
    if is_host and not os.path.exists(host):
        return f"{target}: there is no such directory. If you mean a live site, write https://{target}."
    return ""


def subject(given: argparse.Namespace, site: BuiltSite | None, at_once: int = AT_ONCE) -> Directory | Live:
    """Return what is checked."""
    if is_url(given.target or ""):
        fetcher = arguments.fetcher(given, at_once)
        consents = arguments.consents(given, fetcher)
        return Live(url=urls.normalise(given.target), fetcher=fetcher, with_pages=given.pages, consents=consents)
    if site is None:
        return Directory(path=given.target, site_url=given.site_url or "", consents=arguments.consents(given))
    return directory(given, site)


def directory(given: argparse.Namespace, site: BuiltSite) -> Directory:
    """Return the directory of a built site as what is looked at."""
    there, name = os.listdir(site.directory), site.settings.index_filename
    index_filename = name if name in there or numbered(there, name) else ""
    consents = read_consents(site.settings.cross_site, site.beside)
    is_given = given.target and os.path.realpath(given.target) == os.path.realpath(site.directory)
    return Directory(
        path=given.target if is_given else os.path.relpath(site.directory),
        site_url=site.url,
        index_filename=given.index_filename or index_filename,
        sources=_sources(given.sources, site) if given.sources else None,
        with_links=given.links,
        consents=consents.joined(arguments.consents(given)),
        intent=Intent(
            why=site.why,
            settings_file=site.settings_file,
            problem=site.problem,
            has_filter=site.settings.filter is not None,
        ),
    )


def _sources(directory: str, site: BuiltSite) -> Sources:
    inside = os.path.join(os.path.realpath(directory), "")
    patterns = tuple(pattern for pattern in site.sources.patterns if os.path.realpath(pattern).startswith(inside))
    is_own = not site.configuration and os.path.join(os.path.realpath(site.directory), "").startswith(inside)
    built = site.directory if is_own else ""
    sources = Sources(directory=directory, patterns=patterns, built=built)
    if problem := sources.problem():
        raise WrongOptionsError([f"--sources {directory}: {problem}."])
    return sources


def selection(given: argparse.Namespace, made_of: frozenset[Run]) -> Selection:
    """Return the checks that are made.

    Raises:
        WrongOptionsError: with those that were asked for and can never be made, for then nothing would ever be wrong.
    """
    met = set().union(*(_MET[run] for run in made_of))
    never = {
        name: f"this check is only for {NEEDS[CHECKED[name].needs]}"
        for name in [*given.only, *given.ignore]
        if CHECKED[name].needs not in met
    }
    problems = [f"--only {name}: {never[name]}, so it would find nothing here." for name in given.only if name in never]
    wanted = set(given.only or CHECKED)
    if given.only and wanted <= set(given.ignore):
        problems.append("--ignore: it leaves none of the checks that --only asks for.")
    if problems:
        raise WrongOptionsError(problems)
    for name in given.ignore:
        if name in never:
            output.complain(f"--ignore {name}: {never[name]}, so there is nothing to ignore.")
    waived = WAIVED_BY_SUBMISSION if given.submitted else frozenset()
    return Selection(frozenset(wanted) - frozenset(given.ignore), waived)


def unseen(given: argparse.Namespace, made_of: frozenset[Run]) -> list[str]:
    """Return what the options leave out, in words for the end of the summary."""
    left_out = []
    if given.only:
        left_out.append(f"anything but {_named(set(given.only) - set(given.ignore))} (--only)")
    elif given.ignore:
        left_out.append(f"{_named(set(given.ignore))} (--ignore)")
    if "file" in made_of:
        left_out.append("the rest of the site (a single file was named)")
    if "live" in made_of and "pages" not in made_of:
        left_out.append("the pages themselves (--pages fetches them)")
    return left_out


def check_name(given: str) -> str:
    """Return the name of a check that `smindex check` makes.

    Raises:
        ValueError: there is none of that name.
    """
    if given in CHECKED:
        return given
    if given in CATALOGUE:
        message = f"{given!r} is found only by a build or a join, not by a check"
        raise ValueError(message)
    nearest = did_you_mean(given, CHECKED)
    hint = f"did you mean {nearest!r}?" if nearest else "`smindex checks` lists them"
    message = f"there is no check {given!r}; {hint}"
    raise ValueError(message)


def _named(names: set[str]) -> str:
    return ", ".join(sorted(names)) if len(names) <= _MOST_NAMED else f"{len(names):,} checks"
