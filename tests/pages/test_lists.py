"""Pages that list others: they have the date of the newest, and none if another page may be newer."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from smindex_plugins.history import Answer, Change, Reason, Unknown
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Site
from tests.support.dated import KnownHistory, date_pages

NOW = datetime(2025, 1, 1, tzinfo=UTC)
BASE = "https://example.org/"


def dates(*pages: Page, answers: dict[str, Answer] | None = None, **settings: str) -> list[str | Unknown | None]:
    """Return the dates of pages, or why they have none."""
    site = Site(url=BASE, directory="/site", settings=Settings.load(settings))
    dated = date_pages(pages, KnownHistory(answers), site, NOW)
    return [page.lastmod or dated.undated.get(page.url) for page in dated.pages]


def post(name: str, modified: str | None = None) -> Page:
    meta = {"modified": modified} if modified else None
    return Page(url=f"{BASE}{name}", sources=(f"/{name}.md",), meta=meta)


def listing(*names: str, **meta: object) -> Page:
    return Page(url=f"{BASE}list", lists=tuple(f"{BASE}{name}" for name in names), meta=meta)


def test_a_list_has_the_newest_date_of_what_it_lists_wherever_that_is() -> None:
    posts = [post("a", "2023-01-01"), post("b", "2024-01-01T00:00:01Z"), post("c", "2024-06-01")]
    assert dates(listing("a", "b"), *posts)[0] == "2024-01-01T00:00:01Z"


def test_a_list_that_its_author_dates_has_the_newer_date_of_both() -> None:
    assert dates(listing("a", updated="2024-05-01"), post("a", "2023-01-01"))[0] == "2024-05-01"
    assert dates(listing("a", updated="2022-05-01"), post("a", "2023-01-01"))[0] == "2023-01-01"


@pytest.mark.parametrize("names", [(), ("elsewhere",)])
def test_a_list_of_no_page_of_the_site_has_no_date(names: tuple[str, ...]) -> None:
    assert dates(listing(*names), post("a", "2023-01-01"))[0] == Unknown(Reason.NO_SOURCE)


NOON = int(datetime(2024, 5, 10, 12, tzinfo=UTC).timestamp())
OLDER = Unknown(Reason.SHALLOW, before=NOON)
UNBOUND = Unknown(Reason.SHALLOW)


@pytest.mark.parametrize(
    ("newest", "other", "dated"),
    [
        ("2024-05-10T12:00:01Z", OLDER, "2024-05-10T12:00:01Z"),
        ("2024-05-10T12:00:00Z", OLDER, "2024-05-10T12:00:00Z"),
        ("2024-05-10T11:59:59Z", OLDER, OLDER),
        ("2024-05-10", OLDER, OLDER),
        ("2024-05-11", OLDER, "2024-05-11"),
        ("2024-12-31", UNBOUND, UNBOUND),
        (OLDER, UNBOUND, OLDER),
    ],
)
def test_a_list_is_dated_only_if_no_page_that_it_lists_can_be_newer(
    newest: str | Unknown, other: Unknown, dated: str | Unknown
) -> None:
    first = post("a", newest if isinstance(newest, str) else None)
    answers: dict[str, Answer] = {"/a.md": newest if isinstance(newest, Unknown) else UNBOUND, "/b.md": other}
    assert dates(listing("c", "a", "b"), first, post("b"), post("c", "2020-01-01"), answers=answers)[0] == dated


@pytest.mark.parametrize(
    ("answer", "dated"),
    [
        (UNBOUND, UNBOUND),
        (Change(NOON + 86_400, "c"), "2024-05-11T12:00:00Z"),
        (Change(NOON - 86_400, "c"), "2024-05-10"),
    ],
)
def test_a_list_is_as_new_as_what_it_is_made_from(answer: Answer, dated: str | Unknown) -> None:
    made = replace(listing("a", "of-another-site"), sources=("/list.md",))
    assert dates(made, post("a", "2024-05-10"), answers={"/list.md": answer})[0] == dated


def test_a_list_has_a_day_if_the_settings_want_days() -> None:
    assert dates(listing("a"), post("a", "2023-01-01T05:00:00Z"), lastmod_format="date") == ["2023-01-01"] * 2


def test_the_first_page_of_a_list_is_as_new_as_what_it_lists_and_later_ones_have_no_date() -> None:
    posts = [post(name, f"2024-01-0{number}") for number, name in enumerate("abcd", 1)]
    first, later = listing("a", "b"), replace(listing("d", "c"), url=f"{BASE}list/2", number=2)
    made = replace(later, url=f"{BASE}list/3", number=3, sources=("/list.md",))
    answers: dict[str, Answer] = {"/list.md": Change(NOON, "c")}
    without = Unknown(Reason.LATER_PAGE)
    assert dates(made, later, first, *posts, answers=answers)[:3] == [without, without, "2024-01-02"]


def test_a_later_page_that_its_author_dates_has_that_date() -> None:
    assert dates(replace(listing("a", updated="2022-05-01"), number=2), post("a", "2023-01-01"))[0] == "2022-05-01"
