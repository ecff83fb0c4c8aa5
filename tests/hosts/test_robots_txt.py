"""The robots.txt that a host copies to the root of a site, in real builds."""

from pathlib import Path

import pytest

from tests.support.blog import PLUGIN, Blog
from tests.support.project import Project

RULES = b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /search/"
LINE = b"Sitemap: https://example.org/sitemap_index.xml"


@pytest.fixture
def site(project: Project) -> Project:
    """Give a project whose site is a whole host."""
    project.base = "https://example.org/"
    project.pages("index.md", "about.md")
    (project.root / "docs/robots.txt").write_bytes(RULES)
    return project


def test_mkdocs_tells_of_a_robots_txt_without_the_line_which_no_strict_build_fails_on(site: Project) -> None:
    site.config()
    built = site.build("--strict")
    assert built.code == 0, built.log
    assert "robots.txt: it has no Sitemap line. Add `Sitemap: https://example.org/sitemap_index.xml`" in built.log
    assert (built.directory / "robots.txt").read_bytes() == RULES


def test_mkdocs_builds_again_and_again_with_the_line_in_its_copy_and_not_in_the_source(site: Project) -> None:
    site.config("sitemap-index: {robots_txt: write}")
    for arguments in (["--strict"], ["--strict"], ["--dirty"]):
        built = site.build(*arguments)
        assert built.code == 0, built.log
        assert (built.directory / "robots.txt").read_bytes() == RULES + b"\r\n" + LINE
    assert (site.root / "docs/robots.txt").read_bytes() == RULES


def test_mkdocs_in_a_subdirectory_says_where_the_line_belongs(project: Project) -> None:
    project.pages("index.md")
    project.config("sitemap-index: {robots_txt: write}")
    built = project.build()
    assert "crawlers read only https://example.org/robots.txt" in built.log
    assert "Add `Sitemap: https://example.org/docs/sitemap_index.xml` to that file" in built.log
    assert not (built.directory / "robots.txt").exists()
    assert built.pages


def test_pelican_makes_the_file_or_adds_to_what_it_copies(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.article("a.md")
    settings = {"SITEURL": "https://example.org", "SITEMAP_INDEX": {"robots_txt": "write"}, "PLUGINS": [PLUGIN]}
    output = blog.run(**settings)
    assert (output.directory / "robots.txt").read_bytes() == LINE + b"\n"
    blog.write("content/extra/robots.txt", "User-agent: *\n")
    copied = {"STATIC_PATHS": ["extra"], "EXTRA_PATH_METADATA": {"extra/robots.txt": {"path": "robots.txt"}}}
    for _ in range(2):
        output = blog.run(**settings, **copied)
        assert (output.directory / "robots.txt").read_bytes() == b"User-agent: *\n" + LINE + b"\n"


def test_a_site_whose_index_nobody_is_told_of_says_once_what_to_do_and_is_right(project: Project) -> None:
    project.base = "https://docs.smindex-plugins.dev/docs/"
    project.small()
    built = project.build("--strict")
    assert built.code == 0, built.log
    step = "add the line `Sitemap: https://docs.smindex-plugins.dev/docs/sitemap_index.xml` to https://docs.smindex-plu"
    assert built.log.count(step) == 1
    assert built.log.count("in Search Console.") == 1


def test_a_build_sees_that_its_robots_txt_forbids_what_is_listed(site: Project) -> None:
    site.write("docs/robots.txt", "User-agent: *\nDisallow: /about/\nSitemap: https://example.org/sitemap_index.xml\n")
    site.config()
    built = site.build("--strict")
    assert built.code == 1
    assert "blocks https://example.org/about/ " in built.log
    assert "with '/about/'" in built.log
    assert built.log.count("[robots-blocks-page]") == 1
    site.config("sitemap-index: {exclude: about/}")
    assert site.build("--strict").code == 0
