"""Pages that list others: whose newest date they have, and when they have none."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import pytest

from smindex_plugins.dates import utc
from smindex_plugins.history import Answer, Change, History, Reason, Unknown
from smindex_plugins.model import Details, Page
from smindex_plugins.pages.lastmod import Dating
from smindex_plugins.pages.lists import newest_listed, shifts
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
    assert newest_listed(_list("c", "a", "b"), _OWN, by_url, None) == dated


def test_a_list_is_as_new_as_what_was_moved_on_to_it_and_as_what_it_is_made_from() -> None:
    by_url: dict[str, str | Unknown] = {"https://example.org/a": "2024-05-10"}
    listing = _list("a", "of another site")
    made = replace(listing, sources=("list.md",))
    assert newest_listed(listing, _OWN, by_url, "2024-05-11") == "2024-05-11"
    assert newest_listed(listing, _OWN, by_url, _UNBOUND) == _UNBOUND
    assert newest_listed(listing, _UNBOUND, by_url, None) == "2024-05-10"
    assert newest_listed(made, _UNBOUND, by_url, None) == _UNBOUND
    assert newest_listed(made, "2024-05-12", by_url, None) == "2024-05-12"
    assert newest_listed(_list(), _UNBOUND, by_url, None) == Unknown(Reason.NO_SOURCE)


def test_a_list_has_a_day_where_days_are_asked_for() -> None:
    assert _dates(_list("a"), _page("a", "2023-01-01T05:00:00Z"), lastmod_format="date") == ["2023-01-01"] * 2


def _series(*shown: str, **settings: str) -> list[str | None]:
    """Date the pages of a list, of each of which the letters are named that it shows."""
    listed = [
        Page(
            url=f"https://example.org/list/{number}",
            details=Details(
                lists=tuple(f"https://example.org/{name}" for name in names), number=number, series="the list"
            ),
        )
        for number, names in enumerate(shown, 1)
    ]
    posts = [
        Page(url=f"https://example.org/{name}", details=Details(meta=_POSTS[name])) for names in shown for name in names
    ]
    return _dates(*reversed(listed), *posts, **settings)[: len(shown)][::-1]


_POSTS: dict[str, dict[str, object]] = {
    "a": {"date": "2024-03-01", "updated": "2024-06-01"},
    "b": {"date": {"created": "2024-02-01", "updated": "2024-02-02"}},
    "c": {"date": "2024-01-01", "updated": "2024-05-01"},
    "d": {"date": "2023-12-01", "updated": "2023-12-01"},
    "future": {"date": "2999-01-01", "updated": "2024-01-01"},
    "undated": {"updated": "2024-01-01"},
}


def test_each_page_of_a_list_has_the_date_of_what_it_shows_and_of_what_came_before_that() -> None:
    assert _series("ab", "cd") == ["2024-06-01", "2024-05-01"]
    assert _series("ab", "d") == ["2024-06-01", "2024-03-01"]
    assert _series("b", "a", "d", "c") == ["2024-02-02", "2024-06-01", "2024-03-01", "2024-05-01"]
    assert _series("b", "a", "d", lastmod_format="date") == ["2024-02-02", "2024-06-01", "2024-03-01"]
    assert _series("a", "b", "d") == ["2024-06-01", "2024-03-01", "2024-03-01"]
    assert _series("b", "a", lastmod="off") == [None, None]


def test_what_is_yet_to_appear_has_moved_nothing_that_is_known() -> None:
    assert _dates(Page(url="https://example.org/", details=Details(series="a", number=2))) == [None]
    assert _series("b", "d") == ["2024-02-02", "2024-02-01"]


def test_a_list_below_something_of_which_nobody_knows_when_it_came_has_no_date() -> None:
    listed = _series("d", "c"), _dates_below("undated"), _dates_below("future")
    assert listed == (["2023-12-01", "2024-05-01"], ["2024-01-01", None], ["2024-01-01", None])


def _dates_below(name: str) -> list[str | None]:
    first, second = (
        Page(
            url=f"https://example.org/list/{number}",
            details=Details(lists=(f"https://example.org/{shown}",), number=number, series="the list"),
        )
        for number, shown in enumerate((name, "d"), 1)
    )
    posts = (Page(url=f"https://example.org/{post}", details=Details(meta=_POSTS[post])) for post in (name, "d"))
    return _dates(first, second, *posts)[:2]


class _Arrivals:
    """A history that says when files came, and notes of which it was asked."""

    def __init__(self, **came: Answer) -> None:
        self._came = came
        self.asked: list[str] = []

    def arrivals(self, files: Iterable[str]) -> dict[str, Answer]:
        self.asked += files
        return {file: self._came[file] for file in self.asked}


def _moved(post: Page, known: Answer, came: Answer = _UNBOUND, lastmod: str | Unknown = _OWN) -> str | Unknown:
    """Return when the second page of a list last moved, on whose first page there is one post."""
    listing = _list("post")
    first, second = (
        replace(listing, url=f"https://example.org/{at}", details=replace(listing.details, number=at, series="s"))
        for at in (1, 2)
    )
    history = _Arrivals(post=came)
    pages = [second, post, first]
    found = shifts(pages, cast("History", history), {"post": known}, {post.url: lastmod}, _NOW)
    assert found.keys() == {second.url}
    assert history.asked == ([] if isinstance(known, Change) and known.is_new else ["post"] * bool(post.sources))
    return found[second.url]


_POST = Page(url="https://example.org/post", sources=("post", "part"))
_PUBLISHED = replace(_POST, details=Details(published="2024-05-10"))
_LATE = replace(_POST, details=Details(published="2024-05-20"))
_TO_COME = replace(_POST, details=Details(published="2999-01-01"))
_AHEAD = int(_NOW.timestamp()) + 1


@pytest.mark.parametrize(
    ("post", "known", "came", "lastmod", "moved"),
    [
        # Git says when it came.
        (_POST, Change(_NOON, "c", is_new=True), _UNBOUND, _OWN, utc(_NOON)),
        (_POST, Change(_NOON + 9, "d"), Change(_NOON, "c", is_new=True), _OWN, utc(_NOON)),
        (_POST, _UNBOUND, Change(_NOON, "c", is_new=True), _OWN, utc(_NOON)),
        (_POST, Change(_NOON + 9, "d"), _OLDER, _OWN, _OLDER),
        # What its author says has not changed since was there already.
        (_POST, Change(_NOON, "c", is_new=True), _UNBOUND, "2020-01-01", "2020-01-01"),
        (_POST, Change(_NOON, "c", is_new=True), _UNBOUND, "2024-06-01", utc(_NOON)),
        # It may have appeared later than it was committed.
        (_LATE, Change(_NOON, "c", is_new=True), _UNBOUND, _OWN, "2024-05-20"),
        (_TO_COME, Change(_NOON, "c", is_new=True), _UNBOUND, _OWN, utc(_NOON)),
        # What lies ahead says nothing.
        (_POST, Change(_AHEAD, "c", is_new=True), _UNBOUND, "2024-06-01", Unknown(Reason.FUTURE)),
        (_PUBLISHED, Change(_AHEAD, "c", is_new=True), _UNBOUND, _OWN, "2024-05-10"),
        # Of what git knows nothing by nature, the author knows.
        (_PUBLISHED, Unknown(Reason.UNTRACKED), Unknown(Reason.UNTRACKED), _OWN, "2024-05-10"),
        (_PUBLISHED, _UNBOUND, _UNBOUND, _OWN, _UNBOUND),
        (replace(_POST, sources=()), _OWN, _UNBOUND, "2024-06-01", Unknown(Reason.NO_SOURCE)),
        (replace(_PUBLISHED, sources=()), _OWN, _UNBOUND, "2024-06-01", "2024-05-10"),
    ],
)
def test_what_a_list_shows_moves_on_when_something_comes_before_it(
    post: Page, known: Answer, came: Answer, lastmod: str | Unknown, moved: str | Unknown
) -> None:
    assert _moved(post, known, came, lastmod) == moved


def test_what_is_new_and_what_is_not_move_a_list_together() -> None:
    posts = [Page(url=f"https://example.org/{name}", sources=(name,)) for name in ("new", "old")]
    listing = _list("new", "old")
    first, second = (
        replace(listing, url=f"https://example.org/{at}", details=replace(listing.details, number=at, series="s"))
        for at in (1, 2)
    )
    known: dict[str, Answer] = {"new": Change(_NOON, "c", is_new=True), "old": Change(_NOON + 9, "d")}
    history = cast("History", _Arrivals(old=Change(_NOON - 9, "b", is_new=True)))
    by_url: dict[str, str | Unknown] = {post.url: utc(_NOON + 9) for post in posts}
    assert shifts([first, second, *posts], history, known, by_url, _NOW) == {second.url: utc(_NOON)}
