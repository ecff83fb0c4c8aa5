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


def no_directory(command: str) -> str:
    """Return the problem that no directory is known, with a command for what looks like a built
    site.
    """
    problem = "no directory is named, and no configuration of a generator that it knows is here."
    if built := built_here():
        return f"{problem} Run {_to_run(command, built, has_address=False)}"
    fix = "Run the command where the configuration is, or name the directory of the built site"
    return f"{problem} {fix}: `smindex {command} DIR --site-url https://example.org/`."


def why_unusable(
    directory: str, named_in: str, configuration: Configuration | None, command: str
) -> str:
    """Return why a directory without a home page is not a built site and how to fix this, or an
    empty string.
    """
    if os.path.isfile(directory):
        return "it is a file. Name the directory that holds the built site."
    if not os.path.isdir(directory) and named_in:
        place, built = f"the output according to {named_in}", built_here()
        if configuration and not configuration.generator.options[2]:
            place = f"the usual output of {configuration.generator.name}"
        has_address = bool(configuration and configuration.site_url)
        advice = f" Or run {_to_run(command, built, has_address=has_address)}" if built else ""
        return f"there is no such directory, {place}. {how_to_build(configuration)}{advice}"
    if not os.path.isdir(directory):
        beside = {path.name: os.path.relpath(path) for path in Path(directory).parent.glob("*/")}
        near = did_you_mean(os.path.basename(directory), beside)
        return (
            "there is no such directory."
            f" {f'Did you mean {beside[near]}?' if near else how_to_build(None)}"
        )
    for each in around(directory):
        if (
            each.content
            and is_inside(directory, each.content)
            and not is_inside(directory, each.output)
        ):
            output = os.path.relpath(each.output)
            problem = (
                f"it is the source directory of {os.path.relpath(each.file)}, whose site is built"
                f" into {output}."
            )
            return (
                f"{problem} Run `{each.generator.command}`, and then name {output}, or no"
                " directory."
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
        if configuration.generator.address:
            fix = (
                f"Set {configuration.generator.address} in {file} to a full URL (one that is"
                " computed does not count)"
            )
    hosts = OwnSitemap(directory=directory).hosts
    return (
        f"nothing says at which address the site is served, but sitemaps need full URLs.{hosts}"
        f" {fix}, {flag}"
    )


def address_option(configuration: Configuration | None) -> str:
    """Return the option of a generator that sets the address of the site, with its file, or an
    empty string.
    """
    option = configuration and (
        configuration.generator.address or configuration.generator.address_in_code
    )
    return f"{os.path.relpath(configuration.file)}: {option}" if configuration and option else ""


def how_to_build(configuration: Configuration | None) -> str:
    """Return what to run before this command."""
    if configuration:
        return f"Run `{configuration.generator.command}` first."
    return "Build the site first, or name the directory it is built into."


def built_here() -> list[str]:
    """Return the directories that look like built sites: the usual output directories, or any
    others if there are none.

    An index.html beside a package.json is the source of a page, unless an index of sitemaps is
    there too.
    """
    outputs = dict.fromkeys(output for generator in GENERATORS for output in generator.outputs)
    places = [
        place
        for each in ("*/", "*/*/")
        for place in sorted(glob.glob(each))
        if "node_modules" not in place
    ]
    known = [place + output for place in ("", *places) for output in outputs]
    known += ["."] if has_index(".") or not os.path.isfile("package.json") else []
    for paths in (known, places):
        found = [
            os.path.normpath(path)
            for path in paths
            if os.path.isfile(os.path.join(path, "index.html"))
        ]
        found = [
            path
            for path in dict.fromkeys(found)
            if not any(path.startswith(f"{each}{os.sep}") for each in found)
        ]
        if found:
            return found
    return []


def has_index(directory: str) -> bool:
    """Whether an earlier build wrote its index into a directory."""
    return os.path.isfile(os.path.join(directory, INDEX_NAMES[0]))


def address_in(directory: str) -> tuple[str, str]:
    """Return the address of a built site according to its own files, and the file that gives it, or
    empty strings.
    """
    with suppress(OSError):
        home = read_head(os.path.join(directory, "index.html"), urls.NO_ADDRESS)
        canonical = (home.canonical or "").removesuffix("index.html")
        if canonical.endswith("/"):
            return canonical, "the canonical URL of index.html"
    return OwnSitemap(directory=directory).address


def _to_run(command: str, built: Sequence[str], *, has_address: bool) -> str:
    """Return a command to copy for the first built site.

    A check finds the address in the sitemaps.
    """
    is_known = has_address or command != "build" or address_in(built[0])[0]
    url = "" if is_known else " --site-url https://example.org/"
    others = f" Other directories with one: {', '.join(built[1:4])}." if built[1:] else ""
    return (
        f"`smindex {command} {shlex.quote(built[0])}{url}`, because {built[0]} has an"
        f" index.html.{others}"
    )
