"""Finds what templates of mkdocs-macros show, and passes on the options of the other tools."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml
from mkdocs.plugins import BasePlugin
from mkdocs.utils import meta

from smindex_plugins.hosts._python import file_of
from smindex_plugins.html import notations
from smindex_plugins.html.includes import Part, Text, Tool, read
from smindex_plugins.html.markdown_site import MarkdownSite
from smindex_plugins.html.template_parts import ITS_OWN, Origins, template_parts, without_directives

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


def markdown_site(config: "MkDocsConfig") -> MarkdownSite:
    """Return the tools of a site and their options."""
    plugins = {}
    for name, plugin in config.plugins.items():
        if isinstance(plugin, BasePlugin):
            plugins[name] = plugin.config
    extensions = {}
    for name in config.markdown_extensions:
        if isinstance(name, str):  # plugins add objects
            extensions[name] = config.mdx_configs.get(name) or {}
    return MarkdownSite(
        docs_dir=config.docs_dir,
        config_file=config.config_file_path or "",
        base=os.getcwd(),
        plugins=plugins,
        extensions=extensions,
        extra=config.extra,
    )


def tools(site: MarkdownSite, config: "MkDocsConfig") -> Iterator[Tool]:
    """Yield what finds the parts of pages that the tools of a site show."""
    yield from notations.tools(site)
    if "macros" in config.plugins:
        yield _macros(site, config.plugins["macros"])


def _macros(site: MarkdownSite, plugin: Any) -> Tool:  # noqa: ANN401 - only sites with the plugin have its types
    """Return mkdocs-macros with its variables, functions and templates, but render nothing."""
    environment = plugin.env
    starts = (environment.variable_start_string, environment.block_start_string)
    tables = notations.places_of_tables(site)
    given = cache(lambda page: _given(page, site, plugin))
    loaded = cache(lambda: _loaded(plugin))
    names = list(site.plugins)
    includes_before = "include-markdown" in names[: names.index("macros")]

    def template(name: str) -> Iterator[Part]:
        with suppress(Exception):  # a page can include a template only if it exists
            _, file, _ = environment.loader.get_source(environment, name)
            yield Text(os.path.abspath(file))

    def variable(name: str) -> Iterator[Part]:
        """Yield where a name comes from. The configuration of the site counts for no page."""
        yield from _code(plugin.macros.get(name))
        if name in ITS_OWN or name in site.extra:
            return
        if name in loaded():
            yield from loaded()[name]
        elif name in plugin.variables:  # set by the module of the site
            module = os.path.join(plugin.project_dir, plugin.config["module_name"])
            package = os.path.join(module, "__init__.py")
            yield from filter(os.path.isfile, (f"{module}.py", package))

    origins = Origins(template, variable, lambda name: _code(plugin.filters.get(name)))

    def find(page: str, _: str, text: str) -> Iterator[Part]:
        has_code = any(start in text for start in starts)
        above = given(page) if has_code else None
        if above is None:
            return
        places = [*tables, os.path.dirname(page)] if tables else []
        if includes_before:
            text = without_directives(text)
        with suppress(Exception):  # the plugin reports the mistake in the template
            yield from template_parts(text, environment, above, origins, places)

    return find


def _given(page: str, site: MarkdownSite, plugin: Any) -> Mapping[str, Any] | None:  # noqa: ANN401 - as above
    """Return the variables in the front matter of a page, or None if it is not a template."""
    above: Mapping[str, Any] = meta.get_data(read(page))[1]
    by_default = plugin.config["render_by_default"]
    is_template = above.get("render_macros")
    if is_template is None and by_default:
        return above
    if is_template is None:
        uri = os.path.relpath(page, site.docs_dir)
        is_template = plugin.force_page_rendering(uri)
    return above if is_template else None


def _code(thing: object) -> Iterator[str]:
    if thing:
        file = file_of(thing)
        if file:
            yield file


def _loaded(plugin: Any) -> Mapping[str, list[str]]:  # noqa: ANN401 - only sites with the plugin have its types
    """Return the files of `include_yaml` by the variables that they define."""
    found = defaultdict(list)
    for entry in plugin.config["include_yaml"]:
        key, name = None, entry
        if isinstance(entry, dict):
            ((key, name),) = entry.items()
        file = os.path.join(plugin.project_dir, name)
        if os.path.isfile(file):
            variables = yaml.safe_load(read(file)) if key is None else [key]
            for variable in variables:
                found[variable].append(file)
    return found
