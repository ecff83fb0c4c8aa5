"""Finds and loads the function set by the option `filter`.

It is the user's own code, like MkDocs hooks and Pelican settings. Only a build loads it.
"""

import importlib
import importlib.util
import os
import sys
import traceback
from types import ModuleType

from smindex_plugins.base.settings import Filter, SettingsError
from smindex_plugins.base.text import brief, did_you_mean


def load(given: str | Filter | None, beside: str) -> Filter | None:
    """Return the function that an option specifies by name or directly, or None if it is not set.

    A module is a file relative to the directory ``beside``, with or without its suffix, or else an
    installed module. It is loaded once.

    Raises:
        SettingsError: there is no such module or function, or the module can't be loaded.
    """
    if not isinstance(given, str):
        return given
    module_name, _, name = given.rpartition(":")
    is_path = module_name.endswith(".py") or "/" in module_name
    path = module_name.removesuffix(".py") if is_path else module_name.replace(".", "/")
    file = os.path.abspath(os.path.join(beside, f"{path}.py"))
    try:
        if is_path or os.path.isfile(file):
            module = _load_file(file)
        else:
            module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        problem = f"{module_name} can't be loaded: {describe(error)}"
        is_missing = is_path or f"{module_name}.".startswith(f"{getattr(error, 'name', '')}.")
        if is_missing and not os.path.isfile(file):
            problem = f"there is no file {file}"
            if not is_path:
                problem += f", and no module {module_name}"
        raise SettingsError([("filter", f"got {brief(given)}, but {problem}")]) from error
    found: Filter | None = getattr(module, name, None)
    if callable(found):
        return found
    functions = (key for key, value in vars(module).items() if callable(value) and key[0] != "_")
    near = did_you_mean(name, functions)
    hint = f"; did you mean {near!r}?" if near else ""
    problem = f"got {brief(given)}, but {module_name} has no function {name!r}{hint}"
    raise SettingsError([("filter", problem)])


def describe(error: BaseException) -> str:
    """Return what a user's code raised, and the line."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if not each.filename.startswith(_NOT_OWN)]
    file = ""
    line: int | None = 0
    if own:
        file = own[0].filename
        line = own[0].lineno
    if isinstance(error, SyntaxError):
        file = error.filename or file
        line = error.lineno
    message = traceback.format_exception_only(error)[-1].strip()
    if not file:
        return message
    return f"{message} ({os.path.basename(file)}, line {line})"


_NOT_OWN = (
    os.path.dirname(os.path.dirname(__file__)),
    os.path.dirname(importlib.__file__),
    "<frozen importlib",
)


def _load_file(path: str) -> ModuleType:
    """Return the module in a file.

    Its path is its name, to avoid confusion with modules of other projects.
    """
    if path in sys.modules:
        return sys.modules[path]
    spec = importlib.util.spec_from_file_location(path, path)
    if spec is None or spec.loader is None:
        message = f"{path} is not a Python module"
        raise ImportError(message)
    module = sys.modules[path] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(path))  # its own imports are there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path]
        raise
    finally:
        sys.path.remove(os.path.dirname(path))
    return module
