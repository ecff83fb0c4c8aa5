import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.dates import (
    contradicts,
    day,
    has_day,
    has_time,
    is_future,
    is_surely_later,
    past,
    read_w3c,
    utc,
    w3c_date,
    written,
)

EAST = timezone(timedelta(hours=2))
NOON = datetime(2026, 5, 10, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
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
        ("2026-05-10T00:00:00Z", "2026-05-10"),  # how hosts hand on a date without a time
        ("2026-05-10T02:00+02:00", "2026-05-10"),
        (datetime(2026, 5, 10, tzinfo=UTC), "2026-05-10"),
        (datetime(2026, 5, 10, 2, tzinfo=EAST), "2026-05-10"),
        (datetime(2026, 5, 10, tzinfo=EAST), "2026-05-09T22:00:00Z"),
        ("2026-05-10T12:30:15", "2026-05-10"),
        ("2026-05-10 12:30", "2026-05-10"),
    ],
)
def test_a_date_is_written_as_sitemaps_write_it(value: object, expected: str) -> None:
    assert w3c_date(value) == expected


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
    once = w3c_date(value)
    assert once is None or w3c_date(once) == once


@given(st.text(st.sampled_from("0123456789-:T Z+.W"), max_size=26))
def test_no_text_makes_it_fail(text: str) -> None:
    found = w3c_date(text)
    assert found is None or len(found) in {len("2026-05-10"), len("2026-05-10T12:30:15Z")}


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
    assert not has_time(day(utc(moment)))
    assert has_time(utc(moment))


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="platform: the time zone of a process cannot be set")
@pytest.mark.parametrize("zone", ["UTC0", "EAST-09", "WEST+11"])
def test_the_zone_of_the_machine_moves_no_instant(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert utc(0) == utc(datetime(1970, 1, 1, tzinfo=UTC)) == "1970-01-01T00:00:00Z"
        assert w3c_date("2026-05-10T12:30:15") == "2026-05-10"
        assert read_w3c("2026-05-10T12:30:15+02:00") == ("2026-05-10T10:30:15Z", "")
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026", "2026-01-01"),
        ("2026-05", "2026-05-01"),
        ("2026-05-10", "2026-05-10"),
        ("2024-02-29", "2024-02-29"),
        ("2026-05-10T00:00:00Z", "2026-05-10T00:00:00Z"),
        ("2026-05-10T23:59:59Z", "2026-05-10T23:59:59Z"),
        ("2026-05-10T12:30Z", "2026-05-10T12:30:00Z"),
        ("2026-05-10T12:30:15.999Z", "2026-05-10T12:30:15Z"),
        ("2026-05-10T12:30:15+02:00", "2026-05-10T10:30:15Z"),
        ("2026-05-10T12:30:15-05:59", "2026-05-10T18:29:15Z"),
        ("2026-05-10T12:30:15+14:00", "2026-05-09T22:30:15Z"),
        ("2026-05-10T12:30:15-14:00", "2026-05-11T02:30:15Z"),
        ("2026-05-10T12:30:15+00:00", "2026-05-10T12:30:15Z"),
    ],
)
def test_every_form_of_a_w3c_date_is_read(text: str, found: str) -> None:
    assert read_w3c(text) == (found, "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("2026-05-10T12:30+01:60", "it has none of the forms of a W3C date"),
        ("2026-05-10T12:30", "a time needs a zone"),
        ("2026-05-10T12:30:15.5", "a time needs a zone"),
        ("2026-05-10T12:30:15+0200", "it has none of the forms of a W3C date"),
        ("10.05.2026", "it has none of the forms of a W3C date"),
        ("", "it has none of the forms of a W3C date"),
    ],
)
def test_what_is_no_w3c_date_has_a_reason(text: str, problem: str) -> None:
    assert read_w3c(text) == ("", problem)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("2026-02-30", "day"),
        ("2026-02-30T12:30Z", "day"),
        ("2026-13", "month"),
        ("2026-05-10T24:00:00Z", "hour"),
        ("2026-05-10T12:60Z", "minute"),
        ("2026-05-10T12:30:60Z", "second"),
        ("0001-01-01T00:00+14:00", "value"),
        ("9999-12-31T23:59-14:00", "value"),
    ],
)
def test_what_the_calendar_and_the_clock_do_not_have_is_no_date(text: str, part: str) -> None:
    found, said = read_w3c(text)
    assert not found
    assert part in said


def test_what_git_says_is_a_date_until_it_lies_ahead() -> None:
    now = int(NOON.timestamp())
    assert (past(now - 1, NOON), past(now, NOON)) == ("2026-05-10T11:59:59Z", "2026-05-10T12:00:00Z")
    assert past(now + 1, NOON) is None
    assert past(1 << 62, NOON) is None


def test_an_option_decides_whether_the_time_is_written() -> None:
    assert written("2026-05-10T12:00:00Z", "date") == "2026-05-10"
    assert written("2026-05-10T12:00:00Z", "datetime") == "2026-05-10T12:00:00Z"


@pytest.mark.parametrize(
    ("lastmod", "contradicted"),
    [
        ("2026-05-10T12:00:00Z", False),
        ("2026-05-10T14:00:00+02:00", False),
        ("2026-05-10T12:00:01Z", True),
        ("2026-05-09", False),
        ("2026-05-10", False),
        ("2026-05-11", False),
        ("2026-05-08", True),
        ("2026-05-12", True),
        ("yesterday", False),
    ],
)
def test_a_day_contradicts_what_is_two_days_away_alone(lastmod: str, contradicted: bool) -> None:  # noqa: FBT001 - a table's column
    assert contradicts(lastmod, int(NOON.timestamp())) is contradicted
    if not has_time(lastmod):
        assert contradicts(lastmod, int(NOON.replace(hour=23, minute=59, second=59).timestamp())) is contradicted
