"""Settings without effect are warnings in every host, so that its strict mode fails.

Sphinx is in its own file.
"""

import logging
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from smindex_plugins.hosts._unread import misnamed
from smindex_plugins.hosts.pelican_unread import unread_settings
from tests.hosts.pelican_blog import PLUGIN, Blog, Output
from tests.support.project import BASE, FIRST, SMALL, Built, Project

SIMILAR = [
    *(
        "SITEMAP_INDEX",
        "Sitemap_Index",
        "sitemapindex",
        "sitemap-index",
        "site_map_index",
        "sitemap_indx",
    ),
    *("sitmap_index", "sitemap_indexes", "sitemap_idnex", "SITEMAP_INDEX_OPTIONS"),
]
NAMESPACE = ("pelican.plugins.sitemap-index", "pelican.plugins.sitemap_index")


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    blog = Blog(tmp_path / "project")
    blog.article("a.md", tags="t")
    blog.commit(FIRST)
    return blog


def warnings(output: Output) -> list[str]:
    return output.logged(logging.WARNING)


def counted(built: Built, kind: str) -> int:
    return built.log.count(f"[{kind}]")


# --- Names that resemble the right one ---


@pytest.mark.parametrize("name", SIMILAR)
def test_a_dict_whose_name_resembles_that_of_the_options_is_found(name: str) -> None:
    (finding,) = misnamed("sitemap_index", {name: {"gzip": True}}, {})
    assert (finding.check, finding.level, finding.where) == (
        "unread-setting",
        "warning",
        f"the setting `{name}`",
    )
    assert finding.fix == "Rename it to `sitemap_index`."
    (both,) = misnamed("sitemap_index", {name: {"gzip": True}}, {"exclude": ["a/"]})
    assert both.fix == "Move its options to `sitemap_index`, and remove it."


def test_an_option_with_a_name_of_its_own_is_found_unless_its_value_counts() -> None:
    (finding,) = misnamed("sitemap_index", {"sitemap_index_exclude": ["a/"]}, {})
    assert finding.fix == "Write `sitemap_index = {'exclude': ...}`."
    assert not list(
        misnamed("sitemap_index", {"sitemap_index_exclude": ["a/"]}, {"exclude": ["a/"]})
    )


@pytest.mark.parametrize(
    "others",
    [
        {
            "sitemap": {"gzip": True},
            "SITEMAPS": {"a": 1},
            "site_index": {"a": 1},
            "search_index": {"a": 1},
        },
        {
            "sitemap_url": "x",
            "sitemap_index_url": "x",
            "sitemap_index_file": "x",
            "SITEMAP_SAVE_AS": "sitemap.xml",
        },
        {
            "sitemap_indx": "not a dict",
            "SITEMAP_INDEXES": ["a"],
            "sitemapindex": None,
            "Sitemap_Index": {},
        },
        {"exclude": ["a/"], "filter": "f", "images": True},
    ],
)
def test_settings_of_other_tools_and_variables_are_not_taken_for_ours(
    others: Mapping[str, object],
) -> None:
    assert not list(misnamed("sitemap_index", others, {}))


def test_a_variable_from_which_the_options_are_made_is_not_taken_for_a_mistake() -> None:
    base: Mapping[str, object] = {"exclude": ["a/"]}
    assert not list(misnamed("SITEMAP_INDEX", {"sitemap_index": base, "SITEMAP_INDEX": base}, base))
    assert not list(misnamed("SITEMAP_INDEX", {"sitemap_index": base}, {**base, "gzip": True}))


# --- MkDocs and ProperDocs ---


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
@pytest.mark.parametrize(
    ("first", "second"), [("sitemap-index", "sitemap_index"), ("sitemap_index", "sitemap-index")]
)
def test_of_two_entries_of_the_plugin_the_first_counts_and_a_strict_build_fails(
    project: Project, host: str, first: str, second: str
) -> None:
    project.small(
        "search", f"{first}: {{exclude: [guide/a/]}}", f"{second}: {{gzip: true}}", theme="mkdocs"
    )
    (project.root / "mkdocs.yml").rename(project.root / f"{host}.yml")
    built = project.build(host=host)
    assert built.code == 0, built.log
    assert built.pages == {url: date for url, date in SMALL.items() if url != f"{BASE}guide/a/"}
    assert built.log.count("sections, ") + built.log.count("section, ") == 1
    assert built.log.count("[unread-setting]") == 1
    assert (
        f"plugins: {second}: it has no effect, because it is the same plugin as `{first}`"
        in built.log
    )
    assert project.build("--strict", host=host).code == 1


def test_the_same_entry_twice_is_written_once(project: Project) -> None:
    project.small("sitemap-index: {exclude: [guide/a/]}", "sitemap-index")
    built = project.build()
    assert f"{BASE}guide/a/" not in built.pages
    assert "plugins: sitemap-index #2: it has no effect" in built.log


def test_a_second_entry_is_found_with_inherited_plugins_but_not_if_it_is_disabled(
    project: Project,
) -> None:
    project.small()
    project.write("base.yml", "plugins:\n  sitemap-index:\n    exclude: [guide/a/]\n")
    lines = f"INHERIT: base.yml\nsite_name: Test\nsite_url: {BASE}\nplugins:\n  sitemap_index:\n"
    project.write("mkdocs.yml", f"{lines}    gzip: true\n")
    built = project.build("--strict")
    assert (built.code, counted(built, "unread-setting")) == (1, 1)
    assert f"{BASE}guide/a/" not in built.pages
    project.write("mkdocs.yml", f"{lines}    enabled: false\n")
    assert project.build("--strict").code == 0


def test_a_second_entry_is_said_once_without_an_address_and_in_each_language(
    project: Project,
) -> None:
    languages = "{locale: en, default: true, name: E}, {locale: fr, name: F}"
    i18n = f"i18n: {{docs_structure: suffix, languages: [{languages}]}}"
    project.small("sitemap-index", i18n)
    project.pages("guide/a.fr.md")
    project.commit(FIRST)
    one = project.build("--strict")
    assert (one.code, counted(one, "unread-setting")) == (0, 0), one.log
    project.config("sitemap-index", "sitemap_index: {exclude: [guide/]}", i18n)
    both = project.build()
    assert both.pages == one.pages
    assert counted(both, "unread-setting") == 1
    project.config("sitemap-index", "sitemap_index", site_url="")
    assert counted(project.build(), "unread-setting") == 1


@pytest.mark.parametrize("name", ["no-sitemap", "mkdocs-sitemap-exclusion"])
def test_another_plugin_for_the_sitemap_is_named_once(project: Project, name: str) -> None:
    """A plugin that does nothing stands for each: they are known by their names."""
    project.write(
        "installed/other.py",
        "from mkdocs.plugins import BasePlugin\n\nclass Other(BasePlugin):\n    pass\n",
    )
    project.write("installed/other-1.dist-info/METADATA", "Name: other\nVersion: 1\n")
    project.write(
        "installed/other-1.dist-info/entry_points.txt", f"[mkdocs.plugins]\n{name} = other:Other\n"
    )
    project.small("sitemap-index", name)
    path = os.pathsep.join([str(project.root / "installed"), os.environ.get("PYTHONPATH", "")])
    built = project.build("--strict", PYTHONPATH=path)
    assert (built.code, counted(built, "other-sitemap-tool")) == (1, 1)
    assert f"plugins: {name}: " in built.log


# --- Options in pyproject.toml ---


@pytest.mark.parametrize(
    ("table", "is_read_nowhere"),
    [
        ("exclude = ['guide/']", True),
        ("directory = 'site'\ngzip = true", True),
        ("directory = 'public'\nexclude = ['guide/']", False),
        ("site_url = 'https://e.org/'\nsources = 'docs/{path}.md'", False),
        ("exclude = ['drafts/']", False),
    ],
    ids=["here", "for this site", "for another site", "only of the command", "the same"],
)
def test_options_for_the_command_that_differ_from_those_of_a_build_are_a_warning(
    project: Project, table: str, *, is_read_nowhere: bool
) -> None:
    project.pages("drafts/d.md")
    project.small("sitemap-index: {exclude: [drafts/]}")
    project.write("pyproject.toml", f"[tool.smindex]\n{table}\n")
    built = project.build("--strict")
    assert (built.code, counted(built, "unread-setting")) == (
        is_read_nowhere,
        is_read_nowhere,
    ), built.log
    if is_read_nowhere:
        assert "pyproject.toml: [tool.smindex]: this build reads mkdocs.yml instead" in built.log


def test_options_above_the_project_are_for_another_one(project: Project) -> None:
    inner = Project(project.root / "manual")
    inner.small()
    project.write("pyproject.toml", "[tool.smindex]\nexclude = ['guide/']\n")
    assert inner.build("--strict").code == 0


# --- Pelican ---


@pytest.mark.parametrize("imported", [False, True], ids=["in the file", "in an imported file"])
def test_options_in_lower_case_are_found_although_pelican_never_sees_them(
    blog: Blog, *, imported: bool
) -> None:
    blog.configure()
    settings, name = blog.root / "pelicanconf.py", "pelicanconf.py"
    with settings.open("a") as file:
        file.write("sitemap_index = {'exclude': ['tag/']}\n")
    if imported:
        name = "publishconf.py"
        blog.write(name, "import os, sys\nsys.path.append(os.curdir)\nfrom pelicanconf import *\n")
    done = blog.command("-s", name, "--fatal=warnings", check=False)
    assert done.returncode == 1
    assert done.stdout.count("[unread-setting]") == 1
    assert "the setting `sitemap_index`: nothing reads it" in done.stdout
    with settings.open("a") as file:
        file.write("SITEMAP_INDEX = sitemap_index | {'gzip': True}\n")
    blog.command("-s", name, "--fatal=warnings")


def test_options_left_over_from_pelican_sitemap_are_named_with_their_equivalents(
    blog: Blog,
) -> None:
    theirs = {
        "format": "xml",
        "exclude": ["^tag/"],
        "priorities": {"articles": 0.5},
        "changefreqs": {},
    }
    (warning,) = warnings(blog.run(SITEMAP=theirs))
    assert (
        "pelican-sitemap, which doesn't run: format, exclude, priorities, changefreqs." in warning
    )
    assert (
        "Instead of `exclude`, set `exclude` in SITEMAP_INDEX to a list of URL patterns" in warning
    )
    assert "Search engines ignore priorities and change frequencies." in warning
    (moved,) = warnings(
        blog.run(SITEMAP={"exclude": ["^tag/"]}, SITEMAP_INDEX={"exclude": ["tag/"]})
    )
    assert "Instead of" not in moved
    (ours,) = warnings(blog.run(SITEMAP={"section_depth": 2}))
    assert "set `section_depth` in SITEMAP_INDEX" in ours
    (extended,) = warnings(blog.run(EXTENDED_SITEMAP_PLUGIN={"changefrequencies": {}}))
    assert "pelican-extended-sitemap, which doesn't run: changefrequencies." in extended


def test_settings_of_a_theme_or_an_empty_dict_are_no_leftovers(blog: Blog) -> None:
    assert not warnings(
        blog.run(SITEMAP={"title": "Map"}, SITEMAP_TITLE="Map", SITEMAP_SAVE_AS="map.html")
    )
    assert not warnings(blog.run(SITEMAP={}))


def test_beside_pelican_sitemap_there_is_one_warning_whatever_its_options_are(blog: Blog) -> None:
    blog.configure(PLUGINS=[PLUGIN, "sitemap"], SITEMAP={"exclude": ["^tag/"]})
    done = blog.command("--fatal=warnings", check=False)
    assert done.returncode == 1
    assert (done.stdout.count("[other-sitemap-tool]"), done.stdout.count("[unread-setting]")) == (
        1,
        0,
    )


def test_two_names_of_the_plugin_are_a_warning_but_not_those_that_pelican_finds_itself(
    blog: Blog,
) -> None:
    blog.configure(PLUGINS=[PLUGIN, "sitemap_index"])
    # only a wheel has the module in the namespace of Pelican
    if "Cannot load plugin" not in blog.command().stdout:
        assert "PLUGINS: 2 entries are this plugin" in blog.command().stdout
    pelican = blog.settings()
    pelican["PLUGINS"] = list(NAMESPACE)
    assert not list(unread_settings(pelican))
    pelican["PLUGINS"] = [NAMESPACE[1]] * 2
    assert [finding.where for finding in unread_settings(pelican)] == ["PLUGINS"]


def test_options_of_a_subsite_that_shares_the_index_are_a_warning(blog: Blog) -> None:
    options = {"exclude": ["tag/"]}
    languages = {
        "de": {"SITEMAP_INDEX": options},
        "fr": {"SITEURL": "https://fr.example", "SITEMAP_INDEX": options},
    }
    output = blog.run_apart(PLUGIN, "i18n_subsites", I18N_SUBSITES=languages)
    assert output.log.count("[unread-setting]") == 1
    assert "/de/: SITEMAP_INDEX: it has no effect" in output.log
    same = blog.run_apart(PLUGIN, "i18n_subsites", I18N_SUBSITES={"de": {}}, SITEMAP_INDEX=options)
    assert "[unread-setting]" not in same.log
