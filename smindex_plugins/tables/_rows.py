"""Step one: normalizes the rows of any table, batch by batch, and records their faults."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.dates import ZEROS, day, is_future, is_zero, utc, w3c_date, written
from smindex_plugins.base.limits import MAX_IMAGES, MAX_URL_LENGTH
from smindex_plugins.base.settings import Settings
from smindex_plugins.pages.hreflang import is_hreflang
from smindex_plugins.pages.omissions import NotListed
from smindex_plugins.tables.outcome import Fault
from smindex_plugins.writing import sections

BITS = 16
"""How many of the highest bits of each URL's hash are counted. They are enough for all files of an
index."""
NAMED = "?"
"""The prefix of user-defined section names in the column ``home``. No directory contains it."""

# Values in normal form, which Python doesn't need to check. These expressions are for RE2.
_ESCAPE = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|5[B-E]|7[BCDF])"  # RFC 3986, section 6.2.2
PLAIN_REST = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|{_ESCAPE})*"
"""What follows the site's address in a normal URL, if it contains no `DOT_SEGMENT` and does not end
in ``?``."""
DOT_SEGMENT = "/."
_DAY_OF_ANY_YEAR = (
    "(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31"
)
PLAIN_DATE = (
    rf"[1-9][0-9]{{3}}-(?:{_DAY_OF_ANY_YEAR})(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?"
)
"""A valid date in the package's format, except 29 February."""
_REPLACED = "\ufffd"
"""What engines write in place of bytes that are not UTF-8."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_FIRST_TIME = -(2**63) + 10**9
"""Arrow cannot round an earlier time to seconds, whatever its unit. DuckDB's `-infinity` is one."""
MIDNIGHT = "T00:00:00Z"
"""The part of a date that the package omits."""

NORMAL = pa.schema(
    [
        ("url", pa.string()),  # in normal form; null if the row is not listed
        ("lastmod", pa.string()),  # as sitemaps contain it
        ("details", pa.string()),  # valid variants and images, as JSON
        # the directory that could be the page's section, or `NAMED` and the user's section
        ("home", pa.string()),
        ("bits", pa.int32()),  # the first bits of the URL's hash
        ("fault", pa.string()),  # why the row is not listed
        ("date_fault", pa.string()),  # why it has no date although the table contains one
        ("details_fault", pa.string()),  # why some of its variants or images are omitted
        ("given_url", pa.string()),  # what the table contains, if it is wrong
        ("given_date", pa.string()),
        ("given_details", pa.string()),
    ]
)
"""The rows that all later steps use."""

Judged = tuple[str | None, str | None]
"""The valid form of a value, if it has one, and its fault, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRules:
    """The rules for rows. They are small and can be pickled, so each worker has a copy."""

    site_url: str
    """The normal URL of the site's directory, with its trailing slash."""
    settings: Settings
    now: datetime
    """No date is later."""

    def url(self, given: str | None) -> Judged:
        """Return the normal form of a row's URL, or why it is not listed."""
        if not given or not given.strip():
            return None, Fault.NO_URL
        if _REPLACED in given:
            return None, Fault.UNREAD
        try:
            url = urls.normalise(given)
        except ValueError:
            return None, Fault.INVALID_URL
        if _CONTROL.search(given.strip()) or urls.control_character(url):
            return None, Fault.INVALID_URL
        path = urls.relative_path(url, self.site_url)
        reasons = {
            NotListed.LONG_URL: len(url) > MAX_URL_LENGTH,
            NotListed.OUT_OF_SCOPE: not urls.is_within(url, self.site_url),
            NotListed.ERROR_PAGE: urls.is_error_page(path),
            NotListed.EXCLUDED: patterns.matches(path, self.settings.exclude),
        }
        fault = next((reason for reason, is_so in reasons.items() if is_so), None)
        return None if fault else url, fault

    def date(self, given: str | None) -> Judged:
        """Return the date of a row in the sitemap format."""
        if not given:
            return None, None
        lastmod = w3c_date(given)
        if lastmod is None:
            return None, Fault.UNREADABLE_DATE
        if is_zero(lastmod):
            return None, Fault.ZERO_DATE
        if is_future(lastmod, self.now):
            return None, Fault.FUTURE_DATE
        return written(lastmod, self.settings.lastmod_format), None


def judge_details(alternates: str | None, images: str | None) -> Judged:
    """Return the valid variants and images of a row as JSON, from a JSON object and a JSON list."""
    (links, is_object), (shown, is_list) = _parsed(alternates, dict), _parsed(images, list)
    # some tables use null for none
    named = {code: target for code, target in links.items() if target is not None}
    valid = {code: urls.normal(str(target)) for code, target in named.items() if is_hreflang(code)}
    variants = sorted((code, url) for code, url in valid.items() if url)
    listed = [url for url in (urls.normal(str(image)) for image in shown) if url][:MAX_IMAGES]
    is_valid = is_object and is_list and (len(variants), len(listed)) == (len(named), len(shown))
    packed = json.dumps([variants, listed], ensure_ascii=False, separators=(",", ":"))
    return packed if variants or listed else None, None if is_valid else Fault.WRONG_DETAILS


def _parsed(text: str | None, kind: type) -> tuple[Any, bool]:
    """Return a JSON value of a type, or an empty one, and whether the text is valid."""
    try:
        value = (json.loads(text) if text else None) or kind()
    except (ValueError, RecursionError):
        return kind(), False
    return (value, True) if isinstance(value, kind) else (kind(), False)


def normal_rows(batch: pa.RecordBatch, rules: RowRules) -> pa.RecordBatch:
    """Return rows in the format of `NORMAL`, one for each row with the columns url, lastmod,
    alternates and images.

    The column ``unread`` is the text of a row that could not be read, otherwise null.

    A URL is text. A date is a date, a timestamp or text. The variants are a JSON object, the images
    a JSON list.
    """
    given, alternates, images = (
        batch[name].cast(pa.string()) for name in ("url", "alternates", "images")
    )
    none = pa.nulls(len(batch), pa.string())
    url, fault = _urls(given, rules)
    unread = batch["unread"].cast(pa.string())
    is_read = pc.is_null(unread)
    given = pc.coalesce(unread, given)
    url, fault = pc.if_else(is_read, url, none), pc.if_else(is_read, fault, Fault.UNREAD.value)
    texts = date_texts(batch["lastmod"])
    lastmod, date_fault = _dates(texts, rules) if rules.settings.lastmod != "off" else (none, none)
    has_details = pc.or_(pc.is_valid(alternates), pc.is_valid(images))
    details, details_fault = _judged(none, has_details, judge_details, alternates, images)
    texts_of_details = pc.binary_join_element_wise(
        pc.fill_null(alternates, ""), pc.fill_null(images, ""), " "
    )
    listed = pc.fill_null(url, "").to_pylist()
    columns = [
        *(url, lastmod, details, _homes(listed, rules)),
        pa.array(
            [sections.url_hash(each) >> (sections.HASH_BITS - BITS) for each in listed], pa.int32()
        ),
        *(fault, date_fault, details_fault),
        pc.if_else(pc.is_valid(fault), given, none),
        pc.if_else(pc.is_valid(date_fault), texts, none),
        pc.if_else(pc.is_valid(details_fault), pc.utf8_trim_whitespace(texts_of_details), none),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=NORMAL)


def _judged(
    plain: pa.Array, where: pa.Array, judge: Callable[..., Judged], *given: pa.Array
) -> tuple[pa.Array, pa.Array]:
    """Return values and their faults. Python checks the values that a mask selects."""
    none = pa.nulls(len(plain), pa.string())
    rows = zip(*(pc.filter(each, where).to_pylist() for each in given), strict=True)
    judged = [judge(*row) for row in rows]
    values = pa.array([value for value, _ in judged], pa.string())
    faults = pa.array([fault for _, fault in judged], pa.string())
    return pc.replace_with_mask(plain, where, values), pc.replace_with_mask(none, where, faults)


def _urls(given: pa.StringArray, rules: RowRules) -> tuple[pa.Array, pa.Array]:
    """Return the normal URLs of the rows that are listed, and why the others are not."""
    # Python checks all URLs if there are patterns
    longest = 0 if rules.settings.exclude else MAX_URL_LENGTH
    is_plain = pc.match_substring_regex(given, rf"\A{re.escape(rules.site_url)}{PLAIN_REST}\z")
    for is_doubtful in (
        pc.match_substring(given, DOT_SEGMENT),
        pc.match_substring_regex(given, urls.CONTROL),
        pc.ends_with(given, "?"),
        pc.match_substring_regex(given, r"/(?:404|50[0-4])(?:[./]|\z)"),  # the names of error pages
        pc.greater(pc.binary_length(given), longest),
    ):
        is_plain = pc.and_not(is_plain, is_doubtful)
    return _judged(given, pc.invert(pc.fill_null(is_plain, False)), rules.url, given)  # noqa: FBT003 - Arrow's


def _dates(texts: pa.StringArray, rules: RowRules) -> tuple[pa.Array, pa.Array]:
    """Return dates in the sitemap format, and why there is none."""
    days = pc.utf8_slice_codeunits(texts, 0, len("YYYY-MM-DD"))
    is_known = pc.and_not(
        pc.less(texts, day(utc(rules.now))), pc.is_in(days, pa.array(sorted(ZEROS)))
    )
    is_plain = pc.and_(pc.match_substring_regex(texts, rf"\A{PLAIN_DATE}\z"), is_known)
    is_short = pc.or_(pc.ends_with(texts, MIDNIGHT), rules.settings.lastmod_format == "date")
    plain = pc.if_else(is_short, days, texts)
    is_doubtful = pc.and_not(pc.is_valid(texts), pc.fill_null(is_plain, False))  # noqa: FBT003 - Arrow's
    return _judged(plain, is_doubtful, rules.date, texts)


def date_texts(given: pa.Array) -> pa.StringArray:
    """Return dates as text: instants in UTC with seconds, and only the day of times without a zone.

    The number of a date stands for it if its year doesn't have four digits, or Arrow cannot write
    it.
    """
    kind = given.type
    if pa.types.is_date(kind):
        numbers = given.view(f"int{kind.bit_width}")
        text = given.cast(pa.string())
        return pc.if_else(_has_length(text, "YYYY-MM-DD"), text, numbers.cast(pa.string()))
    if not pa.types.is_timestamp(kind):
        return given.cast(pa.string())
    numbers = given.cast(pa.int64())
    is_in_range = pc.greater_equal(numbers, _FIRST_TIME)
    times = pc.if_else(is_in_range, numbers, 0).cast(pa.timestamp(kind.unit))
    seconds = pc.floor_temporal(times, unit="second")
    # `strftime` takes twenty times as long
    text = seconds.cast(pa.timestamp("s")).cast(pa.string())
    dates = pc.utf8_slice_codeunits(text, 0, len("YYYY-MM-DD"))
    if kind.tz:
        clocks = pc.utf8_slice_codeunits(text, len("YYYY-MM-DD "))
        dates = pc.binary_join_element_wise(
            pc.binary_join_element_wise(dates, clocks, "T"), "Z", ""
        )
    is_written = pc.and_(is_in_range, _has_length(text, "YYYY-MM-DD hh:mm:ss"))
    return pc.if_else(is_written, dates, numbers.cast(pa.string()))


def _has_length(text: pa.StringArray, pattern: str) -> pa.BooleanArray:
    return pc.equal(pc.binary_length(text), len(pattern))


def _homes(listed: list[str], rules: RowRules) -> pa.StringArray:
    """Return the directory or the user-defined section of each URL."""
    depth, named, base = rules.settings.section_depth, rules.settings.sections, rules.site_url
    on_disk = cache(sections.on_disk)
    homes = []
    for url in listed:
        path = urls.relative_path(url, base)
        name = sections.first_named(path, named) if named and url else None
        homes.append(NAMED + name if name else on_disk("/".join(path.split("/", depth)[:-1])))
    return pa.array(homes, pa.string())
