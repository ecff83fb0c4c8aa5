"""Finds what templates of mkdocs-macros show in MkDocs, and passes on the configuration of the
other tools.
"""

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
    names = (
        name for name in config.markdown_extensions if isinstance(name, str)
    )  # plugins add objects
    return MarkdownSite(
        docs_dir=config.docs_dir,
        config_file=config.config_file_path or "",
        base=os.getcwd(),
        plugins={
            name: each.config
            for name, each in config.plugins.items()
            if isinstance(each, BasePlugin)
        },
        extensions={name: config.mdx_configs.get(name) or {} for name in names},
        extra=config.extra,
    )


def tools(site: MarkdownSite, config: "MkDocsConfig") -> Iterator[Tool]:
    """Yield what finds the parts of pages that the tools of a site show."""
    yield from notations.tools(site)
    if "macros" in config.plugins:
        yield _macros(site, config.plugins["macros"])


def _macros(site: MarkdownSite, plugin: Any) -> Tool:  # noqa: ANN401 - only sites with the plugin have its types
    """Return mkdocs-macros with its variables, functions and templates, but without rendering
    anything.
    """
    environment = plugin.env
    starts = (environment.variable_start_string, environment.block_start_string)
    tables = notations.places_of_tables(site)
    loaded = cache(lambda: _loaded(plugin))
    names = list(site.plugins)
    includes_before = "include-markdown" in names[: names.index("macros")]

    @cache
    def given(page: str) -> Mapping[str, Any] | None:
        """Return the variables in the front matter of a page, or None if it is not a template."""
        above: Mapping[str, Any] = meta.get_data(read(page))[1]
        by_default = plugin.config["render_by_default"]
        is_template = above.get("render_macros")
        if is_template is None:
            is_template = by_default or plugin.force_page_rendering(
                os.path.relpath(page, site.docs_dir)
            )
        return above if is_template else None

    def template(name: str) -> Iterator[Part]:
        with suppress(Exception):  # a page can include a template only if it exists
            yield Text(os.path.abspath(environment.loader.get_source(environment, name)[1]))

    def variable(name: str) -> Iterator[Part]:
        """Yield where a name comes from. The configuration of the site counts for no page."""
        yield from _code(plugin.macros.get(name))
        if name in ITS_OWN or name in site.extra:
            return
        if name in loaded():
            yield from loaded()[name]
        elif name in plugin.variables:  # set by the module of the site
            module = os.path.join(plugin.project_dir, plugin.config["module_name"])
            yield from filter(os.path.isfile, (f"{module}.py", os.path.join(module, "__init__.py")))

    origins = Origins(template, variable, lambda name: _code(plugin.filters.get(name)))

    def find(page: str, _: str, text: str) -> Iterator[Part]:
        above = given(page) if any(start in text for start in starts) else None
        if above is not None:
            places = [*tables, os.path.dirname(page)] if tables else []
            text = without_directives(text) if includes_before else text
            with suppress(Exception):  # the plugin reports the mistake in the template
                yield from template_parts(text, environment, above, origins, places)

    return find


def _code(thing: object) -> Iterator[str]:
    yield from filter(None, [file_of(thing)] if thing else ())


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
