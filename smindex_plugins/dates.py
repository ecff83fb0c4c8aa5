"""W3C dates, the form that sitemaps use: read from what authors write, made from instants, and compared."""

import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache

# A day has begun somewhere as soon as it has begun here; a date without a time is in the future only after that.
_FIRST_TIME_ZONE = timezone(timedelta(hours=14))

# https://www.w3.org/TR/NOTE-datetime; a time without a zone is none of its forms.
_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?", re.ASCII
)
# What this module writes itself, which need not be taken apart.
_CANONICAL = re.compile(r"\d{4}-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ)?", re.ASCII)
_MOST_OFFSET = timedelta(hours=14)
_DAY = 86_400
_SECOND = len("YYYY-MM-DDThh:mm:ssZ")


def w3c_date(value: object) -> str | None:
    """Return an author's date in the form that sitemaps use, or None if the value is not a date.

    A date stays a date. A date with a time and a zone becomes ``YYYY-MM-DDThh:mm:ssZ``. A time without a zone is not an
    instant, so only its date is kept. The same is true of midnight in UTC, because hosts hand on a date without a time
    as midnight. The rules: https://www.w3.org/TR/NOTE-datetime
    """
    try:
        if isinstance(value, str):
            value = value.strip()
            if _CANONICAL.fullmatch(value):
                datetime.fromisoformat(value)
                return value.removesuffix("T00:00:00Z")
            value = _from_text(value)
        if isinstance(value, datetime):
            return utc(value).removesuffix("T00:00:00Z") if value.tzinfo else value.date().isoformat()
    except (ValueError, OverflowError):  # no such day, or none in the years 1 to 9999 in UTC
        return None
    return value.isoformat() if isinstance(value, date) else None


def utc(moment: datetime | float) -> str:
    """Return an instant (an aware datetime, or seconds since 1970) as ``YYYY-MM-DDThh:mm:ssZ``."""
    if not isinstance(moment, datetime):
        moment = datetime.fromtimestamp(moment, UTC)
    return moment.astimezone(UTC).isoformat(timespec="seconds").removesuffix("+00:00") + "Z"


def day(date: str) -> str:
    """Return the day of a date of this module, without its time."""
    return date[: len("YYYY-MM-DD")]


def is_day(date: str) -> bool:
    """Whether a date of this module has no time."""
    return len(date) == len("YYYY-MM-DD")


def has_day(text: str) -> bool:
    """Whether a W3C date names a day, not only a year or a month."""
    return len(text) >= len("YYYY-MM-DD")


def is_future(lastmod: str, now: datetime) -> bool:
    """Whether a W3C date of this module lies after an aware datetime."""
    today, moment = _present(now)
    return lastmod > (today if is_day(lastmod) else moment)


@lru_cache(maxsize=1)  # the pages of a site are all asked of one instant
def _present(now: datetime) -> tuple[str, str]:
    return now.astimezone(_FIRST_TIME_ZONE).date().isoformat(), utc(now)


def past(when: int, now: datetime) -> str | None:
    """Return the date of git's seconds since 1970, or None if it is in the future or beyond every calendar."""
    return utc(when) if when <= now.timestamp() else None


def written(date: str, form: str) -> str:
    """Return a date in the form of the option `lastmod_format`: the whole for ``datetime``, the day for ``date``."""
    return day(date) if form == "date" else date


def read_w3c(text: str) -> tuple[str, str]:
    """Return a sitemap's date in the form of this module, and what is wrong with it. One of the two is empty."""
    if _CANONICAL.fullmatch(text):
        try:
            datetime.fromisoformat(text)
        except ValueError as error:
            return "", str(error)
        return text, ""
    match = _W3C.fullmatch(text)
    if match is None:
        return "", _why_no_date(text)
    year, month, day, hour, minute, second, zone = match.groups()
    try:
        moment = datetime(int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0))  # noqa: DTZ001 - its zone comes next
        written = utc(moment.replace(tzinfo=UTC) - _offset(zone)) if hour else moment.date().isoformat()
    except (ValueError, OverflowError) as error:
        return "", str(error)
    return written, ""


def contradicts(lastmod: str, when: int) -> bool:
    """Whether a page's date differs from the date on which its source changed (seconds since 1970)."""
    date, _ = read_w3c(lastmod)
    if not date:
        return False
    if not is_day(date):
        return date != utc(when)
    # A date without a time may be of any zone.
    return date not in {day(utc(when + shift)) for shift in (-_DAY, 0, _DAY)}


def is_same(one: str, other: str) -> bool:
    """Whether two dates, as sitemaps have them, are one: of the same instant, or of the day that one of them names.

    The day of a time is that of its own zone or that of UTC. A year and a month are compared as a day is.
    """
    if one == other:
        return True
    if len(one) == len(other) == _SECOND and one.endswith("Z") and other.endswith("Z"):
        return False  # no date has two such forms, and most that are compared have this one
    (first, _), (second, _) = read_w3c(one), read_w3c(other)
    if not (first and second):
        return False
    if has_time(one) and has_time(other):
        return first == second
    length = min(len(one), len(other))
    return one[:length] == other[:length] or first[:length] == second[:length]


def has_time(text: str) -> bool:
    """Whether a W3C date names more than a day."""
    return len(text) > len("YYYY-MM-DD")


def is_surely_later(date: str, other: str) -> bool:
    """Whether a date is later than another one, whatever the time zones of dates without a time are."""
    if is_day(date) == is_day(other):
        return date > other
    return datetime.fromisoformat(day(date)) - datetime.fromisoformat(day(other)) > timedelta(days=1)


def _from_text(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if re.match(r"\d{4}-\d\d-\d\d(?:[T ]\d|$)", text) else None


def _offset(zone: str) -> timedelta:
    if zone == "Z":
        return timedelta()
    hours, minutes = int(zone[1:3]), int(zone[4:])
    offset = timedelta(hours=hours, minutes=minutes)
    if minutes > 59 or offset > _MOST_OFFSET:  # noqa: PLR2004
        message = "no time zone is so far from UTC"
        raise ValueError(message)
    if zone == "-00:00":
        message = "the zone -00:00 means that the zone is not known"
        raise ValueError(message)
    return offset if zone[0] == "+" else -offset


def _why_no_date(text: str) -> str:
    if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?", text):
        return "a time needs a zone"
    return "it has none of the forms of a W3C date"
