"""Finds what a template of mkdocs-macros shows, without rendering it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jinja2 import Environment, meta, nodes

from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.html.includes import Part
from smindex_plugins.html.notations import located

ITS_OWN = frozenset(
    {"config", "environment", "extra", "filters", "filters_builtin", "macros", "page", "plugin"}
)
"""The variables of the tool that say nothing about one page."""
READS_TABLE = re.compile(r"(?:pd_)?read_\w+")
"""The names of the functions that read a table."""
_CHANGES_WITH_OTHER_PAGES = frozenset({"files", "git", "navigation"})
"""The variables with the other pages, or with the last commit."""
_INCLUDE_MARKDOWN = re.compile(r"""\{%-?\s*include(?:-markdown)?\s+["'].*?%\}""", re.DOTALL)
"""A directive of include-markdown, which isn't a valid template."""
_Find = Callable[[str], Iterable[Part]]


class Origins(NamedTuple):
    """Finds where the names in templates come from: as the running tool knows, or as the files of a
    project show.
    """

    template: _Find
    variable: _Find
    """For functions too."""
    filter: _Find


def without_directives(text: str) -> str:
    """Return a text after include-markdown has replaced its directives."""
    return _INCLUDE_MARKDOWN.sub("", text)


def template_parts(
    text: str,
    environment: Environment,
    known: Mapping[str, object],
    origins: Origins,
    tables: Sequence[str],
) -> Iterator[Part]:
    """Yield what a template shows.

    Args:
        text: the template.
        environment: its syntax, functions and filters.
        known: the variables in the front matter of the page.
        origins: where the other names come from.
        tables: where the template looks for tables. Empty if it can't read any.

    Raises:
        Exception: it is not a valid template.
    """
    tree = environment.parse(text)
    for template in meta.find_referenced_templates(tree):
        if template is None:  # its name is computed
            yield Unknown(NoDate.TEMPLATE)
        else:
            yield from origins.template(template)
    for name in sorted({node.name for node in tree.find_all(nodes.Filter)}):
        yield from origins.filter(name)
    functions = {node.name for node in tree.find_all(nodes.Name)} & environment.globals.keys()
    variables = meta.find_undeclared_variables(tree) | functions
    for name in sorted(variables - known.keys()):
        if name in _CHANGES_WITH_OTHER_PAGES:
            yield Unknown(NoDate.TEMPLATE)
        else:
            yield from origins.variable(name)
    if tables:
        for call in tree.find_all(nodes.Call):
            yield from _table(call, tables)


def _table(call: nodes.Call, places: Sequence[str]) -> Iterable[Part]:
    """Return the file that a template reads as a table."""
    if not isinstance(call.node, nodes.Name) or not READS_TABLE.fullmatch(call.node.name):
        return ()
    named = [each.value for each in call.kwargs if each.key == "filepath_or_buffer"]
    files = [*call.args, *named]
    if not files:
        return [Unknown(NoDate.TEMPLATE)]
    file = files[0]
    if isinstance(file, nodes.Const):
        return located(file.value, places)
    return [Unknown(NoDate.TEMPLATE)]
