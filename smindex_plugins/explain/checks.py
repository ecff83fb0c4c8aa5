"""Explanations of checks and messages, for the terminal and the manual.

The examples come from real runs in tests.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import IO, TYPE_CHECKING

from smindex_plugins.base.catalogue import CATALOGUE, CHECKED, NEEDS, Kind
from smindex_plugins.printing.terminal import console, write_line, write_table

if TYPE_CHECKING:
    from rich.console import Console


def explanation(kind: Kind) -> Iterator[str]:
    """Yield the lines of Markdown that explain a check or a message."""
    found_by = "a build, `smindex join` or `smindex pages`"
    if kind.name in CHECKED:
        needs = re.sub(r"(--[a-z]+)", r"`\1`", NEEDS[kind.needs])
        found_by = f"`smindex check` of {needs}"
    fix = _visible(kind.fix)
    yield _visible(kind.why)
    yield ""
    yield f"**Fix:** {fix}"
    yield ""
    yield f"- Level: {kind.level}"
    yield f"- Found by {found_by}"
    if kind.console:
        console_words = _visible(kind.console)
        yield f"- In Search Console: {console_words}"
    yield ""
    yield from _examples()[kind.name]


@cache
def _examples() -> dict[str, list[str]]:
    file = files(__package__) / "examples.json"
    examples: dict[str, list[str]] = json.loads(file.read_text("utf-8"))
    return examples


def _visible(text: str) -> str:
    """Return Markdown in which elements of XML stay visible."""
    return re.sub(r"(?<!`)(<[^<>]+>)(?!`)", r"`\1`", text)


def write_explanation(kind: Kind, screen: "Console") -> None:
    """Print the problem, why it matters, how to fix it, and an example."""
    heading = f"{kind.name}: {kind.title}"
    write_line(screen, (heading, "bold"))
    indent = ""
    for line in ("", *explanation(kind)):
        if line.startswith("```"):
            indent = "" if indent else "  "
        else:
            write_line(screen, indent + line.replace("**", ""))


def write_checks(out: IO[str]) -> None:
    """Print the name, level and problem of every check and message."""
    rows = [(kind.name, kind.level, kind.title) for kind in CATALOGUE.values()]
    write_table(console(out), "Checks and messages", ("name", "level", "problem"), rows)
