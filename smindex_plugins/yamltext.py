"""How YAML of others is read: no tag does anything, and nothing may be nested or repeated beyond what people write."""

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_DEPTH = 100
"""A loader in C ends the process where a document is nested too deeply for it."""
_MOST_ALIASES = 8
"""More of them could make a short text a value that nobody can print."""


def compose(text: str) -> yaml.Node | None:
    """Return the nodes of a document, of which nothing is constructed.

    Raises:
        ValueError: it is no YAML, or none that people write.
    """
    try:
        _examine(text)
        return yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def load(text: str) -> object:
    """Return the plain values of a document.

    Raises:
        ValueError: it is no YAML, or none that people write.
    """
    try:
        if _examine(text) > _MOST_ALIASES:
            message = f"it has more than {_MOST_ALIASES} aliases"
            raise ValueError(message)
        return yaml.load(text, Loader=_LOADER)  # noqa: S506 - a safe loader, whichever it is
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _examine(text: str) -> int:
    """Return the number of aliases in a document, which is read without recursion."""
    aliases = depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        aliases += isinstance(event, yaml.AliasEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MOST_DEPTH:
            message = f"it is nested more than {_MOST_DEPTH} levels deep"
            raise ValueError(message)
    return aliases
