"""Options in a table of pyproject.toml, and flags that count before them."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from smindex_plugins.projects.table import Table, WrongOptionsError, read_settings, read_table
from smindex_plugins.settings import Settings
from tests.support.planted import write


def chosen(given: Mapping[str, object], table: Table) -> Settings:
    problems: list[str] = []
    settings = read_settings(given, table, problems)
    if problems:
        raise WrongOptionsError(problems)
    return settings


def test_a_flag_counts_before_the_table(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool.smindex]\nsection_depth = 3\ngzip = true\n"})
    file = read_table([str(tmp_path)])
    assert chosen({"section_depth": 2}, file) == Settings(section_depth=2, gzip=True)


def test_every_mistake_is_told_with_where_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"pyproject.toml": "[tool.smindex]\nsection_depth = 'x'\nsections = [{name = 'a'}]\n"})
    with pytest.raises(WrongOptionsError) as error:
        chosen({"section_depth": "x", "max_urls": 0, "depends": "{broken"}, read_table([str(tmp_path)]))
    assert error.value.problems == [
        "--section-depth: got 'x'; accepted: a whole number from 0 to 20",
        (
            "--depends: got '{broken'; accepted: URL patterns with lists of file patterns, such as "
            "{'reference/': ['data/*.yml']}"
        ),
        "--max-urls: got 0; accepted: a whole number from 1 to 50,000",
        "pyproject.toml: [tool.smindex] section_depth: got 'x'; accepted: a whole number from 0 to 20",
        (
            "pyproject.toml: [tool.smindex] sections[0]: got {'name': 'a'}; accepted: a name and urls, such as "
            "{name: api, urls: ['reference/']}"
        ),
    ]


def test_the_nearest_table_counts_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "a/b/site"
    write(tmp_path, {"pyproject.toml": "[tool.smindex]\ngzip = true\n", "a/pyproject.toml": "[project]\nname = 'a'\n"})
    inner.mkdir(parents=True)
    assert read_table([str(inner)]).values == {"gzip": True}
    write(tmp_path, {"a/b/pyproject.toml": "[tool.smindex]\n"})
    assert read_table([str(inner)]) == Table(file=str(tmp_path / "a/b/pyproject.toml"))
    (tmp_path / "a/b/pyproject.toml").unlink()
    (tmp_path / "a/.git").mkdir()
    assert read_table([str(inner)]) == Table()
    assert read_table([str(inner), str(tmp_path)]).values == {"gzip": True}


@pytest.mark.parametrize(
    "text", ["not = [toml", "[tool]\nsmindex = 1", "\xff", "a." * 30_000 + "a = 1", "x = " + "[" * 9_999]
)
def test_a_table_that_cannot_be_read_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="latin-1")
    with pytest.raises(WrongOptionsError, match=r"pyproject\.toml: "):
        read_table([str(tmp_path)])


def test_a_pyproject_of_other_tools_has_no_table(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "tool = 1"})
    assert read_table([str(tmp_path)]) == Table()
