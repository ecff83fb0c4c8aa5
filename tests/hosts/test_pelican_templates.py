"""A page of Pelican is dated by the articles and pages that its template lists, and by no
others.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.hosts.pelican_blog import Blog

COMMITTED = "2024-01-02T03:04:05Z"


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_a_page_has_the_date_of_the_newest_article_only_if_its_template_lists_articles(
    blog: Blog,
) -> None:
    loop = "{% for article in articles[:3] %}<p>{{ article.title }}</p>{% endfor %}"
    templates = {
        "theme/templates/news.html": '{% include "part.html" %}',
        "theme/templates/contact.html": "Write to us.",
        "theme/templates/computed.html": "Hi. {% include SITENAME ~ '.html' ignore missing %}",
        "own/list.html": loop,
        "own/plain.html": "Hello.",
    }
    for path, content in templates.items():
        blog.write(
            path, f'{{% extends "base.html" %}}{{% block content %}}{content}{{% endblock %}}'
        )
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
    listing = (
        "tags.html",
        "news.html",
        "computed.html",
        "pages/core.html",
        "list.html",
        "new.html",
    )
    others = ("contact.html", "plain.html", "pages/about.html", "old.html")
    assert {path: pages[path] for path in listing} == dict.fromkeys(listing, COMMITTED)
    assert {path: pages[path] for path in others} == dict.fromkeys(others, "2021-01-01T00:00:00Z")


def test_a_page_has_the_date_of_the_newest_page_only_if_its_own_template_lists_pages(
    blog: Blog,
) -> None:
    loop = "{% for each in pages %}<p>{{ each.title }}</p>{% endfor %}"
    templates = {
        "theme/templates/index.html": loop,
        "theme/templates/map.html": loop,
        "theme/templates/both.html": '{% include "part.html" %}{{ articles }}',
        "theme/templates/macro.html": (
            '{% from "macros.html" import menu with context %}{{ menu() }}'
        ),
        "theme/templates/switched.html": (
            "{% if SHOWS_PAGES %}" + loop + "{% elif articles %}Hello.{% endif %}"
        ),
        "theme/templates/plain.html": "{% if articles %}Hello.{% else %}" + loop + "{% endif %}",
        "theme/templates/news.html": "{{ articles }}",
        "own/list.html": loop,
    }
    for path, content in templates.items():
        blog.write(
            path, f'{{% extends "menu.html" %}}{{% block content %}}{content}{{% endblock %}}'
        )
    blog.write(
        "theme/templates/menu.html",
        '<html>{% include "part.html" %}{% block content %}Hi{% endblock %}</html>',
    )
    blog.write("theme/templates/part.html", loop)
    blog.write("theme/templates/macros.html", "{% macro menu() %}" + loop + "{% endmacro %}")
    blog.article("a.md")
    blog.article("pages/core.md", template="map")
    blog.article("pages/old.md", template="plain")
    blog.commit("2021-01-01T00:00:00Z")
    blog.article("pages/about.md")
    blog.commit(COMMITTED)
    pages = blog.run(
        THEME=str(blog.root / "theme"),
        SHOWS_PAGES=False,
        DIRECT_TEMPLATES=["index", "map", "both", "macro", "switched", "plain", "news"],
        TEMPLATE_PAGES={"../own/list.html": "list.html"},
    ).pages
    listing = (
        "",
        "map.html",
        "both.html",
        "macro.html",
        "list.html",
        "pages/core.html",
        "pages/about.html",
    )
    others = ("switched.html", "plain.html", "news.html", "pages/old.html", "a.html")
    assert {path: pages[path] for path in listing} == dict.fromkeys(listing, COMMITTED)
    assert {path: pages[path] for path in others} == dict.fromkeys(others, "2021-01-01T00:00:00Z")


def test_drafts_hidden_pages_and_archives_count_for_the_pages_that_list_them(blog: Blog) -> None:
    names = ["drafts", "hidden_articles", "hidden_pages", "draft_pages", "period_archives"]
    for name in names:
        blog.write(f"templates/show_{name}.html", f"<p>{{{{ {name} }}}}</p>")
    blog.article("pages/about.md")
    blog.commit("2021-01-01T00:00:00Z")
    files = ["draft.md", "hidden.md", "pages/hidden.md", "pages/draft.md", "a.md"]
    expected = {}
    for day, (name, file) in enumerate(zip(names, files, strict=True), start=1):
        status = Path(file).stem
        blog.article(file, status="published" if status == "a" else status)
        date = f"2022-01-0{day}T00:00:00Z"
        blog.commit(date)
        expected[f"show_{name}.html"] = date
    output = blog.run(
        DIRECT_TEMPLATES=[f"show_{name}" for name in names],
        THEME_TEMPLATES_OVERRIDES=[str(blog.root / "templates")],
        YEAR_ARCHIVE_SAVE_AS="{date:%Y}.html",
    )
    assert {path: output.pages[path] for path in expected} == expected


def test_articles_without_a_file_of_their_own_count_for_the_pages_that_list_them(
    blog: Blog,
) -> None:
    blog.write("templates/news.html", "<p>{{ articles }}</p>")
    blog.article("pages/about.md")
    blog.article("pages/news.md", template="news", date="2020-01-01")
    blog.article("old.md", category="one", save_as="old.html")
    blog.commit("2021-01-01T00:00:00Z")
    blog.article("new.md", category="two")
    blog.commit(COMMITTED)
    settings: dict[str, Any] = {
        "ARTICLE_SAVE_AS": "",
        "THEME_TEMPLATES_OVERRIDES": [str(blog.root / "templates")],
    }
    pages = blog.run(**settings).pages
    listing = ("", "archives.html", "categories.html", "category/two.html", "pages/news.html")
    others = ("category/one.html", "old.html", "pages/about.html")
    assert "new.html" not in pages
    assert {path: pages[path] for path in listing} == dict.fromkeys(listing, COMMITTED)
    assert {path: pages[path] for path in others} == dict.fromkeys(others, "2021-01-01T00:00:00Z")
    blog.article("uncommitted.md", category="one")
    pages = blog.run(**settings).pages
    undated = ("", "archives.html", "category/one.html", "pages/news.html")
    assert {path: pages[path] for path in undated} == dict.fromkeys(undated), (
        "it may be newer than the others"
    )
    assert pages["category/two.html"] == COMMITTED


def test_a_site_without_files_for_articles_and_without_pages_has_dates(blog: Blog) -> None:
    blog.article("a.md")
    blog.commit("2021-01-01T00:00:00Z")
    blog.article("b.md")
    blog.commit(COMMITTED)
    assert blog.run(ARTICLE_SAVE_AS="", DIRECT_TEMPLATES=["index"]).pages[""] == COMMITTED


def test_a_template_that_shows_a_setting_does_not_date_its_page(blog: Blog) -> None:
    templates = {
        "team": "{% for each in TEAM %}<p>{{ each }}</p>{% endfor %}",
        "fixed": "{% for each in range(2) %}<p>{{ each }}</p>{% endfor %}{{ SITENAME }}",
    }
    for name, content in templates.items():
        text = f'{{% extends "base.html" %}}{{% block content %}}{content}{{% endblock %}}'
        blog.write(f"theme/templates/{name}.html", text)
    blog.article("old.md")
    blog.commit(COMMITTED)
    built = blog.run(
        THEME=str(blog.root / "theme"), DIRECT_TEMPLATES=["index", "team", "fixed"], TEAM=["A"]
    )
    dates = {url.rpartition("/")[2]: date for url, date in built.pages.items()}
    assert (dates["team.html"], dates["fixed.html"]) == (None, COMMITTED)
    reason = "1 made from a template that shows other pages or data"
    assert any(reason in message for _, message in built.messages)


def test_a_page_has_the_date_of_its_template_in_a_relative_directory(
    blog: Blog, monkeypatch: pytest.MonkeyPatch
) -> None:
    blog.write("templates/contact.html", "<p>Write to us.</p>")
    blog.article("a.md")
    blog.commit(COMMITTED)
    monkeypatch.chdir(blog.root)
    output = blog.run(
        THEME_TEMPLATES_OVERRIDES=["templates"], DIRECT_TEMPLATES=["index", "contact"]
    )
    assert output.pages["contact.html"] == COMMITTED
