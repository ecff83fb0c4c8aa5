"""Pages that list others: whose newest date they have, and when they have none."""

from datetime import UTC, datetime

import pytest

from smindex_plugins.model import Details, Page
from smindex_plugins.pages.lastmod import Dating
from smindex_plugins.settings import Settings, Target

_NOW = datetime(2025, 1, 1, tzinfo=UTC)


def _dates(*pages: Page, **settings: str) -> list[str | None]:
    target = Target(site_url="https://example.org/", directory="/site", settings=Settings.load(settings))
    dated, _ = Dating(target.settings).date(pages, target, _NOW, [])
    return [page.lastmod for page in dated]


def _page(name: str, modified: str | None) -> Page:
    return Page(url=f"https://example.org/{name}", details=Details(meta={"modified": modified} if modified else None))


def _list(*names: str, meta: dict[str, object] | None = None) -> Page:
    return Page(
        url="https://example.org/list",
        details=Details(lists=tuple(f"https://example.org/{name}" for name in names), meta=meta),
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


def test_a_list_has_a_day_where_days_are_asked_for() -> None:
    assert _dates(_list("a"), _page("a", "2023-01-01T05:00:00Z"), lastmod_format="date") == ["2023-01-01"] * 2
