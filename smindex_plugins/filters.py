"""The function that the option `filter` names: where it is, how it is loaded, and what is wrong with it.

It is the user's own code, as hooks of MkDocs and settings of Pelican are. Only a build loads it.
"""

import difflib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable
from functools import cache
from types import ModuleType

from smindex_plugins.forms import SettingsError
from smindex_plugins.model import Page
from smindex_plugins.text import brief

Filter = Callable[[Page], object]
"""Receives each page that would be listed. It returns that page, a changed one, or None to leave it out.

What it takes and returns shows only when it is called.
"""
_OPTION = "filter"


def load(given: str | Filter | None, beside: str) -> Filter | None:
    """Return the function that an option names, which may be the function itself, or None if it names none.

    A module is a file relative to the directory ``beside``, with or without its suffix, or else an installed module.
    It is loaded once, however often it is asked for.

    Raises:
        SettingsError: there is no such module or function, or the module cannot be loaded.
    """
    return _loaded(given, os.path.abspath(beside or os.curdir)) if isinstance(given, str) else given


def name_of(given: str | Filter) -> str:
    """Return the name of a function in messages."""
    return given if isinstance(given, str) else str(getattr(given, "__qualname__", type(given).__qualname__))


def raised(error: BaseException, file: str) -> tuple[str, str]:
    """Return what the code in a file of the user's raised, and where in that file, both in words.

    The place is empty if no code of that file ran, as where a function takes no argument.
    """
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno)
    try:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:  # noqa: BLE001 - the code of others may do anything, also while it says what is wrong
        said = ""
    name = type(error).__name__
    return f"{name}: {said}" if said else name, f" ({os.path.basename(file)}, line {lines[-1]})" if lines else ""


@cache
def _loaded(given: str, beside: str) -> Filter:
    module_name, _, name = given.rpartition(":")
    module = _module(given, module_name, beside)
    found: Filter | None = getattr(module, name, None)
    if not callable(found):
        names = sorted(each for each, value in vars(module).items() if callable(value) and not each.startswith("_"))
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        problem = "it is no function" if hasattr(module, name) else "it is not there"
        raise _wrong(given, f"{module_name} has no function {name!r}: {problem}{hint}")
    return found


def _module(given: str, name: str, beside: str) -> ModuleType:
    """Return a module of the user's, or raise what is wrong with it."""
    is_path = name.endswith(".py") or "/" in name
    stem = os.path.join(beside, name if is_path else name.replace(".", "/"))
    files = (stem,) if name.endswith(".py") else (f"{stem}.py", os.path.join(stem, "__init__.py"))
    file = next(filter(os.path.isfile, files), "")
    try:
        return _from_file(file or files[0]) if file or is_path else importlib.import_module(name)
    except (Exception, SystemExit) as error:
        is_missing = isinstance(error, ModuleNotFoundError) and error.name in {name, name.partition(".")[0]}
        if not file and (is_missing or is_path or isinstance(error, TypeError | ValueError)):
            problem = f"there is no file {os.path.relpath(files[0], beside)} in {beside}"
            raise _wrong(given, problem if is_path else f"{problem}, and no module {name}") from None
        raise _wrong(given, f"{name} cannot be loaded: {''.join(raised(error, file))}") from error


def _from_file(path: str) -> ModuleType:
    """Return the module in a file. Its path is its name, so that no module of another project is taken for it."""
    spec = importlib.util.spec_from_file_location(path, path)
    if spec is None or spec.loader is None:
        message = f"{path} is no Python"
        raise ImportError(message)
    module = importlib.util.module_from_spec(spec)
    earlier = sys.path.copy()
    sys.modules[path] = module
    sys.path.insert(0, os.path.dirname(path))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[path]
        raise
    finally:
        sys.path[:] = earlier
    return module


def _wrong(given: str, problem: str) -> SettingsError:
    return SettingsError([(_OPTION, f"got {brief(given)}, but {problem}")])
