"""Reads the front matter of source files."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from smindex_plugins.base import files
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.limits import MAX_FRONT_MATTER
from smindex_plugins.base.toml_and_json import load_toml
from smindex_plugins.base.yaml_values import load_yaml

_FENCED = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*\r?\n(?P<text>.*?)(?:^(?P<end>(?P=fence)|\.\.\.)[ \t]*\r?$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_ENTRY = re.compile(r"\s*[\w.-]+[ \t]*[:=]")
"""The start of front matter, which text between two horizontal rules hardly ever matches."""
_PRIVATE = re.compile(
    r"^(?:draft|noindex|private)[ \t]*[:=][ \t]*[\"']?(?:true|yes|on)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that keeps a page private even in invalid front matter."""
MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
"""The suffixes of sources that MkDocs renders as pages."""

_TOO_LONG = f"it has more than {MAX_FRONT_MATTER:,} characters"
_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class FrontMatter(NamedTuple):
    """The front matter of a source file."""

    meta: Mapping[str, object] | None = None
    """Its entries, with lower-case keys. None if there is no front matter."""
    problem: str | None = None
    """Why it can't be used, if it is invalid front matter."""


def read(path: str) -> FrontMatter:
    """Return the front matter of a file: YAML between lines of ``---``, or TOML between ``+++``."""
    most = 4 * MAX_FRONT_MATTER  # a UTF-8 character has at most 4 bytes
    try:
        content = files.read(path, most)
    except OSError:
        return FrontMatter()
    fenced = _FENCED.match(content.decode("utf-8-sig", "replace"))
    if not fenced or (fenced["end"] is None and len(content) < most):
        return FrontMatter()
    text = fenced["text"]
    try:
        meta = _load(text, is_yaml=fenced["fence"] == "---")
    except InvalidTextError as error:
        if not _ENTRY.match(text):
            return FrontMatter()
        private = {"private": True} if _PRIVATE.search(text) else None
        return FrontMatter(private, str(error))
    if not isinstance(meta, dict):
        return FrontMatter()
    return FrontMatter({str(key).lower(): value for key, value in meta.items()})


def body(text: str) -> str:
    """Return the text of a source file without its front matter."""
    fenced = _FENCED.match(text)
    if fenced and fenced["end"]:
        return text[fenced.end() :]
    return text


def _load(text: str, *, is_yaml: bool) -> object:
    if len(text) > MAX_FRONT_MATTER:
        raise InvalidTextError(_TOO_LONG)
    text = f"\n{text}"  # to make line numbers in errors match the file
    return load_yaml(text) if is_yaml else load_toml(text)


def read_skipped_by_mkdocs(path: str) -> FrontMatter:
    """Return front matter that MkDocs could not read.

    MkDocs silently shows invalid front matter as text.
    """
    if not path.endswith(MARKDOWN):
        return FrontMatter()
    found = read(path)
    if found.meta and not found.problem:
        return found._replace(problem="MkDocs can't read it, and shows it as text")
    return found


def switch(value: object) -> bool | None:
    """Return whether a value means yes or no, or None for others.

    Some hosts have only string metadata.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _SWITCHES.get(value.strip().lower())
    return None
