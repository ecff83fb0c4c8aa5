"""How foreign YAML is read: no tag does anything, and nesting and repetition are limited."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from smindex_plugins.limits import MAX_LEVELS, MAX_NODES, MAX_NUMBER

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_SCALARS: dict[str, Callable[[yaml.ScalarNode], object]] = {
    _TAG + kind: getattr(SafeConstructor(), f"construct_yaml_{kind}")
    for kind in ("null", "bool", "int", "float", "timestamp")
}
_resolve: Callable[..., str] = Resolver().resolve


class ExcessError(ValueError):
    """A document is valid YAML or TOML, but larger or deeper than people write."""


def compose(text: str) -> yaml.Node | None:
    """Return the nodes of a document, without constructing any values.

    Raises:
        ValueError: it is no YAML, or none that people write.
    """
    try:
        _examine(text)
        return yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise ValueError(_why(error)) from error


def load(text: str) -> object:
    """Return the plain values of a document. A value with an unknown tag or form becomes its text.

    Raises:
        ValueError: it is no YAML, or none that people write.
    """
    root = compose(text)
    return None if root is None else plain(root)


def entries(node: yaml.Node | None) -> dict[str, yaml.Node]:
    """Return the entries of a mapping, including those that it merges, by key. Keys that are not texts are left out."""
    own: dict[str, yaml.Node] = {}
    merged: dict[str, yaml.Node] = {}
    for key, below in node.value if isinstance(node, yaml.MappingNode) else ():
        if not isinstance(key, yaml.ScalarNode):
            continue
        if key.tag == _TAG + "merge":
            for part in below.value if isinstance(below, yaml.SequenceNode) else [below]:
                merged = entries(part) | merged
        else:
            own[str(key.value)] = below
    return merged | own


def plain(node: yaml.Node, resolved: Callable[[yaml.Node], yaml.Node] = lambda node: node) -> object:
    """Return the plain value of a node. A value with an unknown tag becomes its text.

    ``resolved`` returns what a node with a tag of its own stands for.
    """
    known: dict[int, object] = {}  # what is repeated by aliases is made once

    def value(node: yaml.Node) -> object:
        if id(node) not in known:
            known[id(node)] = made(resolved(node))
        return known[id(node)]

    def made(node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode):
            return {key: value(below) for key, below in entries(node).items()}
        return [value(below) for below in node.value] if isinstance(node, yaml.SequenceNode) else _scalar(node)

    return value(node)


def _scalar(node: yaml.Node) -> object:
    """Return the value of a scalar if its text has the form of its tag, or else the text. This cannot fail."""
    text = str(node.value)
    construct = _SCALARS.get(node.tag)
    if construct and len(text) <= MAX_NUMBER and _resolve(yaml.ScalarNode, text, (True, False)) == node.tag:
        with suppress(ValueError, OverflowError):  # a date or a number of the right form that there is not
            return construct(yaml.ScalarNode(node.tag, text))
    return text


def _why(error: yaml.YAMLError) -> str:
    """Return what is wrong with a text and where, on one line."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        return f"line {error.problem_mark.line + 1}: {error.problem or error.context}"
    return " ".join(str(error).split())


@dataclass(slots=True)
class _Part:
    """A value of a document, with its number of values and levels after aliases are replaced."""

    anchor: str | None
    nodes: int = 1
    levels: int = 0
    is_open: bool = False

    def add(self, part: "_Part") -> None:
        self.nodes += part.nodes
        self.levels = max(self.levels, part.levels + 1)


def _examine(text: str) -> None:
    """Refuse a document that is too large. A loader in C crashes the process if nesting is too deep."""
    parts = [_Part(None)]
    named: dict[str | None, _Part] = {}
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            parts.append(_Part(event.anchor, is_open=True))
            named[event.anchor] = parts[-1]
            _bound(1, len(parts) - 1)
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            part = parts.pop()
            part.is_open = False
        elif isinstance(event, yaml.ScalarEvent):
            part = named[event.anchor] = _Part(event.anchor)
        elif isinstance(event, yaml.AliasEvent):
            part = named.get(event.anchor) or _Part(None)
            if part.is_open:
                message = f"the value of the anchor &{event.anchor} holds itself"
                raise ExcessError(message)
        else:
            continue
        parts[-1].add(part)
        _bound(parts[-1].nodes, len(parts) - 1 + part.levels)


def _bound(nodes: int, levels: int) -> None:
    if levels > MAX_LEVELS:
        message = f"it is nested more than {MAX_LEVELS} levels deep"
        raise ExcessError(message)
    if nodes > MAX_NODES:
        message = f"it has more than {MAX_NODES:,} values where its aliases are replaced"
        raise ExcessError(message)
