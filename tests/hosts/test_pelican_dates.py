"""Which dates the pages of a Pelican site have: the author's, git's, the publication's, or none."""

import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.blog import Blog

COMMITTED = "2024-01-02T03:04:05Z"


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_every_date_equals_what_git_says_of_the_source(blog: Blog) -> None:
    for number in range(6):
        blog.article(f"part{number % 2}/a{number}.md")
        blog.commit(f"2023-0{number + 1}-01T00:00:01+02:00")
    pages = blog.run().pages
    for number in range(6):
        path = f"content/part{number % 2}/a{number}.md"
        seconds = int(blog.git("log", "-1", "--format=%ct", "--", path))
        assert pages[f"a{number}.html"] == datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(
    ("modified", "expected"),
    [
        ("2023-05-06", "2023-05-06"),
        ("2023-05-06 12:30", "2023-05-06T10:30:00Z"),
        ("2023-05-06T12:30:00+09:00", "2023-05-06T03:30:00Z"),
    ],
)
def test_modified_is_what_the_author_meant_in_the_time_zone_of_the_site(
    blog: Blog, modified: str, expected: str
) -> None:
    blog.article("a.md", modified=modified)
    blog.commit(COMMITTED)
    assert blog.run(TIMEZONE="Europe/Berlin").pages["a.html"] == expected


def test_without_modified_git_counts_and_not_the_publication_date(blog: Blog) -> None:
    blog.article("a.md", date="2020-01-01")
    blog.commit(COMMITTED)
    assert blog.run().pages["a.html"] == COMMITTED


def test_what_git_does_not_know_has_its_publication_date(blog: Blog) -> None:
    blog.article("a.md", date="2020-01-01")
    assert blog.run().pages["a.html"] == "2020-01-01"


def test_a_shallow_clone_does_not_fall_back_on_publication_dates(blog: Blog, tmp_path: Path) -> None:
    blog.article("a.md")
    blog.commit("2023-01-01T00:00:01Z")
    blog.article("b.md")
    blog.commit(COMMITTED)
    blog.git("clone", "-q", "--depth=1", f"file://{blog.root}", str(tmp_path / "shallow"))
    output = Blog(tmp_path / "shallow").run()
    assert output.pages["a.html"] is None
    assert any("shallow" in message for message in output.logged(logging.WARNING))


def test_no_date_is_in_the_future(blog: Blog) -> None:
    blog.article("a.md", date="2020-01-01", modified="2999-01-01")
    blog.article("b.md", date="2999-01-01")
    output = blog.run()
    assert output.pages["a.html"] == "2020-01-01"
    assert output.pages["b.html"] is None
    assert any("in the future" in message for message in output.logged(logging.WARNING))


def test_file_times_are_no_dates(blog: Blog) -> None:
    file = blog.write("content/a.md", "title: a\n\nText.\n")
    os.utime(file, (1_500_000_000, 1_500_000_000))
    assert blog.run(DEFAULT_DATE="fs").pages["a.html"] is None
    blog.commit(COMMITTED)
    assert blog.run(DEFAULT_DATE="fs").pages["a.html"] == COMMITTED


@pytest.mark.parametrize("default", [(2012, 3, 2), "2012-03-02"])
def test_a_default_date_is_nobodys_word_about_a_page(blog: Blog, default: object) -> None:
    blog.write("content/a.md", "title: a\n\nText.\n")
    assert blog.run(DEFAULT_DATE=default).pages["a.html"] is None


def test_a_page_without_any_date_has_none_and_it_is_not_the_time_of_the_build(blog: Blog) -> None:
    blog.write("content/pages/about.md", "title: About\n\nText.\n")
    output = blog.run()
    assert output.pages["pages/about.html"] is None
    assert set(output.index.values()) == {None}


def test_lists_have_the_newest_date_of_what_they_list(blog: Blog) -> None:
    blog.article("a.md", category="one", tags="x")
    blog.commit("2023-01-01T00:00:01Z")
    blog.article("b.md", category="two", tags="x, y")
    blog.commit("2024-01-01T00:00:01Z")
    blog.article("c.md", category="three", tags="y", modified="2024-06-07", date="2021-01-01")
    blog.commit("2024-02-01T00:00:01Z")
    pages = blog.run(YEAR_ARCHIVE_SAVE_AS="{date:%Y}.html").pages
    assert pages["category/one.html"] == "2023-01-01T00:00:01Z"
    assert pages["category/three.html"] == "2024-06-07"
    assert pages["tag/x.html"] == "2024-01-01T00:00:01Z"
    assert pages["tag/y.html"] == pages["archives.html"] == pages[""] == pages["2021.html"] == "2024-06-07"
    assert pages["2020.html"] == "2024-01-01T00:00:01Z"


def test_the_first_page_of_a_list_has_the_newest_date_of_its_part_and_later_ones_have_none(blog: Blog) -> None:
    settings: dict[str, Any] = {"DEFAULT_PAGINATION": 2, "SITEMAP_INDEX": {"pagination": True}}
    for number in range(6):
        blog.article(f"a{number}.md", date=f"2020-01-0{number + 1}", tags="t")
        blog.commit(f"2023-01-0{number + 1}T00:00:01Z")
    lists = {"index": ("", "index2.html", "index3.html"), "tag": ("tag/t.html", "tag/t2.html", "tag/t3.html")}
    came = "2023-01-06T00:00:01Z"

    def dates() -> dict[str, tuple[str | None, ...]]:
        pages = blog.run(**settings).pages
        return {name: tuple(pages[path] for path in paths) for name, paths in lists.items()}

    assert dates() == dict.fromkeys(lists, (came, None, None))
    changed = "2023-02-01T00:00:01Z"
    blog.article("a2.md", date="2020-01-03", tags="t", summary="changed")
    blog.commit(changed)
    assert dates() == dict.fromkeys(lists, (came, None, None))
    later = "2023-03-01T00:00:01Z"
    blog.article("a5.md", date="2020-01-06", tags="t", summary="changed")
    blog.commit(later)
    assert dates() == dict.fromkeys(lists, (later, None, None))


def test_a_list_of_something_undated_is_undated(blog: Blog) -> None:
    blog.article("a.md")
    blog.commit(COMMITTED)
    blog.article("b.md", date="2999-01-01")
    assert blog.run().pages["archives.html"] is None


def test_the_index_is_dated_by_the_pages_and_by_what_was_removed(blog: Blog) -> None:
    settings: dict[str, Any] = {"ARTICLE_URL": "{category}/{slug}.html", "ARTICLE_SAVE_AS": "{category}/{slug}.html"}
    for name in ("x/a", "x/b", "x/c", "y/d", "y/e"):
        blog.article(f"{name}.md", category=name[0])
    blog.commit("2023-01-01T00:00:01Z")
    index = blog.run(**settings).index
    assert index["https://example.org/blog/x/sitemap.xml"] == "2023-01-01T00:00:01Z"
    (blog.root / "content/x/c.md").unlink()
    blog.commit("2024-01-01T00:00:01Z")
    index = blog.run(**settings).index
    assert index["https://example.org/blog/x/sitemap.xml"] == "2024-01-01T00:00:01Z"
    assert index["https://example.org/blog/y/sitemap.xml"] == "2023-01-01T00:00:01Z"


def test_dates_can_be_turned_off(blog: Blog) -> None:
    blog.article("a.md")
    assert set(blog.run(SITEMAP_INDEX={"lastmod": "off"}).pages.values()) == {None}


def test_cached_content_has_the_same_dates(blog: Blog) -> None:
    blog.article("a.md", modified="2023-05-06")
    cached: dict[str, Any] = {"CACHE_CONTENT": True, "LOAD_CONTENT_CACHE": True, "CACHE_PATH": str(blog.root / "cache")}
    for layer in ("reader", "generator"):
        first = blog.run(**cached, CONTENT_CACHING_LAYER=layer).pages
        assert blog.run(**cached, CONTENT_CACHING_LAYER=layer).pages == first
        assert first["a.html"] == "2023-05-06"
