"""Finds the modules that a page of MkDocs documents, with mkdocstrings, mkdocs-click or mkautodoc.

Each tool's own code interprets its syntax and finds the modules. It has loaded them when it
rendered the page.
"""

import inspect
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension

from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.hosts._python import file_of
from smindex_plugins.hosts.mkdocs_data import markdown_site
from smindex_plugins.html import notations
from smindex_plugins.html.documented import HANDLER, Documented, files_of, ids

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page as MkDocsPage

_MKDOCSTRINGS, _MKDOCS_CLICK, _MKAUTODOC = "mkdocstrings", "mkdocs-click", "mkautodoc"
_MEMBERS = re.compile(r"^\s+:members:(.*)", re.MULTILINE)


class _Block(NamedTuple):
    identifier: str
    handler: str
    """The handler of mkdocstrings, or mkautodoc."""
    members: tuple[str, ...] | None = ()
    """The members that mkautodoc shows. None means all."""


class Watcher(Extension):  # type: ignore[misc] # Markdown has no types
    """A Markdown extension that only notes the blocks that others are about to render."""

    def __init__(self, config: "MkDocsConfig") -> None:
        super().__init__()
        self._plugin: Any = config.plugins.get(_MKDOCSTRINGS)
        self._shows_commands = _MKDOCS_CLICK in config.markdown_extensions
        self._beside = os.path.dirname(config.config_file_path or "")
        self._blocks: list[_Block] = []
        self._config = config
        shows_blocks = self._plugin is not None or _MKAUTODOC in config.markdown_extensions
        self._describes = notations.marks(markdown_site(config))
        self._marks = self._describes
        """The texts of which a page that documents something has one."""
        if shows_blocks or self._shows_commands:
            self._marks = (":::", *self._describes)
        if shows_blocks:
            config.markdown_extensions.append(self)

    def extendMarkdown(self, md: Any) -> None:  # noqa: ANN401, N802 - Markdown's name
        """Read each block just before the others do: mkdocstrings after code is taken out."""
        for tool, priority in ((_MKDOCSTRINGS, 76), (_MKAUTODOC, 111)):
            notes = _Notes(md.parser, self._blocks, tool)
            md.parser.blockprocessors.register(notes, f"smindex-{tool}", priority=priority)

    def begin(self) -> None:
        """Forget the blocks that were rendered outside a page, such as in the excerpts of posts."""
        self._blocks.clear()

    def rendered(self, page: "MkDocsPage", html: str) -> Documented:
        """Return what the page documents that MkDocs has just rendered."""
        found = []
        if self._blocks:
            shown = ids(html)
            for block in dict.fromkeys(self._blocks):
                files = list(self._files(block, shown))
                found.append((block.identifier, files))
        text = page.markdown or ""
        if self._shows_commands and _MKDOCS_CLICK in text:
            found += _commands(text).items()
        if not self._describes:
            return Documented.of(found, (), text)
        site = markdown_site(self._config)
        described = notations.described(html, page.file.src_uri, site)
        return Documented.of(found, described, text)

    def not_rendered(self, file: "File") -> Documented:
        """Return what a page documents that a `--dirty` build keeps, without loading modules."""
        if self._marks and file.page is not None:
            text = file.content_string
            if any(mark in text for mark in self._marks):
                return Documented(unknown=Unknown(NoDate.NO_SOURCE))
        return Documented()

    def _files(self, block: _Block, shown: frozenset[str]) -> Iterator[str]:
        """Yield the files of an object and of all its members that the page shows."""
        if block.handler == _MKAUTODOC:
            with suppress(Exception):  # code from elsewhere
                yield from _imported(block)
            return
        collect = partial(self._collect, block.handler)
        yield from files_of(block.identifier, self._beside, shown, collect)

    def _collect(self, name: str, identifier: str) -> Any:  # noqa: ANN401 - each handler has its own objects
        """Return what mkdocstrings has loaded to render a block: without options, nothing anew."""
        handler = self._plugin.get_handler(name or self._plugin.config.default_handler)
        return handler.collect(identifier, {})


class _Notes(BlockProcessor):  # type: ignore[misc] # Markdown has no types
    def __init__(self, parser: Any, blocks: list[_Block], tool: str) -> None:  # noqa: ANN401 - Markdown has no types
        super().__init__(parser)
        self._blocks, self._tool = blocks, tool

    def test(self, parent: object, block: str) -> bool:  # noqa: ARG002
        """Note what the block documents, and leave it to the others."""
        tools = self.parser.blockprocessors
        if ":::" in block and self._tool in tools:
            self._blocks += self._shown(tools[self._tool], block)
        return False

    def _shown(self, tool: Any, block: str) -> Iterator[_Block]:  # noqa: ANN401 - only some sites have its types
        if self._tool == _MKDOCSTRINGS:
            handler = HANDLER.search(block)
            name = handler[1] if handler else ""
            for match in tool.regex.finditer(block):
                yield _Block(match["name"], name)
            return
        match = tool.RE.search(block)
        if match:
            yield _Block(match[1], _MKAUTODOC, _members(block))


def _members(block: str) -> tuple[str, ...] | None:
    members = _MEMBERS.search(block)
    if members is None:
        return ()
    return tuple(members[1].split()) or None


def _imported(block: _Block) -> Iterator[str]:
    """Yield the files of what mkautodoc has imported, and of the members that it shows."""
    module_name, _, name = block.identifier.rpartition(".")
    module = sys.modules[module_name]
    thing = getattr(module, name)
    own = file_of(thing) or module.__file__
    if own:
        yield own
    members = block.members
    if members is None:
        members = tuple(member for member in dir(thing) if not member.startswith("_"))
    owners = inspect.getmro(thing) if inspect.isclass(thing) else ()
    for member in members:
        # a member may be inherited
        owner = next((owner for owner in owners if member in vars(owner)), None)
        file = file_of(owner or getattr(thing, member))
        if file:
            yield file


def _commands(text: str) -> dict[str, list[str]]:
    """Return the files of the commands that the blocks of mkdocs-click document, by module."""
    from mkdocs_click._loader import load_command  # noqa: PLC0415 - only sites with mkdocs-click need it
    from mkdocs_click._processing import replace_blocks  # noqa: PLC0415

    found: dict[str, list[str]] = {}

    def note(*, module: str, command: str, **_: object) -> Iterator[str]:
        found[module] = []
        file = getattr(sys.modules.get(module), "__file__", None)
        if file:
            shown = load_command(module, command)
            found[module] = [file, *_code_of(shown)]
        yield ""

    lines = [*text.splitlines(), ""]  # 0.8 misses a block at the end
    list(replace_blocks(lines, title=_MKDOCS_CLICK, replace=note))
    return found


def _code_of(command: Any) -> Iterator[str]:  # noqa: ANN401 - only sites with mkdocs-click have click's types
    """Yield the files of a command and of those below it."""
    if command.callback is not None:
        file = file_of(command.callback)
        if file:
            yield file
    for below in getattr(command, "commands", {}).values():
        if not below.hidden:
            yield from _code_of(below)
