"""Advice if a site can't be built: the command to run, and where to set what is missing."""

import glob
import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from smindex_plugins.base import urls
from smindex_plugins.base.files import is_inside
from smindex_plugins.base.text import did_you_mean
from smindex_plugins.html.page import read_head
from smindex_plugins.projects._configuration import Configuration, around
from smindex_plugins.projects._generators import GENERATORS
from smindex_plugins.projects._own_sitemap import OwnSitemap
from smindex_plugins.reading.entry_points import INDEX_NAMES

_EXAMPLE = "https://example.org/"

_NO_SITES = frozenset({"coverage", "htmlcov", "lcov-report", "node_modules", "templates"})
"""Names of directories that can contain an index.html, but no site: reports of tests, packages and
templates."""


def no_directory(command: str, site_url: str) -> str:
    """Return the problem that no directory is known, with a command for a likely built site.

    ``site_url`` is the given address, or an empty string.
    """
    problem = "no directory given, and no supported generator configuration found here."
    built = built_here()
    if built:
        return f"{problem} Run {_to_run(command, built, site_url, has_address=False)}"
    fix = "Run the command where the configuration is, or name the directory of the built site"
    address = shlex.quote(site_url or _EXAMPLE)
    return f"{problem} {fix}: `{_call(command, 'DIR')} --site-url {address}`."


def why_unusable(
    directory: str,
    named_in: str,
    configuration: Configuration | None,
    command: str,
    site_url: str,
) -> str:
    """Return why a directory without a home page is not a built site and how to fix this.

    Empty if it may be one. ``site_url`` is the given address, or an empty string.
    """
    if os.path.isfile(directory):
        return "it is a file. Name the directory that holds the built site."
    if not os.path.isdir(directory) and named_in:
        place = f"the output according to {named_in}"
        if configuration and not configuration.generator.options[2]:
            place = f"the usual output of {configuration.generator.name}"
        advice = how_to_build(configuration)
        built = built_here()
        if built:
            has_address = configuration is not None and bool(configuration.site_url)
            advice += f" Or run {_to_run(command, built, site_url, has_address=has_address)}"
        return f"there is no such directory, {place}. {advice}"
    if not os.path.isdir(directory):
        beside = {path.name: os.path.relpath(path) for path in Path(directory).parent.glob("*/")}
        near = did_you_mean(os.path.basename(directory), beside)
        advice = how_to_build(None)
        if near:
            advice = f"Did you mean {beside[near]}?"
        return f"there is no such directory. {advice}"
    for each in around(directory):
        if not each.content or is_inside(directory, each.output):
            continue
        if is_inside(directory, each.content):
            file = os.path.relpath(each.file)
            output = os.path.relpath(each.output)
            return (
                f"it is the source directory of {file}, whose site is built into {output}. Run"
                f" `{each.generator.command}`, and then name {output}, or no directory."
            )
    return ""


def no_address(configuration: Configuration | None, target: str | None, directory: str) -> str:
    """Return where to set the address of a site."""
    command = f"smindex build {shlex.quote(target)}" if target else "smindex build"
    flag = f"or run `{command} --site-url https://example.org/` with your own address."
    fix = "Add site_url to [tool.smindex] in pyproject.toml"
    if configuration:
        file = os.path.relpath(configuration.file)
        if not configuration.output:
            return f"{configuration.where}: {configuration.problem}. Correct it, {flag}"
        generator = configuration.generator
        if generator.address:
            fix = (
                f"Set {generator.address} in {file} to a full URL (one that is computed does not"
                " count)"
            )
        elif generator.address_in_code:
            fix = f"Set {generator.address_in_code} in {file} and build the site again"
    hosts = OwnSitemap(directory=directory).hosts
    return f"can't determine the site's URL, which sitemaps require.{hosts} {fix}, {flag}"


def how_to_build(configuration: Configuration | None) -> str:
    """Return what to run before this command."""
    if configuration:
        return f"Run `{configuration.generator.command}` first."
    return "Build the site first, or name the directory it is built into."


def built_here() -> list[str]:
    """Return the directories that look like built sites.

    They are the usual output directories, or any others if there are none. An index.html beside a
    package.json is the source of a page, unless an index of sitemaps is there too.
    """
    outputs: dict[str, None] = {}
    for generator in GENERATORS:
        outputs |= dict.fromkeys(generator.outputs)
    below = (*sorted(glob.glob("*/")), *sorted(glob.glob("*/*/")))
    places = [place for place in below if _NO_SITES.isdisjoint(place.split(os.sep))]
    known = list(outputs)
    for place in places:
        known += [place + output for output in outputs]
    if has_index(".") or not os.path.isfile("package.json"):
        known.append(".")
    for paths in (known, places):
        found = []
        for path in paths:
            home = os.path.join(path, "index.html")
            if os.path.isfile(home):
                found.append(os.path.normpath(path))
        starts = tuple(path + os.sep for path in found)
        outermost = [path for path in dict.fromkeys(found) if not path.startswith(starts)]
        if outermost:
            return outermost
    return []


def has_index(directory: str) -> bool:
    """Whether an earlier build wrote its index into a directory."""
    return os.path.isfile(os.path.join(directory, INDEX_NAMES[0]))


def address_in(directory: str) -> tuple[str, str]:
    """Return the address that a built site itself gives, and the file that gives it.

    They are empty strings if none does.
    """
    with suppress(OSError):
        home = read_head(os.path.join(directory, "index.html"), urls.NO_ADDRESS)
        canonical = home.canonical or ""
        address = canonical.removesuffix("index.html")
        if address.endswith("/"):
            return address, "the canonical URL of index.html"
    return OwnSitemap(directory=directory).address


def _call(command: str, directory: str) -> str:
    call = f"smindex {command} {directory}"
    return f"{call} PAGE" if command == "explain" else call


def _to_run(command: str, built: Sequence[str], site_url: str, *, has_address: bool) -> str:
    """Return a command to copy for the first built site, with the given address.

    A check finds the address in the sitemaps.
    """
    first = built[0]
    if not site_url and command == "build" and not has_address and not address_in(first)[0]:
        site_url = _EXAMPLE
    url = ""
    if site_url:
        url = f" --site-url {shlex.quote(site_url)}"
    others = ""
    if len(built) > 1:
        names = ", ".join(built[1:4])
        others = f" Other directories with one: {names}."
    run = f"`{_call(command, shlex.quote(first))}{url}`"
    return f"{run}, because {first} has an index.html.{others}"
