"""Runs of Pelican with pelican-sitemap, which writes a file of its own beside ours."""

import json
from pathlib import Path

import pytest
from lxml import etree

from tests.hosts.pelican_blog import PLUGIN, SITEMAP, SITEURL, Blog

FIRST, SECOND = "2024-01-01T10:00:00Z", "2024-02-02T11:00:00Z"


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    """Give two articles in a section of their own, one of them changed later, and a page of
    theirs.
    """
    blog = Blog(tmp_path / "project")
    for name in ("a", "b"):
        blog.article(f"{name}.md", save_as=f"news/{name}.html", url=f"news/{name}.html")
    blog.article("pages/about.md")
    blog.commit(FIRST)
    blog.article("b.md", save_as="news/b.html", url="news/b.html", subtitle="new")
    blog.commit(SECOND)
    return blog


@pytest.mark.parametrize(
    "plugins", [(PLUGIN, "sitemap"), ("sitemap", PLUGIN)], ids=["before", "after"]
)
def test_both_write_their_files_in_either_order(blog: Blog, plugins: tuple[str, str]) -> None:
    output = blog.run_apart(*plugins)
    theirs = {
        entry.findtext(f"{SITEMAP}loc")
        for entry in etree.parse(output.directory / "sitemap.xml").getroot()
    }
    assert theirs == {f"{SITEURL}/{path}" for path in output.pages}
    expected = {"": SECOND, "news/a.html": FIRST, "news/b.html": SECOND, "pages/about.html": FIRST}
    assert {path: output.pages[path] for path in expected} == expected
    assert "pelican-sitemap writes another sitemap" in output.log
    assert output.index == {
        f"{SITEURL}/sitemap-root.xml": SECOND,
        f"{SITEURL}/news/sitemap.xml": SECOND,
    }


def test_where_both_would_write_one_file_theirs_stays_and_an_error_names_it(blog: Blog) -> None:
    blog.configure(PLUGINS=[PLUGIN, "sitemap"])
    done = blog.command("-e", "SITEMAP_INDEX=" + json.dumps({"index_filename": "sitemap.xml"}))
    assert "sitemap.xml: another tool wrote this file" in done.stdout + done.stderr
    assert etree.parse(blog.root / "output/sitemap.xml").getroot().tag == f"{SITEMAP}urlset"
    assert not (blog.root / "output/news/sitemap.xml").exists()
