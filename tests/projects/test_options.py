"""Options of the command: as flags, and in a table of pyproject.toml."""

import argparse
from pathlib import Path

import pytest

from smindex_plugins.cli import arguments
from smindex_plugins.model import NamedSection, Publication
from smindex_plugins.projects import options
from smindex_plugins.projects.options import Table, WrongOptionsError
from smindex_plugins.settings import OPTIONS, Settings
from tests.support.planted import write


def parsed(*arguments: str) -> dict[str, object]:
    parser = argparse.ArgumentParser()
    options.add_flags(parser)
    return options.flags(parser.parse_args(arguments))


def test_there_is_a_flag_for_every_option_and_its_default_is_not_given() -> None:
    parser = argparse.ArgumentParser()
    options.add_flags(parser)
    arguments.add_cross_site(parser)
    shown = parser.format_help()
    assert all(f" --{option.name.replace('_', '-')}" in shown for option in OPTIONS)
    assert "`" not in shown
    assert parsed() == {}


@pytest.mark.parametrize(
    ("arguments", "option", "value"),
    [
        (["--section-depth", "2"], "section_depth", 2),
        (["--gzip"], "gzip", True),
        (["--no-pagination"], "pagination", False),
        (["--exclude", "drafts/", "--exclude", "*.html"], "exclude", ("drafts/", "*.html")),
        (["--lastmod", "off"], "lastmod", "off"),
        (["--ignore-revs-file", ".revs"], "ignore_revs_file", ".revs"),
        (["--news", "{name: The Times, language: en}"], "news", Publication(name="The Times", language="en")),
        (["--depends", "{'a/': ['b/*.yml']}"], "depends", (("a/", ("b/*.yml",)),)),
        (["--sections", "[{name: api, urls: ['r/']}]"], "sections", (NamedSection(name="api", urls=("r/",)),)),
    ],
)
def test_what_a_flag_gives(arguments: list[str], option: str, value: object) -> None:
    chosen = options.settings(parsed(*arguments), Table())
    assert getattr(chosen, option) == value


def test_a_flag_counts_before_the_table(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool.smindex]\nsection_depth = 3\ngzip = true\n"})
    file = options.table([str(tmp_path)])
    assert options.settings(parsed("--section-depth", "2"), file) == Settings(section_depth=2, gzip=True)


def test_every_mistake_is_told_with_where_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path, {"pyproject.toml": "[tool.smindex]\nsection_depth = 'x'\nsections = [{name = 'a'}]\ngzipp = true\n"}
    )
    with pytest.raises(WrongOptionsError) as error:
        options.settings(
            parsed("--section-depth", "x", "--max-urls", "0", "--news", "{broken"), options.table([str(tmp_path)])
        )
    assert error.value.problems == [
        "--section-depth: got 'x'; accepted: a whole number from 0 to 20",
        "--news: got '{broken'; accepted: a name and a language, such as {name: The Example Times, language: en}",
        "--max-urls: got 0; accepted: a whole number from 1 to 50,000",
        "pyproject.toml: [tool.smindex] gzipp: no such option; did you mean 'gzip'?",
        "pyproject.toml: [tool.smindex] section_depth: got 'x'; accepted: a whole number from 0 to 20",
        (
            "pyproject.toml: [tool.smindex] sections[0]: got {'name': 'a'}; accepted: a name and urls, such as "
            "{name: api, urls: ['reference/']}"
        ),
    ]


def test_two_options_that_do_not_go_together_are_told_too() -> None:
    with pytest.raises(WrongOptionsError, match=r"index_filename: got 'sitemap-news\.xml'"):
        options.settings(
            {"index_filename": "sitemap-news.xml"}, Table(values={"news": {"name": "N", "language": "en"}})
        )


def test_the_nearest_table_counts_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "a/b/site"
    write(tmp_path, {"pyproject.toml": "[tool.smindex]\ngzip = true\n", "a/pyproject.toml": "[project]\nname = 'a'\n"})
    inner.mkdir(parents=True)
    assert options.table([str(inner)]).values == {"gzip": True}
    write(tmp_path, {"a/b/pyproject.toml": "[tool.smindex]\n"})
    assert options.table([str(inner)]) == Table(file=str(tmp_path / "a/b/pyproject.toml"))
    (tmp_path / "a/b/pyproject.toml").unlink()
    (tmp_path / "a/.git").mkdir()
    assert options.table([str(inner)]) == Table()
    assert options.table([str(inner), str(tmp_path)]).values == {"gzip": True}


@pytest.mark.parametrize("text", ["not = [toml", "[tool]\nsmindex = 1", "\xff"])
def test_a_table_that_cannot_be_read_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="latin-1")
    with pytest.raises(WrongOptionsError, match=r"pyproject\.toml: "):
        options.table([str(tmp_path)])


def test_a_pyproject_of_other_tools_has_no_table(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "tool = 1"})
    assert options.table([str(tmp_path)]) == Table()
