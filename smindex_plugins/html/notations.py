"""Finds what Markdown pages show with tools that a notation describes: included files, tables,
descriptions of APIs.

Only the tools in the configuration are looked for, and each in the texts that it reads: most read
blocks of code too. A file that a tool does not find is not shown: the tool reports it.
"""

import os
import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote, urlsplit

from lxml import etree

from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.html.includes import Part, Text, Tool, downloaded, read
from smindex_plugins.html.markdown_site import MarkdownSite

_READER = "table-reader"
_INCLUDED = re.compile(r"(?<!\\)\{![+-]?>?\s*(?P<name>[^\s\[\]|!]+)")
_TEXTS = {"markdown_include.include": _INCLUDED, "mdx_include": _INCLUDED}
"""The notations of Markdown extensions that include text."""
_DATA = {
    "external-markdown": re.compile(r"""\{\{\s*external_markdown\(\s*["'](?P<name>.+?)["']"""),
    "neoteroi.mkdocsoad": re.compile(r"""\[OAD\(["']?(?P<name>[^)"']+)["']?\)\]"""),
    "render_swagger": re.compile(r"!!swagger(?:-http)? (?P<name>[^\s<>!]+)!!"),
    _READER: re.compile(
        r"""\{\{\s+read_\w+\((?:[^(){}]*?\bfilepath_or_buffer\s*=\s*)?["'](?P<name>.+?)["'].*?\)\s+\}\}""",
        re.IGNORECASE,
    ),
}
"""The notations of plugins that show data."""
_TAGS = {"redoc-tag": "redoc", "swagger-ui-tag": "swagger-ui"}
"""The HTML elements that plugins replace with the description of an API."""
_REFERENCE = re.compile(r"""\$ref["']?\s*:\s*["']?([^"'#\s,}]+)""")


def tools(site: MarkdownSite) -> Iterator[Tool]:
    """Yield what finds the parts of pages that the tools of a site show."""
    for name, pattern in _TEXTS.items():
        if name in site.extensions:
            base_path = site.extensions[name].get("base_path", ".")
            yield _text_notation(pattern, os.path.join(site.base, base_path))
    for name, pattern in _DATA.items():
        # with mkdocs-macros, templates read the tables
        if name not in site.plugins or (name == _READER and "macros" in site.plugins):
            continue
        yield _data_notation(pattern, _places(name, site))


def places_of_tables(site: MarkdownSite) -> list[str]:
    """Return where templates look for tables before they look beside the page. Empty without the
    plugin for them.
    """
    return _places(_READER, site) if _READER in site.plugins else []


def described(output: str, uri: str, site: MarkdownSite) -> Iterator[Part]:
    """Yield the descriptions of APIs that the HTML of a page shows."""
    tags = []
    for name, tag in _TAGS.items():
        if f"<{tag}" in output and _is_processed(name, uri, site):
            tags.append(tag)
    if not tags:
        return
    for element in etree.HTML(f"<main>{output}</main>").iter(*tags):
        source = element.get("src")
        if not source:
            continue
        root = site.docs_dir
        if not source.startswith("/"):
            root = os.path.join(root, os.path.dirname(uri))
        path = unquote(urlsplit(source).path).lstrip("/")
        parts = list(located(source, [root], path=path))
        yield from parts or [Unknown(NoDate.UNRESOLVED, other=source)]


def marks(site: MarkdownSite) -> tuple[str, ...]:
    """Return what the text of a page contains if its HTML describes an API."""
    return tuple(f"<{tag}" for name, tag in _TAGS.items() if name in site.plugins)


def _is_processed(name: str, uri: str, site: MarkdownSite) -> bool:
    if name not in site.plugins:
        return False
    only = site.plugins[name].get("filter_files")
    return not only or os.path.normpath(uri) in map(os.path.normpath, only)


def _places(name: str, site: MarkdownSite) -> list[str]:
    """Return where a plugin looks for files before it looks beside the page."""
    if name == _READER:
        data = site.plugins[name].get("data_path") or "."
        project = os.path.dirname(site.config_file)
        return [os.path.join(project, data), os.path.join(site.docs_dir, data)]
    return [site.base] if name == "neoteroi.mkdocsoad" else []


def _text_notation(pattern: re.Pattern[str], base: str) -> Tool:
    def find(_page: str, _file: str, text: str) -> Iterator[Part]:
        for match in pattern.finditer(text):
            for part in located(match["name"], [base]):
                yield Text(part) if isinstance(part, str) else part

    return find


def _data_notation(pattern: re.Pattern[str], places: list[str]) -> Tool:
    def find(page: str, _: str, text: str) -> Iterator[Part]:
        for match in pattern.finditer(text):
            yield from located(match["name"], [*places, os.path.dirname(page)])

    return find


def located(name: str, places: Iterable[str], path: str = "") -> Iterator[Part]:
    """Yield the file in the first place that has it, and what its description of an API uses."""
    remote = downloaded(name)
    if remote:
        yield remote
        return
    files: list[str] = []
    for place in places:
        candidate = os.path.normpath(os.path.join(place, path or name))
        if os.path.isfile(candidate):
            files.append(candidate)
            break
    for file in files:
        yield file
        if not file.lower().endswith((".json", ".yaml", ".yml")):
            return
        for reference in _REFERENCE.findall(read(file)):
            remote = downloaded(reference)
            if remote:
                yield remote
            beside = os.path.dirname(file)
            other = os.path.normpath(os.path.join(beside, unquote(reference)))
            if os.path.isfile(other) and other not in files:
                files.append(other)
