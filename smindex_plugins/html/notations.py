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
            base = os.path.join(site.base, site.extensions[name].get("base_path", "."))
            yield _notation(pattern, [base], is_text=True)
    for name, pattern in _DATA.items():
        if name in site.plugins and not (name == _READER and "macros" in site.plugins):
            yield _notation(pattern, _places(name, site))


def places_of_tables(site: MarkdownSite) -> list[str]:
    """Return where templates look for tables before they look beside the page. Empty without the
    plugin for them.
    """
    return _places(_READER, site) if _READER in site.plugins else []


def described(output: str, uri: str, site: MarkdownSite) -> Iterator[Part]:
    """Yield the descriptions of APIs that the HTML of a page shows."""
    tags = {
        tag for name, tag in _TAGS.items() if f"<{tag}" in output and _is_processed(name, uri, site)
    }
    found = etree.HTML(f"<main>{output}</main>").iter(*tags) if tags else ()
    for source in filter(None, (element.get("src") for element in found)):
        root = (
            site.docs_dir
            if source.startswith("/")
            else os.path.join(site.docs_dir, os.path.dirname(uri))
        )
        parts = list(located(source, [root], path=unquote(urlsplit(source).path).lstrip("/")))
        yield from parts or [Unknown(NoDate.UNRESOLVED, other=source)]


def marks(site: MarkdownSite) -> tuple[str, ...]:
    """Return what the text of a page contains if its HTML describes an API."""
    return tuple(f"<{tag}" for name, tag in _TAGS.items() if name in site.plugins)


def _is_processed(name: str, uri: str, site: MarkdownSite) -> bool:
    if name not in site.plugins:
        return False
    names = site.plugins[name].get("filter_files")
    return not names or os.path.normpath(uri) in map(os.path.normpath, names)


def _places(name: str, site: MarkdownSite) -> list[str]:
    """Return where a plugin looks for files before it looks beside the page."""
    if name == _READER:
        data = site.plugins[name].get("data_path") or "."
        return [
            os.path.join(root, data) for root in (os.path.dirname(site.config_file), site.docs_dir)
        ]
    return [site.base] if name == "neoteroi.mkdocsoad" else []


def _notation(pattern: re.Pattern[str], places: list[str], *, is_text: bool = False) -> Tool:
    def find(page: str, _: str, text: str) -> Iterator[Part]:
        for match in pattern.finditer(text):
            parts = located(match["name"], [*places, *([] if is_text else [os.path.dirname(page)])])
            yield from map(_text, parts) if is_text else parts

    return find


def _text(part: Part) -> Part:
    return Text(part) if isinstance(part, str) else part


def located(name: str, places: Iterable[str], path: str = "") -> Iterator[Part]:
    """Yield the file in the first place that has it, and the files that a description of an API
    refers to.
    """
    if remote := downloaded(name):
        yield remote
        return
    candidates = (os.path.normpath(os.path.join(place, path or name)) for place in places)
    files = [*filter(os.path.isfile, candidates)][:1]
    for file in files:
        yield file
        if not file.lower().endswith((".json", ".yaml", ".yml")):
            return
        for reference in _REFERENCE.findall(read(file)):
            if remote := downloaded(reference):
                yield remote
            other = os.path.normpath(os.path.join(os.path.dirname(file), unquote(reference)))
            if os.path.isfile(other) and other not in files:
                files.append(other)
