"""What `smindex build` finds out by itself, and who counts before whom."""

import re
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.projects import Project, WrongOptionsError, find_project
from smindex_plugins.settings import Settings
from tests.support.planted import write

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
PAGE = '<!doctype html><link rel="canonical" href="https://page.example/"><p>Text'
CONFIGURATION = "[project]\nsite_url = 'https://zensical.example/z'\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the directory in which the command is run, with a built site."""
    (tmp_path / "here/.git").mkdir(parents=True)
    write(tmp_path / "here", {"site/index.html": PAGE})
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def problems(target: str | None = None, *sources: str, **options: object) -> list[str]:
    with pytest.raises(WrongOptionsError) as error:
        find_project(target, sources=sources, options=options)
    return error.value.problems


def told(project: Project) -> list[str]:
    return [f"{what}: {found}" for what, found in project.told.items()]


def test_beside_a_configuration_everything_is_found(here: Path) -> None:
    write(here, {"zensical.toml": CONFIGURATION})
    assert told(find_project()) == [
        "site: https://zensical.example/z/ (site_url in zensical.toml)",
        "output: site (zensical.toml)",
        "sources: docs/{path}.md, .markdown, .html, .ipynb (zensical.toml)",
    ]


@pytest.mark.parametrize("target", ["site", "."])
def test_the_site_or_its_project_can_be_named(here: Path, target: str) -> None:
    write(here, {"zensical.toml": CONFIGURATION})
    project = find_project(target)
    assert project.rendered == find_project().rendered
    assert project.rendered.directory == str(here / "site")


def test_a_project_can_be_named_from_elsewhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, {"zensical.toml": CONFIGURATION, "pyproject.toml": "[tool.smindex]\ngzip = true\n"})
    expected = find_project().rendered
    monkeypatch.chdir(here.parent)
    project = find_project("here")
    assert (project.rendered, project.settings.gzip) == (expected, True)


def test_flags_count_before_the_table_that_before_the_configuration_and_that_before_the_pages(here: Path) -> None:
    def site() -> str:
        return find_project("site").told["site"]

    assert site() == "https://page.example/ (the canonical URL of index.html)"
    write(here, {"zensical.toml": CONFIGURATION})
    assert site() == "https://zensical.example/z/ (site_url in zensical.toml)"
    write(here, {"pyproject.toml": "[tool.smindex]\nsite_url = 'https://table.example'\nsources = 'text/{path}.md'\n"})
    assert site() == "https://table.example/ (pyproject.toml: [tool.smindex] site_url)"
    assert find_project("site").told["sources"] == "text/{path}.md (pyproject.toml)"
    flags = find_project("site", site_url="https://flag.example", sources=("a/{path}.md", "b/{path}.yml"))
    assert flags.told["site"] == "https://flag.example/ (--site-url)"
    assert flags.told["sources"] == "a/{path}.md, b/{path}.yml (--sources)"


def test_a_table_can_say_all_that_flags_say(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = (
        "[tool.smindex]\ndirectory = 'site'\nsite_url = 'https://e.org'\nsources = ['a/{path}.md', 'b/{path}.md']\n"
        "clean_urls = true\nsection_depth = 2\n"
    )
    write(here, {"pyproject.toml": table})
    project = find_project()
    assert project.rendered.directory == str(here / "site")
    assert project.rendered.patterns == (str(here / "a/{path}.md"), str(here / "b/{path}.md"))
    assert project.rendered.has_clean_urls
    assert project.settings.section_depth == 2
    assert not find_project(clean_urls=False).rendered.has_clean_urls
    assert project.told["output"] == "site (pyproject.toml)"
    monkeypatch.chdir(here.parent)
    assert find_project("here").rendered.directory == str(here / "site")


def test_the_table_that_the_readme_shows_is_accepted(here: Path) -> None:
    (table,) = re.findall(r"```toml\n(\[tool\.smindex\]\n.*?)```", README, re.DOTALL)
    write(here, {"pyproject.toml": table, "public/index.html": PAGE})
    project = find_project()
    assert project.rendered.directory == str(here / "public")
    assert project.settings == Settings(exclude=("drafts/",), robots_txt="write")


def test_a_table_is_found_where_the_command_is_run(here: Path, tmp_path: Path) -> None:
    write(here, {"pyproject.toml": "[tool.smindex]\ngzip = true\n"})
    write(tmp_path / "elsewhere", {"index.html": PAGE, ".git/a": ""})
    assert find_project(str(tmp_path / "elsewhere")).settings.gzip


def test_a_site_that_was_built_elsewhere_has_the_configuration_that_is_here(here: Path, tmp_path: Path) -> None:
    write(here, {"zensical.toml": CONFIGURATION})
    write(tmp_path / "out", {"index.html": PAGE})
    target = str(tmp_path / "out")
    assert find_project(target).rendered.site_url == "https://page.example/"  # the configuration names another
    (here / "site").rename(here / "moved")
    assert find_project(target).rendered.site_url == "https://zensical.example/z/"


def test_a_site_with_a_generator_inside_it_is_a_site(here: Path) -> None:
    write(here, {"index.html": PAGE, "zensical.toml": CONFIGURATION})
    assert find_project(".").rendered.directory == str(here)


def test_all_that_is_wrong_is_told_at_once(here: Path) -> None:
    table = (
        "[tool.smindex]\nsite_url = 1\nsources = ['a']\nclean_urls = 'yes'\nsite_ur = ''\nsection_depth = 99\n"
        "directory = ''\n"
    )
    write(here, {"pyproject.toml": table})
    found = problems("nowhere", "docs", max_urls="x")
    assert [problem.partition(": got")[0].partition(": no such")[0].partition(": there")[0] for problem in found] == [
        "--sources",
        "pyproject.toml: [tool.smindex] site_ur",
        "pyproject.toml: [tool.smindex] directory",
        "pyproject.toml: [tool.smindex] site_url",
        "pyproject.toml: [tool.smindex] sources[0]",
        "pyproject.toml: [tool.smindex] clean_urls",
        "--max-urls",
        "pyproject.toml: [tool.smindex] section_depth",
        "nowhere",
    ]
    assert "did you mean 'site_url'?" in found[1]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"zensical.toml": "[project]\n", "site/index.html": ""}, "Add site_url to zensical.toml, or give --site-url "),
        ({"hugo.toml": "baseURL = '/'\n", "public/a.html": ""}, "Add baseURL to hugo.toml, or give --site-url "),
        ({"mkdocs.yml": "site_url: [\n", "site/a.html": ""}, "mkdocs.yml: it cannot be read: "),
        ({"mkdocs.yml": "site_url: e.org\n"}, "site_url in mkdocs.yml: 'e.org/' is not an absolute http or https URL."),
        ({"hugo.toml": ""}, "public: there is no such directory (hugo.toml). Build the site first"),
        ({"pyproject.toml": "not = [toml"}, "pyproject.toml: it cannot be read: "),
    ],
)
def test_what_is_missing_is_said_with_where_to_write_it(
    here: Path, files: dict[str, str | bytes], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, files)
    (found,) = problems()
    assert problem in found
    assert main(["build"]) == 2
    assert capsys.readouterr().err == f"smindex: {found}\n"
