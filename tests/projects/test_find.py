"""What `smindex build` finds out by itself, and who counts before whom."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.projects import Project, WrongOptionsError, find_project, sources
from smindex_plugins.settings import Settings
from tests.support.planted import write

MANUAL = (Path(__file__).parents[2] / "sample_sites/mkdocs/docs/start/any-generator.md").read_text(encoding="utf-8")
PAGE = '<!doctype html><link rel="canonical" href="https://page.example/"><p>Text'
OUTPUT: dict[str, str | bytes] = {"output/index.html": PAGE}
EMPTY: dict[str, str | bytes] = {"site/index.html": ""}
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
        find_project(target, sources=sources or None, **options)
    return error.value.problems


def notes(project: Project) -> list[str]:
    return [f"{what}: {found}" for what, found in project.notes.items()]


def test_beside_a_configuration_everything_is_found(here: Path) -> None:
    write(here, {"zensical.toml": CONFIGURATION})
    assert notes(find_project()) == [
        "site: https://zensical.example/z/ (zensical.toml: site_url)",
        "output: site (zensical.toml)",
        "sources: docs/{path}.md, .markdown, .html, .ipynb (zensical.toml)",
    ]


@pytest.mark.parametrize("target", ["site", "."])
def test_the_site_or_its_project_can_be_named(here: Path, target: str) -> None:
    write(here, {"zensical.toml": CONFIGURATION})
    site = find_project(target).site
    assert replace(site, directory_from="zensical.toml") == find_project().site
    assert site.directory == str(here / "site")


def test_a_project_can_be_named_from_elsewhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, {"zensical.toml": CONFIGURATION, "pyproject.toml": "[tool.smindex]\ngzip = true\n"})
    expected = find_project().site
    monkeypatch.chdir(here.parent)
    site = find_project("here").site
    assert (site.directory, site.url, site.sources) == (expected.directory, expected.url, expected.sources)
    assert site.settings.gzip


def test_flags_count_before_the_table_that_before_the_configuration_and_that_before_the_pages(here: Path) -> None:
    def site() -> str:
        return find_project("site").notes["site"]

    assert site() == "https://page.example/ (the canonical URL of index.html)"
    write(here, {"zensical.toml": CONFIGURATION})
    assert site() == "https://zensical.example/z/ (zensical.toml: site_url)"
    write(here, {"pyproject.toml": "[tool.smindex]\nsite_url = 'https://table.example'\nsources = 'text/{path}.md'\n"})
    assert site() == "https://table.example/ (pyproject.toml: [tool.smindex] site_url)"
    assert find_project("site").notes["sources"] == "text/{path}.md (pyproject.toml)"
    flags = find_project("site", site_url="https://flag.example", sources=("a/{path}.md", "b/{path}.yml"))
    assert flags.notes["site"] == "https://flag.example/ (--site-url)"
    assert flags.notes["sources"] == "a/{path}.md, b/{path}.yml (--sources)"


def test_a_table_can_say_all_that_flags_say(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = (
        "[tool.smindex]\ndirectory = 'site'\nsite_url = 'https://e.org'\nsources = ['a/{path}.md', 'b/{path}.md']\n"
        "clean_urls = true\nsection_depth = 2\n"
    )
    write(here, {"pyproject.toml": table})
    project = find_project()
    assert project.site.directory == str(here / "site")
    assert project.site.sources.patterns == (str(here / "a/{path}.md"), str(here / "b/{path}.md"))
    assert project.site.has_clean_urls
    assert project.site.settings.section_depth == 2
    assert not find_project(clean_urls=False).site.has_clean_urls
    assert project.notes["output"] == "site (pyproject.toml)"
    monkeypatch.chdir(here.parent)
    assert find_project("here").site.directory == str(here / "site")


def test_the_table_that_the_manual_shows_is_accepted(here: Path) -> None:
    (table,) = re.findall(r"^(\[tool\.smindex\]\n.*?)^END$", MANUAL, re.DOTALL | re.MULTILINE)
    write(here, {"pyproject.toml": table, "public/index.html": PAGE})
    project = find_project()
    assert project.site.directory == str(here / "public")
    assert project.site.sources.patterns == (str(here / "src/{path}/{name}.md"),)
    assert project.site.settings == Settings(exclude=("drafts/",), robots_txt="write")


def test_a_table_is_found_where_the_command_is_run(here: Path, tmp_path: Path) -> None:
    write(here, {"pyproject.toml": "[tool.smindex]\ngzip = true\n"})
    write(tmp_path / "elsewhere", {"index.html": PAGE, ".git/a": ""})
    assert find_project(str(tmp_path / "elsewhere")).site.settings.gzip


def test_a_site_that_was_built_elsewhere_has_the_configuration_that_is_here(here: Path, tmp_path: Path) -> None:
    write(here, {"zensical.toml": CONFIGURATION})
    write(tmp_path / "out", {"index.html": PAGE})
    target = str(tmp_path / "out")
    assert find_project(target).site.url == "https://page.example/"  # the configuration names another
    (here / "site").rename(here / "moved")
    assert find_project(target).site.url == "https://zensical.example/z/"


def test_a_site_with_a_generator_inside_it_is_a_site(here: Path) -> None:
    write(here, {"index.html": PAGE, "zensical.toml": CONFIGURATION})
    assert find_project(".").site.directory == str(here)


def test_all_mistakes_are_reported_at_once(here: Path) -> None:
    table = (
        "[tool.smindex]\nsite_url = 1\nsources = ['a']\nclean_urls = 'yes'\nsite_ur = ''\nsection_depth = 99\n"
        "directory = ''\n"
    )
    write(here, {"pyproject.toml": table})
    found = problems("nowhere", "docs", max_urls="x")
    assert [problem.partition(": got")[0].partition(": no such")[0].partition(": there")[0] for problem in found] == [
        "--sources",
        "--set max_urls",
        "pyproject.toml: [tool.smindex] site_ur",
        "pyproject.toml: [tool.smindex] directory",
        "pyproject.toml: [tool.smindex] site_url",
        "pyproject.toml: [tool.smindex] sources[0]",
        "pyproject.toml: [tool.smindex] clean_urls",
        "pyproject.toml: [tool.smindex] section_depth",
        "nowhere",
    ]
    assert "did you mean 'site_url'?" in found[2]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"zensical.toml": "[project]\n", **EMPTY}, "Set site_url in zensical.toml to a full URL ("),
        ({"hugo.toml": "baseURL = '/'\n", "public/a.html": ""}, "Set baseURL in hugo.toml to a full URL ("),
        ({"hugo.toml": "", "public/a.html": ""}, "Set baseURL in hugo.toml to a full URL ("),
        ({"mkdocs.yml": "site_url: !ENV NO_SUCH_1\n", **EMPTY}, "Set site_url in mkdocs.yml to a full URL ("),
        ({"mkdocs.yml": "site_url: null\n", **EMPTY}, "Set site_url in mkdocs.yml to a full URL ("),
        ({"mkdocs.yml": "site_url: [https://e.org]\n", **EMPTY}, "Set site_url in mkdocs.yml to a full URL ("),
        (
            {"pelicanconf.py": "SITEURL = made()\n", "output/a.html": ""},
            "Set SITEURL in pelicanconf.py to a full URL (",
        ),
        ({"hugo.toml": "", "public/a.css": ""}, "public: there is no HTML in it. Run `hugo` first."),
        ({"mkdocs.yml": "site_url: [\n", "site/a.html": ""}, "mkdocs.yml: it cannot be read: "),
        ({"mkdocs.yml": "site_url: e.org\n"}, "mkdocs.yml: site_url 'e.org' does not begin with https:// or http://; "),
        (
            {"hugo.toml": ""},
            "public: there is no such directory, where hugo.toml says that the site is built. Run `hugo` ",
        ),
        ({"pyproject.toml": "not = [toml"}, "pyproject.toml: it cannot be read: "),
    ],
)
def test_a_missing_value_is_reported_with_where_to_write_it(
    here: Path, files: dict[str, str | bytes], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, files)
    (found,) = problems()
    assert problem in found
    assert main(["build"]) == 2
    assert capsys.readouterr().err == f"smindex: {found}\n"


def test_a_site_for_its_author_and_one_for_all_do_not_contradict_each_other(here: Path) -> None:
    configurations = {
        "publishconf.py": "SITEURL = 'https://e.org'",
        "pelicanconf.py": "SITEURL = 'http://localhost:8000'",
    }
    write(here, {**configurations, "output/index.html": PAGE})
    assert notes(find_project())[:2] == [
        "site: https://e.org/ (publishconf.py: SITEURL)",
        "output: output (publishconf.py)",
    ]


def test_a_configuration_that_cannot_be_read_is_a_warning_where_the_site_is_named(here: Path) -> None:
    write(here, {"mkdocs.yml": "a: 1\nsite_url: [\n"})
    project = find_project("site")
    assert project.notes["sources"] == "the HTML files themselves"
    (finding,) = project.findings
    assert (finding.check, finding.where) == ("unread-options", "mkdocs.yml")
    assert finding.problem.startswith("the options of the plugin cannot be read there: line 3: ")


def test_an_empty_name_is_no_directory(here: Path) -> None:
    write(here, {"index.html": PAGE})
    assert problems("") == ["the name of the directory is empty. Leave it out for the project here."]


def test_a_table_for_one_directory_does_not_apply_to_another(here: Path) -> None:
    table = "[tool.smindex]\ndirectory = 'public'\nsources = 'text/{path}.md'\nclean_urls = true\ngzip = true\n"
    write(here, {"pyproject.toml": table})
    project = find_project("site")
    assert not project.site.has_clean_urls
    assert project.notes["sources"] == "the HTML files themselves"
    assert project.site.settings.gzip


@pytest.mark.usefixtures("here")
def test_a_pattern_in_a_missing_directory_is_reported() -> None:
    (finding,) = find_project("site", sources=["nowhere/{path}.md"]).site.sources.unmatched(["a.html"], "site")
    assert finding.problem == "'nowhere/{path}.md' finds no file for any page; there is no directory nowhere."


def test_a_better_pattern_is_searched_once_for_all_that_find_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = list[str]()

    def suggest_pattern(_: Iterable[str], directory: str) -> str:
        searched.append(directory)
        return "x/{path}.md"

    monkeypatch.setattr(sources, "suggest_pattern", suggest_pattern)
    missing = sources.SourcePatterns(patterns=("/nowhere/{path}.md", "/nowhere/{path}.rst"))
    assert ["'x/{path}.md'" in finding.fix for finding in missing.unmatched(["a.html"], "site")] == [True, True]
    assert searched == ["site"]


HOST = "site_name: A\nsite_url: https://e.org/\nplugins:\n  - search\n  - {}:\n      exclude: [drafts/]\n      gzip:\n"


SPHINX = "html_baseurl = 'https://e.org/'\nextensions = ['smindex_plugins.sphinx']\n"


@pytest.mark.parametrize("name", ["sitemap-index", "sitemap_index"])
def test_the_options_of_the_plugin_count_where_neither_a_flag_nor_the_table_says_otherwise(
    here: Path, name: str
) -> None:
    write(here, {"mkdocs.yml": HOST.format(name)})
    project = find_project()
    assert project.site.settings == Settings(exclude=("drafts/",))
    assert notes(project)[-1] == "options: exclude (mkdocs.yml)"
    write(here, {"pyproject.toml": "[tool.smindex]\ngzip = true\n"})
    project = find_project(exclude=["shed/"])
    assert project.site.settings == Settings(exclude=("shed/",), gzip=True)
    assert notes(project)[-1] == "options: none (mkdocs.yml)"


def test_pelican_leaves_out_later_pages_where_its_options_do_not_list_them(here: Path) -> None:
    write(here, {"publishconf.py": "SITEURL = 'https://e.org'\nSITEMAP_INDEX = {'exclude': ['tag/']}\n", **OUTPUT})
    assert find_project().site.settings == Settings(exclude=("tag/",), pagination=False)
    write(here, {"publishconf.py": "SITEURL = 'https://e.org'\n"})
    assert find_project().site.settings == Settings()  # the plugin may not run at all


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("mkdocs.yml", HOST.format("sitemap-index").replace("[drafts/]", "3"), "exclude: got 3; accepted: a list of"),
        (
            "pelicanconf.py",
            "SITEURL = 'https://e.org'\nSITEMAP_INDEX = {'gzip': A}\n",
            "is not a dict of plain values.",
        ),
        (
            "pelicanconf.py",
            "SITEURL = 'https://e.org'\nSITEMAP_INDEX = MINE\n",
            "SITEMAP_INDEX is not a dict of plain ",
        ),
        ("pelicanconf.py", "SITEURL = 'https://e.org'\nSITEMAP_INDEX = 'tag/'\n", "SITEMAP_INDEX is not a dict of "),
        ("conf.py", f"{SPHINX}sitemap_index = ['tag/']\n", "sitemap_index is not a dict of plain values."),
    ],
)
def test_options_of_the_plugin_that_cannot_be_read_are_a_warning(
    here: Path, name: str, text: str, problem: str
) -> None:
    write(here, {name: text, **OUTPUT})
    project = find_project(None if name == "pelicanconf.py" else "site")
    (finding,) = project.findings
    assert (finding.check, finding.level, finding.where) == ("unread-options", "warning", name)
    assert finding.problem.startswith("the options of the plugin cannot be read there: ")
    assert problem in finding.problem
    assert project.site.settings == Settings()
