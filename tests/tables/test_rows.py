"""A batch of rows becomes normal rows.

What takes the fast way through Arrow is in its normal form already.
"""

import json
import re
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base.settings import Settings
from smindex_plugins.tables import _rows as rows
from smindex_plugins.tables._rows import PLAIN_DATE, PLAIN_REST, RowRules
from smindex_plugins.tables.inputs import COLUMNS
from smindex_plugins.tables.outcome import Fault

SITE = "https://e.org/docs/"
NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)
MOMENT = datetime(2024, 5, 6, 7, 8, 9, 999_999, tzinfo=UTC)


def normal(
    table: dict[str, Any], site_url: str = SITE, /, **options: object
) -> list[dict[str, Any]]:
    rules = RowRules(site_url=site_url, settings=Settings.load(options), now=NOW)
    names = [*COLUMNS, "unread"]
    arrays = [pa.array(table.get(name, pa.nulls(len(table["url"]), pa.string()))) for name in names]
    done: list[dict[str, Any]] = rows.normal_rows(
        pa.RecordBatch.from_arrays(arrays, names=names), rules
    ).to_pylist()
    return done


def field(name: str, table: dict[str, Any], **options: object) -> list[Any]:
    return [row[name] for row in normal(table, **options)]


def test_a_url_is_brought_to_its_normal_form() -> None:
    given = [
        SITE,
        f"{SITE}a/b?c=d",
        "HTTPS://E.org:443/docs/ü x",
        f"{SITE}a/../b/",
        f"{SITE}./c",
        f"{SITE}d?",
    ]
    expected = [SITE, f"{SITE}a/b?c=d", f"{SITE}%C3%BC%20x", f"{SITE}b/", f"{SITE}c", f"{SITE}d"]
    assert field("url", {"url": given}) == expected


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        (None, "without a URL"),
        (" ", "without a URL"),
        ("https://user:secret@e.org/docs/", "with an invalid URL"),
        (f"{SITE}a\nb", "with an invalid URL"),
        (f"{SITE}a%0Ab", "with an invalid URL"),
        (f"{SITE}%1Bb", "with an invalid URL"),
        (f"{SITE}\ufffd", "that can't be read"),
        ("https://f.org/docs/", "outside the directory scope"),
        ("https://e.org/docs", "outside the directory scope"),
        (f"{SITE}{'a' * 2_048}", "with a URL that is too long"),
        (f"{SITE}404.html", "an error page"),
        (f"{SITE}drafts/a", "excluded by the settings"),
    ],
)
def test_a_row_that_is_not_listed_has_a_reason(url: str | None, fault: str) -> None:
    (row,) = normal({"url": pa.array([url], pa.string())}, exclude=["drafts/"])
    assert (row["url"], row["fault"]) == (None, fault)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (2**31 - 1, pa.date32()),
        (2_932_897, pa.date32()),  # the first day of the year 10000
        (-(2**62), pa.timestamp("us")),
        (1 - 2**63, pa.timestamp("us", "UTC")),  # DuckDB's -infinity
        (1 - 2**63, pa.timestamp("ns")),
        (2**62, pa.timestamp("s", "UTC")),
        (253_402_300_800, pa.timestamp("s")),
    ],
)
def test_a_date_out_of_range_is_shown_as_its_number(number: int, kind: pa.DataType) -> None:
    width = pa.int32() if pa.types.is_date(kind) else pa.int64()
    (row,) = normal({"url": [SITE], "lastmod": pa.array([number], width).cast(kind)})
    assert (row["lastmod"], row["date_fault"]) == (None, "with a date that can't be read")
    assert row["given_date"] == str(number)


def test_a_row_that_an_engine_could_not_read_keeps_its_text() -> None:
    (row,) = normal({"url": [SITE], "unread": ["a,b,c"]})
    assert (row["url"], row["fault"], row["given_url"]) == (None, "that can't be read", "a,b,c")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (pa.array([date(2024, 5, 6), None]), ["2024-05-06", None]),
        (pa.array([MOMENT]), ["2024-05-06T07:08:09Z"]),
        (pa.array([MOMENT]).cast(pa.timestamp("ns", "Asia/Tokyo")), ["2024-05-06T07:08:09Z"]),
        (pa.array([MOMENT.replace(tzinfo=None)]), ["2024-05-06"]),
        (pa.array([datetime(2024, 5, 6, tzinfo=UTC)]), ["2024-05-06"]),
        (pa.array([datetime(1969, 12, 30, 23, 59, 59, 5, tzinfo=UTC)]), ["1969-12-30T23:59:59Z"]),
        (
            pa.array(["2024-05-06T07:08:09+02:00", "2024-05-06", ""]),
            ["2024-05-06T05:08:09Z", "2024-05-06", None],
        ),
        (pa.nulls(1), [None]),
    ],
)
def test_a_date_may_be_of_any_type(values: pa.Array, expected: list[str | None]) -> None:
    table = {"url": [f"{SITE}{number}" for number in range(len(values))], "lastmod": values}
    assert field("lastmod", table) == expected
    assert field("date_fault", table) == [None] * len(values)


def test_a_date_is_true_or_absent() -> None:
    given = [
        "2024-02-30",
        "yesterday",
        "2026-01-04",
        "2026-01-03",
        "2026-01-02T12:00:01Z",
        "2026-01-02T12:00:00Z",
    ]
    done = normal({"url": [SITE] * 6, "lastmod": given})
    assert [row["lastmod"] for row in done] == [
        None,
        None,
        None,
        "2026-01-03",
        None,
        "2026-01-02T12:00:00Z",
    ]
    unreadable, future = Fault.UNREADABLE_DATE, Fault.FUTURE_DATE
    assert [row["date_fault"] for row in done] == [
        unreadable,
        unreadable,
        future,
        None,
        future,
        None,
    ]
    late = pa.array([2**62, -(2**62)]).cast(pa.timestamp("us", "UTC"))
    assert field("date_fault", {"url": [SITE] * 2, "lastmod": late}) == [unreadable] * 2


def test_a_date_that_stands_for_none_is_omitted() -> None:
    given = [
        "1970-01-01",
        "0001-01-01T00:00:00Z",
        "1900-01-01 00:00:00",
        "1969-12-31T23:00:00-01:00",
        "1970-01-02",
    ]
    done = normal({"url": [SITE] * 5, "lastmod": given})
    assert [row["lastmod"] for row in done] == [None] * 4 + ["1970-01-02"]
    assert [row["date_fault"] for row in done] == [Fault.ZERO_DATE] * 4 + [None]
    zero = pa.array([datetime(1970, 1, 1, tzinfo=UTC), datetime(1, 1, 1)])  # noqa: DTZ001 - as .NET has it
    assert field("date_fault", {"url": [SITE] * 2, "lastmod": zero}) == [Fault.ZERO_DATE] * 2


def test_dates_are_written_as_the_option_says() -> None:
    zone = timezone(timedelta(hours=2))
    given = pa.array(["2024-05-06T07:08:09Z", datetime(2024, 5, 6, 1, tzinfo=zone).isoformat()])
    table = {"url": [SITE] * 2, "lastmod": given}
    assert field("lastmod", table, lastmod_format="date") == ["2024-05-06", "2024-05-05"]
    assert field("lastmod", table, lastmod="off") == [None, None]


def test_variants_and_images_are_json_in_normal_form() -> None:
    given = f'{{"en": "{SITE}", "de": "{SITE}ü", "fr": null}}'
    (row,) = normal(
        {"url": [SITE], "alternates": [given], "images": [f'["{SITE}ä.png", "https://i.org/1"]']}
    )
    variants = [["de", f"{SITE}%C3%BC"], ["en", SITE]]
    assert json.loads(row["details"]) == [variants, [f"{SITE}%C3%A4.png", "https://i.org/1"]]
    assert row["details_fault"] is None


@pytest.mark.parametrize(
    ("alternates", "images", "left"),
    [
        (
            '{"not a code": "https://e.org/docs/", "en": "https://e.org/docs/"}',
            "",
            '[[["en","https://e.org/docs/"]],[]]',
        ),
        ('{"en": "a/b"}', '["https://i.org/", "b.png"]', '[[],["https://i.org/"]]'),
        ("[1, 2]", '{"a": "b"}', None),
        ("[" * 100_000, "nonsense", None),
    ],
)
def test_a_wrong_variant_or_image_is_left_out_and_named(
    alternates: str, images: str, left: str | None
) -> None:
    (row,) = normal({"url": [SITE], "alternates": [alternates], "images": [images]})
    assert (row["details"], row["details_fault"]) == (left, Fault.WRONG_DETAILS)


ADDRESSES = st.sampled_from(
    [
        "https://e.org/",
        "http://e.org:8080/a%20b/",
        "https://xn--bcher-kva.example/d/",
        "https://[::1]/x/",
    ]
)
ESCAPES = st.integers(0, 255).flatmap(
    lambda byte: st.sampled_from([f"%{byte:02X}", f"%{byte:02x}"])
)
SIGNS = (
    st.characters(max_codepoint=0x17F)
    | st.sampled_from([*"/.?%&'=@:;,+#", "//", "/../", "/./", "?a=b"])
    | ESCAPES
)
TWO = st.integers(0, 70).map("{:02}".format)
TIMES = st.just("") | st.builds("T{}:{}:{}Z".format, TWO, TWO, TWO)


@given(ADDRESSES, st.lists(SIGNS, max_size=12).map("".join), st.integers(0, 2027), TIMES)
def test_what_arrow_leaves_as_it_is_python_would_not_change(
    address: str, rest: str, year: int, time: str
) -> None:
    rules = RowRules(site_url=address, settings=Settings(), now=NOW)
    days = [
        f"{year:04}-{month:02}-{day:02}{time}" for month in range(1, 13) for day in range(1, 32)
    ]
    done = normal({"url": [address + rest] * len(days), "lastmod": days}, address)
    assert {(row["url"], row["fault"]) for row in done} == {rules.url(address + rest)}
    assert [(row["lastmod"], row["date_fault"]) for row in done] == [
        rules.date(day) for day in days
    ]


def test_what_shops_and_wikis_have_is_left_to_arrow() -> None:
    for rest in (
        "",
        "p/item-1/",
        "wiki/K%C3%B6ln",
        "search?q=a%20b&page=2",
        "a//b",
        "x/y.html",
        "it's(1),*@:;",
    ):
        assert re.fullmatch(PLAIN_REST, rest)
    assert re.fullmatch(PLAIN_DATE, "2023-12-31T23:59:59Z")
