from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.dates import day, has_day, is_day, is_future, is_surely_later, utc, w3c_date

EAST = timezone(timedelta(hours=2))
NOON = datetime(2026, 5, 10, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (date(2026, 5, 10), "2026-05-10"),
        (date(987, 5, 10), "0987-05-10"),
        (datetime(2026, 5, 10, 12, 30, 15, tzinfo=UTC), "2026-05-10T12:30:15Z"),
        (datetime(2026, 5, 10, 1, 0, tzinfo=EAST), "2026-05-09T23:00:00Z"),
        (datetime(2026, 5, 10, 1, 0, 0, 999_999, tzinfo=UTC), "2026-05-10T01:00:00Z"),
        (datetime(2026, 5, 10, 23, 59), "2026-05-10"),  # noqa: DTZ001 - naive, as YAML gives it
        ("2026-05-10", "2026-05-10"),
        (" 2026-05-10\n", "2026-05-10"),
        ("2026-05-10T12:30:15Z", "2026-05-10T12:30:15Z"),
        ("2026-05-10T12:30:15+02:00", "2026-05-10T10:30:15Z"),
        ("2026-05-10T12:30+02:00", "2026-05-10T10:30:00Z"),
        ("2026-05-10T12:30:15.250-05:30", "2026-05-10T18:00:15Z"),
        ("2026-05-10 12:30:15+00:00", "2026-05-10T12:30:15Z"),
        ("2026-05-10T12:30:15", "2026-05-10"),
        ("2026-05-10 12:30", "2026-05-10"),
    ],
)
def test_a_date_is_written_as_sitemaps_write_it(value: object, written: str) -> None:
    assert w3c_date(value) == written


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "yesterday",
        "2026",
        "2026-05",
        "10.05.2026",
        "05/10/2026",
        "20260510",
        "2026-W19-7",
        "2026-5-1",
        "2026-02-30",
        "2026-13-01",
        "0000-01-01",
        "2026-05-10T",
        "2026-05-10T25:00:00Z",
        "2026-05-10T12:61:00Z",
        "2026-05-10T12:30:15 Europe/Berlin",
        "2026-05-10, at noon",
        "\uff12\uff10\uff12\uff16-05-10",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        2026,
        1_778_400_000,
        20260510.5,
        True,
        False,
        ["2026-05-10"],
        {"created": "2026-05-10"},
        b"2026-05-10",
    ],
)
def test_what_is_no_date_gives_none(value: object) -> None:
    assert w3c_date(value) is None


@given(st.datetimes(timezones=st.timezones()) | st.dates() | st.datetimes())
def test_a_written_date_is_read_back_as_itself(value: date) -> None:
    written = w3c_date(value)
    assert written is None or w3c_date(written) == written


@given(st.text(st.sampled_from("0123456789-:T Z+.W"), max_size=26))
def test_no_text_makes_it_fail(text: str) -> None:
    written = w3c_date(text)
    assert written is None or len(written) in {len("2026-05-10"), len("2026-05-10T12:30:15Z")}


@given(st.integers(-10_000_000_000, 200_000_000_000), st.integers(-10_000_000_000, 200_000_000_000))
def test_the_order_of_written_instants_is_the_order_of_instants(first: int, second: int) -> None:
    assert (utc(first) < utc(second)) is (first < second)


def test_seconds_since_1970_and_an_aware_datetime_are_one_instant() -> None:
    assert utc(NOON.timestamp()) == utc(NOON) == utc(NOON.astimezone(EAST)) == "2026-05-10T12:00:00Z"


@pytest.mark.parametrize(
    ("lastmod", "future"),
    [
        ("2026-05-10T12:00:00Z", False),
        ("2026-05-10T12:00:01Z", True),
        ("2026-05-10", False),
        ("2026-05-11", False),  # it has begun on Kiritimati
        ("2026-05-12", True),
        ("2027-01-01", True),
        ("1999-01-01T00:00:00Z", False),
    ],
)
def test_a_date_is_in_the_future_when_it_has_begun_nowhere(lastmod: str, future: bool) -> None:  # noqa: FBT001 - a table's column
    assert is_future(lastmod, NOON) is future


def test_the_day_after_is_in_the_future_until_the_first_time_zone_reaches_it() -> None:
    assert is_future("2026-05-11", NOON.replace(hour=9, minute=59))
    assert not is_future("2026-05-11", NOON.replace(hour=10))


@pytest.mark.parametrize(
    ("date", "other", "later"),
    [
        ("2026-05-10T12:00:01Z", "2026-05-10T12:00:00Z", True),
        ("2026-05-10T12:00:00Z", "2026-05-10T12:00:00Z", False),
        ("2026-05-11", "2026-05-10", True),
        ("2026-05-11", "2026-05-10T00:00:00Z", False),  # the day begins earlier in the east
        ("2026-05-11T23:59:59Z", "2026-05-10", False),  # the day ends later in the west
        ("2026-05-12", "2026-05-10T00:00:00Z", True),
        ("2026-05-09", "2026-05-10T00:00:00Z", False),
    ],
)
def test_a_date_is_surely_later_in_every_zone(date: str, other: str, later: bool) -> None:  # noqa: FBT001 - a table's column
    assert is_surely_later(date, other) is later


@pytest.mark.parametrize(
    ("text", "named"), [("2026", False), ("2026-05", False), ("2026-05-10", True), ("2026-05-10T12:00Z", True)]
)
def test_a_year_or_a_month_names_no_day(text: str, named: bool) -> None:  # noqa: FBT001 - a table's column
    assert has_day(text) is named


@given(st.datetimes(timezones=st.just(UTC)))
def test_the_day_of_a_date_is_a_day(moment: datetime) -> None:
    assert day(utc(moment)) == moment.date().isoformat()
    assert is_day(day(utc(moment)))
    assert not is_day(utc(moment))
