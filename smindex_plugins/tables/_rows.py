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
from smindex_plugins.base.language_codes import is_hreflang
from smindex_plugins.base.limits import MAX_IMAGES, MAX_URL_LENGTH
from smindex_plugins.base.settings import Settings
from smindex_plugins.pages.omissions import NotListed
from smindex_plugins.tables.outcome import Fault
from smindex_plugins.writing import sections

BITS = 16
"""How many of the highest bits of each URL's hash are counted. They are enough for all files of an
index."""
_UNCOUNTED_BITS = sections.HASH_BITS - BITS
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
"""Arrow can't round an earlier time to seconds, whatever its unit. DuckDB's `-infinity` is one."""
MIDNIGHT = "T00:00:00Z"
"""The part of a date that the package omits."""
_STRING = pa.string()

NORMAL = pa.schema(
    [
        ("url", _STRING),  # in normal form; null if the row is not listed
        ("lastmod", _STRING),  # as sitemaps contain it
        ("details", _STRING),  # valid variants and images, as JSON
        # the directory that could be the page's section, or `NAMED` and the user's section
        ("home", _STRING),
        ("bits", pa.int32()),  # the first bits of the URL's hash
        ("fault", _STRING),  # why the row is not listed
        ("date_fault", _STRING),  # why it has no date although the table contains one
        ("details_fault", _STRING),  # why some of its variants or images are omitted
        ("given_url", _STRING),  # what the table contains, if it is wrong
        ("given_date", _STRING),
        ("given_details", _STRING),
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
        omission = self._omission(url)
        if omission is not None:
            return None, omission
        return url, None

    def _omission(self, url: str) -> NotListed | None:
        path = urls.relative_path(url, self.site_url)
        if len(url) > MAX_URL_LENGTH:
            return NotListed.LONG_URL
        if not urls.is_within(url, self.site_url):
            return NotListed.OUT_OF_SCOPE
        if urls.is_error_page(path):
            return NotListed.ERROR_PAGE
        if patterns.matches(path, self.settings.exclude):
            return NotListed.EXCLUDED
        return None

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
    links, is_object = _parsed(alternates, dict)
    shown, is_list = _parsed(images, list)
    # some tables use null for none
    named = {code: target for code, target in links.items() if target is not None}
    variants = []
    for code, target in named.items():
        if is_hreflang(code):
            url = urls.normal(str(target))
            if url:
                variants.append((code, url))
    variants.sort()
    normal = [urls.normal(str(image)) for image in shown]
    listed = list(filter(None, normal))[:MAX_IMAGES]

    details = None
    if variants or listed:
        details = json.dumps([variants, listed], ensure_ascii=False, separators=(",", ":"))
    has_only_valid = len(variants) == len(named) and len(listed) == len(shown)
    if is_object and is_list and has_only_valid:
        return details, None
    return details, Fault.WRONG_DETAILS


def _parsed(text: str | None, kind: type) -> tuple[Any, bool]:
    """Return a JSON value of a type, or an empty one, and whether the text is valid."""
    if not text:
        return kind(), True
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return kind(), False
    if not value:
        return kind(), True
    if not isinstance(value, kind):
        return kind(), False
    return value, True


def normal_rows(batch: pa.RecordBatch, rules: RowRules) -> pa.RecordBatch:
    """Return rows in the format of `NORMAL`, one for each row with the columns url, lastmod,
    alternates and images.

    The column ``unread`` is the text of a row that could not be read, otherwise null.

    A URL is text. A date is a date, a timestamp or text. The variants are a JSON object, the images
    a JSON list.
    """
    none = pa.nulls(len(batch), _STRING)
    given = batch["url"].cast(_STRING)
    alternates = batch["alternates"].cast(_STRING)
    images = batch["images"].cast(_STRING)
    url, fault = _urls(given, rules)

    unread = batch["unread"].cast(_STRING)
    is_read = pc.is_null(unread)
    url = pc.if_else(is_read, url, none)
    fault = pc.if_else(is_read, fault, Fault.UNREAD.value)
    given_url = pc.coalesce(unread, given)

    given_date = date_texts(batch["lastmod"])
    lastmod = date_fault = none
    if rules.settings.lastmod != "off":
        lastmod, date_fault = _dates(given_date, rules)

    has_details = pc.or_(pc.is_valid(alternates), pc.is_valid(images))
    details, details_fault = _judged(none, has_details, judge_details, alternates, images)
    given_alternates = pc.fill_null(alternates, "")
    given_images = pc.fill_null(images, "")
    given_details = pc.binary_join_element_wise(given_alternates, given_images, " ")

    listed = pc.fill_null(url, "").to_pylist()
    home = _homes(listed, rules)
    bits = [sections.url_hash(each) >> _UNCOUNTED_BITS for each in listed]
    columns = [
        url,
        lastmod,
        details,
        home,
        pa.array(bits, pa.int32()),
        fault,
        date_fault,
        details_fault,
        pc.if_else(pc.is_valid(fault), given_url, none),
        pc.if_else(pc.is_valid(date_fault), given_date, none),
        pc.if_else(pc.is_valid(details_fault), pc.utf8_trim_whitespace(given_details), none),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=NORMAL)


def _judged(
    plain: pa.Array,
    where: pa.Array,
    judge: Callable[..., Judged],
    *given: pa.Array,
) -> tuple[pa.Array, pa.Array]:
    """Return values and their faults. Python checks the values that a mask selects."""
    doubtful = []
    for column in given:
        selected = pc.filter(column, where)
        doubtful.append(selected.to_pylist())
    judged = [judge(*row) for row in zip(*doubtful, strict=True)]
    values = pa.array([value for value, _ in judged], _STRING)
    faults = pa.array([fault for _, fault in judged], _STRING)
    none = pa.nulls(len(plain), _STRING)
    all_values = pc.replace_with_mask(plain, where, values)
    all_faults = pc.replace_with_mask(none, where, faults)
    return all_values, all_faults


def _urls(given: pa.StringArray, rules: RowRules) -> tuple[pa.Array, pa.Array]:
    """Return the normal URLs of the rows that are listed, and why the others are not."""
    # Python checks all URLs if there are patterns
    longest = 0 if rules.settings.exclude else MAX_URL_LENGTH
    site = re.escape(rules.site_url)
    is_plain = pc.match_substring_regex(given, rf"\A{site}{PLAIN_REST}\z")
    for is_doubtful in (
        pc.match_substring(given, DOT_SEGMENT),
        pc.match_substring_regex(given, urls.CONTROL),
        pc.ends_with(given, "?"),
        pc.match_substring_regex(given, r"/(?:404|50[0-4])(?:[./]|\z)"),  # the names of error pages
        pc.greater(pc.binary_length(given), longest),
    ):
        is_plain = pc.and_not(is_plain, is_doubtful)
    is_plain = pc.fill_null(is_plain, False)  # noqa: FBT003 - Arrow's
    return _judged(given, pc.invert(is_plain), rules.url, given)


def _dates(texts: pa.StringArray, rules: RowRules) -> tuple[pa.Array, pa.Array]:
    """Return dates in the sitemap format, and why there is none."""
    days = pc.utf8_slice_codeunits(texts, 0, len("YYYY-MM-DD"))
    today = day(utc(rules.now))
    is_past = pc.less(texts, today)
    is_zero_date = pc.is_in(days, pa.array(sorted(ZEROS)))
    is_known = pc.and_not(is_past, is_zero_date)
    is_plain = pc.and_(pc.match_substring_regex(texts, rf"\A{PLAIN_DATE}\z"), is_known)
    is_plain = pc.fill_null(is_plain, False)  # noqa: FBT003 - Arrow's

    is_short = pc.or_(pc.ends_with(texts, MIDNIGHT), rules.settings.lastmod_format == "date")
    plain = pc.if_else(is_short, days, texts)
    is_doubtful = pc.and_not(pc.is_valid(texts), is_plain)
    return _judged(plain, is_doubtful, rules.date, texts)


def date_texts(given: pa.Array) -> pa.StringArray:
    """Return dates as text: instants in UTC with seconds, and only the day of times without a zone.

    The number of a date stands for it if its year doesn't have four digits, or Arrow can't write
    it.
    """
    if pa.types.is_date(given.type):
        return _texts_of_days(given)
    if pa.types.is_timestamp(given.type):
        return _texts_of_times(given)
    return given.cast(_STRING)


def _texts_of_days(given: pa.Array) -> pa.StringArray:
    numbers = given.view(f"int{given.type.bit_width}")
    text = given.cast(_STRING)
    return pc.if_else(_has_length(text, "YYYY-MM-DD"), text, numbers.cast(_STRING))


def _texts_of_times(given: pa.Array) -> pa.StringArray:
    numbers = given.cast(pa.int64())
    is_in_range = pc.greater_equal(numbers, _FIRST_TIME)
    times = pc.if_else(is_in_range, numbers, 0).cast(pa.timestamp(given.type.unit))
    seconds = pc.floor_temporal(times, unit="second")
    # `strftime` takes twenty times as long
    text = seconds.cast(pa.timestamp("s")).cast(_STRING)
    dates = pc.utf8_slice_codeunits(text, 0, len("YYYY-MM-DD"))
    if given.type.tz:
        clocks = pc.utf8_slice_codeunits(text, len("YYYY-MM-DD "))
        instants = pc.binary_join_element_wise(dates, clocks, "T")
        dates = pc.binary_join_element_wise(instants, "Z", "")
    is_written = pc.and_(is_in_range, _has_length(text, "YYYY-MM-DD hh:mm:ss"))
    return pc.if_else(is_written, dates, numbers.cast(_STRING))


def _has_length(text: pa.StringArray, pattern: str) -> pa.BooleanArray:
    return pc.equal(pc.binary_length(text), len(pattern))


def _homes(listed: list[str], rules: RowRules) -> pa.StringArray:
    """Return the directory or the user-defined section of each URL."""
    depth = rules.settings.section_depth
    named = rules.settings.sections
    base = rules.site_url
    on_disk = cache(sections.on_disk)
    homes = []
    for url in listed:
        path = urls.relative_path(url, base)
        if named and url:
            name = sections.first_named(path, named)
            if name:
                homes.append(NAMED + name)
                continue
        directories = path.split("/", depth)[:-1]
        homes.append(on_disk("/".join(directories)))
    return pa.array(homes, _STRING)
