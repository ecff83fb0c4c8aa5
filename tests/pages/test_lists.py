"""Pages that list others: whose newest date they have, and when they have none."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from smindex_plugins.pages.lists import newest_listed

from smindex_plugins.history import Reason, Unknown
from smindex_plugins.model import Page
from smindex_plugins.pages import Dating
from smindex_plugins.settings import Settings, Site

_NOW = datetime(2025, 1, 1, tzinfo=UTC)


def _dates(*pages: Page, **settings: str) -> list[str | None]:
    target = Site(url="https://example.org/", directory="/site", settings=Settings.load(settings))
    dated, _ = Dating(target.settings).date(pages, target, _NOW, [])
    return [page.lastmod for page in dated]


def _page(name: str, modified: str | None) -> Page:
    return Page(url=f"https://example.org/{name}", meta={"modified": modified} if modified else None)


def _list(*names: str, meta: dict[str, object] | None = None) -> Page:
    return Page(
        url="https://example.org/list",
        lists=tuple(f"https://example.org/{name}" for name in names),
        meta=meta,
    )


def test_a_list_has_the_newest_date_of_what_it_lists_wherever_it_stands() -> None:
    pages = [_list("a", "b"), _page("a", "2023-01-01"), _page("b", "2024-01-01T00:00:01Z"), _page("c", "2024-06-01")]
    assert _dates(*pages)[0] == "2024-01-01T00:00:01Z"


def test_a_list_whose_author_dates_it_has_the_newer_of_both() -> None:
    assert _dates(_list("a", meta={"updated": "2024-05-01"}), _page("a", "2023-01-01"))[0] == "2024-05-01"
    assert _dates(_list("a", meta={"updated": "2022-05-01"}), _page("a", "2023-01-01"))[0] == "2023-01-01"


@pytest.mark.parametrize("names", [("a", "undated"), (), ("elsewhere",)])
def test_a_list_that_may_be_newer_than_anything_known_has_no_date(names: tuple[str, ...]) -> None:
    assert _dates(_list(*names), _page("a", "2023-01-01"), _page("undated", None))[0] is None


_NOON = int(datetime(2024, 5, 10, 12, tzinfo=UTC).timestamp())
_OWN = Unknown(Reason.NO_SOURCE)
_OLDER = Unknown(Reason.SHALLOW, before=_NOON)
_UNBOUND = Unknown(Reason.SHALLOW)


@pytest.mark.parametrize(
    ("newest", "other", "dated"),
    [
        ("2024-05-10T12:00:01Z", _OLDER, "2024-05-10T12:00:01Z"),
        ("2024-05-10T12:00:00Z", _OLDER, "2024-05-10T12:00:00Z"),
        ("2024-05-10T11:59:59Z", _OLDER, _OLDER),
        ("2024-05-10", _OLDER, _OLDER),
        ("2024-05-11", _OLDER, "2024-05-11"),
        ("2999-01-01", _UNBOUND, _UNBOUND),
        (_OLDER, _UNBOUND, _OLDER),
    ],
)
def test_a_list_is_dated_only_if_no_page_that_it_lists_can_be_newer(
    newest: str | Unknown, other: str | Unknown, dated: str | Unknown
) -> None:
    by_url = {"https://example.org/a": newest, "https://example.org/b": other, "https://example.org/c": "2020-01-01"}
    assert newest_listed(_list("c", "a", "b"), _OWN, by_url) == dated


def test_a_list_is_as_new_as_what_it_is_made_from() -> None:
    by_url: dict[str, str | Unknown] = {"https://example.org/a": "2024-05-10"}
    listing = _list("a", "of another site")
    made = replace(listing, sources=("list.md",))
    assert newest_listed(listing, _UNBOUND, by_url) == "2024-05-10"
    assert newest_listed(made, _UNBOUND, by_url) == _UNBOUND
    assert newest_listed(made, "2024-05-12", by_url) == "2024-05-12"
    assert newest_listed(_list(), _UNBOUND, by_url) == Unknown(Reason.NO_SOURCE)


def test_a_list_has_a_day_where_days_are_asked_for() -> None:
    assert _dates(_list("a"), _page("a", "2023-01-01T05:00:00Z"), lastmod_format="date") == ["2023-01-01"] * 2


def _paginated(*shown: str) -> list[str | None]:
    """Date the pages of a list, of each of which the letters are named that it shows."""
    listed = [
        Page(
            url=f"https://example.org/list/{number}",
            lists=tuple(f"https://example.org/{name}" for name in names),
            number=number,
        )
        for number, names in enumerate(shown, 1)
    ]
    posts = [_page(name, f"2024-01-0{ord(name) - 96}") for names in shown for name in names]
    return _dates(*reversed(listed), *posts)[: len(shown)][::-1]


def test_the_first_page_of_a_list_is_as_new_as_what_it_lists_and_later_ones_have_no_date() -> None:
    assert _paginated("ab", "dc") == ["2024-01-02", None]
    assert _paginated("a", "c", "b") == ["2024-01-01", None, None]
    later = replace(_list("a"), details=replace(_list("a").details, number=2))
    assert newest_listed(later, "2024-05-10", {}) == Unknown(Reason.LATER_PAGE)
