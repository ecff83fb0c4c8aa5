"""Pelican blogs whose articles are news, with what they show."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lxml import etree

from tests.support.blog import SITEMAP, SITEURL, Blog

NEWS = "{http://www.google.com/schemas/sitemap-news/0.9}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
TIMES = {"name": "Example Times", "language": "en"}


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_articles_of_the_last_two_days_are_news_and_stay_in_their_section(blog: Blog) -> None:
    now = datetime.now(UTC)
    blog.article("new.md", date=f"{now - timedelta(hours=2):%Y-%m-%d %H:%M}")
    blog.article("newest.md", date=f"{now - timedelta(hours=1):%Y-%m-%d %H:%M}")
    blog.article("old.md", date="2020-01-01")
    output = blog.run(SITEMAP_INDEX={"news": TIMES})
    assert f"{SITEURL}/sitemap-news.xml" in output.index
    entries = list(etree.parse(output.directory / "sitemap-news.xml").getroot())
    assert [entry.findtext(f"{SITEMAP}loc") for entry in entries] == [f"{SITEURL}/newest.html", f"{SITEURL}/new.html"]
    assert entries[0].findtext(f"{NEWS}news/{NEWS}publication/{NEWS}language") == "en"
    assert "newest" in str(entries[0].findtext(f"{NEWS}news/{NEWS}title"))
    assert {"new.html", "newest.html", "old.html"} <= set(output.sitemaps["sitemap-root.xml"])


def test_a_blog_without_recent_articles_has_no_news_sitemap(blog: Blog) -> None:
    blog.article("old.md", date="2020-01-01")
    assert f"{SITEURL}/sitemap-news.xml" not in blog.run(SITEMAP_INDEX={"news": TIMES}).index


def test_the_time_of_a_file_makes_no_news(blog: Blog) -> None:
    blog.write("content/a.md", "Title: a\n\ntext\n")
    output = blog.run(SITEMAP_INDEX={"news": TIMES}, DEFAULT_DATE="fs")
    assert "a.html" in output.pages
    assert f"{SITEURL}/sitemap-news.xml" not in output.index


def test_every_mistake_in_the_publication_is_named(blog: Blog) -> None:
    blog.article("a.md")
    with pytest.raises(SystemExit, match=r"'news\.name'(?s:.*)'news\.language'"):
        blog.run(SITEMAP_INDEX={"news": {"language": "English"}})


def test_images_of_articles(blog: Blog) -> None:
    blog.write("content/a.md", "Title: a\nDate: 2020-01-01\n\n![a](https://cdn.example/a.png)\n")
    output = blog.run(SITEMAP_INDEX={"images": True})
    found = {
        entry.findtext(f"{SITEMAP}loc"): [loc.text for loc in entry.iter(f"{IMAGE}loc")]
        for entry in etree.parse(output.directory / "sitemap-root.xml").getroot()
    }
    assert found[f"{SITEURL}/a.html"] == ["https://cdn.example/a.png"]
