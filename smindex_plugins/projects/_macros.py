"""Finds where the names in templates of mkdocs-macros and Zensical come from.

No code of a project is run. What only that code can tell is not known.
"""

import ast
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from jinja2 import Environment
from jinja2.filters import FILTERS

from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.base.yaml_values import load_yaml
from smindex_plugins.html import front_matter
from smindex_plugins.html.includes import Part, Text, read
from smindex_plugins.html.markdown_site import MarkdownSite
from smindex_plugins.html.notations import places_of_tables
from smindex_plugins.html.template_parts import (
    ITS_OWN,
    READS_TABLE,
    Origins,
    template_parts,
    without_directives,
)

_DELIMITERS = (
    "block_start_string",
    "block_end_string",
    "variable_start_string",
    "variable_end_string",
    "comment_start_string",
    "comment_end_string",
)
_FUNCTIONS = frozenset({"context", "macros_info", "now"})
_FILTERS = frozenset(
    {"add_indentation", "convert_to_md_table", "fix_url", "pretty", "relative_url"}
)
"""The functions and filters of the tool itself."""
_UNKNOWN = Unknown(NoDate.TEMPLATE)


class ProjectTemplates:
    """Finds what the templates of a project show."""

    def __init__(self, site: MarkdownSite) -> None:
        options = site.plugins["macros"]
        project = os.path.dirname(site.config_file)
        delimiters = {}
        for name in _DELIMITERS:
            text = options.get(f"j2_{name}")
            if text and isinstance(text, str):
                delimiters[name] = text
        self._environment = Environment(autoescape=True)  # never renders anything
        with suppress(AssertionError):  # two of them are the same, so that nothing is rendered
            self._environment = Environment(autoescape=True, **delimiters)  # type: ignore[arg-type]
        names = list(site.plugins)
        before = names[: names.index("macros")]
        self._includes_before = "include-markdown" in before
        self._tables = places_of_tables(site)
        self._extra = site.extra
        self._options = options
        self._templates = os.path.join(project, options.get("include_dir", site.docs_dir))
        self._data = dict(_data(options.get("include_yaml"), project))
        module = options.get("module_name", "main")
        self._modules = _Modules(project, module, options.get("modules", ()))

    def find(self, page: str, _: str, text: str) -> Iterator[Part]:
        """Yield what a text shows as a template."""
        environment = self._environment
        if (
            environment.variable_start_string not in text
            and environment.block_start_string not in text
        ):
            return
        above = self._given(page)
        if above is None:
            return
        if isinstance(above, Unknown):
            yield above
            return
        if self._includes_before:
            text = without_directives(text)
        origins = Origins(self._template, self._variable, self._filter)
        places = [*self._tables, os.path.dirname(page)]
        try:
            yield from template_parts(text, environment, above, origins, places)
        except Exception:  # noqa: BLE001 - it may be valid with the extensions of the project
            yield _UNKNOWN

    def _given(self, page: str) -> Mapping[str, object] | Unknown | None:
        """Return the variables in the front matter of a page, or why they are unknown.

        None if the page isn't a template.
        """
        above = front_matter.read(page).meta or {}
        is_template = above.get("render_macros")
        if is_template is None:
            is_template = self._options.get("render_by_default", True)
            if not is_template and self._options.get("force_render_paths"):
                return _UNKNOWN
        if not is_template:
            return None
        return _UNKNOWN if "include_yaml" in above else above

    def _template(self, name: str) -> Iterator[Part]:
        """Yield the file of a template. A page can include it only if it exists."""
        parts = name.split("/")
        path = os.path.join(self._templates, *parts)
        if ".." not in parts and os.path.isfile(path):
            yield Text(path)

    def _variable(self, name: str) -> Iterable[Part]:
        """Return where a variable or a function comes from.

        The configuration of the site counts for no page.
        """
        is_own = name in ITS_OWN or name in _FUNCTIONS or name in self._environment.globals
        if is_own or name in self._extra or READS_TABLE.fullmatch(name):
            return ()
        return self._data.get(name) or self._modules.defining(name)

    def _filter(self, name: str) -> Iterable[Part]:
        """Return the files of a filter."""
        # jinja2 tells the variables only if it knows the filters.
        self._environment.filters.setdefault(name, str)
        if name in FILTERS or name in _FILTERS:
            return ()
        return self._modules.defining(name)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _data(given: object, project: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the variables of `include_yaml`, each with its file."""
    for key, name in _entries(given):
        file = os.path.join(project, _text(name))
        if not os.path.isfile(file):
            continue
        variables: object = [key]
        if key is None:
            with suppress(InvalidTextError):
                variables = load_yaml(read(file))
        if isinstance(variables, list | dict):
            for variable in variables:
                if isinstance(variable, str):
                    yield variable, [file]


def _entries(given: object) -> Iterator[tuple[object, object]]:
    """Yield the entries of `include_yaml`: a variable, or None for all in a file, and the file."""
    if isinstance(given, dict):
        yield from given.items()
    elif isinstance(given, list):
        for entry in given:
            if isinstance(entry, dict):
                yield from entry.items()
            elif isinstance(entry, tuple):
                yield entry
            else:
                yield None, entry


class _Module(NamedTuple):
    """A Python file of the project."""

    defined: frozenset[str]
    """The functions and classes that it defines."""
    mentioned: frozenset[str]
    """The names and texts in it."""
    imported: tuple[str, ...]
    """The names of the modules that it may import, with dots."""


class _Modules:
    """The Python files of a project that define names for templates, and what they import."""

    def __init__(self, project: str, name: str, pluglets: Sequence[str]) -> None:
        self._found: dict[str, _Module] = {}
        own = _file_of_module(name, project)
        others = {pluglet: _file_of_module(pluglet, project) for pluglet in pluglets}
        self._is_complete = all(others.values()) and bool(own or name == "main")
        """Whether all of them are files of the project."""
        waiting = list(filter(None, (own, *others.values())))
        for file in waiting:
            module = _read_module(file)
            if module is None:
                self._is_complete = False
                continue
            self._found[file] = module
            beside = os.path.dirname(file)
            for imported in module.imported:
                path = _file_of_module(imported, beside) or _file_of_module(imported, project)
                if path and path not in waiting:
                    waiting.append(path)

    def defining(self, name: str) -> Iterable[Part]:
        """Return the files that define a name. A name that they can only compute is unknown."""
        exact = [file for file, module in self._found.items() if name in module.defined]
        if exact:
            return exact
        if any(name in module.mentioned for module in self._found.values()):
            return list(self._found)
        if self._is_complete and not self._found:
            return []
        return [_UNKNOWN]


def _file_of_module(name: str, directory: str) -> str:
    """Return the file of a module in a directory, or an empty string."""
    path = os.path.join(directory, *name.split("."))
    for file in (f"{path}.py", os.path.join(path, "__init__.py")):
        if os.path.isfile(file):
            return file
    return ""


def _read_module(file: str) -> _Module | None:
    """Return what a Python file defines and imports, or None if it can't be read."""
    try:
        nodes = list(ast.walk(ast.parse(read(file))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    defined: set[str] = set()
    mentioned: set[str] = set()
    imported: list[str] = []
    for node in nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                defined.add(node.name)
            case ast.Import():
                imported += [alias.name for alias in node.names]
            case ast.ImportFrom():
                start = f"{node.module}." if node.module else ""
                imported += filter(None, [node.module])
                imported += [start + alias.name for alias in node.names]
            case ast.Name():
                mentioned.add(node.id)
            case ast.Attribute():
                mentioned.add(node.attr)
            case ast.keyword() if node.arg:
                mentioned.add(node.arg)
            case ast.Constant() if isinstance(node.value, str):
                mentioned.add(node.value)
    return _Module(frozenset(defined), frozenset(mentioned), tuple(imported))
