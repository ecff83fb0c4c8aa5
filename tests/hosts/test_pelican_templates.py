"""A page of Pelican is dated by the articles that its template lists, and by no others."""

from pathlib import Path

import pytest

from tests.support.blog import Blog

COMMITTED = "2024-01-02T03:04:05Z"


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_a_page_has_the_date_of_the_newest_article_only_if_its_template_lists_articles(blog: Blog) -> None:
    loop = "{% for article in articles[:3] %}<p>{{ article.title }}</p>{% endfor %}"
    templates = {
        "theme/templates/news.html": '{% include "part.html" %}',
        "theme/templates/contact.html": "Write to us.",
        "theme/templates/computed.html": "Hi. {% include SITENAME ~ '.html' ignore missing %}",
        "own/list.html": loop,
        "own/plain.html": "Hello.",
    }
    for path, content in templates.items():
        blog.write(path, f'{{% extends "base.html" %}}{{% block content %}}{content}{{% endblock %}}')
    blog.write("theme/templates/part.html", loop)
    blog.article("old.md")
    blog.article("pages/about.md")
    blog.article("pages/core.md", template="news")
    blog.commit("2021-01-01T00:00:00Z")
    blog.article("new.md")
    blog.commit(COMMITTED)
    pages = blog.run(
        THEME=str(blog.root / "theme"),
        DIRECT_TEMPLATES=["index", "tags", "news", "contact", "computed"],
        TEMPLATE_PAGES={"../own/list.html": "list.html", "../own/plain.html": "plain.html"},
    ).pages
    listing = ("tags.html", "news.html", "computed.html", "pages/core.html", "list.html", "new.html")
    others = ("contact.html", "plain.html", "pages/about.html", "old.html")
    assert {path: pages[path] for path in listing} == dict.fromkeys(listing, COMMITTED)
    assert {path: pages[path] for path in others} == dict.fromkeys(others, "2021-01-01T00:00:00Z")
