"""Loads TOML and JSON. An error says in plain words what is wrong, and where."""

import json
import re
from typing import Any

from smindex_plugins.base.invalid_text import InvalidTextError

_JSON_PROBLEMS = {
    "Expecting value": "a value is missing, or is not written as in JSON",
    "Expecting ',' delimiter": "a comma, or the end of the list or object, is missing",
    "Expecting ':' delimiter": "the colon after a name is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Extra data": "there is more text after the end",
    "Illegal trailing comma before end of array": "a comma is before the end of a list",
    "Illegal trailing comma before end of object": "a comma is before the end of an object",
    "Invalid \\escape": "a backslash is before a character that needs none",
    "Invalid \\uXXXX escape": "\\u needs four hexadecimal digits after it",
    "Invalid control character at": "a string contains a line break or another control character",
    "Unterminated string starting at": "a string has no closing quote",
}
"""What Python's reasons mean. https://github.com/python/cpython/blob/main/Lib/json/decoder.py"""
_TOML_PROBLEMS = {
    r"Cannot declare (.*) twice": r"the table \1 is declared twice",
    r"Cannot mutate immutable namespace (.*)": r"the table or list \1 can't be extended here",
    "Cannot overwrite a value": "a key is set twice",
}
"""The reasons of Python that need other words.
https://github.com/python/cpython/blob/main/Lib/tomllib/_parser.py"""
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z")
_NAME = r"'[^']*'|\"[^\"]*\""
_KEY = re.compile(rf"\(((?:{_NAME})(?:, (?:{_NAME}))*),?\)")
"""A key as Python shows it: `('tool', 'smindex')`."""
_TOO_DEEP = "it is nested too deeply"
_TOO_LONG = "it contains a number with thousands of digits"


def load_json(text: str) -> Any:  # noqa: ANN401 - any JSON
    """Return the value of a JSON text.

    Raises:
        InvalidTextError: it is not valid JSON.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        reason = _JSON_PROBLEMS.get(error.msg.partition(": ")[0], "its syntax is wrong")
        wrong = InvalidTextError(
            "it is not valid JSON", reason, line=error.lineno, column=error.colno
        )
    except RecursionError:
        wrong = InvalidTextError(_TOO_DEEP)
    except ValueError:  # from `int`, which limits the digits
        wrong = InvalidTextError(_TOO_LONG)
    raise wrong


def load_toml(text: str) -> dict[str, Any]:
    """Return the table of a TOML text.

    Raises:
        InvalidTextError: it is not valid TOML.
    """
    import tomllib  # noqa: PLC0415 - takes 2 ms to load, and many sites have no TOML

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        wrong = _wrong_toml(str(error), text)
    except RecursionError:
        wrong = InvalidTextError(_TOO_DEEP)
    except ValueError:  # from `int`, which limits the digits
        wrong = InvalidTextError(_TOO_LONG)
    raise wrong


def _dotted(key: re.Match[str]) -> str:
    quoted = re.findall(_NAME, key[1])
    return ".".join(name[1:-1] for name in quoted)


def _wrong_toml(message: str, text: str) -> InvalidTextError:
    """Return what is wrong with a TOML text in plain words, according to Python's message."""
    place = _TOML_PLACE.search(message)
    reason = message[: place.start()] if place else message
    reason = _KEY.sub(_dotted, reason)
    for theirs, ours in _TOML_PROBLEMS.items():
        reason = re.sub(theirs, ours, reason)
    reason = reason[:1].lower() + reason[1:]
    if place and place[1]:
        line = int(place[1])
        column = int(place[2])
        return InvalidTextError("it is not valid TOML", reason, line=line, column=column)
    return InvalidTextError(
        "it is not valid TOML", f"{reason} (at the end)", line=text.rstrip().count("\n") + 1
    )
