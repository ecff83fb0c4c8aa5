"""Runs of Pelican with pelican-seo, which adds to rendered pages what they say of themselves, and
writes robots.txt.
"""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.hosts.pelican_blog import PLUGIN, SITEURL, Blog

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
    blog.article("b.md", save_as="posts/b/index.html", url="posts/b/")
    blog.article("noindex.md", noindex="True")
    blog.write(
        "content/copy.md",
        "title: Copy\ndate: 2020-01-01\nexternal_canonical: https://elsewhere.example/\n\nx\n",
    )
    blog.commit(DATE)
    return blog


@pytest.mark.parametrize("plugins", [(PLUGIN, "seo"), ("seo", PLUGIN)], ids=["before", "after"])
def test_pages_are_listed_at_the_canonical_urls_that_they_are_given_unless_they_have_renounced_themselves(
    blog: Blog, plugins: tuple[str, str]
) -> None:
    output = blog.run_apart(*plugins, **SETTINGS)
    posts = (output.directory / "posts/b/index.html").read_text()
    assert f'href="{SITEURL}/posts/b/index.html" rel="canonical"' in posts
    assert (output.pages["a.html"], output.pages["posts/b/index.html"]) == (DATE, DATE)
    assert not {"noindex.html", "copy.html", "posts/b/"} & output.pages.keys()


@pytest.mark.parametrize(("named", "code"), [("sitemap_index.xml", 0), ("sitemap.xml", 1)])
def test_its_robots_txt_leads_to_the_index_or_a_check_says_that_it_does_not(
    blog: Blog, named: str, code: int
) -> None:
    site = "https://example.org"
    output = blog.run_apart(
        PLUGIN, "seo", **SETTINGS, SITEURL=site, SEO_ENHANCER_SITEMAP_URL=f"{site}/{named}"
    )
    assert f"Sitemap: {site}/{named}" in (output.directory / "robots.txt").read_text()
    assert main(["check", str(output.directory), "--only", "robots-names-missing-sitemap"]) == code
