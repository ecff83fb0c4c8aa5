"""Finds the files of Python objects that a site shows."""

import inspect
import re
import sys
from contextlib import suppress
from functools import cache
from typing import Any


def file_of(thing: Any) -> str | None:  # noqa: ANN401 - any object can be shown
    """Return the file that defines a class or a function, or None if it is not Python."""
    if isinstance(thing, type):
        file = _file_of_class(thing)
        if file:
            return file
    with suppress(TypeError):
        return inspect.getsourcefile(inspect.unwrap(thing))
    return None


@cache
def _file_of_class(thing: type) -> str | None:
    """Return the file of the module below its package that defines a class.

    A package such as httpx can replace the module that its classes name, so that only their text
    shows where they are.
    """
    statement = re.compile(rf"^\s*class {re.escape(thing.__name__)}\b", re.MULTILINE)
    package = thing.__module__.partition(".")[0]
    for name, module in sorted(sys.modules.items()):
        is_near = name == thing.__module__ or name.startswith(f"{package}.")
        if not is_near or getattr(module, thing.__name__, None) is not thing:
            continue
        with suppress(OSError, TypeError):  # not written in Python
            source = inspect.getsource(module)
            if statement.search(source):
                return inspect.getsourcefile(module)
    return None
