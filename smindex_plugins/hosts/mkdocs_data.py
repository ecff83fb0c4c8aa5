"""Finds what templates of mkdocs-macros show in MkDocs, and passes on the configuration of the other tools."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import yaml
from mkdocs.plugins import BasePlugin
from mkdocs.utils import meta

from smindex_plugins.hosts._python import file_of
from smindex_plugins.html import notations
from smindex_plugins.html.includes import Part, Text, Tool, read
from smindex_plugins.html.markdown_site import MarkdownSite
from smindex_plugins.html.template_parts import ITS_OWN, TemplateParts

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


def markdown_site(config: "MkDocsConfig") -> MarkdownSite:
    """Return the tools of a site and their options."""
    names = (name for name in config.markdown_extensions if isinstance(name, str))  # plugins add objects
    return MarkdownSite(
        docs_dir=config.docs_dir,
        config_file=config.config_file_path or "",
        base=os.getcwd(),
        plugins={name: each.config for name, each in config.plugins.items() if isinstance(each, BasePlugin)},
        extensions={name: config.mdx_configs.get(name) or {} for name in names},
        extra=config.extra,
    )


def tools(site: MarkdownSite, config: "MkDocsConfig") -> Iterator[Tool]:
    """Yield what finds the parts of pages that the tools of a site show."""
    yield from notations.tools(site)
    if "macros" in config.plugins:
        yield _Macros(site, config.plugins["macros"]).find


class _Macros(TemplateParts):
    """What finds the parts of templates with the variables, functions and templates of the running plugin."""

    def __init__(self, site: MarkdownSite, plugin: Any) -> None:  # noqa: ANN401 - only sites with the plugin have its types
        names = list(site.plugins)
        super().__init__(site, plugin.env, includes_before="include-markdown" in names[: names.index("macros")])
        self._plugin = plugin

    def given(self, page: str) -> Mapping[str, Any] | None:
        """Return the variables in the front matter of a page, or None if it is not a template."""
        above: Mapping[str, Any] = meta.get_data(read(page))[1]
        is_template = above.get("render_macros")
        if is_template is None:
            name = os.path.relpath(page, self._site.docs_dir)
            is_template = self._plugin.config["render_by_default"] or self._plugin.force_page_rendering(name)
        return above if is_template else None

    def template(self, name: str) -> Iterator[Part]:
        """Yield the file of a template."""
        loader: Any = self._environment.loader
        with suppress(Exception):  # a page can include a template only if it exists
            yield Text(os.path.abspath(loader.get_source(self._environment, name)[1]))

    def variable(self, name: str) -> Iterator[Part]:
        """Yield where a variable or a function comes from. The configuration of the site counts for no page."""
        if name in self._plugin.macros:
            yield from filter(None, [file_of(self._plugin.macros[name])])
        if name in ITS_OWN or name in self._site.extra:
            return
        if name in self._loaded:
            yield from self._loaded[name]
        elif name in self._plugin.variables:  # set by the module of the site
            module = os.path.join(self._plugin.project_dir, self._plugin.config["module_name"])
            yield from filter(os.path.isfile, (f"{module}.py", os.path.join(module, "__init__.py")))

    def filter(self, name: str) -> Iterator[Part]:
        """Yield the file of a filter."""
        if name in self._plugin.filters:
            yield from filter(None, [file_of(self._plugin.filters[name])])

    @cached_property
    def _loaded(self) -> Mapping[str, list[str]]:
        """The files of `include_yaml` by the variables that they define."""
        found = defaultdict(list)
        for entry in self._plugin.config["include_yaml"]:
            ((key, name),) = entry.items() if isinstance(entry, dict) else ((None, entry),)
            file = os.path.join(self._plugin.project_dir, name)
            if os.path.isfile(file):
                for variable in [key] if key is not None else yaml.safe_load(read(file)):
                    found[variable].append(file)
        return found
