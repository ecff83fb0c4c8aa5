"""Finds the new URLs of lost pages whose sources moved in git, and the redirects to add."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    """Return the new URL of each lost URL whose source was moved, and the redirect in words.

    ``base`` is the URL that serves the site. The second value is what git could not tell. The
    source of a lost URL is the moved file at which a page at this URL would have it, whatever date
    its name begins with. If there were several, one after the other, it is the newest, and all of
    them have to be the same file now.
    """
    site = replace(site, url=base)
    patterns = []
    roots = set()
    for pattern in site.sources.patterns or [os.path.join(site.directory, "{path}.html")]:
        root = root_of(pattern)
        real = os.path.realpath(root)
        roots.add(os.path.join(real, ""))
        patterns.append(real + pattern.removeprefix(root))
    moved, notes = moved_files(roots)
    if not moved:
        return {}, notes
    sources = defaultdict[str, set[tuple[int, str]]](set)
    for rank, old in enumerate(moved):
        sources[_key(old)].add((rank, old))
    url_of = record.url_built_from if record else _guess(site)
    found: dict[str, tuple[str, str]] = {}
    for url in lost:
        olds: set[tuple[int, str]] = set()
        for place in _places(site, patterns, url):
            key = _key(os.path.normpath(place))
            olds.update(sources.get(key, ()))
        files_now = {moved[old] for _, old in olds}
        if len(files_now) != 1:
            continue
        _, newest = min(olds)
        to = url_of(moved[newest])
        if to and to != url:
            found[url] = to, _redirect(site, url, to, newest, moved[newest])
    return found, notes


def _places(site: BuiltSite, patterns: Sequence[str], url: str) -> Iterator[str]:
    """Yield where the source of the page at a URL of the site would be."""
    if "?" in url or not urls.is_within(url, site.url):
        return
    path = urls.file_path(urls.relative_path(url, site.url))
    if path is None:
        return
    for name in urls.answering_files(path):
        for pattern in patterns:
            yield from site.sources.candidates(pattern, name)


def _guess(site: BuiltSite) -> Callable[[str], str]:
    """Return the function that gives the URL of the page that is probably built from a source.

    It gives an empty string if there is none.
    """
    made_from = cache(site.made_from)  # it lists the whole directory

    def url_of(source: str) -> str:
        files = made_from().get(source)
        if not files:
            return ""
        page = site.page(site.file(files[0]))
        return page.url

    return url_of


def redirect_line(url: str, to: str) -> str:
    """Return a line of `_redirects` for two URLs of the site, in which nothing is a placeholder."""
    return f"{_literal(url)} {_literal(to)} 301"


def _literal(url: str) -> str:
    return urls.path(url).replace(":", "%3A").replace("*", "%2A")


def _key(path: str) -> str:
    """Return a path without the date before its name, and in lower case, as Hugo writes URLs."""
    directory, name = os.path.split(path)
    undated = _DATE.sub("", name)
    return os.path.join(directory, undated).lower()


def _redirect(site: BuiltSite, url: str, to: str, old: str, new: str) -> str:
    """Return the redirect to add, in the format of the generator of the site, and where."""
    here = os.path.realpath(".")
    before = os.path.relpath(old, here)
    now = os.path.relpath(new, here)
    name = "_redirects"
    line = redirect_line(url, to)
    host = site.configuration
    if host:
        file = os.path.relpath(host.file)
        content = os.path.realpath(host.content or os.path.dirname(host.file))
        one = os.path.relpath(old, content).replace(os.sep, "/")
        other = os.path.relpath(new, content).replace(os.sep, "/")
        path = urls.file_path(urls.relative_path(url, site.url))
        alias = f"/{path}"
        _, suffix = os.path.splitext(old)
        match host.generator.name:
            case "MkDocs" | "ProperDocs" | "Zensical" if suffix in {".md", ".markdown"}:
                name = f"redirect_maps in {file}"
                line = f"{_in_yaml(one)}: {_in_yaml(other)}"
                if host.file.endswith(".toml"):
                    line = f"{_quoted(one)} = {_quoted(other)}"
            case "Sphinx" if host.redirects:
                name = os.path.relpath(host.redirects)
                line = f"{_quoted(one)} {_quoted(other)}"
            case "Sphinx":
                name = f"rediraffe_redirects in {file}"
                line = f"{_quoted(one)}: {_quoted(other)}"
            case "Pelican":
                name = now
                line = f"Alias: {alias}"
                if now.endswith(".rst"):
                    line = f":alias: {alias}"
            case "Hugo":
                name = now
                sign = " =" if read(new, 3) == b"+++" else ":"
                line = f"aliases{sign} [{_quoted(alias)}]"
    return f"{before} is now {now}; add to {name}: {line}"


def _quoted(text: str) -> str:
    """Return a string as Python, TOML, YAML and JSON write it."""
    return json.dumps(text, ensure_ascii=False)


def _in_yaml(text: str) -> str:
    """Return a string in the single quotes of YAML."""
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
