"""The new URLs of lost pages whose sources git shows to have moved, and the redirects to add."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from smindex_plugins import urls
from smindex_plugins.files import is_html, read
from smindex_plugins.history import moved_files
from smindex_plugins.model import Page
from smindex_plugins.projects.pages import BuiltSite, File

_DATE = re.compile(r"\d{4}-\d\d-\d\d-")


def renames(site: BuiltSite, lost: Iterable[str], base: str) -> tuple[Mapping[str, tuple[str, str]], list[str]]:
    """Return the new URL of each lost URL whose source was moved, with the redirect to add, in words.

    ``base`` is the URL that serves the site. The second value is what git could not tell. The source of a lost URL is
    the one whose path ends as the URL does, below a directory where that is so for pages that the site has now.
    """
    site = replace(site, url=base)
    places = {os.path.dirname(pattern.partition("{")[0]) for pattern in site.sources.patterns}
    moved, notes = moved_files(places or {site.directory})
    pages: dict[str, File] = {}
    roots: set[str] = set()
    for file in site.files() if moved else ():
        end = _stem(file.path)
        for source in map(os.path.realpath, file.sources):
            pages.setdefault(source, file)
            if (stem := _stem(source)).endswith(f"/{end}"):
                roots.add(stem.removesuffix(end))
    sources = defaultdict[str, list[str]](list)
    for old in moved:
        for root in roots:
            if (stem := _stem(old)).startswith(root):
                sources[stem.removeprefix(root)].append(old)
    found: dict[str, tuple[str, str]] = {}
    for url in lost:
        is_here = urls.is_within(url, base) and "?" not in url
        path = urls.file_path(urls.relative_path(url, base)) if is_here else None
        candidates = sources.get(_stem(path), ()) if path is not None else ()
        if len(candidates) != 1:
            continue
        old, new = candidates[0], moved[candidates[0]]
        page = site.judge(site.page(pages[new])) if new in pages else None
        if isinstance(page, Page) and page.url != url:
            found[url] = page.url, _redirect(site, url, page.url, old, new)
    return found, notes


def redirect_line(url: str, to: str) -> str:
    """Return a line of `_redirects`."""
    return f"{urls.path(url)} {urls.path(to)} 301"


def _stem(path: str) -> str:
    """Return what the path of a page, of its source and of its URL have in common, with a slash at its end."""
    path = path.replace(os.sep, "/")
    if is_html(path) or os.path.isabs(path):
        path = os.path.splitext(path)[0]
    parts = path.split("/")
    if parts[-1] in {"", "index", "_index", "README"}:
        parts.pop()
    return "".join(f"{part}/" for part in [*parts[:-1], *(_DATE.sub("", part, count=1) for part in parts[-1:])])


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
        match host.command.split()[0]:
            case "mkdocs" | "properdocs" if suffix in {".md", ".markdown"}:
                one, other = (each.replace("'", "''") for each in (one, other))
                name, line = f"redirect_maps in {os.path.relpath(host.file)}", f"'{one}': '{other}'"
            case "make":
                name, line = f"rediraffe_redirects in {os.path.relpath(host.file)}", f'"{one}": "{other}"'
            case "pelican":
                name, line = now, f":alias: {alias}" if now.endswith(".rst") else f"Alias: {alias}"
            case "hugo":
                name, line = now, f'aliases = ["{alias}"]' if read(new, 3) == b"+++" else f'aliases: ["{alias}"]'
    return f"{before} is now {now}; add to {name}: {line}"
