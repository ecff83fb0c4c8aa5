"""What the text of a page includes, as the tools say that include it; their own code runs, on files of the test."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from smindex_plugins.html import Includes

Find = Callable[..., list[str]]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with files to include; the current directory, as it is where a site is built."""
    for name in ("parts/a.md", "parts/b.md", "parts/deep/c.md", "docs/local.md", "abbreviations.md", "README.md"):
        write(tmp_path, name, f"Text of {name}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(root: Path, name: str, text: str) -> str:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def found(root: Path, text: str, **tools: Mapping[str, Any] | object) -> list[str]:
    """Give what a page includes, relative to the project; the tools are called by their names in mkdocs.yml."""
    snippets = tools.pop("snippets", None)
    config = SimpleNamespace(
        docs_dir=str(root / "docs"),
        config_file_path=str(root / "mkdocs.yml"),
        plugins={name.replace("_", "-"): plugin for name, plugin in tools.items()},
        markdown_extensions=["toc"] if snippets is None else ["toc", "pymdownx.snippets"],
        mdx_configs={"pymdownx.snippets": snippets} if snippets else {},
    )
    page = write(root, "docs/page.md", text)
    return [os.path.relpath(path, root) for path in Includes.of_mkdocs(config).of(page)]


def included_markdown(**options: object) -> SimpleNamespace:
    return SimpleNamespace(config=options)


# pymdownx.snippets


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('--8<-- "parts/a.md"', ["parts/a.md"]),
        ("  --8<-- 'parts/a.md'\nText\n", ["parts/a.md"]),
        ("--8<--\nparts/a.md\n\nparts/b.md\n--8<--\n", ["parts/a.md", "parts/b.md"]),
        ('-8<- "parts/a.md:1:1"', ["parts/a.md"]),
        ('--8<-- "parts/a.md:1:1,1:1"', ["parts/a.md"]),
        ('--8<-- "parts/a.md:section"', ["parts/a.md"]),
        ('```python\n--8<-- "parts/a.md"\n```', ["parts/a.md"]),
        ('--8<-- "parts/a.md"\n\n--8<-- "parts/a.md"', ["parts/a.md"]),
        (';--8<-- "parts/a.md"', []),
        ('--8<-- ";parts/a.md"', []),
        ("--8<--\n; parts/a.md\n--8<--", []),
        ('Write `--8<-- "parts/a.md"` there', []),
        ('--8<-- "none.md"', []),
        ('--8<-- "../outside.md"', []),
        ('--8<-- "https://example.invalid/x.md"', []),
    ],
)
def test_snippets_are_those_that_the_extension_takes(root: Path, text: str, names: list[str]) -> None:
    write(root.parent, "outside.md", "x")
    assert found(root, text, snippets={"check_paths": True, "url_download": True}) == names
    assert found(root, text) == []


def test_snippets_are_looked_for_below_every_base_path_in_turn(root: Path) -> None:
    write(root, "docs/a.md", "x")
    text = '--8<-- "a.md"\n--8<-- "b.md"\n--8<-- "README.md"'
    assert found(root, text, snippets={"base_path": ["docs", "parts"]}) == ["docs/a.md", "parts/b.md"]
    assert found(root, text, snippets={"base_path": "parts"}) == ["parts/a.md", "parts/b.md"]
    assert found(root, text, snippets={"base_path": ["README.md"]}) == ["README.md"]
    outside = {"base_path": "docs", "restrict_base_path": False}
    assert found(root, '--8<-- "../README.md"', snippets=outside) == ["README.md"]


def test_snippets_within_snippets_count_as_far_as_they_are_taken_and_loops_end(root: Path) -> None:
    write(root, "parts/a.md", 'x\n--8<-- "parts/b.md"\n')
    write(root, "parts/b.md", '--8<-- "parts/a.md"\n--8<-- "parts/deep/c.md"\n')
    assert found(root, '--8<-- "parts/a.md"', snippets={}) == ["parts/a.md", "parts/b.md", "parts/deep/c.md"]
    assert found(root, '--8<-- "parts/a.md:1:1"', snippets={}) == ["parts/a.md"]


def test_what_is_appended_to_every_page_counts_if_it_shows_something(root: Path) -> None:
    write(root, "abbreviations.md", "<!-- words -->\n*[HTML]: Hyper Text\n\n  [home]: https://example.org/\n")
    write(root, "footer.md", "*[HTML]: Hyper Text\n\nAsk us.\n")
    appended = {"auto_append": ["abbreviations.md", "footer.md"]}
    assert found(root, "Text", snippets=appended) == ["footer.md"]
    assert found(root, '--8<-- "abbreviations.md"', snippets=appended) == ["abbreviations.md", "footer.md"]


def test_a_snippet_that_cannot_be_read_spoils_nothing(root: Path) -> None:
    (root / "parts/binary.md").write_bytes(b"\xff\xfe\x00")
    assert found(root, '--8<-- "parts/a.md"\n--8<-- "parts/binary.md"', snippets={})[0] == "parts/a.md"


# mkdocs-include-markdown-plugin


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{% include-markdown "../README.md" %}', ["README.md"]),
        ("{% include '../README.md' %}", ["README.md"]),
        ('{%\n  include-markdown "../README.md"\n  start="<!-- a -->"\n%}', ["README.md"]),
        ('{% include "local.md" %}', ["docs/local.md"]),
        ('{% include "./local.md" %}', ["docs/local.md"]),
        ('{% include "../parts/*.md" %}', ["parts/a.md", "parts/b.md"]),
        ("{% include \"../parts/*.md\" exclude='../parts/a.md' %}", ["parts/b.md"]),
        ('{% include "https://example.invalid/x.md" %}', []),
        ('{% include "none.md" %}', []),
        ("{% include %}", []),
        ('{% include "' + "{a,b}" * 12 + '" %}', []),
        ('{% include "local.md"', []),
        ('{% include "a\\".md" %} {% include "local.md" %}', ["docs/local.md"]),
        ('{% extends "../README.md" %}', []),
    ],
)
def test_directives_are_those_of_the_plugin(root: Path, text: str, names: list[str]) -> None:
    assert found(root, text, include_markdown=included_markdown()) == names
    assert found(root, text) == []


def test_directives_have_the_tags_and_the_names_that_the_plugin_is_given(root: Path) -> None:
    own = included_markdown(opening_tag="{!", closing_tag="!}", directives={"include-markdown": "take"})
    assert found(root, '{! take "../README.md" !} {! include "local.md" !}', include_markdown=own) == [
        "README.md",
        "docs/local.md",
    ]
    assert found(root, '{% include-markdown "../README.md" %}', include_markdown=own) == []


def test_what_the_plugin_is_told_to_exclude_is_not_included(root: Path) -> None:
    own = included_markdown(exclude=["../parts/a.md"])
    assert found(root, '{% include "../parts/*.md" %}', include_markdown=own) == ["parts/b.md"]


def test_directives_in_included_files_are_followed_from_where_they_stand_and_loops_end(root: Path) -> None:
    write(root, "parts/a.md", '{% include "./deep/c.md" %}')
    write(root, "parts/deep/c.md", '{% include "../a.md" %} {% include "../../docs/page.md" %} {% include "../b.md" %}')
    names = found(root, '{% include "../parts/a.md" %}', include_markdown=included_markdown())
    assert names == ["parts/a.md", "parts/deep/c.md", "parts/b.md"]


# Several together


def test_what_one_tool_includes_is_read_by_those_that_work_after_it(root: Path) -> None:
    write(root, "README.md", '{% include-markdown "./parts/a.md" %}\n--8<-- "abbreviations.md"\n')
    write(root, "parts/a.md", '--8<-- "parts/b.md"\n')
    write(root, "parts/b.md", '{% include "../README.md" %}\n--8<-- "parts/deep/c.md"\n')
    text = '{% include-markdown "../README.md" %}'
    names = found(root, text, include_markdown=included_markdown(), snippets={})
    assert sorted(names) == ["README.md", "abbreviations.md", "parts/a.md", "parts/b.md", "parts/deep/c.md"]


def test_only_markdown_is_read(root: Path) -> None:
    includes = Includes(lambda _: ["x"])
    assert includes.of(write(root, "docs/a.md", "x")) == ("x",)
    assert includes.of(write(root, "docs/a.html", "x")) == ()
