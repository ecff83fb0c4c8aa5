"""Detects which Pelican templates list articles. A new article changes the pages of these templates."""

import os
from collections.abc import Iterator
from typing import Any

from jinja2 import TemplateError, meta, nodes

from smindex_plugins.base.files import read_text

_ARTICLES = frozenset({"articles", "articles_page", "articles_paginator", "dates", "dates_page"})
_GROUPED = frozenset({"authors", "categories", "tags"})
"""Groups of articles. Base templates use them in menus."""


class Templates:
    """The templates of a theme by name, and the templates of the project by absolute path."""

    def __init__(self, generator: Any) -> None:  # noqa: ANN401 - Pelican ships no types
        self._env = generator.env
        self._suffixes = tuple(generator.settings["TEMPLATE_EXTENSIONS"])

    def file(self, name: str) -> str:
        """Return the file of a template, or an empty string if there is none."""
        return next((file for _, file in self._read(name)), "")

    def lists_articles(self, name: str) -> bool:
        """Whether a template, or a template that it extends or includes, uses the articles of the site.

        Returns True for templates that cannot be read or have a computed name.
        """
        waiting, known = [(name, False)], set[str]()
        try:
            while waiting:
                current, is_extended = waiting.pop()
                tree = self._env.parse(next(text for text, _ in self._read(current)))
                names = _ARTICLES if is_extended else _ARTICLES | _GROUPED
                if not names.isdisjoint(meta.find_undeclared_variables(tree)):
                    return True
                for node in tree.find_all((nodes.Extends, nodes.Include)):
                    used = node.template.as_const()
                    for each in [used] if isinstance(used, str) else used:
                        if each not in known:
                            known.add(each)
                            waiting.append((each, is_extended or isinstance(node, nodes.Extends)))
        except (TemplateError, nodes.Impossible, StopIteration, OSError):
            return True
        return False

    def _read(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the text and the file of a template, if there is one."""
        if os.path.isabs(name):
            yield read_text(name), name
        for each in [name + suffix for suffix in ("", *self._suffixes)]:
            if each in self._env.list_templates():
                text, file, _ = self._env.loader.get_source(self._env, each)
                yield text, file or ""
