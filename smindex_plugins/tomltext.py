"""How foreign TOML is read. A key may be nested only as deeply as people write it."""

import re
import tomllib

from smindex_plugins.limits import MAX_KEY_PARTS, MAX_TOML
from smindex_plugins.yamltext import ExcessError

_PART = r"""(?:(?<![\w-])[\w-]++|(?<!\\)"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?:{_PART}[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}")
"""A dotted key with too many parts. Reading nested tables takes time and memory that grow with the square."""


def load(text: str) -> dict[str, object]:
    """Return the values of a document.

    Raises:
        ValueError: it is no TOML, or none that people write.
    """
    if len(text) > MAX_TOML:
        message = f"it has more than {MAX_TOML:,} characters"
        raise ExcessError(message)
    if _LONG_KEY.search(text):
        message = f"it has a key of more than {MAX_KEY_PARTS} parts"
        raise ExcessError(message)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (RecursionError, ValueError) as error:  # of an integer that is too long, which it does not judge
        message = "it is nested too deeply" if isinstance(error, RecursionError) else "it has a number that is too long"
        raise ExcessError(message) from error
