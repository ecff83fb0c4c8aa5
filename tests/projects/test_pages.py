"""The pages of a built directory, and why a build of the command leaves a page out."""

import os
from collections import Counter
from pathlib import Path

import pytest

from smindex_plugins.base.model import Head
from smindex_plugins.base.site import Site
from smindex_plugins.build import publish
from smindex_plugins.pages.membership import judge
from smindex_plugins.pages.omissions import Omission
from smindex_plugins.projects.find import find_project
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.projects.sources import SourcePatterns
from tests.support.command import PAGE
from tests.support.planted import write

BASE = "https://e.org/docs/"
URL = "https://e.org/"
MKDOCS = f"site_name: A\nsite_url: {URL}\n"
PELICAN = f"SITEURL = '{URL}'\nPATH = 'content'\n"
SPHINX = f"html_baseurl = '{URL}'\nsitemap_index = dict(exclude='tag/')\nextensions = []\n"
LISTED = "- search\n  - sitemap-index:\n      exclude: [drafts/]\n"
LATER = "a pagination page (`pagination: false`)"


def test_a_page_at_its_canonical_url_is_listed_there(tmp_path: Path) -> None:
    """A refresh to the canonical URL leads to the page itself, and a reference is relative to that
    URL.
    """
    for base, tags, head in (
        (
            BASE,
            '<link rel="canonical" href="/docs/a"><meta http-equiv="refresh" content="9; url=a">',
            Head(refresh=f"{BASE}a", names_itself=True),
        ),
        (
            "https://E.org/docs/",
            f'<link rel="canonical" href="{BASE}a.html">',
            Head(canonical=f"{BASE}a.html"),
        ),
    ):
        write(tmp_path, {"a.html": PAGE.replace("<title>", f"{tags}<title>")})
        site = BuiltSite(
            directory=str(tmp_path), url=base, sources=SourcePatterns(directory=str(tmp_path))
        )
        page = site.page(*site.files())
        assert page.head == head
        assert publish([page], Site(url=BASE, directory=str(tmp_path))).pages == 1


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the root of a project, in which the command is run."""
    write(tmp_path / "project", {".git/a": ""})
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def why(root: Path, output: str, file: str) -> str:
    """Give why a build of the command leaves out a file, or nothing if it does not."""
    write(root / output, {"index.html": PAGE, file: PAGE})
    built = find_project().site
    judged = judge(built.page(built.file(file)), built.site, frozenset())
    return judged.why if isinstance(judged, Omission) else ""


@pytest.mark.parametrize(
    "plugins",
    [
        "plugins:\n  " + LISTED,
        "plugins:\n  search: {}\n  sitemap-index: {exclude: drafts/}\n",
        (
            "plugins:\n  - sitemap-index: {exclude: !ENV [NO_SUCH_VARIABLE, drafts/], strange:"
            " 1}\nx: !!python/name:a.b\n"
        ),
        "p: &p [drafts/]\nplugins:\n  - sitemap-index: {exclude: *p}\na: !!timestamp 2020-99-99\n",
        "INHERIT: base.yml\n<<: [a]\n",
    ],
)
def test_the_options_in_mkdocs_yml_are_read_without_running_it(root: Path, plugins: str) -> None:
    write(root, {"mkdocs.yml": MKDOCS + plugins, "base.yml": "plugins:\n  " + LISTED})
    assert why(root, "site", "drafts/a/index.html") == "excluded by `drafts/`"
    assert why(root, "site", "guide/a/index.html") == ""
    assert find_project().site.settings_file == "mkdocs.yml"


def test_pages_of_a_theme_are_no_pages_of_the_site(root: Path) -> None:
    write(
        root,
        {
            "mkdocs.yml": (
                f"{MKDOCS}theme:\n  name: readthedocs\n  static_templates: [offline.html]\n"
            )
        },
    )
    for file in ("search.html", "offline.html"):
        assert why(root, "site", file) == "made by the theme, a plugin or the generator itself"
    assert why(root, "site", "print_page/index.html") == ""
    write(root, {"mkdocs.yml": f"{MKDOCS}plugins: [print-site]\n"})
    assert (
        why(root, "site", "print_page/index.html")
        == "made by the theme, a plugin or the generator itself"
    )


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("sitemap: false", "excluded by its front matter (`sitemap: false`)"),
        ("noindex: true", "private or noindex in its front matter (`noindex: true`)"),
        ("private: yes", "private or noindex in its front matter (`private: true`)"),
        ("title: A", ""),
    ],
)
def test_front_matter_is_read_where_the_configuration_says_that_sources_are(
    root: Path, head: str, words: str
) -> None:
    write(
        root, {"mkdocs.yml": f"{MKDOCS}docs_dir: text\n", "text/guide/a.md": f"---\n{head}\n---\n"}
    )
    assert why(root, "site", "guide/a/index.html") == words


def test_the_table_of_a_pyproject_says_what_a_build_of_the_command_leaves_out(root: Path) -> None:
    table = (
        f"[tool.smindex]\nsite_url = '{URL}'\ndirectory = 'out'\nexclude = ['drafts/']\npagination"
        " = false\n"
    )
    write(root, {"pyproject.toml": table})
    assert why(root, "out", "drafts/a.html") == "excluded by `drafts/`"
    assert why(root, "out", "posts/page/2/index.html") == LATER
    assert why(root, "out", "_static/search.html") == "next to the pages, in _static"
    assert find_project().site.settings_file == "pyproject.toml"


def test_the_pages_that_sphinx_makes_are_known_and_its_options_if_its_extension_is_used(
    root: Path,
) -> None:
    write(root, {"conf.py": SPHINX})
    made = (
        "genindex.html",
        "genindex-A.html",
        "py-modindex.html",
        "_modules/a/b.html",
        "search/index.html",
    )
    assert {why(root, "_build/html", file) for file in made} == {
        "made by the theme, a plugin or the generator itself"
    }
    assert why(root, "_build/html", "genindex-of-names/a.html") == ""
    assert why(root, "_build/html", "tag/a.html") == ""
    write(root, {"conf.py": SPHINX + "extensions += ['smindex_plugins.sphinx']\n"})
    assert why(root, "_build/html", "tag/a.html") == "excluded by `tag/`"


@pytest.mark.parametrize(
    ("setting", "file", "words"),
    [
        ("SITEMAP_INDEX = {'exclude': ['tag/']}\n", "tag/a.html", "excluded by `tag/`"),
        ("SITEMAP_INDEX = dict(exclude='tag/')\n", "tag/a.html", "excluded by `tag/`"),
        ("SITEMAP_INDEX = {}\n", "index2.html", LATER),
        ("SITEMAP_INDEX = {}\n", "category/a2.html", LATER),
        ("SITEMAP_INDEX = {}\n", "blog/page/2/index.html", LATER),
        ("SITEMAP_INDEX = {}\n", "category/python3.html", ""),  # of which there is no second page
        ("", "index2.html", ""),  # the plugin may not run at all
        ("SITEMAP_INDEX = {'pagination': True}\n", "index2.html", ""),
        ("", "de/drafts/b.html", "marked draft"),
        ("DRAFT_SAVE_AS = 'later/{slug}.html'\n", "later/b.html", "marked draft"),
        ("DRAFT_PAGE_SAVE_AS = '{slug}.html'\n", "b.html", ""),
    ],
)
def test_the_settings_of_pelican_are_read_without_running_them(
    root: Path, setting: str, file: str, words: str
) -> None:
    write(
        root, {"pelicanconf.py": PELICAN + setting, "publishconf.py": "from pelicanconf import *\n"}
    )
    write(root, {"output/category/a.html": PAGE, "output/category/a2.html": PAGE})
    assert why(root, "output", file) == words


@pytest.mark.parametrize(
    ("source", "text", "file", "words"),
    [
        (
            "our-plans.md",
            "Title: Our Plans\nStatus: hidden\n\nText",
            "our-plans.html",
            "marked hidden",
        ),
        (
            "our-plans.rst",
            "Our Plans\n#########\n\n:status: hidden\n",
            "pages/our-plans.html",
            "marked hidden",
        ),
        ("c.md", "Title: B\nStatus: draft\n", "2024/c/index.html", "marked draft"),
        ("b.md", "Title: B\n\nThe status: hidden\n", "b.html", ""),
    ],
)
def test_what_authors_of_pelican_keep_back_is_found_by_the_name_of_the_file(
    root: Path, source: str, text: str, file: str, words: str
) -> None:
    write(root, {"pelicanconf.py": PELICAN, f"content/posts/{source}": text})
    assert why(root, "output", file) == words


def test_the_pages_of_a_list_are_counted_once_and_not_for_each_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    numbers = range(1, 41)
    lists = {f"output/category/a{number if number > 1 else ''}.html": PAGE for number in numbers}
    write(tmp_path, {"pelicanconf.py": PELICAN, "content/a.md": "", **lists})
    site = find_project().site
    looked_at: Counter[object] = Counter()
    isfile = os.path.isfile

    def counted(path: str) -> bool:
        looked_at[path] += 1
        return isfile(path)

    monkeypatch.setattr(os.path, "isfile", counted)
    assert sorted(site.page(file).number for file in site.files()) == list(numbers)
    assert max(looked_at.values()) <= 5
