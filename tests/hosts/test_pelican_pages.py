"""Real runs of Pelican: which pages are listed, where, with which dates and variants."""

import logging
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.pelican_blog import SITEURL, Blog

COMMITTED = "2024-01-02T03:04:05Z"
PAGINATION = [
    (1, "{url}", "{save_as}"),
    (2, "{base_name}/page/{number}/", "{base_name}/page/{number}/index.html"),
]


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_the_articles_of_a_category_share_a_sitemap_beside_the_index(blog: Blog) -> None:
    for name, category in {"a": "Crème & Co", "b": "Crème & Co", "c": "C++", "d": "C"}.items():
        blog.article(f"{name}.md", category=category)
    blog.article("pages/about.md", category="C")
    output = blog.run(SITEMAP_INDEX={"section_by": "category"})
    lists = [
        "",
        "archives.html",
        "authors.html",
        "categories.html",
        "pages/about.html",
        "tags.html",
    ]
    assert output.sitemaps == {
        "category/sitemap.xml": ["category/c.html", "category/creme-co.html"],
        "sitemap-c.xml": ["c.html", "d.html"],
        "sitemap-creme-co.xml": ["a.html", "b.html"],
        "sitemap-root.xml": lists,
    }
    assert not output.logged(logging.WARNING)


def test_every_kind_of_page_is_in_exactly_one_sitemap_at_its_declared_address(blog: Blog) -> None:
    for number in range(3):
        blog.article(f"news/n{number}.md", tags="one, two", date=f"202{number}-05-06")
    blog.article("pages/about.md")
    blog.article("pages/home.md", save_as="index.html", url="")
    blog.article("replacing.md", tags="one", save_as="tag/two.html", url="tag/two.html")
    blog.article("where.md", save_as="else/where.html")
    blog.article("a.md", url="a & b's/Größe.html?x=1&y=2", save_as="a & b's/Größe.html")
    blog.article("bare.md", url="bare", save_as="bare.html")
    blog.article("b.md", slug="日本")
    blog.write(
        "content/extra/legal.html",
        "<html><head><title>Legal</title></head><body>Legal</body></html>",
    )
    blog.write("content/extra/demo.html", "<html><body>Text</body></html>")
    blog.write(
        "content/d.md",
        "title: d\ndate: 2020-01-01\nsave_as: x/d.html\nurl:"
        " x/d.html\n\n[d]({attach}extra/demo.html)\n",
    )
    blog.write("content/contact.html.in", "<p>Contact {{ SITENAME }}</p>")
    for name in (".htaccess", "search.json"):
        blog.write(f"content/{name}.tpl", "x")
    templates = {
        "contact.html.in": "contact.html",
        ".htaccess.tpl": ".htaccess",
        "search.json.tpl": "search.json",
    }
    settings: dict[str, Any] = {
        "STATIC_PATHS": ["extra"],
        "ARTICLE_EXCLUDES": ["extra", "pages"],
        "TEMPLATE_PAGES": templates,
        "YEAR_ARCHIVE_SAVE_AS": "{date:%Y}/index.html",
        "MONTH_ARCHIVE_SAVE_AS": "by/{date:%Y}/{date:%m}/index.html",
        "MONTH_ARCHIVE_URL": "by/{date:%Y}/{date:%m}/",
        "ARCHIVES_SAVE_AS": "all/index.html",
        "ARCHIVES_URL": "all/",
        "AUTHOR": "Ann",
        "AUTHORS_SAVE_AS": "authors.html",
    }
    blog.commit(COMMITTED)
    output = blog.run(**settings)
    odd = {
        "a%20&%20b's/Gr%C3%B6%C3%9Fe.html?x=1&y=2": "a & b's/Größe.html",
        "bare": "bare.html",
        "": "index.html",
    }
    odd["%E6%97%A5%E6%9C%AC.html"] = "日本.html"
    assert {odd.get(path, path) for path in output.pages} == {
        path if path == "index.html" else path.replace("/index.html", "/") for path in output.html
    }
    assert output.sitemaps["tag/sitemap.xml"] == ["tag/one.html", "tag/two.html"]
    assert {
        "extra/legal.html",
        "x/extra/demo.html",
        "contact.html",
        "2020/",
        "by/2020/05/",
        "all/",
    } <= output.pages.keys()
    assert not output.logged(logging.WARNING)
    pages = output.pages
    shutil.rmtree(blog.root / "output")
    assert blog.run(**settings, RELATIVE_URLS=True).pages == pages


def test_pages_that_a_server_maps_to_files_elsewhere_are_listed_at_the_root(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}.md")
        blog.article(f"pages/{name}.md")
    output = blog.run(
        ARTICLE_URL="blog/{slug}/",
        ARTICLE_SAVE_AS="files/{slug}/index.html",
        PAGE_URL="pages/{slug}",
    )
    assert {"blog/a/", "blog/b/"} <= set(output.sitemaps["sitemap-root.xml"])
    assert output.sitemaps["pages/sitemap.xml"] == ["pages/a", "pages/b"]


def test_what_its_author_keeps_back_is_left_out_and_counted(blog: Blog) -> None:
    blog.article("a.md")
    blog.article("draft.md", status="draft")
    blog.article("hidden.md", status="hidden")
    blog.article("private.md", private="true")
    blog.article("noindex.md", noindex="True")
    blog.article("robots.md", robots="noindex, nofollow")
    blog.article("pages/404.md", save_as="404.html")
    blog.article("pages/hidden.md", status="hidden")
    output = blog.run()
    assert not {"draft", "hidden", "private", "noindex", "robots", "404"} & {
        Path(path).stem for path in output.pages
    }
    counts = (
        "1 error page, 1 marked draft, 2 marked hidden, 3 private or noindex in its front matter"
    )
    assert [counts in message for message in output.logged(logging.INFO)].count(True) == 1


def test_later_pages_of_lists_are_listed_only_when_asked_for_and_have_no_date(blog: Blog) -> None:
    settings: dict[str, Any] = {
        "DEFAULT_PAGINATION": 2,
        "PAGINATION_PATTERNS": PAGINATION,
        "SITEMAP_INDEX": {},
    }
    settings |= {"TAG_URL": "tag/{slug}/", "TAG_SAVE_AS": "tag/{slug}/index.html"}
    for number in range(6):
        blog.article(f"a{number}.md", date=f"2020-01-0{number + 1}", tags="t")
        blog.commit(f"2023-01-0{number + 1}T00:00:01Z")
    assert not [path for path in blog.run(**settings).pages if "page/" in path]
    settings["SITEMAP_INDEX"] = {"pagination": True}
    blog.article("a2.md", date="2020-01-03", tags="t", summary="changed")
    blog.commit(COMMITTED)
    pages = blog.run(**settings).pages
    assert [pages[f"tag/t/{path}"] for path in ("", "page/2/", "page/3/")] == [
        "2023-01-06T00:00:01Z",
        None,
        None,
    ]
    blog.article("a5.md", date="2020-01-06", tags="t", summary="changed")
    blog.commit(COMMITTED)
    pages = blog.run(**settings).pages
    assert pages["tag/t/"] == pages[""] == COMMITTED


def test_a_page_is_dated_by_its_author_then_by_git_and_a_list_by_what_it_lists(blog: Blog) -> None:
    blog.article("a.md", category="one", tags="x")
    blog.write("content/home.tpl", "<p>Home</p>")
    blog.commit("2023-01-01T00:00:01+02:00")
    blog.article("b.md", category="two", tags="x, y")
    blog.article("gone.md", category="gone")
    blog.commit("2024-01-01T00:00:01Z")
    blog.article("day.md", category="three", tags="y", modified="2024-06-07", date="2021-01-01")
    blog.article("local.md", category="four", modified="2023-05-06 12:30")
    blog.article("zone.md", category="four", modified="2023-05-06T12:30:00+09:00")
    (blog.root / "content/gone.md").unlink()
    blog.commit("2024-02-01T00:00:01Z")
    settings: dict[str, Any] = {
        "TIMEZONE": "Europe/Berlin",
        "YEAR_ARCHIVE_SAVE_AS": "{date:%Y}.html",
    }
    settings |= {
        "TEMPLATE_PAGES": {"home.tpl": "home.html"},
        "CACHE_PATH": str(blog.root / "cache"),
    }
    first, second = "2022-12-31T22:00:01Z", "2024-01-01T00:00:01Z"
    expected = {
        "a.html": first,
        "home.html": first,
        "b.html": second,
        "category/one.html": first,
        "day.html": "2024-06-07",
        "local.html": "2023-05-06T10:30:00Z",
        "zone.html": "2023-05-06T03:30:00Z",
        "category/three.html": "2024-06-07",
        "tag/x.html": second,
        "tag/y.html": "2024-06-07",
        "2020.html": second,
        "archives.html": "2024-06-07",
        "": "2024-06-07",
        "2021.html": "2024-06-07",
    }
    for cached in (
        {},
        {"CACHE_CONTENT": True, "LOAD_CONTENT_CACHE": True},
        {"LOAD_CONTENT_CACHE": True},
    ):
        output = blog.run(**settings, **cached)
        assert {path: output.pages[path] for path in expected} == expected
    assert output.index[f"{SITEURL}/sitemap-root.xml"] == "2024-06-07"
    blog.article("later.md", date="2999-01-01")
    blog.article("wrong.md", modified="2999-01-01")
    output = blog.run(**settings)
    assert output.pages["later.html"] is None
    assert output.pages["archives.html"] is None, "a list of something undated is undated"
    assert output.pages["wrong.html"] == "2020-01-01"
    assert any("in the future" in message for message in output.logged(logging.WARNING))


@pytest.mark.parametrize(("default", "published"), [("fs", None), ((2012, 3, 2), "2020-01-01")])
def test_without_git_the_publication_counts_and_neither_a_default_nor_the_time_of_a_file(
    blog: Blog, default: object, published: str | None
) -> None:
    blog.article("a.md", date="2020-01-01")
    blog.write("content/b.md", "title: b\n\nText.\n")
    blog.write("content/pages/about.md", "title: About\n\nText.\n")
    pages = blog.run(DEFAULT_DATE=default).pages
    assert (pages["a.html"], pages["b.html"], pages["pages/about.html"]) == (published, None, None)
    blog.commit(COMMITTED)
    assert {
        date
        for path, date in blog.run(DEFAULT_DATE=default).pages.items()
        if path.endswith("b.html")
    } == {COMMITTED}


def test_every_variant_that_is_listed_names_all_and_the_default_and_accidents_are_one_notice(
    blog: Blog,
) -> None:
    for lang, meta in {
        "en": {},
        "de": {},
        "pt_br": {},
        "fr": {"private": "true"},
        "it": {"status": "draft"},
    }.items():
        blog.article(f"a-{lang}.md", slug="a", lang=lang, **meta)
    for lang in ("de", "fr"):
        blog.article(f"pages/a-{lang}.md", slug="a", lang=lang)
    blog.article("only.md")
    blog.article("b-en.md", slug="b", lang="en")
    blog.article("b-de.md", slug="b", lang="de", noindex="true")
    blog.article("c-en.md", slug="c", lang="en", save_as="en & more/c.html")
    blog.article("c-de.md", slug="c", lang="de")
    for year in range(2000, 2012):
        blog.article(
            f"{year}/news.md", slug="news", save_as=f"{year}/news.html", url=f"{year}/news.html"
        )
    blog.article("2000/news-de.md", slug="news", lang="de")
    output = blog.run()
    articles = {
        lang: f"{SITEURL}/a{end}.html"
        for lang, end in (("en", ""), ("de", "-de"), ("pt-br", "-pt_br"))
    }
    articles["x-default"] = articles["en"]
    pages = {lang: f"{SITEURL}/pages/a-{lang}.html" for lang in ("de", "fr")}
    named = {"en": f"{SITEURL}/en%20&%20more/c.html", "de": f"{SITEURL}/c-de.html"}
    named["x-default"] = named["en"]
    groups = (articles, named, pages)
    assert output.alternates == {url: links for links in groups for url in links.values()}
    assert not output.logged(logging.WARNING)
    (notice,) = [
        message for message in output.logged(logging.INFO) if "grouped as translations" in message
    ]
    first, second = f"{SITEURL}/2000/news.html", f"{SITEURL}/2001/news.html"
    assert f"{first}: it and {second} are grouped as translations of each other" in notice
    assert "but both have the language 'en'. The same applies to " in notice
    assert "ARTICLE_TRANSLATION_ID" in notice


def test_templates_get_the_date_of_each_page_as_the_sitemap_has_it(blog: Blog) -> None:
    lastmod = "{% set date = (article or page or {}).lastmod %}"
    shown = lastmod + "Text <i>{% if date %}{{ date|strftime('%Y-%m-%d %H:%M') }}{% endif %}</i>"
    for name, content in {
        "article": shown,
        "page": shown,
        "news": shown + "{{ articles }}",
    }.items():
        blog.write(f"templates/{name}.html", content)
    blog.article("pages/about.md")
    blog.article("pages/news.md", template="news")
    blog.commit("2023-12-31T23:30:00Z")
    for language in ("en", "de"):
        blog.article(f"a-{language}.md", slug="a", lang=language)
    blog.article("draft.md", status="draft")
    blog.commit("2024-02-02T00:30:00Z")
    blog.article("own.md", modified="2024-06-07")
    blog.article("later.md", date="2999-01-01")
    output = blog.run(
        TIMEZONE="Europe/Berlin", THEME_TEMPLATES_OVERRIDES=[str(blog.root / "templates")]
    )
    expected = {
        "pages/about.html": ("2023-12-31T23:30:00Z", "2024-01-01 00:30"),
        "pages/news.html": (None, ""),  # an article that it lists has no date
        "a.html": ("2024-02-02T00:30:00Z", "2024-02-02 01:30"),
        "a-de.html": ("2024-02-02T00:30:00Z", "2024-02-02 01:30"),
        "own.html": ("2024-06-07", "2024-06-07 00:00"),
        "later.html": (None, ""),
    }
    html = {
        path: (output.directory / path).read_text("utf-8")
        for path in [*expected, "drafts/draft.html"]
    }
    texts = {path: re.findall(r"<i>(.*)</i>", text)[0] for path, text in html.items()}
    assert texts.pop("drafts/draft.html") == "2024-02-02 01:30"
    assert {path: (output.pages[path], text) for path, text in texts.items()} == expected
