"""Real builds with options that match no page: each is told once, with what would match."""

import logging
from pathlib import Path

import pytest

from tests.support.blog import PLUGIN, Blog
from tests.support.project import FIRST, Project

OPTIONS = """sitemap-index:
      exclude: {exclude}
      sections: [{{name: guides, urls: [guide]}}]
      depends: {{'docs/guide/': [data.yml]}}
      ignore_revs_file: ignored.txt"""


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def write(project: Project, exclude: str) -> None:
    project.config(OPTIONS.format(exclude=exclude), docs_dir="pages", use_directory_urls="true")
    for name in ("index", "guide/a", "guide/b", "api/index", "api/one", "drafts/a"):
        project.write(f"pages/{name}.md")
    project.write("data.yml", "a: 1\n")
    project.commit(FIRST)


def test_every_option_with_patterns_says_which_of_them_match_nothing_and_strict_sees_it(project: Project) -> None:
    write(project, "['^api/.*$', 'api', 'pages/api/one.md', 'drafts/']")
    built = project.build("--strict")
    assert built.code == 1
    for line in (
        "exclude[0]: `^api/.*$` matches no page. Did you mean `api/`?",
        "exclude[1]: `api` matches no page. Did you mean `api/`?",
        "exclude[2]: `pages/api/one.md` matches no page. Did you mean `api/one/`?",
        "sections[0].urls[0]: `guide` matches no page. Did you mean `guide/`?",
        ("depends['docs/guide/']: `docs/guide/` matches no page. Did you mean `guide/`?"),
        "ignore_revs_file: `ignored.txt` cannot be read. It is relative to the root of the git repository, ",
    ):
        assert built.log.count(line) == 1
    assert "left out: 1 excluded by `drafts/`" in built.log
    assert built.log.count("[unmatched-pattern]") == 6


def test_of_pelican_too_whose_users_bring_regular_expressions(blog: Blog) -> None:
    blog.article("a.md", tags="x")
    given = {"exclude": ["^tag/", "^archives.html", "category/"], "pagination": None, "section_depth": None}
    assert blog.run(SITEMAP_INDEX=given).logged(logging.WARNING) == [
        ("sitemap_index: exclude[0]: `^tag/` matches no page. Did you mean `tag/`? [unmatched-pattern]"),
        (
            "sitemap_index: exclude[1]: `^archives.html` matches no page. "
            "Did you mean `archives.html`? [unmatched-pattern]"
        ),
    ]


def test_a_pattern_of_several_sites_needs_a_page_in_one_of_them(blog: Blog) -> None:
    blog.article("a-en.md", slug="a", lang="en", tags="only")
    blog.article("a-de.md", slug="a", lang="de")
    german = {"de": {"SITEURL": "https://de.example.org"}}
    options = {"exclude": ["tag/only.html", "tag/none.html"]}
    output = blog.run_apart(PLUGIN, "i18n_subsites", I18N_SUBSITES=german, SITEMAP_INDEX=options)
    assert output.log.count("[unmatched-pattern]") == 1
    assert "exclude[1]: `tag/none.html` matches no page." in output.log


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("exclude: '**'", "2 excluded by `**`"),
        ("lastmod: off, exclude: ['*/', index.html]", "1 excluded by `*/`, 1 exc"),
    ],
)
def test_a_build_without_an_index_fails_under_strict_and_says_why(project: Project, options: str, why: str) -> None:
    project.config(f"sitemap-index: {{{options}}}")
    project.pages("index.md", "about.md")
    built = project.build("--strict")
    assert built.code == 1
    assert not built.index
    assert built.log.count("[nothing-listed]") == 1
    assert f"every page was left out: {why}" in built.log
    assert "no page is listed, so no sitemap is written; left out: " in built.log
    assert "have dates" not in built.log
