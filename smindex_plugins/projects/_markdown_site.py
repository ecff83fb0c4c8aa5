"""Reads from the configuration of a project which tools make its pages from Markdown."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from smindex_plugins.html.includes import SNIPPETS
from smindex_plugins.html.markdown_site import MarkdownSite
from smindex_plugins.projects._configuration import Configuration

_AS_EXTENSIONS = {
    "zensical.extensions.include_markdown": "include-markdown",
    "zensical.extensions.macros": "macros",
    "zensical.extensions.markdownextradata": "markdownextradata",
    "zensical.extensions.mkdocstrings": "mkdocstrings",
    "zensical.extensions.table_reader": "table-reader",
}
"""The Markdown extensions of Zensical, with the plugins that are another way to use them."""
_TYPES: Mapping[str, type] = {
    **dict.fromkeys(
        ("base_path", "data", "data_path", "default_handler", "encoding", "include_dir"), str
    ),
    **dict.fromkeys(("closing_tag", "module_name", "opening_tag"), str),
    **dict.fromkeys(("auto_append", "exclude", "filter_files", "modules"), list),
    **dict.fromkeys(("directives", "handlers"), dict),
    **dict.fromkeys(("restrict_base_path", "url_download"), bool),
}
"""The types of the options that are read."""
_OF_SNIPPETS = frozenset(
    {"auto_append", "base_path", "encoding", "restrict_base_path", "url_download"}
)
"""The options of snippets that are read. Versions of the extension differ in the others."""


def markdown_site(configuration: Configuration) -> MarkdownSite:
    """Return the tools of a project and their options."""
    project = configuration.project
    docs_dir = configuration.content or project
    extensions = {name: dict(_valid(options)) for name, options in configuration.extensions.items()}
    plugins = dict(_plugins(configuration))
    if "macros" in plugins:
        plugins.setdefault("table-reader", {})  # Zensical's templates can read tables without it
    base_path = configuration.extensions.get(SNIPPETS, {}).get("base_path") or ["."]
    if configuration.generator.name == "Zensical" and "include-markdown" in plugins:
        # It is always the first.
        plugins = {"include-markdown": plugins["include-markdown"], **plugins}
        if SNIPPETS not in extensions:
            extensions[SNIPPETS] = {}
            base_path = [docs_dir]
    if SNIPPETS in extensions:
        given = extensions[SNIPPETS]
        options = {name: value for name, value in given.items() if name in _OF_SNIPPETS}
        options["base_path"] = _base_paths(base_path, docs_dir, project)
        extensions[SNIPPETS] = options
    extra = configuration.values.get("extra")
    return MarkdownSite(
        docs_dir=docs_dir,
        config_file=configuration.file,
        base=project,
        plugins=plugins,
        extensions=extensions,
        extra=extra if isinstance(extra, dict) else {},
    )


def _plugins(configuration: Configuration) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the plugins that are used, or extensions in place of them, with their options."""
    entries: dict[str, Mapping[str, object]] = {}
    for entry in configuration.plugin_entries:
        entries.setdefault(entry.name, entry.options)
    for extension, name in _AS_EXTENSIONS.items():
        if extension in configuration.extensions:
            entries[name] = configuration.extensions[extension]
    for name, options in entries.items():
        if options.get("enabled") is not False:
            yield name, dict(_valid(options))


def _valid(options: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield the options without values of another type, which no generator takes.

    One text can stand for a list.
    """
    for name, given in options.items():
        kind = _TYPES.get(name, object)
        value = given
        if kind is list and isinstance(given, str):
            value = [given]
        if kind is list and isinstance(value, list):
            value = [each for each in value if isinstance(each, str) and "\0" not in each]
        if isinstance(value, kind) and value != "" and "\0" not in str(value):
            yield name, value


def _base_paths(given: object, docs_dir: str, project: str) -> list[str]:
    """Return the directories of snippets.

    MkDocs has a tag for its own directories, such as `!relative $docs_dir`.
    """
    known = {"$docs_dir": docs_dir, "$config_dir": project}
    paths = []
    for name in given if isinstance(given, list) else [given]:
        if isinstance(name, str) and "\0" not in name:
            path = known.get(name, name)
            paths.append(os.path.join(project, path))
    return paths
