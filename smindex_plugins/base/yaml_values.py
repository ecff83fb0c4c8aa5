"""Loads YAML as plain values. Tags never create objects."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any


def load_yaml(
    text: str, tags: Mapping[str, Callable[[Any], object]] = MappingProxyType({})
) -> object:
    """Return the values of a YAML document.

    A value with an unknown tag, or invalid for its tag, is plain.

    Args:
        text: the document.
        tags: functions that convert tagged values, by tag, such as ``!ENV``.

    Raises:
        InvalidTextError: it is not valid YAML.
    """
    from smindex_plugins.base._yaml_loader import load  # noqa: PLC0415 - PyYAML takes 30 ms to load, and many sites have no YAML

    return load(text, tags)
