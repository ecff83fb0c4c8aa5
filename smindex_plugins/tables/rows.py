"""Step one: rows of any table, batch by batch, become rows of one form, which both engines carry on."""

import re
from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from smindex_plugins.dates import day, utc
from smindex_plugins.limits import MAX_URL_LENGTH
from smindex_plugins.sitemaps import sections
from smindex_plugins.tables.plain import DOT_SEGMENT, MIDNIGHT, PLAIN_DATE, PLAIN_REST
from smindex_plugins.tables.rules import Judged, Rules

_Columns = tuple[pa.Array, pa.Array]
_ERROR = "404"
"""What is in the URL of every page that is shown for errors."""

_DOUBTFUL = r"[%\\]|\A/|//|/\z|(?:\A|/)\.\.?(?:/|\z)"
"""What is in every directory that no disk can hold."""

NORMAL = pa.schema(
    [
        ("url", pa.string()),  # in its normal form; null in a row that is not listed
        ("lastmod", pa.string()),  # as sitemaps write it
        ("details", pa.string()),  # variants and images, as `rules.unpack` reads them
        ("directory", pa.string()),  # the outer directories below the site's address, as many as make a section
        ("named", pa.string()),  # the user's own section, if the page is in one
        ("crc", pa.int64()),  # `sections.url_hash` of the URL
        ("fault", pa.string()),  # why the row is not listed
        ("date_fault", pa.string()),  # why it has no date, though there was one
        ("details_fault", pa.string()),  # why some of its variants or images are left out
    ]
)
"""The rows of which all later steps are made."""
KEPT = pa.schema([*NORMAL, *(pa.field(f"given_{name}", pa.string()) for name in ("url", "date", "details"))])
"""Normal rows, with what they were where something is wrong with them."""


def normalise(rows: pa.StructArray, rules: Rules) -> pa.StructArray:
    """Return rows in the form of `NORMAL`, one for each row with fields url, lastmod, alternates and images.

    The last three may lack. A URL is text; a date is a date, a timestamp or text; variants are a map and images a list,
    or both are JSON.
    """
    given = dict(zip((field.name for field in rows.type), rows.flatten(), strict=True))
    none = pa.nulls(len(rows), pa.string())
    url, fault = _urls(given["url"].cast(pa.string()), none, rules)
    below = pc.fill_null(pc.utf8_slice_codeunits(url, len(rules.site_url)), "")
    lastmod, date_fault = _dates(given.get("lastmod", none), none, rules)
    details, details_fault = _details(given.get("alternates", none), given.get("images", none), none, rules)
    named = _named(url, none, rules)
    crc = pa.array(map(sections.url_hash, pc.fill_null(url, "").to_pylist()), pa.int64())
    columns = [url, lastmod, details, _directories(below, rules), named, crc, fault, date_fault, details_fault]
    return pa.StructArray.from_arrays(columns, fields=list(NORMAL))


def kept(batch: pa.RecordBatch, rules: Rules) -> pa.RecordBatch:
    """Return the normal rows of a batch with all four columns, in the form of `KEPT`."""
    given = dict(zip(batch.schema.names, batch.columns, strict=True))
    columns = normalise(pa.StructArray.from_arrays(batch.columns, names=batch.schema.names), rules).flatten()
    *_, fault, date_fault, details_fault = columns
    none = pa.nulls(len(batch), pa.string())
    structured = (pc.fill_null(given[name].cast(pa.string()), "") for name in ("alternates", "images"))
    details = pc.utf8_trim_whitespace(pc.binary_join_element_wise(*structured, " "))
    columns += [
        pc.if_else(pc.is_valid(fault), given["url"], none),
        pc.if_else(pc.is_valid(date_fault), date_texts(given["lastmod"]), none),
        pc.if_else(pc.is_valid(details_fault), details, none),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=KEPT)


def _judged(otherwise: pa.Array, where: pa.Array, judge: Callable[..., Judged], *given: pa.Array) -> _Columns:
    """Return values of which Python has judged those where a mask says so, and what is wrong with them."""
    none = pa.nulls(len(otherwise), pa.string())
    if not pc.any(where).as_py():
        return otherwise, none
    chosen = (pc.filter(each, where).to_pylist() for each in given)
    found = [judge(*row) for row in zip(*chosen, strict=True)]
    values = pa.array([each.value for each in found], pa.string())
    faults = pa.array([each.fault for each in found], pa.string())
    return pc.replace_with_mask(otherwise, where, values), pc.replace_with_mask(none, where, faults)


def _urls(given: pa.StringArray, none: pa.Array, rules: Rules) -> _Columns:
    """Return the normal URLs of those rows that are listed, and why the others are not."""
    is_plain = pc.match_substring_regex(given, rf"\A{re.escape(rules.site_url)}{PLAIN_REST}\z")
    for is_so in (
        pc.invert(pc.match_substring(given, DOT_SEGMENT)),
        pc.invert(pc.ends_with(given, "?")),
        pc.less_equal(pc.binary_length(given), MAX_URL_LENGTH),
    ):
        is_plain = pc.and_(is_plain, is_so)
    url, fault = _judged(given, pc.invert(pc.fill_null(is_plain, False)), rules.url, given)  # noqa: FBT003 - Arrow's
    is_doubtful = pc.is_valid(url) if rules.settings.exclude else pc.match_substring(url, _ERROR)
    doubtful = pc.fill_null(is_doubtful, False)  # noqa: FBT003 - Arrow's
    _, why = _judged(none, doubtful, lambda each: Judged(None, rules.why_left_out(each)), url)
    return pc.if_else(pc.is_null(why), url, none), pc.coalesce(fault, why)


def _dates(given: pa.Array, none: pa.Array, rules: Rules) -> _Columns:
    if rules.settings.lastmod == "off":
        return none, none
    text = date_texts(given)
    is_plain = pc.match_substring_regex(text, rf"\A{PLAIN_DATE}\z")
    is_past = pc.less(text, day(utc(rules.now)))
    is_day = pc.ends_with(text, MIDNIGHT) if rules.settings.lastmod_format == "datetime" else pc.is_valid(text)
    plain = pc.if_else(is_day, pc.utf8_slice_codeunits(text, 0, len("YYYY-MM-DD")), text)
    is_doubtful = pc.and_(pc.is_valid(text), pc.invert(pc.and_(is_plain, is_past)))
    return _judged(plain, pc.fill_null(is_doubtful, False), rules.date, text)  # noqa: FBT003 - Arrow's


def date_texts(given: pa.Array) -> pa.StringArray:
    """Return dates as text: an instant to the second in UTC, and of a time without a zone the day.

    Raises:
        ValueError: the column holds no dates.
    """
    kind = given.type
    if pa.types.is_date(kind):
        return given.cast(pa.date32()).cast(pa.string())
    if pa.types.is_timestamp(kind):
        seconds = pc.floor_temporal(given.cast(pa.timestamp(kind.unit)), unit="second")
        text = seconds.cast(pa.timestamp("s")).cast(pa.string())  # `strftime` takes twenty times as long
        day = pc.utf8_slice_codeunits(text, 0, len("YYYY-MM-DD"))
        time = pc.utf8_slice_codeunits(text, len("YYYY-MM-DD "))
        return pc.binary_join_element_wise(pc.binary_join_element_wise(day, time, "T"), "Z", "") if kind.tz else day
    try:
        return given.cast(pa.string())
    except pa.ArrowNotImplementedError as error:
        message = f"the column of dates holds {kind}; accepted: a date, a timestamp or text"
        raise ValueError(message) from error


def _details(alternates: pa.Array, images: pa.Array, none: pa.Array, rules: Rules) -> _Columns:
    is_there = pc.or_(pc.is_valid(alternates), pc.is_valid(images))
    return _judged(none, is_there, rules.details, alternates, images)


def _directories(below: pa.StringArray, rules: Rules) -> pa.StringArray:
    """Return the outer directories of paths, as many as make a section, and as far as they can be on disk."""
    depth = rules.settings.section_depth
    if not depth:
        return pc.utf8_slice_codeunits(below, 0, 0)
    found = pc.extract_regex(below, rf"\A(?P<directory>[^/?]*(?:/[^/?]*){{0,{depth - 1}}})/")
    directories = pc.fill_null(pc.struct_field(found, [0]), "")
    if not pc.any(pc.match_substring_regex(directories, _DOUBTFUL)).as_py():
        return directories
    distinct = directories.dictionary_encode()
    return pa.array(map(sections.on_disk, distinct.dictionary.to_pylist()), pa.string()).take(distinct.indices)


def _named(url: pa.StringArray, none: pa.Array, rules: Rules) -> pa.StringArray:
    if not rules.settings.sections:
        return none
    return _judged(none, pc.is_valid(url), lambda each: Judged(rules.section(each)), url)[0]
