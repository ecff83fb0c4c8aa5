"""What the manual in `sample_sites/mkdocs` says is so."""

import ast
import json
import os
import re
import shutil
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from smindex_plugins.base.settings import Settings
from smindex_plugins.cli.main import main
from smindex_plugins.history import services
from smindex_plugins.projects._generators import GENERATORS
from tests.docs.manual import (
    check_examples,
    check_pages,
    generators_table,
    options_index,
    options_sections,
)
from tests.support.planted import write
from tests.support.schema import mistakes, mkdocs_schema

MANUAL = Path(__file__).parents[2] / "sample_sites/mkdocs"
PAGES = sorted((MANUAL / "docs").rglob("*.md"))


def compare(page: str, name: str, text: str) -> None:
    """Compare what a page shows between two comments with what it should; UPDATE_MANUAL=1 writes it
    anew.
    """
    path = MANUAL / f"docs/{page}.md"
    head, begin, rest = path.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    shown, end, foot = rest.partition(f"<!-- /{name} -->")
    if os.environ.get("UPDATE_MANUAL"):
        path.write_text(f"{head}{begin}{text}{end}{foot}", encoding="utf-8")
    else:
        assert shown == text


def test_the_manual_shows_every_option_with_an_example_that_was_published() -> None:
    compare("guide/options", "options", f"\n{options_index()}\n")
    compare("guide/options", "examples", f"\n{options_sections()}\n")


def test_the_manual_shows_every_generator_in_a_table_and_in_a_section() -> None:
    compare("start/any-generator", "generators", f"\n{generators_table()}\n")
    headings = re.findall(
        "^## .*", (MANUAL / "docs/start/any-generator.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [
        each.name for each in GENERATORS if not re.search(rf"\b{each.name}\b", "".join(headings))
    ] == ["ProperDocs"]


def test_the_package_has_an_example_of_every_check_and_message() -> None:
    """UPDATE_MANUAL=1 writes them anew."""
    path = MANUAL.parents[1] / "smindex_plugins/explain/examples.json"
    text = json.dumps(check_examples(), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_MANUAL"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_the_manual_has_a_section_for_every_check_and_message() -> None:
    """UPDATE_MANUAL=1 writes them anew."""
    directory, pages = MANUAL / "docs/checks", check_pages()
    if os.environ.get("UPDATE_MANUAL"):
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        for name, text in pages.items():
            (directory / name).write_text(text, encoding="utf-8")
    assert {path.name: path.read_text(encoding="utf-8") for path in directory.iterdir()} == pages


@pytest.mark.parametrize("form", ["json", "github"])
def test_the_forms_that_the_manual_shows_are_those_of_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    html = "<!doctype html><title>Install</title>{}<p>text"
    write(
        tmp_path,
        {"mkdocs.yml": "site_url: https://e.org/\n", "docs/guide/install.md": "# Install\n"},
    )
    write(tmp_path / "site", {"guide/install/index.html": html.format("")})
    monkeypatch.chdir(tmp_path)
    assert main(["build", "--quiet"]) == 0
    write(
        tmp_path / "site",
        {"guide/install/index.html": html.format('<meta name="robots" content="noindex">')},
    )
    capsys.readouterr()
    assert main(["check", "--format", form]) == 0
    language = "text" if form == "github" else form
    # which is a placeholder
    shown = capsys.readouterr().out.replace("https://e.org/", "https://example.org/")
    compare("commands/check", form, f"```{language}\n{shown}```\n")


def test_every_configuration_in_the_manual_is_one_that_the_plugin_accepts() -> None:
    given = [options for block in yaml_blocks() for options in plugin_options(block)]
    assert len(given) >= 5
    for options in given:
        Settings.load(options)
        assert mistakes({"plugins": [{"sitemap-index": options}]}, mkdocs_schema()) == []


@pytest.mark.parametrize(
    ("variable", "page", "words"),
    [
        ("GITHUB_ACTIONS", "github-actions", ("fetch-depth: 0", "filter: blob:none")),
        ("GITLAB_CI", "gitlab", ("GIT_DEPTH: 0",)),
        ("NETLIFY", "netlify", (f"{services.UNSHALLOW} || true;",)),
        ("CF_PAGES", "cloudflare-pages", (f"{services.UNSHALLOW} || true;",)),
        ("VERCEL", "vercel", ("VERCEL_DEEP_CLONE=true",)),
        ("READTHEDOCS", "read-the-docs", ("post_checkout:", f"{services.UNSHALLOW} || true")),
    ],
)
def test_the_page_of_a_service_has_the_line_that_a_build_there_prints(
    variable: str, page: str, words: tuple[str, ...]
) -> None:
    recipe = (MANUAL / f"docs/dates/ci/{page}.md").read_text(encoding="utf-8")
    printed = services.whole_history({variable: "1"})
    for line in words:
        assert line in re.sub("['\"]", "", printed)
        assert line in re.sub("['\"]", "", recipe)


def test_every_message_of_the_troubleshooting_is_one_that_there_is() -> None:
    page = (MANUAL / "docs/help/troubleshooting.md").read_text(encoding="utf-8")
    messages = re.findall(r"^\| `(.+?)` \|", page, re.MULTILINE)
    assert len(messages) > 50
    said = "\n".join(texts_of_the_package())
    assert [message for message in messages if not re.search(_holes(message), said)] == []


def _holes(message: str) -> str:
    """Make the pattern of a message; what differs from site to site is anything but another
    line.
    """
    return "[^\n]*?".join(re.escape(part) for part in message.split("…"))


def texts_of_the_package() -> Iterator[str]:
    """Read every text in the package's code, with a sign for each value that is put into it."""
    for path in (MANUAL.parents[1] / "smindex_plugins").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "…"
                    for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_dict_and_table_of_options_in_the_manual_is_accepted() -> None:
    """Beside those in YAML: what is written for Pelican, and for the command."""
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    dicts = re.findall(r"^SITEMAP_INDEX = (\{.+?\})$", text, re.MULTILINE)
    tables = re.findall(r"^(\[tool\.smindex\]\n(?:.+\n)+?)(?:```|END)$", text, re.MULTILINE)
    assert len(dicts) >= 3
    assert len(tables) > 3
    for given in dicts:
        Settings.load(ast.literal_eval(given))
    for table in tables:
        options = tomllib.loads(table)["tool"]["smindex"]
        Settings.load(
            {
                name: options[name]
                for name in options.keys() - {"directory", "site_url", "sources", "clean_urls"}
            }
        )


def test_every_page_of_the_manual_is_in_its_navigation() -> None:
    text = (MANUAL / "mkdocs.yml").read_text(encoding="utf-8")
    pages = {page.relative_to(MANUAL / "docs").as_posix() for page in PAGES}
    assert {page for page in pages if f" {page}\n" not in text} == set()
    assert len(pages) <= 120


def test_every_page_of_the_manual_has_a_description_of_its_own() -> None:
    """Search engines show it below the title."""
    descriptions = [
        re.findall(r"\A---\n(?:.+\n)*?description: (.+)\n", page.read_text("utf-8"))
        for page in PAGES
    ]
    assert all(len(found) == 1 and 60 <= len(found[0]) <= 165 for found in descriptions)
    assert len({found[0] for found in descriptions}) == len(PAGES)


def test_no_block_of_code_is_indented_for_it_would_be_shown_as_text() -> None:
    assert not [
        page
        for page in PAGES
        if re.search(r"^ +```", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def test_every_picture_of_the_manual_is_shown_with_words_and_small() -> None:
    shown = {
        (page.parent / path).resolve()
        for page in PAGES
        for path in re.findall(r"!\[[^]]+\]\((.+?)\)", page.read_text(encoding="utf-8"))
    }
    assert shown == {
        path.resolve() for kind in ("png", "svg") for path in (MANUAL / "docs").rglob(f"*.{kind}")
    }
    assert all(path.stat().st_size < 100_000 for path in shown)


class Loader(yaml.SafeLoader):
    """Reads YAML in which a value is that of an environment variable, else a default."""


def _default(loader: Loader, node: yaml.SequenceNode | yaml.ScalarNode) -> object:
    return loader.construct_sequence(node)[-1] if isinstance(node, yaml.SequenceNode) else None


Loader.add_constructor("!ENV", _default)


def yaml_blocks() -> Iterator[Any]:
    """Read every block of YAML in the manual, whose environment variables have their default."""
    for page in PAGES:
        for block in re.findall(
            r"^```yaml\n(.+?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        ):
            yield Loader(textwrap.dedent(block)).get_data()


def plugin_options(block: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - whatever YAML holds
    """Give the options of the plugin in a mkdocs.yml, none where it has none."""
    plugins = block.get("plugins") if isinstance(block, dict) else None
    for plugin in plugins or []:
        if isinstance(plugin, dict) and "sitemap-index" in plugin:
            yield plugin["sitemap-index"]
