"""Detects which articles and pages Pelican templates list.

A new one changes the pages of these templates.
"""

import os
from collections.abc import Iterator
from typing import Any

from jinja2 import TemplateError, meta, nodes

from smindex_plugins.base.files import read_text
from smindex_plugins.hosts._jinja import shows_data

_ARTICLES = dict.fromkeys(
    ("articles", "articles_page", "articles_paginator", "dates", "dates_page"), "articles"
)
_IN_MENUS = dict.fromkeys(("authors", "categories", "tags"), "articles")
_OTHERS = ("pages", "hidden_pages", "draft_pages", "hidden_articles", "drafts", "period_archives")
_IN_MENUS |= dict(zip(_OTHERS, _OTHERS, strict=True))
"""Variables that base templates use in menus, so they count only outside base templates."""
LISTS = frozenset({*_ARTICLES.values(), *_IN_MENUS.values()})
"""The variables of a template context that hold all articles or pages that a template can list."""


class Templates:
    """The templates of a theme by name, and the templates of the project by absolute path."""

    def __init__(self, generator: Any) -> None:  # noqa: ANN401 - Pelican ships no types
        self._env = generator.env
        self._context = generator.context
        self._suffixes = tuple(generator.settings["TEMPLATE_EXTENSIONS"])

    def file(self, name: str) -> str:
        """Return the absolute path of a template, or an empty string if there is none."""
        for _, file in self._read(name):
            return file
        return ""

    def lists(self, name: str) -> frozenset[str]:
        """Return which `LISTS` a template, or one that it extends, includes or imports, uses.

        Templates that can't be read or have a computed name count as lists of articles.
        """
        found: set[str] = set()
        waiting = [(name, False)]
        known = {*waiting}
        while waiting:
            current, is_extended = waiting.pop()
            lists = _ARTICLES if is_extended else _ARTICLES | _IN_MENUS
            try:
                text, _ = next(self._read(current))
                tree = self._shown(text)
                variables = meta.find_undeclared_variables(tree)
                found |= {lists[variable] for variable in variables & lists.keys()}
                for used, extends in _used(tree):
                    after = (used, is_extended or extends)
                    if after not in known:
                        waiting.append(after)
                        known.add(after)
            except (TemplateError, nodes.Impossible, StopIteration, OSError):
                found.add("articles")
        return frozenset(found)

    def shows_data(self, file: str) -> bool:
        """Whether a template itself, not its base, shows the items of a setting or a variable."""
        return shows_data(read_text(file, "replace"), self._env)

    def _shown(self, text: str) -> nodes.Template:
        """Parse a template without the branches that an ``if`` on a setting or a list hides.

        For example, Pelican's default theme lists pages on the home page only if there are no
        articles.
        """
        tree: nodes.Template = self._env.parse(text)
        assigned = {node.name for node in tree.find_all(nodes.Name) if node.ctx != "load"}
        given = self._context.keys() - assigned
        for node in list(tree.find_all(nodes.If)):
            if not isinstance(node.test, nodes.Name) or node.test.name not in given:
                continue
            if self._context[node.test.name]:
                node.elif_ = []
                node.else_ = []
            else:
                node.body = []
        return tree

    def _read(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the text and the file of a template, if there is one."""
        if os.path.isabs(name):
            yield read_text(name), name
        for suffix in ("", *self._suffixes):
            if name + suffix not in self._env.list_templates():
                continue
            text, file, _ = self._env.loader.get_source(self._env, name + suffix)
            # The directories in THEME_TEMPLATES_OVERRIDES can be relative to the current
            # directory.
            yield text, os.path.abspath(file) if file else ""


def _used(tree: nodes.Template) -> Iterator[tuple[str, bool]]:
    """Yield the names of the templates that a template uses, and whether it extends them."""
    node: Any
    for node in tree.find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        if not getattr(node, "with_context", True):  # it can't see these variables
            continue
        names = node.template.as_const()
        for name in [names] if isinstance(names, str) else names:
            yield name, isinstance(node, nodes.Extends)
