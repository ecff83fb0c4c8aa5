"""Loads YAML with PyYAML, whose tags never create objects."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import yaml

from smindex_plugins.base.invalid_text import InvalidTextError

if TYPE_CHECKING:
    from yaml import SafeLoader as _SafeLoader
else:
    _SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INVALID = "it is not valid YAML"


def load(text: str, tags: Mapping[str, Callable[[Any], object]]) -> object:
    """Return the values of a YAML document, as `load_yaml` does."""
    loader = None
    try:
        loader = _Loader(text)
        loader.tags = tags
        return loader.get_single_data()
    except (yaml.reader.ReaderError, UnicodeEncodeError):
        wrong = _wrong_character(text)
    except yaml.MarkedYAMLError as error:
        reason = (error.problem or error.context or "").removeprefix("but ")
        line = 0
        column = 0
        if error.problem_mark:
            line = error.problem_mark.line + 1
            column = error.problem_mark.column + 1
        wrong = InvalidTextError(_INVALID, reason, line=line, column=column)
    except yaml.YAMLError:
        wrong = InvalidTextError(_INVALID)
    except RecursionError:
        wrong = InvalidTextError("it is nested too deeply")
    finally:
        if loader is not None:
            loader.dispose()
    raise wrong


def _wrong_character(text: str) -> InvalidTextError:
    """Return where a text contains a character that YAML does not allow."""
    found = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if not found:
        return InvalidTextError(_INVALID)
    line = text.count("\n", 0, found.start()) + 1
    reason = f"the character U+{ord(found[0]):04X} is not allowed"
    return InvalidTextError(_INVALID, reason, line=line)


class _Loader(_SafeLoader):
    tags: Mapping[str, Callable[[Any], object]]

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:  # noqa: ARG002, FBT001, FBT002 - as in PyYAML
        try:
            return super().construct_object(node, deep=True)
        except (yaml.YAMLError, ArithmeticError, AttributeError, LookupError, ValueError):
            return self.construct_plain(node)  # such as an invalid date as text, or an unknown tag

    def construct_plain(self, node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode):
            value: object = self.construct_mapping(node, deep=True)
        elif isinstance(node, yaml.SequenceNode):
            value = self.construct_sequence(node, deep=True)
        else:
            value = node.value
        if node.tag in self.tags:
            return self.tags[node.tag](value)
        return value
