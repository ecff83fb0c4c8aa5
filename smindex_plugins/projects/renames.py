"""Finds the new URLs of lost pages whose sources moved in git, and the redirects to add."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache

from smindex_plugins.base import urls
from smindex_plugins.base.files import read
from smindex_plugins.history.renames import moved_files
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.projects.sources import root_of
from smindex_plugins.record.find import Record

_DATE = re.compile(r"\A[\d?]{4}-[\d?]{2}-[\d?]{2}-")


def renames(
    site: BuiltSite, record: Record | None, lost: Iterable[str], base: str
) -> tuple[Mapping[str, tuple[str, str]], list[str]]:
    """Return the new URL of each lost URL whose source was moved, with the redirect to add, in
    words.

    ``base`` is the URL that serves the site. The second value is what git could not tell. The
    source of a lost URL is the moved file at which a page at this URL would have it, whatever date
    its name begins with. If there were several, one after the other, it is the newest, and all of
    them have to be the same file now.
    """
    site, patterns, roots = replace(site, url=base), [], set()
    for pattern in site.sources.patterns or [os.path.join(site.directory, "{path}.html")]:
        root = root_of(pattern)
        roots.add(os.path.join(os.path.realpath(root), ""))
        patterns.append(os.path.realpath(root) + pattern.removeprefix(root))
    moved, notes = moved_files(roots)
    sources = defaultdict[str, set[tuple[int, str]]](set)
    for rank, old in enumerate(moved):
        sources[_key(old)].add((rank, old))
    url_of = record.url_built_from if record else _guess(site)
    found: dict[str, tuple[str, str]] = {}
    for url in lost if moved else ():
        is_here = urls.is_within(url, base) and "?" not in url
        path = urls.file_path(urls.relative_path(url, base)) if is_here else None
        names = urls.answering_files(path) if path is not None else ()
        places = (
            place
            for name in names
            for pattern in patterns
            for place in site.sources.candidates(pattern, name)
        )
        olds = set[tuple[int, str]]().union(
            *(sources.get(_key(os.path.normpath(place)), ()) for place in places)
        )
        if len({moved[old] for _, old in olds}) == 1:
            _, old = min(olds)
            to = url_of(moved[old])
            if to and to != url:
                found[url] = to, _redirect(site, url, to, old, moved[old])
    return found, notes


def _guess(site: BuiltSite) -> Callable[[str], str]:
    """Return the function that gives the URL of the page that is probably built from a source, or
    an empty string.
    """
    made_from = cache(site.made_from)  # it lists the whole directory

    def url_of(source: str) -> str:
        file = next(iter(made_from().get(source, ())), None)
        return site.page(site.file(file)).url if file else ""

    return url_of


def redirect_line(url: str, to: str) -> str:
    """Return a line of `_redirects` for two URLs of the site, in which nothing is a placeholder."""
    source, target = (urls.path(each).replace(":", "%3A").replace("*", "%2A") for each in (url, to))
    return f"{source} {target} 301"


def _key(path: str) -> str:
    """Return a path without the date before its name, and in lower case, as Hugo writes URLs."""
    directory, name = os.path.split(path)
    return os.path.join(directory, _DATE.sub("", name)).lower()


def _redirect(site: BuiltSite, url: str, to: str, old: str, new: str) -> str:
    """Return the redirect to add, in the format of the generator of the site, and where."""
    here = os.path.realpath(".")
    before, now = os.path.relpath(old, here), os.path.relpath(new, here)
    name, line = "_redirects", redirect_line(url, to)
    if host := site.configuration:
        content = os.path.realpath(host.content or os.path.dirname(host.file))
        one, other = (os.path.relpath(path, content).replace(os.sep, "/") for path in (old, new))
        alias = f"/{urls.file_path(urls.relative_path(url, site.url))}"
        suffix = os.path.splitext(old)[1]
        match host.generator.name:
            case "MkDocs" | "ProperDocs" | "Zensical" if suffix in {".md", ".markdown"}:
                name = f"redirect_maps in {os.path.relpath(host.file)}"
                if host.file.endswith(".toml"):
                    line = f"{_quoted(one)} = {_quoted(other)}"
                else:
                    one, other = (each.replace("'", "''") for each in (one, other))
                    line = f"'{one}': '{other}'"
            case "Sphinx" if host.redirects:
                name, line = os.path.relpath(host.redirects), f"{_quoted(one)} {_quoted(other)}"
            case "Sphinx":
                name, line = (
                    f"rediraffe_redirects in {os.path.relpath(host.file)}",
                    f"{_quoted(one)}: {_quoted(other)}",
                )
            case "Pelican":
                name, line = now, f":alias: {alias}" if now.endswith(".rst") else f"Alias: {alias}"
            case "Hugo":
                sign = " =" if read(new, 3) == b"+++" else ":"
                name, line = now, f"aliases{sign} [{_quoted(alias)}]"
    return f"{before} is now {now}; add to {name}: {line}"


def _quoted(text: str) -> str:
    """Return a string as Python, TOML, YAML and JSON write it."""
    return json.dumps(text, ensure_ascii=False)
