"""Pelican sites in several languages: which variants point to which."""

import logging
from pathlib import Path

import pytest

from tests.support.blog import SITEURL, Blog


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_every_variant_names_all_variants_itself_and_the_default(blog: Blog) -> None:
    for lang in ("en", "de", "pt_br"):
        blog.article(f"a-{lang}.md", slug="a", lang=lang)
    blog.article("only.md")
    expected = {
        "en": f"{SITEURL}/a.html",
        "de": f"{SITEURL}/a-de.html",
        "pt-br": f"{SITEURL}/a-pt_br.html",
        "x-default": f"{SITEURL}/a.html",
    }
    alternates = blog.run().alternates
    assert alternates == dict.fromkeys(expected.values(), expected)


def test_pages_have_variants_too_and_without_the_default_language_there_is_no_default(blog: Blog) -> None:
    for lang in ("fr", "de"):
        blog.article(f"pages/a-{lang}.md", slug="a", lang=lang)
    (first, second) = blog.run().alternates.values()
    assert first == second
    assert set(first) == {"fr", "de"}


def test_files_without_variants_do_not_declare_the_namespace(blog: Blog) -> None:
    blog.article("a.md")
    assert "xhtml" not in (blog.run().directory / "sitemap-root.xml").read_text()


def test_variants_that_are_not_listed_are_not_pointed_to(blog: Blog) -> None:
    for lang, meta in {"en": {}, "de": {}, "fr": {"private": "true"}, "it": {"status": "draft"}}.items():
        blog.article(f"a-{lang}.md", slug="a", lang=lang, **meta)
    blog.article("b-en.md", slug="b", lang="en")
    blog.article("b-de.md", slug="b", lang="de", noindex="true")
    alternates = blog.run().alternates
    assert set(alternates[f"{SITEURL}/a.html"]) == {"en", "de", "x-default"}
    assert f"{SITEURL}/b.html" not in alternates


def test_the_address_of_a_variant_is_the_one_that_is_listed(blog: Blog) -> None:
    blog.article("a-en.md", slug="a", lang="en", save_as="en & more/a.html")
    blog.article("a-de.md", slug="a", lang="de")
    output = blog.run()
    assert output.alternates[f"{SITEURL}/a-de.html"]["en"] == f"{SITEURL}/en%20&%20more/a.html"
    assert "en%20&%20more/a.html" in output.pages


def test_articles_that_share_a_slug_by_accident_are_no_translations_and_one_notice_says_so(blog: Blog) -> None:
    for year in range(2000, 2012):
        blog.article(f"{year}/news.md", slug="news", save_as=f"{year}/news.html", url=f"{year}/news.html")
    blog.article("2000/news-de.md", slug="news", lang="de")
    blog.article("a-en.md", slug="a", lang="en")
    blog.article("a-de.md", slug="a", lang="de")
    output = blog.run()
    assert set(output.alternates) == {f"{SITEURL}/a.html", f"{SITEURL}/a-de.html"}
    assert not output.logged(logging.WARNING)
    (notice,) = [message for message in output.logged(logging.INFO) if "hreflang" in message or "accidental" in message]
    first, second = f"{SITEURL}/2000/news.html", f"{SITEURL}/2001/news.html"
    assert f"{first}: it and {second} are grouped as translations of each other" in notice
    assert "but both have the language 'en'. The same is true of " in notice
    assert "ARTICLE_TRANSLATION_ID" in notice
