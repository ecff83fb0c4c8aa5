import pytest

from smindex_plugins.frontmatter import DATE_KEYS, author_date
from smindex_plugins.model import Page

yaml = pytest.importorskip("yaml")  # MkDocs brings it; whether its types are installed makes no difference so


def page(front_matter: str) -> Page:
    return Page(url="https://e.org/a/", source_name="a.md", meta=yaml.safe_load(front_matter))


@pytest.mark.parametrize(
    ("front_matter", "lastmod"),
    [
        ("lastmod: 2026-05-10", "2026-05-10"),
        ("lastmod: '2026-05-10'", "2026-05-10"),
        ("lastmod: 2026-05-10T12:30:15Z", "2026-05-10T12:30:15Z"),
        ("lastmod: 2026-05-10T12:30:15+02:00", "2026-05-10T10:30:15Z"),
        ("lastmod: 2026-05-10 12:30:15 +2", "2026-05-10T10:30:15Z"),
        ("lastmod: 2026-05-10 12:30:15", "2026-05-10"),
        ("updated: 2026-05-10", "2026-05-10"),
        ("modified: 2026-05-10", "2026-05-10"),
        ("date: {created: 2020-01-01, updated: 2026-05-10}", "2026-05-10"),
        ("{lastmod: 2026-05-10, updated: 2026-05-11, modified: 2026-05-12}", "2026-05-10"),
        ("{lastmod: , updated: 2026-05-11}", "2026-05-11"),
        ("{lastmod: '', modified: 2026-05-12}", "2026-05-12"),
    ],
)
def test_the_authors_date_is_the_first_that_is_written(front_matter: str, lastmod: str) -> None:
    assert author_date(page(front_matter)) == (lastmod, None)


@pytest.mark.parametrize(
    "front_matter",
    [
        "",
        "{}",
        "title: A",
        "date: 2026-05-10",
        "date: {created: 2026-05-10}",
        "date: [2026-05-10]",
        "date:",
        "lastmod:",
        "lastmod: ''",
        "date: {updated: }",
    ],
)
def test_without_a_date_of_change_there_is_neither_date_nor_finding(front_matter: str) -> None:
    assert author_date(page(front_matter)) == (None, None)


@pytest.mark.parametrize(
    ("front_matter", "key", "value"),
    [
        ("lastmod: last week", "lastmod", "'last week'"),
        ("lastmod: 2026-05", "lastmod", "'2026-05'"),
        ("lastmod: 2026", "lastmod", "2026"),
        ("lastmod: '2026-02-30'", "lastmod", "'2026-02-30'"),
        ("updated: [2026-05-10]", "updated", "[datetime.date(2026, 5, 10)]"),
        ("modified: true", "modified", "True"),
        ("lastmod: false", "lastmod", "False"),
        ("lastmod: 0", "lastmod", "0"),
        ("date: {updated: soon}", "date.updated", "'soon'"),
        ("{lastmod: soon, updated: 2026-05-10}", "lastmod", "'soon'"),
    ],
)
def test_a_wrong_date_is_a_finding_that_names_page_key_and_value(front_matter: str, key: str, value: str) -> None:
    lastmod, finding = author_date(page(front_matter))
    assert lastmod is None
    assert finding is not None
    assert (finding.check, finding.level, finding.where) == ("invalid-date", "warning", "a.md")
    assert f"{key}: {value}" in finding.problem
    assert "YYYY-MM-DD" in finding.fix


def test_a_page_without_a_source_is_named_by_its_url() -> None:
    _, finding = author_date(Page(url="https://e.org/a/", meta={"lastmod": "soon"}))
    assert finding is not None
    assert finding.where == "https://e.org/a/"


def test_every_key_is_looked_for() -> None:
    for key in DATE_KEYS:
        outer, _, inner = key.partition(".")
        meta = {outer: {inner: "2026-05-10"} if inner else "2026-05-10"}
        assert author_date(Page(url="https://e.org/a/", meta=meta)) == ("2026-05-10", None)
