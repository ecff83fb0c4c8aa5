"""Charts show every page once, at its size and age."""

from datetime import date

import pytest

from smindex_plugins.overview._ages import AGES, age_of
from smindex_plugins.overview._calendar import calendar, legend
from smindex_plugins.overview._tree_map import MOST_TILES, draw_map, grow, squarify
from tests.support.command import SITE

TODAY = date(2024, 6, 1)


def test_tiles_fill_the_whole_and_their_areas_are_as_their_weights() -> None:
    weights = [50.0, 20, 20, 5, 3, 1, 1]
    tiles = squarify(weights)
    assert [round(tile.width * tile.height * 100, 6) for tile in tiles] == weights
    assert all(0 <= tile.left <= tile.left + tile.width <= 1 + 1e-9 for tile in tiles)
    assert all(0 <= tile.top <= tile.top + tile.height <= 1 + 1e-9 for tile in tiles)
    assert squarify([]) == []


def test_a_date_has_the_class_of_its_age() -> None:
    classes = {
        "2031-01-01": "up to 1 month",
        "2024-06-01T10:00:00Z": "up to 1 month",
        "2024-04-20": "1 to 6 months",
        "2020-01-01": "2 to 5 years",
        "0001-01-01": "over 5 years",
        "2024": "no date",
        "": "no date",
    }
    assert {day: AGES[age_of(TODAY)(day)][0] for day in classes} == classes


@pytest.mark.parametrize(
    ("dates", "age"),
    [
        (["2024-05-30"] * 3 + ["2020-01-01"] * 4 + [""], "2 to 5 years"),
        (["2024-05-30"] * 4 + ["2020-01-01"] * 3 + [""], "up to 1 month"),
        (["2024-05-30", "2023-09-01", "2010-01-01"], "6 to 12 months"),
        (["2024-05-30", "", ""], "no date"),
        (["2024-05-30", ""], "up to 1 month"),
        ([""], "no date"),
    ],
)
def test_a_tile_has_the_color_of_its_median_age(dates: list[str], age: str) -> None:
    pages = [(f"{SITE}a/{number}", day) for number, day in enumerate(dates)]
    root = grow(pages, SITE, age_of(TODAY))
    (tile,) = draw_map(root)[0].tiles
    assert AGES[tile.age][0] == age


def test_a_directory_has_a_band_for_each_age_as_wide_as_its_share_of_the_pages() -> None:
    dates = ["2024-05-30"] * 3 + ["2020-01-01"] * 4 + [""]
    root = grow(
        [(f"{SITE}a/{number}", day) for number, day in enumerate(dates)], SITE, age_of(TODAY)
    )
    _, opened = draw_map(root)
    assert [(AGES[age][0], begin, end) for age, begin, end in opened.bands] == [
        ("up to 1 month", 0, 3 / 8),
        ("2 to 5 years", 3 / 8, 7 / 8),
        ("no date", 7 / 8, 1),
    ]


def test_a_page_that_is_a_directory_is_in_it_if_other_pages_are() -> None:
    root = grow(
        [(SITE + path, "") for path in ("", "guide/", "guide/a/", "about/")], SITE, age_of(TODAY)
    )
    assert [leaf.name for leaf in root.leaves] == ["/", "about/"]
    assert [leaf.name for leaf in root.below["guide"].leaves] == ["/", "a/"]
    assert (root.pages, root.below["guide"].pages) == (4, 2)


def test_pages_of_another_host_are_in_a_directory_of_its_name_and_odd_urls_in_the_tree() -> None:
    urls = ["https://other.org/a", f"{SITE}a?b=/c/", f"{SITE}d//e", SITE + "f/" * 1_000, ""]
    root = grow([(url, "2024-01-01") for url in urls], SITE, age_of(TODAY))
    assert root.pages == len(urls)
    assert root.below["other.org"].pages == 1
    assert sum(tile.pages for tile in draw_map(root)[0].tiles) == len(urls)


def test_every_page_of_thousands_of_directories_is_in_a_bounded_number_of_tiles() -> None:
    paths = [
        f"{number % 60}/{number // 60 % 60}/{number}/{name}"
        for number in range(20_000)
        for name in "ab"
    ]
    paths += [f"small-{number}/a" for number in range(100)]
    root = grow([(SITE + path, "2024-01-01") for path in paths], SITE, age_of(TODAY))
    levels = draw_map(root)
    assert root.pages == len(paths)
    tiles = [tile for level in levels for tile in level.tiles]
    assert len(tiles) <= MOST_TILES
    assert [tile.number for tile in tiles] == list(range(len(tiles)))
    assert sum(level.unopened for level in levels)
    assert sum(tile.pages for tile in levels[0].tiles) == len(paths), (
        "what is small is summed, not left out"
    )
    for number, level in enumerate(levels):
        assert [*level.path][-1][1] == number
        assert sum(tile.pages for tile in level.tiles) == level.directory.pages


def test_a_calendar_has_every_day_up_to_the_newest_month_and_the_pages_of_each() -> None:
    years = list(
        calendar([*["2024-02-29T10:00:00Z"] * 100, *["2024-03-01"] * 9, "2023-01-01", "2022", ""])
    )
    assert [(year.number, year.pages, len(year.days)) for year in years] == [
        (2024, 109, 91),
        (2023, 1, 365),
    ]
    found = {day.day: (day.pages, day.level) for year in years for day in year.days if day.pages}
    assert found == {"2024-02-29": (100, 4), "2024-03-01": (9, 2), "2023-01-01": (1, 1)}
    first = years[0].days[0]
    assert (first.week, first.weekday) == (0, 0), "2024 begins on a Monday"
    assert years[0].months == [("Jan", 0), ("Feb", 4), ("Mar", 8)]
    assert legend(years) == [(1, 1, 1), (2, 9, 9), (4, 100, 100)]
    assert list(calendar([])) == []
