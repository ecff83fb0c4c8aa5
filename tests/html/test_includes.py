"""The files that Markdown pages include: the code of each tool decides, on files of the test."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.html.includes import Includes
from smindex_plugins.html.markdown_site import MarkdownSite
from tests.support.planted import write

DOCS_AND_PARTS = ["docs/a.md", "parts/b.md"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with files to include, which is the current directory, as in a build."""
    names = (
        "parts/a.md",
        "parts/b.md",
        "parts/deep/c.md",
        "docs/local.md",
        "abbreviations.md",
        "README.md",
    )
    write(tmp_path, {**{name: f"Text of {name}\n" for name in names}, "../outside.md": "x"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(
    root: Path,
    text: str,
    snippets: Mapping[str, Any] | None = None,
    plugin: Mapping[str, Any] | None = None,
) -> list[str]:
    """Return what a page includes, relative to the project, with the options of the two tools."""
    site = MarkdownSite(
        docs_dir=str(root / "docs"),
        config_file=str(root / "mkdocs.yml"),
        base=str(root),
        plugins={} if plugin is None else {"include-markdown": plugin},
        extensions={"toc": {}} if snippets is None else {"toc": {}, "pymdownx.snippets": snippets},
    )
    write(root, {"docs/page.md": text})
    return [
        os.path.relpath(path, root)
        for path in Includes.of_site(site).of(str(root / "docs/page.md"))
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("--8<-- \"parts/a.md\"\n\n  --8<-- 'parts/a.md'\nText\n", ["parts/a.md"]),
        ("--8<--\nparts/a.md\n\nparts/b.md\n--8<--\n", ["parts/a.md", "parts/b.md"]),
        ('-8<- "parts/a.md:1:1"', ["parts/a.md"]),
        ('--8<-- "parts/a.md:section"', ["parts/a.md"]),
        ('```python\n--8<-- "parts/a.md"\n```', ["parts/a.md"]),
        *(
            (text, [])
            for text in (
                ';--8<-- "parts/a.md"',
                '--8<-- ";parts/a.md"',
                "--8<--\n; parts/a.md\n--8<--",
            )
        ),
        ('Write `--8<-- "parts/a.md"` there', []),
        *(
            (f'--8<-- "{name}"', [])
            for name in ("none.md", "../outside.md", "https://example.invalid/x.md")
        ),
    ],
)
def test_snippets_are_those_that_the_extension_finds(
    root: Path, text: str, names: list[str]
) -> None:
    assert found(root, text, snippets={"check_paths": True, "url_download": True}) == names
    assert found(root, text) == []


@pytest.mark.parametrize(
    ("options", "text", "names"),
    [
        (
            {"base_path": ["docs", "parts"]},
            '--8<-- "a.md"\n--8<-- "b.md"\n--8<-- "README.md"',
            DOCS_AND_PARTS,
        ),
        ({"base_path": "parts"}, '--8<-- "a.md"\n--8<-- "README.md"', ["parts/a.md"]),
        ({"base_path": ["README.md"]}, '--8<-- "README.md"', ["README.md"]),
        (
            {"base_path": "docs", "restrict_base_path": False},
            '--8<-- "../README.md"',
            ["README.md"],
        ),
        ({"auto_append": ["abbreviations.md", "footer.md"]}, "Text", ["footer.md"]),
        ({"auto_append": ["abbreviations.md"]}, '--8<-- "abbreviations.md"', ["abbreviations.md"]),
    ],
)
def test_snippets_follow_the_options_of_the_extension(
    root: Path, options: dict[str, object], text: str, names: list[str]
) -> None:
    abbreviations = "<!-- words -->\n*[HTML]: Hyper Text\n\n  [home]: https://example.org/\n"
    footer = "*[HTML]: Hyper Text\n\nAsk us.\n"
    write(root, {"docs/a.md": "x", "abbreviations.md": abbreviations, "footer.md": footer})
    assert found(root, text, snippets=options) == names


def test_snippets_in_snippets_count_and_loops_and_damaged_files_end(root: Path) -> None:
    write(root, {"parts/a.md": 'x\n--8<-- "parts/b.md"\n', "parts/binary.md": b"\xff\xfe\x00"})
    write(root, {"parts/b.md": '--8<-- "parts/a.md"\n--8<-- "parts/deep/c.md"\n'})
    assert found(root, '--8<-- "parts/a.md"', snippets={}) == [
        "parts/a.md",
        "parts/b.md",
        "parts/deep/c.md",
    ]
    assert found(root, '--8<-- "parts/a.md:1:1"', snippets={}) == ["parts/a.md"]
    assert (
        found(root, '--8<-- "parts/a.md:1:1"\n--8<-- "parts/binary.md"', snippets={})[0]
        == "parts/a.md"
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{% include '../README.md' %}", ["README.md"]),
        ('{%\n  include-markdown "../README.md"\n  start="<!-- a -->"\n%}', ["README.md"]),
        ('{% include "local.md" %} {% include "./local.md" %}', ["docs/local.md"]),
        ('{% include "../parts/*.md" %}', ["parts/a.md", "parts/b.md"]),
        ("{% include \"../parts/*.md\" exclude='../parts/a.md' %}", ["parts/b.md"]),
        ('{% include "a\\".md" %} {% include "local.md" %}', ["docs/local.md"]),
        *(
            (f'{{% include "{name}" %}}', [])
            for name in ("https://example.invalid/x.md", "none.md", "{a,b}" * 12)
        ),
        *(
            (text, [])
            for text in ("{% include %}", '{% include "local.md"', '{% extends "../README.md" %}')
        ),
    ],
)
def test_directives_are_those_of_the_plugin(root: Path, text: str, names: list[str]) -> None:
    assert found(root, text, plugin={}) == names
    assert found(root, text) == []


def test_directives_follow_the_options_of_the_plugin(root: Path) -> None:
    own = {"opening_tag": "{!", "closing_tag": "!}", "directives": {"include-markdown": "take"}}
    text = '{! take "../README.md" !} {! include "local.md" !} {% include "../parts/a.md" %}'
    assert found(root, text, plugin=own) == ["README.md", "docs/local.md"]
    assert found(root, '{% include "../parts/*.md" %}', plugin={"exclude": ["../parts/a.md"]}) == [
        "parts/b.md"
    ]


def test_directives_in_included_files_are_followed_from_their_place_and_loops_end(
    root: Path,
) -> None:
    deep = '{% include "../a.md" %} {% include "../../docs/page.md" %} {% include "../b.md" %}'
    write(root, {"parts/a.md": '{% include "./deep/c.md" %}', "parts/deep/c.md": deep})
    names = found(root, '{% include "../parts/a.md" %}', plugin={})
    assert names == ["parts/a.md", "parts/deep/c.md", "parts/b.md"]


def test_a_file_that_the_plugin_includes_may_have_snippets(root: Path) -> None:
    write(root, {"README.md": '{% include-markdown "./parts/a.md" %}\n--8<-- "abbreviations.md"\n'})
    write(root, {"parts/a.md": '--8<-- "parts/b.md"\n', "parts/b.md": '--8<-- "parts/deep/c.md"\n'})
    names = found(root, '{% include-markdown "../README.md" %}', plugin={}, snippets={})
    assert sorted(names) == [
        "README.md",
        "abbreviations.md",
        "parts/a.md",
        "parts/b.md",
        "parts/deep/c.md",
    ]


def test_only_markdown_is_read() -> None:
    includes = Includes(lambda _: ["x"])
    assert (includes.of("docs/a.md"), includes.of("docs/a.html")) == (("x",), ())
