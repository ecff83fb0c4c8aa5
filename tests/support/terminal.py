"""A terminal, and texts that it or a CI service would take for commands."""

import io
import os
import re
from collections.abc import Iterator

HOSTILE = (
    "\n::error::x",
    "::add-mask::x",
    "  ::warning file=a,line=1::x",
    "##[add-matcher]x",
    "###vso[task.setvariable variable=a]x",
    "\r\x1b[2J\x1b]0;title\a",
    "\x9b31m",
    "\u202edlrow\u2066",
    "\u2028\u2029\x85\v\f",
    "\u200b\ufeff\U000e0041",
    os.fsdecode(b"\xff"),
    "a" * 200_000,
    "::" * 50_000 + "##[" * 50_000,
)
NAMES = [text for text in HOSTILE if len(text) < 100]
OF_RICH = re.compile(r"\r|\x1b\[(?:2K|1A|\?25[lh]|[0-9;]*m)|\x1b\]8;[^\x1b]*\x1b\\")
"""What moves the cursor to the line of the progress, hides and shows it, and makes colours and links."""


def commands(text: str) -> list[str]:
    """Return what a service or a terminal would take for a command."""
    found = [each for each in text if not each.isprintable() and each != "\n"]
    return found + re.findall(r"^\s*::.*|##\w*\[.*", text, re.MULTILINE)


def strings(value: object, key: str = "") -> Iterator[str]:
    """Yield the texts of an object but for paths, which are exact."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from strings(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, key)
    elif isinstance(value, str) and key not in {
        "file",
        "files",
        "source",
        "sources",
        "asked",
        "url",
        "site",
        "name",
        "section",
    }:
        yield value


class Terminal(io.StringIO):
    """A terminal whose text can be read."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True
