"""How machine forms name files: relative to where they are read, in characters that every reader takes."""

import os
from pathlib import Path
from urllib.parse import quote


def readable(text: str) -> str:
    """Return a text in which bytes of a file's name that are no UTF-8 stand as numbers: no half of a character."""
    return text.encode("utf-8", "backslashreplace").decode()


def shown_path(path: str, directory: str) -> str:
    """Return a path relative to a directory, or absolute where it is not in there; nothing where it is empty."""
    return readable(_relative(path, directory) or os.path.abspath(path).replace(os.sep, "/")) if path else ""


def uri(path: str, directory: str) -> str:
    """Return a path as a URI reference relative to a directory, or as a file URI where it is not in there."""
    if relative := _relative(path, directory):
        return quoted(relative)
    return Path(os.path.abspath(path)).as_uri()


def quoted(path: str) -> str:
    """Return a path as a relative URI reference, in which no colon makes its first part a scheme."""
    return quote(path, safe="/", errors="surrogateescape")


def checkout() -> str:
    """Return the directory to which GitHub's paths are relative: that of the checkout, elsewhere the current one."""
    here = os.getcwd()
    workspace = os.environ.get("GITHUB_WORKSPACE")
    return os.path.realpath(workspace) if workspace and _relative(here, os.path.realpath(workspace)) else here


def _relative(path: str, directory: str) -> str:
    """Return a path relative to a directory, with slashes, or nothing where it is not in there."""
    relative = os.path.relpath(path, directory)
    return "" if relative.split(os.sep)[0] == os.pardir else relative.replace(os.sep, "/")
