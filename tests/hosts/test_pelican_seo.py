"""Runs of Pelican with pelican-seo, which adds to rendered pages what they say of themselves, and writes robots.txt."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.blog import PLUGIN, SITEURL, Blog

DATE = "2024-01-01T10:00:00Z"
SETTINGS = {
    "AUTHOR": "Ann",
    "SEO_REPORT": False,
    "SEO_ENHANCER": True,
}


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    blog = Blog(tmp_path)
    blog.article("a.md")
    blog.article("noindex.md", noindex="True")
    blog.write(
        "content/copy.md", "title: Copy\ndate: 2020-01-01\nexternal_canonical: https://elsewhere.example/\n\nx\n"
    )
    blog.commit(DATE)
    return blog


@pytest.mark.parametrize("plugins", [(PLUGIN, "seo"), ("seo", PLUGIN)], ids=["before", "after"])
def test_pages_that_have_renounced_themselves_are_left_out_and_the_others_are_listed(
    blog: Blog, plugins: tuple[str, str]
) -> None:
    output = blog.run_apart(*plugins, **SETTINGS)
    assert f'href="{SITEURL}/a.html" rel="canonical"' in (output.directory / "a.html").read_text()
    assert output.pages["a.html"] == DATE
    assert not {"noindex.html", "copy.html"} & output.pages.keys()


def test_a_page_is_listed_at_the_canonical_url_that_it_was_given(blog: Blog) -> None:
    blog.article("b.md", save_as="posts/b/index.html", url="posts/b/")
    blog.commit("2024-02-02T11:00:00Z")
    output = blog.run_apart(PLUGIN, "seo", **SETTINGS)
    assert (
        f'href="{SITEURL}/posts/b/index.html" rel="canonical"' in (output.directory / "posts/b/index.html").read_text()
    )
    assert output.pages["posts/b/index.html"] == "2024-02-02T11:00:00Z"
    assert "posts/b/" not in output.pages


@pytest.mark.parametrize(("named", "code"), [("sitemap_index.xml", 0), ("sitemap.xml", 1)])
def test_its_robots_txt_leads_to_the_index_or_a_check_says_that_it_does_not(blog: Blog, named: str, code: int) -> None:
    site = "https://example.org"
    output = blog.run_apart(PLUGIN, "seo", **SETTINGS, SITEURL=site, SEO_ENHANCER_SITEMAP_URL=f"{site}/{named}")
    assert f"Sitemap: {site}/{named}" in (output.directory / "robots.txt").read_text()
    assert main(["check", str(output.directory), "--only", "robots-names-missing-sitemap"]) == code
