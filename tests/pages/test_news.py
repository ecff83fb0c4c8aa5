from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from smindex_plugins.model import Details, Finding, Page, Publication
from smindex_plugins.pages import news

NOW = datetime(2026, 5, 10, 12, tzinfo=UTC)
TIMES = Publication(name="The Times", language="en")
BASE = "https://e.org/docs/"


@pytest.fixture
def rendered(tmp_path: Path) -> str:
    file = tmp_path / "page.html"
    file.write_text("<!doctype html><html><head><title>A - Site</title></head><body>text</body></html>")
    return str(file)


def page(file: str, published: str | None, url: str = f"{BASE}a/", **more: object) -> Page:
    details = Details(published=published, source_name="a.md", **more)  # type: ignore[arg-type]
    return Page(url=url, file=file, details=details)


@pytest.mark.parametrize(
    ("published", "is_news"),
    [
        ("2026-05-10T12:00:00Z", True),
        ("2026-05-08T12:00:00Z", True),
        ("2026-05-08T11:59:59Z", False),
        ("2026-05-10T12:00:01Z", False),
        ("2026-05-10", True),
        ("2026-05-09", True),
        ("2026-05-08", False),
        ("2026-05-11", True),  # where the day begins first
        ("2026-05-12", False),
        ("2020-01-01", False),
        (None, False),
    ],
)
def test_news_are_the_articles_of_the_last_two_days(rendered: str, published: str | None, *, is_news: bool) -> None:
    findings: list[Finding] = []
    assert bool(news.recent([page(rendered, published)], TIMES, NOW + timedelta(0), findings)) == is_news
    assert not findings


@pytest.mark.parametrize(
    "meta",
    [
        {"date": "2026-05-10"},
        {"date": datetime(2026, 5, 10, 9, tzinfo=UTC).date()},
        {"date": {"created": "2026-05-10", "updated": "2026-05-11"}},
    ],
)
def test_the_date_is_that_of_the_host_or_of_the_front_matter(rendered: str, meta: dict[str, object]) -> None:
    (found,) = news.recent([page(rendered, None, meta=meta)], TIMES, NOW, [])
    assert found.details.news is not None
    assert found.details.news.published == "2026-05-10"
    assert not news.recent([page(rendered, "2020-01-01", meta=meta)], TIMES, NOW, [])


def test_or_else_that_which_the_page_gives_of_itself(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text('<!doctype html><title>A</title><meta property="article:published_time" content="2026-05-10"><p>a')
    assert news.recent([page(str(file), None)], TIMES, NOW, [])
    assert not news.recent([page(str(file), "2026-05-01")], TIMES, NOW, [])


@pytest.mark.parametrize(
    ("head", "meta", "title"),
    [
        ('<script type="application/ld+json">{"@type": "Article", "headline": " H\\n"}</script>', {"title": "M"}, "H"),
        ('<meta property="og:title" content="O">', {"title": "M"}, "O"),
        ("", {"title": "M"}, "M"),
        ("", {"title": 1}, "T"),
        ("", None, "T"),
    ],
)
def test_the_title_is_the_articles_own_where_it_is_known(
    tmp_path: Path, head: str, meta: dict[str, object] | None, title: str
) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><html><head><title>T</title>{head}</head><body>text</body></html>")
    (found,) = news.recent([page(str(file), "2026-05-10", meta=meta)], TIMES, NOW, [])
    assert found.details.news is not None
    assert found.details.news.title == title


def test_an_article_without_a_title_is_named_and_left_out(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<!doctype html><p>text")
    findings: list[Finding] = []
    assert not news.recent([page(str(file), "2026-05-10")], TIMES, NOW, findings)
    assert [(finding.check, finding.where) for finding in findings] == [("untitled-news", "a.md")]


def test_the_newest_come_first_and_of_one_date_in_the_order_of_their_urls(rendered: str) -> None:
    dates = {"b": "2026-05-09", "d": "2026-05-10T11:00:00Z", "a": "2026-05-09", "c": "2026-05-10"}
    pages = [page(rendered, date, url=BASE + name) for name, date in dates.items()]
    assert [found.url[-1] for found in news.recent(pages, TIMES, NOW, [])] == ["d", "c", "a", "b"]


def test_a_list_of_articles_is_no_article_and_a_file_that_is_gone_is_none(rendered: str) -> None:
    lists = [page(rendered, "2026-05-10", lists=(f"{BASE}b/",)), page(rendered, "2026-05-10", number=2)]
    assert not news.recent(lists, TIMES, NOW, [])
    assert not news.recent([page("gone.html", None), page("", None)], TIMES, NOW, [])
