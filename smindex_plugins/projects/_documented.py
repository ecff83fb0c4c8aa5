"""Finds the modules that pages of MkDocs or Zensical document, without importing them."""

import glob
import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.html.documented import HANDLER, files_of, ids
from smindex_plugins.html.includes import Part, read
from smindex_plugins.html.markdown_site import MarkdownSite

CODE = re.compile(
    r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1[`~]*[ \t]*$|<!--.*?-->", re.DOTALL | re.MULTILINE
)
"""A block of code, or a comment."""
_BLOCK = re.compile(
    r"^(?P<before>(?:[ \t>]|[-*+] |\d+\. )*)(?:#{1,6} *)?"
    r"::: ?(?P<name>\S.*?)[ \t]*$(?P<options>(?:\n.*\S.*)*)",
    re.MULTILINE,
)
_MARKUP = re.compile(r"<[^>]*>")
_MKDOCSTRINGS, _PYTHON = "mkdocstrings", "python"
_OTHERS = ("mkdocs-click", "mkautodoc")
"""The Markdown extensions that import what they document."""


class _Block(NamedTuple):
    identifier: str
    handler: str
    """Empty for the default one."""
    is_certain: bool
    """Whether it is not in another block, which may be one of code."""


class Modules:
    """The modules that the pages of a site document. Each package is read once, by griffe."""

    def __init__(self, site: MarkdownSite) -> None:
        self._options = site.plugins.get(_MKDOCSTRINGS, {})
        self._project = os.path.dirname(site.config_file)
        self._is_read = _MKDOCSTRINGS in site.plugins
        """Whether the blocks are those of mkdocstrings. Other tools import what they document."""
        self.is_used = self._is_read or not site.extensions.keys().isdisjoint(_OTHERS)
        """Whether the site documents modules."""
        self._loaded: set[str] = set()

    def documented(self, page: str, text: str, included: str) -> list[tuple[str, Sequence[Part]]]:
        """Return what the blocks of a page show, each with its files, or why these are unknown.

        Args:
            page: the rendered file.
            text: the text of its source.
            included: the texts that the source includes.
        """
        own = list(_blocks(text))
        others = list(_blocks(included))
        if not own and not others:
            return []
        html = read(page)
        shown = ids(html)
        visible = _MARKUP.sub("", html)
        rendered = [block for block in own if block.is_certain]
        for block in (*own, *others):
            if _is_rendered(block.identifier, shown, visible):
                rendered.append(block)
        once = dict.fromkeys(rendered)
        return [(block.identifier, self._files(block, shown)) for block in once]

    def _files(self, block: _Block, shown: frozenset[str]) -> Sequence[Part]:
        """Return the files of what a block shows."""
        if not self._is_read:
            return [Unknown(NoDate.TEMPLATE)]
        handler = block.handler or self._options.get("default_handler") or _PYTHON
        collect = _collect_nothing
        if handler == _PYTHON:
            collect = self._collect
        files = list(files_of(block.identifier, self._project, shown, collect))
        if not files and handler == _PYTHON and not find_spec("griffe"):
            return [Unknown(NoDate.NOT_INSTALLED, other="griffe")]
        return files

    def _collect(self, identifier: str) -> Any:  # noqa: ANN401 - griffe may be missing
        """Return what griffe reads about an object. It imports nothing."""
        package, _, _ = identifier.partition(".")
        if package not in self._loaded:
            self._loaded.add(package)
            self._loader.load(package, try_relative_path=False)
            self._loader.resolve_aliases(implicit=False, external=False)
        return self._loader.modules_collection[identifier]

    @cached_property
    def _loader(self) -> Any:  # noqa: ANN401 - griffe may be missing
        # The generator has shown its warnings.
        logging.getLogger("griffe").addHandler(logging.NullHandler())
        griffe = import_module("griffe")
        places = [*self._paths(), *sys.path]
        return griffe.GriffeLoader(search_paths=places, allow_inspection=False)

    def _paths(self) -> Iterator[str]:
        """Yield the directories of packages, which are relative to the configuration."""
        options: Any = self._options
        for key in ("handlers", _PYTHON, "paths"):
            options = options.get(key) if isinstance(options, dict) else None
        found = []
        if isinstance(options, list):
            for pattern in options:
                if isinstance(pattern, str):
                    found += sorted(glob.glob(pattern, root_dir=self._project))
        for path in found or [""]:
            yield os.path.join(self._project, path)


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the blocks in a text without blocks of code."""
    for match in _BLOCK.finditer(CODE.sub("", text)):
        found = HANDLER.search(match["options"])
        handler = found[1] if found else ""
        yield _Block(match["name"], handler, is_certain=not match["before"])


def _is_rendered(identifier: str, shown: frozenset[str], visible: str) -> bool:
    """Whether a page shows the documentation of an object, and not, as an example, its block."""
    if identifier in shown:
        return True
    return not re.search(rf":::\s*{re.escape(identifier)}", visible)


def _collect_nothing(identifier: str) -> Any:  # noqa: ANN401 - never returns
    raise LookupError(identifier)
