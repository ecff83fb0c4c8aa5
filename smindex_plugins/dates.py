"""W3C dates, the form in which sitemaps write them: read from what authors write, made from instants, judged."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

# A day has begun somewhere as soon as it has begun here; a date without a time is in the future only after that.
_FIRST_TIME_ZONE = timezone(timedelta(hours=14))


def w3c_date(value: object) -> str | None:
    """Give an author's date in the form sitemaps use, or None where the value is no date.

    A date stays a date. A date with a time and a zone becomes ``YYYY-MM-DDThh:mm:ssZ``. A time without a zone proves no
    instant, so only its date is kept; so is that of midnight in UTC, which is how hosts hand on a date without a time.
    The rules: https://www.w3.org/TR/NOTE-datetime
    """
    try:
        if isinstance(value, str):
            value = _from_text(value.strip())
        if isinstance(value, datetime):
            return utc(value).removesuffix("T00:00:00Z") if value.tzinfo else value.date().isoformat()
    except (ValueError, OverflowError):  # no such day, or none in the years 1 to 9999 in UTC
        return None
    return value.isoformat() if isinstance(value, date) else None


def utc(moment: datetime | float) -> str:
    """Write an instant (an aware datetime, or seconds since 1970) as ``YYYY-MM-DDThh:mm:ssZ``."""
    if not isinstance(moment, datetime):
        moment = datetime.fromtimestamp(moment, UTC)
    return moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat() + "Z"


def is_future(lastmod: str, now: datetime) -> bool:
    """Tell whether a W3C date of this module lies after an aware datetime."""
    if len(lastmod) == len("YYYY-MM-DD"):
        return lastmod > now.astimezone(_FIRST_TIME_ZONE).date().isoformat()
    return lastmod > utc(now)


def _from_text(text: str) -> date | datetime | None:
    if not re.match(r"\d{4}-\d\d-\d\d(?:[T ]\d|$)", text):
        return None
    return date.fromisoformat(text) if len(text) == len("YYYY-MM-DD") else datetime.fromisoformat(text)
