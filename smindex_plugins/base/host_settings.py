"""Reads the settings of hosts: TOML, and JSON with or without comments.

Says for which output each file is.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from smindex_plugins.base.files import is_inside, read_text
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.toml_and_json import load_json, load_toml

_STRING = r'("(?:\\.?|[^"\\])*+(?:"|\Z))'
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LAST_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
"""What JSON with comments has more than JSON. Strings, which are matched first, are kept."""


def nearest(name: str, directories: list[str]) -> str | None:
    """Return the path of the first file with a name in an output directory or those above it.

    A file that names another directory as its output belongs to another site.
    """
    for directory in directories:
        path = os.path.join(directory, name)
        if os.path.isfile(path) and is_for_output(path, directories[0]):
            return path
    return None


def is_for_output(path: str, output: str) -> bool:
    """Whether a file of settings is for an output: it names that, a directory above it, or none."""
    settings = read_settings(path)
    directory = os.path.dirname(path)
    named: list[object] = []
    match os.path.basename(path).partition(".")[0]:
        case "netlify":
            build = below(settings, "build")
            base = str(build.get("base", "")).strip("/")
            publish = build.get("publish")
            if isinstance(publish, str):
                named = [os.path.join(base, publish.lstrip("/")), publish]
        case "vercel":
            named = [settings.get("outputDirectory")]
        case "wrangler":
            named = [
                below(settings, "assets").get("directory"),
                settings.get("pages_build_output_dir"),
            ]
        case "firebase":
            named = [site.get("public") for site in firebase_sites(settings)]
    places = []
    for each in named:
        if isinstance(each, str):
            places.append(os.path.join(directory, each.lstrip("/")))
    return not places or any(is_inside(output, place) for place in places)


def firebase_sites(settings: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the sites in the settings of Firebase Hosting."""
    hosting = settings.get("hosting")
    sites = hosting if isinstance(hosting, list) else [hosting]
    return [site for site in sites if isinstance(site, dict)]


def firebase_site(settings: Mapping[str, Any], directory: str, output: str) -> Mapping[str, Any]:
    """Return the site that is deployed from an output directory.

    It is empty if that is not known.
    """
    sites = firebase_sites(settings)
    if len(sites) == 1:
        return sites[0]
    for site in sites:
        public = site.get("public")
        if isinstance(public, str) and is_inside(output, os.path.join(directory, public)):
            return site
    return {}


def read_settings(path: str | None) -> Mapping[str, Any]:
    """Return the settings in a TOML or JSON file, or none if it can't be read."""
    if not path:
        return {}
    text = text_of(path)
    settings: object = None
    with suppress(InvalidTextError):
        settings = load_toml(text) if path.endswith(".toml") else load_json(_without_comments(text))
    if not isinstance(settings, dict):
        return {}
    return settings


def _without_comments(text: str) -> str:
    for more in (_COMMENT, _LAST_COMMA):
        text = more.sub(lambda found: found[1] or "", text)
    return text


def below(settings: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """Return the table at the end of some names, or an empty one."""
    for name in names:
        inner = settings.get(name)
        settings = inner if isinstance(inner, dict) else {}
    return settings


def text_of(path: str) -> str:
    """Return the text of a file, or an empty string if it can't be read."""
    with suppress(OSError):
        return read_text(path, "replace")
    return ""
