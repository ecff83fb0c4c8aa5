"""Finds the files that Markdown pages include, as pymdownx.snippets and
mkdocs-include-markdown-plugin do.

Each tool's own code interprets its syntax, and only if the site uses the tool. A file that a tool
does not find is not included: the tool reports or skips it. What a tool downloads is not in git.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from smindex_plugins.base.files import read_text
from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.html.front_matter import MARKDOWN
from smindex_plugins.html.markdown_site import MarkdownSite

_DEFINITION = re.compile(r"\s*(?:(?:[*]\[.+\]|\[[^^\]].*\]):.*|-+8<-+.*|<!--.*-->)?")
"""A line without visible content: the definition of an abbreviation or of a link target."""
SNIPPETS = "pymdownx.snippets"
_QUOTED = r"""(?>(?P<quote>["'])(?P<name>.+?)(?<!\\)(?P=quote))"""
_URL = re.compile(r"[\w+.-]{2,}://")


class Text(str):
    """The path of a file whose text becomes text of the page, and may show more."""

    __slots__ = ()


Part = str | Unknown
"""The path of a file that a page shows, or why something that it shows has no date."""
Tool = Callable[[str, str, str], Iterable[Part]]
"""Returns what a page shows, from the page, one of the files with its text, and what that file
contains."""
Snippets = Callable[[str], list[Part]]
"""Returns what the snippets in a text include, directly or indirectly."""


class Includes:
    """The files that the pages of a site include. Each page is read once."""

    def __init__(
        self, find: Callable[[str], Iterable[Part]] = lambda _: (), *, beside: str = ""
    ) -> None:
        """Store the function that returns what a Markdown file includes."""
        self._find = cache(lambda source: tuple(dict.fromkeys(find(source))))
        self.beside = beside
        """The configuration file, or an empty string. Pages may include the files of its
        repository."""

    @classmethod
    def of_site(cls, site: MarkdownSite, others: Iterable[Tool] = ()) -> "Includes":
        """Return the includes of a site, by the tools in its configuration, and by other tools."""
        tools = [*others]
        if "include-markdown" in site.plugins:
            tools.insert(0, _include_markdown(site.plugins["include-markdown"], site.docs_dir))
        snippets: Snippets | None = None
        appended: list[Part] = []
        if SNIPPETS in site.extensions:
            options = site.extensions[SNIPPETS]
            snippets = _snippets(options)
            appended = _appended(snippets, options.get("auto_append", ()))
        if not tools and snippets is None:
            return cls(beside=site.config_file)

        def find(source: str) -> Iterator[Part]:
            files = [source]
            for file in files:
                text = read(file)
                for part in _shown_by(tools, source, file, text):
                    if not isinstance(part, Text):
                        yield part
                    elif part not in files:
                        files.append(part)
                if snippets:
                    yield from snippets(text)
            yield from files[1:]
            yield from appended

        return cls(find, beside=site.config_file)

    def of(self, source: str) -> tuple[str, ...]:
        """Return the absolute paths of the files that a source includes, if it is Markdown."""
        return tuple(part for part in self._parts(source) if isinstance(part, str))

    def unknown(self, source: str) -> Unknown | None:
        """Return why the files do not date a source, if it includes something else."""
        for part in self._parts(source):
            if isinstance(part, Unknown):
                return part
        return None

    def _parts(self, source: str) -> tuple[Part, ...]:
        if source.lower().endswith(MARKDOWN):
            return self._find(source)
        return ()


def read(path: str) -> str:
    """Return the text of a file, or nothing if the tools could not read it."""
    try:
        return read_text(path, errors="replace")
    except OSError:
        return ""


def downloaded(name: str) -> Unknown | None:
    """Return why a file has no date if its name is a URL."""
    return Unknown(NoDate.REMOTE, other=name) if _URL.match(name) else None


def shows_something(path: str) -> bool:
    """Return whether a file has visible content."""
    return not all(_DEFINITION.fullmatch(line) for line in read(path).splitlines())


def _shown_by(tools: Iterable[Tool], page: str, file: str, text: str) -> Iterator[Part]:
    for tool in tools:
        yield from tool(page, file, text)


def _appended(snippets: Snippets, names: Iterable[str]) -> list[Part]:
    """Return the snippets with content that are appended to each page."""
    block = "\n".join(["--8<--", *names, "--8<--"])
    return [part for part in snippets(block) if isinstance(part, Unknown) or shows_something(part)]


def _snippets(options: Mapping[str, Any]) -> Snippets:
    """Return pymdownx.snippets with its options, without downloads or errors for missing files."""
    module = import_module(SNIPPETS)
    config = module.SnippetExtension(**options).getConfigs()
    config |= {"check_paths": False, "auto_append": []}
    tool = module.SnippetPreprocessor(config, SimpleNamespace(tab_length=4))
    get_path = tool.get_snippet_path
    found: list[Part] = []

    def record(name: str) -> str | None:
        path: str | None = get_path(name)
        if path:
            found.append(os.path.abspath(path))
        return path

    def skip(url: str) -> list[str]:
        found.append(Unknown(NoDate.REMOTE, other=url))
        return []

    tool.get_snippet_path = record
    tool.download = skip

    def find(text: str) -> list[Part]:
        found.clear()
        if "8<" in text:
            with suppress(Exception):  # it reports unreadable files when the page is built
                tool.run(text.split("\n"))
        return list(found)

    return find


def _include_markdown(config: Mapping[str, Any], docs_dir: str) -> Tool:
    """Return mkdocs-include-markdown-plugin with its configuration."""
    directive = _include_directive(config)
    excluded = re.compile(rf"\bexclude={_QUOTED}", re.DOTALL)
    never: set[str] = set()
    for name in config.get("exclude") or ():
        never.update(_files(name, os.path.join(docs_dir, "index.md"), docs_dir))

    def find(_: str, file: str, text: str) -> Iterator[Part]:
        for match in directive.finditer(text):
            name = _name(match)
            remote = downloaded(name)
            if remote:
                yield remote
                continue
            dropped = never
            less = excluded.search(match["arguments"])
            if less:
                dropped = never.union(_files(_name(less), file, docs_dir))
            for path in _files(name, file, docs_dir):
                if path not in dropped:
                    yield Text(path)

    return find


def _include_directive(config: Mapping[str, Any]) -> re.Pattern[str]:
    named = config.get("directives") or {}
    names = [str(named.get(name, name)) for name in ("include-markdown", "include")]
    any_name = "|".join(map(re.escape, names))
    opening = re.escape(config.get("opening_tag") or "{%")
    closing = re.escape(config.get("closing_tag") or "%}")
    return re.compile(
        rf"{opening}\s*(?:{any_name})\s+{_QUOTED}(?P<arguments>.*?){closing}", re.DOTALL
    )


def _name(match: re.Match[str]) -> str:
    return match["name"].replace("\\" + match["quote"], match["quote"])


def _files(name: str, includer: str, docs_dir: str) -> list[str]:
    """Return the files of a name or a pattern, relative to the includer only if it starts with a
    dot.
    """
    root = docs_dir
    if name.startswith(("./", "../")):
        root = os.path.dirname(includer)
    path = os.path.normpath(os.path.join(root, name))
    if os.path.isfile(path):
        return [path]
    with suppress(Exception):  # the plugin requires it, and reports what it can't expand
        from wcmatch import glob as extended  # noqa: PLC0415 - only this plugin needs it

        flags = extended.NEGATE | extended.EXTGLOB | extended.GLOBSTAR | extended.BRACE
        found = extended.glob(name, flags=flags, root_dir=root)
        return sorted(os.path.normpath(os.path.join(root, each)) for each in found)
    return []
