"""What the manual shows of the options: a table, and a section with an example for each."""

import json
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from smindex_plugins.settings import OPTIONS, Option
from tests.support.option_examples import EXAMPLES, Example
from tests.support.options import as_shown


def options_index() -> str:
    """Return a table of the options, each of which leads to its section."""
    lines = ["| option | meaning |", "|---|---|"]
    lines += [f"| [`{option.name}`](#{option.name}) | {option.meaning} |" for option in OPTIONS]
    return "\n".join(lines) + "\n"


def options_sections() -> str:
    """Return a section for each option: the ways to set it, a site, and what is written for it with and without."""
    return "\n".join(line for option in OPTIONS for line in _section(option, EXAMPLES[option.name]))


def _section(option: Option, example: Example) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as directory:
        files, with_it, without = example.outcomes(Path(directory))
    language = "xml" if "</" in with_it else "text"
    yield from (f"### {option.name}", "", option.meaning, "")
    yield from (f"- **Default:** {as_shown(option.default)}", f"- **Accepts:** {option.accepted}", "")
    yield from (*([example.note, ""] if example.note else []), '<div class="sides" markdown>', "")
    yield from _side("Configuration", "yaml", in_mkdocs(example), "python", in_pelican(example), "sh", as_flag(example))
    yield from _side("Files", "text", files)
    yield from _side(f"With `{option.name}`", language, with_it)
    yield from _side("Without", language, without)
    yield from ("</div>", "")


def _side(title: str, *blocks: str) -> Iterator[str]:
    yield from ("<div markdown>", "", f"**{title}**", "")
    for language, text in zip(blocks[::2], blocks[1::2], strict=True):
        yield from (f"```{language}", text, "```", "")
    yield from ("</div>", "")


def in_mkdocs(example: Example) -> str:
    """Return how an option is set in mkdocs.yml."""
    setting = example.setting.replace("\n", "\n      ")
    return f"# mkdocs.yml\nplugins:\n  - sitemap-index:\n      {setting}"


def in_pelican(example: Example) -> str:
    """Return how an option is set in pelicanconf.py."""
    return f"# pelicanconf.py\nSITEMAP_INDEX = {_in_python(example.given)}"


def as_flag(example: Example) -> str:
    """Return how an option is set on the command line."""
    ((name, value),) = example.given.items()
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=1_000).partition("\n")[0]
    return f"smindex build --set {shlex.quote(f'{name}={text}')}"


def _in_python(value: Any) -> str:  # noqa: ANN401 - whatever an option accepts
    return json.dumps(value).replace(": true", ": True").replace(": false", ": False")
