"""Parses, creates and compares W3C dates, the date format of sitemaps."""

import re
from calendar import monthrange
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

# https://www.w3.org/TR/NOTE-datetime; a time without a time zone is not valid.
_W3C = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:[0-5]\d))?)?)?", re.ASCII
)
_AUTHORED = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d|$)")
_FIRST_TIME_ZONE = timedelta(hours=14)
"""The offset of the time zone where a day starts first. No zone is further from UTC."""
_LAST = {"hour": 23, "minute": 59, "second": 59}
_LENGTH = len("YYYY-MM-DD")
_FIRST_DAY = "YYYY-01-01"
"""The parts that a year or a month lacks to be a day."""
_MONTHS = 12
ZEROS = frozenset(
    {
        "0001-01-01",  # Go and .NET
        "1601-01-01",  # the times of files in Windows
        "1899-12-30",  # OLE and spreadsheets
        "1899-12-31",
        "1900-01-01",  # SQL Server and Excel
        "1904-01-01",  # Excel on older Macs
        "1969-12-31",  # Unix, west of Greenwich
        "1970-01-01",  # Unix
        "1979-12-31",
        "1980-01-01",  # files from ZIP archives, and Nix
        "1985-10-26",  # files from npm packages
    }
)
"""The days that programs write if they know no date. Nothing on the web changed on one of them."""


def w3c_date(value: object) -> str | None:
    """Return an author's date in the sitemap format, or None if the value is not a date.

    A date stays a date. A date with a time and a zone becomes ``YYYY-MM-DDThh:mm:ssZ``. A time
    without a zone is not an instant, so only its date is kept. The same applies to midnight in UTC,
    because hosts pass a date without a time as midnight. The rules:
    https://www.w3.org/TR/NOTE-datetime
    """
    try:
        if isinstance(value, str):
            text = value.strip()
            if not _AUTHORED.match(text):
                return None
            value = datetime.fromisoformat(text)
        if isinstance(value, datetime):
            if value.tzinfo:
                return utc(value).removesuffix("T00:00:00Z")
            return value.date().isoformat()
    except (ValueError, OverflowError):  # not a valid day, or outside the years 1 to 9999 in UTC
        return None
    if isinstance(value, date):
        return value.isoformat()
    return None


def read_w3c(text: str) -> tuple[str, str]:
    """Return a sitemap's date in this module's format, and the problem with it.

    One of the two is empty.
    """
    if not _W3C.fullmatch(text):
        if has_time(text) and _W3C.fullmatch(text + "Z"):
            return "", "a time requires a time zone"
        return "", "it is not a W3C date"
    problem = _beyond(text)
    if problem:
        return "", problem
    if not has_time(text):
        return text + _FIRST_DAY[len(text) :], ""
    try:
        return utc(datetime.fromisoformat(text)), ""
    except OverflowError:
        side = "before the year 1" if text.startswith("0001") else "after the year 9999"
        return "", f"its value in UTC is {side}"


def _beyond(text: str) -> str:
    """Return which part of a text in the form of a W3C date is out of range, or an empty string."""
    year = int(text[:4])
    month = int(text[5:7] or 1)
    day_of_month = int(text[8:10] or 1)
    if year == 0:
        return "there is no year 0"
    if not 1 <= month <= _MONTHS:
        return f"there is no month {text[5:7]}"
    if not 1 <= day_of_month <= monthrange(year, month)[1]:
        return f"there is no day {text[8:10]} in {text[:7]}"
    if has_time(text):
        return _time_beyond(text[_LENGTH + 1 :])
    return ""


def _time_beyond(text: str) -> str:
    """Return which part of a time with its zone is out of range, or an empty string."""
    time, offset, zone = re.split("(Z|[+-])", text, maxsplit=1)
    for part, value in zip(_LAST, time.partition(".")[0].split(":"), strict=False):
        if int(value) > _LAST[part]:
            return f"its {part} is {value}, and the last {part} is {_LAST[part]}"
    hours, _, minutes = zone.partition(":")
    if zone and timedelta(hours=int(hours), minutes=int(minutes)) > _FIRST_TIME_ZONE:
        return f"its time zone {offset}{zone} is more than 14 hours from UTC"
    return ""


def utc(moment: datetime | float) -> str:
    """Return an instant (an aware datetime, or seconds since 1970) as ``YYYY-MM-DDThh:mm:ssZ``."""
    if not isinstance(moment, datetime):
        moment = datetime.fromtimestamp(moment, UTC)
    text = moment.astimezone(UTC).isoformat(timespec="seconds")
    return text.removesuffix("+00:00") + "Z"


def past(when: int, now: datetime) -> str | None:
    """Return the date for git's seconds since 1970, or None if it is in the future."""
    if when > now.timestamp():
        return None
    return utc(when)


def day(date: str) -> str:
    """Return the day of a W3C date, without its time."""
    return date[:_LENGTH]


def has_day(text: str) -> bool:
    """Whether a W3C date contains a day, not only a year or a month."""
    return len(text) >= _LENGTH


def has_time(text: str) -> bool:
    """Whether a W3C date contains a time."""
    return len(text) > _LENGTH


def minute_before(date: str) -> str:
    """Return a date one minute earlier, or the same date if it has no time or is the minimum."""
    if not has_time(date):
        return date
    with suppress(OverflowError):
        return utc(datetime.fromisoformat(date) - timedelta(minutes=1))
    return date


def written(date: str, form: str) -> str:
    """Return a date as `lastmod_format` requires: the day for ``date``, all for ``datetime``."""
    if form == "date":
        return day(date)
    return date


def is_future(lastmod: str, now: datetime) -> bool:
    """Whether a date is later than an aware datetime.

    A day must not have started in any time zone.
    """
    if has_time(lastmod):
        return lastmod > utc(now)
    last_day = day(utc(now + _FIRST_TIME_ZONE))
    return lastmod > last_day


def is_zero(date: str) -> bool:
    """Whether a W3C date is what programs write if they know none, such as 1970-01-01."""
    return day(date) in ZEROS


def days_between(one: str, other: str) -> float:
    """Return how many days a date of this module is before another one.

    Without two times, whole days count.
    """
    if has_time(one) and has_time(other):
        return (datetime.fromisoformat(other) - datetime.fromisoformat(one)) / timedelta(days=1)
    return _days(other, one)


def contradicts(lastmod: str, when: int) -> bool:
    """Whether a page's date differs from the date on which its source changed (seconds since
    1970).
    """
    found, _ = read_w3c(lastmod)
    if has_time(found):
        return found != utc(when)
    # a date without a time may be of any zone
    return bool(found) and abs(_days(found, utc(when))) > 1


def is_same(one: str, other: str) -> bool:
    """Whether two sitemap dates are equal: the same instant, or the same day if one of them has no
    time.

    The day of a time is its day in its own time zone or in UTC. A year or a month is compared like
    a day. All invalid dates are equal to no date, as for search engines.
    """
    if one == other:
        return True
    first, _ = read_w3c(one)
    second, _ = read_w3c(other)
    if not first or not second:
        return first == second
    if has_time(one) and has_time(other):
        return first == second
    length = min(len(one), len(other))
    return one[:length] == other[:length] or first[:length] == second[:length]


def is_surely_later(one: str, other: str) -> bool:
    """Whether a date is later than another one in any possible time zone."""
    if has_time(one) == has_time(other):
        return one > other
    return _days(one, other) > 1


def _days(one: str, other: str) -> int:
    """Return how many days one date is after another one."""
    return (date.fromisoformat(day(one)) - date.fromisoformat(day(other))).days
