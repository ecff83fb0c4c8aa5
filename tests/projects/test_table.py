"""Options in a table of pyproject.toml, and flags that count before them."""

from pathlib import Path

import pytest

from smindex_plugins.projects import BuiltSite, WrongOptionsError, find_project, find_site
from smindex_plugins.settings import Settings
from tests.support.planted import write

PAGE = "<!doctype html><p>Text"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the directory in which the command is run, with a built site in it."""
    write(tmp_path, {"index.html": PAGE})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def built(target: Path | str, **flags: object) -> BuiltSite:
    return find_project(str(target), site_url="https://e.org/", **flags).site


def test_a_flag_counts_before_the_table(here: Path) -> None:
    write(here, {"pyproject.toml": "[tool.smindex]\nsection_depth = 3\ngzip = true\n"})
    assert built(here, section_depth=2).settings == Settings(section_depth=2, gzip=True)


def test_every_mistake_is_reported_with_where_it_was_made(here: Path) -> None:
    write(here, {"pyproject.toml": "[tool.smindex]\nsection_depth = 'x'\nsections = [{name = 'a'}]\n"})
    with pytest.raises(WrongOptionsError) as error:
        built(here, section_depth="x", max_urls=0, depends="{broken")
    assert error.value.problems == [
        "--set section_depth: got 'x'; accepted: a whole number from 0 to 20",
        (
            "--set depends: got '{broken'; accepted: URL patterns with lists of file patterns, such as {'reference/': "
            "['data/*.yml']}"
        ),
        "--set max_urls: got 0; accepted: a whole number from 1 to 50,000",
        "pyproject.toml: [tool.smindex] section_depth: got 'x'; accepted: a whole number from 0 to 20",
        (
            "pyproject.toml: [tool.smindex] sections[0]: got {'name': 'a'}; accepted: a name and urls, such as "
            "{name: api, urls: ['reference/']}"
        ),
    ]


def test_two_options_that_do_not_go_together_are_reported_too(here: Path) -> None:
    write(here, {"pyproject.toml": "[tool.smindex]\nlastmod = 'off'\n"})
    with pytest.raises(WrongOptionsError, match=r"undated: got 'fail'"):
        built(here, undated="fail")


def test_the_nearest_table_counts_up_to_the_root_of_the_repository(here: Path) -> None:
    inner = here / "a/b/site"
    write(
        here,
        {
            "pyproject.toml": "[tool.smindex]\ngzip = true\n",
            "a/pyproject.toml": "[project]\nname = 'a'\n",
            "a/b/site/index.html": PAGE,
        },
    )
    assert built(inner).settings_file == "pyproject.toml"
    write(here, {"a/b/pyproject.toml": "[tool.smindex]\n"})
    assert (built(inner).settings_file, built(inner).settings) == ("a/b/pyproject.toml", Settings())
    (here / "a/b/pyproject.toml").unlink()
    (here / "a/.git").mkdir()
    assert built(inner).settings.gzip, "the table where the command is run"
    (here / "pyproject.toml").unlink()
    assert built(inner).settings_file == ""


@pytest.mark.parametrize("text", ["not = [toml", "[tool]\nsmindex = 1", "\xff", "x = " + "[" * 9_999])
def test_a_table_that_cannot_be_read_is_an_error(here: Path, text: str) -> None:
    (here / "pyproject.toml").write_text(text, encoding="latin-1")
    with pytest.raises(WrongOptionsError, match=r"pyproject\.toml: "):
        find_site(str(here))


def test_a_pyproject_of_other_tools_has_no_table(here: Path) -> None:
    write(here, {"pyproject.toml": "tool = 1"})
    assert find_site(str(here)).settings_file == ""
