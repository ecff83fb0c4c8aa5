"""What a configuration and the sources say of pages that are in no sitemap, without a build."""

from pathlib import Path

import pytest

from smindex_plugins.projects import WrongOptionsError, find_site, generators
from tests.support.command import PAGE
from tests.support.planted import write

URL = "https://e.org/"
SITE = f"site_name: A\nsite_url: {URL}\n"
LISTED = "- search\n  - sitemap-index:\n      exclude: [drafts/]\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the root of a project, in which the command is run."""
    write(tmp_path / "project", {".git/a": ""})
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def why(root: Path, output: str, file: str, page: str = PAGE) -> str:
    write(root / output, {"index.html": PAGE, file: page})
    return find_site().why(file, URL)


@pytest.mark.parametrize(
    "plugins",
    [
        "plugins:\n  " + LISTED,
        "plugins:\n  search: {}\n  sitemap-index: {exclude: drafts/}\n",
        "plugins:\n  - sitemap-index: {exclude: !ENV [NO_SUCH_VARIABLE, drafts/], strange: 1}\nx: !!python/name:a.b\n",
        "p: &p [drafts/]\nplugins:\n  - sitemap-index: {exclude: *p}\n",
        "INHERIT: base.yml\n",
    ],
)
def test_the_options_in_mkdocs_yml_are_read_without_running_it(root: Path, plugins: str) -> None:
    write(root, {"mkdocs.yml": SITE + plugins, "base.yml": "plugins:\n  " + LISTED})
    assert why(root, "site", "drafts/a/index.html") == "excluded by `drafts/`"
    assert why(root, "site", "guide/a/index.html") == ""
    assert find_site().settings_file == "mkdocs.yml"


def test_pages_of_a_theme_are_no_pages_of_the_site(root: Path) -> None:
    write(root, {"mkdocs.yml": f"{SITE}theme:\n  name: readthedocs\n  static_templates: [offline.html]\n"})
    for file in ("search.html", "offline.html"):
        assert why(root, "site", file) == "a page of the theme or of a plugin"
    assert why(root, "site", "print_page/index.html") == ""
    write(root, {"mkdocs.yml": f"{SITE}plugins: [print-site]\n"})
    assert why(root, "site", "print_page/index.html") == "a page of the theme or of a plugin"


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("---\nsitemap: false\n---\n", "excluded by its front matter (`sitemap: false`)"),
        ("---\nnoindex: true\n---\n", "private or noindex in its front matter (`noindex: true`)"),
        ("---\nprivate: yes\n---\n", "private or noindex in its front matter (`private: true`)"),
        ("---\ntitle: A\n---\n", ""),
    ],
)
def test_front_matter_is_read_where_the_configuration_says_that_sources_are(root: Path, head: str, words: str) -> None:
    write(root, {"mkdocs.yml": f"{SITE}docs_dir: text\n", "text/guide/a.md": head})
    assert why(root, "site", "guide/a/index.html") == words


def test_the_table_of_a_pyproject_says_what_a_build_of_the_command_leaves_out(root: Path) -> None:
    table = f"[tool.smindex]\nsite_url = '{URL}'\ndirectory = 'out'\nexclude = ['drafts/']\npagination = false\n"
    write(root, {"pyproject.toml": table})
    assert why(root, "out", "drafts/a.html") == "excluded by `drafts/`"
    assert why(root, "out", "posts/page/2/index.html") == "beyond the first page of a list (`pagination: false`)"
    assert why(root, "out", "_static/search.html") == "beside the pages, in _static"
    assert find_site().settings_file == "pyproject.toml"


PELICAN = f"SITEURL = '{URL}'\nPATH = 'content'\n"


@pytest.mark.parametrize(
    "setting",
    [
        "SITEMAP_INDEX = {'exclude': ['tag/']}\n",
        "SITEMAP_INDEX = dict(exclude='tag/')\n",
    ],
)
def test_the_options_of_pelican_are_read_without_running_them(root: Path, setting: str) -> None:
    write(root, {"pelicanconf.py": PELICAN + setting, "publishconf.py": "from pelicanconf import *\n"})
    assert why(root, "output", "tag/a.html") == "excluded by `tag/`"
    assert why(root, "output", "a.html") == ""


def test_the_options_of_sphinx_and_the_pages_that_it_makes_itself_are_known_if_its_extension_is_used(
    root: Path,
) -> None:
    write(root, {"conf.py": f"html_baseurl = '{URL}'\nsitemap_index = dict(exclude='tag/')\nextensions = []\n"})
    made = (
        "genindex.html",
        "genindex-A.html",
        "py-modindex.html",
        "search.html",
        "_modules/a/b.html",
        "search/index.html",
    )
    assert [why(root, "_build/html", file) for file in ("tag/a.html", *made)] == [""] * 7
    write(root, {"conf.py": (root / "conf.py").read_text() + "extensions += ['smindex_plugins.sphinx']\n"})
    assert {why(root, "_build/html", file) for file in made} == {"a page of the theme or of a plugin"}
    assert why(root, "_build/html", "tag/a.html") == "excluded by `tag/`"
    assert why(root, "_build/html", "genindex-of-names/a.html") == ""


def test_pelican_lists_the_first_page_of_a_list_alone_by_default(root: Path) -> None:
    write(root, {"pelicanconf.py": PELICAN, "output/category/a.html": PAGE, "output/category/a2.html": PAGE})
    for file in ("index2.html", "category/a2.html", "category/a3.html", "blog/page/2/index.html"):
        assert why(root, "output", file) == "beyond the first page of a list (`pagination: false`)"
    assert why(root, "output", "category/python3.html") == ""  # of which there is no second page
    write(root, {"pelicanconf.py": PELICAN + "SITEMAP_INDEX = {'pagination': True}\n"})
    assert why(root, "output", "index2.html") == ""


@pytest.mark.parametrize(
    ("setting", "file", "words"),
    [
        ("", "drafts/b.html", "marked draft"),
        ("", "de/drafts/b.html", "marked draft"),
        ("DRAFT_SAVE_AS = 'later/{slug}.html'\n", "later/b.html", "marked draft"),
        ("DRAFT_PAGE_SAVE_AS = '{slug}.html'\n", "b.html", ""),
        ("", "b.html", ""),
    ],
)
def test_drafts_of_pelican_are_known_by_their_directory(root: Path, setting: str, file: str, words: str) -> None:
    write(root, {"pelicanconf.py": PELICAN + setting})
    assert why(root, "output", file) == words


@pytest.mark.parametrize(
    ("source", "text", "file", "words"),
    [
        ("our-plans.md", "Title: Our Plans\nStatus: hidden\n\nText", "our-plans.html", "marked hidden"),
        ("our-plans.rst", "Our Plans\n#########\n\n:status: hidden\n", "pages/our-plans.html", "marked hidden"),
        ("c.md", "Title: B\nStatus: draft\n", "2024/c/index.html", "marked draft"),
        ("b.md", "Title: B\n\nThe status: hidden\n", "b.html", ""),
        ("[b].md", "Title: B\nStatus: hidden\n", "b.html", ""),
    ],
)
def test_what_authors_of_pelican_keep_back_is_found_by_the_name_of_the_file(
    root: Path, source: str, text: str, file: str, words: str
) -> None:
    write(root, {"pelicanconf.py": PELICAN, f"content/posts/{source}": text})
    assert why(root, "output", file) == words


def test_the_texts_of_pelican_are_read_once_for_all_pages(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {f"{name}.html": PAGE for name in "abcdef"}
    texts = {f"content/{name}.md": f"Title: {name}\nStatus: hidden\n" for name in "abc"}
    write(root, {"pelicanconf.py": PELICAN, **texts, **{f"output/{name}": text for name, text in pages.items()}})
    site, read = find_site(), list[str]()

    def read_text(path: str, errors: str) -> str:
        read.append(path)
        return Path(path).read_text(errors=errors)

    monkeypatch.setattr(generators, "read_text", read_text)
    assert [site.why(page, URL) for page in sorted(pages)] == ["marked hidden"] * 3 + [""] * 3
    assert len(read) == len(texts)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mkdocs.yml", f"{SITE}plugins:\n  - sitemap-index: {{exclude: 3}}\n"),
        ("pelicanconf.py", PELICAN + "SITEMAP_INDEX = OTHERS\n"),
        ("pelicanconf.py", PELICAN + "SITEMAP_INDEX = {'exclude': OTHERS}\n"),
    ],
)
def test_options_that_cannot_be_read_are_a_problem(root: Path, name: str, text: str) -> None:
    write(root, {name: text})
    output = "site" if name == "mkdocs.yml" else "output"
    assert why(root, output, "a.html") == ""
    assert find_site().problem


LAUGHS = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))


@pytest.mark.parametrize("given", ["x: *a29", "plugins: *a29", "theme: {static_templates: *a29}"])
def test_yaml_that_repeats_itself_is_harmless(root: Path, given: str) -> None:
    write(root, {"mkdocs.yml": f"{SITE}a0: &a0 [x]\n{LAUGHS}{given}\n"})
    assert why(root, "site", "a.html") == ""


@pytest.mark.parametrize("given", ["<<: [a]", "a: !!timestamp 2020-99-99"])
def test_yaml_that_has_no_plain_value_elsewhere_is_harmless(root: Path, given: str) -> None:
    write(root, {"mkdocs.yml": f"{SITE}{given}\n"})
    assert why(root, "site", "a.html") == ""


def test_yaml_that_is_not_valid_is_a_problem(root: Path) -> None:
    write(root, {"mkdocs.yml": f"{SITE}a: [\n"})
    with pytest.raises(WrongOptionsError, match=r"mkdocs\.yml: it cannot be read: "):
        why(root, "site", "a.html")
