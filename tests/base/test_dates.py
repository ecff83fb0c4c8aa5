"""W3C dates: those of authors, those of sitemaps, and how they compare."""

import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base import dates

EAST = timezone(timedelta(hours=2))
NOON = datetime(2026, 5, 10, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (date(987, 5, 10), "0987-05-10"),
        (datetime(2026, 5, 10, 12, 30, 15, 999_999, tzinfo=UTC), "2026-05-10T12:30:15Z"),
        (datetime(2026, 5, 10, 1, 0, tzinfo=EAST), "2026-05-09T23:00:00Z"),
        # midnight in UTC: how hosts pass on a date
        (datetime(2026, 5, 10, 2, tzinfo=EAST), "2026-05-10"),
        (datetime(2026, 5, 10, tzinfo=EAST), "2026-05-09T22:00:00Z"),
        (datetime(2026, 5, 10, 23, 59), "2026-05-10"),  # noqa: DTZ001 - naive, as YAML gives it
        (" 2026-05-10\n", "2026-05-10"),
        ("2026-05-10T12:30+02:00", "2026-05-10T10:30:00Z"),
        ("2026-05-10T12:30:15.250-05:30", "2026-05-10T18:00:15Z"),
        ("2026-05-10T00:00:00Z", "2026-05-10"),
        ("2026-05-10T12:30:15", "2026-05-10"),
        *(
            (text, None)
            for text in ("", "yesterday", "2026", "2026-05", "10.05.2026", "20260510", "2026-W19-7")
        ),
        *(
            (text, None)
            for text in (
                "2026-5-1",
                "2026-02-30",
                "0000-01-01",
                "2026-05-10T",
                "2026-05-10T25:00:00Z",
            )
        ),
        *(
            (text, None)
            for text in (
                "2026-05-10T12:30:15 Europe/Berlin",
                "2026-05-10, at noon",
                "\uff12026-05-10",
            )
        ),
        *((text, None) for text in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00")),
        *(
            (value, None)
            for value in (None, 2026, 20260510.5, True, ["2026-05-10"], {"created": 1}, b"2026")
        ),
    ],
)
def test_the_date_of_an_author_has_the_form_of_sitemaps_or_is_none(
    value: object, expected: str | None
) -> None:
    assert dates.w3c_date(value) == expected


@given(
    st.datetimes(timezones=st.timezones())
    | st.dates()
    | st.text(st.sampled_from("0123456789-:T Z+.W"), max_size=26)
    | st.from_regex(r"\A\d{1,9}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?\Z")
)
def test_a_date_of_this_module_is_read_back_as_itself(value: object) -> None:
    once = dates.w3c_date(value)
    assert once is None or (dates.w3c_date(once) == once and datetime.fromisoformat(once))


@pytest.mark.parametrize(
    ("lastmod", "now", "expected"),
    [
        ("2026-05-10T12:00:00Z", NOON, False),
        ("2026-05-10T12:00:01Z", NOON, True),
        ("2026-05-11", NOON, False),  # it has begun on Kiritimati
        ("2026-05-11", NOON.replace(hour=9, minute=59), True),
    ],
)
def test_a_date_is_in_the_future_if_it_has_begun_nowhere(
    lastmod: str, now: datetime, *, expected: bool
) -> None:
    assert dates.is_future(lastmod, now) is expected


def test_a_commit_in_the_future_has_no_date() -> None:
    now = int(NOON.timestamp())
    assert (dates.past(now - 1, NOON), dates.past(now, NOON)) == (
        "2026-05-10T11:59:59Z",
        "2026-05-10T12:00:00Z",
    )
    assert dates.past(now + 1, NOON) is dates.past(1 << 62, NOON) is None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("2026-05-10T12:00:00Z", "2026-05-10T12:00:00Z", False),
        ("2026-05-11", "2026-05-10", True),
        ("2026-05-11", "2026-05-10T00:00:00Z", False),  # the day begins earlier in the east
        ("2026-05-11T23:59:59Z", "2026-05-10", False),  # the day ends later in the west
        ("2026-05-12", "2026-05-10T00:00:00Z", True),
    ],
)
def test_a_date_is_surely_later_only_if_it_is_in_every_zone(
    one: str, other: str, *, expected: bool
) -> None:
    assert dates.is_surely_later(one, other) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("2026-05-10T12:00:00Z", "2026-05-10T14:00:00+02:00", True),
        ("2026-05-10T12:00:00Z", "2026-05-10T12:00:01Z", False),
        ("2026-05-10T01:00:00+02:00", "2026-05-10", True),
        ("2026-05-10T01:00:00+02:00", "2026-05-09", True),
        ("2026-05-10T01:00:00+02:00", "2026-05-11", False),
        ("2026-05", "2026-05-10", True),
        ("soon", "later", True),
        ("soon", "", True),
        ("soon", "2026-05-10", False),
        ("", "2026-05-10", False),
    ],
)
def test_two_dates_are_one_if_they_name_one_instant_or_day(
    one: str, other: str, *, expected: bool
) -> None:
    assert dates.is_same(one, other) is dates.is_same(other, one) is expected


@pytest.mark.parametrize(
    ("lastmod", "expected"),
    [
        ("2026-05-10T14:00:00+02:00", False),
        ("2026-05-10T12:00:01Z", True),
        *((f"2026-05-{day}", False) for day in ("09", "10", "11")),
        *((f"2026-05-{day}", True) for day in ("08", "12")),
        ("yesterday", False),
    ],
)
def test_a_day_contradicts_a_commit_that_is_two_days_away(lastmod: str, *, expected: bool) -> None:
    assert dates.contradicts(lastmod, int(NOON.timestamp())) is expected


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        *(
            (date, True)
            for date in ("0001-01-01T00:00:00Z", "1970-01-01", "1970-01-01T01:00:00Z", "1900-01-01")
        ),
        *(
            (date, True)
            for date in ("1969-12-31T16:00:00Z", "1985-10-26T08:15:00Z", "1980-01-01T00:00:00Z")
        ),
        *(
            (date, False)
            for date in ("", "1970-01-02", "1969-12-30", "2000-01-01", "2026-05-10T12:00:00Z")
        ),
    ],
)
def test_a_zero_is_a_date_that_programs_write_if_they_know_none(
    date: str, *, expected: bool
) -> None:
    assert dates.is_zero(date) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("2026-05-10", "2026-05-12", 2),
        ("2026-05-10", "2026-05-11T23:59:59Z", 1),
        ("2026-05-11T23:59:59Z", "2026-05-10", -1),
        ("2026-05-10T12:00:00Z", "2026-05-12T00:00:00Z", 1.5),
    ],
)
def test_days_are_counted_by_time_if_both_dates_have_one(
    one: str, other: str, expected: float
) -> None:
    assert dates.days_between(one, other) == expected


@pytest.mark.skipif(
    not hasattr(time, "tzset"), reason="platform: the time zone of a process can't be set"
)
@pytest.mark.parametrize("zone", ["UTC0", "EAST-09", "WEST+11"])
def test_the_time_zone_of_the_machine_changes_no_date(
    monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert dates.utc(0) == dates.utc(datetime(1970, 1, 1, tzinfo=UTC)) == "1970-01-01T00:00:00Z"
        assert dates.w3c_date("2026-05-10T12:30:15") == "2026-05-10"
        assert dates.read_w3c("2026-05-10T12:30:15+02:00") == ("2026-05-10T10:30:15Z", "")
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026", "2026-01-01"),
        ("2026-05", "2026-05-01"),
        ("2026-05-10T00:00:00Z", "2026-05-10T00:00:00Z"),
        ("2026-05-10T12:30:15.999Z", "2026-05-10T12:30:15Z"),
        ("2026-05-10T12:30:15-05:59", "2026-05-10T18:29:15Z"),
        ("2026-05-10T12:30+14:00", "2026-05-09T22:30:00Z"),
        ("2024-02-29", "2024-02-29"),
    ],
)
def test_each_form_of_a_w3c_date_is_read(text: str, found: str) -> None:
    assert dates.read_w3c(text) == (found, "")
    assert dates.has_day(text) is (len(text) > len("2026-05"))
    assert dates.has_time(text) is ("T" in text)
    assert dates.written(found, "datetime") == found
    assert dates.written(found, "date") == found[:10]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        *(
            (text, "it is not a W3C date")
            for text in ("", "10.05.2026", "2026-05-10T12:30:15+0200")
        ),
        *(
            (text, "a time requires a time zone")
            for text in ("2026-05-10T12:30", "2026-05-10T12:30:15.5")
        ),
        *((text, "there is no day 30 in 2026-02") for text in ("2026-02-30", "2026-02-30T12:30Z")),
        *((text, "there is no month 13") for text in ("2026-13", "2026-13-45")),
        ("2026-00-10", "there is no month 00"),
        ("0000-01-01", "there is no year 0"),
        ("2026-05-10T24:00:00Z", "its hour is 24, and the last hour is 23"),
        ("2026-05-10T12:60Z", "its minute is 60, and the last minute is 59"),
        ("2026-05-10T12:30:60Z", "its second is 60, and the last second is 59"),
        *(
            (f"2026-05-10T12:30:15{zone}", f"its time zone {zone} is more than 14 hours from UTC")
            for zone in ("+25:00", "+24:00", "-99:59", "+14:01")
        ),
        ("0001-01-01T00:00+14:00", "its value in UTC is before the year 1"),
        ("9999-12-31T23:59-14:00", "its value in UTC is after the year 9999"),
    ],
)
def test_what_is_not_a_w3c_date_has_a_problem_in_words(text: str, problem: str) -> None:
    assert dates.read_w3c(text) == ("", problem)
