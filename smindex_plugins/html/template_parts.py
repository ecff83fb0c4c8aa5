"""Finds what the templates of mkdocs-macros show, without rendering them."""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, meta, nodes

from smindex_plugins.base.proof import Reason, Unknown
from smindex_plugins.html.includes import Part
from smindex_plugins.html.markdown_site import MarkdownSite
from smindex_plugins.html.notations import located, places_of_tables

CHANGES_WITH_OTHER_PAGES = frozenset({"files", "git", "navigation"})
"""The variables with the other pages, or with the last commit."""
ITS_OWN = frozenset({"config", "environment", "extra", "filters", "filters_builtin", "macros", "page", "plugin"})
"""The other variables of the tool. They say nothing about one page."""
_INCLUDE_MARKDOWN = re.compile(r"""\{%-?\s*include(?:-markdown)?\s+["'].*?%\}""", re.DOTALL)
"""A directive of include-markdown, which is no valid template."""
READS_TABLE = re.compile(r"(?:pd_)?read_\w+")
"""The names of the functions that read a table."""


class TemplateParts(ABC):
    """What finds the parts of templates. Where names come from is known by the tool, or by the files of a project."""

    invalid: Sequence[Part] = ()
    """What a text shows that is not a valid template."""

    def __init__(self, site: MarkdownSite, environment: Environment, *, includes_before: bool) -> None:
        self._site = site
        self._environment = environment
        self._includes_before = includes_before
        """Whether include-markdown replaces its directives before the templates are rendered."""
        self._given = cache(self.given)
        self._tables = places_of_tables(site)

    @abstractmethod
    def given(self, page: str) -> Mapping[str, Any] | Unknown | None:
        """Return the variables in the front matter of a page, None if it is no template, or why that is unknown."""

    @abstractmethod
    def template(self, name: str) -> Iterable[Part]:
        """Yield the file of a template. A page can include it only if it exists."""

    @abstractmethod
    def variable(self, name: str) -> Iterable[Part]:
        """Yield where a variable or a function comes from."""

    @abstractmethod
    def filter(self, name: str) -> Iterable[Part]:
        """Yield where a filter comes from."""

    def find(self, page: str, _: str, text: str) -> Iterator[Part]:
        """Yield what a text shows as a template."""
        starts = (self._environment.variable_start_string, self._environment.block_start_string)
        above = self._given(page) if any(start in text for start in starts) else None
        if above is None:
            return
        if isinstance(above, Unknown):
            yield above
            return
        try:
            yield from self._parts(page, text, above)
        except Exception:  # noqa: BLE001 - the tool reports the mistake in the template
            yield from self.invalid

    def _parts(self, page: str, text: str, above: Mapping[str, Any]) -> Iterator[Part]:
        tree = self._environment.parse(_INCLUDE_MARKDOWN.sub("", text) if self._includes_before else text)
        for name in meta.find_referenced_templates(tree):
            yield from [Unknown(Reason.TEMPLATE)] if name is None else self.template(name)
        for name in sorted({each.name for each in tree.find_all(nodes.Filter)}):
            yield from self.filter(name)
        functions = {each.name for each in tree.find_all(nodes.Name)} & self._environment.globals.keys()
        for name in sorted((meta.find_undeclared_variables(tree) | functions) - above.keys()):
            yield from [Unknown(Reason.TEMPLATE)] if name in CHANGES_WITH_OTHER_PAGES else self.variable(name)
        for call in tree.find_all(nodes.Call) if self._tables else ():
            yield from _table(call, [*self._tables, os.path.dirname(page)])


def _table(call: nodes.Call, places: Sequence[str]) -> Iterable[Part]:
    """Return the file that a template reads as a table."""
    if not (isinstance(call.node, nodes.Name) and READS_TABLE.fullmatch(call.node.name)):
        return ()
    named = (each.value for each in call.kwargs if each.key == "filepath_or_buffer")
    file = next(iter([*call.args, *named]), None)
    return located(file.value, places) if isinstance(file, nodes.Const) else [Unknown(Reason.TEMPLATE)]
