"""Finds what pages of MkDocs show with other tools: included files, tables, descriptions of APIs,
and templates.

Only the tools in the configuration are looked for, and each in the texts that it reads: most read
blocks of code too. A file that a tool does not find is not shown: the tool reports it.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import yaml
from jinja2 import meta as templates
from jinja2 import nodes
from lxml import etree
from mkdocs.utils import meta

from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.hosts._python import file_of
from smindex_plugins.html.includes import Part, Text, Tool, downloaded, read

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

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
_CHANGES_WITH_OTHER_PAGES = frozenset({"files", "git", "navigation"})
"""The variables of mkdocs-macros with the other pages, or with the last commit."""
_ITS_OWN = frozenset(
    {"config", "environment", "extra", "filters", "filters_builtin", "macros", "page", "plugin"}
)
"""The other variables of mkdocs-macros."""
_BEFORE_TEMPLATES = re.compile(r"""\{%-?\s*include(?:-markdown)?\s+["'].*?%\}""", re.DOTALL)
"""A directive of include-markdown, which is no valid template."""
_READS_TABLE = re.compile(r"(?:pd_)?read_\w+")


def tools(config: "MkDocsConfig") -> Iterator[Tool]:
    """Yield what finds the parts of pages that the tools of a site show."""
    for name, pattern in _TEXTS.items():
        if name in config.markdown_extensions:
            base = (config.mdx_configs.get(name) or {}).get("base_path", ".")
            yield _notation(pattern, [os.path.abspath(base)], is_text=True)
    for name, pattern in _DATA.items():
        if name in config.plugins and not (name == _READER and "macros" in config.plugins):
            yield _notation(pattern, _places(name, config))
    if "macros" in config.plugins:
        yield _macros(config)


def described(output: str, uri: str, config: "MkDocsConfig") -> Iterator[Part]:
    """Yield the descriptions of APIs that the HTML of a page shows."""
    tags = {
        tag
        for name, tag in _TAGS.items()
        if f"<{tag}" in output and _is_processed(config.plugins.get(name), uri)
    }
    found = etree.HTML(f"<main>{output}</main>").iter(*tags) if tags else ()
    for source in filter(None, (element.get("src") for element in found)):
        root = (
            config.docs_dir
            if source.startswith("/")
            else os.path.join(config.docs_dir, os.path.dirname(uri))
        )
        parts = list(_located(source, [root], path=unquote(urlsplit(source).path).lstrip("/")))
        yield from parts or [Unknown(NoDate.UNRESOLVED, other=source)]


def marks(config: "MkDocsConfig") -> tuple[str, ...]:
    """Return what the text of a page contains if its HTML describes an API."""
    return tuple(f"<{tag}" for name, tag in _TAGS.items() if name in config.plugins)


def _is_processed(plugin: Any, uri: str) -> bool:  # noqa: ANN401 - only sites with the plugins have their types
    names = plugin.config.get("filter_files") if plugin else ()
    return plugin is not None and (
        not names or os.path.normpath(uri) in map(os.path.normpath, names)
    )


def _places(name: str, config: "MkDocsConfig") -> list[str]:
    """Return where a plugin looks for files before it looks beside the page."""
    if name == _READER:
        data = config.plugins[name].config.get("data_path") or "."
        return [
            os.path.join(root, data)
            for root in (os.path.dirname(config.config_file_path or ""), config.docs_dir)
        ]
    return [os.getcwd()] if name == "neoteroi.mkdocsoad" else []


def _notation(pattern: re.Pattern[str], places: list[str], *, is_text: bool = False) -> Tool:
    def find(page: str, _: str, text: str) -> Iterator[Part]:
        for match in pattern.finditer(text):
            parts = _located(
                match["name"], [*places, *([] if is_text else [os.path.dirname(page)])]
            )
            yield from map(_text, parts) if is_text else parts

    return find


def _text(part: Part) -> Part:
    return Text(part) if isinstance(part, str) else part


def _located(name: str, places: Iterable[str], path: str = "") -> Iterator[Part]:
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


def _macros(config: "MkDocsConfig") -> Tool:
    """Return mkdocs-macros with its variables, functions and templates, but without rendering
    anything.
    """
    plugin: Any = config.plugins["macros"]
    environment = plugin.env
    starts = (environment.variable_start_string, environment.block_start_string)
    tables = _places(_READER, config) if _READER in config.plugins else []
    loaded = cache(lambda: _loaded(plugin))
    names = list(config.plugins)
    includes_before = "include-markdown" in names[: names.index("macros")]

    @cache
    def given(page: str) -> Mapping[str, Any] | None:
        """Return the variables in the front matter of a page, or None if it is not a template."""
        above: Mapping[str, Any] = meta.get_data(read(page))[1]
        by_default = plugin.config["render_by_default"]
        is_template = above.get("render_macros")
        if is_template is None:
            is_template = by_default or plugin.force_page_rendering(
                os.path.relpath(page, config.docs_dir)
            )
        return above if is_template else None

    def find(page: str, _: str, text: str) -> Iterator[Part]:
        above = given(page) if any(start in text for start in starts) else None
        if above is None:
            return
        with suppress(Exception):  # the plugin reports the mistake in the template
            tree = environment.parse(_BEFORE_TEMPLATES.sub("", text) if includes_before else text)
            for template in templates.find_referenced_templates(tree):
                yield from _template(template, environment)
            for name in sorted(templates.find_undeclared_variables(tree) - above.keys()):
                yield from _variable(name, plugin, loaded(), config)
            used = [plugin.macros.get(each.name) for each in tree.find_all(nodes.Name)]
            used += [plugin.filters.get(each.name) for each in tree.find_all(nodes.Filter)]
            yield from filter(None, map(file_of, filter(None, used)))
            for call in tree.find_all(nodes.Call) if tables else ():
                yield from _table(call, [*tables, os.path.dirname(page)])

    return find


def _template(name: str | None, environment: Any) -> Iterator[Part]:  # noqa: ANN401 - jinja2's loaders differ
    """Yield a template, or the reason if its name is computed."""
    if name is None:
        yield Unknown(NoDate.TEMPLATE)
        return
    with suppress(Exception):  # a page can include a template only if it exists
        yield Text(os.path.abspath(environment.loader.get_source(environment, name)[1]))


def _variable(
    name: str,
    plugin: Any,  # noqa: ANN401 - only sites with the plugin have its types
    loaded: Mapping[str, list[str]],
    config: "MkDocsConfig",
) -> Iterator[Part]:
    """Yield where a variable of a template comes from.

    The configuration of the site counts for no page.
    """
    if name in _CHANGES_WITH_OTHER_PAGES:
        yield Unknown(NoDate.TEMPLATE)
    elif name in _ITS_OWN or name in config.extra:
        return
    elif name in loaded:
        yield from loaded[name]
    elif name in plugin.variables:  # set by the module of the site
        module = os.path.join(plugin.project_dir, plugin.config["module_name"])
        yield from filter(os.path.isfile, (f"{module}.py", os.path.join(module, "__init__.py")))


def _loaded(plugin: Any) -> Mapping[str, list[str]]:  # noqa: ANN401 - only sites with the plugin have its types
    """Return the files of `include_yaml` by the variables that they define."""
    found = defaultdict(list)
    for entry in plugin.config["include_yaml"]:
        ((key, name),) = entry.items() if isinstance(entry, dict) else ((None, entry),)
        file = os.path.join(plugin.project_dir, name)
        if os.path.isfile(file):
            for variable in [key] if key is not None else yaml.safe_load(read(file)):
                found[variable].append(file)
    return found


def _table(call: nodes.Call, places: list[str]) -> Iterator[Part]:
    """Yield the file that a template reads as a table."""
    if isinstance(call.node, nodes.Name) and _READS_TABLE.fullmatch(call.node.name):
        named = (each.value for each in call.kwargs if each.key == "filepath_or_buffer")
        file = next(iter([*call.args, *named]), None)
        yield from (
            _located(file.value, places)
            if isinstance(file, nodes.Const)
            else [Unknown(NoDate.TEMPLATE)]
        )
