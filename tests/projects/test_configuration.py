"""What the configuration of each generator says about a site."""

import os
import sys
from pathlib import Path

import pytest

from smindex_plugins.projects._configuration import Plugin, configuration_of
from smindex_plugins.projects.find import configured_address
from tests.support.planted import write


@pytest.mark.parametrize(
    ("name", "text", "address"),
    [
        ("mkdocs.yml", "site_name: A\nsite_url: https://e.org/docs\n", "https://e.org/docs/"),
        (
            "mkdocs.yml",
            "site_url: 'https://e.org/' # here\nx: !!python/name:a.b\n",
            "https://e.org/",
        ),
        ("mkdocs.yml", "extra:\n  site_url: https://e.org/\n", None),
        (
            "mkdocs.yml",
            "site_url: !ENV [NO_SUCH_1, NO_SUCH_2, 'https://e.org/']\n",
            "https://e.org/",
        ),
        (
            "mkdocs.yml",
            "site_url: !ENV [SMINDEX_TEST_URL, 'https://e.org/']\n",
            "https://set.example/",
        ),
        ("mkdocs.yml", "site_url: !ENV SMINDEX_TEST_URL\n", "https://set.example/"),
        ("mkdocs.yml", "site_url: !ENV NO_SUCH_1\n", None),
        ("mkdocs.yml", "site_url: [https://e.org/]\n", None),
        ("mkdocs.yml", "site_url: >-\n  https://e.org/\n", "https://e.org/"),
        ("mkdocs.yml", "a: [\n", None),
        ("properdocs.yml", 'site_url: "https://e.org/b/"\n', "https://e.org/b/"),
        ("zensical.toml", '[project]\nsite_url = "https://e.org/z/"\n', "https://e.org/z/"),
        ("zensical.toml", 'site_url = "https://e.org/z/"\n', "https://e.org/z/"),
        ("zensical.toml", "not = [toml", None),
        ("hugo.toml", "baseURL = 'https://e.org/h'\n", "https://e.org/h/"),
        ("hugo.yaml", "baseurl: https://e.org/h/\n", "https://e.org/h/"),
        ("hugo.json", '{"BaseURL": "https://e.org/h/"}', "https://e.org/h/"),
        ("config/_default/hugo.toml", "baseURL = 'https://e.org/h'\n", "https://e.org/h/"),
        ("config.toml", "baseURL = 'https://e.org/h'\n", "https://e.org/h/"),
        ("config/_default/config.yaml", "baseURL: https://e.org/h\n", "https://e.org/h/"),
        ("config.toml", "site_url = 'https://e.org/h'\n", None),
        ("conf.py", "html_baseurl = 'https://e.org/s'\n", "https://e.org/s/"),
        ("conf.py", "html_baseurl: str = 'https://e.org/s'\n", "https://e.org/s/"),
        (
            "conf.py",
            "html_baseurl = os.environ.get('NO_SUCH_1', 'https://e.org/s')\n",
            "https://e.org/s/",
        ),
        ("conf.py", "html_baseurl = os.getenv('SMINDEX_TEST_URL', '/')\n", "https://set.example/"),
        ("conf.py", "html_baseurl = os.environ['SMINDEX_TEST_URL']\n", "https://set.example/"),
        (
            "conf.py",
            "html_baseurl = environ.get('SMINDEX_TEST_URL', DEFAULT)\n",
            "https://set.example/",
        ),
        (
            "conf.py",
            "html_baseurl = 'https://e.org/s'\nhtml_baseurl = made()\nproject = 'A'\n",
            None,
        ),
        ("conf.py", "html_baseurl = 'https://e.org/s'\nbroken = '\\d'\n", "https://e.org/s/"),
        ("conf.py", "bind = '127.0.0.1:8000'\n", None),
        ("pelicanconf.py", "SITEURL = 'https://e.org/p'\n", "https://e.org/p/"),
        ("pelicanconf.py", "SITEURL = ''\n", None),
        ("pelicanconf.py", "import os\nSITEURL = os.environ['A']\nraise SystemExit\n", None),
    ],
)
def test_the_address_in_a_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, address: str | None
) -> None:
    monkeypatch.setenv("SMINDEX_TEST_URL", "https://set.example")
    write(tmp_path, {name: text})
    (tmp_path / "build/site").mkdir(parents=True)
    assert configured_address(str(tmp_path)) == (address or "")
    assert configured_address(str(tmp_path / "build/site")) == (address or "")


def test_a_configuration_outside_the_repository_is_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_url: https://e.org/\n")
    (tmp_path / "other/.git").mkdir(parents=True)
    (tmp_path / "other/site").mkdir()
    assert configured_address(str(tmp_path / "other/site")) == ""


PELICAN = (".md", ".rst", ".html")
MD = tuple(
    f"docs/{{path}}{end}"
    for end in (".md", ".markdown", ".mdown", ".mkdn", ".mkd", ".html", ".ipynb")
)


@pytest.mark.parametrize(
    ("files", "file", "output", "sources"),
    [
        ({"mkdocs.yml": ""}, "mkdocs.yml", "site", MD),
        (
            {"mkdocs.yml": "site_dir: out\ndocs_dir: text\n"},
            "mkdocs.yml",
            "out",
            ("text/{path}.md",),
        ),
        (
            {"mkdocs.yml": "INHERIT: base.yml\n", "base.yml": "site_dir: out"},
            "mkdocs.yml",
            "out",
            MD,
        ),
        (
            {
                "mkdocs.yml": "INHERIT: base.yml\ntheme: {name: a}\n",
                "base.yml": "theme: {name: b}\nsite_dir: out",
            },
            *("mkdocs.yml", "out", MD),
        ),
        ({"mkdocs.yml": "INHERIT: nowhere.yml\n"}, "mkdocs.yml", "site", MD),
        ({"mkdocs.yml": "", "zensical.toml": ""}, "zensical.toml", "site", MD),
        (
            {"mkdocs.yml": "", "zensical.toml": "[project]\nsite_dir='z'\n", "site/a": ""},
            "mkdocs.yml",
            "site",
            MD,
        ),
        ({"zensical.toml": "[project]\nsite_dir = 'z'\n"}, "zensical.toml", "z", MD),
        ({"hugo.toml": "publishDir = 'out'\n"}, "hugo.toml", "out", ("content/{path}.md",)),
        (
            {"config/_default/hugo.yaml": ""},
            "config/_default/hugo.yaml",
            "public",
            ("content/{path}.md",),
        ),
        ({"conf.py": "project = 'A'"}, "conf.py", "_build/html", ("{path}.rst", "{path}.md")),
        (
            {"conf.py": "project = 'A'", "_build/dirhtml/a": ""},
            "conf.py",
            "_build/dirhtml",
            ("{path}.rst",),
        ),
        (
            {"source/conf.py": "project = 'A'", "build/html/a": ""},
            "source/conf.py",
            "build/html",
            ("source/{path}.rst",),
        ),
        (
            {"docs/conf.py": "project = 'A'"},
            "docs/conf.py",
            "docs/_build/html",
            ("docs/{path}.rst",),
        ),
        (
            {"pelicanconf.py": "PATH = 'content'"},
            "pelicanconf.py",
            "output",
            ("content/{path}.md",),
        ),
        (
            {
                "pelicanconf.py": "PATH = 'text'\nOUTPUT_PATH = 'out/'",
                "publishconf.py": "from pelicanconf import *",
            },
            "publishconf.py",
            "out",
            ("text/{path}.md",),
        ),
        (
            {"pelicanconf.py": "PATH = 'content'\nARTICLE_PATHS = ['posts']\n"},
            "pelicanconf.py",
            "output",
            tuple(
                f"content/{place}{{path}}{end}"
                for place in ("", "posts/", "pages/")
                for end in PELICAN
            ),
        ),
    ],
)
def test_where_a_site_is_built_and_from_what(
    tmp_path: Path, files: dict[str, str | bytes], file: str, output: str, sources: tuple[str, ...]
) -> None:
    write(tmp_path, files)
    found = configuration_of(str(tmp_path))
    assert found is not None
    assert (found.file, found.output) == (str(tmp_path / file), str(tmp_path / output))
    assert found.sources[: len(sources)] == tuple(str(tmp_path / pattern) for pattern in sources)


def test_mappings_are_inherited_and_merged_and_lists_are_replaced(tmp_path: Path) -> None:
    base = "plugins: {mike: {alias_type: copy}, sitemap-index: {exclude: [a/], gzip: true}}\n"
    own = "INHERIT: base.yml\nplugins: {sitemap-index: {exclude: [b/]}}\n"
    write(tmp_path, {"base.yml": base, "mkdocs.yml": own})
    found = configuration_of(str(tmp_path))
    assert found is not None
    assert found.options == {"exclude": ["b/"], "gzip": True}
    assert [entry.name for entry in found.plugin_entries] == ["mike", "sitemap-index"]


def test_without_a_configuration_nothing_is_found(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "conf.py": "raise SystemExit",
            "config.toml": "",
            "mkdocs.yml/a": "",
            "pyproject.toml": "",
        },
    )
    assert configuration_of(str(tmp_path)) is None
    write(tmp_path, {"zensical.toml": "not = [toml"})
    found = configuration_of(str(tmp_path))
    assert found is not None
    assert found.line == 1


HUGO = """#!/bin/sh
test "$*" = "config --format json" && test "$HUGO_MODULE_PROXY" = off || exit 1
echo Running Hugo
{}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="platform: the program is a script of a shell")
@pytest.mark.parametrize(
    ("answer", "site_url", "output", "content"),
    [
        (
            """echo '{"baseurl": "https://hugo.example/", "contentdir": "content/en", "publishdir": "out"}'""",
            *("https://hugo.example/", "out", "content/en"),
        ),
        # Hugo's default
        ("""echo '{"baseurl": "https://example.org/"}'""", "", "public", "content"),
        ("exit 1", "https://e.org/", "public", "content"),
        ("echo '{broken'", "https://e.org/", "public", "content"),
    ],
)
def test_hugo_itself_says_what_its_configuration_means(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    *,
    site_url: str,
    output: str,
    content: str,
) -> None:
    write(
        tmp_path,
        {
            "site/hugo.toml": "baseURL = 'https://e.org/'\n" if site_url else "",
            "bin/hugo": HUGO.format(answer),
        },
    )
    (tmp_path / "bin/hugo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    found = configuration_of(str(tmp_path / "site"))
    assert found is not None
    assert (found.site_url, found.output) == (site_url, str(tmp_path / "site" / output))
    assert found.sources[0] == str(tmp_path / f"site/{content}/{{path}}.md")


def test_a_sphinx_project_beside_the_built_site_counts_for_that_alone(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "docs/source/conf.py": "html_baseurl = 'https://e.org/s'",
            "docs/build/html/a": "",
            "site/a": "",
        },
    )
    assert configured_address(str(tmp_path / "docs/build/html")) == "https://e.org/s/"
    assert configured_address(str(tmp_path / "site")) == ""
    assert os.listdir(tmp_path / "site") == ["a"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "mkdocs.yml",
            "plugins:\n- search\n- material/blog: {blog_dir: a}\n- blog: {blog_dir: b, enabled: false}\n",
        ),
        ("mkdocs.yml", "plugins: {search: , blog: {blog_dir: a}}\n"),
        (
            "zensical.toml",
            '[project.plugins.search]\n[project.plugins."materialx/blog"]\nblog_dir = "a"\n',
        ),
        ("zensical.toml", '[project]\nplugins = ["search", {blog = {blog_dir = "a"}}]\n'),
        (
            "zensical.toml",
            '[[project.plugins]]\nsearch = {}\n[[project.plugins]]\nblog.blog_dir = "a"\n',
        ),
    ],
)
def test_plugins_are_in_a_list_or_a_mapping(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path, {name: text})
    found = configuration_of(str(tmp_path))
    assert found is not None
    assert [entry.name for entry in found.plugin_entries][:2] == ["search", "blog"]
    assert found.instances("search") == [{}]
    assert found.instances("blog") == [{"blog_dir": "a"}]


def test_what_is_no_plugin_is_none(tmp_path: Path) -> None:
    write(tmp_path, {"mkdocs.yml": "plugins: [1, [a], {b: [c]}]\n"})
    found = configuration_of(str(tmp_path))
    assert found is not None
    assert found.plugin_entries == (Plugin("b", ["c"]),)
    assert found.instances("b") == [{}]
