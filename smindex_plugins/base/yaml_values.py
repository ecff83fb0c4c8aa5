"""Loads YAML as plain values. Tags never create objects."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from yaml import SafeLoader as _SafeLoader
else:
    _SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Tags = Mapping[str, Callable[[Any], object]]
"""Functions that convert tagged values, by tag, such as ``!ENV``."""


def load_yaml(text: str, tags: Tags = MappingProxyType({})) -> object:
    """Return the values of a YAML document. A value with an unknown tag, or invalid for its tag, is plain.

    Raises:
        ValueError: it is not valid YAML; the message explains why on one line.
    """
    loader = _Loader(text)
    loader.tags = tags
    try:
        return loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        message = f"{line}{error.problem or error.context}"
    except yaml.YAMLError as error:
        message = " ".join(str(error).split())
    except RecursionError:
        message = "it is nested too deeply"
    finally:
        loader.dispose()
    raise ValueError(message)


class _Loader(_SafeLoader):
    tags: Tags

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:  # noqa: ARG002, FBT001, FBT002 - as in PyYAML
        try:
            return super().construct_object(node, deep=True)
        except (yaml.YAMLError, ArithmeticError, AttributeError, LookupError, ValueError):
            return self.construct_plain(node)  # such as an invalid date as text, or an unknown tag

    def construct_plain(self, node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode):
            value: object = self.construct_mapping(node, deep=True)
        else:
            value = self.construct_sequence(node, deep=True) if isinstance(node, yaml.SequenceNode) else node.value
        return self.tags[node.tag](value) if node.tag in self.tags else value
