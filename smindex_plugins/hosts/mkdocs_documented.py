"""Finds the modules that a page of MkDocs documents, with mkdocstrings or mkdocs-click.

Each tool's own code interprets its syntax and finds the modules. It has loaded them when it rendered the page.
"""

import inspect
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension

from smindex_plugins.base.proof import Reason, Unknown

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

_MKDOCSTRINGS, _MKDOCS_CLICK = "mkdocstrings", "mkdocs-click"
_HANDLER = re.compile(r"^\s+handler: *(\S+)", re.MULTILINE)
_ID = re.compile(r' id="([^"]+)"')
_NO_TEXT_OF_ITS_OWN = re.compile(r"(?:(?:#|:::|\s).*)?")
"""A line of a page that only shows documentation: a heading, a block, its options, or nothing."""


class Documented(NamedTuple):
    """What a page documents."""

    files: tuple[str, ...] = ()
    """The absolute paths of the modules."""
    unknown: Unknown | None = None
    """The first identifier whose file is not known."""
    is_all: bool = False
    """Whether the page shows nothing else."""


class _Block(NamedTuple):
    identifier: str
    handler: str


class Watcher(Extension):  # type: ignore[misc] # Markdown has no types
    """A Markdown extension that notes the blocks that mkdocstrings is about to render, and changes nothing."""

    def __init__(self, config: "MkDocsConfig") -> None:
        super().__init__()
        self._plugin: Any = config.plugins.get(_MKDOCSTRINGS)
        self._shows_commands = _MKDOCS_CLICK in config.markdown_extensions
        self._beside = os.path.dirname(config.config_file_path or "")
        self._blocks: list[_Block] = []
        if self._plugin is not None:
            config.markdown_extensions.append(self)

    def extendMarkdown(self, md: Any) -> None:  # noqa: ANN401, N802 - Markdown's name
        """Read each block before mkdocstrings does, and after the blocks of code are taken out."""
        md.parser.blockprocessors.register(_Notes(md.parser, self._blocks), "smindex", priority=76)

    def begin(self) -> None:
        """Forget the blocks that were rendered outside a page, such as in the excerpts of posts."""
        self._blocks.clear()

    def rendered(self, page: "MkDocsPage", html: str) -> Documented:
        """Return what the page documents that MkDocs has just rendered."""
        blocks = list(dict.fromkeys(self._blocks))
        shown = frozenset(_ID.findall(html)) if blocks else frozenset()
        found = {block.identifier: list(self._files(block, shown)) for block in blocks}
        text = page.markdown or ""
        if self._shows_commands and _MKDOCS_CLICK in text:
            found |= _commands(text)
        if not found:
            return Documented()
        unresolved = next((identifier for identifier, files in found.items() if not files), None)
        return Documented(
            files=tuple(dict.fromkeys(file for files in found.values() for file in files)),
            unknown=Unknown(Reason.UNRESOLVED, other=unresolved) if unresolved else None,
            is_all=all(map(_NO_TEXT_OF_ITS_OWN.fullmatch, text.splitlines())),
        )

    def _files(self, block: _Block, shown: frozenset[str]) -> Iterator[str]:
        """Yield the files of an object and of all its members that the page shows."""
        file = os.path.join(self._beside, block.identifier)
        if os.path.isfile(file):  # for the handlers of shell scripts and C
            yield file
            return
        handler = self._plugin.get_handler(block.handler or self._plugin.config.default_handler)
        with suppress(Exception):  # another handler's objects have other attributes
            yield from _files_of(handler.collect(block.identifier, {}), shown)  # {}: return what is loaded already


class _Notes(BlockProcessor):  # type: ignore[misc] # Markdown has no types
    def __init__(self, parser: Any, blocks: list[_Block]) -> None:  # noqa: ANN401 - Markdown has no types
        super().__init__(parser)
        self._blocks = blocks

    def test(self, parent: object, block: str) -> bool:  # noqa: ARG002
        """Note what the block documents, and leave it to the others."""
        tools = self.parser.blockprocessors
        if ":::" in block and _MKDOCSTRINGS in tools:
            handler = _HANDLER.search(block)
            names = (match["name"] for match in tools[_MKDOCSTRINGS].regex.finditer(block))
            self._blocks += [_Block(name, handler[1] if handler else "") for name in names]
        return False


def _files_of(thing: Any, shown: frozenset[str]) -> Iterator[str]:  # noqa: ANN401 - only sites with mkdocstrings have its types
    path = thing.filepath  # a list for a package in several places
    yield from map(str, path if isinstance(path, list) else [path])
    for member in thing.all_members.values():
        with suppress(Exception):  # an alias of something that is not installed
            if member.path in shown:
                yield from _files_of(member, shown)


def _commands(text: str) -> dict[str, list[str]]:
    """Return the files of the commands that the blocks of mkdocs-click document, by module."""
    from mkdocs_click._loader import load_command  # noqa: PLC0415 - only sites with mkdocs-click need it
    from mkdocs_click._processing import replace_blocks  # noqa: PLC0415

    found: dict[str, list[str]] = {}

    def note(*, module: str, command: str, **_: object) -> Iterator[str]:
        file = getattr(sys.modules.get(module), "__file__", None)
        found[module] = [file, *_code_of(load_command(module, command))] if file else []
        yield ""

    list(replace_blocks([*text.splitlines(), ""], title=_MKDOCS_CLICK, replace=note))  # 0.8 misses a block at the end
    return found


def _code_of(command: Any) -> Iterator[str]:  # noqa: ANN401 - only sites with mkdocs-click have click's types
    """Yield the files of a command and of those below it."""
    if command.callback is not None:
        yield inspect.unwrap(command.callback).__code__.co_filename
    for below in getattr(command, "commands", {}).values():
        if not below.hidden:
            yield from _code_of(below)
