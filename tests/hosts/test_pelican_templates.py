"""A page of Pelican is dated by the articles that its template lists, and by no others."""

from pathlib import Path

import pytest

from tests.support.blog import Blog

OLD, NEW = "2021-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
LOOP = "{% for article in articles[:3] %}<p>{{ article.title }}</p>{% endfor %}"
IN_BASE = '{% extends "base.html" %}{% block content %}{}{% endblock %}'


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    blog = Blog(tmp_path / "project")
    blog.write("theme/templates/part.html", LOOP)
    blog.write("theme/templates/news.html", IN_BASE.replace("{}", '{% include "part.html" %}'))
    blog.write("theme/templates/contact.html", IN_BASE.replace("{}", "Write to us."))
    computed = "Hi. {% include SITENAME ~ '.html' ignore missing %}"
    blog.write("theme/templates/computed.html", IN_BASE.replace("{}", computed))
    blog.write("own/list.html", IN_BASE.replace("{}", LOOP))
    blog.write("own/plain.html", IN_BASE.replace("{}", "Hello."))
    blog.article("old.md")
    blog.article("pages/about.md")
    blog.article("pages/core.md", template="news")
    blog.commit(OLD)
    blog.article("new.md")
    blog.commit(NEW)
    return blog


def test_a_page_has_the_date_of_the_newest_article_only_if_its_template_lists_articles(blog: Blog) -> None:
    names = ["index", "tags", "news", "contact", "computed"]
    pages = blog.run(
        THEME=str(blog.root / "theme"),
        DIRECT_TEMPLATES=names,
        TEMPLATE_PAGES={"../own/list.html": "list.html", "../own/plain.html": "plain.html"},
    ).pages
    shown = {"tags.html", "news.html", "computed.html", "pages/core.html", "list.html", "new.html"}
    for name in shown:
        assert pages[name] == NEW, name
    for name in ("contact.html", "plain.html", "pages/about.html", "old.html"):
        assert pages[name] == OLD, name
