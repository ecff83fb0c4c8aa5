"""Which files the text of a page includes, found in the same way as by the tools that include them.

Each tool's own code says what its syntax means, and only of a tool that the site uses. What a tool does not find is
not included: it says so itself, or leaves it out.
"""

import glob
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from smindex_plugins.files import open_text
from smindex_plugins.markup import front_matter

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_MOST_FILES = 1_000
"""The most files that one page may include. A text that includes more is not a page."""
_MOST_BYTES = 10_000_000
_DEFINITION = re.compile(r"\s*(?:(?:[*]\[.+\]|\[[^^\]].*\]):.*|-+8<-+.*|<!--.*-->)?")
"""A line that shows nothing itself: the meaning of an abbreviation, or the target of a link."""

Tool = Callable[[str, str], tuple[Iterable[str], str]]
"""A function from a file and its text to the files that it includes, and the remaining text."""


class Includes:
    """The includes of the pages of one site. Every page is read once."""

    def __init__(
        self,
        tools: Iterable[Tool] = (),
        *,
        at_last: Tool | None = None,
        of_all: Iterable[str] = (),
        beside: str = "",
        suffixes: tuple[str, ...] = _MARKDOWN,
    ) -> None:
        """Keep the tools in the order of their work. ``at_last`` is a tool that follows its own includes.

        ``of_all`` are files that every page includes; ``suffixes`` those of the files whose text is read.
        """
        self._tools = tuple(tools)
        self._at_last = at_last
        self._of_all = tuple(of_all)
        self.beside = beside
        """The configuration file, or None. Pages may include the files of its repository."""
        self._suffixes = suffixes
        self._known: dict[str, tuple[str, ...]] = {}

    @classmethod
    def of_mkdocs(cls, config: Any) -> "Includes":  # noqa: ANN401 - the configuration of MkDocs, which is a host's
        """Return the tools that include files on a MkDocs site: pymdownx.snippets, include-markdown and macros."""
        plugins, beside, tools = config.plugins, config.config_file_path or "", []
        if plugin := plugins.get("include-markdown"):
            tools.append(_include_markdown(plugin.config, config.docs_dir))
        if env := getattr(plugins.get("macros"), "env", None):
            tools.append(_macros(plugins["macros"], env, config.docs_dir))
        if "pymdownx.snippets" not in config.markdown_extensions:
            return cls(tools, beside=beside)
        given = config.mdx_configs.get("pymdownx.snippets") or {}
        appended = _snippets(given)("", "\n".join(["--8<--", *given.get("auto_append", ()), "--8<--"]))[0]
        return cls(tools, at_last=_snippets(given), of_all=filter(_shows_something, appended), beside=beside)

    @classmethod
    def of_pelican(cls, settings: Mapping[str, Any]) -> "Includes":
        """Return the tool that includes files in articles and pages of Pelican: jinja2content, if loaded."""
        modules = map(sys.modules.get, ("pelican.plugins.jinja2content", "jinja2content"))
        plugin = next((module for module in modules if hasattr(module, "JinjaMarkdownReader")), None)
        if plugin is None:
            return cls()
        return cls([jinja(plugin.JinjaMarkdownReader(settings).env)], suffixes=(*_MARKDOWN, ".rst", ".html", ".htm"))

    def of(self, source: str) -> tuple[str, ...]:
        """Return the files (absolute paths) that the text in a file includes, if the tools read such a file."""
        if not (self._tools or self._at_last) or not source.lower().endswith(self._suffixes):
            return ()
        if source not in self._known:
            self._known[source] = tuple(dict.fromkeys([*self._find(source), *self._of_all]))
        return self._known[source]

    def _find(self, source: str) -> Iterator[str]:
        """Yield the files that a text includes, and those that these include, by the same tool and later ones."""
        waiting, seen = [(source, 0)], {source}
        for file, first in waiting:
            text = _read(file)
            for position in range(first, len(self._tools)):
                found, text = self._tools[position](file, text)
                new = [name for name in dict.fromkeys(found) if name not in seen][: _MOST_FILES - len(seen)]
                seen.update(new)
                waiting += [(name, position) for name in new]
                yield from new
            if self._at_last:
                yield from self._at_last(file, text)[0]


def _read(path: str) -> str:
    """Return the text of a file, or None if the tools could not read it either."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _MOST_BYTES:
            return ""
        with open_text(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _shows_something(path: str) -> bool:
    return not all(_DEFINITION.fullmatch(line) for line in _read(path).splitlines())


def _snippets(given: Mapping[str, Any]) -> Tool:
    """Return pymdownx.snippets with its configuration, but without downloads and without errors for missing files."""
    module = import_module("pymdownx.snippets")
    config = module.SnippetExtension(**given).getConfigs()
    config |= {"url_download": False, "check_paths": False, "auto_append": []}
    tool = module.SnippetPreprocessor(config, SimpleNamespace(tab_length=4))
    look_up, found = tool.get_snippet_path, []

    def noted(name: str) -> str | None:
        path: str | None = look_up(name)
        if path:
            found.append(os.path.abspath(path))
        return path

    tool.get_snippet_path = noted

    def find(file: str, text: str) -> tuple[list[str], str]:  # noqa: ARG001 - its names are relative to base_path
        found.clear()
        if "8<" in text:
            with suppress(Exception):  # what it cannot read; it says so when the page is built
                tool.run(text.split("\n"))
        return list(found), text

    return find


def _include_markdown(config: Mapping[str, Any], docs_dir: str) -> Tool:
    """Return mkdocs-include-markdown-plugin with its configuration."""
    named = config.get("directives") or {}
    names = "|".join(re.escape(str(named.get(name, name))) for name in ("include-markdown", "include"))
    opening, closing = re.escape(config.get("opening_tag") or "{%"), config.get("closing_tag") or "%}"
    quoted = r"""(?:"(?P<one>(?:[^"]|(?<=\\)")++)"|'(?P<two>(?:[^']|(?<=\\)')++)')"""
    directive = re.compile(rf"{opening}\s*(?:{names})\s+{quoted}")
    excluded = re.compile(rf"\bexclude={quoted}")
    never = {
        path
        for name in config.get("exclude") or ()
        for path in _files(name, os.path.join(docs_dir, "index.md"), docs_dir)
    }

    def find(file: str, text: str) -> tuple[list[str], str]:
        found: list[str] = []
        kept: list[str] = []
        end = 0
        while (match := directive.search(text, end)) and (closed := text.find(closing, match.end())) >= 0:
            less = excluded.search(text, match.end(), closed)
            dropped = never.union(_files(_name(less), file, docs_dir) if less else ())
            found += [path for path in _files(_name(match), file, docs_dir) if path not in dropped]
            kept.append(text[end : match.start()])
            end = closed + len(closing)
        return found, "".join([*kept, text[end:]])

    return find


def _name(match: re.Match[str]) -> str:
    return match["one"].replace(r"\"", '"') if match["one"] else match["two"].replace(r"\'", "'")


def _files(name: str, includer: str, docs_dir: str) -> list[str]:
    """Return the files that a name or a pattern means. It is relative to the includer only if it begins with a dot."""
    if re.match(r"[\w+.-]{2,}:", name):
        return []  # a URL
    root = os.path.dirname(includer) if name.startswith(("./", "../")) else docs_dir
    path = os.path.normpath(os.path.join(root, name))
    if os.path.isfile(path):
        return [path]
    with suppress(Exception):  # the plugin brings it, and says itself what it cannot expand
        from wcmatch import glob as extended  # noqa: PLC0415 - only this plugin needs it

        flags = extended.NEGATE | extended.EXTGLOB | extended.GLOBSTAR | extended.BRACE
        found = extended.glob(name, flags=flags, root_dir=root)
        return sorted(os.path.normpath(os.path.join(root, each)) for each in found)
    return sorted(os.path.normpath(each) for each in glob.glob(path, recursive=True))


def _macros(plugin: Any, env: Any, docs_dir: str) -> Tool:  # noqa: ANN401 - the plugin ships no types
    """Return mkdocs-macros-plugin with its configuration, for the pages that it renders."""
    find_templates = jinja(env)

    def find(file: str, text: str) -> tuple[Iterable[str], str]:
        if not file.startswith(docs_dir) or env.block_start_string not in text:
            return find_templates(file, text)
        said = (front_matter.read(file).said or {}).get("render_macros")
        is_rendered = said if isinstance(said, bool) else plugin.config.get("render_by_default", True)
        is_forced = said is None and plugin.force_page_rendering(os.path.relpath(file, docs_dir))
        return find_templates(file, text) if is_rendered or is_forced else ((), text)

    return find


def jinja(env: Any) -> Tool:  # noqa: ANN401 - a Jinja environment; the package does not depend on Jinja
    """Return the files that a Jinja environment includes, imports or extends by literal names."""

    def find(file: str, text: str) -> tuple[Iterable[str], str]:  # noqa: ARG001 - its names are relative to the loader
        if env.block_start_string not in text:
            return (), text
        found: list[str] = []
        with suppress(Exception):  # what it cannot parse or find; it says so when the page is built
            for name in filter(None, import_module("jinja2.meta").find_referenced_templates(env.parse(text))):
                with suppress(Exception):
                    found += filter(None, [env.loader.get_source(env, name)[1]])
        return map(os.path.abspath, found), text

    return find
